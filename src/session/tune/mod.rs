//! Numbers of a variant are adjusted: all stages of a tune, one after the other.

mod derive;
mod files;
mod games;
mod learn;
mod outlook;
mod page;
mod recorded;
mod results;
mod warm;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::bail;

use self::derive::Line;
pub use self::files::TuneFiles;
use self::files::command;
use self::learn::{TuneOutcome, learn};
use self::outlook::warn_of_proof;
use self::page::Page;
pub(crate) use self::recorded::recorded_report;
pub use self::results::{Challenger, Judgement, Learnt, Pool, TuneResults};
pub use self::warm::Figures;
use self::warm::{Stage, warm_start};
use super::books::Reader;
use super::event::{Event, StageOutcome};
use super::{Failure, Played, PlayerFails, Session, Stopped, StrictlyEnded, Verb, processors};
use crate::config::{Loaded, Tune, Variant, path_word};
use crate::output::Door;
use crate::play::Cancel;
use crate::player::watch_pauses;
use crate::report::Summary;
use crate::report::gate::GateSummary;
use crate::tournament::{Ending, Plan};

/// What is asked of a tune besides its config.
#[derive(Clone, Debug)]
pub struct TuneTask {
    /// The file of the config: those of the stages lie beside it.
    pub config: PathBuf,
    /// The files that the stages write.
    pub files: TuneFiles,
    /// Whether it is proven that the tuned variant has gained: the proof, the second one and
    /// the pool, as far as the config has them.
    pub proves: bool,
    /// Whether it is told beforehand what the stages are going to cost: some pairs are
    /// played for that, and not kept.
    pub previews: bool,
    /// The command that makes all of it again on another machine, for the page.
    pub command: String,
}

impl TuneTask {
    /// All stages of the config of that file, with files beside it.
    pub fn of(config: &Path) -> Self {
        Self {
            config: config.to_owned(),
            files: TuneFiles::of(config, None),
            proves: true,
            previews: false,
            command: format!("leitai tune {}", path_word(config)),
        }
    }
}

/// What a tune gave.
#[derive(Debug)]
pub struct TuneEnded {
    /// The stages that have ended.
    pub results: TuneResults,
    /// What stopped it before its end, if something did; the same task carries on.
    pub halt: Option<Halt>,
    /// Whether the page could be written: the rest is so, whatever became of it.
    pub page: Result<(), Failure>,
}

/// Why a tune was stopped. All games that were finished are recorded.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Halt {
    /// It was cancelled.
    #[error("stopped{0}")]
    Cancelled(
        /// In the middle of what: nothing, or words after a blank.
        String,
    ),
    /// The time was up.
    #[error("the time is up")]
    TimeUp,
    /// A player's failure stopped it, as the config asks.
    #[error(transparent)]
    Stopped(Stopped),
    /// A player was warned where games are played strictly.
    #[error(transparent)]
    Warned(StrictlyEnded),
    /// A player lost all its first games by its own failures.
    #[error(transparent)]
    Failing(PlayerFails),
}

/// Whether all games of a plan were played.
fn whole(plan: &Plan, ending: &Ending, cancel: &Cancel) -> Result<(), Halt> {
    match ending {
        Ending::Complete => Ok(()),
        Ending::Cancelled if cancel.is_time_up() => Err(Halt::TimeUp),
        Ending::Cancelled => Err(Halt::Cancelled(String::new())),
        Ending::Stopped(stop) => Err(Halt::Stopped(Stopped::in_pair(plan, stop))),
        Ending::Warned(_) => {
            StrictlyEnded::of(plan, ending).map_or(Ok(()), |ended| Err(Halt::Warned(ended)))
        }
    }
}

/// Says of a tune what is said before its first game: what is wrong with the configs that
/// its stages would be played from, and whether its proof can decide.
pub(crate) fn rehearse(config: &Path, loaded: &Loaded, reader: Reader<'_>) -> Result<(), Failure> {
    let files = TuneFiles::of(config, None);
    let line = Line::of(config, loaded, reader.games.cards())?;
    let proof = line.rehearse(&files, true, reader)?;
    warn_of_proof(&proof, reader.listener)
}

/// The config's tune.
pub(crate) fn terms_of(loaded: &Loaded) -> Result<&Tune, Failure> {
    let Some(tune) = &loaded.config.tune else {
        bail!(
            "{} has no `[tune]`, so that nothing says what to tune\n\
             help: replace its `[tournament]` or `[gate]`, if there is one, by\n\n  \
             [tune]\n  \
             games = 20000\n\n  \
             [[tune.parameter]]\n  \
             path = {:?}\n",
            loaded.warnings.name,
            loaded.config.game.card.facts().tuned_first,
        );
    };
    Ok(tune)
}

