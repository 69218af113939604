//! Failures of players, as data and in sentences.

use std::fmt::{self, Display, Formatter};

use serde::Serialize;

use crate::figures::tune::FailureDirections;
use crate::store::BatchRow;
use crate::tournament::{
    Counts, FailedGames, Faults, FirstFault, TunePlan, batch_faults, batch_reliability,
};
use leitai_base::count::count;
use leitai_config::{Config, Limits};
use leitai_game::Cause;
use leitai_players::play::Evidence;

/// The failures of a run.
#[derive(Clone, Debug, Serialize)]
pub struct FailureSummary {
    /// The variants that failed, in the order of the config.
    pub variants: Vec<FailingVariant>,
    /// Pairs that were repeated at least once.
    pub pairs_replayed: u64,
    /// Total number of repetitions.
    pub replays: u64,
    /// Number of repetitions after a pause of the machine.
    pub pauses: u64,
    /// Pairs that count although a failure lost one of their games.
    pub spoilt_pairs: u64,
    /// The numbers of the first ten of these pairs.
    pub first_spoilt_pairs: Vec<u64>,
    /// For a tune: the dependence of failures on a side or on values; absent if no failure counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directions: Option<FailureDirections>,
    /// True if the config repeats pairs after some kinds of failure.
    #[serde(skip)]
    replays_any: bool,
}

/// The failures of one variant.
#[derive(Clone, Debug, Serialize)]
pub struct FailingVariant {
    /// The variant's name.
    pub name: String,
    /// Share of its games that count.
    #[serde(flatten)]
    pub share: FailureShare,
    /// Failures by cause, in the order of the causes.
    pub causes: Vec<FailureCount>,
    /// Number of restarts of its engine; `None` if it is searched in this process.
    pub restarts: Option<u64>,
    /// Its delay, if it failed on time.
    #[serde(flatten)]
    pub lateness: Option<Lateness>,
}

/// The share of a player's games that its failures ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct FailureShare {
    /// Games that count, including those that repeat earlier ones.
    pub games: u64,
    /// Games ended by its failures, except losses on time.
    pub failed: u64,
    /// Share of these games, 0 to 1.
    pub failed_share: f64,
    /// Games lost on time.
    pub time_losses: u64,
    /// Share of these games, 0 to 1.
    pub time_loss_share: f64,
}

impl From<FailedGames> for FailureShare {
    fn from(own: FailedGames) -> Self {
        let share = |part: u64| part as f64 / own.games.max(1) as f64;
        Self {
            games: own.games,
            failed: own.failed,
            failed_share: share(own.failed),
            time_losses: own.late,
            time_loss_share: share(own.late),
        }
    }
}

impl FailureShare {
    /// The share as part of a sentence; `None` if the player has not failed.
    pub fn words(&self) -> Option<String> {
        let of = |part: u64, share: f64, before: &str, after: &str| {
            let percent = 100.0 * share;
            let games = self.games;
            (part > 0).then(|| format!("{before} {part} of {games} games{after} ({percent:.1} %)"))
        };
        let both = [
            of(self.failed, self.failed_share, "failed in", ""),
            of(self.time_losses, self.time_loss_share, "lost", " on time"),
        ];
        let both: Vec<String> = both.into_iter().flatten().collect();
        (!both.is_empty()).then(|| both.join(" and "))
    }
}

/// A variant's delay, and its margin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Lateness {
    /// Milliseconds in excess of the time of the latest move that lost a game; `None` if unknown.
    pub latest_ms: Option<f64>,
    /// Tolerated milliseconds.
    pub margin_ms: f64,
}

/// The number of a variant's failures by one cause.
#[derive(Clone, Debug, Serialize)]
pub struct FailureCount {
    /// The cause.
    pub cause: Cause,
    /// The counts by their effect.
    #[serde(flatten)]
    pub counts: Counts,
    /// The first failure with evidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<FirstFailure>,
}

