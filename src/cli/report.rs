//! `leitai report`: prints the results of a recorded run as a table, JSON or PGN.

use super::export::ExportArgument;
use super::game_files::{GameArguments, SelectionArgument, finish_export};
use super::gate::{Outputs, Prepared};
use super::prelude::*;
use super::recorded::{open_recorded, open_to_read, report_reach, restored_plan};
use super::{game_files, recorded_tune, runs};
use leitai_config::{path_word, shell_word};
use leitai_report::{Export, ExportError, Summary, render, render_markdown};
use leitai_runs::gate::{Trials, recorded_standings};
use leitai_runs::tournament::{Gap, TunePlan, replay_record};
use leitai_session::recorded::{Kind, kind_of};
use leitai_session::tune::recorded_report;

/// Report a recorded run: its table or its verdict, its results as JSON, or its games.
///
/// The run may still be in progress. Of a tune's games, shows progress only; run `tune` again to see the
/// values.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  leitai report run.sqlite
  leitai report run.sqlite --run 3f2a --json
  leitai report run.sqlite --pgn games.pgn
  leitai report run.sqlite --html=run.html
  leitai report run.sqlite --pgn - --games lost --against toga
  leitai report run.sqlite --markdown >> \"$GITHUB_STEP_SUMMARY\"")]
pub(super) struct Arguments {
    /// The record.
    #[arg(value_name = "FILE")]
    record: PathBuf,
    /// The run, by its id or the first letters of it; by default the latest.
    #[arg(long, value_name = "ID")]
    run: Option<String>,
    /// With --pgn: also write the games that do not count in the results: those played beyond a
    /// verdict or beyond a missing pair; a tag marks them.
    #[arg(long, requires = "pgn")]
    beyond: bool,
    /// Also print the move times of each player and the workers that played, and with --pgn the
    /// time of each game and move; always printed if the clock limits play.
    #[arg(long)]
    times: bool,
    #[command(flatten)]
    files: GameArguments,
    #[command(flatten)]
    selection: SelectionArgument,
    #[command(flatten)]
    outputs: Outputs,
    #[command(flatten)]
    export: ExportArgument,
    /// Write the games that people played with `leitai play`, as PGN; `-` is standard output.
    #[arg(long, value_name = "FILE", allow_hyphen_values = true, conflicts_with_all = ["pgn", "html", "run"])]
    human: Option<PathBuf>,
    /// List the runs in the record.
    #[arg(long, conflicts_with_all = ["pgn", "run", "html", "markdown", "games", "player", "against"])]
    list: bool,
}

impl Arguments {
    /// Options for the export of games.
    fn wanted(&self) -> Export {
        Export {
            beyond: self.beyond,
            times: self.times,
        }
    }
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    if arguments.list {
        return runs::list(&arguments.record, arguments.outputs.json.as_ref());
    }
    if let Some(file) = &arguments.human {
        return human_games(arguments, file);
    }
    let (store, mut entry) = open_recorded(&arguments.record, arguments.run.as_deref())?;
    if arguments.export.is_given() && arguments.run.is_none() {
        entry = latest_tune(&store)?;
    }
    let (store, entry) = (&store, &entry);
    let plan = &restored_plan(store, entry)?;
    if let Some(tune) = plan.tune() {
        if arguments.selection.is_given() {
            bail!("the run is a tune: --games, --player and --against have no effect on it");
        }
        if arguments.outputs.markdown.is_some() || arguments.outputs.of_gates_only() {
            bail!("the run is a tune: it has no verdict for --junit, --markdown or --style");
        }
        return report_tune(arguments, tune, store, entry);
    }
    if arguments.export.is_given() {
        bail!("the run is not a tune: it has no values for --export");
    }
    if plan.config.gate.is_none() && arguments.outputs.of_gates_only() {
        bail!("the run is not a gate: it has no verdict for --junit or --style");
    }
    let mut all_files = CommandFiles::recording([&arguments.record]);
    let mut outputs = arguments.outputs.prepare(&mut all_files)?;
    outputs.times = arguments.times;
    let files = arguments
        .files
        .prepare(plan.config.game.card, &mut all_files)?;
    arguments.selection.check(&files, &plan.config)?;
    outputs.taken |= files.are_printed();
    let wanted = (arguments.wanted(), &arguments.selection);
    let written = files.write(plan, store, entry, &arguments.record, wanted);
    // Prints the results even if a file cannot be written.
    let printed = print_results(plan, store, entry, outputs, &arguments.record);
    all([printed, written])?;
    Ok(Exit::Success)
}

