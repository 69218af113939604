//! All candidates of a gate, as the goal of its run.

use super::test::Untestable;
use super::{Shortage, Test, Trial, Verdict};
use crate::store::{RunHandle, Store};
use crate::tournament::{
    CountedPairs, Failing, Goal, Plan, Replay, RunError, Standings, replay_record,
};
use leitai_config::{Control, FailurePolicies, Gate, TestKind};
use leitai_players::play::PairRecord;
use leitai_players::schedule::{PairSpec, Schedule};
use leitai_stats::{Adjusted, Decision, SequentialTest, e_bh, e_holm};

/// The trials of all candidates.
#[derive(Clone, Debug)]
pub struct Trials {
    /// The gate's settings.
    pub gate: Gate,
    /// Tolerated numbers of failed games.
    pub failures: FailurePolicies,
    /// The largest number of pairs of a candidate.
    pub rounds: u64,
    /// Openings in the book, 1 or more.
    pub openings: u64,
    /// Largest number of a candidate's pairs that can be evidence; forecasts assume no more.
    different: u64,
    ends_with_book: bool,
    /// Number of consecutive pairs without evidence after which the gate gives up a candidate.
    most_idle: u64,
    /// The results of the pairs that count, candidate by candidate.
    pub standings: Standings,
    /// The trials, in the order of the candidates: trial `i` has pairing `i` of the schedule and of
    /// the standings.
    pub candidates: Vec<Trial>,
}

/// The standings of a recorded run, and the pairs that they cover. A gate has those that its trials
/// have taken, which ended at different times.
///
/// # Errors
/// The record cannot be read.
pub fn recorded_standings(
    plan: &Plan,
    store: &Store,
    run: &RunHandle,
) -> Result<(Standings, CountedPairs), RunError> {
    if let Some((trials, reach)) = recorded_trials(plan, store, run)? {
        return Ok((trials.standings, reach));
    }
    let standings = Standings::of(plan);
    replay_record(standings, plan, store, run)
}

/// The trials of a recorded gate; `None` for other runs.
///
/// # Errors
/// The record cannot be read.
pub fn recorded_trials(
    plan: &Plan,
    store: &Store,
    run: &RunHandle,
) -> Result<Option<(Trials, CountedPairs)>, RunError> {
    let gate = plan.config.gate.as_ref();
    let trials = gate.and_then(|gate| Trials::of(gate, plan).ok());
    let recalled = trials.map(|trials| replay_record(trials, plan, store, run));
    recalled.transpose()
}

/// Number of consecutive pairs without evidence after which a book counts as exhausted; at least
/// the number of its openings.
const MIN_IDLE: u64 = 64;

impl Trials {
    /// The trials of the gate of a plan, before the first pair.
    ///
    /// # Errors
    /// The test does not support the hypotheses.
    pub fn of(gate: &Gate, plan: &Plan) -> Result<Self, Untestable> {
        Self::new(gate, plan.config.failures, &plan.schedule)
    }

    /// The trials of a gate over its schedule, before the first pair.
    ///
    /// # Errors
    /// The test does not support the hypotheses.
    pub fn new(
        gate: &Gate,
        failures: FailurePolicies,
        schedule: &Schedule,
    ) -> Result<Self, Untestable> {
        let candidates = gate.candidates.iter();
        let candidates = candidates
            .map(|&candidate| {
                let test = Test::new(gate, schedule.rounds())?;
                Ok(Trial::new(candidate, test, schedule.grown_at()))
            })
            .collect::<Result<_, Untestable>>()?;
        Ok(Self {
            gate: gate.clone(),
            failures,
            rounds: schedule.rounds(),
            openings: schedule.openings(),
            different: schedule.rounds(),
            ends_with_book: schedule.ends_with_book(),
            most_idle: schedule.openings().max(MIN_IDLE),
            standings: Standings::new(schedule.pairings()),
            candidates,
        })
    }

    /// Limits the evidence to games from `starts` distinct positions.
    #[must_use]
    pub fn limited_to_starts(self, starts: u64) -> Self {
        Self {
            different: starts.min(self.rounds),
            ..self
        }
    }

    /// Largest number of a candidate's pairs that can be evidence: its pairs, or one per start
    /// position if there are fewer of those. The group-sequential test follows its looks,
    /// regardless of the amount of evidence.
    pub fn different_pairs(&self) -> u64 {
        match self.gate.test {
            TestKind::GroupSequential { .. } => self.rounds,
            TestKind::Gsprt { .. } | TestKind::Trinomial | TestKind::Strict => self.different,
        }
    }

    /// The number of remaining pairs of a candidate, and how many of them can be evidence.
    pub fn left(&self, trial: &Trial) -> (u64, u64) {
        if trial.verdict.is_some() {
            return (0, 0);
        }
        let round = |last| last / self.candidates.len() as u64 + 1;
        let left = self.rounds.saturating_sub(trial.last_pair.map_or(0, round));
        let different = self.different_pairs().saturating_sub(trial.pairs());
        (left, left.min(different))
    }

