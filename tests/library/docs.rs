//! The documentation: every page is in the book, every link resolves, and the commands of the pages
//! for beginners run.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{Sandbox, leitai, project, stderr, stdout};

fn pages() -> Vec<PathBuf> {
    let folder = fs::read_dir(project("docs")).expect("a folder");
    let pages = folder.map(|page| page.expect("a page").path());
    let mut pages: Vec<PathBuf> = pages
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
    let names = pages()
        .into_iter()
        .filter_map(|page| Some(page.file_name()?.to_str()?.to_owned()));
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
