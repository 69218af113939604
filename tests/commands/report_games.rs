//! `leitai report` of several players: ranking, Markdown, and the games of a pairing.

use crate::common::{Sandbox, json, project, run, stderr, stdout};

/// A gauntlet of a player whose score is the best, although it loses against the second.
fn gauntlet(sandbox: &Sandbox) -> String {
    let book = project("openings/othello.txt");
    let book = book.to_str().expect("UTF-8");
    let variants = [("mine", 60), ("strong", 70), ("weak", 10), ("weaker", 5)];
    let variants = variants.map(|(name, nodes)| {
        format!("[[variant]]\nname = \"{name}\"\nlimits = {{ nodes = {nodes} }}\n")
    });
    let config = format!(
        "game = \"othello\"\nseed = 3\nlimits = {{ nodes = 60 }}\nopenings = {{ file = {book:?} }}\n\
         tournament = {{ pairs = 6, format = \"gauntlet\" }}\n{}",
        variants.concat()
    );
    let (config, store) = (sandbox.write("g.toml", &config), sandbox.path("g.sqlite"));
    let output = run(&["run", &config, "--store", &store, "--quiet"]);
    assert!(output.status.success(), "{}", stderr(&output));
    // The table of the run itself: `mine` was once first by the Elo of its score.
    let (run, report) = (stdout(&output), stdout(&run(&["report", &store])));
    assert!(report.starts_with(run.trim_end()), "{run}\n{report}");
    store
}

#[test]
fn gauntlets_are_ranked_by_rating() {
    let sandbox = Sandbox::new();
    let store = gauntlet(&sandbox);
    let names = |answer: &serde_json::Value, rows: &str| -> Vec<String> {
        let rows = answer[rows].as_array().expect("rows").iter();
        rows.map(|row| row["name"].as_str().expect("a name").to_owned())
            .collect()
    };
    let report = json(&["report", &store, "--json"]);
    let rows = &report["variants"];
    let report = names(&report, "variants");
    assert_eq!(report, names(&json(&["rate", &store, "--json"]), "ratings"));
    assert_eq!(report[..2], ["strong", "mine"]);
    let scores = [0, 1].map(|row| rows[row]["estimate"]["score"]["value"].as_f64());
    assert!(scores[0] < scores[1], "{scores:?}");
    let markdown = stdout(&run(&["report", &store, "--markdown"]));
    for beginning in [
        "| # | variant | rating | ± | score |",
        "| 1 | strong | +",
        "- `strong` is ",
    ] {
        assert!(
            markdown.lines().any(|it| it.starts_with(beginning)),
            "{beginning}: {markdown}"
        );
    }
    let text = stdout(&run(&["report", &store]));
    let command = format!(
        "games of two players:\n  leitai report {store} --pgn - --player=mine --against=strong"
    );
    assert!(text.contains(&command), "{text}");
}

#[test]
fn games_of_a_pairing_are_exported() {
    let sandbox = Sandbox::new();
    let store = gauntlet(&sandbox);
    let export = |more: &[&str]| -> Vec<[String; 3]> {
        let pgn = stdout(&run(&[&["report", &store, "--pgn", "-"], more].concat()));
        let games = pgn.split("[Event ").skip(1);
        let tag = |game: &str, name: &str| {
            let (_, value) = game.split_once(&format!("[{name} \"")).expect("a tag");
            value.split('"').next().expect("a value").to_owned()
        };
        games
            .map(|game| ["Black", "White", "Result"].map(|name| tag(game, name)))
            .collect()
    };
    let (all, pair) = (export(&[]), export(&["--against", "strong"]));
    assert_eq!((all.len(), pair.len()), (36, 12));
    let is_met = |game: &&[String; 3]| game.iter().any(|it| it == "strong");
    assert!(pair.iter().eq(all.iter().filter(is_met)));
    assert_eq!(pair, export(&["--player", "strong", "--against", "mine"]));
    let lost = export(&["--games", "lost", "--against", "strong"]);
    let mine = |[black, _, result]: &[String; 3]| {
        (black == "mine") == (result == "0-1") && result != "1/2-1/2"
    };
    assert_eq!(lost, pair.into_iter().filter(mine).collect::<Vec<_>>());
    assert!(!lost.is_empty());
    assert_eq!(export(&["--games", "4", "--against", "weak"]).len(), 4);

    let page = stdout(&run(&["report", &store, "--html", "--against", "weak"]));
    assert!(
        page.contains("All 12 games of <code>mine</code> against <code>weak</code>."),
        "{page}"
    );
    assert!(
        page.contains(
            "<button type=\"button\" data-players=\"[&quot;mine&quot;,&quot;weak&quot;]\""
        )
    );
    for (more, words) in [
        (
            &["--pgn", "-", "--against", "nobody"][..],
            "its variants are `mine`, `strong`, `weak`, `weaker`",
        ),
        (
            &["--pgn", "-", "--player", "weak", "--against", "strong"],
            "no games of `weak` against `strong`",
        ),
        (&["--against", "weak"], "--pgn and --html"),
    ] {
        let output = run(&[&["report", &store], more].concat());
        assert_eq!(output.status.code(), Some(2), "{more:?}");
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
}
