//! Tunes numbers of a variant, with all stages of a tune in sequence.

mod files;
mod games;
mod generations;
mod outlook;
mod page;
mod results;
mod stage_configs;
mod warm;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::bail;

pub use self::files::TuneFiles;
use self::files::command;
use self::games::TuneOutcome;
pub use self::generations::{Generation, SeriesEnd};
use self::outlook::warn_of_proof;
pub use self::page::recorded_report;
use self::page::{Page, add_games, proofs};
pub use self::results::{Challenger, GateOutcome, LearningResult, Pool, TuneResults};
use self::stage_configs::{DerivedVariant, StageConfigs};
pub use self::warm::Figures;
use self::warm::{Stage, warm_start};
use super::books::Reader;
use super::event::{Event, StageOutcome};
use super::{EarlyEnd, Failure, MissingSection, PlayerFails, Session, Verb};
use crate::output::CommandFiles;
use leitai_config::{Loaded, Tune, Variant, path_word};
use leitai_players::play::Cancel;
use leitai_players::player::watch_pauses;
use leitai_runs::figures::Summary;
use leitai_runs::figures::gate::GateSummary;
use leitai_runs::figures::tune::{RenderedTune, TuneReport};
use leitai_runs::gate::Verdict;
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
    /// The name of the program in commands.
    pub program: String,
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
            program: "leitai".to_owned(),
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
    /// The tuned variant so far, under the name of the start.
    pub tuned: Variant,
    /// The tune that found its values, and its start: those of a generation in a series.
    pub origin: (Tune, Variant),
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
    #[error("the time limit was reached")]
    TimeUp,
    /// A player's failure or warning stopped the tune.
    #[error(transparent)]
    Early(Box<EarlyEnd>),
    /// A player lost all its first games by its own failures.
    #[error(transparent)]
    Failing(Box<PlayerFails>),
}

impl Halt {
    /// The halt of a cancelled stage; `when` is empty, or words after a blank.
    fn cancelled(cancel: &Cancel, when: &str) -> Self {
        if cancel.is_time_up() {
            Self::TimeUp
        } else {
            Self::Cancelled(when.to_owned())
        }
    }
}

/// Returns `Ok` if all games of a plan were played.
fn ensure_complete(plan: &Plan, ending: &Ending, cancel: &Cancel) -> Result<(), Halt> {
    match EarlyEnd::of(plan, ending) {
        Some(early) => Err(Halt::Early(Box::new(early))),
        None if *ending == Ending::Cancelled => Err(Halt::cancelled(cancel, "")),
        None => Ok(()),
    }
}

/// Checks a tune before its first game: reports errors in the configs of its stages, and warns if
/// its proof cannot decide.
///
/// # Errors
/// The config of a stage is not valid.
pub fn check_stages(config: &Path, loaded: &Loaded, reader: Reader<'_>) -> Result<(), Failure> {
    let files = TuneFiles::of(config, None);
    let configs = StageConfigs::of(config, loaded, &reader.games.cards)?;
    let proof = configs.check_stages(&files, true, reader)?;
    warn_of_proof(&proof, reader.listener)
}

/// Returns the config's tune.
///
/// # Errors
/// The config has no tune.
pub fn tune_of(loaded: &Loaded) -> Result<&Tune, Failure> {
    let Some(tune) = &loaded.config.tune else {
        bail!(MissingSection(format!(
            "{} has no `[tune]` table with numbers to tune\n\
             help: replace its `[tournament]` or `[gate]`, if there is one, by\n\n  \
             [tune]\n  \
             games = 20000\n\n  \
             [[tune.parameter]]\n  \
             path = {:?}\n",
            loaded.warnings.name,
            loaded.config.game.card.facts().tuned_first,
        )));
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
        let configs = StageConfigs::of(&task.config, loaded, &self.games.cards)?;
        if configs.tune.generations.is_some() && !task.proves {
            bail!(
                "`[tune.generations]` without proofs: only a proof decides which variant begins \
                 the next generation\n\
                 help: leave out `--no-proof`"
            );
        }
        let mut all_files = CommandFiles::of(&task.config, loaded);
        all_files.records(&self.store);
        task.files.prepare(&mut all_files, loaded)?;
        self.report_session(Verb::Tune, name, is_complete, || {
            self.check_machine(&loaded.config)?;
            watch_pauses()?;
            let proof = configs.check_stages(&task.files, task.proves, self.reader())?;
            outlook::report(&configs, &proof, self, task)?;
            let pipeline = Pipeline::new(task, self, configs, false);
            pipeline.run().map(|(ended, _)| ended)
        })
    }

    /// Reports the result of a stage.
    fn send_outcome(&self, outcome: StageOutcome) {
        self.listener.notify(&Event::Outcome(outcome));
    }
}

struct Pipeline<'a> {
    task: &'a TuneTask,
    session: &'a Session<'a>,
    configs: StageConfigs<'a>,
    results: TuneResults,
    page: Page<'a>,
    /// The tune that found the values, and its start.
    origin: (Tune, Variant),
    /// True for one of several generations: a time limit pauses it, so that its result does not
    /// depend on time.
    is_generation: bool,
}

