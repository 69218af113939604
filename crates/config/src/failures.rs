//! `[failures]`: the policy for pairs in which a player failed.

use std::fmt;
use std::ops::Range;

use schemars::JsonSchema;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use super::problem::{Problem, Problems};
use super::values::{Name, Of, Percent, Whole, ranged, setting_or};
use leitai_game::Cause;

leitai_base::settings::choice! {
    /// The policy for pairs in which a player failed.
    #[derive(Default)]
    pub enum FailurePolicy {
        /// The game is lost, and counts.
        #[default]
        Lose = "lose",
        /// Restarted players replay both games.
        Replay = "replay",
        /// The run stops; the pair is not recorded.
        Stop = "stop",
    }
}

/// The policy for every kind of failure. Serialises as a table of all causes, with the number of
/// replays if any, so that equal policies give equal bytes. The tolerance is not serialised: it
/// judges games and changes none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailurePolicies {
    /// Policies in the order of [`Cause::FAILURES`].
    by_cause: [FailurePolicy; Cause::FAILURES.len()],
    /// Maximum number of replays per pair, 1 to 100; meaningless if no policy is
    /// [`Replay`](FailurePolicy::Replay).
    pub replays: u32,
    /// The share of a player's games that its failures may end.
    pub tolerate: Share,
    /// True if games go on even though all first games of a player ended by its own failures. A
    /// caller sets it; no config file does.
    pub plays_on: bool,
}

/// A share in hundredths of a percent, 0 to 10,000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share(u32);

impl Share {
    const ALL: u32 = 10_000;
    /// One percent.
    pub const DEFAULT: Self = Self(100);
    /// No game.
    pub const NONE: Self = Self(0);

    /// Reads a share such as `1 %` or `0.25%`, with at most two decimals.
    fn parse(text: &str) -> Option<Self> {
        let number = text.trim().strip_suffix('%')?.trim_end();
        let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
        let has_digits = |text: &str, most: usize| {
            (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
        };
        if !has_digits(whole, 3) || !has_digits(fraction, 2) {
            return None;
        }
        let hundredths: u32 = format!("{fraction:0<2}").parse().ok()?;
        let share = 100 * whole.parse::<u32>().ok()? + hundredths;
        (share <= Self::ALL).then_some(Self(share))
    }

    /// Returns whether `failed` failures in `games` games are within the share. One failure is
    /// always allowed in addition, except with a share of 0.
    pub fn allows(self, failed: u64, games: u64) -> bool {
        let beyond = failed.saturating_sub(u64::from(self.0 > 0));
        u128::from(beyond) * u128::from(Self::ALL) <= u128::from(games) * u128::from(self.0)
    }
}

impl From<Share> for f64 {
    /// Converts the share to a number from 0 to 1.
    fn from(share: Share) -> Self {
        Self::from(share.0) / Self::from(Share::ALL)
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} %", f64::from(self.0) / 100.0)
    }
}

/// Default maximum of replays per pair.
const DEFAULT_REPLAYS: u32 = 3;
/// No user would wait for more.
const MAX_REPLAYS: i64 = 100;

impl Default for FailurePolicies {
    fn default() -> Self {
        Self::same(FailurePolicy::Lose)
    }
}

impl FailurePolicies {
    /// Stops at every failure.
    pub const STOP: Self = Self::same(FailurePolicy::Stop);

    const fn same(policy: FailurePolicy) -> Self {
        Self {
            by_cause: [policy; Cause::FAILURES.len()],
            replays: DEFAULT_REPLAYS,
            tolerate: Share::DEFAULT,
            plays_on: false,
        }
    }

