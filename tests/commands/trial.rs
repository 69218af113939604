//! Problems found in a first trial that no other test covers: each case fails on the version of
//! that time.

use std::fs;

use crate::common::{Sandbox, gates, json, leitai, run, small_tournament, stderr, stdout};

fn told(sandbox: &Sandbox, line: &str) -> (Option<i32>, String, String) {
    let mut command = leitai();
    command.current_dir(sandbox.path("")).args(line.split(' '));
    let output = command.output().expect("it runs");
    (output.status.code(), stdout(&output), stderr(&output))
}

const TUNE: &str = "game = \"othello\"\nlimits = { nodes = 40 }\n\
    openings = { file = \"leitai:othello-300\" }\n\
    [tune]\ngames = 4000\nalgorithm = \"hill-climb\"\n\
    [[tune.parameter]]\npath = \"eval.discs\"\nrange = 50\nstep = 10\n\
    [[variant]]\nname = \"a\"\n";

/// A budget on the command line applies to the tune, not only to a simulation; and a climb without
/// a whole round reports its progress.
#[test]
fn a_tune_takes_its_games_and_reports_its_steps() {
    let sandbox = Sandbox::new();
    sandbox.write("tune.toml", TUNE);
    let (code, text, said) = told(&sandbox, "tune tune.toml --games 20 --no-proof -q");
    assert!(matches!(code, Some(0 | 3)), "{said}");
    assert!(
        text.contains("\n20 games") || text.starts_with("20 games"),
        "{text}"
    );
    assert!(text.contains("0 of 0 rounds took a step"), "{text}");
    // The same as with `--set`, so that the same run continues.
    let (_, again, _) = told(&sandbox, "tune tune.toml --set tune.games=20 --no-proof -q");
    assert_eq!(text, again);
}

/// The error about a program that does not start names its line in the config and a solution.
#[cfg(unix)]
#[test]
fn a_program_that_does_not_start_is_reported_with_its_line() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::new();
    let config = "game = \"chess\"\nlimits = { nodes = 5 }\ntournament = { pairs = 1 }\n\
                  [[variant]]\nname = \"b\"\n[[variant]]\nname = \"a\"\n\
                  command = [\"./it\"]\nprotocol = \"uci\"\n";
    sandbox.write("e.toml", config);
    sandbox.write("it", "#!/nowhere/python\n");
    for (mode, help) in [(0o644, "chmod +x"), (0o755, "#!")] {
        fs::set_permissions(sandbox.path("it"), fs::Permissions::from_mode(mode)).unwrap();
        let (code, _, said) = told(&sandbox, "run e.toml");
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("e.toml:8: the variant `a`"), "{said}");
        let helps = said.lines().filter(|line| line.starts_with("help: "));
        assert!(helps.clone().any(|line| line.contains(help)), "{said}");
        assert_eq!(said.matches("(os error").count(), 1, "{said}");
    }
}

#[test]
fn too_few_openings_and_times_without_a_unit_are_reported_with_their_line() {
    let sandbox = Sandbox::new();
    let config = small_tournament(3, 40).replace("exhausted = \"repeat\"", "");
    let line = config
        .lines()
        .position(|line| line.contains("pairs"))
        .expect("pairs")
        + 1;
    sandbox.write("few.toml", &config);
    let (code, _, said) = told(&sandbox, "run few.toml --set tournament.pairs=100000");
    assert_eq!(code, Some(2), "{said}");
    let place = format!("few.toml:{line} --set tournament.pairs=100000: too few openings");
    assert!(said.contains(&place), "{said}");
    let text = "game = \"chess\"\nlimits = { movetime = 100 }\ntournament = { pairs = 1 }\n\
                variant = [{ name = \"a\" }, { name = \"b\" }]\n";
    sandbox.write("unit.toml", text);
    let (_, _, said) = told(&sandbox, "check unit.toml");
    assert!(
        said.contains("unit.toml:2:") && said.contains("\"100ms\""),
        "{said}"
    );
}

/// A config from standard input is refused with an explanation: it would be read again.
#[test]
fn standard_input_is_no_config() {
    let (code, _, said) = told(&Sandbox::new(), "check -");
    assert_eq!(code, Some(2));
    assert!(
        said.contains("standard input") && said.contains("help: "),
        "{said}"
    );
}

/// A stopped replay reports the missing part, and a running one its progress.
#[test]
fn a_replay_reports_its_progress() {
    let sandbox = Sandbox::new();
    sandbox.write("run.toml", &small_tournament(3, 40));
    told(&sandbox, "run run.toml -q");
    let (code, text, said) = told(&sandbox, "verify run.sqlite -q");
    assert_eq!((code, said.as_str()), (Some(0), ""), "{text}");
    assert!(stdout(&run(&["verify", "--help"])).contains("--quiet"));
}

