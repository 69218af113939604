//! The commands as a user runs them.

mod binary;

use binary::{Sandbox, json, leitai, project, run, small_tournament, stderr, stdout};

#[test]
fn help_teaches_and_a_wrong_command_line_exits_with_2() {
    let help = run(&["--help"]);
    assert!(help.status.success());
    for command in [
        "run", "report", "rate", "verify", "check", "study", "perft", "bench", "judge", "analyze",
        "openings", "calc", "tune", "solve",
    ] {
        assert!(stdout(&help).contains(command), "{command} is listed");
        let help = run(&[command, "--help"]);
        assert!(
            help.status.success() && stdout(&help).len() > 300,
            "{command} --help"
        );
    }
    for wrong in [
        &["fly"][..],
        &["perft"],
        &["perft", "chess", "-d", "1"],
        &["run"],
    ] {
        let output = run(wrong);
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty());
    }
}

#[test]
fn perft_counts_and_divides() {
    assert_eq!(
        json(&["perft", "xiangqi", "--depth", "3", "--json"])["nodes"],
        79_666
    );
    let divided = json(&["perft", "xiangqi", "--depth", "2", "--divide", "--json"]);
    let moves = divided["divide"].as_object().unwrap();
    assert_eq!(moves.len(), 44);
    assert_eq!(moves["h2e2"], 45);
    assert_eq!(
        moves
            .values()
            .map(|nodes| nodes.as_u64().unwrap())
            .sum::<u64>(),
        1920
    );
    let start = "---------------------------OX------XO--------------------------- X";
    assert_eq!(
        json(&["perft", "othello", "--fen", start, "--depth", "5", "--json"])["nodes"],
        1396
    );
    assert_eq!(
        json(&["perft", "othello", "--depth", "6", "--json"])["nodes"],
        8200
    );
    let fen = "9/9/4k1N2/9/9/9/9/4p4/9/2B1K4 b";
    assert_eq!(
        json(&["perft", "xiangqi", "--fen", fen, "-d", "3", "--json"])["nodes"],
        95
    );
    assert_eq!(
        json(&["perft", "xiangqi", "-d", "0", "--divide", "--json"])["nodes"],
        1
    );
    let wrong = run(&["perft", "xiangqi", "--fen", "9/9 w", "--depth", "1"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(
        stderr(&wrong).contains("2 ranks instead of 10"),
        "{}",
        stderr(&wrong)
    );
}

#[test]
fn judge_tells_the_result_and_the_cause() {
    let judge = |fen: &str, moves: &str, rule: &str| {
        let answer = json(&[
            "judge", "xiangqi", "--fen", fen, "--moves", moves, "--rule", rule, "--json",
        ]);
        (
            answer["result"].as_str().unwrap().to_owned(),
            answer["cause"].as_str().map(str::to_owned),
        )
    };
    let cause = |text: &str| Some(text.to_owned());
    let checks = "e5d5 d9e9 d5e5 e9d9 ";
    let fen = "3k5/9/9/9/4R4/9/9/9/9/5K3 w";
    let lost = ("0-1".to_owned(), cause("perpetual-check"));
    assert_eq!(judge(fen, checks, "computer"), ("ongoing".to_owned(), None));
    assert_eq!(judge(fen, &checks.repeat(2), "computer"), lost);
    assert_eq!(judge(fen, &checks.repeat(2), "check"), lost);
    let (fen, chase) = (
        "5k3/R8/9/2n6/9/9/9/9/9/4K4 w",
        "a8a6 c6d8 a6a8 d8c6 ".repeat(2),
    );
    assert_eq!(
        judge(fen, &chase, "computer"),
        ("0-1".to_owned(), cause("perpetual-chase"))
    );
    assert_eq!(
        judge(fen, &chase, "check"),
        ("1/2-1/2".to_owned(), cause("repetition"))
    );
    let mate = "4k4/8R/R8/9/9/9/9/9/9/3K5 w - - 119 60";
    assert_eq!(
        judge(mate, "a7a9", "computer"),
        ("1-0".to_owned(), cause("checkmate"))
    );

    let illegal = run(&["judge", "xiangqi", "--moves", "h2e2 h2e2", "--json"]);
    assert_eq!(illegal.status.code(), Some(2));
    assert!(stderr(&illegal).contains("ply 2"), "{}", stderr(&illegal));
}

#[test]
fn analyze_searches_with_a_variant_of_a_config() {
    let config = project("configs/seed-programs.toml");
    let config = config.to_str().unwrap();
    let fen = "4k4/8R/R8/9/9/9/9/9/9/3K5 w";
    let arguments = |depth| {
        [
            "analyze",
            "xiangqi",
            "--fen",
            fen,
            "--config",
            config,
            "--variant",
            "tutorial",
            "--depth",
            depth,
            "--json",
        ]
    };
    let found = json(&arguments("2"));
    assert_eq!(found["score"], 9999, "mate = 10000 - ply");
    assert_eq!(found["depth"], 2);
    assert_eq!(found["pv"][0], found["best_move"]);
    let best = found["best_move"].as_str().unwrap();
    let end = json(&["judge", "xiangqi", "--fen", fen, "--moves", best, "--json"]);
    assert_eq!(
        end["result"], "1-0",
        "the first of the moves that win at once"
    );
    let missing = run(&[
        "analyze",
        "xiangqi",
        "--config",
        config,
        "--variant",
        "nobody",
    ]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(
        stderr(&missing).contains("tutorial"),
        "the variants are listed"
    );
}

#[test]
fn a_wrong_config_is_refused_with_its_place_and_nothing_is_written() {
    let good = small_tournament(2, 100);
    let cases = [
        ("nodes = 100", "nods = 100", "nods"),
        ("nodes = 100", "nodes = \"many\"", "nodes"),
        ("\"history\"", "\"histroy\"", "history"),
        ("name = \"full\"", "name = \"piece-order\"", "piece-order"),
        ("pairs = 2", "pairs = 0", "pairs"),
        ("base = \"full\"", "base = \"fool\"", "full"),
        ("xiangqi.epd", "nowhere.epd", "nowhere.epd"),
        ("game = \"xiangqi\"", "game = \"chess\"", "xiangqi"),
    ];
    for (from, to, mentioned) in cases {
        let sandbox = Sandbox::new();
        let config = sandbox.write("wrong.toml", &good.replacen(from, to, 1));
        let output = run(&["run", &config, "--store", &sandbox.path("run.sqlite")]);
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{to}: {told}");
        assert!(told.contains("wrong.toml:"), "file and line: {told}");
        assert!(told.contains(mentioned), "{told}");
        assert!(!told.contains("panicked"), "{told}");
        assert_eq!(sandbox.files(), ["wrong.toml"], "nothing is written");
    }
}

#[test]
fn a_bad_opening_line_is_named() {
    let sandbox = Sandbox::new();
    let book = sandbox.write(
        "bad.epd",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\nnot a position\n",
    );
    let text = small_tournament(1, 100).replace(
        &format!("{:?}", project("openings/xiangqi.epd")),
        &format!("{book:?}"),
    );
    let config = sandbox.write("config.toml", &text);
    let output = run(&["run", &config, "--store", &sandbox.path("run.sqlite")]);
    assert_eq!(output.status.code(), Some(2));
    let told = stderr(&output);
    assert!(told.contains("bad.epd") && told.contains('2'), "{told}");
    assert_eq!(sandbox.files(), ["bad.epd", "config.toml"]);
}

#[test]
fn a_store_that_is_not_ours_is_left_alone() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("config.toml", &small_tournament(1, 50));
    let text = "this is a shopping list\n".repeat(100);
    let store = sandbox.write("list.txt", &text);
    let output = run(&["run", &config, "--store", &store]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("list.txt"), "{}", stderr(&output));
    assert_eq!(std::fs::read_to_string(&store).unwrap(), text);
    assert_eq!(sandbox.files(), ["config.toml", "list.txt"]);
}

#[test]
fn check_shows_the_plan() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("config.toml", &small_tournament(5, 100));
    let plan = json(&["check", &config, "--json"]);
    assert_eq!(
        (plan["pairs"].as_u64(), plan["games"].as_u64()),
        (Some(15), Some(30))
    );
    assert_eq!(plan["openings"], 500);
    assert_eq!(
        plan["pairings"][0],
        serde_json::json!(["piece-order", "full"])
    );
    assert!(stdout(&run(&["check", &config])).contains("30 games"));
    // What is usual stands there, too.
    let effective = &plan["config"];
    let book = effective["openings"]["file"].as_str().unwrap();
    assert!(book.ends_with("xiangqi.epd"), "{book}");
    assert_eq!(effective["failures"]["crash"], "lose");
    assert!(
        effective["limits"]
            .as_object()
            .unwrap()
            .contains_key("margin")
    );
    let gate = binary::gates::gate(binary::gates::UP);
    for (test, overshoot, looks) in [
        ("gsprt", Some(true), None),
        ("strict", None, None),
        ("group-sequential", None, Some(6)),
    ] {
        let text = gate.replace(
            "[gate]",
            &format!("[gate]\ntest = {test:?}\nmax_pairs = 40"),
        );
        let config = sandbox.write("gate.toml", &text);
        let expected = serde_json::json!({"kind": test, "overshoot": overshoot, "looks": looks});
        let checked = json(&["check", &config, "--json"]);
        let of_gate = &checked["config"]["gate"];
        assert_eq!(
            (&of_gate["test"], &of_gate["alike_pairs"]),
            (&expected, &30.into())
        );
        let store = sandbox.path("plan.sqlite");
        let plan = json(&["gate", &config, "--plan", "--json", "-q", "--store", &store]);
        for key in ["kind", "overshoot", "looks"] {
            assert_eq!(plan["test"][key], expected[key], "{plan}");
        }
    }
    let told = stdout(&run(&[
        "check",
        &config,
        "--set",
        "variant.full.limits.nodes=70",
    ]));
    assert!(
        told.contains("limits    nodes 100\n          full: nodes 70\n"),
        "{told}"
    );
}

#[test]
fn generated_openings_are_the_same_for_any_number_of_threads_and_check_out() {
    let sandbox = Sandbox::new();
    for game in ["xiangqi", "othello"] {
        let suites: Vec<String> = ["1", "3"]
            .iter()
            .map(|threads| {
                let output = run(&[
                    "openings",
                    "generate",
                    game,
                    "--count",
                    "12",
                    "--plies",
                    "4..6",
                    "--window",
                    "-150..150",
                    "--nodes",
                    "300",
                    "--seed",
                    "9",
                    "--threads",
                    threads,
                ]);
                assert!(output.status.success(), "{}", stderr(&output));
                stdout(&output)
            })
            .collect();
        assert_eq!(suites[0], suites[1]);
        assert_eq!(
            suites[0]
                .lines()
                .filter(|line| !line.starts_with('#'))
                .count(),
            12
        );
        let file = sandbox.write(&format!("{game}.epd"), &suites[0]);
        let checked = json(&["openings", "check", game, &file, "--json"]);
        assert_eq!(
            (&checked["openings"], &checked["duplicates"]),
            (&12.into(), &0.into())
        );
    }
}

/// Runs a command that takes long, ends it by Ctrl-C, and gives what it said.
#[cfg(unix)]
fn interrupted(arguments: &[&str], meanwhile: impl FnOnce()) -> String {
    let mut command = leitai();
    let command = command.args(arguments).stderr(std::process::Stdio::piped());
    let child = command.spawn().expect("the binary runs");
    std::thread::sleep(std::time::Duration::from_secs(3));
    meanwhile();
    let pid = child.id().to_string();
    let mut kill = std::process::Command::new("kill");
    let sent = kill.args(["-s", "INT", &pid]).status();
    assert!(sent.expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(130), "{said}");
    said
}

/// Ctrl-C keeps what was found; nothing is written over what is there.
#[cfg(unix)]
#[test]
fn openings_that_were_found_are_kept() {
    let sandbox = Sandbox::new();
    let (book, problems) = (sandbox.path("book.epd"), sandbox.path("problems.txt"));
    let generate = [
        "openings", "generate", "othello", "--plies", "8", "--nodes", "300",
    ];
    let go = ["openings", "go", "--size", "5..7", "--nodes", "3000"];
    for (make, file) in [(&generate[..], &book), (&go[..], &problems)] {
        let many = ["--count", "100000", "-t", "2", "-o", file];
        let said = interrupted(&[make, &many].concat(), || {
            assert!(!std::path::Path::new(file).exists());
        });
        let told = said.split("stopped: ").nth(1).expect(&said);
        let kept: usize = told.split(' ').next().unwrap().parse().unwrap();
        assert!(
            kept > 0 && said.contains(&format!("are written to {file}")),
            "{said}"
        );
        let text = std::fs::read_to_string(file).unwrap();
        let before = text.clone();
        let again = run(&[make, &["--count", "1", "-o", file]].concat());
        assert_eq!(again.status.code(), Some(2), "{}", stderr(&again));
        assert!(
            stderr(&again).contains("it is there already\nhelp: "),
            "{}",
            stderr(&again)
        );
        assert_eq!(std::fs::read_to_string(file).unwrap(), before);
        if file == &book {
            // Openings of one length are unrelated: these are the first ones of the suite.
            let lines: Vec<&str> = text.lines().skip(1).collect();
            assert_eq!(lines.len(), kept);
            let count = kept.to_string();
            let whole = run(&[make, &["--count", &count, "-t", "1"]].concat());
            assert_eq!(stdout(&whole), text);
        }
        let forced = run(&[make, &["--count", "1", "-o", file, "--force"]].concat());
        assert!(forced.status.success(), "{}", stderr(&forced));
        let whole = std::fs::read_to_string(file).unwrap();
        assert_ne!(whole, before);
        // No part takes the place of a whole suite.
        let said = interrupted(&[make, &many, &["--force"]].concat(), || {});
        assert!(said.contains("stays as it was"), "{said}");
        assert_eq!(std::fs::read_to_string(file).unwrap(), whole);
    }
    assert_eq!(sandbox.files(), ["book.epd", "problems.txt"]);
}

/// Too few are kept, too.
#[test]
fn openings_that_are_too_few_are_kept() {
    let sandbox = Sandbox::new();
    let book = sandbox.path("book.epd");
    let make = [
        "openings", "generate", "othello", "--plies", "2", "--nodes", "50",
    ];
    let output = run(&[&make[..], &["-n", "90", "-o", &book, "--window=-999..999"]].concat());
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(
        said.contains("of 90 openings found; they are written"),
        "{said}"
    );
    let checked = run(&["openings", "check", "othello", &book]);
    assert!(checked.status.success(), "{}", stdout(&checked));
}

#[test]
fn a_book_of_moves_is_read_and_its_worth_is_the_same_for_any_number_of_threads() {
    let sandbox = Sandbox::new();
    for game in ["xiangqi", "othello"] {
        let make = run(&[
            "openings",
            "generate",
            game,
            "-n",
            "12",
            "--plies",
            "5",
            "--nodes",
            "200",
            "--moves",
            "--first-look",
            "50",
            "--window=-300..300",
        ]);
        let text = stdout(&make);
        let first = text.lines().nth(1).unwrap();
        assert_eq!(
            first.len(),
            if game == "xiangqi" { 20 } else { 10 },
            "{first}"
        );
        let file = sandbox.write(&format!("{game}.txt"), &text);
        let play = |threads| {
            json(&[
                "openings", "check", game, &file, "--json", "--play", "12", "--nodes", "60", "-t",
                threads,
            ])
        };
        let told = play("1");
        assert_eq!(told, play("3"));
        assert_eq!(
            (&told["openings"], &told["worth"]["played"]),
            (&12.into(), &12.into())
        );
        assert!(told["worth"]["per_pair"].as_f64().unwrap() > 0.0, "{told}");
        assert!(told["worth"]["standard_error"].as_f64().unwrap() > 0.0);
        let more = run(&["openings", "check", game, &file, "--play", "13"]);
        assert_eq!(more.status.code(), Some(2));
    }
}

#[test]
fn generated_capture_problems_are_the_same_for_any_number_of_threads_and_in_every_form() {
    let sandbox = Sandbox::new();
    let make = |name: &str, threads: &str| {
        let path = sandbox.path(name);
        let output = run(&[
            "openings",
            "go",
            "--size",
            "5",
            "--count",
            "6",
            "--candidates",
            "16",
            "--nodes",
            "1000",
            "--seed",
            "3",
            "--threads",
            threads,
            "--out",
            &path,
        ]);
        assert!(output.status.success(), "{}", stderr(&output));
        std::fs::read(path).unwrap()
    };
    let problems = |bytes: &[u8]| -> Vec<leitai::game::go::Problem> {
        let read = leitai::interchange::capture::read_problems(bytes);
        read.into_iter().map(Result::unwrap).collect()
    };
    let made = make("one.json", "1");
    assert_eq!(made, make("three.json", "3"));
    assert!(!problems(&made).is_empty());
    assert!(problems(&made).iter().all(|problem| problem.proved));
    assert_eq!(problems(&make("one.sgf", "2")), problems(&made));
    assert_eq!(problems(&make("one.txt", "1")), problems(&made));
    let output = run(&["openings", "go", "--size", "4"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("5 to 19"), "{}", stderr(&output));
}

#[test]
fn othello_tournaments_run_too() {
    let sandbox = Sandbox::new();
    let config = project("configs/othello.toml");
    let text = std::fs::read_to_string(&config).unwrap();
    let pairs = text.lines().find(|line| line.starts_with("pairs")).unwrap();
    let text = text
        .replace(pairs, "pairs = 2")
        .replace("../openings", project("openings").to_str().unwrap());
    let config = sandbox.write("othello.toml", &text);
    let store = sandbox.path("othello.sqlite");
    let results = json(&["run", &config, "--store", &store, "--json"]);
    assert!(results["games"].as_u64().unwrap() >= 4);
    let pgn = stdout(&run(&["report", "--store", &store, "--pgn", "-"]));
    assert!(pgn.contains("[Game \"Othello\"]"), "{pgn}");
}

#[test]
fn tables_that_do_not_fit_are_refused_before_anything_starts() {
    let sandbox = Sandbox::new();
    // Pairs enough for every thread to have players of its own.
    let text = small_tournament(400, 50).replace(
        "search = { ordering = [\"by-piece\"] }",
        "search = { table_mb = 4096 }",
    );
    let config = sandbox.write("config.toml", &text);
    let store = sandbox.path("run.sqlite");
    let output = run(&["run", &config, "--store", &store, "--threads", "1024"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("table_mb"), "{}", stderr(&output));
    assert_eq!(sandbox.files(), ["config.toml"]);
}

#[test]
fn openings_that_cannot_be_made_are_refused() {
    for wrong in [["--plies", "5000"], ["--count", "0"], ["--window", "9..1"]] {
        let mut arguments = vec!["openings", "generate", "xiangqi"];
        arguments.extend(wrong);
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
        assert!(output.stdout.is_empty());
    }
}

/// One error with a way out, and not one for each line.
#[test]
fn a_book_of_another_game_is_named() {
    let sandbox = Sandbox::new();
    let shipped = |name: &str| {
        let path = project(&format!("openings/{name}"));
        path.to_str().expect("UTF-8").to_owned()
    };
    for (game, book, other) in [
        ("xiangqi", shipped("othello.txt"), "othello"),
        ("othello", shipped("xiangqi.epd"), "xiangqi"),
        ("go", shipped("xiangqi.epd"), "xiangqi"),
        ("go", shipped("othello.txt"), "othello"),
    ] {
        let refused = run(&["openings", "check", game, &book]);
        assert_eq!(refused.status.code(), Some(2));
        let told = stderr(&refused);
        assert!(
            told.contains(&format!("is a book of {other}")) && told.lines().count() <= 3,
            "{told}"
        );
    }
    // A bad line is shown as far as it helps.
    let long = sandbox.write("long.epd", &format!("{} w\n", "x".repeat(100_000)));
    let refused = run(&["openings", "check", "xiangqi", &long]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).len() < 2_000, "{}", stderr(&refused).len());
}

/// A list of tables has places like any other list.
#[test]
fn a_value_in_a_list_of_tables_is_changed_from_outside() {
    let config = project("configs/tune-games.toml");
    let config = config.to_str().expect("UTF-8");
    let set = "tune.parameter[1].step=7.25";
    let told = stdout(&run(&["check", config, "--set", set, "--json"]));
    assert!(told.contains("\"step\":7.25"), "{told}");
    let refused = run(&["check", config, "--set", "tune.parameter[99].range=77"]);
    assert!(
        stderr(&refused).contains("beyond a list of"),
        "{}",
        stderr(&refused)
    );
}

/// What a terminal obeys, or what turns text around; but for line ends and tabs.
fn is_raw(letter: char) -> bool {
    let is_kept = matches!(letter, '\n' | '\t');
    letter.is_control() && !is_kept
        || matches!(letter, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// A name that clears the screen, rings, and turns text around.
const EVIL: &str = "A\u{1b}[31mX\u{7}\u{8}\u{9b}2J\u{9d}0;t\u{202e}Y\u{2066}\u{feff}";

/// A folder with such a name in files of every kind.
fn evil_files() -> Sandbox {
    let sandbox = Sandbox::new();
    let write = |name: &str, text: String| sandbox.write(name, &text);
    write(
        "names.csv",
        format!("first,second,wins,draws,losses\n{EVIL},B,3,2,1\n"),
    );
    write(
        "counts.csv",
        format!("first,second,wins,draws,losses\nA,B,{EVIL},2,1\n"),
    );
    write("bad.epd", format!("{EVIL} w\n"));
    write("bad.pgn", format!("[White \"{EVIL}\"]\n\n1. {EVIL} *\n"));
    write(
        "bad.proof",
        format!("leitai proof 1\nid {EVIL}\nclaim {EVIL}\n"),
    );
    let proof = "claim captured\nmaster defender\ntarget C3\nto-move white\nboard 5\n.....\n\
                 ..O..\n.OXO.\n.....\n.....\nnodes 1\n0 C2\nend\n";
    write("one.proof", format!("leitai proof 1\nid {EVIL}\n{proof}"));
    let rows = r#""rows": [".....", ".....", "X....", "OX...", "....."], "to_move": "B""#;
    let evil = serde_json::to_string(EVIL).expect("JSON");
    write(
        "target.json",
        format!(r#"[{{"id": {evil}, {rows}, "target": {evil}}}]"#),
    );
    write("bad.sgf", format!("(;SZ[{EVIL}]PL[B])"));
    write(
        "bad.toml",
        format!("game = \"{EVIL}\"\n\"{EVIL}\" = 1\n# {EVIL}\n"),
    );
    let escaped = "A\\u001B[31m\\u009B2J\\u202EY";
    let missing = format!("game = \"xiangqi\"\n[openings]\nfile = \"{escaped}\"\n");
    write("missing.toml", missing + "[tournament]\npairs = 1\n");
    write(&format!("{EVIL}.toml"), "game = 1\n".to_owned());
    let player = format!(
        "while read -r l; do case $l in uci) printf 'id name {EVIL}\\nuciok\\n';; \
         isready) echo readyok;; go*) printf '{EVIL}\\n' >&2; printf 'bestmove {EVIL}\\n';; \
         quit) exit;; esac; done\n"
    );
    // A line with C0 characters is no text at all: what is left commands some terminals, too.
    let player: String = player
        .chars()
        .filter(|it| *it == '\n' || !it.is_ascii_control())
        .collect();
    write("player.sh", player);
    let program = "game = \"xiangqi\"\nlimits = { nodes = 100 }\ntournament = { pairs = 1 }\n\
                   [[variant]]\nname = \"a\"\nprotocol = \"uci\"\ncommand = [\"sh\", \"player.sh\"]\n\
                   [[variant]]\nname = \"b\"\n";
    write("player.toml", program.to_owned());
    sandbox
}

/// Words from files, arguments, paths and engines are shown, and command nothing.
#[cfg(unix)]
#[test]
fn foreign_words_command_no_terminal() {
    let sandbox = evil_files();
    let evil_file = format!("{EVIL}.toml");
    for (arguments, shown) in [
        (&["rate", "--csv", "names.csv"][..], "A\\u{1b}[31mX\\u{7}"),
        (
            &["rate", "--csv", "names.csv", "--markdown"],
            "u{1b}\\[31mX",
        ),
        (&["rate", "--csv", "counts.csv"], "A\\u{1b}[31mX"),
        (&["rate", "bad.pgn"], "bad.pgn"),
        (
            &[
                "rate",
                "--csv",
                "names.csv",
                "--anchor",
                &format!("{EVIL}=3"),
            ],
            "\\u{202e}",
        ),
        (&["rate", "--csv", "names.csv", "--json"], "\\u202e"),
        (&["convert", "bad.pgn"], "A\\u{1b}"),
        (&["convert", "bad.pgn", "--to", "json"], ""),
        (&["check-proof", "one.proof"], "A\\u{1b}[31mX"),
        (&["check-proof", "bad.proof"], "A\\u{1b}[31mX"),
        (
            &["solve", "go", "--problem", "target.json"],
            "A\\u{1b}[31mX",
        ),
        (&["solve", "go", "--problem", "bad.sgf"], "A\\u{1b}[31mX"),
        (&["solve", "othello", "--file", "bad.epd"], "A\\u{1b}[31mX"),
        (
            &["openings", "check", "xiangqi", "bad.epd"],
            "A\\u{1b}[31mX",
        ),
        (
            &["openings", "check", "othello", "bad.epd"],
            "A\\u{1b}[31mX",
        ),
        (&["openings", "check", "go", "bad.epd"], "bad.epd"),
        (&["check", "bad.toml"], "\\u{9b}"),
        (&["check", "missing.toml"], "looked for `A\\u{1b}[31m"),
        (&["check", &evil_file], "A\\u{1b}[31mX"),
        (&["check", EVIL], "A\\u{1b}[31mX"),
        (
            &["check", "missing.toml", "--set", &format!("{EVIL}=1")],
            "\\u{202e}",
        ),
        (&["report", EVIL], "A\\u{1b}[31mX"),
        (&["report", EVIL, "--list"], "A\\u{1b}[31mX"),
        (
            &["judge", "xiangqi", "--fen", EVIL, "--moves", "h2e2"],
            "\\u{202e}",
        ),
        (&["perft", "xiangqi", "--fen", EVIL, "-d", "1"], "\\u{202e}"),
        (&["perft", EVIL], "\\u{202e}"),
        (&[EVIL], "\\u{202e}"),
        (&["doctor", "player.toml", "--quick"], "\\u{202e}"),
        (&["run", "player.toml", "--store", "run.sqlite"], ""),
        (&["report", "run.sqlite"], ""),
    ] {
        let mut command = leitai();
        let output = command
            .current_dir(sandbox.path(""))
            .args(arguments)
            .output()
            .unwrap();
        let text = stdout(&output) + &stderr(&output);
        let raw: Vec<char> = text.chars().filter(|letter| is_raw(*letter)).collect();
        assert!(raw.is_empty(), "{arguments:?}: {raw:?} in {text:?}");
        assert!(text.contains(shown), "{arguments:?}: {text}");
    }
    // Read as JSON the words are as they were.
    let list = json(&["rate", "--csv", &sandbox.path("names.csv"), "--json"]);
    assert_eq!(list["ratings"][0]["name"], EVIL);
}

/// Names are no markup in Markdown and no formula in CSV.
#[test]
fn names_are_no_markup_and_no_formula() {
    let sandbox = Sandbox::new();
    let name = "<img src=x onerror=alert(1)>|[a](https://b)`c`";
    let csv = sandbox.write(
        "a.csv",
        &format!("first,second,wins,draws,losses\n{name},B,3,2,1\n"),
    );
    let text = stdout(&run(&["rate", &csv, "--markdown"]));
    assert!(text.contains("&lt;img src=x"), "{text}");
    assert!(
        !text.contains("<img") && !text.contains("https://"),
        "{text}"
    );
    let header = text.lines().find(|line| line.starts_with('|')).unwrap();
    // A bar of a name is escaped.
    let bars = |row: &str| row.matches('|').count() - row.matches("\\|").count();
    let rows = text.lines().filter(|line| line.starts_with('|'));
    assert!(rows.clone().count() > 3);
    for row in rows {
        assert_eq!(bars(row), bars(header), "{row}");
    }
    for name in ["=HYPERLINK(1)", "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(1)"] {
        let pgn = sandbox.write("a.pgn", &format!("[White \"{name}\"]\n\n1. h2e2 1-0\n"));
        let text = stdout(&run(&["convert", &pgn, "--to", "csv"]));
        assert!(text.contains(&format!(",'{name},")), "{text}");
    }
}
