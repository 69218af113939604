//! Hill climbing with unbiased tests: one incumbent, and mutants that must beat it in a sequential
//! test.
//!
//! 1. *Probe.* A mutation d is played on both sides, incumbent + d against incumbent - d: the
//!    signal is twice that against the incumbent, for a quarter of the games. A full mutation is
//!    probed in many directions first; all probes so far together determine its direction.
//! 2. *Test.* The mutant meets the incumbent in a pentanomial SPRT of (0, e1) Elo with fresh games.
//!    e1 starts at 20 and is halved after as many rejections in a row as there are parameters; a
//!    test that reaches the cap rejects. Games that selected a mutant do not count in its test.
//! 3. *Re-test.* After every few acceptances the incumbent meets the start. If that test does not
//!    accept it, the climber returns to the last incumbent that passed.
//!
//! Unbiased tests are expensive: each decision at (0, 5) Elo costs as many games as a whole run of
//! the regression with seven parameters. docs/tuning.md explains when not to use this method.

mod evidence;
mod mutation;
mod settings;

use std::num::NonZeroU64;

use evidence::Evidence;
pub use mutation::Mutation;
use mutation::Sizes;
pub use settings::{HillClimb, MAX_DIMENSIONS};

use super::Purpose;
use super::method::BadMethod;
use super::played::{coordinates, games, lead};
use super::{Plan, Players, Proposal, Space, Strategy};
use crate::RandomNumbers;
use crate::{Decision, Gsprt, Pentanomial, SequentialTest};

/// Share of the evidence that remains after the incumbent moved.
const FADE: f64 = 0.25;
/// Maximum number of draws of a mutant that differs from the incumbent.
const DRAWS: u32 = 100;

/// The purpose of the current games.
#[derive(Clone, Debug)]
enum Stage {
    /// `left` directions remain to be probed, including this one.
    Probe {
        left: u64,
        pairs: u64,
        lead: f64,
    },
    Test(Gsprt),
    Retest(Gsprt),
}

impl Stage {
    /// A stage of `left` directions to probe.
    fn probe(left: u64) -> Self {
        let (pairs, lead) = (0, 0.0);
        Self::Probe { left, pairs, lead }
    }
}

/// The hill climber as a tuner.
#[derive(Clone, Debug)]
pub(super) struct Climber {
    options: HillClimb,
    /// Remaining tests by e1, the current one first.
    ladder: Vec<Gsprt>,
    retest: Gsprt,
    seed: u64,
    /// In the parameters' own units, as played; so are the next three fields.
    start: Vec<f64>,
    incumbent: Vec<f64>,
    verified: Vec<f64>,
    players: Players,
    kind: Mutation,
    /// Direction in steps.
    direction: Vec<f64>,
    sizes: Sizes,
    evidence: Evidence,
    stage: Stage,
    trial: u64,
    draws: u64,
    rejections: u64,
    /// Counts of test results.
    tests: u64,
    accepted: u64,
    capped: u64,
    retests: u64,
    rolled_back: u64,
}

impl Climber {
    pub(super) fn new(space: &Space, options: &HillClimb, plan: &Plan) -> Result<Self, BadMethod> {
        options.check(space.len())?;
        let batch = NonZeroU64::new(u64::from(plan.batch)).unwrap_or(NonZeroU64::MIN);
        let (ladder, retest) = options.tests(batch)?;
        let dimensions = space.len();
        let start = space.nearest(&space.start());
        let mut climber = Self {
            options: options.clone(),
            ladder,
            retest,
            seed: plan.seed,
            incumbent: start.clone(),
            verified: start.clone(),
            players: (start.clone(), start.clone()),
            start,
            kind: Mutation::Single,
            direction: vec![0.0; dimensions],
            sizes: Sizes::new(space),
            evidence: Evidence::new(dimensions),
            stage: Stage::probe(1),
            trial: 0,
            draws: 0,
            rejections: 0,
            tests: 0,
            accepted: 0,
            capped: 0,
            retests: 0,
            rolled_back: 0,
        };
        climber.next_mutant(space);
        Ok(climber)
    }

