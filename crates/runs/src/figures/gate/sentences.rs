//! Verdicts in plain words.

use std::borrow::Cow;

use super::{Candidate, GateSummary, Outcome, Terms};
use crate::figures::FailureShare;
use crate::figures::number::{interval, or_dash};
use crate::figures::summary::played_alike;
use crate::gate::{Shortage, Test, Trial, Trials, Verdict};
use crate::tournament::Failing;
use leitai_base::count::{count, rounded, with_sign};
use leitai_config::{Control, GateModel, TestKind};
use leitai_stats::{Level, LookProgress, SequentialTest};

/// The verdict of one trial between variants with these names in a sentence.
pub(super) fn sentence(
    terms: &Terms,
    trial: &Trial,
    names: &[&str],
    trials: &Trials,
    rates_hold: bool,
) -> String {
    let base = trials.gate.base;
    if let Some(Verdict::Failed(failing)) = trial.verdict {
        return failed(trial, &failing, names, trials);
    }
    let verdict = verdict(terms, trial, names, base, rates_hold);
    let both = [trial.candidate, base].map(|player| share(trial, player, names));
    verdict + &both.concat()
}

/// The share of failures of a player; empty without failures.
fn share(trial: &Trial, player: usize, names: &[&str]) -> String {
    let words = FailureShare::from(trial.reliability.of(player)).words();
    words.map_or_else(String::new, |words| {
        format!("; `{}` {words}", names[player])
    })
}

/// The verdict of the test alone.
fn verdict(terms: &Terms, trial: &Trial, names: &[&str], base: usize, rates_hold: bool) -> String {
    let is_unplayed = trial.is_unplayed(base);
    let (candidate, base) = (names[trial.candidate], names[base]);
    let pairs = if trial.related == 0 {
        count(trial.pairs(), "pair", "pairs")
    } else {
        let all = count(trial.pairs() + trial.related, "pair", "pairs");
        format!("{} unrelated of {all}", trial.pairs())
    };
    let level = level(terms, &trial.test.level(), looks(&trial.test).as_ref());
    let question = hypotheses(terms, rates_hold);
    match trial.verdict {
        Some(verdict @ (Verdict::Accepted | Verdict::Rejected)) if is_unplayed => format!(
            "`{candidate}` against `{base}`: {} after {pairs} by failures alone, which do not \
             measure strength",
            Outcome::from(verdict).name()
        ),
        Some(Verdict::Accepted) => format!(
            "`{candidate}` is {} `{base}`: accepted after {pairs} ({question}); {level}",
            relation(terms, true)
        ),
        Some(Verdict::Rejected) if trial.test.is_at_end() => format!(
            "`{candidate}` is not shown to be {} `{base}`: rejected after {pairs}, at the last \
             look ({question}); {level}",
            relation(terms, true)
        ),
        Some(Verdict::Rejected) => format!(
            "`{candidate}` is {} `{base}`: rejected after {pairs} ({question}); {level}",
            relation(terms, false)
        ),
        Some(Verdict::PlayedAlike { passes }) => format!(
            "`{candidate}` and `{base}`: {}{}; there is no strength to test, and no change is {} \
             enough ({question}); {level}",
            played_alike(trial.alike),
            if trial.alike < terms.alike_pairs {
                let wanted = terms.alike_pairs;
                format!(", and there were no more pairs, though `alike_pairs` is {wanted}")
            } else {
                String::new()
            },
            if passes { "good" } else { "not" }
        ),
        Some(Verdict::Inconclusive(shortage)) => format!(
            "`{candidate}` against `{base}`: neither hypothesis is decided, inconclusive after \
             {pairs}, {} ({question}); {level}",
            reason(shortage, trial)
        ),
        Some(Verdict::Failed(_)) | None => format!(
            "`{candidate}` against `{base}` is undecided after {pairs} ({question}); {level}"
        ),
    }
}

/// Smallest number of pairs for an extrapolation.
const FEW: u64 = 20;

