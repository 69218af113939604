//! Text on a terminal: help pages, the width of tables and prose, suggestions, and files of the commands that play.

use std::fs;
use std::process::Output;

use unicode_width::UnicodeWidthStr;

use super::spellings::commands;
use crate::common::{Sandbox, leitai, project, run, small_tournament, stderr, stdout};

/// Runs the binary with text for a terminal of this width.
fn run_at(width: usize, words: &[&str]) -> Output {
    let mut command = leitai();
    command.env("COLUMNS", width.to_string()).args(words);
    command.output().expect("the binary runs")
}

/// Asserts that no line is wider than `width`, except commands, which stay whole to be copied.
fn assert_fits(text: &str, width: usize, what: &[&str]) {
    let mut is_continued = false;
    for line in text.lines() {
        let is_command = line.starts_with("  leitai ") || is_continued;
        is_continued = line.ends_with('\\');
        if is_command {
            continue;
        }
        assert!(
            line.width() <= width,
            "{what:?} at {width}:\n{line}\n\n{text}"
        );
    }
}

#[test]
fn every_help_page_fits_and_is_short() {
    for command in commands() {
        let mut words: Vec<&str> = command.iter().map(String::as_str).collect();
        words.push("--help");
        let page = stdout(&run_at(80, &words));
        assert!(page.lines().count() <= 90, "{words:?}: {page}");
        assert_fits(&page, 80, &words);
        words.pop();
        let all = run(&[&["help"][..], &words, &["--all"]].concat());
        assert!(all.status.success(), "{words:?}: {}", stderr(&all));
    }
    let first = stdout(&run_at(80, &["--help"]));
    assert!(
        first.lines().count() <= 90 && first.contains("\nStart here"),
        "{first}"
    );
    for command in commands() {
        assert!(
            first.contains(&format!("\n  {} ", command[0])),
            "{command:?}"
        );
    }
}

#[test]
fn rare_options_are_on_the_full_page() {
    let page = stdout(&run(&["gate", "--help"]));
    assert!(!page.contains("--grown-from") && page.contains("leitai help gate --all"));
    let all = stdout(&run(&["help", "gate", "--all"]));
    assert!(all.contains("--grown-from") && all.contains("Ctrl-\\"));
    assert_eq!(
        stdout(&run(&["help", "calc", "elo"])),
        stdout(&run(&["calc", "elo", "--help"]))
    );
    assert_eq!(run(&["help", "fly"]).status.code(), Some(2));
}

#[test]
fn a_mistyped_command_names_the_one_that_was_meant() {
    for (typed, meant) in [
        ("tornament", "`leitai run`"),
        ("spsa", "`leitai tune`"),
        ("gaet", "`leitai gate`"),
        ("ordo", "`leitai rate`"),
        ("xyzzy", "`leitai --help` lists"),
    ] {
        let output = run(&[typed]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(meant), "{}", stderr(&output));
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let word = std::ffi::OsStr::from_bytes(b"ru\xff");
        let output = leitai().arg(word).output().expect("leitai");
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    }
}

#[test]
fn without_a_command_the_next_one_is_suggested() {
    let sandbox = Sandbox::new();
    let bare = || {
        let output = leitai()
            .current_dir(sandbox.path(""))
            .output()
            .expect("leitai");
        assert_eq!(output.status.code(), Some(2));
        stderr(&output)
    };
    assert!(bare().contains("Start here"));
    sandbox.write("other.toml", "[package]\nname = \"a\"\n");
    sandbox.write("broken.toml", "game = \n");
    assert!(bare().contains("Start here"));
    sandbox.write("match.toml", "game = \"chess\"\n");
    sandbox.write("a test.toml", "game = \"chess\"\n[gate]\n");
    let text = bare();
    assert!(text.contains("  leitai run match.toml "), "{text}");
    assert!(text.contains("  leitai gate 'a test.toml' "), "{text}");
    sandbox.write("match.sqlite", "");
    let text = bare();
    assert!(text.contains("leitai report match.sqlite --list"), "{text}");
    assert!(
        text.contains("run match.toml ") && text.contains("resume"),
        "{text}"
    );
}

