//! `leitai schema`: the JSON Schema of configs.

use clap::Args;

use super::Exit;
use super::failure::{Failure, Outcome};
use super::games::{entries, games};
use super::terminal::say_raw;
use crate::config::schema;

/// What the schema of a config is called, beside the config.
pub(super) const FILE: &str = "leitai.schema.json";

/// Print the JSON Schema (draft-07) of configs, by which editors complete and check them.
///
/// `leitai init` writes it beside the config, whose first line names it: `#:schema
/// ./leitai.schema.json`. Editors with Taplo or Tombi (VS Code: Even Better TOML) read that line.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  leitai schema > leitai.schema.json")]
pub(super) struct Arguments {}

pub(super) fn run(_: &Arguments) -> Outcome {
    say_raw(&text()?)?;
    Ok(Exit::Success)
}

/// The schema as a file.
pub(super) fn text() -> Result<String, Failure> {
    let shipped = entries().iter().flat_map(|entry| &entry.shipped);
    let books: Vec<&str> = shipped.map(|book| book.name).collect();
    let schema = schema(games(), &books);
    Ok(serde_json::to_string_pretty(&schema)?)
}