#[test]
fn a_list_of_runs_has_kind_date_and_verdict() {
    let sandbox = Sandbox::new();
    sandbox.write("run.toml", &small_tournament(2, 40));
    let gate = "base = \"plain\"\ncandidate = \"full\"\nelo1 = 40\nmax_pairs = 4";
    sandbox.write("gate.toml", &gates::gate(gate));
    told(&sandbox, "run run.toml -q --store all.sqlite");
    told(&sandbox, "gate gate.toml -q --store all.sqlite");
    let (_, text, _) = told(&sandbox, "report all.sqlite --list");
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[0].contains("  run   20") && lines[0].contains("finished"),
        "{text}"
    );
    assert!(
        lines[1].contains("  gate  20") && lines[1].contains("inconclusive"),
        "{text}"
    );
    let list = json(&["report", &sandbox.path("all.sqlite"), "--list", "--json"]);
    assert_eq!(list[0]["kind"], "run");
    assert!(list[0]["begun"].as_str().unwrap().ends_with('Z'), "{list}");
    assert_eq!(list[1]["verdict"]["inconclusive"], "cap");
}

#[test]
fn several_anchors_and_a_table_of_ratings() {
    let sandbox = Sandbox::new();
    let rows = "first,second,wins,draws,losses\nA,B,30,20,10\nB,C,30,20,10\nC,A,9,9,30\n\
                B,A,12,9,30\nC,B,9,9,20\nA,C,30,9,9\n";
    sandbox.write("t.csv", rows);
    let (code, text, said) = told(&sandbox, "rate t.csv --anchor A=2700 --anchor C=2500 --csv");
    assert_eq!(code, Some(0), "{said}");
    let elo = |name: &str| -> f64 {
        let row = text
            .lines()
            .find(|line| line.starts_with(&format!("{name},")));
        row.unwrap().split(',').nth(1).unwrap().parse().unwrap()
    };
    assert!((elo("A") + elo("C") - 5200.0).abs() < 0.02, "{text}");
    assert!(elo("A") > elo("B") && elo("B") > elo("C"), "{text}");
    let (code, _, said) = told(&sandbox, "rate t.csv --anchor A=1 --anchor A=2");
    assert_eq!(code, Some(2));
    assert!(said.contains("twice"), "{said}");
}

/// The analysis of a position needs no config, and accepts one without a tournament.
#[test]
fn a_position_is_looked_at_without_a_tournament() {
    let sandbox = Sandbox::new();
    let (code, text, said) = told(&sandbox, "analyze othello --nodes 2000");
    assert_eq!(code, Some(0), "{said}");
    assert!(text.contains("best move"), "{text}");
    sandbox.write(
        "one.toml",
        "game = \"othello\"\n[[variant]]\nname = \"a\"\n",
    );
    let (code, _, said) = told(&sandbox, "analyze othello -c one.toml --depth 2");
    assert_eq!(code, Some(0), "{said}");
    let (code, text, said) = told(&sandbox, "engine one.toml");
    assert_eq!(code, Some(0), "{text}{said}");
    let (code, _, _) = told(&sandbox, "run one.toml");
    assert_eq!(code, Some(2));
}

/// Names are text, not markup.
#[test]
fn markdown_has_no_markup_of_others() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "t.csv",
        "first,second,wins,draws,losses\n<b>x</b>,B_*|,30,20,10\n",
    );
    let (_, text, _) = told(&sandbox, "rate t.csv --markdown");
    assert!(!text.contains("<b>") && text.contains('x'), "{text}");
}

/// A report for CI contains the duration of games on request, or if a clock affects the games:
/// otherwise the same gate writes the same bytes everywhere.
#[test]
fn a_report_for_ci_has_the_time() {
    let sandbox = Sandbox::new();
    let gate = "base = \"plain\"\ncandidate = \"full\"\nelo1 = 40\nmax_pairs = 4";
    sandbox.write("gate.toml", &gates::gate(gate));
    told(&sandbox, "gate gate.toml -q");
    let (_, xml, _) = told(&sandbox, "report gate.sqlite --times --junit -");
    assert!(xml.contains(" time=\"0."), "{xml}");
    let (_, xml, _) = told(&sandbox, "report gate.sqlite --junit -");
    assert!(!xml.contains(" time=\""), "{xml}");
}

