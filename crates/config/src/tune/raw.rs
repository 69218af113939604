//! `[tune]` as typed.

use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::Deserialize;

use super::Algorithm;
use crate::form::{self, Bounds, Even, Name, Of, Real, Spanned, Whole};
use crate::gate::{Elo, Rate};
use crate::raw::{RawLimits, Text};
use crate::search::Raw;
use crate::tournament::MOST_PAIRS;
use leitai_stats::tune::NoEffect;

/// Beyond what anybody plays.
const MOST_GAMES: i64 = 10_000_000_000;
/// The games of the start have to be in memory at once, ten positions of each.
const MOST_FITTED: i64 = 10_000_000;
/// The handicap that can be asked for, in Elo.
pub(super) type HandicapRange = Whole<1, 200>;
/// More than any number can move.
pub(super) const MOST_MOVE: i64 = 1 << 33;

/// `[tune]`
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "tune", extend(
    "anyOf" = [{ "required": ["games", "parameter"] }, { "required": ["texel"] }],
    "dependencies" = { "games": ["parameter"], "parameter": ["games"] },
))]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct RawTune {
    /// The variant that is tuned; the first if absent.
    pub(super) variant: Option<Text>,
    /// How; `regression` if absent.
    pub(super) algorithm: Option<Of<Name<Algorithm>>>,
    /// Games to learn from, an even number; those of the proof come on top.
    pub(super) games: Option<Of<Even<MOST_GAMES>>>,
    /// Pairs that are played with the same values; what suits the algorithm if absent.
    pub(super) batch: Option<Of<Whole<1, 1_000_000>>>,
    /// Batches under way at once, whatever the number of threads.
    pub(super) window: Option<Of<Whole<1, 4096>>>,
    /// How much weaker than the centre perturbed players should be, in Elo: steps are scaled
    /// until it is so. `off`, if absent, takes each `step` as it is.
    #[schemars(with = "Option<Handicap>")]
    pub(super) handicap: Option<Spanned<Raw>>,
    /// The value of a number without a seen effect: its start (`keep`, the default), or its best
    /// value (`move`) if all numbers together show effects and its own is likely.
    pub(super) no_effect: Option<Of<Name<NoEffect>>>,
    /// A path, or a pattern of paths, that stays as it is, whatever names it.
    pub(super) anchor: Option<Text>,
    /// The test of the tuned variant against the start, with games of its own.
    pub(super) proof: Option<Spanned<RawProof>>,
    /// The numbers that games move.
    pub(super) parameter: Option<Spanned<Vec<Spanned<RawParameter>>>>,
    /// A fit to the results of games that comes first.
    pub(super) texel: Option<Spanned<RawTexel>>,
    /// The proof once more, under other limits.
    pub(super) second: Option<Spanned<RawSecond>>,
    /// Games against others than the start at the end.
    pub(super) pool: Option<Spanned<RawPool>>,
}

/// `[tune.texel]`
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "texel")]
#[serde(deny_unknown_fields, expecting = "a table such as `{ games = 20000 }`")]
pub(super) struct RawTexel {
    /// Games of the start against a twin to learn from, an even number; some thousands.
    #[schemars(required)]
    pub(super) games: Option<Of<Even<MOST_FITTED>>>,
    /// Elo per evaluation unit; what predicts the results best if absent.
    pub(super) k: Option<Of<Real<Scale>>>,
    /// How strongly values are held to their start; 1 if absent.
    pub(super) pull: Option<Of<Real<Pull>>>,
    /// Most passes over the positions; 2000 if absent.
    pub(super) epochs: Option<Of<Whole<1, 1_000_000>>>,
    /// Passes without progress after which the fit ends; 50 if absent.
    pub(super) patience: Option<Of<Whole<1, 1_000_000>>>,
    /// A dimension that counts in fewer positions stays at its start; 1 if absent.
    pub(super) least_visits: Option<Of<Whole<1, 1_000_000_000>>>,
    /// The test of the fitted variant against the start.
    pub(super) gate: Option<Spanned<RawProof>>,
    /// The numbers that are fitted.
    #[schemars(required)]
    pub(super) parameter: Option<Spanned<Vec<Spanned<RawParameter>>>>,
}

/// Elo per evaluation unit.
pub(super) struct Scale;

impl Bounds for Scale {
    const RANGE: RangeInclusive<f64> = 1e-4..=1e4;
}

/// A strength.
pub(super) struct Pull;

impl Bounds for Pull {
    const RANGE: RangeInclusive<f64> = 0.0..=1e6;
}

