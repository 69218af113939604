//! The summary of a gate as data: the only source of all its outputs.

mod sentences;
mod strength;

pub use sentences::{gauge, needed_by_all, progress, question, remedy, results_line};
pub use strength::{Strength, StrengthKind, strength, unbiased, verdict_and_strength};

use serde::Serialize;

use crate::figures::starts::why_not;
use crate::figures::summary::unreproducible;
use crate::figures::workers::one_worker;
use crate::figures::{
    LapsSummary, PairingOfWorkers, PlaySummary, Results, StartPly, uneven_speeds,
};
use crate::gate::{Forecast, Shortage, Test, Trial, Trials, Verdict};
use crate::tournament::{Failing, Plan};
use leitai_base::count::count;
use leitai_config::{Control, Gate, GateModel, TestKind, TestSettings};
use leitai_stats::{AfterSprt, Level, Look, LookProgress, SequentialTest as _, after_sprt};

/// A gate in progress or at its end.
#[derive(Clone, Debug, Serialize)]
pub struct GateSummary {
    /// The verdict of the whole gate: the first of failed, rejected, played alike where that does
    /// not pass, inconclusive, played alike and accepted that any candidate has; `None` while the
    /// gate continues.
    pub verdict: Option<Outcome>,
    /// True if the verdict of the whole gate is that the variants played alike, so that there was
    /// nothing to test.
    pub played_alike: bool,
    /// Name of the game.
    pub game: &'static str,
    /// The baseline variant.
    pub base: String,
    /// The test and its hypotheses.
    pub test: Terms,
    /// The candidates, in the order of the config.
    pub candidates: Vec<Candidate>,
    /// The games' limits, times, workers and failures.
    #[serde(flatten)]
    pub play: PlaySummary,
    /// Reasons to distrust the verdict.
    pub warnings: Vec<String>,
}

/// A verdict in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// H1 was accepted.
    Accepted,
    /// H0 was accepted.
    Rejected,
    /// The variants played identically in every pair.
    PlayedAlike,
    /// The pairs ran out.
    Inconclusive,
    /// A player failed.
    Failed,
}

impl Outcome {
    /// The word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::PlayedAlike => "played alike",
            Self::Inconclusive => "inconclusive",
            Self::Failed => "failed",
        }
    }
}

impl From<Verdict> for Outcome {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Accepted => Self::Accepted,
            Verdict::Rejected => Self::Rejected,
            Verdict::PlayedAlike { .. } => Self::PlayedAlike,
            Verdict::Inconclusive(_) => Self::Inconclusive,
            Verdict::Failed(_) => Self::Failed,
        }
    }
}

/// The test and its hypotheses.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Terms {
    /// The test; JSON has one shape for all tests: [`TestSettings`].
    #[serde(flatten, serialize_with = "in_one_shape")]
    pub kind: TestKind,
    /// The scale of the hypotheses.
    pub model: GateModel,
    /// H0: the candidate's advantage is at most this, in Elo of the model.
    pub elo0: f64,
    /// H1: the candidate's advantage is at least this.
    pub elo1: f64,
    /// Rate of wrong acceptances.
    pub alpha: f64,
    /// Rate of wrong rejections.
    pub beta: f64,
    /// Scope of `alpha` with several candidates.
    pub control: Control,
    /// Largest number of pairs of a candidate.
    pub max_pairs: u64,
    /// Number of identical pairs from the first on after which there is no change to test; 0 to
    /// ignore.
    pub alike_pairs: u64,
}

fn in_one_shape<S: serde::Serializer>(kind: &TestKind, to: S) -> Result<S::Ok, S::Error> {
    TestSettings::from(*kind).serialize(to)
}

impl Terms {
    fn of(gate: &Gate, rounds: u64) -> Self {
        let (model, [elo0, elo1]) = gate.stated();
        Self {
            kind: gate.test,
            model,
            elo0,
            elo1,
            alpha: gate.errors.alpha(),
            beta: gate.errors.beta(),
            control: gate.control,
            max_pairs: rounds,
            alike_pairs: gate.alike_pairs,
        }
    }
}

