//! Outputs that are printed or written to a file: `--json` prints, `--json=FILE` writes.
//!
//! An option of these names means the same in every command. Its value must follow `=`, so that the
//! option does not take the next argument as its value.

use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Command};
use serde::Serialize;

use super::Exit;
use super::failure::{Failure, Outcome};
use super::json::json;
use super::terminal::{print, print_json, write_output};
use leitai_config::path_word;
use leitai_session::output::{CommandFiles, OutputFile};

/// The options that print by default and write to a file if one is given.
pub(super) const OPTIONS: [&str; 5] = ["json", "csv", "markdown", "html", "svg"];

/// The value of an option that prints to standard output.
const PRINTED: &str = "-";

/// Makes these options uniform in a command and its subcommands.
pub(super) fn uniform(command: Command) -> Command {
    let command = command.mut_args(|argument| {
        let is_output = OPTIONS.contains(&argument.get_id().as_str());
        if is_output && argument.get_action().takes_values() {
            printed_or_written(argument)
        } else {
            argument
        }
    });
    command.mut_subcommands(uniform)
}

fn printed_or_written(argument: Arg) -> Arg {
    let names = argument.get_value_names().unwrap_or_default();
    let is_folder = names.iter().any(|name| name == "DIR");
    argument
        .value_name(if is_folder { "DIR" } else { "FILE" })
        .num_args(0..=1)
        .require_equals(true)
        .default_missing_value(PRINTED)
}

/// Help on the error of a command line that separates a file from its option by a blank.
pub(super) fn help_on_joined_file(error: &clap::Error) -> Option<String> {
    match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(word)) if !word.starts_with('-') => {}
        _ => return None,
    }
    let words: Vec<_> = std::env::args_os().collect();
    let mut pairs = words.iter().zip(words.iter().skip(1));
    pairs.find_map(|(option, file)| {
        let option = option.to_str()?.strip_prefix("--")?;
        let file = path_word(Path::new(file));
        OPTIONS.contains(&option).then(|| {
            format!("help: the file of `--{option}` follows an equals sign: `--{option}={file}`")
        })
    })
}

/// Prepares the output of an option; reserves standard output if the option prints.
pub(super) fn prepare(
    option: &str,
    file: Option<&Path>,
    files: &mut CommandFiles,
) -> Result<Option<OutputFile>, Failure> {
    let prepared = file.map(|file| {
        if file == Path::new(PRINTED) {
            files.prepare_stdout(&format!("--{option}"))
        } else {
            files.prepare(file)
        }
    });
    prepared.transpose()
}

/// Returns whether an output is printed.
pub(crate) fn is_printed(file: Option<&OutputFile>) -> bool {
    file.is_some_and(OutputFile::is_stdout)
}

/// The output of `--json`.
#[derive(Debug, Default)]
pub(crate) struct Json {
    pub(crate) to: Option<OutputFile>,
    lines: String,
}

impl Json {
    /// Prepares the output, and refuses a file that cannot be written before any work is done.
    pub(crate) fn prepare(
        file: Option<&PathBuf>,
        files: &mut CommandFiles,
    ) -> Result<Self, Failure> {
        let to = prepare("json", file.map(PathBuf::as_path), files)?;
        let lines = String::new();
        Ok(Self { to, lines })
    }

    /// Prepares the output of a command that writes no other file and reads the files `reads`.
    pub(crate) fn for_inputs<'f>(
        file: Option<&PathBuf>,
        reads: impl IntoIterator<Item = &'f PathBuf>,
    ) -> Result<Self, Failure> {
        Self::prepare(file, &mut CommandFiles::reading(reads))
    }

    /// Returns whether JSON is printed; then the command prints nothing else.
    pub(crate) fn is_printed(&self) -> bool {
        is_printed(self.to.as_ref())
    }

    /// Outputs one of several values, one per line; call [`finish`](Self::finish) after the last.
    pub(crate) fn write_line(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        match &self.to {
            None => Ok(()),
            Some(file) if file.is_stdout() => print_json(value),
            Some(_) => {
                self.lines.push_str(&json(value)?);
                self.lines.push('\n');
                Ok(())
            }
        }
    }

    /// Writes the collected lines if they go to a file.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        match self.to {
            Some(file) if !file.is_stdout() => write_output(file, &self.lines),
            _ => Ok(()),
        }
    }

    /// Outputs the only value; a file is readable by its owner only.
    pub(crate) fn write_private(self, value: &impl Serialize) -> Result<(), Failure> {
        match self.to {
            Some(file) if !file.is_stdout() => {
                let mut file = file.begin()?;
                file.keep_secret()?;
                file.write(json(value)? + "\n")?;
                file.finish()
            }
            _ => self.write(value),
        }
    }

    /// Prints the text unless JSON is printed, outputs the only value, and succeeds.
    pub(crate) fn answer(self, value: &impl Serialize, text: impl FnOnce() -> String) -> Outcome {
        self.print(text)?;
        self.write(value)?;
        Ok(Exit::Success)
    }

    /// Prints a text, unless standard output gets the JSON.
    pub(crate) fn print(&self, text: impl FnOnce() -> String) -> Result<(), Failure> {
        if self.is_printed() {
            return Ok(());
        }
        print(&text())
    }

    /// Outputs the only value.
    pub(crate) fn write(mut self, value: &impl Serialize) -> Result<(), Failure> {
        self.write_line(value)?;
        self.finish()
    }
}