    /// The policies in a recorded run's resolved config, from the value of its `failures`, with
    /// this tolerance; `None` if this version does not have them.
    #[must_use]
    pub fn recorded(self, resolved: &serde_json::Value) -> Option<Self> {
        let mut recorded = Self {
            tolerate: self.tolerate,
            ..Self::default()
        };
        if resolved.is_null() {
            return Some(recorded);
        }
        for (policy, cause) in recorded.by_cause.iter_mut().zip(Cause::FAILURES) {
            let name = resolved[cause.name()].as_str()?;
            *policy = *FailurePolicy::ALL.iter().find(|it| it.name() == name)?;
        }
        let replays = resolved["replays"].as_u64();
        recorded.replays = replays.map_or(Some(DEFAULT_REPLAYS), |it| it.try_into().ok())?;
        recorded.recall(resolved);
        Some(recorded)
    }

    /// Takes from a recorded run's resolved config the settings that no config file has.
    pub(super) fn recall(&mut self, resolved: &serde_json::Value) {
        self.plays_on = resolved["plays_on"].as_bool().unwrap_or_default();
    }

    /// The policy for games with this ending; endings that are no failures count as `Lose`.
    pub fn of(&self, cause: Cause) -> FailurePolicy {
        self.by_cause()
            .find(|(failure, _)| *failure == cause)
            .map_or(FailurePolicy::Lose, |(_, policy)| policy)
    }

    /// Every kind of failure with its policy.
    pub fn by_cause(&self) -> impl Iterator<Item = (Cause, FailurePolicy)> {
        Cause::FAILURES.into_iter().zip(self.by_cause)
    }

    /// Returns whether every failure is a lost game, as by default. The tolerance does not matter.
    pub fn is_usual(&self) -> bool {
        let usual = Self {
            tolerate: self.tolerate,
            ..Self::default()
        };
        *self == usual
    }

    /// Returns whether any failure causes a replay.
    pub fn replays_any(&self) -> bool {
        self.by_cause.contains(&FailurePolicy::Replay)
    }
}

/// The policies with their failures: `replay (3 times at most): crash, stall; lose: ...`.
impl fmt::Display for FailurePolicies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = FailurePolicy::ALL.iter().rev().filter_map(|&policy| {
            let causes = self.by_cause().filter(|(_, own)| *own == policy);
            let causes: Vec<String> = causes.map(|(cause, _)| cause.to_string()).collect();
            let most = match policy {
                FailurePolicy::Replay => format!(" (at most {} times)", self.replays),
                FailurePolicy::Lose | FailurePolicy::Stop => String::new(),
            };
            let named = format!("{}{most}: {}", policy.name(), causes.join(", "));
            (!causes.is_empty()).then_some(named)
        });
        f.write_str(&named.collect::<Vec<_>>().join("; "))?;
        if self.tolerate != Share::DEFAULT {
            write!(f, "; tolerated: {} of a player's games", self.tolerate)?;
        }
        Ok(())
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
        if self.plays_on {
            map.serialize_entry("plays_on", &true)?;
        }
        map.end()
    }
}

/// `[failures]` as typed.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "failures")]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a table")]
pub(super) struct RawFailures {
    /// A player's program exited or could not be started.
    crash: Policy,
    /// Its connection was lost.
    disconnect: Policy,
    /// It did not answer in time, without a clock that limits the move.
    stall: Policy,
    /// It sent an answer that its protocol does not allow.
    malformed_output: Policy,
    /// Its move is against the rules.
    illegal_move: Policy,
    /// It searched more nodes than its limit.
    node_overrun: Policy,
    /// It exceeded its time.
    time_forfeit: Policy,
    /// All failures without a key of their own; `lose` if absent.
    otherwise: Policy,
    /// Maximum number of replays per pair; 3 if absent.
    replays: Option<Of<Whole<1, MAX_REPLAYS>>>,
    /// The share of a player's games that its own failures may end, without losses on time; 1 % if
    /// absent. Above it a gate and a tune end as failed, and a tournament warns.
    tolerate: Option<Of<Percent>>,
}

/// The optional policy for a kind of failure.
type Policy = Option<Of<Name<FailurePolicy>>>;