/// One candidate.
#[derive(Clone, Debug, Serialize)]
pub struct Candidate {
    /// Its name.
    pub name: String,
    /// Its verdict; `None` while the trial continues.
    pub verdict: Option<Outcome>,
    /// True if it passes: accepted, or played alike where no change is good enough; `None` without
    /// a verdict on strength.
    pub passed: Option<bool>,
    /// True if it resolves to the same player as the baseline, under another name.
    pub same_player: bool,
    /// True if it played like the baseline in every pair, for the number of pairs that the gate
    /// requires.
    pub played_alike: bool,
    /// Reason for the lack of a decision, if there is none.
    pub shortage: Option<Shortage>,
    /// The player whose failures ended the trial, if one did, with its last failure.
    pub failure: Option<Failing>,
    /// The verdict in plain words.
    pub sentence: String,
    /// Log-likelihood ratio, log e-value, or score in standard errors, with its bounds.
    pub level: Level,
    /// Progress of a group-sequential test; absent for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<LookProgress>,
    /// The looks of a group-sequential test so far; absent for others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub looks: Vec<Look>,
    /// Pairs that count.
    pub pairs: u64,
    /// Pairs that are evidence: of pairs whose games transposed into each other, the first.
    pub unrelated_pairs: u64,
    /// Average number of unrelated openings that the test needs, midway between the hypotheses, if
    /// it ended for lack of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openings_needed: Option<u64>,
    /// Pairs omitted because they repeat an earlier one move by move.
    pub duplicate_pairs: u64,
    /// The number of distinct start positions of the pairs that count.
    pub distinct_openings: usize,
    /// The number of these that are in the book; the others replaced them in later laps.
    pub book_openings: usize,
    /// Number in the schedule of the last pair that counts.
    pub last_pair: Option<u64>,
    /// The plies at which its games began; `None` if unknown for all openings.
    pub start_ply: Option<StartPly>,
    /// The first lap through the book and the later laps; absent without later laps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub laps: Option<LapsSummary>,
    /// True if the test's error rates hold for these pairs.
    pub error_rates_hold: bool,
    /// The reason that they do not, and the remedy.
    pub error_rates_reason: Option<String>,
    /// The counts, and the estimates of a match of fixed length, which are biased once a test has
    /// stopped it.
    #[serde(flatten)]
    pub results: Results,
    /// The test's median-unbiased estimate of the strength after it stopped; `None` before that,
    /// and for the strict test.
    pub after_stop: Option<AfterSprt>,
    /// Variance of a game's score in the pairs, divided by that of independent games.
    pub pair_variance_ratio: Option<f64>,
}

impl GateSummary {
    /// The summary of `trials` under `plan`.
    pub fn new(plan: &Plan, trials: &Trials) -> Self {
        let names = plan.config.variants.iter().map(|it| it.name.as_str());
        let names: Vec<&str> = names.collect();
        let gate = &trials.gate;
        let terms = Terms::of(gate, trials.rounds);
        let tallies = trials.standings.tallies();
        let candidates: Vec<Candidate> = trials
            .candidates
            .iter()
            .zip(tallies.zip(trials.standings.effects()))
            .enumerate()
            .map(|(pairing, (trial, ((_, tally), effect)))| {
                let laps = LapsSummary::of(&trials.standings, pairing);
                let error_rates_reason = why_not_tested(trials, trial, laps.as_ref());
                let is_undecided = trial.is_unplayed(gate.base);
                let (shortage, failure) = match trial.verdict {
                    Some(Verdict::Inconclusive(shortage)) => (Some(shortage), None),
                    Some(Verdict::Failed(failure)) => (None, Some(failure)),
                    _ => (None, None),
                };
                Candidate {
                    name: names[trial.candidate].to_owned(),
                    verdict: trial.verdict.map(Outcome::from),
                    passed: trial.verdict.and_then(Verdict::passed),
                    same_player: plan.config.are_same_player(gate.base, trial.candidate),
                    played_alike: matches!(trial.verdict, Some(Verdict::PlayedAlike { .. })),
                    shortage,
                    failure,
                    sentence: sentences::sentence(
                        &terms,
                        trial,
                        &names,
                        trials,
                        error_rates_reason.is_none(),
                    ),
                    level: trial.test.level(),
                    progress: sentences::looks(&trial.test),
                    looks: match &trial.test {
                        Test::GroupSequential(test) => test.looks().to_vec(),
                        Test::Gsprt(_) | Test::Games(_) | Test::Strict(_) => Vec::new(),
                    },
                    pairs: trial.pairs() + trial.related,
                    unrelated_pairs: trial.pairs(),
                    openings_needed: openings_needed(plan, trials, trial),
                    duplicate_pairs: trial.duplicates,
                    distinct_openings: trial.distinct_openings(),
                    book_openings: trial.book_openings,
                    last_pair: trial.last_pair,
                    start_ply: StartPly::of(&trials.standings.start_plies),
                    laps,
                    error_rates_hold: error_rates_reason.is_none(),
                    error_rates_reason,
                    results: Results::of(tally, effect).without_strength_if(is_undecided),
                    after_stop: after_stop(gate, trial).filter(|_| !is_undecided),
                    pair_variance_ratio: tally.pair_variance_ratio(),
                }
            })
            .collect();
        let verdict = trials.verdict();
        let play = PlaySummary::of(plan, &trials.standings);
        Self {
            verdict: verdict.map(Outcome::from),
            played_alike: matches!(verdict, Some(Verdict::PlayedAlike { .. })),
            game: plan.config.game.name(),
            base: names[gate.base].to_owned(),
            test: terms,
            warnings: warnings(plan, trials, &candidates, &play),
            play,
            candidates,
        }
    }
}

