//! The journal of a study: its finished cells, kept so that it carries on by itself.
//!
//! Every cell stands in it under a key over all that decides it, so that a study that
//! was changed takes from it what is still true of it, and adds the rest.

use std::fs::File;
use std::io::{Read, Write};
use std::path::PathBuf;

use anyhow::{Context, bail};

use super::Arguments;
use crate::cli::common::Failure;
use crate::cli::configs::default_journal;
use crate::cli::output::open_to_add;
use crate::foreign::shown_path;

/// Where every journal begins: with a line of its first cell.
const BEGINNING: &str = "[\"";

/// A file of finished cells, to which more are added.
pub(super) struct Journal {
    file: File,
    text: String,
}

impl Journal {
    /// Where the journal of a study is, unless it keeps none.
    pub(super) fn place(arguments: &Arguments) -> Option<PathBuf> {
        let named = arguments.kept.resume.clone();
        let place = || named.unwrap_or_else(|| default_journal(&arguments.config));
        (!arguments.kept.no_resume).then(place)
    }

    /// Opens the journal of a study, or begins it, unless it keeps none.
    pub(super) fn open(arguments: &Arguments) -> Result<Option<Self>, Failure> {
        let Some(place) = Self::place(arguments) else {
            return Ok(None);
        };
        let name = shown_path(&place);
        let context = || {
            format!(
                "cannot use the journal {name}, which lets the study carry on (`--resume FILE` \
                 names another, `--no-resume` keeps none)"
            )
        };
        let mut file = open_to_add(&place).with_context(context)?;
        let mut text = String::new();
        file.read_to_string(&mut text).with_context(context)?;
        if !text.is_empty() && !text.starts_with(BEGINNING) {
            bail!(
                "{name} is not the journal of a study\n\
                 help: `--resume FILE` names another, `--no-resume` keeps none"
            );
        }
        if arguments.kept.fresh {
            file.set_len(0).with_context(context)?;
            text.clear();
        } else if !text.is_empty() && !text.ends_with('\n') {
            // A line that was torn must not spoil the next one.
            file.write_all(b"\n").with_context(context)?;
        }
        Ok(Some(Self { file, text }))
    }

    /// What it held when it was opened.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Adds a line that ends with a line break.
    pub(super) fn add(&mut self, line: &str) -> Result<(), Failure> {
        let written = self.file.write_all(line.as_bytes());
        written.context("cannot write the journal")
    }
}
