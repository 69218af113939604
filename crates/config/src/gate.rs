//! `[gate]`: a sequential test of candidates against a baseline.

use std::f64::consts::FRAC_1_SQRT_2;
use std::ops::{Range, RangeInclusive};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::problem::{Problem, Problems};
use super::tournament::{MAX_PAIRS, indices};
use super::values::{
    Bounds, Name, Of, Real, Spanned, Text, Whole, flag_or, ranged, ranged_or, real, setting,
    setting_or, variant,
};
use super::{GameChoice, PairForm, Variant};
use leitai_base::settings::choice;
use leitai_stats::gsprt::{draw_elo_of_rate, in_logistic};
use leitai_stats::{ErrorRates, GroupSequential, Hypotheses, Model};

/// A gate: each candidate plays the baseline until the test has decided.
///
/// Its floating-point numbers are finite and never a negative zero, so that equal gates serialise
/// to equal bytes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gate {
    /// Index of the baseline.
    pub base: usize,
    /// Indices of the candidates, in the order of the config; not empty, without duplicates and
    /// without the baseline.
    pub candidates: Vec<usize>,
    /// The statistical test.
    pub test: TestKind,
    /// The hypotheses about the difference in strength between a candidate and the baseline; those in
    /// `BayesElo` are converted at the game's usual draw rate.
    pub hypotheses: Hypotheses,
    /// The hypotheses in `BayesElo`, if they are stated so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bayes_elo: Option<[f64; 2]>,
    /// The error rates of the test.
    pub errors: ErrorRates,
    /// Pairs per candidate after which the gate is inconclusive, 1 to 10^9; `None` for the number
    /// of openings.
    pub max_pairs: Option<u64>,
    /// The scope of the error rates with several candidates.
    pub control: Control,
    /// Number of pairs, 1 to 10^9: if both variants play alike in all of the first pairs, there is
    /// nothing to test; 0 for never. The serialised form leaves out the usual value.
    #[serde(skip_serializing_if = "usual_alike")]
    pub alike_pairs: u64,
    /// True if a pair is a single game.
    #[serde(skip)]
    pub single_games: bool,
}

impl Gate {
    /// The hypotheses on the scale of pair results. A single game counts as a pair of two equal
    /// games, whose normalized Elo is smaller by √2.
    pub fn pair_hypotheses(&self) -> Hypotheses {
        let given = self.hypotheses;
        let scaled = |elo: f64| elo * FRAC_1_SQRT_2;
        (self.single_games && given.model() == Model::Normalized)
            .then(|| Hypotheses::new(scaled(given.elo0()), scaled(given.elo1()), given.model()))
            .and_then(Result::ok)
            .unwrap_or(given)
    }

    /// The scale on which the hypotheses are stated, and their Elo.
    pub fn stated(&self) -> (GateModel, [f64; 2]) {
        let given = self.hypotheses;
        match self.bayes_elo {
            Some(elo) => (GateModel::Bayesian, elo),
            None => (given.model().into(), [given.elo0(), given.elo1()]),
        }
    }

    /// Games in a pair: 1 or 2.
    pub fn games_per_pair(&self) -> f64 {
        if self.single_games { 1.0 } else { 2.0 }
    }
}

/// Thirty identical pairs show with 95 % confidence that the change affects less than a tenth of
/// the pairs.
const DEFAULT_ALIKE: u64 = 30;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde asks for it")]
fn usual_alike(pairs: &u64) -> bool {
    *pairs == DEFAULT_ALIKE
}

/// The statistical test of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TestKind {
    /// The generalised sequential probability ratio test on pairs.
    Gsprt {
        /// True if the bounds are corrected for the overshoot.
        overshoot: bool,
    },
    /// The likelihood ratio of single games.
    Trinomial,
    /// A betting e-process: the error rates hold at every moment, without an approximation.
    Strict,
    /// Several looks up to `max_pairs`, where the test always decides.
    GroupSequential {
        /// Number of looks, 1 to 20.
        looks: u64,
    },
}

impl TestKind {
    /// Its name in a config.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gsprt { .. } => "gsprt",
            Self::Trinomial => "trinomial",
            Self::Strict => "strict",
            Self::GroupSequential { .. } => "group-sequential",
        }
    }
}