/// Estimated number of remaining pairs if the test continues at its average rate, limited by the
/// cap; `None` while too little is known. For the live display only: the test itself predicts
/// nothing.
fn needed(terms: &Terms, candidate: &Candidate) -> Option<u64> {
    let level = candidate.level;
    let looks = matches!(terms.kind, TestKind::GroupSequential { .. });
    let pairs = candidate.unrelated_pairs;
    if looks || candidate.verdict.is_some() || pairs < FEW {
        return None;
    }
    let bound = if level.value > 0.0 {
        level.upper
    } else {
        level.lower
    };
    let left = terms.max_pairs.saturating_sub(candidate.pairs);
    let more = pairs as f64 * (bound / level.value - 1.0);
    // Saturates without a trend.
    more.is_finite().then(|| (more.max(0.0) as u64).min(left))
}

/// The sum of these numbers over all candidates; `None` if none is known.
pub fn needed_by_all(gate: &GateSummary) -> Option<u64> {
    let candidates = gate.candidates.iter();
    let more = candidates.filter_map(|it| needed(&gate.test, it));
    more.reduce(u64::saturating_add)
}

/// Columns of a [gauge].
const GAUGE: usize = 24;

/// The test's position between its bounds: rejected to the left, accepted to the right. `None` if
/// its bounds are no numbers.
pub fn gauge(candidate: &Candidate) -> Option<String> {
    let level = candidate.level;
    let place = (level.value - level.lower) / (level.upper - level.lower);
    let is_between = place.is_finite() && level.lower < level.upper;
    let filled = (place.clamp(0.0, 1.0) * GAUGE as f64).round() as usize;
    let (done, left) = ("=".repeat(filled), " ".repeat(GAUGE - filled));
    is_between.then(|| format!("reject [{done}|{left}] accept"))
}

/// A candidate's results independent of the test; `None` without pairs. The interval holds at every
/// moment.
pub fn results_line(candidate: &Candidate) -> Option<String> {
    let results = &candidate.results;
    let shown = || {
        format!(
            "Elo {} {} (95 % at any time)  +{} ={} -{}  pairs {} (LL/LD/level/WD/WW)",
            or_dash(results.estimate.elo.value, |elo| with_sign(elo, 1)),
            interval(&results.any_time),
            results.wins,
            results.draws,
            results.losses,
            results.pentanomial.map(|pairs| pairs.to_string()).join("/")
        )
    };
    (candidate.pairs > 0).then(shown)
}

/// One line about a trial in progress.
pub fn progress(terms: &Terms, candidate: &Candidate) -> String {
    let next_look = candidate.progress.and_then(|progress| progress.next_in);
    let state = match (candidate.verdict, needed(terms, candidate), next_look) {
        (Some(verdict), _, _) => format!("  {}", verdict.name()),
        (None, Some(more), _) => format!("  about {more} to go"),
        (None, None, Some(more)) => format!("  {more} to the next look"),
        (None, None, None) => String::new(),
    };
    format!(
        "{}: {}  {}/{}{state}",
        candidate.name,
        level(terms, &candidate.level, candidate.progress.as_ref()),
        candidate.pairs,
        count(terms.max_pairs, "pair", "pairs")
    )
}

/// The meaning of acceptance, not as bad as H0, or of rejection, not as good as H1. The baseline's
/// name follows.
fn relation(terms: &Terms, is_accepted: bool) -> String {
    let (elo, word, opposite) = if is_accepted {
        (terms.elo0, "stronger", "weaker")
    } else {
        (-terms.elo1, "weaker", "stronger")
    };
    let (amount, unit) = (elo.abs(), unit(terms));
    if elo > 0.0 {
        format!("more than {amount} {unit} {word} than")
    } else if elo < 0.0 {
        format!("not {amount} {unit} or more {opposite} than")
    } else {
        format!("{word} than")
    }
}

