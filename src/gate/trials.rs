//! All candidates of a gate, as the goal that its pairs are played for.

use super::test::Untestable;
use super::{Failure, Shortage, Test, Trial, Verdict};
use crate::config::{Control, Failures, Gate, TestKind};
use crate::play::PairRecord;
use crate::schedule::{PairSpec, Schedule};
use crate::stats::{Adjusted, Decision, SequentialTest, e_bh, e_holm};
use crate::store::{RunHandle, Store};
use crate::tournament::{Goal, Plan, Reach, Replay, RunError, Standings, recalled};

/// The trials of all candidates.
#[derive(Clone, Debug)]
pub struct Trials {
    /// The gate's terms.
    pub gate: Gate,
    /// Most pairs that a candidate can play.
    pub rounds: u64,
    /// Openings in the book, 1 or more.
    pub openings: u64,
    /// Pairs of a candidate that can be evidence: no more are forecast.
    different: u64,
    ends_with_book: bool,
    /// A candidate is given up after so many pairs that are no evidence.
    most_idle: u64,
    /// The results of the pairs that count, candidate by candidate.
    pub standings: Standings,
    /// The trials, in the order of the candidates: trial `i` has pairing `i` of
    /// the schedule and of the standings.
    pub candidates: Vec<Trial>,
    /// Of the round that is being taken.
    failures: Vec<Failure>,
    /// Pairs of each candidate that were looked at, and those among them in which a player's
    /// failure was taken for a lost game.
    pairs: Vec<u64>,
    tolerated: Vec<u64>,
}

/// The standings of a recorded run, and which of its pairs they are: of a gate those that
/// its trials have taken, which ended at different times.
///
/// # Errors
/// The record cannot be read.
pub fn recorded_standings(
    plan: &Plan,
    store: &Store,
    run: &RunHandle,
) -> Result<(Standings, Reach), RunError> {
    if let Some((trials, reach)) = recorded_trials(plan, store, run)? {
        return Ok((trials.standings, reach));
    }
    let standings = Standings::new(plan.schedule.pairings());
    recalled(standings, plan, store, run)
}

/// What a recorded gate has come to; `None` for other runs.
///
/// # Errors
/// The record cannot be read.
pub fn recorded_trials(
    plan: &Plan,
    store: &Store,
    run: &RunHandle,
) -> Result<Option<(Trials, Reach)>, RunError> {
    let gate = plan.config.gate.as_ref();
    let trials = gate.and_then(|gate| Trials::new(gate, &plan.schedule).ok());
    let recalled = trials.map(|trials| recalled(trials, plan, store, run));
    recalled.transpose()
}

/// Pairs without evidence, one after the other, after which a book is taken to be
/// used up; at least as many as it has openings.
const FEWEST_IDLE: u64 = 64;

impl Trials {
    /// The trials of a gate over its schedule, before the first pair.
    ///
    /// # Errors
    /// The test cannot weigh the hypotheses.
    pub fn new(gate: &Gate, schedule: &Schedule) -> Result<Self, Untestable> {
        let candidates = gate.candidates.iter();
        let candidates = candidates
            .map(|&candidate| {
                let test = Test::new(gate, schedule.rounds())?;
                Ok(Trial::new(candidate, test, schedule.grown_at()))
            })
            .collect::<Result<_, Untestable>>()?;
        Ok(Self {
            gate: gate.clone(),
            rounds: schedule.rounds(),
            openings: schedule.openings(),
            different: schedule.rounds(),
            ends_with_book: schedule.ends_with_book(),
            most_idle: schedule.openings().max(FEWEST_IDLE),
            standings: Standings::new(schedule.pairings()),
            candidates,
            failures: Vec::new(),
            pairs: vec![0; gate.candidates.len()],
            tolerated: vec![0; gate.candidates.len()],
        })
    }

    /// The same where games can begin at so many positions alone.
    #[must_use]
    pub fn over(self, starts: u64) -> Self {
        Self {
            different: starts.min(self.rounds),
            ..self
        }
    }

    /// Pairs of a candidate that can be evidence, at most: those that it can play, or, if
    /// games can begin at fewer positions, one from each. The group-sequential test goes by
    /// its looks, however many of its pairs tell anything.
    pub fn different_pairs(&self) -> u64 {
        match self.gate.test {
            TestKind::GroupSequential { .. } => self.rounds,
            TestKind::Gsprt { .. } | TestKind::Strict => self.different,
        }
    }

    /// Pairs that a candidate may play yet, and how many of them can be evidence.
    pub fn left(&self, trial: &Trial) -> (u64, u64) {
        if trial.verdict.is_some() {
            return (0, 0);
        }
        let round = |last| last / self.candidates.len() as u64 + 1;
        let left = self.rounds.saturating_sub(trial.last_pair.map_or(0, round));
        let different = self.different_pairs().saturating_sub(trial.pairs());
        (left, left.min(different))
    }

    /// Whether every candidate has its verdict.
    pub fn is_over(&self) -> bool {
        self.candidates.iter().all(|trial| trial.verdict.is_some())
    }