choice! {
    /// The scale of the hypotheses of a gate.
    pub enum GateModel {
        /// Logistic Elo.
        Logistic = "logistic",
        /// Normalized Elo.
        Normalized = "normalized",
        /// `BayesElo`, which the draws of the games so far complete.
        Bayesian = "bayesian",
    }
}

impl From<Model> for GateModel {
    fn from(model: Model) -> Self {
        match model {
            Model::Logistic => Self::Logistic,
            Model::Normalized => Self::Normalized,
        }
    }
}

choice! {
    /// The meaning of the rate of wrong acceptances with several candidates.
    pub enum Control {
        /// The probability that any candidate is wrongly accepted.
        FamilyWise = "family-wise",
        /// The expected share of wrong acceptances among all acceptances.
        FalseDiscovery = "false-discovery",
        /// The probability that one given candidate is wrongly accepted.
        None = "none",
    }
}

/// Maximum number of looks of a group-sequential test.
const MAX_LOOKS: i64 = GroupSequential::MAX_LOOKS as i64;

/// `[gate]` as typed.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "gate")]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct RawGate {
    /// The baseline of the candidates; the first variant if absent.
    base: Option<Text>,
    /// The candidate.
    candidate: Option<Text>,
    /// The candidates; all variants except the baseline if absent.
    #[schemars(length(min = 1), extend("uniqueItems" = true))]
    candidates: Option<Spanned<Vec<Text>>>,
    /// The statistical test: a likelihood ratio test on pairs (`gsprt`, if absent) or on single games
    /// (`trinomial`, if absent and the model is `bayesian`), an e-process (`strict`), or a few
    /// interim analyses up to `max_pairs` (`group-sequential`).
    test: Option<Of<Name<TestName>>>,
    /// The unit of Elo in the hypotheses; `logistic` if absent. `bayesian` is `BayesElo`, for the test
    /// `trinomial` only.
    model: Option<Of<Name<GateModel>>>,
    /// H0: the candidate is at most this much stronger; 0 if absent.
    elo0: Option<Of<Real<Elo>>>,
    /// H1: the candidate is at least this much stronger; 5 if absent.
    elo1: Option<Of<Real<Elo>>>,
    /// Rate of wrong acceptance; 0.05 if absent.
    alpha: Option<Of<Real<Rate>>>,
    /// Rate of wrong rejection; 0.05 if absent.
    beta: Option<Of<Real<Rate>>>,
    /// Pairs per candidate after which the gate is inconclusive.
    max_pairs: Option<Of<Whole<1, MAX_PAIRS>>>,
    /// Corrects the bounds of `gsprt` for the overshoot; true if absent.
    overshoot: Option<Spanned<bool>>,
    /// Number of looks of `group-sequential`, including the final one; 6 if absent.
    looks: Option<Of<Whole<1, MAX_LOOKS>>>,
    /// The scope of `alpha` with several candidates.
    control: Option<Of<Name<Control>>>,
    /// The gate ends after this number of pairs if the variants played alike in all of them; 0:
    /// never.
    alike_pairs: Option<Of<Whole<0, MAX_PAIRS>>>,
}