/// A challenger in a gauntlet that beats two weak opponents has the better score, but is below the
/// opponent that beats it.
#[test]
fn more_than_two_players_are_ranked_by_their_ratings() {
    let sandbox = Sandbox::new();
    let player = |name: &str, depth: u32| {
        format!("[[variant]]\nname = \"{name}\"\nlimits = {{ depth = {depth} }}\n")
    };
    let players = [("mid", 3), ("top", 4), ("weak", 1), ("faint", 1)];
    let players = players.map(|(name, depth)| player(name, depth)).concat();
    let text = format!(
        "game = \"othello\"\nlimits = {{ depth = 1 }}\nopenings = {{ file = \"leitai:othello-300\" }}\n\
         [tournament]\npairs = 10\nformat = \"gauntlet\"\nchallengers = [\"mid\"]\n{}",
        players.replace("\"faint\"\n", "\"faint\"\nsearch.shuffle_seed = 7\n")
    );
    sandbox.write("g.toml", &text);
    let (code, table, said) = told(&sandbox, "run g.toml -q");
    assert_eq!(code, Some(0), "{said}");
    let answer = json(&["report", "--json", &sandbox.path("g.sqlite")]);
    let rows = answer["variants"].as_array().unwrap();
    let elo = |place: usize| {
        let row = &rows[place];
        (
            row["name"].as_str().unwrap().to_owned(),
            row["estimate"]["score"]["value"].as_f64().unwrap(),
            row["rating"]["elo"].as_f64().unwrap(),
        )
    };
    let (first, second) = (elo(0), elo(1));
    assert_eq!((&*first.0, &*second.0), ("top", "mid"), "{table}");
    assert!(first.1 < second.1 && first.2 > second.2, "{table}");
    let lines: Vec<&str> = table
        .lines()
        .filter(|line| line.starts_with("1  "))
        .collect();
    assert!(
        lines[0].contains(" top ") && table.contains("rating"),
        "{table}"
    );
    assert!(
        !table.contains("Elo  ") && !table.contains("LOS"),
        "{table}"
    );
}

/// Output in other programs' formats has Wald's bounds, although this test ends slightly before
/// them.
#[test]
fn blocks_of_others_have_the_bounds_of_others() {
    let sandbox = Sandbox::new();
    let gate = "game = \"othello\"\nlimits = { depth = 1 }\n\
        openings = { file = \"leitai:othello-300\" }\n\
        [gate]\nbase = \"a\"\ncandidate = \"b\"\nelo0 = 0\nelo1 = 60\nmax_pairs = 30\n\
        [[variant]]\nname = \"a\"\n[[variant]]\nname = \"b\"\nlimits = { depth = 3 }\n";
    sandbox.write("g.toml", gate);
    let (_, _, said) = told(&sandbox, "gate g.toml -q");
    for (style, bounds) in [
        ("fishtest", "(-2.94,2.94) {0.00,60.00}"),
        ("openbench", "(-2.94, 2.94) [0.00, 60.00]"),
        ("fastchess", "(-2.94, 2.94) [0.00, 60.00]"),
    ] {
        let (_, text, _) = told(&sandbox, &format!("report g.sqlite --style {style}"));
        assert!(text.contains(bounds), "{text} {said}");
    }
}

/// The effective settings and the duration, without internal forms of times.
#[test]
fn check_reports_the_schedule() {
    let sandbox = Sandbox::new();
    let text = "game = \"othello\"\nlimits = { clock = \"10s+0.1s\", nodes = 20000 }\n\
        openings = { file = \"leitai:othello-300\" }\n\
        [gate]\nbase = \"a\"\ncandidate = \"b\"\nmax_pairs = 601\n\
        [[variant]]\nname = \"a\"\n[[variant]]\nname = \"b\"\nsearch.shuffle_seed = 3\n";
    sandbox.write("g.toml", text);
    let (code, lines, said) = told(&sandbox, "check g.toml");
    assert_eq!(code, Some(0), "{said}");
    for line in [
        "players   a: own search\n          b: own search\n",
        "limits    nodes 20000, clock 10s+100ms\n",
        "test      gsprt     H1: +5 Elo or more against H0: 0 or less",
        "openings  300 of ",
        ", 3 laps\n",
    ] {
        assert!(lines.contains(line), "{line}: {lines}");
    }
    assert!(
        said.contains("`nodes` and `clock` are both in force"),
        "{said}"
    );
    let (_, lines, said) = told(&sandbox, "check g.toml --set limits={clock=\"10s+0.1s\"}");
    // 601 pairs of two games, 60 moves of 10 s and 60 tenths per side.
    assert!(
        lines.contains("expected  at most 1202 games, at most "),
        "{lines}"
    );
    assert!(
        lines.contains("(if both sides use their time, 60 moves a side)"),
        "{lines}"
    );
    assert!(!said.contains("in force"), "{said}");
    let answer = json(&["check", "--json", &sandbox.path("g.toml")]);
    let clock = &answer["config"]["limits"]["time"]["clock"];
    assert_eq!(
        (&clock["base"], &clock["increment"]),
        (&"10s".into(), &"100ms".into())
    );
    assert_eq!(answer["laps"], 3);
    for (clock, minutes, seconds) in [
        ("10:0.1", "10:0.1+0", "10s+100ms"),
        ("1:30", "1:30+0", "1s+30s"),
        ("40/5:0.05", "40/5:0.05+0", "40/5s+50ms"),
    ] {
        let (code, _, said) = told(
            &sandbox,
            &format!("check g.toml --set limits.clock={clock}"),
        );
        assert_eq!(code, Some(2), "{said}");
        for reading in [minutes, seconds] {
            assert!(said.contains(&format!("`clock = \"{reading}\"`")), "{said}");
        }
    }
}
