//! The order of the crates, and the places that may name a game.

#![expect(clippy::disallowed_methods, reason = "the names of our own sources")]

use std::fs;
use std::path::{Path, PathBuf};

/// The crates in the order of the data flow, each with the crates that it may depend on.
const CRATES: [(&str, &[&str]); 20] = [
    ("base", &[]),
    ("platform", &["base"]),
    ("stats", &["base"]),
    ("protocols", &["base"]),
    ("game", &["base", "protocols"]),
    ("interchange", &["base", "game"]),
    ("config", &["base", "game", "protocols", "stats"]),
    (
        "players",
        &[
            "base",
            "config",
            "game",
            "interchange",
            "platform",
            "protocols",
            "stats",
        ],
    ),
    ("xiangqi", &["base", "game", "interchange", "protocols"]),
    ("chess", &["base", "game", "interchange", "protocols"]),
    ("go", &["base", "game"]),
    ("othello", &["base", "game", "interchange", "protocols"]),
    ("shogi", &["base", "game", "interchange", "protocols"]),
    (
        "games",
        &["chess", "game", "go", "othello", "shogi", "xiangqi"],
    ),
    (
        "runs",
        &[
            "base",
            "config",
            "game",
            "interchange",
            "platform",
            "players",
            "stats",
        ],
    ),
    (
        "report",
        &[
            "base",
            "config",
            "game",
            "interchange",
            "players",
            "runs",
            "stats",
        ],
    ),
    (
        "session",
        &[
            "base",
            "config",
            "game",
            "interchange",
            "platform",
            "players",
            "protocols",
            "runs",
            "stats",
        ],
    ),
    (
        "web",
        &[
            "base",
            "config",
            "game",
            "interchange",
            "players",
            "report",
            "runs",
            "session",
            "stats",
        ],
    ),
    (
        "fleet",
        &[
            "base", "config", "game", "platform", "players", "runs", "session", "stats",
        ],
    ),
    (
        "go-problems",
        &[
            "base",
            "config",
            "game",
            "go",
            "players",
            "protocols",
            "report",
            "runs",
            "stats",
        ],
    ),
];

/// The crates that may name a game.
const OF_GAMES: [&str; 7] = [
    "xiangqi",
    "othello",
    "chess",
    "shogi",
    "go",
    "games",
    "go-problems",
];

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn crates_depend_only_on_the_crates_that_they_may_use() {
    let mut found: Vec<String> = fs::read_dir(project().join("crates"))
        .expect("crates")
        .map(|entry| entry.expect("a crate").file_name().to_string_lossy().into())
        .collect();
    let mut listed = CRATES.map(|(name, _)| name.to_owned());
    listed.sort();
    found.sort();
    assert_eq!(found, listed);
    for (place, (name, allowed)) in CRATES.iter().enumerate() {
        let manifest = project().join("crates").join(name).join("Cargo.toml");
        let manifest = fs::read_to_string(manifest).expect("a manifest");
        let (_, dependencies) = manifest.split_once("[dependencies]").expect("dependencies");
        let dependencies = dependencies.split("\n[dev-").next().unwrap_or_default();
        for line in dependencies.lines() {
            let Some(used) = line.strip_prefix("leitai-") else {
                continue;
            };
            let used = used.split(['.', ' ']).next().unwrap_or_default();
            assert!(allowed.contains(&used), "{name} depends on {used}");
            let is_before = CRATES[..place].iter().any(|(before, _)| *before == used);
            assert!(is_before, "{used} comes after {name}");
        }
    }
}

/// The sources in a folder, without tests.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            if name != "tests" && name != "conformance" {
                found.extend(sources(&path));
            }
        } else if name.ends_with(".rs") && !name.ends_with("tests.rs") && name != "conformance.rs" {
            found.push(path);
        }
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

/// No crate except those of the games names a game, nor does a command of all games.
#[test]
fn only_the_games_name_a_game() {
    let mut files = sources(&project().join("src/cli"));
    let shared = CRATES
        .iter()
        .filter(|(name, _)| !OF_GAMES.contains(name))
        .flat_map(|(name, _)| sources(&project().join("crates").join(name).join("src")));
    files.extend(shared);
    let mut found = Vec::new();
    for path in files {
        let inside = path.strip_prefix(project()).expect("ours");
        let inside = inside.to_string_lossy().into_owned();
        if inside.starts_with("src/cli/go/") || inside.starts_with("src/cli/othello/") {
            continue;
        }
        // In UCI and GTP, `go` is a command.
        let speaks = inside.contains("/serve/") || inside.starts_with("crates/protocols");
        let names_one = |line: &str| {
            let lower = line.to_lowercase().replace("reversible", "");
            let names = [
                "xiangqi",
                "othello",
                "reversi",
                "connect_four",
                "shogi",
                "games::go",
                "象棋",
            ];
            let types = ["GoRules", "CaptureParams", "Capture::", "leitai_go::"];
            names.iter().any(|name| lower.contains(name))
                || types.iter().any(|name| line.contains(name))
                || !speaks && line.contains("\"go\"")
        };
        let lines = code(&path);
        let named = |line: &str| names_one(line) && !line.ends_with("mod othello;");
        let lines = lines.iter().filter(|(_, line)| named(line));
        found.extend(lines.map(|(number, line)| format!("{inside}:{number}: {line}")));
    }
    assert!(found.is_empty(), "these name a game: {found:#?}");
}

/// One crate names operating systems; all others call its functions.
#[test]
fn only_the_platform_names_an_operating_system() {
    let others = CRATES.iter().filter(|(name, _)| *name != "platform");
    let mut files = sources(&project().join("src"));
    files.extend(others.flat_map(|(name, _)| {
        let folder = project().join("crates").join(name);
        sources(&folder.join("src"))
    }));
    let mut found = Vec::new();
    for path in files {
        let lines = code(&path);
        let names_one = |line: &str| {
            let names = [
                "rustix",
                "signal_hook",
                "libc::",
                "nix::",
                "std::os::",
                "target_os",
                "\"/proc",
                "\"/sys/",
                "\"/dev/",
            ];
            let conditions = ["unix", "windows", "not(unix", "not(windows"];
            let mut conditions = conditions.iter().map(|name| format!("cfg({name}"));
            names.iter().any(|name| line.contains(name))
                || conditions.any(|condition| line.contains(&condition))
                || matches!(line.trim(), "unix," | "windows,")
        };
        let lines = lines.iter().filter(|(_, line)| names_one(line));
        found.extend(lines.map(|(number, line)| format!("{}:{number}: {line}", path.display())));
    }
    assert!(found.is_empty(), "these name a system: {found:#?}");
}

/// Code that opens records or starts threads is below the commands, so that library users can call
/// it.
#[test]
fn no_command_opens_a_record_or_starts_a_thread() {
    let mut found = Vec::new();
    for path in sources(&project().join("src/cli")) {
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
