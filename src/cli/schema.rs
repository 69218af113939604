//! `leitai schema`: prints the JSON Schema of configs.

use serde_json::Value;

use super::games::entries;
use super::prelude::*;
use super::reference;
use super::terminal::print_raw;
use leitai_config::schema;

/// The file name of the schema, in the folder of the config.
pub(super) const FILE: &str = "leitai.schema.json";
/// The title in a schema file of Leitai.
pub(super) const TITLE: &str = "\"title\": \"A config of Leitai\"";

/// Print the JSON Schema (draft-07) of configs, for completion in editors.
///
/// `leitai init` writes it to the folder of the config, whose first line names it: `#:schema
/// ./leitai.schema.json`. Editors with Taplo or Tombi (VS Code: Even Better TOML) read that line.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  leitai schema > leitai.schema.json
  leitai schema --markdown > keys.md    # all keys as a page")]
pub(super) struct Arguments {
    /// Print all keys as a page of Markdown instead.
    #[arg(long)]
    markdown: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let mut files = CommandFiles::default();
    match json_output::prepare("markdown", arguments.markdown.as_deref(), &mut files)? {
        Some(page) => write_output(page, &reference::keys(&of_all_games()))?,
        None => print_raw(&text()?)?,
    }
    Ok(Exit::Success)
}

/// The schema as text.
pub(super) fn text() -> Result<String, Failure> {
    Ok(serde_json::to_string_pretty(&of_all_games())?)
}

fn of_all_games() -> Value {
    let shipped = entries().iter().flat_map(|entry| &entry.shipped);
    let books: Vec<&str> = shipped.map(|book| book.name).collect();
    schema(games(), &books)
}
