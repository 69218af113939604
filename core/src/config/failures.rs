//! `[failures]`: what becomes of a pair in which a player failed.

use std::fmt;

use schemars::JsonSchema;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use super::form::{Name, Of, Percent, Spanned, Whole};
use super::gate::{Failures, Gate};
use super::problem::{Problem, Problems};
use super::value::{ranged, setting_or};
use crate::game::Cause;

crate::settings::choice! {
    /// What becomes of a pair in which a player failed.
    #[derive(Default)]
    pub enum FailurePolicy {
        /// The game is lost, and counts.
        #[default]
        Lose = "lose",
        /// Both games are played again, by players that were started afresh.
        Replay = "replay",
        /// The run stops; the pair is not recorded.
        Stop = "stop",
    }
}

/// The policy for every kind of failure. Serialises as a table of all causes,
/// with the number of replays where there are any, so that equal policies give
/// equal bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailurePolicies {
    /// In the order of [`Cause::FAILURES`].
    by_cause: [FailurePolicy; Cause::FAILURES.len()],
    replays: u32,
}

/// Most replays of one pair, where the config does not say.
const USUAL_REPLAYS: u32 = 3;
/// Nobody waits for more.
const MOST_REPLAYS: i64 = 100;

impl Default for FailurePolicies {
    fn default() -> Self {
        Self {
            by_cause: [FailurePolicy::Lose; Cause::FAILURES.len()],
            replays: USUAL_REPLAYS,
        }
    }
}

impl FailurePolicies {
    /// Every failure stops.
    pub const STOP: Self = Self {
        by_cause: [FailurePolicy::Stop; Cause::FAILURES.len()],
        replays: USUAL_REPLAYS,
    };

    /// The policy for games that ended so. What is no failure counts.
    pub fn of(&self, cause: Cause) -> FailurePolicy {
        self.by_cause()
            .find(|(failure, _)| *failure == cause)
            .map_or(FailurePolicy::Lose, |(_, policy)| policy)
    }

    /// Every kind of failure with its policy.
    pub fn by_cause(&self) -> impl Iterator<Item = (Cause, FailurePolicy)> {
        Cause::FAILURES.into_iter().zip(self.by_cause)
    }

    /// How often one pair is played again at most, 1 to 100; without meaning
    /// where no policy is [`Replay`](FailurePolicy::Replay).
    pub fn replays(&self) -> u32 {
        self.replays
    }

    /// Whether every failure is a lost game, as where the config says nothing.
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }

    /// Whether any failure makes a pair be played again.
    pub fn replays_any(&self) -> bool {
        self.by_cause.contains(&FailurePolicy::Replay)
    }
}

/// What happens after what: `replay (3 times at most): crash, stall; lose: ...`.
impl fmt::Display for FailurePolicies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = FailurePolicy::ALL.iter().rev().filter_map(|&policy| {
            let causes = self.by_cause().filter(|(_, own)| *own == policy);
            let causes: Vec<&str> = causes.map(|(cause, _)| cause.name()).collect();
            let most = match policy {
                FailurePolicy::Replay => format!(" (at most {} times)", self.replays),
                FailurePolicy::Lose | FailurePolicy::Stop => String::new(),
            };
            let named = format!("{}{most}: {}", policy.name(), causes.join(", "));
            (!causes.is_empty()).then_some(named)
        });
        f.write_str(&named.collect::<Vec<_>>().join("; "))
    }
}

impl Serialize for FailurePolicies {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (cause, policy) in self.by_cause() {
            map.serialize_entry(&cause, &policy)?;
        }
        if self.replays_any() {
            map.serialize_entry("replays", &self.replays)?;
        }
        map.end()
    }
}

/// `[failures]` as typed.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "failures")]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a table")]
pub(super) struct RawFailures {
    /// A player's program ended, or could not be started.
    crash: Policy,
    /// Its connection was lost.
    disconnect: Policy,
    /// It did not answer in time, where no clock says how long a move may take.
    stall: Policy,
    /// It answered what its protocol has no place for.
    malformed_output: Policy,
    /// Its move is against the rules.
    illegal_move: Policy,
    /// It searched more nodes than it was allowed.
    node_overrun: Policy,
    /// It overstepped its time.
    time_forfeit: Policy,
    /// Whatever is not named; `lose` if absent.
    otherwise: Policy,
    /// How often one pair is played again at most; 3 if absent.
    replays: Option<Of<Whole<1, MOST_REPLAYS>>>,
    /// The share of a gate's pairs in which players may fail.
    tolerate: Option<Of<Percent>>,
}

/// What is said of a kind of failure.
type Policy = Option<Of<Name<FailurePolicy>>>;

