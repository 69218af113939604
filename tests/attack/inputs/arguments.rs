//! Command lines with bad words: each ends with an answer or an error, never with a panic, and
//! never prints NaN or infinity as a number.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use super::super::scale::{Dice, Scale};
use super::super::watched::{Watched, is_harmful, watch};
use super::corpus;
use crate::common::{Sandbox, leitai};

/// Time limit of a command line.
const PATIENCE: Duration = Duration::from_mins(1);
/// Memory limit of a command line, in kB.
const MEMORY: u64 = 1 << 20;

/// Replacements for numbers.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "7",
    "12",
    "100",
    "0.1",
    "0.999",
    "1000000",
    "4294967296",
    "9007199254740993",
    "18446744073709551615",
    "1e-9",
    "1e15",
];

/// Replacements for words.
const WORDS: &[&str] = &[
    "0",
    "-0",
    "1",
    "-1",
    "NaN",
    "nan",
    "inf",
    "-inf",
    "1e308",
    "-1e308",
    "1e-308",
    "0.5",
    "1e9",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "",
    " ",
    "0,0,0",
    "0,0,0,0,0",
    "1,0,0",
    "0,0,1",
    "0,0,0,0,1",
    "1,0,0,0,0",
    "18446744073709551615,1,1",
    "9007199254740993,9007199254740993,1,1,1",
    "1,2,3,4,5,6",
    "a,b,c",
    ",,",
    "N(0,0)",
    "N(nan,1)",
    "logistic",
    "normalized",
    "strict",
    "\u{202e}x",
    "\u{9b}31m",
    "\u{1b}[2J",
    "é",
    "--json",
    "-",
];

/// Runs command lines; returns a summary.
pub(crate) fn attack(scale: &Scale) -> String {
    let lines = corpus("arguments").concat();
    let lines = String::from_utf8(lines).unwrap();
    let lines: Vec<&str> = lines.lines().filter(|line| !line.is_empty()).collect();
    let sandbox = Sandbox::new();
    for name in ["games.csv", "pairs.csv"] {
        let from = super::project("tests/attack/corpus/table").join(name);
        std::fs::copy(from, sandbox.path(name)).unwrap();
    }
    sandbox.write("pairs.txt", "0123443210 12344");
    let mut dice = scale.dice("arguments");
    let mut answered = 0;
    for _ in 0..scale.arguments {
        let line: &&str = dice.of(&lines);
        let words = changed(line, &mut dice);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        answered += usize::from(harmless(Path::new(&sandbox.path("")), &words));
    }
    format!(
        "{} command lines, {answered} of them answered",
        scale.arguments
    )
}

/// The words of a line with one or two of them replaced.
fn changed(line: &str, dice: &mut Dice) -> Vec<String> {
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    for _ in 0..=dice.below(6) / 4 {
        // Keeps the command itself, and mostly the names of options.
        let mut at = 1 + dice.below(words.len() - 1);
        if words[at].starts_with("--") && dice.below(4) > 0 {
            at = (at + 1).min(words.len() - 1);
        }
        if let Some(number) = words[at].find(|c: char| c.is_ascii_digit())
            && dice.below(4) > 0
        {
            // Replaces one of several numbers, and keeps their count.
            let mut parts: Vec<&str> = words[at].split(',').collect();
            let part = dice.below(parts.len());
            let kept = if parts.len() == 1 {
                &words[at][..number]
            } else {
                ""
            };
            let other = format!("{kept}{}", dice.of(NUMBERS));
            parts[part] = &other;
            words[at] = parts.join(",");
            continue;
        }
        match dice.below(8) {
            0 => drop(words.remove(at)),
            1 => words.insert(at, (*dice.of(WORDS)).to_owned()),
            2 => {
                let mut letters: Vec<char> = words[at].chars().collect();
                let place = dice.below(letters.len() + 1);
                letters.insert(place, *dice.of(&['0', '9', '.', '-', ',', 'e', '\u{301}']));
                words[at] = letters.into_iter().collect();
            }
            _ => (*dice.of(WORDS)).clone_into(&mut words[at]),
        }
        if words.len() < 3 {
            break;
        }
    }
    words
}

/// Returns whether the command succeeds; fails if it does harm.
fn harmless(folder: &Path, words: &[&str]) -> bool {
    let mut command: Command = leitai();
    command.current_dir(folder).args(words);
    let Watched {
        output,
        peak,
        timely,
    } = watch(&mut command, PATIENCE);
    let Output {
        status,
        stdout,
        stderr,
    } = &output;
    let said = String::from_utf8_lossy(stderr);
    assert!(timely, "{words:?} does not end");
    assert_eq!(status.signal(), None, "{words:?}: {said}");
    assert!(
        matches!(status.code(), Some(0..=4)),
        "{words:?}: {status}: {said}"
    );
    assert!(!said.contains("panicked"), "{words:?}: {said}");
    assert!(peak < MEMORY, "{words:?}: {peak} kB");
    let text = String::from_utf8(stdout.clone()).expect("text");
    assert!(!text.contains("NaN"), "{words:?}: {text}");
    // The command may repeat the user's own words unchanged.
    let typed = words.concat();
    for text in [&*text, &*said] {
        let raw = text.chars().find(|&c| is_harmful(c) && !typed.contains(c));
        assert_eq!(raw, None, "{words:?}: {text:?}");
    }
    status.success()
}
