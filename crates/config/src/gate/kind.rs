//! The statistical test and the scope of its error rates.

use super::rates::USUAL_RATE;
use super::{Control, RawGate, TestKind};
use crate::problem::{Problem, Problems};
use crate::values::{Of, Spanned, flag_or, ranged_or, setting_or};
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
    let looks = ranged_or(&raw.looks, USUAL_LOOKS, "gate.looks", problems)?;
    let test = match setting_or(&raw.test, TestName::Gsprt, "test", problems)? {
        TestName::Gsprt => TestKind::Gsprt {
            overshoot: flag_or(&raw.overshoot, true),
        },
        TestName::Strict => TestKind::Strict,
        TestName::GroupSequential => TestKind::GroupSequential { looks },
    };
    let name = test.name();
    if !matches!(test, TestKind::Gsprt { .. }) {
        if let Some(on) = &raw.overshoot {
            let message = format!("the {name} test has no overshoot to correct");
            Problem::error(on.span(), message)
                .help("remove `overshoot`, or choose `test = \"gsprt\"`")
                .report(problems);
        }
        let model = raw.model.as_ref();
        if let Some(model) = model.filter(|model| model.get_ref() == "normalized") {
            let message = format!("the {name} test has no normalized hypotheses");
            Problem::error(model.span(), message)
                .help("choose `model = \"logistic\"`, or `test = \"gsprt\"`")
                .report(problems);
        }
    }
    let is_grouped = matches!(test, TestKind::GroupSequential { .. });
    if let (Some(looks), false) = (&raw.looks, is_grouped) {
        let message = format!("the {name} test looks at every pair, not `looks` times");
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
pub(super) fn control(
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
    let named = setting_or(&raw.control, usual, "control", problems)?;
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
            .map_or(USUAL_RATE, |rate| *rate.get_ref());
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
