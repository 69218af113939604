//! The hypotheses and the error rates.

use std::ops::{Range, RangeInclusive};

use crate::problem::{Problem, Problems};
use crate::values::{Bounds, Name, Of, Real, real, setting_or};
use leitai_stats::{ErrorRates, Hypotheses, Model};

const USUAL_ELO: [f64; 2] = [0.0, 5.0];
/// Default error rate of both kinds.
pub(super) const USUAL_RATE: f64 = 0.05;

/// Range of a hypothesis.
pub(crate) struct Elo;

impl Bounds for Elo {
    const RANGE: RangeInclusive<f64> = -Hypotheses::LIMIT..=Hypotheses::LIMIT;
}

/// Range of an error rate. Below the minimum no gate can reach the bounds.
pub(crate) struct Rate;

impl Bounds for Rate {
    const RANGE: RangeInclusive<f64> = 1e-9..=0.5;
}

/// Checks H0 and H1 of the table at `whole`.
pub(crate) fn hypotheses<'r>(
    table: &str,
    whole: Range<usize>,
    model: impl Into<Option<&'r Of<Name<Model>>>>,
    [elo0, elo1]: [&Option<Of<Real<Elo>>>; 2],
    problems: &mut Problems,
) -> Option<Hypotheses> {
    let model = setting_or(model, Model::Logistic, "model", problems);
    let low = real(elo0, USUAL_ELO[0], &format!("{table}.elo0"), problems);
    let high = real(elo1, USUAL_ELO[1], &format!("{table}.elo1"), problems);
    let error = match Hypotheses::new(low?, high?, model?) {
        Ok(hypotheses) => return Some(hypotheses),
        Err(error) => error,
    };
    let places = [elo1, elo0].map(|elo| elo.as_ref().map(Of::span));
    let span = places.iter().flatten().next().cloned();
    let problem = Problem::error(span.unwrap_or(whole), error.to_string());
    let problem = match places {
        [Some(_), Some(other)] => problem.context(other, "the lower hypothesis"),
        _ => problem,
    };
    problem
        .help(
            "`elo0` is a difference that is too small, `elo1` one that is large enough:\n\
             `elo0 = 0`, `elo1 = 5` for an improvement, `elo0 = -5`, `elo1 = 0` for a change\n\
             that must not harm",
        )
        .refuse(problems)
}

/// Checks the error rates of the table at `whole`.
pub(crate) fn error_rates(
    table: &str,
    whole: Range<usize>,
    [alpha, beta]: [&Option<Of<Real<Rate>>>; 2],
    problems: &mut Problems,
) -> Option<ErrorRates> {
    let place = beta.as_ref().or(alpha.as_ref()).map_or(whole, Of::span);
    let alpha = real(alpha, USUAL_RATE, &format!("{table}.alpha"), problems);
    let beta = real(beta, USUAL_RATE, &format!("{table}.beta"), problems);
    match ErrorRates::new(alpha?, beta?) {
        Ok(rates) => Some(rates),
        Err(error) => Problem::error(place, error.to_string())
            .help("`alpha = 0.05` and `beta = 0.05` are usual")
            .refuse(problems),
    }
}
