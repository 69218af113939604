//! Books and problems that are made, checked and refused.

use std::time::Duration;

use crate::common::{Sandbox, json, leitai, project, run, small_tournament, stderr, stdout};

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

/// Runs a command that takes long, ends it by Ctrl-C after a while, and gives what it said.
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
        let said = interrupted(&[make, &many].concat(), Duration::from_secs(1), || {
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
        let line = [make, &many, &["--force"]].concat();
        let said = interrupted(&line, Duration::from_millis(500), || {});
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
    let problems = |bytes: &[u8]| -> Vec<leitai::games::go::Problem> {
        let read = leitai::games::go::formats::read_problems(bytes);
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
