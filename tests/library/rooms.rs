//! The order of the modules, and the rule that only `games` names a game.

#![expect(
    clippy::disallowed_methods,
    clippy::case_sensitive_file_extension_comparisons,
    reason = "the names of our own sources"
)]

use std::fs;
use std::path::{Path, PathBuf};

/// The modules in the order of the tour in `src/lib.rs`; a module uses itself and those before it.
fn order() -> Vec<String> {
    let tour = include_str!("../../src/lib.rs");
    let rooms = tour.lines().filter_map(|line| line.strip_prefix("//! "));
    let numbered = rooms.filter(|line| line.starts_with(|first: char| first.is_ascii_digit()));
    let names = numbered.flat_map(|line| line.split("[`").skip(1));
    names
        .filter_map(|rest| rest.split_once("`]"))
        .map(|(name, _)| name.to_owned())
        .collect()
}

/// Folders of sources, except those of the games.
const FOLDERS: [&str; 5] = [
    "src",
    "crates/base/src",
    "crates/config/src",
    "crates/game/src",
    "crates/stats/src",
];

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The path of a file within its folder of sources.
fn inside(path: &Path) -> &Path {
    let mut folders = FOLDERS.iter().map(|folder| project().join(folder));
    let found = folders.find_map(|folder| path.strip_prefix(folder).ok());
    found.expect("a source")
}

/// The source files except tests.
fn sources() -> Vec<PathBuf> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            if path.is_dir() {
                if name != "tests" && name != "conformance" {
                    walk(&path, found);
                }
            } else if name.ends_with(".rs")
                && !name.ends_with("tests.rs")
                && name != "conformance.rs"
            {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    for folder in FOLDERS {
        walk(&project().join(folder), &mut found);
    }
    found.sort();
    found
}

/// The lines of code of a file with their numbers, without comments and unit tests.
fn code(path: &Path) -> Vec<(usize, String)> {
    let text = fs::read_to_string(path).expect("a text");
    let lines = text.lines();
    let mut kept = Vec::new();
    let mut lines = (1..).zip(lines).peekable();
    while let Some((number, line)) = lines.next() {
        let next = lines.peek().map(|(_, next)| next.trim_start());
        if line == "#[cfg(test)]" && next.is_some_and(|next| next.starts_with("mod tests")) {
            break;
        }
        let line = line.split_once("//").map_or(line, |(code, _)| {
            // Slashes within a string begin no comment.
            if code.matches('"').count() % 2 == 1 {
                line
            } else {
                code
            }
        });
        kept.push((number, line.to_owned()));
    }
    kept
}

fn room_of(path: &Path) -> String {
    let first = inside(path)
        .components()
        .next()
        .expect("a name")
        .as_os_str();
    first.to_string_lossy().trim_end_matches(".rs").to_owned()
}

#[test]
fn a_room_uses_only_rooms_before_it() {
    let order = order();
    assert!(order.len() > 20, "{order:?}");
    let place = |room: &str| order.iter().position(|known| known == room);
    let mut wrong = Vec::new();
    // The compiler keeps the order of the crates.
    let of_root = |path: &PathBuf| path.starts_with(project().join("src"));
    for path in sources().into_iter().filter(of_root) {
        let room = room_of(&path);
        let Some(own) = place(&room) else {
            assert!(
                ["lib", "main", "count", "threads"].contains(&room.as_str()),
                "no tour: {room}"
            );
            continue;
        };
        for (number, line) in code(&path) {
            for used in line.split("crate::").skip(1) {
                let end = used.find(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
                let used = &used[..end.unwrap_or(used.len())];
                // The test below checks the names of games.
                if used != "games" && place(used).is_some_and(|used| used > own) {
                    wrong.push(format!("{}:{number}: {room} uses {used}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// No file outside `games` names a game.
#[test]
fn no_room_but_one_names_a_game() {
    let mut found = Vec::new();
    for path in sources() {
        let room = room_of(&path);
        if room == "games" {
            continue;
        }
        // In UCI and GTP, `go` is a command.
        let inside = inside(&path).to_string_lossy().into_owned();
        let speaks = room == "serve" || inside.starts_with("player/external/");
        let names_one = |line: &str| {
            let lower = line.to_lowercase().replace("reversible", "");
            let names = [
                "xiangqi",
                "othello",
                "reversi",
                "connect_four",
                "games::go",
                "象棋",
            ];
            let types = ["GoRules", "CaptureParams", "go::", "Capture::"];
            names.iter().any(|name| lower.contains(name))
                || types.iter().any(|name| line.contains(name))
                || !speaks && line.contains("\"go\"")
        };
        if code(&path).iter().any(|(_, line)| names_one(line)) {
            found.push(inside);
        }
    }
    assert!(found.is_empty(), "these name a game: {found:#?}");
}

/// Code that opens records or starts threads is below the commands, so that library users can call
/// it.
#[test]
fn no_command_opens_a_record_or_starts_a_thread() {
    let commands = sources().into_iter().filter(|path| room_of(path) == "cli");
    let mut found = Vec::new();
    for path in commands {
        for (number, line) in code(&path) {
            let does = [
                "Store::open",
                "::spawn",
                "::Builder",
                "rayon",
                "threads::pool",
            ];
            if does.iter().any(|does| line.contains(does)) {
                found.push(format!("{}:{number}", path.display()));
            }
        }
    }
    assert!(
        found.is_empty(),
        "these open a record or start a thread: {found:#?}"
    );
}