/// The values of `handicap`.
#[derive(JsonSchema)]
#[schemars(inline, untagged)]
#[expect(dead_code, reason = "read by hand; the schema has it from here")]
enum Handicap {
    Elo(Of<HandicapRange>),
    Off(Off),
}

/// The word.
#[derive(JsonSchema)]
#[schemars(inline, rename_all = "lowercase")]
#[expect(dead_code, reason = "read by hand; the schema has it from here")]
enum Off {
    Off,
}

/// `[tune.second]`
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "second")]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as `{ limits = { nodes = 50000 } }`"
)]
pub(super) struct RawSecond {
    /// What a player may spend on a move then.
    #[schemars(required)]
    pub(super) limits: Option<Spanned<RawLimits>>,
    /// H0: at most so much stronger; 0 if absent.
    pub(super) elo0: Option<Of<Real<Elo>>>,
    /// H1: at least so much stronger; 5 if absent.
    pub(super) elo1: Option<Of<Real<Elo>>>,
    /// Rate of wrong acceptance; 0.05 if absent.
    pub(super) alpha: Option<Of<Real<Rate>>>,
    /// Rate of wrong rejection; 0.05 if absent.
    pub(super) beta: Option<Of<Real<Rate>>>,
    /// Pairs after which the test gives up.
    pub(super) max_pairs: Option<Of<Whole<1, MOST_PAIRS>>>,
}

/// `[tune.pool]`
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "pool")]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as `{ variants = [\"old\"] }`"
)]
pub(super) struct RawPool {
    /// Those who stay as they are; not the tuned one.
    #[schemars(required, length(min = 1))]
    pub(super) variants: Option<Spanned<Vec<Text>>>,
    /// Variants that meet the pool too, to compare with.
    pub(super) references: Option<Spanned<Vec<Text>>>,
    /// Pairs of games per pairing; 200 if absent.
    pub(super) pairs: Option<Of<Whole<1, 1_000_000>>>,
    /// Values on the way that play too, each after an equal share of the games; 4 if absent.
    pub(super) checkpoints: Option<Of<Whole<0, 20>>>,
}

/// `tune.proof`
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[schemars(rename = "proof")]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as `{ elo0 = 0, elo1 = 5 }`"
)]
pub(super) struct RawProof {
    /// H0: at most so much stronger; 0 if absent.
    pub(super) elo0: Option<Of<Real<Elo>>>,
    /// H1: at least so much stronger; 5 if absent.
    pub(super) elo1: Option<Of<Real<Elo>>>,
    /// Rate of wrong acceptance; 0.05 if absent.
    pub(super) alpha: Option<Of<Real<Rate>>>,
    /// Rate of wrong rejection; 0.05 if absent.
    pub(super) beta: Option<Of<Real<Rate>>>,
    /// Pairs after which the test gives up.
    pub(super) max_pairs: Option<Of<Whole<1, MOST_PAIRS>>>,
}

/// `[[tune.parameter]]`
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "parameter", extend(
    "dependencies" = {
        "range": { "not": { "anyOf": [{ "required": ["min"] }, { "required": ["max"] }] } },
        "group": { "not": { "anyOf": [{ "required": ["min"] }, { "required": ["max"] }] } },
    },
))]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as `{ path = \"eval.material.*\" }`"
)]
pub(super) struct RawParameter {
    /// The path of a number within the variant, or a pattern of paths: `eval.material.*`.
    #[schemars(required)]
    pub(super) path: Option<Text>,
    /// Paths and patterns of those that stay as they are.
    pub(super) except: Option<Vec<Text>>,
    /// The least value; the start minus 4 steps if absent.
    pub(super) min: Option<Of<Whole<{ -MOST_MOVE }, MOST_MOVE>>>,
    /// The greatest value; the start plus 4 steps if absent.
    pub(super) max: Option<Of<Whole<{ -MOST_MOVE }, MOST_MOVE>>>,
    /// Bounds as a distance from the start, in place of `min` and `max`.
    pub(super) range: Option<Of<Whole<1, MOST_MOVE>>>,
    /// A plausible distance of the best value from the start.
    pub(super) step: Option<Of<Real<Step>>>,
    /// Whether squares of a table move together with their mirror images; true if absent.
    pub(super) mirror: Option<Spanned<bool>>,
    /// All numbers of the entry move together by the same amount, as one dimension of this name.
    pub(super) group: Option<Of<form::Text>>,
}

/// A distance. Numbers are whole: less would be hidden by rounding.
pub(super) struct Step;

impl Bounds for Step {
    const RANGE: RangeInclusive<f64> = 1.0..=f64::MAX;
}
