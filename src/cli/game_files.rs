//! The games of a run as PGN, and the page about it: files that `report` writes from a record, and the commands that
//! play when they have ended.

use super::prelude::*;
use super::recorded::{open_recorded, report_reach, restored_plan};
use super::recorded_tune::NO_GAMES;
use super::terminal::is_broken_pipe;
use leitai_config::{Config, config_words, path_word};
use leitai_interchange::pgn::pgn_text;
use leitai_report::page::{commands, recorded_page};
use leitai_report::tune::html;
use leitai_report::{
    Export, ExportError, GameFilter, GameSelection, find_player, tune_games, write_games,
};
use leitai_runs::tournament::TunePlan;
use leitai_session::output::Writing;
use leitai_session::tune::recorded_report;

/// Options for the games and the page of a run.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Output")]
pub(super) struct GameArguments {
    /// Write the games in schedule order as PGN; `-` is standard output.
    #[arg(long, value_name = "FILE", allow_hyphen_values = true)]
    pgn: Option<PathBuf>,
    /// Notation of the moves in PGN; by default the usual one of the game.
    #[arg(hide_short_help = true, long, value_parser = games::notations())]
    notation: Option<String>,
    /// Print a page with the results and the games for a browser. It is one file, which loads nothing from a network.
    #[arg(long)]
    html: Option<PathBuf>,
}

/// The choice of the games in the files.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Output")]
pub(super) struct SelectionArgument {
    /// The games of --pgn and --html: `all`, `lost` or a number. `lost` are those that the player lost, 1000 at most; a
    /// number of games is taken as whole pairs, spread over the run. By default all, and 1000 on a page.
    #[arg(hide_short_help = true, long, value_name = "GAMES")]
    games: Option<GameSelection>,
    /// Only the games of this player; by default the player is the first variant, or the candidates
    /// of a gate.
    #[arg(hide_short_help = true, long, value_name = "NAME")]
    player: Option<String>,
    /// Only the player's games against this opponent.
    #[arg(hide_short_help = true, long, value_name = "NAME")]
    against: Option<String>,
}

impl SelectionArgument {
    /// Returns whether an option selects games.
    pub(super) fn is_given(&self) -> bool {
        self.games.is_some() || self.player.is_some() || self.against.is_some()
    }

    /// Refuses a selection that has no effect, and unknown players.
    pub(super) fn check(&self, files: &GameFiles, config: &Config) -> Result<(), Failure> {
        if self.is_given() && !files.are_given() {
            bail!("--games, --player and --against select the games of --pgn and --html: give one")
        }
        let names: Vec<String> = config.variants.iter().map(|it| it.name.clone()).collect();
        for name in self.player.iter().chain(&self.against) {
            find_player(&names, name)?;
        }
        Ok(())
    }

    /// The filter for a plan; `usual` is the default selection.
    fn filter(&self, plan: &Plan, usual: GameSelection) -> Result<GameFilter, Failure> {
        let players = [&self.player, &self.against].map(Option::as_deref);
        Ok(GameFilter::new(plan, self.games.unwrap_or(usual), players)?)
    }
}

/// The requested files.
pub(super) struct GameFiles {
    /// The index of the notation among those of the game.
    notation: usize,
    pgn: Option<OutputFile>,
    page: Option<OutputFile>,
}

impl GameArguments {
    /// Refuses files that cannot be written, and a notation that the game does not have, before any
    /// game.
    pub(super) fn prepare(
        &self,
        card: Card,
        files: &mut CommandFiles,
    ) -> Result<GameFiles, Failure> {
        let pgn = self.pgn.as_deref();
        Ok(GameFiles {
            notation: games::notation(card, self.notation.as_deref())?,
            pgn: pgn.map(|file| files.prepare_or_stdout(file)).transpose()?,
            page: json_output::prepare("html", self.html.as_deref(), files)?,
        })
    }
}

