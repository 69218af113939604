//! The number of games, the handicap and the tests of a tune, with `[tune.second]`.

use std::ops::Range;

use super::raw::{Handicap, MAX_HANDICAP, RawProof, RawSecond, RawTune};
use super::{Algorithm, Objective, Proof, TunedDimension};
use crate::Variant;
use crate::gate::{Elo, Rate, error_rates, hypotheses};
use crate::limits::{self, Limits};
use crate::problem::{Problem, Problems};
use serde::Serialize;

use crate::tournament::MAX_PAIRS;
use crate::values::{Even, Name, Of, RawValue, Real, Spanned, Whole, in_range, ranged, setting_or};
use leitai_stats::Model;
use leitai_stats::tune::NoEffect;

/// Refuses keys about tuning games in a tune without such games.
pub(super) fn refuse_idle(fields: &RawTune, problems: &mut Problems) {
    let keys = [
        ("algorithm", fields.algorithm.as_ref().map(Of::span)),
        ("objective", fields.objective.as_ref().map(Of::span)),
        ("depth", fields.depth.as_ref().map(Of::span)),
        ("batch", fields.batch.as_ref().map(Of::span)),
        ("window", fields.window.as_ref().map(Of::span)),
        ("handicap", fields.handicap.as_ref().map(Of::span)),
        ("no_effect", fields.no_effect.as_ref().map(Of::span)),
        ("climb", fields.climb.as_ref().map(Spanned::span)),
        ("proof", fields.proof.as_ref().map(Spanned::span)),
    ];
    for (key, span) in keys {
        let Some(span) = span else { continue };
        Problem::warning(span, format!("`{key}` does nothing"))
            .label("this tune is only a fit: it has no `games` and no `[[tune.parameter]]`")
            .help(if key == "proof" {
                "`gate` under `[tune.texel]` tests the fitted variant"
            } else {
                "remove it"
            })
            .report(problems);
    }
}

/// An even number of games.
pub(super) fn even<const MAX: i64>(
    games: &Of<Even<MAX>>,
    key: &str,
    problems: &mut Problems,
) -> Option<u64> {
    let number: u64 = in_range(games, key, 2..=MAX, problems)?;
    if !number.is_multiple_of(2) {
        return Problem::error(games.span(), "an odd number of games")
            .label("games come in pairs, from one opening with colours swapped")
            .help(format!("write `games = {}`", number + 1))
            .refuse(problems);
    }
    Some(number)
}

/// The handicap in Elo; `None` for unscaled steps, the default.
pub(super) fn handicap(
    raw: Option<&Of<Handicap>>,
    algorithm: Algorithm,
    problems: &mut Problems,
) -> Option<u32> {
    let raw = raw?;
    match raw.get_ref() {
        RawValue::Text(word) if word == "off" => None,
        RawValue::Number(elo) => {
            if !matches!(algorithm, Algorithm::Regression | Algorithm::Spsa) {
                let message = format!("`{}` does not support `handicap`", algorithm.name());
                Problem::error(raw.span(), message)
                    .help("remove it: this algorithm takes each `step` as it is")
                    .report(problems);
            }
            let elo = Spanned::new(raw.span(), *elo);
            in_range(&elo, "tune.handicap", 1..=MAX_HANDICAP, problems)
        }
        _ => Problem::error(raw.span(), "invalid `handicap`")
            .label("expected a whole number of Elo, or \"off\"")
            .help(
                "write `handicap = 50`, or `handicap = \"off\"` (the default) to use each `step` \
                 unscaled",
            )
            .refuse(problems),
    }
}

/// The depth of the searches with the objective `nodes`; `None` with another objective.
pub(super) fn depth(fields: &RawTune, whole: Range<usize>, problems: &mut Problems) -> Option<u32> {
    let objective = setting_or(
        &fields.objective,
        Objective::default(),
        "objective",
        problems,
    );
    if objective == Objective::Nodes && fields.depth.is_none() {
        return Problem::error(whole, "no depth for the searches")
            .help("add `depth = 5` under `[tune]`: the depth of both searches in plies")
            .refuse(problems);
    }
    if let (Objective::Games, Some(depth)) = (objective, &fields.depth) {
        Problem::warning(depth.span(), "`depth` does nothing")
            .label("players are compared by games")
            .help("remove it, or write `objective = \"nodes\"`")
            .report(problems);
        return None;
    }
    ranged(&fields.depth, "tune.depth", problems)
}

