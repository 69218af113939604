//! Maps tournament events to session events.

use std::sync::Arc;

use super::event::{
    Estimate, Event, Failed, GameEnded, Listener, PairEnded, Purpose, Stage, StageEnding,
    WarnedLines,
};
use super::progress::Ticker;
use super::{PlayerFails, gate, plan_warnings};
use leitai_config::Limits;
use leitai_game::Side;
use leitai_players::play::{Cancel, PairRecord};
use leitai_players::schedule::Opening;
use leitai_runs::figures::Summary;
use leitai_runs::figures::gate::GateSummary;
use leitai_runs::gate::Trials;
use leitai_runs::tournament::{self, Ending, Goal, Plan, Standings};

/// Results of a plan, from which the events of its stage are made.
pub trait StageResults: Goal + Clone {
    /// Returns the standings of all pairs.
    fn standings(&self) -> &Standings;

    /// Returns the trials of a gate; `None` for a tournament.
    fn trials(&self) -> Option<&Trials> {
        None
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

    /// Sends the events that follow from an event of the tournament.
    pub(super) fn handle<G: StageResults>(&mut self, event: &tournament::Event<'_, G>) {
        match event {
            tournament::Event::Recalled { so_far, pair } => {
                if self.listener.wants_recalled() {
                    self.listener.pair_counted(self.plan, pair);
                    self.estimate_if_wanted(*so_far);
                }
            }
            tournament::Event::Begun {
                so_far,
                recorded,
                total,
            } => self.begin(*so_far, *recorded, *total),
            tournament::Event::Forgotten(forgotten) => self.listener.warn(forgotten.to_string()),
            tournament::Event::Pair { so_far, pair } => {
                if let Some(ticker) = &self.ticker {
                    ticker.set(so_far.standings().played);
                }
                self.listener.pair_counted(self.plan, pair);
                let spec = self.plan.schedule.pair(pair.index);
                let opening = self.plan.book.openings.get(spec.opening);
                let opening = opening.map_or_else(Default::default, Opening::id);
                let limits = &self.plan.terms.limits;
                let ended = pair_ended(pair, &opening, limits, &|variant| self.name(variant));
                self.listener.hear(&Event::Pair(ended));
                self.warn_of_failing(so_far.standings());
                self.estimate_if_wanted(*so_far);
            }
        }
    }

    fn begin<G: StageResults>(&mut self, so_far: &G, recorded: u64, total: u64) {
        let (plan, listener) = (self.plan, &**self.listener);
        let (counted, trials) = (so_far.standings().played, so_far.trials());
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
                base: self.name(trials.gate.base),
                candidates: trials.candidates.len(),
            },
        };
        let variants = 0..plan.config.variants.len();
        listener.hear(&Event::StageBegun(Stage {
            purpose,
            run: plan.id().to_owned(),
            game: plan.config.game.name(),
            variants: variants.map(|index| self.name(index)).collect(),
            openings: plan.book.len(),
            pairs: trials.map_or(total, |trials| trials.rounds),
            recorded,
            counted,
        }));
        let total = trials.is_none().then_some(total);
        self.ticker = Some(Ticker::begin(counted, total, self.listener));
        self.warn_of_failing(so_far.standings());
        self.estimate_if_wanted(so_far);
    }

    /// Reports the end of the stage.
    pub(super) fn end<G: StageResults>(mut self, ending: &Ending, results: &G, cancel: &Cancel) {
        self.ticker = None;
        self.send_estimate(results);
        let standings = results.standings();
        let fails = results.trials().is_none() && standings.ended_by().is_some();
        self.listener.hear(&Event::StageEnded {
            ending: StageEnding::of(ending, fails, cancel),
            counted: standings.played,
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

    fn estimate_if_wanted<G: StageResults>(&self, so_far: &G) {
        if self.listener.wants_estimate() {
            self.send_estimate(so_far);
        }
    }

    fn send_estimate<G: StageResults>(&self, so_far: &G) {
        let standings = so_far.standings();
        let estimate = match so_far.trials() {
            None => Estimate::Run(Box::new(Summary::new(self.plan, standings))),
            Some(trials) => Estimate::Gate(Box::new(GateSummary::new(self.plan, trials))),
        };
        self.listener.hear(&Event::Estimate {
            counted: standings.played,
            estimate,
        });
    }

    fn name(&self, variant: usize) -> String {
        self.plan.config.variants[variant].name.clone()
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
