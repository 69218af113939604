//! Maps tournament events to session events.

use std::sync::Arc;

use super::event::{
    Estimate, Event, Failed, GameEnded, Listener, PairEnded, Purpose, Stage, StageEnding,
    WarnedLines,
};
use super::ticker::Ticker;
use super::{PlayerFails, beforehand, gate};
use leitai_config::Limits;
use leitai_game::Side;
use leitai_players::play::{Cancel, PairRecord};
use leitai_players::schedule::Opening;
use leitai_runs::figures::Summary;
use leitai_runs::figures::gate::GateSummary;
use leitai_runs::gate::Trials;
use leitai_runs::tournament::{self, Ending, Plan, Standings};

/// Intermediate results of a plan, as the source of events.
pub(super) trait SoFar {
    /// Number of relevant pairs in the whole schedule of `total` pairs.
    fn pairs(&self, total: u64) -> u64;
    /// Number of pairs that will count, of `total`, if known.
    fn total(&self, total: u64) -> Option<u64>;
    /// Returns the standings of all pairs.
    fn standings(&self) -> &Standings;
    /// Returns whether a player fails too often.
    fn fails(&self) -> bool {
        false
    }
    /// Returns the estimate for events.
    fn estimate(&self, plan: &Plan) -> Estimate;
    /// Warns of questions that the games cannot answer.
    fn warn(&self, plan: &Plan, listener: &dyn Listener);
    /// Returns whether nothing is left to play after `recorded` of `total` pairs.
    fn is_over(&self, recorded: u64, total: u64) -> bool;
}

impl SoFar for Standings {
    fn pairs(&self, total: u64) -> u64 {
        total
    }

    fn total(&self, total: u64) -> Option<u64> {
        Some(total)
    }

    fn standings(&self) -> &Standings {
        self
    }

    fn fails(&self) -> bool {
        self.ended_by().is_some()
    }

    fn estimate(&self, plan: &Plan) -> Estimate {
        Estimate::Run(Box::new(Summary::new(plan, self)))
    }

    fn warn(&self, plan: &Plan, listener: &dyn Listener) {
        beforehand::warn(plan, listener);
    }

    fn is_over(&self, recorded: u64, total: u64) -> bool {
        recorded >= total
    }
}

impl SoFar for Trials {
    fn pairs(&self, _: u64) -> u64 {
        self.rounds
    }

    fn total(&self, _: u64) -> Option<u64> {
        None
    }

    fn standings(&self) -> &Standings {
        &self.standings
    }

    fn estimate(&self, plan: &Plan) -> Estimate {
        Estimate::Gate(Box::new(GateSummary::new(plan, self)))
    }

    fn warn(&self, plan: &Plan, listener: &dyn Listener) {
        beforehand::warn(plan, listener);
        let (game, openings) = (&plan.config.game, plan.book.len());
        gate::warn_if_short("the gate", self, game, openings, listener);
    }

    fn is_over(&self, _: u64, _: u64) -> bool {
        Trials::is_over(self)
    }
}

/// Sends events about the games of a plan to a listener.
pub(super) struct Watch<'a> {
    plan: &'a Plan,
    listener: &'a Arc<dyn Listener>,
    purpose: Purpose,
    ticker: Option<Ticker>,
    /// True after the warning about a player that always fails.
    has_warned: bool,
}

impl<'a> Watch<'a> {
    pub(super) fn new(plan: &'a Plan, listener: &'a Arc<dyn Listener>, purpose: Purpose) -> Self {
        listener.planned(plan);
        Self {
            plan,
            listener,
            purpose,
            ticker: None,
            has_warned: false,
        }
    }

