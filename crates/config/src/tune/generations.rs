//! `[tune.generations]`: tunes that each begin from the winner of the one before.

use serde::Serialize;

use super::Tune;
use super::raw::RawGenerations;
use super::terms::even;
use crate::problem::{Problem, Problems};
use crate::values::{Spanned, ranged_or};

const DEFAULT_MAX: u32 = 10;
const DEFAULT_REJECTIONS: u32 = 2;

/// The limits that end a series of tunes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Generations {
    /// Maximum number of tunes, 1 to 1000.
    pub max: u32,
    /// Number of proofs in a row that do not accept, after which the series ends, 1 to 1000.
    pub rejections: u32,
    /// Maximum number of games to learn from in all tunes together, even, 2 to 10^10; `None` for
    /// any number.
    pub games: Option<u64>,
}

/// Checks `[tune.generations]`.
pub(super) fn generations(
    raw: &Spanned<RawGenerations>,
    problems: &mut Problems,
) -> Option<Generations> {
    let fields = raw.get_ref();
    let key = |name: &str| format!("tune.generations.{name}");
    let games = fields.games.as_ref();
    Some(Generations {
        max: ranged_or(&fields.max, DEFAULT_MAX, &key("max"), problems),
        rejections: ranged_or(
            &fields.rejections,
            DEFAULT_REJECTIONS,
            &key("rejections"),
            problems,
        ),
        games: match games {
            Some(games) => Some(even(games, &key("games"), problems)?),
            None => None,
        },
    })
}

/// Refuses a series without games for a single tune.
pub(super) fn check_budget(
    raw: &RawGenerations,
    tune: &Tune,
    problems: &mut Problems,
) -> Option<()> {
    let limits = tune.generations.as_ref()?;
    match (&raw.games, limits.games) {
        (Some(typed), Some(games)) if games < tune.cost() => {
            let cost = tune.cost();
            let message = "`tune.generations.games` is below the games of one tune";
            Problem::error(typed.span(), message)
                .label(format!(
                    "one tune learns from {cost} games, with those of its fit"
                ))
                .help(format!(
                    "give at least `games = {cost}` under `[tune.generations]`"
                ))
                .refuse(problems)
        }
        _ => Some(()),
    }
}