    /// Starts with another mutant.
    fn next_mutant(&mut self, space: &Space) {
        let mut random = self.random();
        self.kind = Sizes::draw(&mut random);
        let left = match self.kind {
            Mutation::Single | Mutation::Block => 1,
            Mutation::Full => {
                let usual = 16 + space.len() as u64 / 2;
                self.options.probes.unwrap_or(usual).max(1)
            }
        };
        self.probe(space, left, random);
    }

    fn random(&mut self) -> RandomNumbers {
        self.draws += 1;
        Purpose::Mutant.random(self.seed, self.draws)
    }

    /// Probes one more direction of the current kind.
    fn probe(&mut self, space: &Space, left: u64, mut random: RandomNumbers) {
        for _ in 0..DRAWS {
            self.direction = self.sizes.probe(self.kind, &mut random);
            self.players = (
                self.moved(space, &self.direction, 1.0),
                self.moved(space, &self.direction, -1.0),
            );
            if self.players.0 != self.players.1 {
                break;
            }
        }
        self.begin(Stage::probe(left));
    }

    fn begin(&mut self, stage: Stage) {
        self.stage = stage;
        self.trial += 1;
    }

    /// Returns the incumbent moved by `times` a direction, as playable values.
    fn moved(&self, space: &Space, direction: &[f64], times: f64) -> Vec<f64> {
        let dimensions = space.dimensions().iter().zip(&self.incumbent);
        let moved = dimensions.zip(direction);
        moved
            .map(|((d, value), step)| d.nearest(value + times * step * d.step))
            .collect()
    }

    /// Ends the probes of a mutant; `lead` is the first player's lead in the last one.
    fn end_of_probes(&mut self, space: &Space, lead: f64) {
        let mutant = match self.kind {
            Mutation::Single | Mutation::Block => {
                let side = if lead < 0.0 { -1.0 } else { 1.0 };
                self.moved(space, &self.direction, side)
            }
            Mutation::Full => {
                // Integers may need a longer step to change at all.
                let mut size = self.sizes.full;
                let mut mutant = self.incumbent.clone();
                while mutant == self.incumbent && size < 1e3 {
                    self.direction = self.evidence.direction(size);
                    mutant = self.moved(space, &self.direction, 1.0);
                    size *= 2.0;
                }
                mutant
            }
        };
        if mutant == self.incumbent {
            // At a bound, or without evidence: there is nothing to test.
            self.next_mutant(space);
        } else {
            self.players = (mutant, self.incumbent.clone());
            self.begin(Stage::Test(self.ladder[0].clone()));
        }
    }

    fn end_of_test(&mut self, space: &Space, accepted: bool) {
        self.tests += 1;
        self.sizes.adapt(self.kind, &self.direction, accepted);
        if accepted {
            self.accepted += 1;
            self.rejections = 0;
            self.evidence.fade(FADE);
            self.incumbent.clone_from(&self.players.0);
            let every = self.options.retest_every.max(1);
            if self.accepted.is_multiple_of(every) {
                self.players = (self.incumbent.clone(), self.start.clone());
                self.begin(Stage::Retest(self.retest.clone()));
                return;
            }
        } else {
            self.rejections += 1;
            if self.rejections >= space.len() as u64 && self.ladder.len() > 1 {
                self.ladder.remove(0);
                self.rejections = 0;
            }
        }
        self.next_mutant(space);
    }

    fn end_of_retest(&mut self, space: &Space, accepted: bool) {
        self.retests += 1;
        if accepted {
            self.verified.clone_from(&self.incumbent);
        } else {
            self.rolled_back += 1;
            self.incumbent.clone_from(&self.verified);
        }
        self.next_mutant(space);
    }
}

