//! The size of each crate and the language of the comments, against the ceilings of
//! `ceilings.toml`. `UPDATE_CEILINGS=1 cargo test --test all ceilings` lowers them to the present
//! numbers; a ceiling rises only by hand, with the reason in the commit.

#![expect(
    clippy::disallowed_methods,
    reason = "the names of our own sources; the numbers of the test"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Phrases that STYLE.md excludes from comments.
const EXCLUDED: [&str; 78] = [
    "told",
    "tell",
    "tells",
    "telling",
    "whoever",
    "whatever",
    "nobody",
    "somebody",
    "anybody",
    "heed",
    "heeds",
    "heeded",
    "unheeded",
    "dice",
    "so many",
    "so much",
    "is to be said",
    "is to be told",
    "is to be done",
    "is to be played",
    "are to be said",
    "are to be told",
    "are to be done",
    "are to be played",
    "what is said",
    "what is told",
    "what is found",
    "what is known",
    "what is asked",
    "what is kept",
    "what is left",
    "what is done",
    "what is played",
    "what was said",
    "what was told",
    "what was found",
    "what was known",
    "what was asked",
    "what was kept",
    "what was left",
    "what was done",
    "what was played",
    "who is",
    "who are",
    "who was",
    "who does",
    "who wants",
    "who has",
    "who plays",
    "but for",
    "of which",
    "stand in",
    "stand for",
    "stand at",
    "stand behind",
    "stand beside",
    "stand there",
    "stands in",
    "stands for",
    "stands at",
    "stands behind",
    "stands beside",
    "stands there",
    "by the clock",
    "beside",
    "come to an end",
    "has come to",
    "take it for",
    "take them for",
    "takes it for",
    "takes them for",
    "anew",
    "afresh",
    "mend",
    "mends",
    "mended",
    "crew",
    "agenda",
];

/// Words that begin a relative clause.
const OPENINGS: [&str; 10] = [
    "what", "whether", "how", "who", "whoever", "whose", "where", "why", "which", "when",
];

/// The file of the ceilings.
#[derive(Debug, Deserialize, Serialize)]
struct Ceilings {
    /// Production lines of each crate: no blank lines, comments or tests.
    lines: BTreeMap<String, u64>,
    comments: Comments,
}

/// The language of the comments.
#[derive(Debug, Default, Deserialize, Serialize)]
struct Comments {
    /// Excluded phrases per 1,000 comment lines.
    excluded: f64,
    /// The word "what" per 1,000 comment lines.
    what: f64,
    /// Doc comments that begin with a relative clause, in per cent.
    openings: f64,
}

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The Rust files in a folder, except those of builds.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.ends_with("target") {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// Counts the production lines of a file.
fn production_lines(path: &Path) -> u64 {
    let name = path.to_string_lossy();
    if name.ends_with("tests.rs") || name.contains("/tests/") {
        return 0;
    }
    let text = fs::read_to_string(path).expect("a text");
    let code = text.split("#[cfg(test)]\nmod tests {").next();
    let lines = code.unwrap_or_default().lines().map(str::trim_start);
    let counted = lines.filter(|line| !line.is_empty() && !line.starts_with("//"));
    counted.count() as u64
}

/// The words of a line in lower case.
fn words(line: &str) -> Vec<String> {
    let words = line.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

fn comments(paths: &[PathBuf]) -> Comments {
    let phrases = EXCLUDED.map(words);
    let (mut lines, mut excluded, mut what) = (0_u32, 0_u32, 0_u32);
    let (mut docs, mut openings) = (0_u32, 0_u32);
    for path in paths {
        let text = fs::read_to_string(path).expect("a text");
        let mut is_first = true;
        for line in text.lines().map(str::trim) {
            if !line.starts_with("//") {
                is_first = true;
                continue;
            }
            let words = words(line);
            lines += 1;
            what += words.iter().filter(|word| *word == "what").count() as u32;
            for phrase in &phrases {
                let found = words.windows(phrase.len()).filter(|part| part == phrase);
                excluded += found.count() as u32;
            }
            if line.starts_with("///") || line.starts_with("//!") {
                if is_first {
                    docs += 1;
                    let opening = words.first().map(String::as_str).unwrap_or_default();
                    openings += u32::from(OPENINGS.contains(&opening));
                }
                is_first = words.is_empty();
            }
        }
    }
    let per_thousand = |count: u32| 1000.0 * f64::from(count) / f64::from(lines);
    Comments {
        excluded: per_thousand(excluded),
        what: per_thousand(what),
        openings: 100.0 * f64::from(openings) / f64::from(docs),
    }
}

/// The present numbers.
fn measured() -> Ceilings {
    let mut lines = BTreeMap::new();
    let mut count = |name: &str, folder: &Path| {
        let files = files(folder);
        let sum = files.iter().map(|path| production_lines(path)).sum();
        lines.insert(name.to_owned(), sum);
    };
    count("leitai", &project().join("src"));
    for entry in fs::read_dir(project().join("crates")).expect("crates") {
        let path = entry.expect("a crate").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        count(&name, &path.join("src"));
    }
    let folders = ["src", "crates", "tests", "benches", "examples"];
    let all: Vec<_> = folders
        .iter()
        .flat_map(|folder| files(&project().join(folder)))
        .collect();
    Ceilings {
        lines,
        comments: comments(&all),
    }
}

#[test]
fn no_number_is_above_its_ceiling() {
    let path = project().join("ceilings.toml");
    let text = fs::read_to_string(&path).expect("ceilings.toml");
    let mut ceilings: Ceilings = toml::from_str(&text).expect("ceilings");
    let found = measured();
    let mut above = Vec::new();
    let mut check = |name: &str, number: f64, ceiling: &mut f64| {
        if number > *ceiling {
            above.push(format!("{name}: {number:.1}, and the ceiling is {ceiling}"));
        }
        *ceiling = ceiling.min((10.0 * number).ceil() / 10.0);
    };
    for (name, &lines) in &found.lines {
        let ceiling = ceilings.lines.entry(name.clone()).or_default();
        let mut number = *ceiling as f64;
        check(name, lines as f64, &mut number);
        *ceiling = number as u64;
    }
    ceilings
        .lines
        .retain(|name, _| found.lines.contains_key(name));
    let limits = &mut ceilings.comments;
    check(
        "excluded phrases",
        found.comments.excluded,
        &mut limits.excluded,
    );
    check("`what`", found.comments.what, &mut limits.what);
    check("openings", found.comments.openings, &mut limits.openings);
    if std::env::var_os("UPDATE_CEILINGS").is_some() {
        let head = text.lines().take_while(|line| line.starts_with('#'));
        let head = head.collect::<Vec<_>>().join("\n");
        let body = toml::to_string(&ceilings).expect("TOML");
        fs::write(&path, format!("{head}\n\n{body}")).expect("written");
    }
    eprintln!("{found:#?}");
    assert!(
        above.is_empty(),
        "shorten or reword, or raise the ceiling in ceilings.toml and give the reason in the \
         commit:\n{}",
        above.join("\n")
    );
}
