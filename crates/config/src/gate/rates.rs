//! The hypotheses and the error rates.

use std::ops::{Range, RangeInclusive};

use crate::form::{Bounds, Name, Of, Real};
use crate::problem::{Problem, Problems};
use crate::value::{real, setting_or};
use leitai_stats::{BadTest, ErrorRates, Hypotheses, Model};

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

/// A table's settings for hypotheses and error rates.
#[derive(Clone, Debug)]
pub(crate) struct RawRates<'r> {
    /// The table's name.
    pub(crate) table: &'static str,
    pub(crate) whole: Range<usize>,
    pub(crate) model: Option<&'r Of<Name<Model>>>,
    /// `elo0` and `elo1`.
    pub(crate) elo: [Option<&'r Of<Real<Elo>>>; 2],
    /// `alpha` and `beta`.
    pub(crate) rates: [Option<&'r Of<Real<Rate>>>; 2],
}

/// Checks H0 and H1.
pub(crate) fn hypotheses(raw: &RawRates<'_>, problems: &mut Problems) -> Option<Hypotheses> {
    let model = setting_or(raw.model, Model::Logistic, "model", problems);
    let [usual0, usual1] = USUAL_ELO;
    let key = |name| format!("{}.{name}", raw.table);
    let [typed0, typed1] = raw.elo;
    let elo0 = real(typed0, usual0, &key("elo0"), problems);
    let elo1 = real(typed1, usual1, &key("elo1"), problems);
    let (elo0, elo1, model) = (elo0?, elo1?, model?);
    Hypotheses::new(elo0, elo1, model)
        .map_err(|error| {
            let place = typed1.or(typed0);
            let span = place.map_or_else(|| raw.whole.clone(), |it| it.span());
            let mut problem = Problem::error(span, error.to_string());
            if let (Some(_), Some(other)) = (typed1, typed0) {
                problem = problem.context(other.span(), "the lower hypothesis");
            }
            problem
                .help(
                    "`elo0` is what is not good enough, `elo1` what is: `elo0 = 0`, `elo1 = 5`\n\
                     for an improvement, `elo0 = -5`, `elo1 = 0` for a change that must not harm",
                )
                .report(problems);
        })
        .ok()
}

/// Checks the error rates.
pub(crate) fn errors(raw: &RawRates<'_>, problems: &mut Problems) -> Option<ErrorRates> {
    let key = |name| format!("{}.{name}", raw.table);
    let [alpha, beta] = raw.rates;
    let place = beta.or(alpha);
    let alpha = real(alpha, USUAL_RATE, &key("alpha"), problems);
    let beta = real(beta, USUAL_RATE, &key("beta"), problems);
    ErrorRates::new(alpha?, beta?)
        .map_err(|error: BadTest| {
            let span = place.map_or_else(|| raw.whole.clone(), |it| it.span());
            Problem::error(span, error.to_string())
                .help("`alpha = 0.05` and `beta = 0.05` are usual")
                .report(problems);
        })
        .ok()
}