    /// Returns whether every candidate has its verdict.
    pub fn is_over(&self) -> bool {
        self.candidates.iter().all(|trial| trial.verdict.is_some())
    }

    /// The verdict of the whole gate, the first of these that any candidate has: failed, rejected,
    /// played alike where that does not pass, inconclusive, played alike, accepted. `None` while
    /// the gate continues.
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

    /// Gives the verdicts that the evidence up to the end of a round allows. Returns whether there
    /// were any.
    fn judge(&mut self, last: bool) -> bool {
        let open = |trials: &[Trial]| trials.iter().filter(|t| t.verdict.is_none()).count();
        let before = open(&self.candidates);
        let shortage = last.then(|| self.shortage());
        // Failures come first: the verdict of one trial may depend on those of others.
        let due = loop {
            let due = self.due(shortage);
            if !self.fail(&due) {
                break due;
            }
        };
        for (trial, verdict) in self.candidates.iter_mut().zip(due) {
            if let Some(verdict) = verdict {
                trial.set_verdict(verdict);
            }
        }
        open(&self.candidates) < before
    }

    /// The verdicts on strength that the evidence of open trials allows.
    fn due(&self, shortage: Option<Shortage>) -> Vec<Option<Verdict>> {
        let most_alike = self.gate.alike_pairs;
        let passes = self.gate.hypotheses.elo0() < 0.0;
        let trials = self.candidates.iter().zip(self.accepted());
        let due = trials.map(|(trial, accepted)| {
            if trial.verdict.is_some() {
                return None;
            }
            let used_up = (trial.idle >= self.most_idle).then_some(Shortage::Openings);
            let shortage = shortage.or(used_up);
            if most_alike > 0 && !trial.differed {
                // Identical play shows no strength: the test waits for a difference, and does not
                // count the lack of one as weakness when the pairs run out.
                if trial.pairs() >= most_alike || shortage.is_some() && trial.pairs() > 0 {
                    return Some(Verdict::PlayedAlike { passes });
                }
                shortage?;
            }
            if accepted {
                Some(Verdict::Accepted)
            } else if trial.test.decision() == Some(Decision::Rejected) {
                Some(Verdict::Rejected)
            } else {
                shortage.map(Verdict::Inconclusive)
            }
        });
        due.collect()
    }

    /// Ends the open trials whose players fail too often; trials with a verdict due are checked at
    /// any number of games. Returns whether there were any.
    fn fail(&mut self, due: &[Option<Verdict>]) -> bool {
        let mut any = false;
        for (index, verdict) in due.iter().enumerate() {
            if self.candidates[index].verdict.is_none()
                && let Some(failing) = self.failing(index, verdict.is_some())
            {
                self.candidates[index].set_verdict(Verdict::Failed(failing));
                any = true;
            }
        }
        any
    }

    /// Returns the player of a trial that fails too often for a verdict.
    fn failing(&self, index: usize, is_due: bool) -> Option<Failing> {
        let (trial, all) = (&self.candidates[index], &self.standings.reliability);
        let both = [self.gate.base, trial.candidate];
        let mut players = both.into_iter();
        let always = players.find_map(|player| all.is_always_failing(player));
        // A verdict needs a finished game of each player.
        let always = always.or_else(|| {
            let failing = trial.reliability.without_finished(both);
            failing.filter(|_| is_due)
        });
        let always = always.filter(|_| !self.failures.plays_on);
        always.or_else(|| trial.reliability.beyond(self.failures.tolerate, is_due))
    }

    /// Returns for each candidate whether the evidence suffices for acceptance.
    fn accepted(&self) -> Vec<bool> {
        let e_values = self.candidates.iter();
        let e_values = e_values.map(|trial| trial.test.ln_e_value());
        let e_values: Option<Vec<f64>> = e_values.collect();
        let alpha = self.gate.errors.alpha();
        match (self.gate.control, e_values) {
            (Control::FamilyWise, Some(e_values)) => rejected_nulls(&e_holm(&e_values, alpha)),
            (Control::FalseDiscovery, Some(mut e_values)) => {
                // Accepting n requires that n candidates are announced as accepted.
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

impl Goal for Trials {
    fn wants(&self, pairing: usize) -> bool {
        self.candidates[pairing].verdict.is_none()
    }

    fn take(&mut self, spec: &PairSpec, record: &PairRecord, replay: &Replay) -> bool {
        let counted = self.standings.add(spec, record, replay);
        self.candidates[spec.pairing].take(spec, record, replay, counted);
        let later = spec.pairing + 1..self.candidates.len();
        if later.into_iter().any(|pairing| self.wants(pairing)) {
            return false;
        }
        let round = spec.index / self.candidates.len() as u64;
        self.judge(round + 1 >= self.rounds)
    }
}