impl<'a> Pipeline<'a> {
    /// Creates the pipeline before its first stage.
    fn new(
        task: &'a TuneTask,
        session: &'a Session<'a>,
        configs: StageConfigs<'a>,
        is_generation: bool,
    ) -> Self {
        Self {
            page: Page::new(&configs, task, &session.store),
            origin: (configs.tune.clone(), configs.start().clone()),
            task,
            session,
            configs,
            results: TuneResults {
                store: session.store.clone(),
                ..TuneResults::default()
            },
            is_generation,
        }
    }

    /// Plays all stages, and writes the page about the finished ones, even after a failure. Also
    /// returns the page's data.
    fn run(mut self) -> Result<(TuneEnded, TuneReport), Failure> {
        let played = self.play();
        let page = self.page.write().map(|files| {
            [self.results.report, self.results.trajectory] = files;
        });
        if let Some(file) = self.results.report.clone() {
            self.session.send_outcome(StageOutcome::Page { file });
        }
        let halt = match played.map_err(Failure::downcast::<Halt>) {
            Ok(()) => {
                self.results.complete = true;
                None
            }
            Err(Ok(halt)) => {
                if let Halt::Failing(fails) = &halt {
                    self.results.failing = Some(PlayerFails::clone(fails));
                }
                Some(halt)
            }
            Err(Err(failure)) => {
                if let Err(other) = page {
                    self.session.listener.warn(format!("{other:#}"));
                }
                return Err(failure);
            }
        };
        let ended = TuneEnded {
            tuned: self.page.report.after.clone(),
            origin: self.origin,
            results: self.results,
            halt,
            page,
        };
        Ok((ended, self.page.report))
    }

    /// Plays the stages in sequence.
    ///
    /// # Errors
    /// A [`Halt`], or the error of a stage.
    fn play(&mut self) -> Result<(), Failure> {
        if let Some(limits) = &self.configs.tune.generations {
            return self.play_generations(limits);
        }
        let start = self.configs.start();
        let from = self.warm_start()?.unwrap_or_else(|| start.clone());
        let mut derived = Vec::new();
        let mut tuned = from.clone();
        if self.configs.tune.games > 0 {
            if from != *start {
                derived.push(self.configs.fitted(&from));
            }
            let outcome = self.learn(&from)?;
            tuned = outcome.tuned;
            derived.extend(self.configs.checkpoints(&outcome.checkpoints));
        }
        if tuned == *start {
            let listener = &self.session.listener;
            listener.info("no value has changed: no proof is needed");
            return Ok(());
        }
        if !self.task.proves {
            // The page keeps the proofs that an earlier command has recorded.
            let store = self.session.open()?;
            let recorded = proofs([start, &tuned], &store, self.session.reader())?;
            self.page.report.stages.extend(recorded);
            store.close()?;
        }
        let tuned = self.configs.tuned(&tuned);
        let file = self.task.files.tuned.clone();
        let loaded = self.configs.proof(&tuned).write(&file)?;
        self.results.tuned = Some(file.clone());
        let outcome = StageOutcome::Tuned { file: file.clone() };
        self.session.send_outcome(outcome);
        if !self.task.proves {
            return Ok(());
        }
        self.judge("proof", loaded, file, |results| &mut results.proof)?;
        if let Some(second) = self.configs.second(&tuned) {
            let file = self.task.files.other("second.toml");
            let loaded = second.write(&file)?;
            self.judge("second proof", loaded, file, |results| &mut results.second)?;
        }
        derived.push(tuned);
        self.play_pool(&derived)
    }

    /// Plays the start and variants derived from it against the pool, if the config has one.
    fn play_pool(&mut self, derived: &[DerivedVariant]) -> Result<(), Failure> {
        let Some(gauntlet) = self.configs.pool(derived) else {
            return Ok(());
        };
        let file = self.task.files.other("pool.toml");
        let challengers = self.configs.challengers(derived);
        self.meet_pool(gauntlet.write(&file)?, file, challengers)
    }

    /// Fits numbers to games of the start. Returns the fitted variant if the tune continues from
    /// it: if games follow, only after a gate has accepted it.
    fn warm_start(&mut self) -> Result<Option<Variant>, Failure> {
        let tune = self.configs.tune;
        let Some(texel) = &tune.texel else {
            return Ok(None);
        };
        let listener = &*self.session.listener;
        let store = self.session.open()?;
        let stage = Stage {
            file: &self.task.files.other("toml"),
            origin: &self.configs.origin,
            store: &store,
            session: self.session,
        };
        let fit = warm_start(&stage, tune, texel)?;
        store.close()?;
        self.page.add_fit(&fit.figures, &fit.variant);
        let figures = Box::new(fit.figures.clone());
        self.session.send_outcome(StageOutcome::Fit(figures));
        self.results.texel = Some(fit.figures);
        if fit.variant == *self.configs.start() {
            listener.info("the fit changed no value");
            return Ok(None);
        }
        if tune.games == 0 {
            return Ok(Some(fit.variant));
        }
        let fitted = self.configs.fitted(&fit.variant);
        let file = self.task.files.other("fitted.toml");
        let loaded = self.configs.gate_of_fit(&fitted, texel).write(&file)?;
        let passed = self.judge("gate of the fit", loaded, file, |results| &mut results.gate)?;
        if passed == Some(true) {
            return Ok(Some(fit.variant));
        }
        self.page.report.after = self.configs.start().clone();
        listener.info("the gate does not accept the fit: the games begin from the start's values");
        Ok(None)
    }

