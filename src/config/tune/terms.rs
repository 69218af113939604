//! How long, how far apart, and how it is proven.

use toml::Spanned;

use super::raw::RawTune;
use super::{Algorithm, Proof};
use crate::config::gate::{RawRates, errors, hypotheses};
use crate::config::problem::Problem;
use crate::config::search::Raw;
use crate::config::value::ranged;

const MOST_GAMES: i64 = 10_000_000_000;
const MOST_PAIRS: i64 = 1_000_000_000;
const USUAL_HANDICAP: u32 = 30;

pub(super) fn games(raw: &Spanned<RawTune>, problems: &mut Vec<Problem>) -> Option<u64> {
    let Some(games) = &raw.get_ref().games else {
        problems.push(
            Problem::error(raw.span(), "a tune without a budget")
                .help("add `games = 20000` under `[tune]`: how many games it may learn from"),
        );
        return None;
    };
    let number: u64 = ranged(games, "tune.games", 2..=MOST_GAMES, problems)?;
    if !number.is_multiple_of(2) {
        problems.push(
            Problem::error(games.span(), "an odd number of games")
                .label("games come in pairs, from one opening with colours swapped")
                .help(format!("write `games = {}`", number + 1)),
        );
        return None;
    }
    Some(number)
}

pub(super) fn handicap(
    raw: Option<&Spanned<Raw>>,
    algorithm: Algorithm,
    problems: &mut Vec<Problem>,
) -> Option<u32> {
    let Some(raw) = raw else {
        return algorithm.takes_handicap().then_some(USUAL_HANDICAP);
    };
    match raw.get_ref() {
        Raw::Text(word) if word == "off" => return None,
        Raw::Number(elo) => {
            if !algorithm.takes_handicap() {
                let message = format!("`{}` has no use for a `handicap`", algorithm.name());
                problems.push(
                    Problem::error(raw.span(), message)
                        .help("remove it: this algorithm takes each `step` as it is"),
                );
            }
            let elo = Spanned::new(raw.span(), *elo);
            return ranged(&elo, "tune.handicap", 1..=200, problems);
        }
        _ => {}
    }
    problems.push(
        Problem::error(raw.span(), "wrong `handicap`")
            .label("expected a whole number, of Elo, or \"off\"")
            .help(format!(
                "write `handicap = {USUAL_HANDICAP}`, or `handicap = \"off\"` to take each `step` \
                 as it is"
            )),
    );
    None
}

pub(super) fn proof(raw: &Spanned<RawTune>, problems: &mut Vec<Problem>) -> Option<Proof> {
    let typed = raw.get_ref().proof.as_ref();
    let fields = typed.map(Spanned::get_ref);
    let rates = RawRates {
        table: "tune.proof",
        whole: typed.map_or_else(|| raw.span(), Spanned::span),
        model: None,
        elo0: fields.and_then(|fields| fields.elo0.as_ref()),
        elo1: fields.and_then(|fields| fields.elo1.as_ref()),
        alpha: fields.and_then(|fields| fields.alpha.as_ref()),
        beta: fields.and_then(|fields| fields.beta.as_ref()),
    };
    let hypotheses = hypotheses(&rates, problems);
    let errors = errors(&rates, problems);
    let max_pairs = fields.and_then(|fields| fields.max_pairs.as_ref());
    let max_pairs =
        max_pairs.and_then(|pairs| ranged(pairs, "tune.proof.max_pairs", 1..=MOST_PAIRS, problems));
    Some(Proof {
        hypotheses: hypotheses?,
        errors: errors?,
        max_pairs,
    })
}
