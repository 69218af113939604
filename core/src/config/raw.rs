//! The config as typed: every table of the file with the place of each value,
//! and no judgement but that of types. Every key may be absent; what may not
//! is said by the checks.

use serde::Deserialize;
use toml::Spanned;

use super::clock::ClockText;

pub(super) type Text = Spanned<String>;
pub(super) type Number = Spanned<i64>;

/// `[limits]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct RawLimits {
    pub(super) nodes: Option<Number>,
    pub(super) depth: Option<Number>,
    pub(super) movetime: Option<Text>,
    pub(super) clock: Option<Spanned<ClockText>>,
    pub(super) first_increment: Option<Spanned<bool>>,
    pub(super) margin: Option<Text>,
    pub(super) reference_nps: Option<Number>,
}

/// `[openings]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct RawOpenings {
    pub(super) file: Option<Text>,
    pub(super) format: Option<Text>,
    pub(super) plies: Option<Number>,
    pub(super) order: Option<Text>,
    pub(super) start: Option<Number>,
    pub(super) exhausted: Option<Text>,
}
