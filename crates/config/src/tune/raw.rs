//! `[tune]` as typed.

use std::ops::RangeInclusive;

use schemars::{JsonSchema, Schema, json_schema};
use serde::Deserialize;

use super::{Algorithm, BlockKind, Objective};
use crate::gate::{Elo, Rate};
use crate::limits::{MAX_DEPTH, RawLimits};
use crate::tournament::MAX_PAIRS;
use crate::values::{
    Bounds, Even, Form, Name, Of, RawValue, Real, Spanned, Text, VisibleText, Whole,
};
use leitai_stats::tune::NoEffect;

/// More than any tune plays.
const MAX_GAMES: i64 = 10_000_000_000;
/// All games of the start must fit into memory at once, with ten positions each.
const MAX_FITTED: i64 = 10_000_000;
/// The maximum handicap in Elo.
pub(super) const MAX_HANDICAP: i64 = 200;
/// More than any number can move.
pub(super) const MAX_MOVE: i64 = 1 << 33;

/// `[tune]`
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "tune")]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct RawTune {
    /// The tuned variant; the first if absent.
    pub(super) variant: Option<Text>,
    /// The algorithm; `regression` if absent.
    pub(super) algorithm: Option<Of<Name<Algorithm>>>,
    /// Number of games for tuning, even; the games of the proof come in addition.
    pub(super) games: Option<Of<Even<MAX_GAMES>>>,
    /// The measure by which two players are compared: results of `games`, the default, or `nodes`
    /// of searches of the openings to `depth`: fewer are better. Two searches of a position
    /// count as a pair of games.
    pub(super) objective: Option<Of<Name<Objective>>>,
    /// Depth of the searches in plies, with the objective `nodes`.
    pub(super) depth: Option<Of<Whole<1, MAX_DEPTH>>>,
    /// Pairs played with the same values; the algorithm's default if absent.
    pub(super) batch: Option<Of<Whole<1, 1_000_000>>>,
    /// Batches under way at once, independent of the number of threads.
    pub(super) window: Option<Of<Whole<1, 4096>>>,
    /// Desired strength loss of perturbed players compared with the centre, in Elo: steps are
    /// scaled to reach it. `off`, if absent, uses each `step` unscaled.
    pub(super) handicap: Option<Of<Handicap>>,
    /// The value of a number for which the games show no effect: its start (`keep`, the default),
    /// or its best value (`move`): for many numbers with small gains.
    pub(super) no_effect: Option<Of<Name<NoEffect>>>,
    /// Blocks and races of the hill climber.
    pub(super) climb: Option<Spanned<RawClimb>>,
    /// A path, or a pattern of paths, that stays at its value even if an entry names it.
    pub(super) anchor: Option<Text>,
    /// The test of the tuned variant against the start, with its own games.
    pub(super) proof: Option<Spanned<RawProof>>,
    /// The numbers tuned by games.
    pub(super) parameter: Option<Spanned<Vec<Spanned<RawParameter>>>>,
    /// A preceding fit to the results of games.
    pub(super) texel: Option<Spanned<RawTexel>>,
    /// A second proof under other limits.
    pub(super) second: Option<Spanned<RawSecond>>,
    /// Tunes that each begin from the winner of the one before.
    pub(super) generations: Option<Spanned<RawGenerations>>,
    /// Final games against variants other than the start.
    pub(super) pool: Option<Spanned<RawPool>>,
}

/// `[tune.climb]`
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "climb")]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as `{ blocks = [\"tables\", \"rows\"] }`"
)]
pub(super) struct RawClimb {
    /// Kinds of blocks to probe in addition to single numbers; none if absent.
    pub(super) blocks: Option<Spanned<Vec<Of<Name<BlockKind>>>>>,
    /// Pairs of a race as a share of the pairs of its probes; 0 takes steps without a race; 0.2 if
    /// absent.
    pub(super) race: Option<Of<Real<Share>>>,
}

/// Range of a share.
pub(super) struct Share;

impl Bounds for Share {
    const RANGE: RangeInclusive<f64> = 0.0..=1.0;
}

/// `[tune.texel]`
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "texel")]
#[serde(deny_unknown_fields, expecting = "a table such as `{ games = 20000 }`")]
pub(super) struct RawTexel {
    /// Number of games to fit to, even; some thousands. The start plays against a twin with
    /// slightly smaller limits.
    pub(super) games: Option<Of<Even<MAX_FITTED>>>,
    /// Files of positions with results to fit to, instead of games: EPD, CSV or text, also `.gz`
    /// and `.zst`.
    #[schemars(length(min = 1))]
    pub(super) positions: Option<Spanned<Vec<Text>>>,
    /// Maximum number of positions of one game; 10 if absent. Only with `games`.
    pub(super) positions_per_game: Option<Of<Whole<1, 1000>>>,
    /// Share of the search's score in the result to fit to; the result of the game has the rest. 0
    /// if absent. Only with `games`.
    pub(super) score_share: Option<Of<Real<Share>>>,
    /// Elo per evaluation unit; the best predictor of the results if absent.
    pub(super) k: Option<Of<Real<Scale>>>,
    /// Strength of the pull of values to their start; 1 if absent.
    pub(super) pull: Option<Of<Real<Pull>>>,
    /// Maximum number of passes over the positions; 2000 if absent.
    pub(super) epochs: Option<Of<Whole<1, 1_000_000>>>,
    /// Passes without progress after which the fit ends; 50 if absent.
    pub(super) patience: Option<Of<Whole<1, 1_000_000>>>,
    /// A dimension that counts in fewer positions than this stays at its start; 1 if absent.
    pub(super) least_visits: Option<Of<Whole<1, 1_000_000_000>>>,
    /// The test of the fitted variant against the start.
    pub(super) gate: Option<Spanned<RawProof>>,
    /// The fitted numbers.
    #[schemars(required)]
    pub(super) parameter: Option<Spanned<Vec<Spanned<RawParameter>>>>,
}

