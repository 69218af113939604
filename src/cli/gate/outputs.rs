//! The output formats of a gate's verdict.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::grown_from;
use crate::cli::Exit;
use crate::cli::answers::{self, Json, in_words, is_printed};
use crate::cli::failure::Failure;
use crate::cli::failure::all;
use crate::cli::program;
use crate::cli::terminal::{give, say};
use crate::config::{config_words, path_word};
use crate::gate::Trials;
use crate::output::{Door, OutputFile};
use crate::report::gate::{GateSummary, Reproduction, junit, markdown, render_gate};
use crate::report::{BlockStyle, gate_blocks};
use crate::report::{FailureSummary, Latency, WorkersSummary};
use crate::session::{Stopped, StrictlyEnded};
use crate::tournament::{Gap, Plan};

/// Options for the output of a verdict.
#[derive(Clone, Debug, Default, Args)]
pub(in crate::cli) struct Outputs {
    /// Print the verdict as JSON.
    #[arg(long)]
    pub(in crate::cli) json: Option<PathBuf>,
    /// Write the gate's verdict as a test report in XML for CI servers; `-` is standard output.
    #[arg(long, value_name = "FILE", allow_hyphen_values = true)]
    junit: Option<PathBuf>,
    /// Print the gate's verdict as Markdown, for a comment on a pull request.
    #[arg(long)]
    markdown: Option<PathBuf>,
    /// Print the gate's results as the block for commit messages of OpenBench, of fishtest or of
    /// fastchess.
    #[arg(long, value_enum, value_name = "WHOSE", conflicts_with = "json")]
    style: Option<Style>,
}

/// The testing framework of the block.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Style {
    Openbench,
    Fishtest,
    Fastchess,
}

impl From<Style> for BlockStyle {
    fn from(style: Style) -> Self {
        match style {
            Style::Openbench => BlockStyle::OpenBench,
            Style::Fishtest => BlockStyle::Fishtest,
            Style::Fastchess => BlockStyle::Fastchess,
        }
    }
}

#[derive(Serialize)]
struct Answer<'a> {
    run: &'a str,
    exit_code: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<Stopped>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended_by: Option<StrictlyEnded>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gap: Option<Gap>,
    #[serde(flatten)]
    summary: &'a GateSummary,
}

impl Outputs {
    /// Returns whether a format is requested that only gates have.
    pub(in crate::cli) fn of_gates_only(&self) -> bool {
        self.junit.is_some() || self.markdown.is_some() || self.style.is_some()
    }

    /// Refuses outputs that cannot be written, before hours are spent on the gate.
    pub(in crate::cli) fn prepare(&self, door: &mut Door) -> Result<Prepared, Failure> {
        let mut prepare = |file: &Option<PathBuf>| {
            let file = file.as_deref();
            file.map(|file| door.prepare_or_stdout(file)).transpose()
        };
        let junit = prepare(&self.junit)?;
        let markdown = answers::prepare("markdown", self.markdown.as_deref(), door)?;
        let json = Json::prepare(self.json.as_ref(), door)?;
        let taken = is_printed(junit.as_ref()) || is_printed(markdown.as_ref());
        Ok(Prepared {
            json,
            style: self.style,
            taken,
            told: Told::default(),
            ended_by: None,
            junit,
            markdown,
        })
    }

    /// These options as command-line words, each after a blank.
    pub(super) fn in_words(&self) -> String {
        let mut words = String::new();
        if let Some(file) = &self.junit {
            let _ = write!(words, " --junit {}", path_word(file));
        }
        words.push_str(&in_words("markdown", self.markdown.as_deref()));
        if let Some(style) = self.style.and_then(|style| style.to_possible_value()) {
            let _ = write!(words, " --style {}", style.get_name());
        }
        words + &in_words("json", self.json.as_deref())
    }
}

/// Details to report even if the clock did not limit play.
#[derive(Clone, Copy, Default)]
pub(in crate::cli) struct Told {
    /// The times of moves.
    pub(in crate::cli) times: bool,
    /// The work of each worker.
    pub(in crate::cli) workers: bool,
}

/// The requested formats with their files.
pub(in crate::cli) struct Prepared {
    pub(in crate::cli) json: Json,
    style: Option<Style>,
    /// True if a file is standard output: nothing else is printed there.
    pub(in crate::cli) taken: bool,
    /// Details to report even if the clock did not limit play.
    pub(in crate::cli) told: Told,
    /// The warning that ended a gate with `--strict`.
    pub(in crate::cli) ended_by: Option<StrictlyEnded>,
    junit: Option<OutputFile>,
    markdown: Option<OutputFile>,
}

impl Prepared {
    /// Writes the requested formats; first the text, if standard output is free, so that an error
    /// in a file cannot suppress it.
    pub(in crate::cli) fn write(
        self,
        plan: &Plan,
        trials: &Trials,
        stopped: Option<Stopped>,
        gap: Option<Gap>,
        config: &str,
    ) -> Result<(), Failure> {
        let mut summary = GateSummary::new(plan, trials);
        if self.told.times {
            summary.latencies = Latency::all(&plan.config, &trials.standings);
            summary.failures = summary.failures.map(FailureSummary::with_times);
        }
        if self.told.workers {
            summary.workers = WorkersSummary::all(&plan.config, &trials.standings);
        }
        let summary = &summary;
        let told = if self.json.is_printed() || self.taken {
            Ok(())
        } else if let Some(style) = self.style {
            say(&gate_blocks(style.into(), summary, &plan.config))
        } else {
            say(&render_gate(summary))
        };
        let has_failed = stopped.is_some() || self.ended_by.is_some();
        let failed = has_failed.then_some(Exit::PlayerFailed);
        let exit = failed.or_else(|| trials.verdict().map(Exit::from));
        let answered = self.json.tell(&Answer {
            run: plan.id(),
            exit_code: exit.map(|exit| exit as u8),
            stopped,
            ended_by: self.ended_by,
            gap,
            summary,
        });
        let timed = self.told.times || plan.config.is_timed();
        let seconds = timed.then(|| trials.standings.seconds());
        let tested = self.junit;
        let tested = tested.map(|file| give(file, &junit(summary, config, seconds)));
        let described = self.markdown.map(|file| {
            let former = &plan.config.openings.former;
            let command = format!(
                "{} gate {}{}",
                program::name(),
                config_words(config),
                grown_from(former)
            );
            let reproduction = Reproduction {
                command: &command,
                run: plan.id(),
                timed: plan.config.is_timed(),
                programs: plan.config.has_programs(),
                grown: !former.is_empty(),
            };
            give(file, &markdown(summary, reproduction))
        });
        all([Some(told), Some(answered), tested, described]
            .into_iter()
            .flatten())
    }
}
