//! Runs of a record for lists of runs, with their figures.

use serde::Serialize;

use super::recorded::{Kind, State, recorded_config, recorded_pairs, recorded_plan, state_of};
use super::{Failure, Reader, StageResults};
use leitai_config::run_name;
use leitai_game::card::Games;
use leitai_players::play::PairRecord;
use leitai_runs::figures::Summary;
use leitai_runs::figures::gate::{GateSummary, needed_by_all, strength};
use leitai_runs::gate::{Trials, Verdict};
use leitai_runs::store::{RunEntry, RunMeta, Store, StoreError};
use leitai_runs::tournament::{Fold, Plan, Standings};
use leitai_stats::Ranged;

/// A run of a record.
#[derive(Clone, Debug, Serialize)]
pub struct ListedRun {
    /// Its identity.
    pub run: String,
    /// Its name for people.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// Name of the game.
    pub game: String,
    /// The config with its overrides, as given.
    pub config: String,
    /// Its limits; `None` if this version cannot read the config.
    pub limits: Option<String>,
    /// Names of the variants, in the order of the config.
    pub variants: Vec<String>,
    /// Recorded pairs.
    pub recorded: u64,
    /// Pairs in the whole schedule.
    pub pairs: u64,
    /// Its state.
    pub state: State,
    /// Its figures.
    #[serde(flatten)]
    pub figures: RunFigures,
    /// The reason for missing figures of a gate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Remaining time of a run in progress, in seconds; `None` if unknown.
    pub seconds_to_go: Option<f64>,
    /// The start of the run, in UTC.
    pub begun: Option<String>,
}

/// Figures of a run; without any for a tune.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RunFigures {
    /// The verdict of a gate that has one.
    pub verdict: Option<Verdict>,
    /// The strength of the first variant or candidate.
    pub elo: Option<ListedElo>,
    /// Pairs that a gate still needs at its present trend, if known.
    #[serde(skip)]
    needed: Option<u64>,
}

/// The strength of a variant against another.
#[derive(Clone, Debug, Serialize)]
pub struct ListedElo {
    /// The variant.
    pub of: String,
    /// Its opponent.
    pub against: String,
    /// Elo with its 95 % limits.
    #[serde(flatten)]
    pub elo: Ranged,
}

impl ListedRun {
    /// A run without its progress and figures, begun at that time.
    pub fn new(meta: &RunMeta, begun: Option<String>, games: &Games) -> Self {
        let loaded = recorded_config(meta, games).ok();
        let config = loaded.as_ref().map(|loaded| &loaded.config);
        Self {
            run: meta.id.clone(),
            name: run_name(&meta.source_name, &meta.variants),
            kind: Kind::of(config),
            game: meta.game.clone(),
            config: meta.source_name.clone(),
            limits: config.map(|config| config.limits.words()),
            variants: meta.variants.clone(),
            recorded: 0,
            pairs: meta.pairs,
            state: State::Stopped,
            figures: RunFigures::default(),
            error: None,
            seconds_to_go: None,
            begun,
        }
    }

    /// Updates the progress; an unfinished run gets the remaining time at the pace of its last
    /// pairs.
    ///
    /// # Errors
    /// The record cannot be read.
    pub fn update(&mut self, store: &Store, entry: &RunEntry) -> Result<(), StoreError> {
        self.recorded = recorded_pairs(store, entry)?;
        self.state = state_of(store, entry, self.recorded)?;
        if self.figures.verdict.is_some() {
            self.state = State::Finished;
        }
        self.seconds_to_go = None;
        if self.state == State::Playing {
            let left = match self.kind {
                Kind::Gate => self.figures.needed,
                Kind::Run | Kind::Tune => Some(self.pairs.saturating_sub(self.recorded)),
            };
            let pace = store.recent_pace(&entry.handle)?;
            self.seconds_to_go = left.zip(pace).map(|(pairs, pace)| pairs as f64 / pace);
        }
        Ok(())
    }
}

impl RunFigures {
    /// Reads the figures of a tournament or gate from its pairs; `counted` receives each pair that
    /// counts, with the standings after it.
    ///
    /// # Errors
    /// The record cannot be read.
    pub fn read(
        store: &Store,
        entry: &RunEntry,
        reader: Reader<'_>,
        counted: impl FnMut(&Plan, &Standings, &PairRecord),
    ) -> Result<Self, Failure> {
        let plan = recorded_plan(store, entry, reader)?;
        match &plan.config.gate {
            Some(gate) => Self::of_goal(Trials::of(gate, &plan)?, &plan, store, entry, counted),
            None => Self::of_goal(Standings::of(&plan), &plan, store, entry, counted),
        }
    }

    fn of_goal<G: StageResults>(
        goal: G,
        plan: &Plan,
        store: &Store,
        entry: &RunEntry,
        mut counted: impl FnMut(&Plan, &Standings, &PairRecord),
    ) -> Result<Self, Failure> {
        let fold = Fold::of_record(goal, plan, store, &entry.handle, |goal, pair| {
            counted(plan, goal.standings(), pair);
        })?;
        Ok(Self::new(plan, fold.goal()))
    }

    /// The figures of results.
    pub fn new(plan: &Plan, goal: &impl StageResults) -> Self {
        if let Some(trials) = goal.trials() {
            let gate = GateSummary::new(plan, trials);
            let first = gate.candidates.first();
            let elo = first.and_then(|candidate| {
                Some(ListedElo {
                    of: candidate.name.clone(),
                    against: gate.base.clone(),
                    elo: strength(candidate)?.elo,
                })
            });
            return Self {
                verdict: trials.verdict(),
                elo,
                needed: needed_by_all(&gate),
            };
        }
        let summary = Summary::new(plan, goal.standings());
        let first = summary.pairings.into_iter().next();
        let first = first.filter(|versus| versus.results.estimate.games > 0);
        let elo = first.map(|versus| ListedElo {
            of: versus.first,
            against: versus.second,
            elo: versus.results.estimate.elo,
        });
        Self {
            elo,
            ..Self::default()
        }
    }
}
