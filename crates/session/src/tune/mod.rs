//! Tunes numbers of a variant, with all stages of a tune in sequence.

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
pub use self::recorded::recorded_report;
pub use self::results::{Challenger, Judgement, Learnt, Pool, TuneResults};
pub use self::warm::Figures;
use self::warm::{Stage, warm_start};
use super::books::Reader;
use super::event::{Event, StageOutcome};
use super::{Failure, Played, PlayerFails, Session, Stopped, StrictlyEnded, Verb, processors};
use crate::output::Door;
use leitai_config::{Loaded, Tune, Variant, path_word};
use leitai_players::play::Cancel;
use leitai_players::player::watch_pauses;
use leitai_runs::figures::Summary;
use leitai_runs::figures::gate::GateSummary;
use leitai_runs::figures::tune::{RenderedTune, TuneReport};
use leitai_runs::tournament::{Ending, Plan};

/// The options of a tune in addition to its config.
#[derive(Clone, Debug)]
pub struct TuneTask {
    /// Path of the config; the files of the stages are in the same directory.
    pub config: PathBuf,
    /// The files that the stages write.
    pub files: TuneFiles,
    /// True to prove that the tuned variant has gained: the proof, the second one and the pool, if
    /// the config has them.
    pub proves: bool,
    /// True to estimate the cost of the stages beforehand; some pairs are played for this and not
    /// recorded.
    pub previews: bool,
    /// The command that repeats the tune on another machine, for the page.
    pub command: String,
    /// Renders the page and the trajectory of the stages so far; without it none are written.
    pub render: Option<fn(&TuneReport) -> RenderedTune>,
}

impl TuneTask {
    /// All stages of the config, with files in its directory.
    pub fn of(config: &Path) -> Self {
        Self {
            config: config.to_owned(),
            files: TuneFiles::of(config, None),
            proves: true,
            previews: false,
            command: format!("leitai tune {}", path_word(config)),
            render: None,
        }
    }
}

/// The result of a tune.
#[derive(Debug)]
pub struct TuneEnded {
    /// The finished stages.
    pub results: TuneResults,
    /// The reason for an early end, if any; the same task continues.
    pub halt: Option<Halt>,
    /// The result of writing the page, which does not affect the other results.
    pub page: Result<(), Failure>,
}

/// The reason for the early end of a tune. All finished games are recorded.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Halt {
    /// The user cancelled the tune.
    #[error("stopped{0}")]
    Cancelled(
        /// The interrupted stage: empty, or words after a blank.
        String,
    ),
    /// The time limit was reached.
    #[error("the time is up")]
    TimeUp,
    /// A player's failure stopped the tune, as the config requires.
    #[error(transparent)]
    Stopped(Stopped),
    /// A player received a warning in strict mode.
    #[error(transparent)]
    Warned(StrictlyEnded),
    /// A player lost all its first games by its own failures.
    #[error(transparent)]
    Failing(PlayerFails),
}

/// Returns `Ok` if all games of a plan were played.
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

/// Checks a tune before its first game: reports errors in the configs of its stages, and warns if
/// its proof cannot decide.
///
/// # Errors
/// The config of a stage is not valid.
pub fn rehearse(config: &Path, loaded: &Loaded, reader: Reader<'_>) -> Result<(), Failure> {
    let files = TuneFiles::of(config, None);
    let line = Line::of(config, loaded, reader.games.cards())?;
    let proof = line.rehearse(&files, true, reader)?;
    warn_of_proof(&proof, reader.listener)
}

/// Returns the config's tune.
///
/// # Errors
/// The config has no tune.
pub fn terms_of(loaded: &Loaded) -> Result<&Tune, Failure> {
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
    /// Plays the remaining stages of a tune, as far as the config has them: a fit and its gate, the
    /// games for learning, the proofs, and the games against the pool. Each is a run of the record,
    /// with a config that is written to a file. The listener receives the result of each
    /// ([`Event::Outcome`]).
    ///
    /// # Errors
    /// As for [`run`](Session::run); or the config has no `[tune]`, a stage could not be played, or
    /// a file cannot be written.
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

    /// Reports the result of a stage.
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

    /// Plays all stages, and writes the page about the finished ones, even after a failure.
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

    /// Plays the stages in sequence.
    ///
    /// # Errors
    /// A [`Halt`], or the error of a stage.
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
                // Reserves a quarter of the time for the proofs.
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

    /// Fits numbers to games of the start. Returns the fitted variant if the tune continues from
    /// it: if games follow, only after a gate has accepted it.
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

    /// Learns from games, starting at `from`.
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

    /// Plays a gate and reports its verdict.
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

    /// Plays the gauntlet against the pool. Each challenger is given with the number of games from
    /// which its values were learned.
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

    /// Reports the next stage, and the command that plays it separately.
    fn announce(&self, what: &str, verb: &str, file: &Path) {
        let command = command(verb, file, &self.session.store);
        self.session
            .listener
            .detail(format!("the {what}: {command}"));
    }
}