/// The reason that error rates do not hold, and the remedy.
const REPEATED: &str = "the test treats pairs from one opening as independent, but they are not: \
                        use a longer book";

/// The reason that the error rates of a candidate's test may not hold; `None` if they do.
fn why_not_tested(trials: &Trials, trial: &Trial, laps: Option<&LapsSummary>) -> Option<String> {
    let repeated = trial.openings_repeat.then(|| REPEATED.to_owned());
    let reasons = [repeated, why_not(&trials.standings, laps)];
    let reasons: Vec<String> = reasons.into_iter().flatten().collect();
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

/// Expected number of pairs midway between the hypotheses, if the trial ended because related pairs
/// were no evidence.
fn openings_needed(plan: &Plan, trials: &Trials, trial: &Trial) -> Option<u64> {
    let usual = plan.config.game.card.facts().usual_spread;
    let wanting = matches!(trial.verdict, Some(Verdict::Inconclusive(_))) && trial.related > 0;
    let pairs = wanting.then(|| Forecast::uncapped_pairs(trials, usual).ok())??;
    // This number of unrelated pairs was not enough: openings were not the problem.
    let needed = pairs.ceil() as u64;
    (needed > trial.pairs()).then_some(needed)
}

fn after_stop(gate: &Gate, trial: &Trial) -> Option<AfterSprt> {
    if !matches!(trial.verdict, Some(Verdict::Accepted | Verdict::Rejected)) {
        return None;
    }
    match &trial.test {
        Test::Gsprt(_) => {
            let after = after_sprt(trial.evidence, gate.pair_hypotheses(), gate.errors);
            Some(after.at_its_stop().supported_by(trial.evidence))
        }
        // Its variance is that of the hypothesis, not the observed one.
        Test::GroupSequential(test) => test.after_stop(),
        Test::Games(_) | Test::Strict(_) => None,
    }
}

/// Number of pairs below which the GSPRT's error rates, which hold for large samples, are
/// imprecise. With hypotheses 100 Elo apart, which takes some 32 pairs, they were measured at 6 %
/// instead of 5 %.
const FEW_PAIRS: u64 = 50;

fn warnings(
    plan: &Plan,
    trials: &Trials,
    candidates: &[Candidate],
    play: &PlaySummary,
) -> Vec<String> {
    let mut warnings = Vec::from_iter(uneven_speeds(&plan.speeds));
    let repeat = candidates.iter().filter(|it| it.duplicate_pairs > 0);
    warnings.extend(repeat.map(|candidate| {
        format!(
            "`{}`: {} an earlier one move by move: no evidence, and not counted",
            candidate.name,
            count(candidate.duplicate_pairs, "pair repeats", "pairs repeat")
        )
    }));
    warnings.extend(candidates.iter().filter_map(|candidate| {
        let reason = candidate.error_rates_reason.as_ref()?;
        let name = &candidate.name;
        Some(format!("`{name}`: the error rates do not hold: {reason}"))
    }));
    let related = candidates.iter().zip(&trials.candidates);
    let related = related.filter(|(_, trial)| trial.related > 0);
    warnings.extend(related.map(|(candidate, trial)| {
        format!(
            "`{}`: the games of {} of {} transposed into those of an earlier pair: the test \
             counts only the other {}",
            candidate.name,
            trial.related,
            count(candidate.pairs, "pair", "pairs"),
            candidate.unrelated_pairs
        )
    }));
    let kind = trials.gate.test;
    let early = candidates.iter().filter(|it| {
        let is_decided = matches!(it.verdict, Some(Outcome::Accepted | Outcome::Rejected));
        kind != TestKind::Strict && is_decided && it.unrelated_pairs < FEW_PAIRS
    });
    warnings.extend(early.map(|candidate| {
        format!(
            "`{}`: decided after {}, where the error rates of {} are an approximation; \
             `test = \"strict\"` keeps them exactly",
            candidate.name,
            count(candidate.unrelated_pairs, "pair", "pairs"),
            kind.name()
        )
    }));
    let mut causes = trials.standings.causes.keys();
    if causes.any(|cause| cause.is_failure()) {
        warnings
            .push("games were lost by a fault of the loser, not by its play, and count".to_owned());
    }
    if let Some(workers) = &play.workers {
        warnings.extend(workers.scattered().map(PairingOfWorkers::warning));
    }
    warnings.extend(one_worker(&plan.config, &trials.standings));
    warnings.extend(unreproducible(&plan.config));
    warnings
}