/// Refuses numbers, players and keys that the objective `nodes` cannot compare; `None` after an
/// error.
pub(super) fn check_nodes(
    fields: &RawTune,
    dimensions: &[TunedDimension],
    variant: &Variant,
    problems: &mut Problems,
) -> Option<()> {
    let place = fields.objective.as_ref()?.span();
    let error = |message: String| Problem::error(place.clone(), message);
    let is_search = variant.is_search() && variant.search.solver.is_none();
    if !is_search {
        let message = format!(
            "`{}` is not a search whose nodes can be compared",
            variant.name
        );
        return error(message)
            .help("remove `objective`: games compare all players")
            .refuse(problems);
    }
    let is_eval = |it: &&TunedDimension| it.members.iter().any(|it| it.number.of_eval().is_some());
    if let Some(dimension) = dimensions.iter().find(is_eval) {
        return error(format!(
            "the objective `nodes` cannot tune `{}`",
            dimension.name
        ))
        .label("numbers of the evaluation change the scores")
        .help("remove `objective`, or tune numbers of the `search` alone")
        .refuse(problems);
    }
    if let Some(handicap) = &fields.handicap {
        return Problem::error(handicap.span(), "a `handicap` without games")
            .label("it is measured in Elo")
            .help("remove it: each `step` is used unscaled")
            .refuse(problems);
    }
    if variant.search.is_selective() {
        let message = format!("`{}` prunes, reduces or extends", variant.name);
        Problem::warning(place.clone(), message)
            .label("fewer nodes may also mean weaker moves")
            .help("turn these techniques off to measure the order of moves alone")
            .report(problems);
    }
    Some(())
}

/// The value of a number without a visible effect.
pub(super) fn no_effect(
    raw: Option<&Of<Name<NoEffect>>>,
    algorithm: Algorithm,
    problems: &mut Problems,
) -> NoEffect {
    if let (Some(raw), false) = (raw, matches!(algorithm, Algorithm::Regression)) {
        let message = format!("`{}` does not support `no_effect`", algorithm.name());
        Problem::warning(raw.span(), message)
            .label("this algorithm tests no number for an effect")
            .help("remove it, or tune by `algorithm = \"regression\"`")
            .report(problems);
    }
    setting_or(raw, NoEffect::default(), "no_effect", problems)
}

/// The test in the table `table` at `whole`, or the default test.
pub(super) fn proof(
    typed: Option<&Spanned<RawProof>>,
    whole: Range<usize>,
    table: &str,
    problems: &mut Problems,
) -> Option<Proof> {
    let usual = RawProof::default();
    let fields = typed.map_or(&usual, Spanned::get_ref);
    let whole = typed.map_or(whole, Spanned::span);
    let elo = [&fields.elo0, &fields.elo1];
    let rates = [&fields.alpha, &fields.beta];
    test((table, whole), elo, rates, &fields.max_pairs, problems)
}

/// The test with these hypotheses and rates, in a table with this name and position.
pub(super) fn test<'r>(
    (table, whole): (&str, Range<usize>),
    elo: [&Option<Of<Real<Elo>>>; 2],
    rates: [&Option<Of<Real<Rate>>>; 2],
    max_pairs: impl Into<Option<&'r Of<Whole<1, MAX_PAIRS>>>>,
    problems: &mut Problems,
) -> Option<Proof> {
    let hypotheses = hypotheses(table, whole.clone(), Model::Logistic, elo, problems);
    let errors = error_rates(table, whole, rates, problems);
    let max_pairs = ranged(max_pairs, &format!("{table}.max_pairs"), problems);
    Some(Proof {
        hypotheses: hypotheses?,
        errors: errors?,
        max_pairs,
    })
}

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
            .label("these limits would not apply to it")
            .help("move its limits to `[limits]`, or remove `[tune.second]`")
            .report(problems);
    }
    let limits = if let Some(typed) = &fields.limits {
        let limits = limits::limits(typed, problems);
        if limits == *usual {
            Problem::warning(typed.span(), "the limits are those of the tune")
                .label("the second proof would repeat the first")
                .help("set other limits, such as twice the nodes or a longer time")
                .report(problems);
        }
        Some(limits)
    } else {
        Problem::error(raw.span(), "a second proof without limits")
            .help("add limits that differ from those of the tune, such as `limits = { nodes = 50000 }`")
            .refuse(problems)
    };
    let elo = [&fields.elo0, &fields.elo1];
    let rates = [&fields.alpha, &fields.beta];
    let table = ("tune.second", raw.span());
    let proof = test(table, elo, rates, &fields.max_pairs, problems);
    Some(SecondProof {
        limits: limits?,
        proof: proof?,
    })
}
