//! The documentation: every page is in the book, every link resolves, and the commands of the pages
//! for beginners run.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{Sandbox, leitai, project, stderr, stdout};

fn pages() -> Vec<PathBuf> {
    let entries = ["docs", "docs/papers"].map(|folder| fs::read_dir(project(folder)));
    let entries = entries
        .into_iter()
        .flat_map(|entries| entries.expect("a folder"));
    let mut pages: Vec<PathBuf> = entries
        .map(|page| page.expect("a page").path())
        .filter(|it| it.extension() == Some("md".as_ref()))
        .collect();
    pages.sort();
    pages
}

/// The targets of Markdown links, except those in code.
fn links(text: &str) -> Vec<String> {
    let mut links = Vec::new();
    let mut is_code = false;
    for line in text.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
        }
        if is_code || line.starts_with("    ") {
            continue;
        }
        let plain = line.split('`').step_by(2).collect::<Vec<_>>().join("``");
        let ends = plain.match_indices("](");
        links.extend(ends.map(|(at, _)| {
            let rest = &plain[at + 2..];
            rest.split(')').next().unwrap_or_default().to_owned()
        }));
    }
    links
}

/// The anchors of the headings of a page, as GitHub and mdBook make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let anchor = |line: &str| {
        let words = line.trim_start_matches('#').trim().to_lowercase();
        let kept = words
            .chars()
            .filter(|it| it.is_alphanumeric() || [' ', '-', '_'].contains(it));
        kept.map(|it| if it == ' ' { '-' } else { it })
            .collect::<String>()
    };
    headings.map(anchor).collect()
}

#[test]
fn every_page_is_in_the_book() {
    let summary = fs::read_to_string(project("docs/SUMMARY.md")).expect("a summary");
    let listed: BTreeSet<String> = links(&summary).into_iter().collect();
    let docs = project("docs");
    let names = pages().into_iter().map(|page| {
        let name = page.strip_prefix(&docs).expect("a page of docs");
        name.to_str().expect("UTF-8").to_owned()
    });
    let names: BTreeSet<String> = names.filter(|name| name != "SUMMARY.md").collect();
    assert_eq!(listed, names);
}

#[test]
fn every_link_leads_somewhere() {
    let mut all = pages();
    all.extend(
        [
            "README.md",
            "CHANGELOG.md",
            "examples/connect_four/README.md",
        ]
        .map(project),
    );
    let mut checked = 0;
    for page in all {
        let text = fs::read_to_string(&page).expect("a page");
        for link in links(&text) {
            if link.starts_with("http") || link.contains('…') {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = match file {
                "" => page.clone(),
                file => page.parent().unwrap_or(Path::new("")).join(file),
            };
            assert!(target.exists(), "{}: {link}", page.to_str().unwrap_or("?"));
            if !anchor.is_empty() && target.extension() == Some("md".as_ref()) {
                let text = fs::read_to_string(&target).expect("a page");
                let known = anchors(&text);
                assert!(
                    known.contains(anchor),
                    "{}: {link}: {known:?}",
                    page.to_str().unwrap_or("?")
                );
            }
            checked += 1;
        }
    }
    assert!(checked > 150, "{checked}");
}

/// The words of a command on a page, without a following pipe, second command, or remark after
/// several blanks.
fn words(line: &str) -> Vec<String> {
    let command = line.split("   ").next().unwrap_or_default();
    let mut words: Vec<String> = Vec::new();
    let mut quote = None;
    let mut word = String::new();
    let mut is_word = false;
    for letter in command.chars().chain([' ']) {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                is_word = true;
            }
            (None, ' ') => {
                let is_end = ["|", ">", ">>", "&&", "||", ";", "&", "\\", "#"];
                if is_word && is_end.contains(&word.as_str()) {
                    return words;
                }
                if is_word {
                    words.push(std::mem::take(&mut word));
                }
                is_word = false;
            }
            _ => {
                word.push(letter);
                is_word = true;
            }
        }
    }
    words
}

