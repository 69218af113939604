//! The hypotheses and the error rates.

use std::ops::RangeInclusive;

use toml::Spanned;

use super::{RawGate, named};
use crate::config::problem::Problem;
use crate::stats::{BadTest, ErrorRates, Hypotheses, Model};

const USUAL_ELO: [f64; 2] = [0.0, 5.0];
/// Of both kinds.
pub(super) const USUAL_RATE: f64 = 0.05;

/// A number in a range.
fn real(
    number: Option<&Spanned<f64>>,
    usual: f64,
    key: &str,
    range: &RangeInclusive<f64>,
    problems: &mut Vec<Problem>,
) -> Option<f64> {
    let Some(number) = number else {
        return Some(usual);
    };
    let value = *number.get_ref();
    if range.contains(&value) {
        // Turns a negative zero into a positive one.
        return Some(value + 0.0);
    }
    let (low, high) = (range.start(), range.end());
    problems.push(
        Problem::error(number.span(), format!("`{key}` is out of range"))
            .label(format!("must be from {low} to {high}"))
            .help(format!("give `{key}` a number from {low} to {high}")),
    );
    None
}

/// H0 and H1.
pub(super) fn hypotheses(
    raw: &RawGate,
    whole: &Spanned<RawGate>,
    problems: &mut Vec<Problem>,
) -> Option<Hypotheses> {
    let models = [
        ("logistic", Model::Logistic),
        ("normalized", Model::Normalized),
    ];
    let model = named(
        raw.model.as_ref(),
        "model",
        &models,
        Model::Logistic,
        problems,
    );
    let range = -Hypotheses::LIMIT..=Hypotheses::LIMIT;
    let [usual0, usual1] = USUAL_ELO;
    let elo0 = real(raw.elo0.as_ref(), usual0, "gate.elo0", &range, problems);
    let elo1 = real(raw.elo1.as_ref(), usual1, "gate.elo1", &range, problems);
    let (elo0, elo1, model) = (elo0?, elo1?, model?);
    Hypotheses::new(elo0, elo1, model)
        .map_err(|error| {
            let place = raw.elo1.as_ref().or(raw.elo0.as_ref());
            let span = place.map_or_else(|| whole.span(), Spanned::span);
            let mut problem = Problem::error(span, error.to_string());
            if let (Some(_), Some(other)) = (&raw.elo1, &raw.elo0) {
                problem = problem.context(other.span(), "the lower hypothesis");
            }
            problems.push(problem.help(
                "`elo0` is what is not good enough, `elo1` what is: `elo0 = 0`, `elo1 = 5`\n\
                 for an improvement, `elo0 = -5`, `elo1 = 0` for a change that must not harm",
            ));
        })
        .ok()
}

/// The error rates.
pub(super) fn errors(
    raw: &RawGate,
    whole: &Spanned<RawGate>,
    problems: &mut Vec<Problem>,
) -> Option<ErrorRates> {
    // Below this the bounds are beyond what any gate can reach.
    let range = 1e-9..=0.5;
    let alpha = real(
        raw.alpha.as_ref(),
        USUAL_RATE,
        "gate.alpha",
        &range,
        problems,
    );
    let beta = real(raw.beta.as_ref(), USUAL_RATE, "gate.beta", &range, problems);
    ErrorRates::new(alpha?, beta?)
        .map_err(|error: BadTest| {
            let place = raw.beta.as_ref().or(raw.alpha.as_ref());
            let span = place.map_or_else(|| whole.span(), Spanned::span);
            problems.push(
                Problem::error(span, error.to_string())
                    .help("`alpha = 0.05` and `beta = 0.05` are usual"),
            );
        })
        .ok()
}