fn unit(terms: &Terms) -> &'static str {
    match terms.model {
        GateModel::Logistic => "Elo",
        GateModel::Normalized => "nElo",
        GateModel::Bayesian => "BayesElo",
    }
}

/// The test and its hypotheses in one line.
pub fn question(terms: &Terms) -> String {
    format!("{:<9} {}", terms.kind.name(), hypotheses(terms, true))
}

/// The hypotheses and the error rates, or the reason that these do not hold.
pub(super) fn hypotheses(terms: &Terms, rates_hold: bool) -> String {
    let model = terms.model.name();
    let rates = if rates_hold {
        // The bounds of a level are those of a single candidate.
        let together = match terms.control {
            Control::None => "",
            Control::FamilyWise => " for all candidates together (e-Holm)",
            Control::FalseDiscovery => " for the share of wrong acceptances (e-BH)",
        };
        format!("alpha {}{together}, beta {}", terms.alpha, terms.beta)
    } else {
        "error rates not kept".to_owned()
    };
    format!(
        "H1: {} Elo or more against H0: {} or less, {model}, {rates}",
        signed(terms.elo1),
        signed(terms.elo0)
    )
}

/// Progress of a group-sequential test; `None` for others.
pub(super) fn looks(test: &Test) -> Option<LookProgress> {
    match test {
        Test::GroupSequential(test) => Some(test.progress()),
        Test::Gsprt(_) | Test::Games(_) | Test::Strict(_) => None,
    }
}

/// State of the test in its own terms. A group-sequential test has the state of its last look, and
/// its final look has no futility bound.
fn level(terms: &Terms, level: &Level, progress: Option<&LookProgress>) -> String {
    let at = match progress {
        None => String::new(),
        Some(LookProgress { looks: 0, of, .. }) => return format!("before look 1 of {of}"),
        Some(LookProgress { looks, of, .. }) if looks == of => {
            return format!(
                "look {looks} of {of}, the last: z {}, accepted from {:.2} on",
                rounded(level.value, 2),
                level.upper
            );
        }
        Some(LookProgress { looks, of, .. }) => format!("look {looks} of {of}: "),
    };
    let what = match terms.kind {
        TestKind::Gsprt { .. } | TestKind::Trinomial => "LLR",
        TestKind::Strict => "log e-value",
        TestKind::GroupSequential { .. } => "z",
    };
    format!(
        "{at}{what} {} ({:.2} .. {:.2})",
        rounded(level.value, 2),
        level.lower,
        level.upper
    )
}

pub(super) fn signed(elo: f64) -> String {
    if elo == 0.0 {
        "0".to_owned()
    } else {
        format!("{elo:+}")
    }
}

fn reason(shortage: Shortage, trial: &Trial) -> &'static str {
    match shortage {
        Shortage::Cap => "and `max_pairs` allows no more",
        // Other positions replaced the openings.
        Shortage::Openings if trial.book_openings < trial.distinct_openings() => {
            "and pairs from these openings bring nothing new any more"
        }
        Shortage::Openings => "and all openings have been played",
    }
}

/// The remedy for a missing verdict.
pub fn remedy(terms: &Terms, candidate: &Candidate) -> Option<Cow<'static, str>> {
    if let Some(needed) = candidate.openings_needed {
        let random = candidate.book_openings < candidate.distinct_openings;
        let cause = if random {
            format!(
                "the book is too short: of {} pairs from {} openings and their replacements, {} are \
                 unrelated to earlier pairs",
                candidate.pairs, candidate.book_openings, candidate.unrelated_pairs
            )
        } else {
            format!(
                "the openings lead into each other: of {} {} unrelated",
                count(candidate.pairs, "pair", "pairs"),
                count(candidate.unrelated_pairs, "is", "are")
            )
        };
        let remedy = if terms.kind == TestKind::Strict {
            "append unrelated openings to the book (`openings generate` makes some) and \
             run it again: the strict test continues, and the recorded pairs count"
        } else if random {
            "make a longer book with `openings generate`"
        } else {
            "make a book of unrelated openings with `openings generate`, or thin this one, \
             one position of each line; `leitai openings check` names examples"
        };
        return Some(Cow::Owned(format!(
            "{cause}, and about {needed} are needed on average; {remedy}"
        )));
    }
    advice(terms, candidate).map(Cow::Borrowed)
}