/// The commands on a page, except those of other programs.
fn commands(page: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(page).expect("a page");
    // A backslash at the end continues the line.
    let text: Vec<_> = text.split("\\\n").map(str::trim_start).collect();
    let text = text.join(" ");
    let beginnings = [
        "    leitai ",
        "$ leitai ",
        "    cargo run --release -- ",
        "    cargo run --release --features fleet -- ",
    ];
    let lines = text
        .lines()
        .filter_map(|line| beginnings.iter().find_map(|it| line.strip_prefix(it)));
    let is_of_others = |words: &Vec<String>| {
        words.first().is_none_or(|word| {
            word == "fastchess"
                || word == "="
                || (word == "fleet" || word == "worker") && !cfg!(feature = "fleet")
        })
    };
    lines.map(words).filter(|it| !is_of_others(it)).collect()
}

/// Commands that first read a file: in an empty folder they end there, if their words are right.
const READERS: [&str; 15] = [
    "analyze", "check", "convert", "doctor", "gate", "history", "merge", "play", "rate", "report",
    "run", "serve", "study", "tune", "verify",
];

/// Every command line on the pages is valid in the current syntax. A command that would compute is
/// asked for its help instead, which it gives only if all words before are right.
#[test]
fn commands_in_pages_are_commands() {
    let (mut seen, mut checked, mut wrong) = (BTreeSet::new(), 0, Vec::new());
    let sandbox = Sandbox::new();
    for page in pages().into_iter().chain([project("README.md")]) {
        for words in commands(&page) {
            checked += 1;
            // One of those that differ only in a name of a file.
            let kind = |word: &String| match word.rsplit_once('.') {
                Some((_, ending @ ("toml" | "sqlite"))) => ending.to_owned(),
                _ => word.clone(),
            };
            if !seen.insert(words.iter().map(kind).collect::<Vec<_>>()) {
                continue;
            }
            let reads =
                READERS.contains(&&*words[0]) && !words[1..].iter().any(|it| it == "--simulate");
            let mut command = leitai();
            let command = command.current_dir(sandbox.path("")).args(&words);
            let command = if reads {
                command
            } else {
                command.arg("--help")
            };
            let output = command.output().expect("it runs");
            let told = stderr(&output);
            let is_right = if reads {
                told.contains("cannot read") || told.contains("there is no record")
            } else {
                output.status.success()
            };
            if !is_right {
                wrong.push(format!("{page:?}: {}: {told}", words.join(" ")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked > 100, "{checked}");
    assert!(sandbox.files().is_empty(), "{:?}", sandbox.files());
}

/// Runs the commands of a page, marked by `$`, one after the other in an initially empty folder.
#[cfg(unix)]
#[test]
fn first_commands_of_a_beginner_work() {
    let text = fs::read_to_string(project("docs/tutorial.md")).expect("a page");
    let commands: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("$ leitai "))
        .collect();
    assert!(commands.len() >= 9, "{commands:?}");
    let sandbox = Sandbox::new();
    // The engines that the page begins with.
    for name in ["new", "old"] {
        let program = env!("CARGO_BIN_EXE_leitai");
        let script = format!("#!/bin/sh\nexec '{program}' engine --game chess\n");
        let file = sandbox.write(name, &script);
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(file, executable).expect("a program");
    }
    for command in commands {
        let (command, may_fail) = match command.strip_suffix(" || true") {
            Some(command) => (command, true),
            None => (command, false),
        };
        let mut run = leitai();
        run.current_dir(sandbox.path(""))
            .args(command.split_whitespace());
        // Just enough games to see it work.
        if command.starts_with("run ") {
            run.args(["--set", "tournament.pairs=6", "--quiet"]);
        }
        if command.starts_with("gate ") {
            run.args(["--set", "limits.nodes=50", "--quiet"]);
        }
        let output = run.output().expect("it runs");
        let is_fine = output.status.success() || may_fail && output.status.code() != Some(2);
        assert!(is_fine, "{command}: {}{}", stdout(&output), stderr(&output));
    }
    for file in [
        "leitai.toml",
        "leitai.sqlite",
        "match.html",
        "games.pgn",
        "gate.sqlite",
        "mine.toml",
    ] {
        assert!(
            sandbox.files().iter().any(|name| name == file),
            "{file}: {:?}",
            sandbox.files()
        );
    }
}