/// Checks `[failures]`.
pub(super) fn failures(raw: &RawFailures, problems: &mut Problems) -> FailurePolicies {
    let before = problems.len();
    let mut policy = |text: &Policy, usual| setting_or(text, usual, "policy", problems);
    let otherwise = policy(&raw.otherwise, FailurePolicy::default());
    let mut policies = FailurePolicies {
        by_cause: Cause::FAILURES.map(|cause| match cause {
            Cause::Crash => policy(&raw.crash, otherwise),
            Cause::Disconnect => policy(&raw.disconnect, otherwise),
            Cause::Stall => policy(&raw.stall, otherwise),
            Cause::MalformedOutput => policy(&raw.malformed_output, otherwise),
            Cause::IllegalMove => policy(&raw.illegal_move, otherwise),
            Cause::NodeOverrun => policy(&raw.node_overrun, otherwise),
            Cause::TimeForfeit => policy(&raw.time_forfeit, otherwise),
            _ => otherwise,
        }),
        ..FailurePolicies::default()
    };
    if let Some(number) = &raw.replays {
        let replays = ranged(number, "failures.replays", problems);
        if policies.replays_any() {
            policies.replays = replays.unwrap_or(DEFAULT_REPLAYS);
        } else if problems.len() == before {
            Problem::warning(
                number.span(),
                "`replays` without a failure that is replayed",
            )
            .help("remove it, or add `otherwise = \"replay\"`")
            .report(problems);
        }
    }
    if let Some(text) = &raw.tolerate {
        match Share::parse(text.get_ref()) {
            Some(share) => policies.tolerate = share,
            None => Problem::error(text.span(), "not a share of games")
                .help("write it in percent, with at most two decimals: `tolerate = \"1 %\"`")
                .report(problems),
        }
    }
    policies
}

/// Refuses `[failures]` in a config without games.
pub(super) fn without_games(span: Range<usize>) -> Problem {
    Problem::error(span, "`[failures]` in a study without games")
        .label("this study plays no games")
        .help("remove it, or let the variants play: add `[study.games]`")
}

#[cfg(test)]
mod tests {
    use super::{FailurePolicies, FailurePolicy, Share};

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
            assert_eq!(Share::parse(text), hundredths.map(Share), "{text}");
        }
        assert_eq!(Share(25).to_string(), "0.25 %");
        assert_eq!(Share::DEFAULT.to_string(), "1 %");
    }

    #[test]
    fn one_failure_is_allowed_and_beyond_it_the_share() {
        for (share, failed, games, is_allowed) in [
            (100, 1, 2, true),
            (100, 2, 30, false),
            (100, 2, 99, false),
            (100, 2, 100, true),
            (100, 3, 199, false),
            (100, 3, 200, true),
            (10_000, 30, 30, true),
            (0, 0, 30, true),
            (0, 1, 1_000_000, false),
            (1, 2, 9_999, false),
            (1, 2, 10_000, true),
            (10_000, u64::MAX, u64::MAX, true),
        ] {
            let is = Share(share).allows(failed, games);
            assert_eq!(is, is_allowed, "{failed} of {games} at {share}");
        }
    }

    #[test]
    fn recorded_policies_are_read_again() {
        let policies = FailurePolicies {
            by_cause: [
                FailurePolicy::Stop,
                FailurePolicy::Replay,
                FailurePolicy::Lose,
                FailurePolicy::Lose,
                FailurePolicy::Stop,
                FailurePolicy::Lose,
                FailurePolicy::Replay,
            ],
            replays: 7,
            tolerate: Share(50),
            plays_on: true,
        };
        let resolved = serde_json::to_value(policies).unwrap();
        assert_eq!(resolved.get("tolerate"), None, "it is no part of a run");
        let other = FailurePolicies {
            tolerate: Share(50),
            ..FailurePolicies::default()
        };
        assert_eq!(other.recorded(&resolved), Some(policies));
        assert_eq!(other.recorded(&serde_json::Value::Null), Some(other));
        assert_eq!(other.recorded(&serde_json::json!({})), None);
        assert!(other.is_usual() && !policies.is_usual());
    }
}
