//! Reports the progress of runs as events of a session.

use std::sync::Arc;

use super::event::{
    DimensionValue, Estimate, Event, GameEnded, Listener, PairEnded, PlayerFailure, Purpose, Stage,
    StageEnding, WarnedLines,
};
use super::progress::Ticker;
use super::{PlayerFails, gate, plan_warnings};
use leitai_base::count::count;
use leitai_base::foreign::shown_path;
use leitai_game::Side;
use leitai_players::play::{Cancel, PairRecord};
use leitai_runs::figures::Summary;
use leitai_runs::figures::gate::GateSummary;
use leitai_runs::gate::Trials;
use leitai_runs::tournament::{Ending, Goal, Plan, Progress, RemovedPairs, Standings};
use leitai_stats::tune::Tuner;

/// Results of a plan, from which the events of its stage are made.
pub trait StageResults: Goal + Clone {
    /// Returns the standings of all pairs.
    fn standings(&self) -> &Standings;

    /// Returns the trials of a gate; `None` for a tournament.
    fn trials(&self) -> Option<&Trials> {
        None
    }

    /// Returns the estimate from the results so far.
    fn estimate(&self, plan: &Plan) -> Estimate {
        match self.trials() {
            None => Estimate::Run(Box::new(Summary::new(plan, self.standings()))),
            Some(trials) => Estimate::Gate(Box::new(GateSummary::new(plan, trials))),
        }
    }
}

impl StageResults for Standings {
    fn standings(&self) -> &Standings {
        self
    }
}

impl StageResults for Trials {
    fn standings(&self) -> &Standings {
        &self.standings
    }

    fn trials(&self) -> Option<&Trials> {
        Some(self)
    }
}

/// Sends events about the games of a plan to a listener.
pub(super) struct StageReporter<'a> {
    plan: &'a Plan,
    listener: &'a Arc<dyn Listener>,
    ticker: Option<Ticker>,
    /// True after the warning about a player that always fails.
    has_warned: bool,
}

impl<'a> StageReporter<'a> {
    pub(super) fn new(plan: &'a Plan, listener: &'a Arc<dyn Listener>) -> Self {
        listener.planned(plan);
        Self {
            plan,
            listener,
            ticker: None,
            has_warned: false,
        }
    }

    /// Reports the start of the stage, with `counted` of its recorded pairs.
    pub(super) fn begin(&mut self, purpose: Purpose, pairs: u64, recorded: u64, counted: u64) {
        let plan = self.plan;
        let variants = match plan.tune() {
            Some(tune) => std::slice::from_ref(tune.start_variant()),
            None => &plan.config.variants,
        };
        let total = (!matches!(purpose, Purpose::Test { .. })).then_some(pairs);
        self.listener.notify(&Event::StageBegun(Stage {
            purpose,
            run: plan.id().to_owned(),
            game: plan.config.game.name(),
            variants: variants.iter().map(|own| own.name.clone()).collect(),
            openings: plan.book.len(),
            pairs,
            recorded,
            counted,
        }));
        self.ticker = Some(Ticker::begin(counted, total, self.listener));
    }

    /// Sets the number of counted pairs.
    pub(super) fn set(&self, counted: u64) {
        if let Some(ticker) = &self.ticker {
            ticker.set(counted);
        }
    }

    /// Reports the end of the stage; `fails` is true if a player fails too often. Warns about data
    /// that could not be stored, pairs that could not be played again, and tables that failed.
    pub(super) fn end(
        mut self,
        ending: &Ending,
        fails: bool,
        (counted, estimate): (u64, Estimate),
        cancel: &Cancel,
    ) {
        self.ticker = None;
        self.send(counted, estimate);
        let ending = StageEnding::of(ending, fails, cancel);
        self.listener.notify(&Event::StageEnded { ending, counted });
        if let moves @ 1.. = self.plan.terms.spare.refused() {
            self.listener.warn(format!(
                "{} although the machine paused meanwhile, without the pause in their time: at \
                 most one pair in a hundred is repeated for that (five in short runs)\n\
                 help: do not suspend or overload the machine during games with clocks",
                count(moves, "move counts", "moves count")
            ));
        }
        if let Some(dialogues) = &self.plan.execution_options.dialogues
            && let Some(trouble) = dialogues.first_error()
        {
            self.listener.warn(format!(
                "some dialogues could not be written into {}: {trouble}\n\
                 help: the games are not affected; check the free disk space and the permissions \
                 of the folder",
                shown_path(dialogues.folder())
            ));
        }
        let tables = self.plan.terms.adjudication.syzygy.as_ref();
        if let Some(failure) = tables.and_then(|tables| tables.opened.failure()) {
            self.listener.warn(format!(
                "{failure}; games with its positions were played on\n\
                 help: fetch the file again before the next run"
            ));
        }
    }

    /// Warns once if games continue although a player always fails.
    fn warn_of_failing(&mut self, standings: &Standings) {
        let fails = PlayerFails::going_on(self.plan, standings);
        if let Some(fails) = fails.filter(|_| !self.has_warned) {
            self.has_warned = true;
            self.listener.warn(fails.sentence());
        }
    }

