//! `[tune]` as typed.

use serde::Deserialize;
use toml::Spanned;

use crate::config::raw::{Number, RawLimits, Text};
use crate::config::search::Raw;

/// `[tune]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(in crate::config) struct RawTune {
    pub(super) variant: Option<Text>,
    pub(super) algorithm: Option<Text>,
    pub(super) games: Option<Number>,
    pub(super) batch: Option<Number>,
    pub(super) window: Option<Number>,
    pub(super) handicap: Option<Spanned<Raw>>,
    pub(super) anchor: Option<Text>,
    pub(super) proof: Option<Spanned<RawProof>>,
    pub(super) parameter: Option<Spanned<Vec<Spanned<RawParameter>>>>,
    pub(super) texel: Option<Spanned<RawTexel>>,
    pub(super) second: Option<Spanned<RawSecond>>,
    pub(super) pool: Option<Spanned<RawPool>>,
}

/// `[tune.texel]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table such as `{ games = 20000 }`")]
pub(super) struct RawTexel {
    pub(super) games: Option<Number>,
    pub(super) k: Option<Spanned<f64>>,
    pub(super) pull: Option<Spanned<f64>>,
    pub(super) epochs: Option<Number>,
    pub(super) patience: Option<Number>,
    pub(super) least_visits: Option<Number>,
    pub(super) gate: Option<Spanned<RawProof>>,
    pub(super) parameter: Option<Spanned<Vec<Spanned<RawParameter>>>>,
}

/// `[tune.second]`
#[derive(Debug, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as `{ limits = { nodes = 50000 } }`"
)]
pub(super) struct RawSecond {
    pub(super) limits: Option<Spanned<RawLimits>>,
    pub(super) elo0: Option<Spanned<f64>>,
    pub(super) elo1: Option<Spanned<f64>>,
    pub(super) alpha: Option<Spanned<f64>>,
    pub(super) beta: Option<Spanned<f64>>,
    pub(super) max_pairs: Option<Number>,
}

/// `[tune.pool]`
#[derive(Debug, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as `{ variants = [\"old\"] }`"
)]
pub(super) struct RawPool {
    pub(super) variants: Option<Spanned<Vec<Text>>>,
    pub(super) references: Option<Spanned<Vec<Text>>>,
    pub(super) pairs: Option<Number>,
    pub(super) checkpoints: Option<Number>,
}

/// `tune.proof`
#[derive(Debug, Default, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as `{ elo0 = 0, elo1 = 5 }`"
)]
pub(super) struct RawProof {
    pub(super) elo0: Option<Spanned<f64>>,
    pub(super) elo1: Option<Spanned<f64>>,
    pub(super) alpha: Option<Spanned<f64>>,
    pub(super) beta: Option<Spanned<f64>>,
    pub(super) max_pairs: Option<Number>,
}

/// `[[tune.parameter]]`
#[derive(Debug, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a table such as `{ path = \"eval.material.*\" }`"
)]
pub(super) struct RawParameter {
    pub(super) path: Option<Text>,
    pub(super) except: Option<Vec<Text>>,
    pub(super) min: Option<Number>,
    pub(super) max: Option<Number>,
    pub(super) range: Option<Number>,
    pub(super) step: Option<Spanned<f64>>,
    pub(super) mirror: Option<Spanned<bool>>,
    pub(super) group: Option<Text>,
}
