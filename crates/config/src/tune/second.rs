//! `[tune.second]`: a second proof under other limits.

use serde::Serialize;

use super::raw::RawSecond;
use super::{Proof, terms};
use crate::problem::{Problem, Problems};
use crate::values::Spanned;
use crate::{Limits, Variant, limits};

/// The second proof: a gain at one time control may be a loss at another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SecondProof {
    /// Limits per move in the second proof.
    pub limits: Limits,
    /// The test.
    pub proof: Proof,
}

/// Checks `[tune.second]` in a config with these usual limits.
pub(super) fn second(
    raw: &Spanned<RawSecond>,
    usual: &Limits,
    variant: &Variant,
    problems: &mut Problems,
) -> Option<SecondProof> {
    let fields = raw.get_ref();
    if variant.limits.is_some() {
        let message = format!("`{}` has limits of its own", variant.name);
        Problem::error(raw.span(), message)
            .label("these would not hold for it")
            .help("move its limits to `[limits]`, or remove `[tune.second]`")
            .report(problems);
    }
    let limits = if let Some(typed) = &fields.limits {
        let limits = limits::limits(typed, problems);
        if limits == *usual {
            Problem::warning(typed.span(), "the limits are those of the tune")
                .label("the second proof would repeat the first")
                .help("give other ones: twice the nodes, or a longer time")
                .report(problems);
        }
        Some(limits)
    } else {
        Problem::error(raw.span(), "a second proof without limits")
            .help("add `limits = { nodes = 50000 }`: others than those of the tune")
            .refuse(problems)
    };
    let elo = [&fields.elo0, &fields.elo1];
    let rates = [&fields.alpha, &fields.beta];
    let table = ("tune.second", raw.span());
    let proof = terms::test(table, elo, rates, &fields.max_pairs, problems);
    Some(SecondProof {
        limits: limits?,
        proof: proof?,
    })
}