impl GameFiles {
    /// Returns whether standard output is one of the files.
    pub(super) fn are_printed(&self) -> bool {
        is_printed(self.page.as_ref()) || is_printed(self.pgn.as_ref())
    }

    fn are_given(&self) -> bool {
        self.pgn.is_some() || self.page.is_some()
    }

    /// Writes the files after a run with this id.
    pub(super) fn write_after(
        self,
        record: &Path,
        plan: &Plan,
        selection: &SelectionArgument,
    ) -> Result<(), Failure> {
        if !self.are_given() {
            return Ok(());
        }
        let (store, entry) = open_recorded(record, Some(plan.id()))?;
        let wanted = (Export::default(), selection);
        self.write(plan, &store, &entry, record, wanted)
    }

    /// Writes the files after a tune, whose games are this run.
    pub(super) fn write_after_tune(self, record: &Path, run: Option<&str>) -> Result<(), Failure> {
        if !self.are_given() {
            return Ok(());
        }
        let run = run.context(NO_GAMES)?;
        let (store, entry) = open_recorded(record, Some(run))?;
        let plan = restored_plan(&store, &entry)?;
        let tune = plan.tune().context(NO_GAMES)?;
        self.write_tune(tune, &store, &entry, record, Export::default())
    }

    /// Writes the files of a recorded tournament or gate.
    pub(super) fn write(
        self,
        plan: &Plan,
        store: &Store,
        entry: &RunEntry,
        record: &Path,
        (wanted, selection): (Export, &SelectionArgument),
    ) -> Result<(), Failure> {
        let of_games = selection.filter(plan, GameSelection::All)?;
        let of_page = selection.filter(plan, GameSelection::default())?;
        let notation = self.notation;
        let games = self.pgn.map_or(Ok(()), |file| {
            let is_alone = file.is_stdout();
            let mut writing = file.begin()?;
            let run = &entry.handle;
            let written = write_games(
                plan,
                store,
                run,
                notation,
                (wanted, of_games),
                writing.raw(),
            );
            // The results, if printed, report the pairs that are left out.
            let written = written.map(|reach| {
                if wanted.beyond || is_alone {
                    report_reach(&reach, wanted.beyond);
                }
            });
            finish_export(writing, written)
        });
        let page = self.page.map_or(Ok(()), |file| {
            let commands = commands(program::name(), plan, entry, record);
            let page = recorded_page(plan, store, entry, of_page, &commands)?;
            write_output(file, &page)
        });
        all([games, page])
    }

    /// Writes the files of a recorded tune.
    pub(super) fn write_tune(
        self,
        tune: TunePlan<'_>,
        store: &Store,
        entry: &RunEntry,
        record: &Path,
        wanted: Export,
    ) -> Result<(), Failure> {
        let notation = self.notation;
        let page = self.page.map_or(Ok(()), |file| {
            let report = recorded_report(tune, store, entry, &command(entry, record), reader())?;
            write_output(file, &html(&report))
        });
        let games = self.pgn.map_or(Ok(()), |file| {
            let mut writing = file.begin()?;
            let mut any = false;
            let written = tune_games(tune, store, &entry.handle, wanted, |game| {
                any = true;
                writeln!(writing.raw(), "{}", pgn_text(&game, notation)).map_err(ExportError::Write)
            });
            match written {
                Ok(()) if !any => Err(anyhow!("{NO_GAMES}")),
                written => finish_export(writing, written),
            }
        });
        all([page, games])
    }
}

/// The command that repeats a tune from its record.
pub(super) fn command(entry: &RunEntry, record: &Path) -> String {
    let config = config_words(&entry.meta.source_name);
    format!(
        "{} tune {config} --store {}",
        program::name(),
        path_word(record)
    )
}

/// Ends an export of games. A broken pipe is not an error: the reader has seen enough.
pub(super) fn finish_export(
    writing: Writing,
    written: Result<(), ExportError>,
) -> Result<(), Failure> {
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