/// Checks `[gate]` against the variants of the config.
pub(super) fn gate(
    raw: &Spanned<RawGate>,
    variants: &[Variant],
    (pairs, game): (PairForm, Option<GameChoice>),
    problems: &mut Problems,
) -> Option<Gate> {
    let before = problems.len();
    let fields = raw.get_ref();
    let base = fields.base.as_ref();
    let base = base.map_or(Some(0), |name| variant(name, variants, problems));
    let candidates = base.and_then(|base| candidates(fields, base, variants, problems));
    let elo = [&fields.elo0, &fields.elo1];
    let model = setting_or(&fields.model, GateModel::Logistic, "model", problems);
    let of_games = match model {
        GateModel::Normalized => Model::Normalized,
        GateModel::Logistic | GateModel::Bayesian => Model::Logistic,
    };
    let hypotheses = hypotheses("gate", raw.span(), of_games, elo, problems);
    let bayes_elo = hypotheses.filter(|_| model == GateModel::Bayesian);
    let bayes_elo = bayes_elo.map(|it| [it.elo0(), it.elo1()]);
    let draws = game.map_or(0.0, |game| game.card.facts().usual_spread.draw_rate);
    let usual = bayes_elo.and_then(|elo| in_logistic(elo, draw_elo_of_rate(draws)));
    let typed = [&fields.alpha, &fields.beta];
    let errors = error_rates("gate", raw.span(), typed, problems);
    let max_pairs = ranged(&fields.max_pairs, "gate.max_pairs", problems);
    let alike = &fields.alike_pairs;
    let alike_pairs = ranged_or(alike, DEFAULT_ALIKE, "gate.alike_pairs", problems);
    let test = test(fields, problems);
    let control = candidates
        .as_ref()
        .zip(test)
        .and_then(|(candidates, test)| control(raw, candidates.len(), test, problems));
    if problems[before..].iter().any(Problem::is_error) {
        return None;
    }
    Some(Gate {
        base: base?,
        candidates: candidates?,
        test: test?,
        hypotheses: usual.or(hypotheses)?,
        bayes_elo,
        errors: errors?,
        max_pairs,
        control: control?,
        alike_pairs,
        single_games: pairs.is_single(),
    })
}

/// The indices of the candidates.
fn candidates(
    raw: &RawGate,
    base: usize,
    variants: &[Variant],
    problems: &mut Problems,
) -> Option<Vec<usize>> {
    let (names, span) = match (&raw.candidate, &raw.candidates) {
        (Some(one), Some(several)) => {
            let keys = ["candidate", "candidates"];
            return Problem::exclusive(keys, several.span(), one.span()).refuse(problems);
        }
        (Some(one), None) => (std::slice::from_ref(one), one.span()),
        (None, Some(several)) => (several.get_ref().as_slice(), several.span()),
        (None, None) => {
            let all = 0..variants.len();
            return Some(all.filter(|&index| index != base).collect());
        }
    };
    let candidates = indices(names, span, "candidates", variants, problems)?;
    if let Some(place) = candidates.iter().position(|&index| index == base) {
        let name = &names[place];
        let message = format!("`{}` cannot be tested against itself", name.get_ref());
        return Problem::error(name.span(), message)
            .label("this is the base")
            .help("name another variant here, or as `base`")
            .refuse(problems);
    }
    Some(candidates)
}

/// Default number of looks of a group-sequential test: more looks save few games.
const DEFAULT_LOOKS: u64 = 6;

choice! {
    /// The name of the statistical test, as typed.
    enum TestName {
        /// The generalised likelihood ratio test.
        Gsprt = "gsprt",
        /// The likelihood ratio test of single games.
        Trinomial = "trinomial",
        /// The e-process.
        Strict = "strict",
        /// A few looks.
        GroupSequential = "group-sequential",
    }
}

