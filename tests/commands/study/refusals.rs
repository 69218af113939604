//! Studies that are refused.

use super::small_study;
use crate::common::{Sandbox, json, project, run, stderr, stdout};
use leitai_config::parse;

#[test]
fn the_plan_of_a_study_is_checked() {
    let sandbox = Sandbox::new();
    let book = project("openings/xiangqi.epd");
    let games =
        format!("nodes = 9_000\ngames = {{ pairs = 3, nodes = 100 }}\n[openings]\nfile = {book:?}");
    let config = sandbox.write("study.toml", &small_study(5, &games));
    let told = stdout(&run(&["check", &config]));
    assert!(
        told.contains(
            "study     3 variants on 20 positions to depth 5: 60 searches of at most 9000 nodes\n\
             games     at 100 nodes per move: 3 pairs of each other variant against `by-piece`: \
             6 pairs, 12 games, from 500 openings\n"
        ),
        "{told}"
    );
    let plan = json(&["check", &config, "--json"]);
    assert_eq!((&plan["pairs"], &plan["games"]), (&6.into(), &12.into()));
    assert_eq!(plan["study"]["searches"], 60);
    // The error is the same as the study's, and nothing begins.
    for more in [
        "games = { pairs = 2, nodes = 10 }",
        "games = { pairs = 1, nodes = 10 }\n[limits]\ndepth = 1",
        "suite = 5",
    ] {
        let config = sandbox.write("study.toml", &small_study(5, more));
        let said = |command: &str| {
            let output = run(&[command, &config]);
            assert_eq!(output.status.code(), Some(2), "{more}");
            stderr(&output)
        };
        assert_eq!(said("check"), said("study"), "{more}");
    }
    assert_eq!(sandbox.files(), ["study.toml"]);
}

/// Errors of the games are reported before the long work: not one search is recorded.
#[test]
fn bad_games_are_refused_before_anything_is_searched() {
    let sandbox = Sandbox::new();
    let refused = |more: &str, expected: &str| {
        let config = sandbox.write("study.toml", &small_study(2, more));
        let store = sandbox.path("games.sqlite");
        let output = run(&["study", &config, "--store", &store, "--quiet"]);
        assert_eq!(output.status.code(), Some(2));
        let text = stderr(&output);
        assert!(text.contains(expected), "{text}");
        assert_eq!(sandbox.files(), ["bad.epd", "study.toml"]);
    };
    let bad = sandbox.write("bad.epd", "no position at all\n");
    refused(
        &format!("games = {{ pairs = 1, nodes = 10 }}\n[openings]\nfile = {bad:?}"),
        "bad.epd",
    );
    refused("games = { pairs = 2, nodes = 10 }", "no book is given");
    refused(
        "games = { pairs = 1, nodes = 10 }\n[limits]\ndepth = 1",
        "remove `[limits]`",
    );
    // A folder cannot be the record.
    let config = small_study(2, "games = { pairs = 1, nodes = 10 }");
    let config = sandbox.write("study.toml", &config);
    let folder = sandbox.path("");
    let output = run(&["study", &config, "--store", &folder]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(sandbox.files(), ["bad.epd", "study.toml"]);
}

#[test]
fn other_configs_are_refused_with_a_hint() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("study.toml", &small_study(2, ""));
    let output = run(&["run", &config]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("leitai study"),
        "{}",
        stderr(&output)
    );
    let ordering = project("configs/ordering.toml");
    let output = run(&["study", ordering.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("has no `[study]`"),
        "{}",
        stderr(&output)
    );
    let twice = small_study(2, "games = { pairs = 1, nodes = 10 }\n[limits]\ndepth = 1");
    let twice = sandbox.write("twice.toml", &twice);
    let output = run(&["study", &twice]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("remove `[limits]`"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn problems_of_a_study_are_reported_at_their_position() {
    let messages = |study: &str| -> Vec<String> {
        let text = format!("game = \"othello\"\n{study}\n[[variant]]\nname = \"a\"\n");
        match parse(&text, "study.toml", &leitai_games::all()) {
            Ok(_) => Vec::new(),
            Err(leitai_config::ConfigError::Invalid(found)) => found
                .problems
                .into_iter()
                .map(|problem| problem.message)
                .collect(),
            Err(other) => panic!("{other}"),
        }
    };
    let good = "[study]\nsuite = \"x.epd\"\ndepth = 5";
    assert_eq!(messages(good), [""; 0]);
    assert_eq!(
        messages("[study]"),
        ["a study without positions", "a study without a depth"]
    );
    assert_eq!(
        messages(&good.replace('5', "65")),
        ["`study.depth` is out of range"]
    );
    let more = |line: &str| messages(&format!("{good}\n{line}"));
    assert_eq!(more("resamples = 5"), ["`study.resamples` is out of range"]);
    assert_eq!(more("nods = 5"), ["unknown key `nods` in `[study]`"]);
    assert_eq!(
        more("games = {}"),
        [
            "games need an opponent: there is only one variant",
            "the number of games is missing",
            "no limits: a player must know when to move",
        ]
    );
    // Openings have one key, as in every other config.
    let good = format!("{good}\n[study.games]\npairs = 1\nnodes = 5\nopenings = \"a.epd\"");
    let second = "[[variant]]\nname = \"b\"\n";
    assert_eq!(
        messages(&format!("{good}\n{second}")),
        ["the openings of the games are in the wrong table"]
    );
    assert_eq!(
        messages(&format!("{good}\n[openings]\nfile = \"b.epd\"\n{second}")),
        ["the openings of the games are given twice"]
    );
    // A tournament in addition to the study needs all that a tournament needs.
    assert_eq!(
        more("[tournament]\npairs = 1"),
        [
            "no limits: a player must know when to move",
            "there is only one variant: a tournament needs at least two",
        ]
    );
}