    pub(super) fn tell<G: SoFar>(&mut self, event: &tournament::Event<'_, G>) {
        match event {
            tournament::Event::Recalled { so_far, pair } => {
                if self.listener.wants_recalled() {
                    self.listener.pair_counted(self.plan, pair);
                    self.estimate(*so_far);
                }
            }
            tournament::Event::Begun {
                so_far,
                recorded,
                total,
            } => {
                if !so_far.is_over(*recorded, *total) {
                    so_far.warn(self.plan, &**self.listener);
                }
                self.listener.hear(&Event::StageBegun(Stage {
                    purpose: self.purpose.clone(),
                    run: self.plan.id().to_owned(),
                    game: self.plan.config.game.name(),
                    variants: (0..self.plan.config.variants.len())
                        .map(|index| self.name(index))
                        .collect(),
                    openings: self.plan.book.len(),
                    pairs: so_far.pairs(*total),
                    recorded: *recorded,
                    counted: so_far.standings().played,
                }));
                let (counted, total) = (so_far.standings().played, so_far.total(*total));
                let listener = Arc::clone(self.listener);
                self.ticker = Some(Ticker::begin(counted, total, listener));
                self.warn_of_failing(so_far.standings());
                self.estimate(*so_far);
            }
            tournament::Event::Forgotten(forgotten) => self.listener.warn(forgotten.to_string()),
            tournament::Event::Pair { so_far, pair } => {
                if let Some(ticker) = &self.ticker {
                    ticker.set(so_far.standings().played);
                }
                self.listener.pair_counted(self.plan, pair);
                self.listener.hear(&Event::Pair(self.pair(pair)));
                self.warn_of_failing(so_far.standings());
                self.estimate(*so_far);
            }
        }
    }

    /// Reports the end of the stage.
    pub(super) fn end<G: SoFar>(mut self, ending: &Ending, so_far: &G, cancel: &Cancel) {
        self.ticker = None;
        self.tell_estimate(so_far);
        self.listener.hear(&Event::StageEnded {
            ending: StageEnding::of(ending, so_far.fails(), cancel),
            counted: so_far.standings().played,
        });
    }

    /// Warns once if games continue although a player always fails.
    fn warn_of_failing(&mut self, standings: &Standings) {
        let fails = PlayerFails::going_on(self.plan, standings);
        if let Some(fails) = fails.filter(|_| !self.has_warned) {
            self.has_warned = true;
            self.listener.warn(fails.sentence());
        }
    }

    fn estimate<G: SoFar>(&self, so_far: &G) {
        if self.listener.wants_estimate() {
            self.tell_estimate(so_far);
        }
    }

    fn tell_estimate<G: SoFar>(&self, so_far: &G) {
        self.listener.hear(&Event::Estimate {
            counted: so_far.standings().played,
            estimate: so_far.estimate(self.plan),
        });
    }

    fn name(&self, variant: usize) -> String {
        self.plan.config.variants[variant].name.clone()
    }

    fn pair(&self, record: &PairRecord) -> PairEnded {
        let spec = self.plan.schedule.pair(record.index);
        let opening = self.plan.book.openings.get(spec.opening);
        let opening = opening.map_or_else(Default::default, Opening::id);
        let limits = &self.plan.terms.limits;
        pair_ended(record, &opening, limits, &|variant| self.name(variant))
    }
}

/// Builds the event of a pair from that opening, between players with these limits and names.
pub(super) fn pair_ended(
    record: &PairRecord,
    opening: &str,
    limits: &[Limits],
    name: &dyn Fn(usize) -> String,
) -> PairEnded {
    let failures = record.spoilt.iter().copied().chain(record.faults());
    let failures = failures.map(|fault| Failed {
        game: fault.game,
        variant: name(fault.variant),
        cause: fault.cause,
        evidence: record.evidence.of(fault.attempt, fault.game).cloned(),
    });
    let numbered = record.games.iter().enumerate();
    let warnings = numbered.flat_map(|(number, game)| {
        let own = game.pv_warnings.iter();
        own.map(move |warnings| WarnedLines {
            game: number,
            variant: name(game.variant(warnings.side)),
            lines: warnings.count,
            first: warnings.first.clone(),
        })
    });
    let games = record.games.each_ref().map(|game| {
        let late = game.times.late.map(|micros| f64::from(micros) / 1e6);
        let loser = game
            .verdict
            .winner
            .map(|winner| game.variant(winner.other()));
        let limits = loser.and_then(|loser| limits.get(loser));
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
        opening: opening.to_owned(),
        games,
        failures: failures.collect(),
        pv_warnings: warnings.collect(),
    }
}