impl Session<'_> {
    /// Plays what is left of the stages of a tune: a fit and its gate, the games that values
    /// are learnt from, the proofs, and the games against the pool, as far as the config has
    /// them. Each is a run of the record, of a config that is written. The listener hears of
    /// what came of each ([`Event::Outcome`]).
    ///
    /// # Errors
    /// As of [`run`](Session::run); or the config has no `[tune]`, a stage could not be
    /// played, or a file cannot be written.
    pub fn tune(&self, loaded: &Loaded, task: &TuneTask) -> Result<TuneEnded, Failure> {
        let name = loaded.warnings.name.clone();
        let is_complete = |ended: &TuneEnded| ended.halt.is_none();
        let line = Line::of(&task.config, loaded, self.games.cards())?;
        let mut door = Door::of(&task.config, loaded);
        door.records(&self.store);
        task.files.prepare(&mut door, loaded)?;
        self.during(Verb::Tune, name, is_complete, || {
            let variant = line.start();
            let limits = variant.limits.unwrap_or(loaded.config.limits);
            let player = std::iter::once((variant, limits));
            let (force, listener) = (self.options.force, &*self.listener);
            processors::check(player, self.threads, force, listener)?;
            watch_pauses()?;
            let proof = line.rehearse(&task.files, task.proves, self.reader())?;
            outlook::tell(&line, &proof, self, task)?;
            Pipeline {
                task,
                session: self,
                line,
            }
            .run()
        })
    }

    /// Tells what came of a stage.
    fn tell_outcome(&self, outcome: StageOutcome) {
        self.listener.hear(&Event::Outcome(outcome));
    }
}

struct Pipeline<'a> {
    task: &'a TuneTask,
    session: &'a Session<'a>,
    line: Line<'a>,
}