impl RawFailures {
    /// What is said of that kind of failure.
    fn of(&self, cause: Cause) -> Option<&Of<Name<FailurePolicy>>> {
        match cause {
            Cause::Crash => self.crash.as_ref(),
            Cause::Disconnect => self.disconnect.as_ref(),
            Cause::Stall => self.stall.as_ref(),
            Cause::MalformedOutput => self.malformed_output.as_ref(),
            Cause::IllegalMove => self.illegal_move.as_ref(),
            Cause::NodeOverrun => self.node_overrun.as_ref(),
            Cause::TimeForfeit => self.time_forfeit.as_ref(),
            _ => None,
        }
    }
}

/// Checks `[failures]`.
pub(super) fn failures(raw: &Spanned<RawFailures>, problems: &mut Problems) -> FailurePolicies {
    let before = problems.len();
    let fields = raw.get_ref();
    let mut policy = |text: Option<&Of<Name<FailurePolicy>>>, usual: FailurePolicy| {
        setting_or(text, usual, "policy", problems).unwrap_or(usual)
    };
    let otherwise = policy(fields.otherwise.as_ref(), FailurePolicy::default());
    let mut policies = FailurePolicies {
        by_cause: Cause::FAILURES.map(|cause| policy(fields.of(cause), otherwise)),
        ..FailurePolicies::default()
    };
    if let Some(number) = &fields.replays {
        let replays = ranged(number, "failures.replays", problems);
        policies.replays = replays.unwrap_or(USUAL_REPLAYS);
        let slips = problems.len() > before;
        if !policies.replays_any() && !slips {
            policies.replays = USUAL_REPLAYS;
            let message = "`replays` without a failure that is replayed";
            Problem::warning(number.span(), message)
                .help("remove it, or add `otherwise = \"replay\"`")
                .report(problems);
        }
    }
    policies
}

/// A share of all pairs, such as `1 %` or `0.25 %`, in hundredths of a percent.
fn share(text: &str) -> Option<u32> {
    let (whole, fraction) = {
        let number = text.trim().strip_suffix('%')?.trim_end();
        number.split_once('.').unwrap_or((number, "0"))
    };
    let is_number = |text: &str| text.bytes().all(|it| it.is_ascii_digit());
    if !(1..=3).contains(&whole.len()) || !(1..=2).contains(&fraction.len()) {
        return None;
    }
    if !is_number(whole) || !is_number(fraction) {
        return None;
    }
    let hundredths: u32 = format!("{fraction:0<2}").parse().ok()?;
    let share = 100 * whole.parse::<u32>().ok()? + hundredths;
    (share <= 10_000).then_some(share)
}

/// Checks `[failures]` against what else is in the config, and gives the gate what it says
/// of gates; `idle` says that nobody plays.
pub(super) fn in_its_place(
    raw: &Spanned<RawFailures>,
    mut gate: Option<&mut Gate>,
    idle: bool,
    problems: &mut Problems,
) {
    if idle {
        Problem::error(raw.span(), "`[failures]` in a study without games")
            .label("nobody plays who could fail")
            .help("remove it, or let the variants play: add `[study.games]`")
            .report(problems);
    }
    let fields = raw.get_ref();
    if let Some(text) = &fields.tolerate {
        match (share(text.get_ref()), gate.as_deref_mut()) {
            (None, _) => Problem::error(text.span(), "not a share of all pairs")
                .help("write it in percent, two decimals at most: `tolerate = \"1 %\"`")
                .report(problems),
            (Some(_), None) => {
                Problem::warning(text.span(), "`tolerate` where nothing is tested")
                    .help("remove it: it says how often players of a `[gate]` may fail")
                    .report(problems);
            }
            (Some(_), Some(gate)) if gate.failures == Failures::Lose => {
                Problem::warning(text.span(), "`tolerate` beside `failures = \"lose\"`")
                    .help("remove one of the two: where every failure is a lost game, all are")
                    .report(problems);
            }
            (Some(share), Some(gate)) => gate.tolerated = share,
        }
    }
    // In so many words the game is lost, and all the same the gate ends by it.
    let causes = Cause::FAILURES.into_iter();
    let causes = causes.filter_map(|cause| fields.of(cause));
    let mut named = causes.chain(&fields.otherwise);
    let lose = named.find(|text| text.get_ref() == FailurePolicy::Lose.name());
    if let (Some(Failures::Stop), Some(text)) = (gate.map(|gate| gate.failures), lose) {
        Problem::warning(text.span(), "the game is lost, and ends the gate")
            .label("counts for nothing beside `failures = \"stop\"` of the gate")
            .help("add `failures = \"lose\"` under `[gate]` to go on after a lost game")
            .help("or choose `replay` or `stop` here, which come before the gate")
            .report(problems);
    }
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn shares_are_percents() {
        for (text, hundredths) in [
            ("1 %", Some(100)),
            ("0.25%", Some(25)),
            ("100 %", Some(10_000)),
            ("0.5 %", Some(50)),
            ("100.01 %", None),
            ("1", None),
            ("-1 %", None),
            ("0.001 %", None),
            ("%", None),
            (".5 %", None),
        ] {
            assert_eq!(share(text), hundredths, "{text}");
        }
    }
}
