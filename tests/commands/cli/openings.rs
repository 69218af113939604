//! Creation, checks and refusals of books and problem sets.

use std::time::Duration;

use crate::attack::watched::{watch, watch_with};
use crate::common::{Sandbox, json, leitai, project, run, small_tournament, stderr, stdout};

#[test]
fn a_bad_opening_line_is_named() {
    let sandbox = Sandbox::new();
    let book = sandbox.write(
        "bad.epd",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\nnot a position\n",
    );
    let text = small_tournament(1, 100).replace(
        &format!("{:?}", project("tests/data/xiangqi-64.epd")),
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

/// Runs a long command, interrupts it with Ctrl-C after some time, and returns its messages.
#[cfg(unix)]
fn interrupted(arguments: &[&str], after: Duration, meanwhile: impl FnOnce()) -> String {
    let mut command = leitai();
    let command = command.args(arguments).stderr(std::process::Stdio::piped());
    let child = command.spawn().expect("the binary runs");
    std::thread::sleep(after);
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

/// Ctrl-C keeps the openings found so far, and never overwrites an existing file.
#[cfg(unix)]
#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn openings_that_were_found_are_kept() {
    let sandbox = Sandbox::new();
    let (book, problems) = (sandbox.path("book.epd"), sandbox.path("problems.txt"));
    let generate = [
        "openings", "generate", "othello", "--plies", "8", "--nodes", "300",
    ];
    let go = ["openings", "go", "--size", "5..7", "--nodes", "3000"];
    for (make, file) in [(&generate[..], &book), (&go[..], &problems)] {
        let many = ["--count", "100000", "-t", "2", "-o", file];
        // A busy machine may find none in this time.
        let said = [400, 1_600, 6_400].into_iter().find_map(|millis| {
            let after = Duration::from_millis(millis);
            let said = interrupted(&[make, &many].concat(), after, || {
                assert!(!std::path::Path::new(file).exists());
            });
            std::path::Path::new(file).exists().then_some(said)
        });
        let said = said.expect("some are found");
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
            stderr(&again).contains("it exists already\nhelp: "),
            "{}",
            stderr(&again)
        );
        assert_eq!(std::fs::read_to_string(file).unwrap(), before);
        if file == &book {
            // Openings of one length are unrelated: these are the first ones of the complete suite.
            let lines: Vec<&str> = text.lines().skip(1).collect();
            assert_eq!(lines.len(), kept);
            let count = kept.to_string();
            let whole = run(&[make, &["--count", &count, "-t", "1"]].concat());
            assert_eq!(stdout(&whole), text);
        }
        let forced = run(&[
            make,
            &["--count", "1", "--seed", "9", "-o", file, "--force"],
        ]
        .concat());
        assert!(forced.status.success(), "{}", stderr(&forced));
        let whole = std::fs::read_to_string(file).unwrap();
        assert_ne!(whole, before);
        // A partial suite never replaces a complete one.
        let line = [make, &many, &["--force"]].concat();
        let said = interrupted(&line, Duration::from_millis(250), || {});
        assert!(said.contains("stays as it was"), "{said}");
        assert_eq!(std::fs::read_to_string(file).unwrap(), whole);
    }
    assert_eq!(sandbox.files(), ["book.epd", "problems.txt"]);
}

/// A suite with too few openings is kept, too.
#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn openings_that_are_too_few_are_kept() {
    let sandbox = Sandbox::new();
    let book = sandbox.path("book.epd");
    let make = [
        "openings", "generate", "othello", "--plies", "2", "--nodes", "50",
    ];
    let output = run(&[
        &make[..],
        &["--count", "90", "-o", &book, "--window=-999..999"],
    ]
    .concat());
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
            "--count",
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
#[ignore = "long: docs/reliability.md has the command"]
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
    let problems = |bytes: &[u8]| -> Vec<leitai_games::go::Problem> {
        let read = leitai_go_problems::formats::read_problems(bytes);
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

/// Problems without a proof are kept, and the file marks them.
#[test]
fn capture_problems_as_they_come_are_the_same_for_any_number_of_threads() {
    let sandbox = Sandbox::new();
    let make = |name: &str, threads: &str| {
        let path = sandbox.path(name);
        let words = "openings go --keep all --size 7 --count 4 --nodes 60 --seed 3 --threads";
        let words = words.split(' ').chain([threads, "--out", &path]);
        let output = run(&words.collect::<Vec<_>>());
        assert!(output.status.success(), "{}", stderr(&output));
        (std::fs::read(path).unwrap(), stderr(&output))
    };
    let (one, said) = make("one.json", "1");
    assert_eq!(one, make("three.json", "3").0);
    assert!(said.contains("without a verdict"), "{said}");
    assert!(String::from_utf8_lossy(&one).contains("openings go --keep all --size 7..7"));
    let problems: Vec<_> = leitai_go_problems::formats::read_problems(&one)
        .into_iter()
        .map(Result::unwrap)
        .collect();
    assert_eq!(problems.len(), 4);
    assert!(
        problems
            .iter()
            .any(|it| it.expected.is_none() && it.nodes.is_none())
    );
    let output = run(&["openings", "go", "--keep", "some"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("proved, hard, all"),
        "{}",
        stderr(&output)
    );
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

/// One error with a solution, and not one for each line.
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
    // An error shows only the start of a long line.
    let long = sandbox.write("long.epd", &format!("{} w\n", "x".repeat(100_000)));
    let refused = run(&["openings", "check", "xiangqi", &long]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).len() < 2_000, "{}", stderr(&refused).len());
}

const GAMES: &str = r#"[Event "one"]
[Result "*"]

1. e4 e5 2. Nf3 (2. f4 exf4) Nc6 {a comment} 3. Bb5 a6 *

[Event "two"]

1. d4 d5 2. c4 e6 1-0

[Event "mirrored colours"]
[FEN "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"]

2. Bc4 *

[Event "the first again"]

1. Nf3 Nc6 2. e4 e5 *
"#;

#[test]
fn games_are_openings_up_to_so_many_plies() {
    let sandbox = Sandbox::new();
    let book = sandbox.write("book.pgn", GAMES);
    let check = |more: &[&str]| {
        let output = run(&[&["openings", "check", "chess", &book, "--json"], more].concat());
        serde_json::from_str::<serde_json::Value>(&stdout(&output)).expect("JSON")
    };
    let found = check(&[]);
    assert_eq!(
        (&found["openings"], &found["duplicates"]),
        (&4.into(), &0.into())
    );
    let found = check(&["--plies", "4"]);
    assert_eq!(
        (&found["openings"], &found["duplicates"]),
        (&3.into(), &1.into())
    );
    assert_eq!(found["left_out"], serde_json::json!([[15, 1]]));
    // The content determines the format if the name does not; the option always does.
    let other = sandbox.write("book.txt", GAMES);
    let output = run(&["openings", "check", "chess", &other]);
    assert!(
        stdout(&output).contains("4 openings"),
        "{}",
        stdout(&output)
    );
    let lines = sandbox.write("lines.pgn", "e2e4 e7e5\nd2d4 d7d5\n");
    let output = run(&["openings", "check", "chess", &lines, "--format", "epd"]);
    assert!(
        stdout(&output).contains("2 openings"),
        "{}",
        stderr(&output)
    );
    let output = run(&[
        "openings", "check", "chess", &lines, "--format", "epd", "--plies", "1",
    ]);
    assert!(
        stdout(&output).contains("2 openings"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_game_that_is_no_opening_is_named() {
    let sandbox = Sandbox::new();
    let check = |name: &str, text: &str, more: &[&str]| {
        let book = sandbox.write(name, text);
        let output = run(&[&["openings", "check", "chess", &book], more].concat());
        assert_eq!(output.status.code(), Some(2));
        stderr(&output)
    };
    let told = check("a.pgn", "[Event \"x\"]\n\n1. e4 e5\n2. Nf6 *\n", &[]);
    assert!(
        told.contains("a game of `") && told.contains("a.pgn:4: game 1: ply 3"),
        "{told}"
    );
    let mate = "[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
    let told = check("b.pgn", mate, &[]);
    assert!(
        told.contains("the game is over there") && told.contains("`plies`"),
        "{told}"
    );
    let other = "[Variant \"xiangqi\"]\n\n1. h2e2 *\n";
    let told = check("c.pgn", other, &[]);
    assert!(told.contains("the game is one of xiangqi"), "{told}");
    let told = check("d.pgn", "", &[]);
    assert!(told.contains("holds no openings"), "{told}");
    let told = check("e.zip", "PK\u{3}\u{4}...", &[]);
    assert!(told.contains("the file ends early"), "{told}");
}

#[test]
fn positions_of_four_and_six_fields_carry_operations() {
    let sandbox = Sandbox::new();
    let text = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - bm Nf3; id \"a; b\";\n\
                rnbqkbnr/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/RNBQKBNR b KQkq d3 0 2\n\
                rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - hmvc 3; fmvn 9; c9 \"x\";\n";
    let book = sandbox.write("book.epd", text);
    let output = run(&["openings", "check", "chess", &book]);
    assert!(
        stdout(&output).contains("3 openings"),
        "{}",
        stderr(&output)
    );
    let output = run(&["convert", &book, "--game", "chess", "--to", "json"]);
    assert!(stdout(&output).contains("a; b"), "{}", stderr(&output));
    let wrong = sandbox.write("wrong.epd", &text.replace("bm Nf3", "bm Nf6"));
    let output = run(&["convert", &wrong, "--game", "chess", "--to", "json"]);
    let told = stderr(&output);
    assert!(
        told.contains("wrong.epd, line 1") && told.contains("Nf6"),
        "{told}"
    );
}

/// Both runs play the openings that their configs name, in the configured order.
#[test]
fn runs_of_one_seed_that_begin_apart_share_no_opening() {
    let sandbox = Sandbox::new();
    let book = sandbox.write("book.pgn", &{
        let moves = ["a3", "b3", "c3", "d3", "e3", "f3"];
        moves
            .map(|mv| format!("[Event \"x\"]\n\n1. {mv} e5 2. h3 *\n\n"))
            .concat()
    });
    let played = |name: &str, openings: &str| {
        let config = format!(
            "game = \"chess\"\nseed = 5\nlimits = {{ nodes = 1 }}\n\
             openings = {{ file = {book:?}, plies = 2, {openings} }}\n\
             adjudication = {{ max_plies = 4 }}\ntournament = {{ pairs = 2 }}\n\
             variant = [{{ name = \"a\" }}, {{ name = \"b\", search.shuffle_seed = 3 }}]\n"
        );
        let config = sandbox.write(&format!("{name}.toml"), &config);
        let store = sandbox.path(&format!("{name}.sqlite"));
        let output = run(&["run", &config, "--store", &store]);
        assert!(output.status.success(), "{}", stderr(&output));
        let output = run(&["report", &store, "--pgn", "-"]);
        let pgn = stdout(&output);
        let fens = pgn.lines().filter(|line| line.starts_with("[FEN"));
        let mut fens: Vec<String> = fens.map(str::to_owned).collect();
        fens.dedup();
        assert_eq!(fens.len(), 2, "{pgn}");
        fens
    };
    let first = played("first", "order = \"sequential\"");
    assert!(first[0].contains("/P7/1PPPPPPP/"), "{first:?}");
    let third = played("third", "order = \"sequential\", start = 3");
    assert!(third[0].contains("/2P5/PP1PPPPP/"), "{third:?}");
    let last = played("last", "order = \"sequential\", start = 6");
    assert!(last[0].contains("/5P2/") && last[1] == first[0], "{last:?}");
    let mut all: Vec<String> = ["start = 1", "start = 3", "start = 5"]
        .iter()
        .zip(["x", "y", "z"])
        .flat_map(|(start, name)| played(name, start))
        .collect();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 6, "no opening twice");
}

#[test]
fn openings_that_favour_a_side_are_made() {
    for (side, fits) in [
        ("first", (|score| score >= 200) as fn(i32) -> bool),
        ("second", |score| score <= -200),
        ("either", |score| score.abs() >= 200),
    ] {
        let output = run(&[
            "openings", "generate", "xiangqi", "--count", "8", "--plies", "4..6", "--window",
            "200..900", "--side", side, "--nodes", "200",
        ]);
        assert!(output.status.success(), "{}", stderr(&output));
        let text = stdout(&output);
        let scores = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| {
                let score = line.split("; ce ").nth(1).expect("a score");
                let score: i32 = score
                    .split(';')
                    .next()
                    .expect("a number")
                    .parse()
                    .expect("a number");
                if line.contains(" w - -") {
                    score
                } else {
                    -score
                }
            });
        let scores: Vec<i32> = scores.collect();
        assert_eq!(scores.len(), 8);
        assert!(
            scores.iter().all(|&score| fits(score)),
            "{side}: {scores:?}"
        );
    }
}

#[test]
fn games_of_chess960_begin_at_its_starts() {
    let sandbox = Sandbox::new();
    let config = sandbox.write(
        "960.toml",
        "game = \"chess\"\nrules = { chess960 = true }\nlimits = { nodes = 10 }\n\
         tournament = { pairs = 3 }\nadjudication = { max_plies = 6 }\n\
         variant = [{ name = \"a\" }, { name = \"b\", search.shuffle_seed = 3 }]\n",
    );
    let output = run(&["check", &config]);
    assert!(
        stdout(&output).contains("openings  960"),
        "{}",
        stdout(&output)
    );
    let made = run(&[
        "openings",
        "generate",
        "chess",
        "--chess960",
        "true",
        "--count",
        "5",
        "--plies",
        "2",
        "--window",
        "-300..300",
        "--nodes",
        "50",
    ]);
    assert!(made.status.success(), "{}", stderr(&made));
    let book = sandbox.write("made.epd", &stdout(&made));
    let output = run(&["openings", "check", "chess", &book]);
    assert!(
        stdout(&output).contains("5 openings"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_file_with_the_name_of_a_known_book_and_another_text_is_doubted() {
    let sandbox = Sandbox::new();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let known = sandbox.write("startpos.epd", &format!("{start}\n"));
    let found = json(&["openings", "check", "chess", &known, "--json"]);
    assert_eq!(found["known"], "startpos.epd");
    // Different line ends do not change the content.
    let known = sandbox.write("renamed.epd", &format!("{start}\r\n"));
    let output = run(&["openings", "check", "chess", &known]);
    assert!(
        stderr(&output).contains("the known book startpos.epd"),
        "{}",
        stderr(&output)
    );
    let other = sandbox.write("UHO_4060_v2.epd", &format!("{start}\n# more\n"));
    let output = run(&["openings", "check", "chess", &other]);
    let told = stderr(&output);
    assert!(
        told.contains("has the name of a known book") && told.contains("242"),
        "{told}"
    );
    assert!(output.status.success());
}

/// The check of a book takes less memory than its text.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn a_large_book_is_checked_in_little_memory() {
    let sandbox = Sandbox::new();
    let padding = "x".repeat(30_000);
    let mut position = leitai_games::chess::card().initial();
    let mut line = || {
        let moves = position.moves();
        position.play(moves[moves.len() / 2]);
        format!("{} c9 \"{padding}\";\n", position.to_fen())
    };
    let lines: String = (0..40).map(|_| line()).collect();
    let book = sandbox.write("book.epd", &lines.repeat(100));
    let check = ["openings", "check", "chess", &book];
    let watched = watch(leitai().args(check), Duration::from_mins(2));
    let told = stdout(&watched.output);
    assert!(
        told.contains("40 openings, 3960 duplicates left out"),
        "{told}"
    );
    assert!(watched.peak < 80_000, "{} kB", watched.peak);
}

/// A pipe is read once, for the check and for the games.
#[cfg(unix)]
#[test]
fn a_book_from_a_pipe_is_checked_and_played() {
    let book = std::fs::read(project("openings/othello.txt")).unwrap();
    let check = ["openings", "check", "othello", "/dev/stdin"];
    let play = ["--play", "3", "--nodes", "20", "--json"];
    let watched = watch_with(
        leitai().args(check).args(play),
        &book,
        Duration::from_mins(1),
    );
    let told = stdout(&watched.output) + &stderr(&watched.output);
    assert_eq!(watched.output.status.code(), Some(0), "{told}");
    assert!(
        told.contains("\"openings\":300") && told.contains("\"worth\""),
        "{told}"
    );
}