/// The first failure of its kind.
#[derive(Clone, Debug, Serialize)]
pub struct FirstFailure {
    /// Number of the pair in the schedule, from 0.
    pub pair: u64,
    /// The game of the pair, from 1.
    pub game: usize,
    /// The attempt at the pair, from 1.
    pub attempt: u32,
    /// The evidence.
    #[serde(flatten)]
    pub evidence: FailureEvidence,
}

/// Evidence of a failure. Serialization keeps only data that is the same whenever the same games
/// are played, unless a clock limits play or times are requested.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FailureEvidence {
    #[serde(flatten)]
    data: Evidence,
    #[serde(skip)]
    whole: Evidence,
}

impl FailureEvidence {
    /// The evidence of a failure in a game; `by_the_clock` means that a clock limits play.
    pub fn new(evidence: &Evidence, by_the_clock: bool) -> Self {
        let whole = evidence.clone();
        let data = if by_the_clock {
            whole.clone()
        } else {
            whole.reproducible()
        };
        Self { data, whole }
    }

    /// The complete evidence in a sentence.
    pub fn sentence(&self, cause: Cause) -> String {
        self.whole.sentence(cause)
    }
}

impl FirstFailure {
    fn of(first: &FirstFault, by_the_clock: bool) -> Self {
        let evidence = &first.evidence;
        Self {
            pair: first.pair,
            game: evidence.game + 1,
            attempt: evidence.attempt,
            evidence: FailureEvidence::new(evidence, by_the_clock),
        }
    }
}

impl Lateness {
    /// The lateness of a player with these limits; `latest` is in microseconds.
    pub fn of(latest: Option<u32>, limits: &Limits) -> Self {
        Self {
            latest_ms: latest.map(|micros| f64::from(micros) / 1000.0),
            margin_ms: limits.allowed_margin().as_secs_f64() * 1000.0,
        }
    }
}

/// The lateness as part of a sentence.
impl Display for Lateness {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(ms) = self.latest_ms {
            write!(f, "it was {ms:.0} ms late, and ")?;
        }
        let margin = self.margin_ms;
        write!(f, "its `margin` is {margin} ms")
    }
}

impl FailureSummary {
    /// The summary of `faults` in games of a config; `None` without failures. `games` holds each
    /// variant's failures in games that count.
    pub fn of(
        config: &Config,
        faults: &Faults,
        games: &dyn Fn(usize) -> FailedGames,
    ) -> Option<Self> {
        if faults.is_empty() {
            return None;
        }
        let limits = config.limits_by_variant();
        let lateness = |index: usize| {
            let is_late = |(cause, _)| cause == Cause::TimeForfeit;
            let any = faults.of_variant(index).any(is_late);
            any.then(|| Lateness::of(faults.latest(index), &limits[index]))
        };
        let variants = config.variants.iter().enumerate();
        let variants = variants.map(|(index, variant)| FailingVariant {
            name: variant.name.clone(),
            share: games(index).into(),
            causes: faults
                .of_variant(index)
                .map(|(cause, counts)| FailureCount {
                    cause,
                    counts,
                    first: faults
                        .first(index, cause)
                        .map(|first| FirstFailure::of(first, config.is_timed())),
                })
                .collect(),
            restarts: variant.program.as_ref().map(|_| faults.restarts(index)),
            lateness: lateness(index),
        });
        Some(Self {
            variants: variants
                .filter(|variant| !variant.causes.is_empty())
                .collect(),
            pairs_replayed: faults.pairs_replayed,
            replays: faults.replays,
            pauses: faults.pauses,
            spoilt_pairs: faults.spoilt_pairs,
            first_spoilt_pairs: faults.first_spoilt.clone(),
            replays_any: config.failures.replays_any(),
            directions: None,
        })
    }

    /// The summary of batches of a tune; `None` if its variant has not failed.
    pub fn of_tune(plan: TunePlan<'_>, rows: &[BatchRow]) -> Option<Self> {
        let (tune, size) = (&plan.tune, plan.batch_size());
        let sides = batch_reliability(rows, size);
        let both = sides.of(0).with_opponent(&sides.of(1));
        let faults = batch_faults(rows, tune.variant);
        let summary = Self::of(&plan.config, &faults, &|_| both)?;
        let names = tune.dimensions.iter().map(|own| own.name.clone());
        let names: Vec<String> = names.collect();
        Some(Self {
            directions: FailureDirections::of(rows, size, &names),
            ..summary
        })
    }