    /// The verdict of the whole gate, the first of these that any candidate
    /// has: failed, rejected, played alike where that does not pass, inconclusive,
    /// played alike, accepted. `None` while it goes on.
    pub fn verdict(&self) -> Option<Verdict> {
        let verdicts: Option<Vec<Verdict>> =
            self.candidates.iter().map(|trial| trial.verdict).collect();
        verdicts?.into_iter().max_by_key(|verdict| match verdict {
            Verdict::Failed(_) => 5,
            Verdict::Rejected => 4,
            Verdict::PlayedAlike { passes: false } => 3,
            Verdict::Inconclusive(_) => 2,
            Verdict::PlayedAlike { passes: true } => 1,
            Verdict::Accepted => 0,
        })
    }

    /// Gives the verdicts that the evidence up to the end of a round allows.
    /// Returns whether there were any.
    fn judge(&mut self, last: bool) -> bool {
        let open = |trials: &[Trial]| trials.iter().filter(|t| t.verdict.is_none()).count();
        let before = open(&self.candidates);
        for failure in std::mem::take(&mut self.failures) {
            for trial in &mut self.candidates {
                if [trial.candidate, self.gate.base].contains(&failure.variant) {
                    trial.give(Verdict::Failed(failure));
                }
            }
        }
        let accepted = self.accepted();
        let shortage = last.then(|| self.shortage());
        let most_alike = self.gate.alike_pairs;
        let passes = self.gate.hypotheses.elo0() < 0.0;
        let most_idle = self.most_idle;
        for (trial, accepted) in self.candidates.iter_mut().zip(accepted) {
            let used_up = (trial.idle >= most_idle).then_some(Shortage::Openings);
            let shortage = shortage.or(used_up);
            if most_alike > 0 && !trial.differed {
                // What is alike shows no strength: the test waits for a difference, and
                // does not judge by the want of one where there are no more pairs.
                if trial.pairs() >= most_alike || shortage.is_some() && trial.pairs() > 0 {
                    trial.give(Verdict::PlayedAlike { passes });
                } else if shortage.is_none() {
                    continue;
                }
            }
            if accepted {
                trial.give(Verdict::Accepted);
            } else if trial.test.decision() == Some(Decision::Rejected) {
                trial.give(Verdict::Rejected);
            }
            if let Some(shortage) = shortage {
                trial.give(Verdict::Inconclusive(shortage));
            }
        }
        open(&self.candidates) < before
    }

    /// Whom the evidence is enough for.
    fn accepted(&self) -> Vec<bool> {
        let e_values: Option<Vec<f64>> = self
            .candidates
            .iter()
            .map(|trial| trial.test.ln_e_value())
            .collect();
        let alpha = self.gate.errors.alpha();
        match (self.gate.control, e_values) {
            (Control::FamilyWise, Some(e_values)) => rejected_nulls(&e_holm(&e_values, alpha)),
            (Control::FalseDiscovery, Some(mut e_values)) => {
                // Accepting n takes n that are announced as accepted.
                for (e_value, trial) in e_values.iter_mut().zip(&self.candidates) {
                    if !matches!(trial.verdict, None | Some(Verdict::Accepted)) {
                        *e_value = f64::NEG_INFINITY;
                    }
                }
                rejected_nulls(&e_bh(&e_values, alpha))
            }
            _ => {
                let accepted = |trial: &Trial| trial.test.decision() == Some(Decision::Accepted);
                self.candidates.iter().map(accepted).collect()
            }
        }
    }

    fn shortage(&self) -> Shortage {
        match self.gate.max_pairs {
            Some(most) if most <= self.rounds => Shortage::Cap,
            _ if self.ends_with_book => Shortage::Openings,
            _ => Shortage::Cap,
        }
    }
}

fn rejected_nulls(adjusted: &[Adjusted]) -> Vec<bool> {
    adjusted.iter().map(|adjusted| adjusted.rejected).collect()
}

impl Trials {
    /// Whether one more pair of a candidate may be one in which a player fails: of each so
    /// many pairs that the share says one may, the first from the beginning on.
    fn tolerates(&mut self, pairing: usize) -> bool {
        let pairs = self.pairs[pairing] + 1;
        let most = (pairs * u64::from(self.gate.tolerated)).div_ceil(10_000);
        let is_one_of_them = self.tolerated[pairing] < most;
        self.tolerated[pairing] += u64::from(is_one_of_them);
        is_one_of_them
    }
}

impl Goal for Trials {
    fn wants(&self, pairing: usize) -> bool {
        self.candidates[pairing].verdict.is_none()
    }

    fn take(&mut self, spec: &PairSpec, record: &PairRecord, replay: &Replay) -> bool {
        let failure = match self.gate.failures {
            Failures::Stop => Failure::of(record).filter(|_| !self.tolerates(spec.pairing)),
            Failures::Lose => None,
        };
        self.pairs[spec.pairing] += 1;
        if failure.is_none() {
            let counted = self.standings.add(spec, record, replay);
            self.candidates[spec.pairing].take(spec, record, replay, counted);
        } else {
            self.standings.took(record, replay);
            self.standings.faults.take(record, false);
            self.standings.pv_warnings.take(record);
        }
        self.failures.extend(failure);
        let later = spec.pairing + 1..self.candidates.len();
        if later.into_iter().any(|pairing| self.wants(pairing)) {
            return false;
        }
        let round = spec.index / self.candidates.len() as u64;
        self.judge(round + 1 >= self.rounds)
    }
}