fn advice(terms: &Terms, candidate: &Candidate) -> Option<&'static str> {
    if candidate.played_alike {
        return Some(
            "check that the candidate contains the change; other limits or openings may show it; \
             `alike_pairs = 0` under `[gate]` continues nevertheless",
        );
    }
    match (candidate.shortage, candidate.failure) {
        (Some(Shortage::Cap), _) if terms.kind == TestKind::Strict => Some(
            "set a larger `max_pairs`, append openings to the book if it has too few (`leitai \
             openings generate` makes some), and run it again: the strict test continues, and the \
             recorded pairs count",
        ),
        (Some(Shortage::Openings), _) if terms.kind == TestKind::Strict => Some(
            "append openings to the book (`openings generate` makes some) and run it \
             again: the strict test continues, and the recorded pairs count",
        ),
        (Some(Shortage::Cap), _) => Some(
            "set a larger `max_pairs`, or move `elo0` and `elo1` apart; `gate --plan` \
             shows the cost of each",
        ),
        (Some(Shortage::Openings), _) => Some(
            "make more openings with `openings generate`, or move `elo0` and `elo1` apart; \
             playing an opening again would repeat its games",
        ),
        (None, Some(failing)) if failing.always => Some(
            "`leitai doctor CONFIG` shows why it fails; then `--retry-failed` replays its failed games; \
             a changed program file starts a new run",
        ),
        (None, Some(_)) => Some(
            "`leitai doctor CONFIG` shows why it fails; a changed program file starts a new run; a \
             larger `tolerate` under `[failures]` continues with the recorded games",
        ),
        (None, None) => None,
    }
}

/// The sentence of a trial that a failing player ended.
fn failed(trial: &Trial, failing: &Failing, names: &[&str], trials: &Trials) -> String {
    let (candidate, base) = (trial.candidate, trials.gate.base);
    let cause = failing.sentence(names[failing.variant], "", trials.failures.tolerate);
    let is_candidate = failing.variant == candidate;
    let other = if is_candidate { base } else { candidate };
    format!(
        "{cause}{}; no verdict on `{}` against `{}` after {}",
        share(trial, other, names),
        names[candidate],
        names[base],
        count(trial.pairs() + trial.related, "pair", "pairs")
    )
}

#[cfg(test)]
mod tests {
    use super::progress as progress_of;
    use super::*;
    use crate::figures::Results;
    use crate::tournament::Tally;

    fn terms(elo0: f64, elo1: f64, model: GateModel) -> Terms {
        Terms {
            kind: TestKind::Gsprt { overshoot: true },
            model,
            elo0,
            elo1,
            alpha: 0.05,
            beta: 0.1,
            control: Control::None,
            max_pairs: 1000,
            alike_pairs: 30,
        }
    }

    #[test]
    fn a_verdict_names_the_excluded_hypothesis() {
        for (elo0, elo1, accepted, rejected) in [
            (0.0, 5.0, "stronger than", "not 5 Elo or more stronger than"),
            (-2.5, 0.0, "not 2.5 Elo or more weaker than", "weaker than"),
            (
                2.0,
                4.0,
                "more than 2 Elo stronger than",
                "not 4 Elo or more stronger than",
            ),
            (
                -9.0,
                -3.0,
                "not 9 Elo or more weaker than",
                "more than 3 Elo weaker than",
            ),
        ] {
            let terms = terms(elo0, elo1, GateModel::Logistic);
            assert_eq!(relation(&terms, true), accepted);
            assert_eq!(relation(&terms, false), rejected);
        }
        let terms = terms(-1.75, 0.25, GateModel::Normalized);
        assert_eq!(relation(&terms, true), "not 1.75 nElo or more weaker than");
        assert_eq!(
            hypotheses(&terms, true),
            "H1: +0.25 Elo or more against H0: -1.75 or less, normalized, alpha 0.05, beta 0.1"
        );
        assert!(hypotheses(&terms, false).ends_with("error rates not kept"));
    }