    fn estimate_if_wanted(&self, so_far: &impl StageResults) {
        if self.listener.wants_estimate() {
            self.send(so_far.standings().played, so_far.estimate(self.plan));
        }
    }

    fn send(&self, counted: u64, estimate: Estimate) {
        self.listener.notify(&Event::Estimate { counted, estimate });
    }

    /// Reports a pair that counts.
    pub(super) fn send_pair(&self, pair: &PairRecord) {
        self.listener
            .notify(&Event::Pair(pair_ended(self.plan, pair)));
    }
}

impl<G: StageResults> Progress<G> for StageReporter<'_> {
    fn on_recorded_pair(&mut self, so_far: &G, pair: &PairRecord) {
        if self.listener.wants_recorded_pairs() {
            self.listener.pair_counted(self.plan, pair);
            self.estimate_if_wanted(so_far);
        }
    }

    fn begun(&mut self, so_far: &G, recorded: u64, total: u64) {
        let (plan, listener) = (self.plan, &**self.listener);
        let trials = so_far.trials();
        if !trials.map_or(recorded >= total, Trials::is_over) {
            plan_warnings::warn(plan, listener);
            if let Some(trials) = trials {
                let (game, openings) = (&plan.config.game, plan.book.len());
                gate::warn_if_short("the gate", trials, game, openings, listener);
            }
        }
        let purpose = match trials {
            None => Purpose::Ratings,
            Some(trials) => Purpose::Test {
                base: plan.player_name(trials.gate.base),
                candidates: trials.candidates.len(),
            },
        };
        let pairs = trials.map_or(total, |trials| trials.rounds);
        self.begin(purpose, pairs, recorded, so_far.standings().played);
        self.warn_of_failing(so_far.standings());
        self.estimate_if_wanted(so_far);
    }

    fn counted(&mut self, so_far: &G, pair: &PairRecord) {
        self.set(so_far.standings().played);
        self.listener.pair_counted(self.plan, pair);
        self.send_pair(pair);
        self.warn_of_failing(so_far.standings());
        self.estimate_if_wanted(so_far);
    }

    fn forgotten(&mut self, pairs: &RemovedPairs) {
        self.listener.warn(pairs.to_string());
    }
}

impl Progress<Tuner> for StageReporter<'_> {
    fn begun(&mut self, tuner: &Tuner, recorded: u64, total: u64) {
        self.begin(Purpose::Values, total, recorded, tuner.pairs_seen());
    }

    fn counted(&mut self, _: &Tuner, pair: &PairRecord) {
        self.send_pair(pair);
    }

    fn learned(&mut self, tuner: &Tuner) {
        self.set(tuner.pairs_seen());
        if self.listener.wants_estimate() {
            self.send(tuner.pairs_seen(), values(self.plan, tuner));
        }
    }

    fn forgotten(&mut self, pairs: &RemovedPairs) {
        self.listener.warn(pairs.to_string());
    }
}

/// Returns the current values of a tune.
pub(super) fn values(plan: &Plan, tuner: &Tuner) -> Estimate {
    let values = tuner.space().nearest(&tuner.estimate());
    let dimensions = plan.config.tune.iter().flat_map(|tune| &tune.dimensions);
    let values = dimensions.zip(values).map(|(own, value)| DimensionValue {
        dimension: own.name.clone(),
        start: own.decimal(own.start),
        value: own.decimal(own.nearest_units(value)),
    });
    Estimate::Tune {
        values: values.collect(),
    }
}

/// Builds the event of a pair.
fn pair_ended(plan: &Plan, record: &PairRecord) -> PairEnded {
    let name = |player| plan.player_name(player);
    let spec = plan.schedule.pair(record.index);
    let failures = record.spoilt.iter().copied().chain(record.faults());
    let failures = failures.map(|fault| PlayerFailure {
        game: fault.game + 1,
        variant: name(fault.variant),
        cause: fault.cause,
        evidence: record.evidence.of(fault.attempt, fault.game).cloned(),
    });
    let numbered = record.games.iter().enumerate();
    let warnings = numbered.flat_map(|(number, game)| {
        let own = game.pv_warnings.iter();
        own.map(move |warnings| WarnedLines {
            game: number + 1,
            variant: name(game.variant(warnings.side)),
            lines: warnings.count,
            first: warnings.first.clone(),
        })
    });
    let games = record.games.iter().map(|game| {
        let late = game.times.late.map(|micros| f64::from(micros) / 1e6);
        let winner = game.verdict.winner;
        let loser = winner.map(|winner| game.variant(winner.other()));
        let limits = loser.and_then(|loser| plan.terms.limits.get(loser));
        let margin = late.and(limits).map(|it| it.allowed_margin().as_secs_f64());
        GameEnded {
            first: name(game.first),
            second: name(game.second),
            half_points: game.verdict.half_points(Side::First),
            cause: game.verdict.cause,
            plies: game.plies.len(),
            late,
            margin,
        }
    });
    PairEnded {
        pair: record.index,
        opening: plan.book.id(spec.opening),
        games: games.collect(),
        failures: failures.collect(),
        pv_warnings: warnings.collect(),
    }
}