/// Adds a batch to a test and returns the outcome, if there is one; a test at its cap rejects.
fn add_batch(test: &mut Gsprt, result: &Pentanomial, cap: u64) -> Option<(bool, bool)> {
    for (cell, &count) in result.0.iter().enumerate() {
        for _ in 0..count {
            let taken = test.record(cell);
            debug_assert!(taken.is_ok(), "a cell of a pentanomial");
        }
    }
    match test.decision() {
        Some(decision) => Some((decision == Decision::Accepted, false)),
        None => (test.counts().pairs() >= cap).then_some((false, true)),
    }
}

impl Climber {
    /// Describes the stage that was under way when the games ended.
    fn unfinished(&self) -> String {
        let under_way = |name: &str, test: &Gsprt| {
            let (pairs, level) = (test.counts().pairs(), test.level());
            let (low, high) = (level.lower, level.upper);
            format!(
                "at the end of the games {name} had {pairs} pairs, with an LLR of {:.2} \
                 ({low:.2} .. {high:.2}); use more `games` or a longer `step` for a decision",
                level.value
            )
        };
        match &self.stage {
            Stage::Probe { pairs, .. } => format!(
                "at the end of the games a direction had {pairs} of {} pairs of its probe",
                self.options.probe_pairs
            ),
            Stage::Test(test) => under_way("the test of a mutant", test),
            Stage::Retest(test) => under_way("the test against the start", test),
        }
    }
}

impl Strategy for Climber {
    fn propose(&self, _: &Space, _: u64, _: u64, _: RandomNumbers) -> (u64, Players) {
        (self.trial, self.players.clone())
    }

    fn absorb(&mut self, space: &Space, proposal: &Proposal, result: &Pentanomial) {
        if proposal.trial != self.trial {
            // Games that finished after their stage ended.
            return;
        }
        let cap = self.options.cap_pairs;
        match &mut self.stage {
            Stage::Probe {
                left,
                pairs,
                lead: sum,
            } => {
                let score = lead(result);
                *pairs += u64::from(proposal.pairs);
                *sum += score;
                let (over, left, sum) = (*pairs >= self.options.probe_pairs, *left, *sum);
                let differences = coordinates(space, proposal).map(|(_, d)| d);
                self.evidence.add(differences, games(proposal), score);
                if over && left > 1 {
                    let random = self.random();
                    self.probe(space, left - 1, random);
                } else if over {
                    self.end_of_probes(space, sum);
                }
            }
            Stage::Test(test) => {
                if let Some((accepted, capped)) = add_batch(test, result, cap) {
                    self.capped += u64::from(capped);
                    self.end_of_test(space, accepted);
                }
            }
            Stage::Retest(test) => {
                if let Some((accepted, _)) = add_batch(test, result, cap) {
                    self.end_of_retest(space, accepted);
                }
            }
        }
    }

    fn estimate(&self, _: &Space) -> Vec<f64> {
        self.incumbent.clone()
    }

    fn notes(&self, _: &Space) -> Vec<String> {
        let (tests, accepted, capped) = (self.tests, self.accepted, self.capped);
        let (retests, rolled_back) = (self.retests, self.rolled_back);
        let e1 = self.ladder[0].hypotheses().elo1();
        let unfinished = self.unfinished();
        if tests == 0 {
            return vec![format!(
                "no test of a mutant was finished, so no value changed: {unfinished}"
            )];
        }
        vec![
            format!(
                "{accepted} of {tests} mutants were accepted, the last test was of (0, {e1}) Elo; \
                 {capped} tests ended at their cap"
            ),
            format!(
                "at most {:.1} acceptances are expected to be false (α = {} in {tests} tests)",
                self.options.error * tests as f64,
                self.options.error
            ),
            format!("{retests} tests against the start, {rolled_back} of them rolled back"),
            unfinished,
        ]
    }
}

#[cfg(test)]
mod tests;
