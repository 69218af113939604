//! `leitai report`: prints the results of a recorded run as a table, JSON or PGN.

use super::export::ExportArgument;
use super::gate::{Outputs, Prepared};
use super::prelude::*;
use super::recorded::{open_recorded, open_to_read, report_reach, restored_plan};
use super::terminal::is_broken_pipe;
use super::{recorded_tune, runs};
use crate::config::{config_words, path_word};
use crate::gate::{Trials, recorded_standings};
use crate::interchange::pgn::pgn_text;
use crate::output::Writing;
use crate::report::page::{commands, recorded_page};
use crate::report::tune::html;
use crate::report::{
    Export, ExportError, GameFilter, GameSelection, Summary, render, render_markdown, tune_games,
    write_games,
};
use crate::session::recorded::{Kind, kind_of};
use crate::session::tune::recorded_report;
use crate::tournament::{Gap, TunePlan, replay_record};

/// Report a recorded run: its table or its verdict, its results as JSON, or its games.
///
/// The run may still be in progress. For a tune, shows progress only; run `tune` again to see the
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
    /// Write the games in schedule order as PGN; `-` is standard output.
    #[arg(long, value_name = "FILE", allow_hyphen_values = true)]
    pgn: Option<PathBuf>,
    /// Notation of the moves in PGN.
    #[arg(long, value_parser = games::notations(), default_value = games::usual_notation())]
    notation: Option<String>,
    /// With --pgn: also write the games that do not count in the results: those played beyond a
    /// verdict or beyond a missing pair; a tag marks them.
    #[arg(long, requires = "pgn")]
    beyond: bool,
    /// Also print the move times of each player and the workers that played, and with --pgn the
    /// time of each game and move; always printed if the clock limits play.
    #[arg(long)]
    times: bool,
    /// Print a page with the results and the games for a browser: one file, which loads nothing
    /// from a network.
    #[arg(long)]
    html: Option<PathBuf>,
    /// The games of --pgn and --html: `all`; `lost`, those that the player lost, 1000 at most; or a
    /// number, as pairs that are spread over the run. By default all, and 1000 on a page.
    #[arg(long, value_name = "GAMES")]
    games: Option<GameSelection>,
    /// Only the games of this player; by default the player is the first variant, or the candidates
    /// of a gate.
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Only the player's games against this opponent.
    #[arg(long, value_name = "NAME")]
    against: Option<String>,
    #[command(flatten)]
    outputs: Outputs,
    #[command(flatten)]
    export: ExportArgument,
    /// Write the games that people played with `leitai play`, as PGN; `-` is standard output.
    #[arg(long, value_name = "FILE", allow_hyphen_values = true, conflicts_with_all = ["pgn", "html", "run"])]
    human: Option<PathBuf>,
    /// List the runs in the record.
    #[arg(long, conflicts_with_all = ["pgn", "run"])]
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

    /// Returns whether an option selects games.
    fn selects(&self) -> bool {
        self.games.is_some() || self.player.is_some() || self.against.is_some()
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
    if arguments.selects() && arguments.pgn.is_none() && arguments.html.is_none() {
        bail!("--games, --player and --against select the games of --pgn and --html: give one")
    }
    if let Some(tune) = plan.tune() {
        if arguments.selects() {
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
    let mut files = CommandFiles::recording([&arguments.record]);
    let mut outputs = arguments.outputs.prepare(&mut files)?;
    outputs.times = arguments.times;
    let pgn = arguments.pgn.as_deref();
    let pgn = pgn.map(|file| files.prepare_or_stdout(file)).transpose()?;
    let page = json_output::prepare("html", arguments.html.as_deref(), &mut files)?;
    outputs.taken |= is_printed(page.as_ref()) || is_printed(pgn.as_ref());
    let recorded = Recorded {
        arguments,
        plan,
        store,
        entry,
    };
    let of_page = recorded.filter(GameSelection::default())?;
    let of_pgn = recorded.filter(GameSelection::All)?;
    let written = pgn.map_or(Ok(()), |file| recorded.export(file, of_pgn));
    let page = page.map_or(Ok(()), |file| recorded.write_page(file, of_page));
    // Prints the results even if a file cannot be written.
    all([recorded.print_results(outputs), written, page])?;
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

/// Ends an export of games. A broken pipe is not an error: the reader has seen enough.
fn finish_export(writing: Writing, written: Result<(), ExportError>) -> Result<(), Failure> {
    let finished = match written {
        Ok(()) => writing.finish(),
        Err(ExportError::Write(error)) => Err(writing.blame(error)),
        Err(other) => Err(other.into()),
    };
    finished.or_else(|error| {
        if is_broken_pipe(&error) {
            Ok(())
        } else {
            Err(error)
        }
    })
}

/// Reports a tune, and writes its games.
fn report_tune(
    arguments: &Arguments,
    tune: TunePlan<'_>,
    store: &Store,
    entry: &RunEntry,
) -> Outcome {
    let mut files = CommandFiles::recording([&arguments.record]);
    let json = Json::prepare(arguments.outputs.json.as_ref(), &mut files)?;
    let pgn = arguments.pgn.as_deref();
    let pgn = pgn.map(|file| files.prepare_or_stdout(file)).transpose()?;
    let page = json_output::prepare("html", arguments.html.as_deref(), &mut files)?;
    let exports = arguments.export.prepare(&mut files, tune.tune)?;
    let mut is_taken = is_printed(pgn.as_ref());
    if page.is_some() || arguments.export.is_given() {
        let config = config_words(&entry.meta.source_name);
        let record = path_word(&arguments.record);
        let command = format!("{} tune {config} --store {record}", program::name());
        let report = recorded_report(tune, store, entry, &command, reader())?;
        if let Some(file) = page {
            is_taken |= file.is_stdout();
            write_output(file, &html(&report))?;
        }
        is_taken |= exports.are_printed();
        let before = &report.before;
        exports.write(tune.tune, before, [before, &report.after])?;
    }
    let mut report = Ok(Exit::Success);
    if !is_taken {
        let times = arguments.times;
        report = recorded_tune::report(tune, store, entry, (&arguments.record, times), json);
    }
    let Some(file) = pgn else {
        return report;
    };
    let mut writing = file.begin()?;
    let notation = arguments.notation.as_deref().unwrap_or_default();
    let notation = tune.config.game.card.facts().pgn.notation(notation);
    let mut any = false;
    let written = tune_games(tune, store, &entry.handle, arguments.wanted(), |game| {
        any = true;
        writeln!(writing.raw(), "{}", pgn_text(&game, notation)).map_err(ExportError::Write)
    });
    let written = match written {
        Ok(()) if !any => Err(anyhow!("{}", recorded_tune::NO_GAMES)),
        written => finish_export(writing, written),
    };
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

/// A recorded tournament or gate.
struct Recorded<'a> {
    arguments: &'a Arguments,
    plan: &'a Plan,
    store: &'a Store,
    entry: &'a RunEntry,
}

impl Recorded<'_> {
    /// Writes the page.
    fn write_page(&self, file: OutputFile, filter: GameFilter) -> Result<(), Failure> {
        let (plan, entry, record) = (self.plan, self.entry, &self.arguments.record);
        let commands = commands(program::name(), plan, entry, record);
        let page = recorded_page(plan, self.store, entry, filter, &commands)?;
        write_output(file, &page)
    }

    /// The selection of games; `usual` is its default.
    fn filter(&self, usual: GameSelection) -> Result<GameFilter, Failure> {
        let arguments = self.arguments;
        let selection = arguments.games.unwrap_or(usual);
        let players = [&arguments.player, &arguments.against].map(Option::as_deref);
        Ok(GameFilter::new(self.plan, selection, players)?)
    }

    /// The command that writes the games of a pairing, as a line; empty with a single pairing.
    fn games_command(&self, summary: &Summary) -> String {
        let [versus, _, ..] = &summary.pairings[..] else {
            return String::new();
        };
        let [one, two] = [&versus.first, &versus.second].map(|name| path_word(Path::new(name)));
        let (program, record) = (program::name(), path_word(&self.arguments.record));
        format!(
            "\ngames of two players: {program} report {record} --pgn - --player {one} --against {two}"
        )
    }

    fn print_results(&self, outputs: Prepared) -> Result<(), Failure> {
        let (plan, store, entry) = (self.plan, self.store, self.entry);
        if let Some(gate) = &plan.config.gate {
            let trials = Trials::of(gate, plan)?;
            let (trials, reach) = replay_record(trials, plan, store, &entry.handle)?;
            let name = &entry.meta.source_name;
            report_reach(&reach, false);
            return outputs.write(plan, &trials, None, reach.gap(), name);
        }
        let (standings, reach) = recorded_standings(plan, store, &entry.handle)?;
        let mut summary = Summary::new(plan, &standings);
        if self.arguments.times {
            summary.play.add_times(plan, &standings);
        }
        let summary = &summary;
        report_reach(&reach, false);
        if !outputs.json.is_printed() && !outputs.taken {
            print(&(render(summary) + &self.games_command(summary)))?;
        }
        let gap = reach.gap();
        outputs.json.write(&Reported { summary, gap })?;
        let markdown = outputs.markdown;
        markdown.map_or(Ok(()), |file| write_output(file, &render_markdown(summary)))
    }

    fn export(&self, file: OutputFile, filter: GameFilter) -> Result<(), Failure> {
        let (arguments, plan) = (self.arguments, self.plan);
        let is_alone = file.is_stdout();
        let mut writing = file.begin()?;
        let notation = arguments.notation.as_deref().unwrap_or_default();
        let notation = plan.config.game.card.facts().pgn.notation(notation);
        let (beyond, run, wanted) = (arguments.beyond, &self.entry.handle, arguments.wanted());
        let wanted = (wanted, filter);
        let written =
            write_games(plan, self.store, run, notation, wanted, writing.raw()).map(|reach| {
                // The results, if printed, report the pairs that are left out.
                if beyond || is_alone {
                    report_reach(&reach, beyond);
                }
            });
        finish_export(writing, written)
    }
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