impl Pipeline<'_> {
    fn tune(&self) -> &Tune {
        self.line.tune
    }

    /// Plays all stages, and writes the page about those that have ended, however the last
    /// one did.
    fn run(&self) -> Result<TuneEnded, Failure> {
        let mut results = TuneResults {
            store: self.session.store.clone(),
            ..TuneResults::default()
        };
        let mut page = Page::new(&self.line, self.task, &self.session.store);
        let played = self.play(&mut results, &mut page);
        let written = page.write().map(|files| {
            [results.report, results.trajectory] = files;
        });
        if let Some(file) = &results.report {
            let file = file.clone();
            self.session.tell_outcome(StageOutcome::Page { file });
        }
        let halt = match played {
            Ok(()) => {
                results.complete = true;
                None
            }
            Err(failure) => match failure.downcast::<Halt>() {
                Ok(halt) => {
                    if let Halt::Failing(fails) = &halt {
                        results.failing = Some(fails.clone());
                    }
                    Some(halt)
                }
                Err(failure) => {
                    if let Err(other) = written {
                        self.session.listener.warn(format!("{other:#}"));
                    }
                    return Err(failure);
                }
            },
        };
        let page = written;
        Ok(TuneEnded {
            results,
            halt,
            page,
        })
    }

    /// Plays one stage after the other.
    ///
    /// # Errors
    /// A [`Halt`], or why a stage cannot be played.
    fn play(&self, results: &mut TuneResults, page: &mut Page<'_>) -> Result<(), Failure> {
        let start = self.line.start();
        let listener = &*self.session.listener;
        let from = self.warm_start(results, page)?;
        let from = from.unwrap_or_else(|| start.clone());
        let mut offspring = Vec::new();
        let mut tuned = from.clone();
        if self.tune().games > 0 {
            if from != *start {
                offspring.push(self.line.fitted(&from));
            }
            let cancel = self.session.cancel;
            let left = cancel.time_left();
            if let Some(left) = left.filter(|_| self.task.proves) {
                // What is left after that is for the proofs.
                cancel.end_in(left * 3 / 4);
            }
            let begun = Instant::now();
            let (outcome, mut whole) = self.learn(&from)?;
            if let Some(left) = left {
                cancel.end_in(left.saturating_sub(begun.elapsed()));
            }
            if matches!(whole, Err(Halt::TimeUp)) && outcome.learnt.games > 0 {
                results.limited_by_time = true;
                listener.note(format!(
                    "the time for learning is up after {} of {} games: what they have taught goes on",
                    outcome.learnt.games,
                    self.tune().games
                ));
                whole = Ok(());
            }
            page.learnt(&outcome, &self.line);
            let learnt = outcome.learnt;
            self.session
                .tell_outcome(StageOutcome::Games(Box::new(learnt.clone())));
            results.learnt = Some(learnt);
            whole?;
            tuned = outcome.tuned;
            offspring.extend(self.line.checkpoints(&outcome.checkpoints));
        }
        if tuned == *start {
            listener.info("no value has changed, so that there is nothing to prove");
            return Ok(());
        }
        let tuned = self.line.tuned(&tuned);
        let file = &self.task.files.tuned;
        let loaded = self.line.proof(&tuned).write(file)?;
        results.tuned = Some(file.clone());
        let file = file.clone();
        self.session.tell_outcome(StageOutcome::Tuned { file });
        if !self.task.proves {
            return Ok(());
        }
        let (judgement, whole) = self.judge("proof", loaded, &self.task.files.tuned)?;
        page.judged("proof", &judgement);
        results.proof = Some(judgement);
        whole?;
        if let Some(second) = self.line.second(&tuned) {
            let file = self.task.files.other("second.toml");
            let (judgement, whole) = self.judge("second proof", second.write(&file)?, &file)?;
            page.judged("second proof", &judgement);
            results.second = Some(judgement);
            whole?;
        }
        offspring.push(tuned);
        if let Some(gauntlet) = self.line.pool(&offspring) {
            let file = self.task.files.other("pool.toml");
            let challengers = self.line.challengers(&offspring);
            let (pool, whole) = self.meet_pool(gauntlet.write(&file)?, file, challengers)?;
            page.met(&pool, &self.line);
            results.pool = Some(pool);
            whole?;
        }
        Ok(())
    }

    /// Fits numbers to games of the start; what was fitted, if it is to be gone on
    /// with: where games follow, only if a gate has accepted it.
    fn warm_start(
        &self,
        results: &mut TuneResults,
        page: &mut Page<'_>,
    ) -> Result<Option<Variant>, Failure> {
        let Some(texel) = &self.tune().texel else {
            return Ok(None);
        };
        let listener = &*self.session.listener;
        let store = self.session.open()?;
        let stage = Stage {
            file: &self.task.files.other("toml"),
            loaded: self.line.origin.loaded,
            store: &store,
            session: self.session,
        };
        let fit = warm_start(&stage, self.tune(), texel)?;
        store.close()?;
        page.fitted(&fit.figures, &fit.variant);
        self.session
            .tell_outcome(StageOutcome::Fit(Box::new(fit.figures.clone())));
        results.texel = Some(fit.figures);
        if fit.variant == *self.line.start() {
            listener.info("the fit has changed nothing");
            return Ok(None);
        }
        if self.tune().games == 0 {
            return Ok(Some(fit.variant));
        }
        let fitted = self.line.fitted(&fit.variant);
        let file = self.task.files.other("fitted.toml");
        let loaded = self.line.gate_of_fit(&fitted, texel).write(&file)?;
        let (judgement, whole) = self.judge("gate of the fit", loaded, &file)?;
        page.judged("gate of the fit", &judgement);
        let is_accepted = judgement.passed() == Some(true);
        results.gate = Some(judgement);
        whole?;
        if !is_accepted {
            listener.info("the fit is not accepted: the games begin from the start's values");
        }
        Ok(is_accepted.then_some(fit.variant))
    }

    /// Learns from games, beginning at `from`.
    fn learn(&self, from: &Variant) -> Result<(TuneOutcome, Result<(), Halt>), Failure> {
        let loaded = if from == self.line.start() {
            self.line.origin.loaded.clone()
        } else {
            let from = self.line.within_bounds(from);
            let fitted = self.line.fitted(&from);
            let file = self.task.files.other("polish.toml");
            self.line.polish(&fitted).write(&file)?
        };
        let pool = self.tune().pool.as_ref();
        let checkpoints = pool.map_or(0, |pool| pool.checkpoints);
        learn(loaded, from, self.session, checkpoints)
    }

    /// Plays a gate and tells its verdict.
    fn judge(
        &self,
        what: &str,
        loaded: Loaded,
        file: &Path,
    ) -> Result<(Judgement, Result<(), Halt>), Failure> {
        self.announce(what, "gate", file);
        let Played {
            plan,
            ending,
            so_far: trials,
        } = self.session.trial(loaded, false)?;
        let judgement = Judgement {
            run: plan.id().to_owned(),
            file: file.to_owned(),
            summary: GateSummary::new(&plan, &trials),
            verdict: trials.verdict(),
        };
        self.session.tell_outcome(StageOutcome::Gate {
            what: what.to_owned(),
            judgement: Box::new(judgement.clone()),
        });
        Ok((judgement, whole(&plan, &ending, self.session.cancel)))
    }

    /// Plays the gauntlet against the pool; of each challenger it is known how many games
    /// its values were learnt from.
    fn meet_pool(
        &self,
        loaded: Loaded,
        file: PathBuf,
        challengers: Vec<(String, Option<u64>)>,
    ) -> Result<(Pool, Result<(), Halt>), Failure> {
        self.announce("pool", "run", &file);
        let Played {
            plan,
            ending,
            so_far: standings,
        } = self.session.tournament(loaded)?;
        let summary = Summary::new(&plan, &standings);
        let measured = challengers.into_iter().filter_map(|(name, learnt_from)| {
            let row = summary.variants.iter().find(|row| row.name == name)?;
            Some(Challenger {
                learnt_from,
                games: row.results.estimate.games,
                elo: row.results.estimate.elo,
                name,
            })
        });
        let pool = Pool {
            run: plan.id().to_owned(),
            file,
            challengers: measured.collect(),
        };
        self.session
            .tell_outcome(StageOutcome::Pool(Box::new(pool.clone())));
        let ended = match PlayerFails::of(&plan, &standings) {
            Some(fails) => Err(Halt::Failing(fails)),
            None => whole(&plan, &ending, self.session.cancel),
        };
        Ok((pool, ended))
    }

    /// Tells which stage begins, and how it is played by itself.
    fn announce(&self, what: &str, verb: &str, file: &Path) {
        let command = command(verb, file, &self.session.store);
        self.session
            .listener
            .detail(format!("the {what}: {command}"));
    }
}