    /// Learns from games, starting at `from`. If the time limit ends the games, the tune continues
    /// with the values so far.
    fn learn(&mut self, from: &Variant) -> Result<TuneOutcome, Failure> {
        let configs = &self.configs;
        let loaded = if from == configs.start() {
            configs.origin.loaded.clone()
        } else {
            let fitted = configs.fitted(&configs.within_bounds(from));
            let file = self.task.files.other("polish.toml");
            configs.of_command(configs.polish(&fitted).write(&file)?)
        };
        let (cancel, begun) = (self.session.cancel, Instant::now());
        let left = cancel.time_left();
        let has_share = self.task.proves && !self.is_generation;
        if let Some(left) = left.filter(|_| has_share) {
            // Reserves a quarter of the time for the proofs.
            cancel.end_in(left * 3 / 4);
        }
        let pool = configs.tune.pool.as_ref();
        let checkpoints = pool.map_or(0, |pool| pool.checkpoints);
        let (outcome, mut whole) = self.session.learn(loaded, from, checkpoints)?;
        if let Some(left) = left {
            cancel.end_in(left.saturating_sub(begun.elapsed()));
        }
        let learning = &outcome.learning;
        if matches!(whole, Err(Halt::TimeUp)) && learning.games > 0 && !self.is_generation {
            self.results.limited_by_time = true;
            self.session.listener.note(format!(
                "the time for learning is up after {} of {} games: the tune continues with their \
                 values",
                learning.games, configs.tune.games
            ));
            whole = Ok(());
        }
        let (trajectory, tuned) = (outcome.trajectory.clone(), outcome.tuned.clone());
        add_games(&mut self.page.report, learning, trajectory, tuned, None);
        let event = StageOutcome::Games(Box::new(learning.clone()));
        self.session.send_outcome(event);
        self.results.learning = Some(learning.clone());
        whole?;
        Ok(outcome)
    }

    /// Plays a gate, reports its verdict, and puts it where `place` says. Returns whether the
    /// candidate passes; `None` if undecided.
    fn judge(
        &mut self,
        name: &str,
        loaded: Loaded,
        file: PathBuf,
        place: impl FnOnce(&mut TuneResults) -> &mut Option<GateOutcome>,
    ) -> Result<Option<bool>, Failure> {
        self.announce(name, "gate", &file);
        let played = self.session.trial(loaded, false)?;
        let (plan, trials) = (played.plan, played.so_far);
        let judgement = GateOutcome {
            run: plan.id().to_owned(),
            file,
            summary: GateSummary::new(&plan, &trials),
            verdict: trials.verdict(),
        };
        self.session.send_outcome(StageOutcome::Gate {
            what: name.to_owned(),
            judgement: Box::new(judgement.clone()),
        });
        self.page.add_gate(name, &judgement);
        *place(&mut self.results) = Some(judgement);
        ensure_complete(&plan, &played.ending, self.session.cancel)?;
        Ok(trials.verdict().and_then(Verdict::passed))
    }

    /// Plays the gauntlet against the pool. Each challenger is given with the number of games from
    /// which its values were learned.
    fn meet_pool(
        &mut self,
        loaded: Loaded,
        file: PathBuf,
        challengers: Vec<(String, Option<u64>)>,
    ) -> Result<(), Failure> {
        self.announce("pool", "run", &file);
        let played = self.session.tournament(loaded)?;
        let plan = played.plan;
        let summary = Summary::new(&plan, &played.so_far);
        let measured = challengers.into_iter().filter_map(|(name, learned_games)| {
            let row = summary.variants.iter().find(|row| row.name == name)?;
            Some(Challenger {
                learned_games,
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
        let event = StageOutcome::Pool(Box::new(pool.clone()));
        self.session.send_outcome(event);
        self.page.add_pool(&pool);
        self.results.pool = Some(pool);
        if let Some(fails) = PlayerFails::of(&plan, &played.so_far) {
            return Err(Halt::Failing(Box::new(fails)).into());
        }
        Ok(ensure_complete(&plan, &played.ending, self.session.cancel)?)
    }

    /// Reports the next stage, and the command that plays it separately.
    fn announce(&self, stage: &str, verb: &str, file: &Path) {
        let command = command(&self.task.program, verb, file, &self.session.store);
        let listener = &self.session.listener;
        listener.detail(format!("the {stage}: {command}"));
    }
}
