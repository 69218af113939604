//! Where a gate's verdict is written, and as what.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use serde::Serialize;

use crate::cli::Exit;
use crate::cli::common::{Failure, say, say_json};
use crate::cli::stopped::Stopped;
use crate::config::shell_word;
use crate::gate::Trials;
use crate::player::Playable;
use crate::report::gate::{GateSummary, Reproduction, junit, markdown, render_gate};
use crate::tournament::Plan;

/// The forms that a verdict is wanted in.
#[derive(Clone, Debug, Default, Args)]
pub(in crate::cli) struct Outputs {
    /// Print the verdict as JSON.
    #[arg(long)]
    pub(in crate::cli) json: bool,
    /// Write the gate's verdict as a test report in XML, as CI servers read it;
    /// `-` is standard output.
    #[arg(long, value_name = "FILE", allow_hyphen_values = true)]
    junit: Option<PathBuf>,
    /// Write the gate's verdict as Markdown, fit for a comment on a pull
    /// request; `-` is standard output.
    #[arg(long, value_name = "FILE", allow_hyphen_values = true)]
    markdown: Option<PathBuf>,
}

#[derive(Serialize)]
struct Answer<'a> {
    run: &'a str,
    exit_code: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<Stopped>,
    #[serde(flatten)]
    summary: &'a GateSummary,
}

impl Outputs {
    /// Whether a form is asked for that only a gate has.
    pub(in crate::cli) fn of_gates_only(&self) -> bool {
        self.junit.is_some() || self.markdown.is_some()
    }

    /// Refuses what could not be written, before hours are spent on it.
    pub(in crate::cli) fn check(&self) -> Result<(), Failure> {
        let files = [&self.junit, &self.markdown];
        let files: Vec<&PathBuf> = files.into_iter().flatten().collect();
        let on_stdout = files.iter().filter(|file| is_stdout(file)).count();
        if on_stdout + usize::from(self.json) > 1 {
            bail!(
                "only one of --json, --junit and --markdown can go to standard output\n\
                 help: name a file for the others"
            );
        }
        for file in files.into_iter().filter(|file| !is_stdout(file)) {
            let folder = file.parent().filter(|folder| *folder != Path::new(""));
            if file.is_dir() || folder.is_some_and(|folder| !folder.is_dir()) {
                bail!(
                    "cannot write {}: no such folder, or a folder itself",
                    file.display()
                );
            }
        }
        Ok(())
    }

    /// Writes what is asked for; text for a person if standard output is free.
    pub(in crate::cli) fn write<P: Playable>(
        &self,
        plan: &Plan<P>,
        trials: &Trials,
        stopped: Option<Stopped>,
        config: &str,
    ) -> Result<(), Failure> {
        let summary = &GateSummary::new(plan, trials);
        if let Some(file) = &self.junit {
            put(file, &junit(summary, config))?;
        }
        if let Some(file) = &self.markdown {
            let command = format!("leitai gate {}", in_words(config));
            let reproduction = Reproduction {
                command: &command,
                run: plan.id(),
                reproducible: plan.config.is_reproducible(),
            };
            put(file, &markdown(summary, reproduction))?;
        }
        if self.json {
            return say_json(&Answer {
                run: plan.id(),
                exit_code: trials.verdict().map(|verdict| Exit::from(verdict) as u8),
                stopped,
                summary,
            });
        }
        let taken = [&self.junit, &self.markdown];
        if taken.into_iter().flatten().any(|file| is_stdout(file)) {
            return Ok(());
        }
        say(&render_gate(summary))
    }
}

fn is_stdout(file: &Path) -> bool {
    file == Path::new("-")
}

fn put(file: &Path, text: &str) -> Result<(), Failure> {
    if is_stdout(file) {
        return say(text.trim_end());
    }
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

/// The name of a config as words of a command line. Where values are overridden it
/// is made of such words.
fn in_words(config: &str) -> String {
    if config.contains(" --set ") {
        config.to_owned()
    } else {
        shell_word(config)
    }
}
