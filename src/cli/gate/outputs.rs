//! The output formats of a gate's verdict.

use super::grown_from;
use crate::cli::prelude::*;
use leitai_config::config_words;
use leitai_report::gate::{GateSummary, Reproduction, junit, markdown, render_gate};
use leitai_report::{BlockStyle, gate_blocks};
use leitai_runs::gate::Trials;
use leitai_runs::tournament::Gap;
use leitai_session::EarlyEnd;

/// Options for the output of a verdict.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub(in crate::cli) struct Outputs {
    /// Print the verdict as JSON.
    #[arg(long)]
    pub(in crate::cli) json: Option<PathBuf>,
    /// Write the gate's verdict as a test report in XML for CI servers; `-` is standard output.
    #[arg(long, value_name = "FILE", allow_hyphen_values = true)]
    junit: Option<PathBuf>,
    /// Print the verdict of a gate, or the results of a run, as Markdown for a comment or a forum.
    #[arg(long)]
    pub(in crate::cli) markdown: Option<PathBuf>,
    /// Print the gate's results as a commit-message block in the style of OpenBench, fishtest or
    /// fastchess.
    #[arg(hide_short_help = true, long, value_parser = choice(&STYLES), value_name = "STYLE", conflicts_with = "json")]
    style: Option<BlockStyle>,
}

/// The testing frameworks of the block.
const STYLES: [Choice<BlockStyle>; 3] = [
    ("openbench", "", BlockStyle::OpenBench),
    ("fishtest", "", BlockStyle::Fishtest),
    ("fastchess", "", BlockStyle::Fastchess),
];

#[derive(Serialize)]
struct GateOutput<'a> {
    run: &'a str,
    exit_code: Option<u8>,
    #[serde(flatten)]
    early: Option<EarlyEnd>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gap: Option<Gap>,
    #[serde(flatten)]
    summary: &'a GateSummary,
}

impl Outputs {
    /// Returns whether a format is requested that only gates have.
    pub(in crate::cli) fn of_gates_only(&self) -> bool {
        self.junit.is_some() || self.style.is_some()
    }

    /// Refuses outputs that cannot be written, before hours are spent on the gate.
    pub(in crate::cli) fn prepare(&self, files: &mut CommandFiles) -> Result<Prepared, Failure> {
        let mut prepare = |file: &Option<PathBuf>| {
            let file = file.as_deref();
            file.map(|file| files.prepare_or_stdout(file)).transpose()
        };
        let junit = prepare(&self.junit)?;
        let markdown = json_output::prepare("markdown", self.markdown.as_deref(), files)?;
        let json = Json::prepare(self.json.as_ref(), files)?;
        let taken = is_printed(junit.as_ref()) || is_printed(markdown.as_ref());
        Ok(Prepared {
            json,
            style: self.style,
            taken,
            times: false,
            junit,
            markdown,
        })
    }
}

/// The requested formats with their files.
pub(in crate::cli) struct Prepared {
    pub(in crate::cli) json: Json,
    style: Option<BlockStyle>,
    /// True if a file is standard output: nothing else is printed there.
    pub(in crate::cli) taken: bool,
    /// True if move times and the work of each worker are reported even if the clock did not limit
    /// play.
    pub(in crate::cli) times: bool,
    junit: Option<OutputFile>,
    pub(in crate::cli) markdown: Option<OutputFile>,
}

impl Prepared {
    /// Writes the requested formats; first the text, if standard output is free, so that an error
    /// in a file cannot suppress it.
    pub(in crate::cli) fn write(
        self,
        plan: &Plan,
        trials: &Trials,
        early: Option<EarlyEnd>,
        gap: Option<Gap>,
        config: &str,
    ) -> Result<(), Failure> {
        let mut summary = GateSummary::new(plan, trials);
        if self.times {
            summary.play.add_times(plan, &trials.standings);
        }
        let summary = &summary;
        let told = if self.json.is_printed() || self.taken {
            Ok(())
        } else if let Some(style) = self.style {
            print(&gate_blocks(style, summary, &plan.config))
        } else {
            print(&render_gate(summary, room()))
        };
        let failed = early.as_ref().map(|_| Exit::PlayerFailed);
        let exit = failed.or_else(|| trials.verdict().map(Exit::from));
        let answered = self.json.write(&GateOutput {
            run: plan.id(),
            exit_code: exit.map(|exit| exit as u8),
            early,
            gap,
            summary,
        });
        let timed = self.times || plan.config.is_timed();
        let seconds = timed.then(|| trials.standings.seconds());
        let tested = self.junit;
        let tested = tested.map(|file| write_output(file, &junit(summary, config, seconds)));
        let described = self.markdown.map(|file| {
            let former = &plan.config.openings.earlier_books;
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
            write_output(file, &markdown(summary, reproduction))
        });
        all([Some(told), Some(answered), tested, described]
            .into_iter()
            .flatten())
    }
}