#[test]
fn tables_and_prose_fit_the_terminal() {
    let sandbox = Sandbox::new();
    let long = "a-variant-with-a-name-of-forty-letters-1";
    let text = small_tournament(2, 60)
        .replace("\"piece-order\"", "\"象棋引擎\"")
        .replace("\"no-quiescence\"", &format!("\"{long}\""));
    let config = sandbox.write("match.toml", &text);
    let gate = text
        .split("[tournament]")
        .next()
        .expect("a part")
        .to_owned()
        + "[gate]\nbase = \"象棋引擎\"\ncandidate = \"full\"\nelo0 = 0\nelo1 = 50\nmax_pairs = 4\n"
        + &text[text.find("[[variant]]").expect("variants")..];
    let gate = sandbox.write("gate.toml", &gate);
    let record = sandbox.path("night.sqlite");
    let tune = project("configs/tune-hill.toml");
    let tune = tune.to_str().expect("UTF-8");
    for width in [60, 80, 120] {
        for words in [
            &["run", &config, "--store", &record][..],
            &["gate", &gate, "--store", &record],
            &["gate", &gate, "--store", &record, "--plan"],
            &["gate", &gate, "--store", &record, "--simulate", "20"],
            &["report", &record, "--times"],
            &["report", &record, "--list"],
            &["rate", &record],
            &["history", &record],
            &["check", &config],
            &["tune", tune, "--list"],
            &[
                "tune",
                "--simulate",
                "--parameters",
                "3",
                "--games",
                "400",
                "--seeds",
                "4",
            ],
            &[
                "calc",
                "sprt",
                "--elo0",
                "0",
                "--elo1",
                "5",
                "--pentanomial",
                "3,20,40,30,7",
            ],
            &["calc", "elo", "--pentanomial", "3,20,40,30,7"],
            &[
                "calc",
                "plan",
                "--elo0",
                "0",
                "--elo1",
                "50",
                "--draw-rate",
                "0.4",
            ],
            &["run", "absent.toml"],
            &["convert", &record, "--check"],
        ] {
            let output = run_at(width, words);
            let text = stdout(&output);
            assert!(
                !text.is_empty() || words[1] == "absent.toml",
                "{words:?}: {}",
                stderr(&output)
            );
            assert_fits(&text, width, words);
            assert_fits(&stderr(&output), width, words);
        }
    }
}

#[test]
fn commands_that_play_write_the_files_of_a_report() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("match.toml", &small_tournament(1, 40));
    let record = sandbox.path("match.sqlite");
    let (page, pgn) = (sandbox.path("page.html"), sandbox.path("games.pgn"));
    let html = format!("--html={page}");
    let played = run(&["run", &config, "--store", &record, &html, "--pgn", &pgn]);
    assert!(played.status.success(), "{}", stderr(&played));
    assert!(stdout(&played).contains("Head to head"));
    let reported = run(&["report", &record, "--pgn", "-"]);
    assert_eq!(fs::read_to_string(&pgn).expect("games"), stdout(&reported));
    let reported = run(&["report", &record, "--html"]);
    assert_eq!(
        fs::read_to_string(&page).expect("a page").trim_end(),
        stdout(&reported).trim_end()
    );
    let printed = run(&["run", &config, "--store", &record, "--pgn", "-"]);
    assert_eq!(stdout(&printed), fs::read_to_string(&pgn).expect("games"));
}

#[test]
fn errors_of_a_fastchess_line_name_its_options() {
    let sandbox = Sandbox::new();
    let engine = [
        "-engine",
        "cmd=/nope",
        "name=a",
        "-engine",
        "cmd=/nope",
        "name=b",
    ];
    let each = &["-each", "nodes=100", "-rounds", "2"][..];
    let sprt = &["-sprt", "elo0=0", "elo1=5", "alpha=0.05", "beta=0.05"][..];
    for (more, expected) in [
        (&[each][..], "`-engine cmd=/nope name=a`"),
        (&[each, sprt], "`-sprt elo0=0 elo1=5 alpha=0.05 beta=0.05`"),
        (
            &[each, &["-openings", "file=/absent.epd"]],
            "`-openings file=/absent.epd`",
        ),
        (&[each, &["-tb", "/absent"]], "-tb /absent"),
    ] {
        let words = [&["fastchess"][..], &engine, &more.concat()].concat();
        let output = leitai().current_dir(sandbox.path("")).args(&words).output();
        let output = output.expect("leitai");
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {text}");
        assert!(text.contains(expected), "{words:?}: {text}");
        assert_eq!(text.matches("help: ").count(), 1, "{words:?}: {text}");
        for config in ["fastchess.toml", "[gate]", "[openings]", "recording into"] {
            assert!(!text.contains(config), "{words:?}: {text}");
        }
        assert!(sandbox.files().is_empty());
    }
}

#[test]
fn a_selection_of_games_is_checked_before_them() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("match.toml", &small_tournament(1, 40));
    let (record, pgn) = (sandbox.path("match.sqlite"), sandbox.path("games.pgn"));
    for (more, expected) in [
        (&["--pgn", &pgn, "--player", "nobody"][..], "`nobody`"),
        (&["--pgn", &pgn, "--against", "nobody"], "`nobody`"),
        (&["--player", "full"], "give one"),
    ] {
        let output = run(&[&["run", &config, "--store", &record], more].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
        assert_eq!(sandbox.files(), ["match.toml"]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn one_output_that_fails_does_not_stop_the_others() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("match.toml", &small_tournament(1, 40));
    let record = sandbox.path("match.sqlite");
    let (page, pgn) = (sandbox.path("page.html"), sandbox.path("games.pgn"));
    let html = format!("--html={page}");
    let words = [
        "run",
        &config,
        "--store",
        &record,
        "--json=/dev/full",
        &html,
        "--pgn",
        &pgn,
    ];
    let output = run(&words);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("/dev/full"), "{}", stderr(&output));
    for file in [page, pgn] {
        assert!(
            fs::read_to_string(&file)
                .expect("written")
                .contains("piece-order")
        );
    }
}