/// Range of the Elo per evaluation unit.
pub(super) struct Scale;

impl Bounds for Scale {
    const RANGE: RangeInclusive<f64> = 1e-4..=1e4;
}

/// Range of the pull.
pub(super) struct Pull;

impl Bounds for Pull {
    const RANGE: RangeInclusive<f64> = 0.0..=1e6;
}

/// The values of `handicap`.
pub(super) struct Handicap;

impl Form for Handicap {
    type Value = RawValue;

    fn schema() -> Schema {
        json_schema!({ "anyOf": [
            { "type": "integer", "minimum": 1, "maximum": MAX_HANDICAP },
            { "const": "off" },
        ] })
    }
}

/// `[tune.generations]`
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "generations")]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as `{ max = 5, rejections = 2 }`"
)]
pub(super) struct RawGenerations {
    /// Maximum number of tunes; 10 if absent.
    pub(super) max: Option<Of<Whole<1, 1000>>>,
    /// Number of proofs in a row that do not accept, after which the series ends; 2 if absent.
    pub(super) rejections: Option<Of<Whole<1, 1000>>>,
    /// Maximum number of games to learn from in all tunes together; any number if absent.
    pub(super) games: Option<Of<Even<MAX_GAMES>>>,
}

/// `[tune.second]`
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "second")]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as `{ limits = { nodes = 50000 } }`"
)]
pub(super) struct RawSecond {
    /// Limits per move in the second proof.
    #[schemars(required)]
    pub(super) limits: Option<Spanned<RawLimits>>,
    /// H0: the candidate is at most this much stronger; 0 if absent.
    pub(super) elo0: Option<Of<Real<Elo>>>,
    /// H1: the candidate is at least this much stronger; 5 if absent.
    pub(super) elo1: Option<Of<Real<Elo>>>,
    /// Rate of wrong acceptance; 0.05 if absent.
    pub(super) alpha: Option<Of<Real<Rate>>>,
    /// Rate of wrong rejection; 0.05 if absent.
    pub(super) beta: Option<Of<Real<Rate>>>,
    /// Pairs after which the test is inconclusive.
    pub(super) max_pairs: Option<Of<Whole<1, MAX_PAIRS>>>,
}

/// `[tune.pool]`
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "pool")]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as `{ variants = [\"old\"] }`"
)]
pub(super) struct RawPool {
    /// The frozen variants of the pool, without the tuned one.
    #[schemars(required, length(min = 1))]
    pub(super) variants: Option<Spanned<Vec<Text>>>,
    /// Variants that also play against the pool, for comparison.
    pub(super) references: Option<Spanned<Vec<Text>>>,
    /// Pairs of games per pairing; 200 if absent.
    pub(super) pairs: Option<Of<Whole<1, 1_000_000>>>,
    /// Number of intermediate values that also play, each after an equal share of the games; 4 if
    /// absent.
    pub(super) checkpoints: Option<Of<Whole<0, 20>>>,
}

/// `tune.proof`
#[derive(Default, Deserialize, JsonSchema)]
#[schemars(rename = "proof")]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as `{ elo0 = 0, elo1 = 5 }`"
)]
pub(super) struct RawProof {
    /// H0: the candidate is at most this much stronger; 0 if absent.
    pub(super) elo0: Option<Of<Real<Elo>>>,
    /// H1: the candidate is at least this much stronger; 5 if absent.
    pub(super) elo1: Option<Of<Real<Elo>>>,
    /// Rate of wrong acceptance; 0.05 if absent.
    pub(super) alpha: Option<Of<Real<Rate>>>,
    /// Rate of wrong rejection; 0.05 if absent.
    pub(super) beta: Option<Of<Real<Rate>>>,
    /// Pairs after which the test is inconclusive.
    pub(super) max_pairs: Option<Of<Whole<1, MAX_PAIRS>>>,
}

/// `[[tune.parameter]]`
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "parameter")]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as `{ path = \"eval.material.*\" }`"
)]
pub(super) struct RawParameter {
    /// The path of a number within the variant, or a pattern of paths: `eval.material.*`.
    #[schemars(required)]
    pub(super) path: Option<Text>,
    /// Paths and patterns of numbers that stay at their values.
    pub(super) except: Option<Vec<Text>>,
    /// The minimum value; the start minus 4 steps if absent.
    pub(super) min: Option<Of<Real<Bound>>>,
    /// The maximum value; the start plus 4 steps if absent.
    pub(super) max: Option<Of<Real<Bound>>>,
    /// Bounds as a distance from the start, instead of `min` and `max`.
    pub(super) range: Option<Of<Real<Reach>>>,
    /// A plausible distance of the best value from the start.
    pub(super) step: Option<Of<Real<Step>>>,
    /// True if squares of a table move together with their mirror images; true if absent.
    pub(super) mirror: Option<Spanned<bool>>,
    /// All numbers of the entry move together by the same amount, as one dimension of this name.
    pub(super) group: Option<Of<VisibleText>>,
}

/// Range of a bound.
pub(super) struct Bound;

impl Bounds for Bound {
    const RANGE: RangeInclusive<f64> = -(MAX_MOVE as f64)..=MAX_MOVE as f64;
}

/// Range of a distance from the start, from the last decimal of an option.
pub(super) struct Reach;

impl Bounds for Reach {
    const RANGE: RangeInclusive<f64> = 1e-9..=MAX_MOVE as f64;
}

/// Range of a step, from the last decimal of an option.
pub(super) struct Step;

impl Bounds for Step {
    const RANGE: RangeInclusive<f64> = 1e-9..=f64::MAX;
}
