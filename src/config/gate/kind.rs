//! Which test, and what it controls.

use toml::Spanned;

use super::rates::USUAL_RATE;
use super::{Control, RawGate, TestKind, named};
use crate::config::problem::Problem;

/// How evidence is weighed.
pub(super) fn test(raw: &RawGate, problems: &mut Vec<Problem>) -> Option<TestKind> {
    let overshoot = raw.overshoot.as_ref();
    let usual = TestKind::Gsprt {
        overshoot: overshoot.is_none_or(|on| *on.get_ref()),
    };
    let tests = [("gsprt", usual), ("strict", TestKind::Strict)];
    let test = named(raw.test.as_ref(), "test", &tests, usual, problems)?;
    if test == TestKind::Strict {
        if let Some(on) = overshoot {
            problems.push(
                Problem::error(on.span(), "the strict test has no overshoot to correct")
                    .help("remove `overshoot`, or choose `test = \"gsprt\"`"),
            );
        }
        if let Some(model) = raw.model.as_ref().filter(|m| m.get_ref() == "normalized") {
            problems.push(
                Problem::error(
                    model.span(),
                    "the strict test knows no normalized hypotheses",
                )
                .help("choose `model = \"logistic\"`, or `test = \"gsprt\"`"),
            );
        }
    }
    Some(test)
}

/// What the error rates hold for.
pub(super) fn control(
    raw: &RawGate,
    whole: &Spanned<RawGate>,
    candidates: usize,
    test: TestKind,
    problems: &mut Vec<Problem>,
) -> Option<Control> {
    let controls = [
        ("family-wise", Control::FamilyWise),
        ("false-discovery", Control::FalseDiscovery),
        ("none", Control::None),
    ];
    let strict = test == TestKind::Strict;
    let usual = if candidates > 1 && strict {
        Control::FamilyWise
    } else {
        Control::None
    };
    let named = named(raw.control.as_ref(), "control", &controls, usual, problems)?;
    if candidates < 2 {
        // There is nothing to control: one candidate is the whole family.
        return Some(Control::None);
    }
    let span = || {
        raw.control
            .as_ref()
            .map_or_else(|| whole.span(), Spanned::span)
    };
    if !strict && (named != Control::None || raw.control.is_none()) {
        problems.push(
            Problem::error(
                span(),
                format!("the error rates of gsprt do not hold for {candidates} candidates at once"),
            )
            .help("choose `test = \"strict\"`, which can combine their evidence")
            .help("or set `control = \"none\"`: then they hold for each candidate by itself"),
        );
        return None;
    }
    if named == Control::None {
        let rate = raw
            .alpha
            .as_ref()
            .map_or(USUAL_RATE, |rate| *rate.get_ref());
        // The union bound; the candidates' evidence is not independent.
        let any = candidates as f64 * rate;
        problems.push(
            Problem::warning(
                span(),
                format!(
                    "nothing controls that {candidates} candidates are tested: if none is any good, one of \
                     them passes up to {:.0} % of the time",
                    100.0 * any.clamp(0.0, 1.0)
                ),
            )
            .help("`test = \"strict\"` with `control = \"family-wise\"` keeps it below `alpha`"),
        );
    }
    Some(named)
}