/// Returns the latest tune of a record: proofs follow it as runs of their own.
fn latest_tune(store: &Store) -> Result<RunEntry, Failure> {
    let mut runs = store.runs()?.into_iter().rev();
    let latest = runs.find(|entry| kind_of(&entry.meta, games()) == Kind::Tune);
    latest.with_context(|| {
        format!(
            "{} has no tune by games, so no values for --export: a record does not contain the \
             values of a fit\n\
             help: repeat `{} tune CONFIG --export ...`, which plays no game twice",
            shown_path(store.path()),
            program::name()
        )
    })
}

/// Reports a tune, and writes its games.
fn report_tune(
    arguments: &Arguments,
    tune: TunePlan<'_>,
    store: &Store,
    entry: &RunEntry,
) -> Outcome {
    let mut all_files = CommandFiles::recording([&arguments.record]);
    let json = Json::prepare(arguments.outputs.json.as_ref(), &mut all_files)?;
    let files = arguments
        .files
        .prepare(tune.config.game.card, &mut all_files)?;
    let exports = arguments.export.prepare(&mut all_files, tune.tune)?;
    let is_taken = files.are_printed() || exports.are_printed();
    if arguments.export.is_given() {
        let command = game_files::command(entry, &arguments.record);
        let report = recorded_report(tune, store, entry, &command, reader())?;
        let before = &report.before;
        exports.write(tune.tune, before, [before, &report.after])?;
    }
    let report = if is_taken {
        Ok(Exit::Success)
    } else {
        let times = arguments.times;
        recorded_tune::report(tune, store, entry, (&arguments.record, times), json)
    };
    let written = files.write_tune(tune, store, entry, &arguments.record, arguments.wanted());
    match written {
        Ok(()) => report,
        Err(error) => all([report.map(drop), Err(error)]).map(|()| Exit::Success),
    }
}

#[derive(Serialize)]
struct Reported<'a> {
    #[serde(flatten)]
    summary: &'a Summary,
    #[serde(skip_serializing_if = "Option::is_none")]
    gap: Option<Gap>,
}

/// Prints the results of a recorded tournament or gate.
fn print_results(
    plan: &Plan,
    store: &Store,
    entry: &RunEntry,
    outputs: Prepared,
    record: &Path,
) -> Result<(), Failure> {
    if let Some(gate) = &plan.config.gate {
        let trials = Trials::of(gate, plan)?;
        let (trials, reach) = replay_record(trials, plan, store, &entry.handle)?;
        let name = &entry.meta.source_name;
        report_reach(&reach, false);
        return outputs.write(plan, &trials, None, reach.gap(), name);
    }
    let (standings, reach) = recorded_standings(plan, store, &entry.handle)?;
    let mut summary = Summary::new(plan, &standings);
    if outputs.times {
        summary.play.add_times(plan, &standings);
    }
    let summary = &summary;
    report_reach(&reach, false);
    if !outputs.json.is_printed() && !outputs.taken {
        print(&(render(summary, room()) + &games_command(summary, record)))?;
    }
    let gap = reach.gap();
    outputs.json.write(&Reported { summary, gap })?;
    let markdown = outputs.markdown;
    markdown.map_or(Ok(()), |file| write_output(file, &render_markdown(summary)))
}

/// The command that writes the games of a pairing, as a line; empty with a single pairing.
fn games_command(summary: &Summary, record: &Path) -> String {
    let [versus, _, ..] = &summary.pairings[..] else {
        return String::new();
    };
    let [one, two] = [&versus.first, &versus.second].map(|name| shell_word(name));
    let (program, record) = (program::name(), path_word(record));
    format!(
        "\ngames of two players:\n  {program} report {record} --pgn - --player={one} --against={two}"
    )
}

/// Writes the games that people played.
fn human_games(arguments: &Arguments, file: &Path) -> Outcome {
    let games = open_to_read(&arguments.record)?.human_games()?;
    if games.is_empty() {
        bail!(
            "{} has no games of `leitai play`\n\
             help: `leitai play` keeps them there",
            shown_path(&arguments.record)
        );
    }
    let mut files = CommandFiles::recording([&arguments.record]);
    let mut writing = files.prepare_or_stdout(file)?.begin()?;
    let mut games = games.iter();
    let written = games.try_for_each(|(_, pgn)| writeln!(writing.raw(), "{pgn}"));
    finish_export(writing, written.map_err(ExportError::Write))?;
    Ok(Exit::Success)
}