/// Checks the test and its settings.
fn test(raw: &RawGate, problems: &mut Problems) -> Option<TestKind> {
    let looks = ranged_or(&raw.looks, DEFAULT_LOOKS, "gate.looks", problems);
    let is_model = |name: &str| raw.model.as_ref().filter(|it| it.get_ref() == name);
    let bayesian = is_model("bayesian");
    let name = raw.test.as_ref();
    let usual = bayesian.map_or(TestName::Gsprt, |_| TestName::Trinomial);
    let name = name.map_or(Some(usual), |name| setting(name, "test", problems));
    let test = match name? {
        TestName::Gsprt => TestKind::Gsprt {
            overshoot: flag_or(&raw.overshoot, true),
        },
        TestName::Trinomial => TestKind::Trinomial,
        TestName::Strict => TestKind::Strict,
        TestName::GroupSequential => TestKind::GroupSequential { looks },
    };
    let name = test.name();
    if let (Some(on), false) = (&raw.overshoot, matches!(test, TestKind::Gsprt { .. })) {
        let message = format!("the {name} test has no overshoot to correct");
        Problem::error(on.span(), message)
            .help("remove `overshoot`, or choose `test = \"gsprt\"`")
            .report(problems);
    }
    let is_trinomial = test == TestKind::Trinomial;
    let is_ratio = is_trinomial || matches!(test, TestKind::Gsprt { .. });
    let unsupported = [
        (is_model("normalized").filter(|_| !is_ratio), "gsprt"),
        (bayesian.filter(|_| !is_trinomial), "trinomial"),
    ];
    for (model, other) in unsupported {
        if let Some(model) = model {
            let message = format!("the {name} test has no {} hypotheses", model.get_ref());
            Problem::error(model.span(), message)
                .help(format!(
                    "choose `model = \"logistic\"`, or `test = \"{other}\"`"
                ))
                .report(problems);
        }
    }
    let is_grouped = matches!(test, TestKind::GroupSequential { .. });
    if let (Some(looks), false) = (&raw.looks, is_grouped) {
        let message = format!("the {name} test looks at every result, not `looks` times");
        Problem::error(looks.span(), message)
            .help("remove `looks`, or choose `test = \"group-sequential\"`")
            .report(problems);
    }
    if let (true, Some(text), None) = (is_grouped, &raw.test, &raw.max_pairs) {
        let message = "a group-sequential test needs the maximum number of pairs";
        Problem::error(text.span(), message)
            .help(
                "set `max_pairs`: its looks are spread over that many pairs, and at the last one \
                 it decides",
            )
            .report(problems);
    }
    Some(test)
}

/// Checks the scope of the error rates.
fn control(
    gate: &Spanned<RawGate>,
    candidates: usize,
    test: TestKind,
    problems: &mut Problems,
) -> Option<Control> {
    let raw = gate.get_ref();
    let is_strict = test == TestKind::Strict;
    let usual = if candidates > 1 && is_strict {
        Control::FamilyWise
    } else {
        Control::None
    };
    let named = raw.control.as_ref();
    let named = named.map_or(Some(usual), |name| setting(name, "control", problems))?;
    if candidates < 2 {
        // With a single candidate all scopes are the same.
        return Some(Control::None);
    }
    let span = raw.control.as_ref().map_or(gate.span(), Of::span);
    if !is_strict && (named != Control::None || raw.control.is_none()) {
        let message =
            format!("the error rates of this test do not hold for {candidates} candidates at once");
        return Problem::error(span, message)
            .help("choose `test = \"strict\"`, which can combine their evidence")
            .help("or set `control = \"none\"`: then they hold for each candidate by itself")
            .refuse(problems);
    }
    if named == Control::None {
        let rate = raw
            .alpha
            .as_ref()
            .map_or(DEFAULT_RATE, |rate| *rate.get_ref());
        // The union bound, because the candidates' evidence is not independent.
        let any = 100.0 * (candidates as f64 * rate).clamp(0.0, 1.0);
        let message = format!(
            "nothing controls that {candidates} candidates are tested: if none is any good, one \
             of them passes up to {any:.0} % of the time"
        );
        Problem::warning(span, message)
            .help("`test = \"strict\"` with `control = \"family-wise\"` keeps it below `alpha`")
            .report(problems);
    }
    Some(named)
}

const DEFAULT_ELO: [f64; 2] = [0.0, 5.0];
/// Default error rate of both kinds.
const DEFAULT_RATE: f64 = 0.05;

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
pub(crate) fn hypotheses(
    table: &str,
    whole: Range<usize>,
    model: Model,
    [elo0, elo1]: [&Option<Of<Real<Elo>>>; 2],
    problems: &mut Problems,
) -> Option<Hypotheses> {
    let low = real(elo0, DEFAULT_ELO[0], &format!("{table}.elo0"), problems);
    let high = real(elo1, DEFAULT_ELO[1], &format!("{table}.elo1"), problems);
    let error = match Hypotheses::new(low?, high?, model) {
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
    let alpha = real(alpha, DEFAULT_RATE, &format!("{table}.alpha"), problems);
    let beta = real(beta, DEFAULT_RATE, &format!("{table}.beta"), problems);
    match ErrorRates::new(alpha?, beta?) {
        Ok(rates) => Some(rates),
        Err(error) => Problem::error(place, error.to_string())
            .help("`alpha = 0.05` and `beta = 0.05` are usual")
            .refuse(problems),
    }
}
