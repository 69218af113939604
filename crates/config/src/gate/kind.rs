//! The statistical test and the scope of its error rates.

use super::rates::USUAL_RATE;
use super::{Control, RawGate, TestKind};
use crate::form::Spanned;
use crate::problem::{Problem, Problems};
use crate::value::{ranged_or, setting_or};
use leitai_base::settings::choice;

/// Default number of looks of a group-sequential test: more looks save few games.
const USUAL_LOOKS: u64 = 6;

choice! {
    /// The name of the statistical test, as typed.
    pub(super) enum TestName {
        /// The generalised likelihood ratio test.
        Gsprt = "gsprt",
        /// The e-process.
        Strict = "strict",
        /// A few looks.
        GroupSequential = "group-sequential",
    }
}

/// Checks the test and its settings.
pub(super) fn test(raw: &RawGate, problems: &mut Problems) -> Option<TestKind> {
    let overshoot = raw.overshoot.as_ref();
    let usual = TestKind::Gsprt {
        overshoot: overshoot.is_none_or(|on| *on.get_ref()),
    };
    let looks = ranged_or(raw.looks.as_ref(), USUAL_LOOKS, "gate.looks", problems)?;
    let named = setting_or(raw.test.as_ref(), TestName::Gsprt, "test", problems)?;
    let test = match named {
        TestName::Gsprt => usual,
        TestName::Strict => TestKind::Strict,
        TestName::GroupSequential => TestKind::GroupSequential { looks },
    };
    let name = test.name();
    let gsprt = matches!(test, TestKind::Gsprt { .. });
    if let Some(on) = overshoot.filter(|_| !gsprt) {
        let message = format!("the {name} test has no overshoot to correct");
        Problem::error(on.span(), message)
            .help("remove `overshoot`, or choose `test = \"gsprt\"`")
            .report(problems);
    }
    let model = raw.model.as_ref();
    if let Some(model) = model.filter(|m| !gsprt && m.get_ref() == "normalized") {
        let message = format!("the {name} test knows no normalized hypotheses");
        Problem::error(model.span(), message)
            .help("choose `model = \"logistic\"`, or `test = \"gsprt\"`")
            .report(problems);
    }
    let grouped = matches!(test, TestKind::GroupSequential { .. });
    if let Some(looks) = raw.looks.as_ref().filter(|_| !grouped) {
        let message = format!("the {name} test looks at every pair, not `looks` times");
        Problem::error(looks.span(), message)
            .help("remove `looks`, or choose `test = \"group-sequential\"`")
            .report(problems);
    }
    if let Some(text) = raw
        .test
        .as_ref()
        .filter(|_| grouped && raw.max_pairs.is_none())
    {
        let message = "a group-sequential test has to know how many pairs there are at most";
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
pub(super) fn control(
    raw: &RawGate,
    whole: &Spanned<RawGate>,
    candidates: usize,
    test: TestKind,
    problems: &mut Problems,
) -> Option<Control> {
    let strict = test == TestKind::Strict;
    let usual = if candidates > 1 && strict {
        Control::FamilyWise
    } else {
        Control::None
    };
    let named = setting_or(raw.control.as_ref(), usual, "control", problems)?;
    if candidates < 2 {
        // With a single candidate all scopes are the same.
        return Some(Control::None);
    }
    let span = || {
        raw.control
            .as_ref()
            .map_or_else(|| whole.span(), |it| it.span())
    };
    if !strict && (named != Control::None || raw.control.is_none()) {
        return Problem::error(
            span(),
            format!("the error rates of this test do not hold for {candidates} candidates at once"),
        )
        .help("choose `test = \"strict\"`, which can combine their evidence")
        .help("or set `control = \"none\"`: then they hold for each candidate by itself")
        .refuse(problems);
    }
    if named == Control::None {
        let rate = raw
            .alpha
            .as_ref()
            .map_or(USUAL_RATE, |rate| *rate.get_ref());
        // The union bound, because the candidates' evidence is not independent.
        let any = candidates as f64 * rate;
        Problem::warning(
                span(),
                format!(
                    "nothing controls that {candidates} candidates are tested: if none is any good, one of \
                     them passes up to {:.0} % of the time",
                    100.0 * any.clamp(0.0, 1.0)
                ),
            )
            .help("`test = \"strict\"` with `control = \"family-wise\"` keeps it below `alpha`").report(problems);
    }
    Some(named)
}