    /// Includes the complete evidence in the serialized data.
    #[must_use]
    pub fn with_times(mut self) -> Self {
        let causes = self.variants.iter_mut().flat_map(|it| &mut it.causes);
        for first in causes.filter_map(|count| count.first.as_mut()) {
            first.evidence.data = first.evidence.whole.clone();
        }
        self
    }

    /// Games that were lost by a failure, and count.
    pub fn lost(&self) -> u64 {
        let variants = self.variants.iter();
        let causes = variants.flat_map(|variant| &variant.causes);
        causes.map(|count| count.counts.lost).sum()
    }

    /// The failures on separate lines below a heading.
    pub fn text(&self) -> String {
        let lines = self.sentences().into_iter();
        let lines = lines.map(|sentence| format!("  {sentence}\n"));
        format!("Failures:\n{}", lines.collect::<String>())
    }

    /// The failures, one sentence each.
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences: Vec<String> = Vec::new();
        for variant in &self.variants {
            sentences.push(variant.sentence());
            sentences.extend(variant.causes.iter().filter_map(FailureCount::sentence));
        }
        sentences.extend((self.directions.iter()).flat_map(FailureDirections::sentences));
        if self.pairs_replayed > 0 {
            sentences.push(format!(
                "{} played again after a failure, {} in all: only the last attempt counts",
                count(self.pairs_replayed, "pair was", "pairs were"),
                count(self.replays, "time", "times"),
            ));
        }
        if self.pauses > 0 {
            sentences.push(format!(
                "the machine paused while a clock ran (stopped, asleep, or busy elsewhere): pairs \
                 were played again {}, and no player is charged",
                count(self.pauses, "time", "times"),
            ));
        }
        if self.spoilt_pairs > 0 {
            let numbers: Vec<String> = self.first_spoilt_pairs.iter().map(u64::to_string).collect();
            let more = match self.spoilt_pairs - self.first_spoilt_pairs.len() as u64 {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let help = if self.replays_any {
                ""
            } else {
                "; `otherwise = \"replay\"` under `[failures]` would have such pairs played again"
            };
            sentences.push(format!(
                "{} with a game that was lost by a failure ({}{more}): {}{help}",
                count(self.spoilt_pairs, "pair counts", "pairs count"),
                numbers.join(", "),
                if self.directions.is_some() {
                    "it is learnt from like any other"
                } else {
                    "the loss is in the score and in the Elo like any other"
                },
            ));
        }
        sentences
    }
}

impl FailureCount {
    /// The place and evidence of the first failure.
    fn sentence(&self) -> Option<String> {
        let first = self.first.as_ref()?;
        Some(format!(
            "first {} in game {} of pair {}: {}",
            self.cause,
            first.game,
            first.pair,
            first.evidence.sentence(self.cause)
        ))
    }
}

