//! The number of games, the handicap and the tests of a tune.

use std::ops::Range;

use super::raw::{HandicapRange, RawProof, RawTune};
use super::{Algorithm, Proof};
use crate::form::{Even, Name, Of, Spanned, Whole};
use crate::gate::{RawRates, errors, hypotheses};
use crate::problem::{Problem, Problems};
use crate::search::Raw;
use crate::tournament::MOST_PAIRS;
use crate::value::{in_range, optional, ranged, setting_or};
use leitai_stats::tune::NoEffect;

/// Number of games for tuning.
pub(super) fn games(raw: &Spanned<RawTune>, problems: &mut Problems) -> Option<u64> {
    let Some(games) = &raw.get_ref().games else {
        return Problem::error(raw.span(), "a tune without a budget")
            .help("add `games = 20000` under `[tune]`: how many games it may learn from")
            .refuse(problems);
    };
    even(games, "tune.games", problems)
}

/// Refuses keys about tuning games in a tune without such games.
pub(super) fn idle(fields: &RawTune, problems: &mut Problems) {
    let keys = [
        ("algorithm", fields.algorithm.as_ref().map(|it| it.span())),
        ("batch", fields.batch.as_ref().map(|it| it.span())),
        ("window", fields.window.as_ref().map(|it| it.span())),
        ("handicap", fields.handicap.as_ref().map(Spanned::span)),
        ("no_effect", fields.no_effect.as_ref().map(|it| it.span())),
        ("proof", fields.proof.as_ref().map(Spanned::span)),
    ];
    for (key, span) in keys {
        let Some(span) = span else { continue };
        Problem::warning(span, format!("`{key}` does nothing"))
            .label("nothing is tuned by games: there are no `games` and no parameters")
            .help(if key == "proof" {
                "the fitted variant is tested by `gate` under `[tune.texel]`"
            } else {
                "remove it"
            })
            .report(problems);
    }
}

/// An even number of games.
pub(super) fn even<const MOST: i64>(
    games: &Of<Even<MOST>>,
    key: &str,
    problems: &mut Problems,
) -> Option<u64> {
    let number: u64 = in_range(games, key, 2..=MOST, problems)?;
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
    raw: Option<&Spanned<Raw>>,
    algorithm: Algorithm,
    problems: &mut Problems,
) -> Option<u32> {
    let raw = raw?;
    match raw.get_ref() {
        Raw::Text(word) if word == "off" => return None,
        Raw::Number(elo) => {
            if !algorithm.takes_handicap() {
                let message = format!("`{}` has no use for a `handicap`", algorithm.name());
                Problem::error(raw.span(), message)
                    .help("remove it: this algorithm takes each `step` as it is")
                    .report(problems);
            }
            let elo = Of::<HandicapRange>::new(raw.span(), *elo);
            return ranged(&elo, "tune.handicap", problems);
        }
        _ => {}
    }
    Problem::error(raw.span(), "wrong `handicap`")
        .label("expected a whole number, of Elo, or \"off\"")
        .help(
            "write `handicap = 50`, or `handicap = \"off\"` to take each `step` as it is, as \
             without this key",
        )
        .refuse(problems)
}

/// The value of a number without a visible effect.
pub(super) fn no_effect(
    raw: Option<&Of<Name<NoEffect>>>,
    algorithm: Algorithm,
    problems: &mut Problems,
) -> Option<NoEffect> {
    if let Some(raw) = raw
        && !algorithm.tests_effects()
    {
        let message = format!("`{}` has no use for `no_effect`", algorithm.name());
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
    table: &'static str,
    problems: &mut Problems,
) -> Option<Proof> {
    let usual = RawProof::default();
    let fields = typed.map_or(&usual, Spanned::get_ref);
    let rates = RawRates {
        table,
        whole: typed.map_or(whole, Spanned::span),
        model: None,
        elo: [fields.elo0.as_ref(), fields.elo1.as_ref()],
        rates: [fields.alpha.as_ref(), fields.beta.as_ref()],
    };
    test(&rates, fields.max_pairs.as_ref(), problems)
}

/// The test with these hypotheses and rates.
pub(super) fn test(
    rates: &RawRates<'_>,
    max_pairs: Option<&Of<Whole<1, MOST_PAIRS>>>,
    problems: &mut Problems,
) -> Option<Proof> {
    let hypotheses = hypotheses(rates, problems);
    let errors = errors(rates, problems);
    let key = format!("{}.max_pairs", rates.table);
    let max_pairs = optional(max_pairs, &key, problems);
    Some(Proof {
        hypotheses: hypotheses?,
        errors: errors?,
        max_pairs,
    })
}