    fn candidate(pairs: u64, value: f64) -> Candidate {
        Candidate {
            name: "new".to_owned(),
            verdict: None,
            passed: None,
            same_player: false,
            played_alike: false,
            shortage: None,
            failure: None,
            sentence: String::new(),
            level: Level {
                value,
                lower: -3.0,
                upper: 3.0,
            },
            progress: None,
            looks: Vec::new(),
            pairs,
            unrelated_pairs: pairs,
            openings_needed: None,
            duplicate_pairs: 0,
            distinct_openings: 0,
            book_openings: 0,
            last_pair: None,
            start_ply: None,
            laps: None,
            error_rates_hold: true,
            error_rates_reason: None,
            results: Results::of(&Tally::default(), leitai_stats::Effect::NONE),
            after_stop: None,
            pair_variance_ratio: None,
        }
    }

    #[test]
    fn a_look_is_shown_with_its_number_and_the_next() {
        let looks = TestKind::GroupSequential { looks: 3 };
        let terms = Terms {
            kind: looks,
            ..terms(0.0, 5.0, GateModel::Logistic)
        };
        let at = |looks, next_in| {
            let progress = LookProgress {
                looks,
                of: 3,
                next_in,
            };
            let candidate = Candidate {
                progress: Some(progress),
                ..candidate(100, 0.43)
            };
            progress_of(&terms, &candidate)
        };
        assert_eq!(
            at(0, Some(7)),
            "new: before look 1 of 3  100/1000 pairs  7 to the next look"
        );
        assert_eq!(
            at(1, Some(4)),
            "new: look 1 of 3: z 0.43 (-3.00 .. 3.00)  100/1000 pairs  4 to the next look"
        );
        assert_eq!(
            at(3, None),
            "new: look 3 of 3, the last: z 0.43, accepted from 3.00 on  100/1000 pairs"
        );
    }

    #[test]
    fn the_remaining_number_extrapolates_the_progress() {
        let terms = terms(0.0, 5.0, GateModel::Logistic);
        let needed = |pairs, value| needed(&terms, &candidate(pairs, value));
        assert_eq!(needed(100, 1.0), Some(200));
        assert_eq!(needed(100, -1.5), Some(100));
        assert_eq!(needed(100, 0.001), Some(900), "no more than it may play");
        assert_eq!(needed(100, 3.5), Some(0));
        assert_eq!(needed(100, 0.0), None);
        assert_eq!(needed(19, 1.0), None);
        assert_eq!(
            progress(&terms, &candidate(100, 1.0)),
            "new: LLR 1.00 (-3.00 .. 3.00)  100/1000 pairs  about 200 to go"
        );
    }

    #[test]
    fn how_a_candidate_stands_is_a_line() {
        let mut candidate = candidate(100, 1.0);
        let tally = Tally {
            pairs: leitai_stats::Pentanomial([5, 20, 40, 25, 10]),
            games: leitai_stats::Trinomial {
                wins: 80,
                draws: 55,
                losses: 65,
            },
            ..Tally::default()
        };
        candidate.results = Results::of(&tally, leitai_stats::Effect::NONE);
        let line = results_line(&candidate).expect("pairs");
        assert!(line.starts_with("Elo +26.1 -"), "{line}");
        assert!(
            line.ends_with("+80 =55 -65  pairs 5/20/40/25/10 (LL/LD/level/WD/WW)"),
            "{line}"
        );
        candidate.pairs = 0;
        assert_eq!(results_line(&candidate), None);
    }
}