impl FailingVariant {
    fn sentence(&self) -> String {
        let causes = self.causes.iter().map(|count| {
            let it = &count.counts;
            let (lost, drawn) = ((it.lost, "lost"), (it.drawn, "drawn"));
            let kinds = [lost, drawn, (it.replayed, "played again")];
            let kinds = kinds.iter().filter(|(games, _)| *games > 0);
            let kinds = kinds.map(|(games, effect)| format!("{games} {effect}"));
            let kinds: Vec<String> = kinds.collect();
            format!("{} ({})", count.cause, kinds.join(", "))
        });
        let causes = causes.collect::<Vec<_>>().join(", ");
        let counts = self.causes.iter().map(|count| count.counts);
        let games: u64 = counts.map(|it| it.lost + it.drawn + it.replayed).sum();
        let again = match self.restarts {
            None | Some(0) => String::new(),
            Some(times) => format!("; started afresh {}", count(times, "time", "times")),
        };
        let late = self.lateness.map(|lateness| format!("; {lateness}"));
        let share = self.share.words().map(|words| format!("; it {words}"));
        format!(
            "`{}` failed in {}: {causes}{again}{}{}",
            self.name,
            count(games, "game", "games"),
            late.unwrap_or_default(),
            share.unwrap_or_default()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use leitai_players::player::Symptoms;

    fn crashed() -> Evidence {
        Evidence {
            attempt: 1,
            game: 1,
            plies: 7,
            position: "8/8 w".to_owned(),
            legal_moves: 4,
            symptoms: Symptoms {
                exit: Some("exit status 139".to_owned()),
                errors: vec!["out of cheese".to_owned()],
                ..Symptoms::default()
            },
        }
    }

    /// An engine's output differs between runs.
    #[test]
    fn data_has_the_last_words_only_beside_times() {
        let data = |by_the_clock| {
            serde_json::to_string(&FailureEvidence::new(&crashed(), by_the_clock)).unwrap()
        };
        let place = r#"{"plies":7,"position":"8/8 w","legal_moves":4"#;
        assert_eq!(data(false), format!("{place}}}"));
        let all = format!(r#"{place},"exit":"exit status 139","errors":["out of cheese"]}}"#);
        assert_eq!(data(true), all);
    }

    #[test]
    fn sentences_name_players_failures_and_counts() {
        let failures = FailureSummary {
            variants: vec![
                FailingVariant {
                    name: "mock".to_owned(),
                    share: FailureShare {
                        games: 60,
                        failed: 12,
                        failed_share: 0.2,
                        ..FailureShare::default()
                    },
                    causes: vec![
                        FailureCount {
                            cause: Cause::Crash,
                            counts: Counts {
                                lost: 12,
                                replayed: 3,
                                ..Counts::default()
                            },
                            first: Some(FirstFailure {
                                pair: 3,
                                game: 2,
                                attempt: 1,
                                evidence: FailureEvidence::new(&crashed(), false),
                            }),
                        },
                        FailureCount {
                            cause: Cause::Stall,
                            counts: Counts {
                                lost: 0,
                                replayed: 1,
                                ..Counts::default()
                            },
                            first: None,
                        },
                    ],
                    restarts: Some(16),
                    lateness: None,
                },
                FailingVariant {
                    name: "ours".to_owned(),
                    share: FailureShare {
                        games: 60,
                        time_losses: 1,
                        time_loss_share: 1.0 / 60.0,
                        ..FailureShare::default()
                    },
                    causes: vec![FailureCount {
                        cause: Cause::TimeForfeit,
                        counts: Counts {
                            lost: 1,
                            replayed: 0,
                            ..Counts::default()
                        },
                        first: None,
                    }],
                    restarts: None,
                    lateness: Some(Lateness {
                        latest_ms: Some(130.4),
                        margin_ms: 50.0,
                    }),
                },
            ],
            pairs_replayed: 1,
            replays: 4,
            pauses: 2,
            spoilt_pairs: 13,
            first_spoilt_pairs: (0..10).collect(),
            directions: None,
            replays_any: false,
        };
        assert_eq!(
            failures.sentences(),
            [
                "`mock` failed in 16 games: crash (12 lost, 3 played again), stall (1 played \
                 again); started afresh 16 times; it failed in 12 of 60 games (20.0 %)",
                "first crash in game 2 of pair 3: exit status 139 after 7 plies, in `8/8 w`; its \
                 error output ends with `out of cheese`",
                "`ours` failed in 1 game: time-forfeit (1 lost); it was 130 ms late, and its \
                 `margin` is 50 ms; it lost 1 of 60 games on time (1.7 %)",
                "1 pair was played again after a failure, 4 times in all: only the last attempt counts",
                "the machine paused while a clock ran (stopped, asleep, or busy elsewhere): pairs were \
                 played again 2 times, and no player is charged",
                "13 pairs count with a game that was lost by a failure (0, 1, 2, 3, 4, 5, 6, 7, 8, \
                 9 and 3 more): the loss is in the score and in the Elo like any other; \
                 `otherwise = \"replay\"` under `[failures]` would have such pairs played again",
            ]
        );
    }
}
