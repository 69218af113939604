//! Errors about the config of a match, in the options that the user typed.

use super::NAME;
use crate::cli::failure::is_stopped_start;
use crate::cli::prelude::*;
use leitai_config::{ConfigError, Diagnostics, shell_word};

/// The tables of the config, and the options that they come from.
const TABLES: &[(&str, &str)] = &[
    ("[limits]", "-each"),
    ("[openings]", "-openings"),
    ("[adjudication.syzygy]", "-tb"),
    ("[failures]", "-recover"),
    ("[checks]", "-check-mate-pvs"),
    ("[tournament]", "-rounds"),
    ("[gate]", "-sprt"),
    ("[rules]", "-variant"),
    ("[[variant]]", "-engine"),
];

/// Keys whose options differ from that of their table.
const KEYS: &[(&str, &str)] = &[
    ("resign", "-resign"),
    ("draw", "-draw"),
    ("max_plies", "-maxmoves"),
    ("max_pairs", "-rounds"),
    ("seed", "-srand"),
];

/// Phrases of messages about configs, and their replacements in messages about options.
const VOCABULARY: &[(&str, &str)] = &[
    ("in `command` (from the config's folder)", "in `cmd=`"),
    ("a gate without openings", "a test without openings"),
    (
        "`file = \"openings/chess.epd\"`; `leitai init` writes a config with a book",
        "`-openings file=BOOK format=epd`",
    ),
    ("name a book under `-openings`: ", "name a book: "),
    ("fastchess.toml: ", ""),
    ("give it `--threads ", "give it `-concurrency "),
    ("folder of the config", "working folder"),
    ("a file in its `folder`", "a file in its `dir=`"),
    ("the gate ", "the test "),
    ("`max_pairs`", "`-rounds`"),
    ("; `leitai check --json` shows what each resolves to", ""),
];

/// A command line, and the config made from it.
pub(super) struct Typed<'a> {
    words: &'a [String],
    config: &'a str,
}

impl<'a> Typed<'a> {
    pub(super) fn new(words: &'a [String], config: &'a str) -> Self {
        Self { words, config }
    }

    /// Prints warnings about the config; returns its problems as an error.
    pub(super) fn checked(&self, loaded: Result<Loaded, ConfigError>) -> Result<Loaded, Failure> {
        let loaded = loaded.map_err(|error| match error {
            ConfigError::Invalid(problems) => {
                anyhow!("{}", self.messages(&problems).join("\nerror: "))
            }
            other => other.into(),
        })?;
        for warning in self.messages(&loaded.warnings) {
            eprint(&format!("warning: {warning}"));
        }
        Ok(loaded)
    }

    fn messages(&self, diagnostics: &Diagnostics) -> Vec<String> {
        let messages = diagnostics.problems.iter().map(|problem| {
            let before = self.config.bytes().take(problem.span.start);
            let number = before.filter(|it| *it == b'\n').count();
            let mut text = match self.option(number) {
                Some(option) => format!("`{option}`: {}", problem.message),
                None => problem.message.clone(),
            };
            if !problem.label.is_empty() {
                let _ = write!(text, ": {}", problem.label);
            }
            for help in &problem.help {
                let _ = write!(text, "\nhelp: {help}");
            }
            translated(&text)
        });
        messages.collect()
    }

    /// The error of a match, with the option in place of a line of the config.
    pub(super) fn failure(&self, failure: Failure) -> Failure {
        if is_stopped_start(&failure) {
            return failure;
        }
        let text = format!("{failure:#}");
        let Some((before, place)) = text.split_once(&format!("{NAME}:")) else {
            return failure;
        };
        let digits = place.len()
            - place
                .trim_start_matches(|it: char| it.is_ascii_digit())
                .len();
        let number = place[..digits].parse::<usize>().unwrap_or(1);
        let after = &place[digits..];
        let option = self.option(number.saturating_sub(1));
        let option = option.map_or_else(|| "the match".to_owned(), |it| format!("`{it}`"));
        anyhow!("{}", translated(&format!("{before}{option}{after}")))
    }

    /// The option, as it was typed, that a line of the config comes from. Counts lines from 0.
    fn option(&self, number: usize) -> Option<String> {
        let lines: Vec<&str> = self.config.lines().take(number + 1).collect();
        let header = lines.iter().rposition(|line| line.starts_with('['));
        let header = header.map_or("", |at| lines[at]);
        let key = lines.last().and_then(|line| line.split([' ', '=']).next());
        let of = |table: &[(&str, &'static str)], name| {
            table
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, option)| *option)
        };
        let own = key.and_then(|key| of(KEYS, key));
        let option = own.or_else(|| of(TABLES, header))?;
        let place = match option {
            "-engine" => lines.iter().filter(|line| **line == header).count() - 1,
            _ => 0,
        };
        let mut starts = (0..self.words.len()).filter(|&at| self.words[at] == option);
        let start = starts.nth(place)?;
        let rest = self.words[start + 1..].iter();
        let values = rest.take_while(|word| !super::words::is_option(word));
        let typed = values.map(|word| shell_word(word));
        Some(
            std::iter::once(option.to_owned())
                .chain(typed)
                .collect::<Vec<_>>()
                .join(" "),
        )
    }
}

/// A message about a config in words about options.
pub(super) fn translated(text: &str) -> String {
    let tables = TABLES
        .iter()
        .map(|(table, option)| (format!("`{table}`"), format!("`{option}`")));
    let text = tables.fold(text.to_owned(), |text, (table, option)| {
        text.replace(&table, &option)
    });
    VOCABULARY
        .iter()
        .fold(text, |text, (config, option)| text.replace(config, option))
}
