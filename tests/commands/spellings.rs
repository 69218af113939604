//! Consistency of the command line: an option means the same in every command, and the spellings of
//! earlier versions still work, with a note.

use std::fs;
use std::process::{Command, Output};

use crate::common::{Sandbox, gates, leitai, project, run, small_tournament, stderr, stdout};

/// The words of all commands that do something.
pub(super) fn commands() -> Vec<Vec<String>> {
    let sandbox = Sandbox::new();
    assert!(run(&["man", &sandbox.path("man")]).status.success());
    let folder = fs::read_dir(sandbox.path("man")).expect("a folder");
    let pages = folder.map(|page| page.expect("a page").path());
    let mut names: Vec<String> = pages
        .filter_map(|page| Some(page.file_stem()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    let is_leaf = |name: &&String| {
        let below = format!("{name}-");
        let is_group = names.iter().any(|other| other.starts_with(&below));
        // Commands with a dash in their name, and one that acts although it has subcommands.
        !is_group || name.as_str() == "leitai-calc-simulate"
    };
    let words = |name: &String| {
        let name = name.trim_start_matches("leitai-");
        let name = name
            .replace("check-proof", "check~proof")
            .replace("after-sprt", "after~sprt");
        name.split('-').map(|word| word.replace('~', "-")).collect()
    };
    names.iter().filter(is_leaf).map(words).collect()
}

fn help(command: &[String]) -> String {
    let mut words: Vec<&str> = command.iter().map(String::as_str).collect();
    words.push("--help");
    let output = run(&words);
    assert!(output.status.success(), "{command:?}: {}", stderr(&output));
    stdout(&output)
}

#[test]
fn every_command_shows_by_example() {
    let commands = commands();
    assert!(commands.len() > 35, "{commands:?}");
    // The command line of another program has its own help.
    for command in commands.iter().filter(|command| *command != &["fastchess"]) {
        let text = help(command);
        assert!(text.contains("Example"), "{command:?}: {text}");
        for option in ["json", "csv", "markdown", "html", "svg"] {
            let given = text.lines().map(str::trim);
            let given = given.filter(|line| line.starts_with(&format!("--{option}")));
            for line in given {
                let is_uniform = line.starts_with(&format!("--{option}[=<"));
                assert!(is_uniform, "{command:?}: {line}");
            }
        }
        assert!(!text.contains("--output"), "{command:?}: {text}");
        if text.contains(" -n, ") {
            assert!(text.contains(" -n, --nodes"), "{command:?}: {text}");
        }
    }
}

fn workshop() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("run.toml", &small_tournament(2, 40));
    let gate = "base = \"plain\"\ncandidate = \"full\"\nelo1 = 40\nmax_pairs = 4";
    sandbox.write("gate.toml", &gates::gate(gate));
    sandbox.write(
        "table.csv",
        "first,second,wins,draws,losses\nA,B,30,20,10\n",
    );
    sandbox.write("table", "first,second,wins,draws,losses\nA,B,30,20,10\n");
    let book = fs::read(project("openings/othello.txt")).expect("a book");
    fs::write(sandbox.path("book.txt"), book).expect("written");
    for line in [
        "run run.toml -q",
        "gate gate.toml -q",
        "merge run.sqlite gate.sqlite -q --out both.sqlite",
        "report run.sqlite --pgn games.pgn",
    ] {
        let output = told(&sandbox, line);
        assert!(
            output.status.code().is_some_and(|code| code != 2),
            "{line}: {}",
            stderr(&output)
        );
    }
    sandbox
}

fn told(sandbox: &Sandbox, line: &str) -> Output {
    let mut command = leitai();
    command.current_dir(sandbox.path("")).args(line.split(' '));
    command.output().expect("it runs")
}

#[test]
fn a_bare_option_takes_no_word() {
    let sandbox = workshop();
    for (line, printed) in [
        ("rate --markdown games.pgn", "| "),
        ("rate --csv games.pgn", "player,elo,"),
        ("rate --csv table", "player,elo,"),
        ("report --html run.sqlite", "<!DOCTYPE html>"),
        ("report --markdown gate.sqlite", "Gate"),
        ("report --json run.sqlite", "{"),
        ("show --svg othello", "<svg"),
        ("run --json run.toml", "{"),
    ] {
        let output = told(&sandbox, line);
        assert!(output.status.success(), "{line}: {}", stderr(&output));
        assert!(
            stdout(&output).contains(printed),
            "{line}: {}",
            stdout(&output)
        );
    }
    // In addition to the printed text, the content of the file.
    for (line, printed, written) in [
        ("rate games.pgn --csv=x", "Elo", "player,elo,"),
        ("rate games.pgn --markdown=x", "Elo", "| "),
        ("report run.sqlite --html=x", "games", "<!DOCTYPE html>"),
    ] {
        let output = told(&sandbox, line);
        assert!(
            stdout(&output).contains(printed),
            "{line}: {}",
            stdout(&output)
        );
        let text = fs::read_to_string(sandbox.path("x")).unwrap();
        assert!(text.contains(written), "{line}: {text}");
    }
}

#[test]
fn a_file_behind_a_blank_is_refused_with_the_right_spelling() {
    let sandbox = workshop();
    for line in [
        "report run.sqlite --html page.html",
        "report --html page.html run.sqlite",
    ] {
        let output = told(&sandbox, line);
        assert_eq!(output.status.code(), Some(2), "{line}");
        let error = stderr(&output);
        assert!(error.contains("`--html=page.html`"), "{line}: {error}");
    }
    let other = told(&sandbox, "show --svg othello --bogus");
    assert!(!stderr(&other).contains("--svg=othello"));
}

#[test]
fn json_goes_to_a_file_on_request() {
    let sandbox = workshop();
    for line in [
        "run run.toml -q",
        "gate gate.toml -q",
        "gate gate.toml -q --simulate 5",
        "report run.sqlite",
        "report gate.sqlite",
        "report run.sqlite --list",
        "verify run.sqlite",
        "rate run.sqlite",
        "check run.toml",
        "show othello",
        "judge chess --moves e4",
        "judge othello --moves f5",
        "openings check othello book.txt",
        "calc elo --pentanomial 1,2,30,4,5",
        "calc sprt --pentanomial 1,2,30,4,5 --elo0 0 --elo1 60",
        "calc after-sprt --pentanomial 1,2,30,4,5 --elo0 0 --elo1 60",
        "calc simulate --elo0 0 --elo1 60 --elo 9 --draw-rate 0.3 --runs 5",
        "perft chess --depth 2",
        "analyze othello -c run.toml --depth 2",
        "convert games.pgn --check",
        "merge run.sqlite gate.sqlite -q --out both.sqlite",
    ] {
        let line = line.replace("analyze othello -c run.toml", "analyze xiangqi -c run.toml");
        let printed = told(&sandbox, &format!("{line} --json"));
        let beside = told(&sandbox, &format!("{line} --json=x.json"));
        assert_eq!(
            printed.status.code(),
            beside.status.code(),
            "{line}: {}",
            stderr(&beside)
        );
        let written = fs::read_to_string(sandbox.path("x.json")).unwrap();
        assert_eq!(written, stdout(&printed), "{line}");
        let text = stdout(&beside);
        assert!(
            !text.is_empty() && !text.starts_with(['{', '[']),
            "{line}: {text}"
        );
        fs::remove_file(sandbox.path("x.json")).unwrap();
    }
    // Inputs are never overwritten.
    for line in [
        "rate games.pgn --json=games.pgn",
        "check run.toml --json=run.toml",
        "report run.sqlite --json=run.sqlite",
    ] {
        let refused = told(&sandbox, line);
        assert_eq!(
            refused.status.code(),
            Some(2),
            "{line}: {}",
            stderr(&refused)
        );
    }
}

#[test]
fn printing_overwrites_no_input() {
    let sandbox = Sandbox::new();
    let text = small_tournament(1, 60);
    let shipped = project("tests/data/xiangqi-64.epd");
    let book = sandbox.write("book.epd", &fs::read_to_string(&shipped).expect("a book"));
    let program = sandbox.write("program.sh", "#!/bin/sh\n");
    let named = |text: &str| {
        let text = text.replace(shipped.to_str().expect("UTF-8"), &book);
        format!("{text}\n[[variant]]\nname = \"it\"\ncommand = [{program:?}]\nprotocol = \"uci\"\n")
    };
    let gate = "[gate]\nbase = \"full\"\ncandidate = \"piece-order\"";
    let gate = text.replace("[tournament]\nformat = \"round-robin\"\npairs = 1", gate);
    let run_of = sandbox.write("t.toml", &named(&text));
    let alone = text.replace(shipped.to_str().expect("UTF-8"), &book);
    let alone = sandbox.write("p.toml", &alone);
    let gate = sandbox.write("g.toml", &named(&gate));
    let tune = "[tune]\ngames = 20\n[[tune.parameter]]\npath = \"eval.material.rook\"\n\
                min = 100\nmax = 4000\nstep = 50";
    let tune = text.replace("[tournament]\nformat = \"round-robin\"\npairs = 1", tune);
    let tune = sandbox.write("u.toml", &named(&tune));
    for command in [
        &["analyze", "xiangqi", "--nodes", "50", "--config", &run_of][..],
        &["check", &run_of],
        &["check", &gate],
        &["doctor", &run_of, "--quick"],
        &["gate", &gate, "--simulate", "2"],
        &["gate", &gate, "--plan"],
        &["gate", &gate],
        &["run", &run_of],
        &["play", &alone],
        &["tune", &tune, "--list"],
        &["tune", &tune, "--simulate"],
    ] {
        for file in [&run_of, &alone, &gate, &tune, &book, &program] {
            // An analysis reads no book.
            let is_read = match command[0] {
                "analyze" => file == &run_of,
                "play" => file == &alone || file == &book,
                _ => command.contains(&file.as_str()) || [&book, &program].contains(&file),
            };
            if !is_read {
                continue;
            }
            let before = fs::read(file).expect("a file");
            let json = format!("--json={file}");
            // A command that still runs has not refused.
            let mut limited = Command::new("timeout");
            limited.arg("60").arg(env!("CARGO_BIN_EXE_leitai"));
            let output = limited.args(command).arg(&json).output().expect("it runs");
            let told = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{command:?} {json}: {told}");
            assert!(
                told.contains("this command reads it"),
                "{command:?} {json}: {told}"
            );
            assert!(
                fs::read(file).expect("a file") == before,
                "{command:?} {json}"
            );
        }
    }
}
