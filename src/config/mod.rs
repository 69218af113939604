//! A TOML file becomes checked values.

mod domain;

pub use domain::{
    Adjudication, Config, DrawRule, EvalParams, Exhausted, Format, GameChoice, Limits,
    OpeningOrder, Openings, ResignRule, TimeControl, Tournament, Variant,
};
