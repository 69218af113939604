//! `[rules]`: what can be chosen of the rules of the game.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::GameChoice;
use super::problem::Problem;
use super::raw::Text;
use super::value::choice;
use crate::game::othello::{EmptySquares, OthelloRules};
use crate::game::xiangqi::{RepetitionRule, XiangqiRules};

/// `[rules]`, with the keys of every game, so that a key of another game can
/// be told from one that nobody knows.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct RawRules {
    repetition: Option<Text>,
    move_limit: Option<Spanned<bool>>,
    material: Option<Spanned<bool>>,
    empties: Option<Text>,
}

/// The game under these rules; refuses those of another game.
pub(super) fn rules(raw: &RawRules, game: GameChoice, problems: &mut Vec<Problem>) -> GameChoice {
    match game {
        GameChoice::Xiangqi(_) => {
            let foreign = [("empties", span(raw.empties.as_ref()))];
            refuse(foreign, "Othello", "`game = \"xiangqi\"`", problems);
            GameChoice::Xiangqi(xiangqi(raw, problems))
        }
        GameChoice::Othello(_) => {
            let foreign = [
                ("repetition", span(raw.repetition.as_ref())),
                ("move_limit", span(raw.move_limit.as_ref())),
                ("material", span(raw.material.as_ref())),
            ];
            refuse(foreign, "Xiangqi", "`game = \"othello\"`", problems);
            GameChoice::Othello(othello(raw, problems))
        }
    }
}

fn span<T>(value: Option<&Spanned<T>>) -> Option<Range<usize>> {
    value.map(Spanned::span)
}

/// Reports the keys that belong to the `other` game.
fn refuse<const N: usize>(
    keys: [(&str, Option<Range<usize>>); N],
    other: &str,
    game: &str,
    problems: &mut Vec<Problem>,
) {
    for (key, span) in keys {
        let Some(span) = span else { continue };
        let message = format!("`rules.{key}` is a rule of {other}");
        problems.push(
            Problem::error(span, message)
                .label("not a rule of this game")
                .help(format!("remove it: the config says {game}")),
        );
    }
}

fn xiangqi(raw: &RawRules, problems: &mut Vec<Problem>) -> XiangqiRules {
    let repetitions = [
        ("check", RepetitionRule::Check),
        ("computer", RepetitionRule::Computer),
    ];
    let usual = XiangqiRules::default();
    let flag = |value: &Option<Spanned<bool>>| value.as_ref().map(|flag| *flag.get_ref());
    XiangqiRules {
        repetition: raw
            .repetition
            .as_ref()
            .and_then(|name| choice(name, "repetition rule", &repetitions, problems))
            .unwrap_or(usual.repetition),
        move_limit: flag(&raw.move_limit).unwrap_or(usual.move_limit),
        material: flag(&raw.material).unwrap_or(usual.material),
    }
}

fn othello(raw: &RawRules, problems: &mut Vec<Problem>) -> OthelloRules {
    let owners = [EmptySquares::Winner, EmptySquares::Nobody].map(|it| (it.name(), it));
    OthelloRules {
        empties: raw
            .empties
            .as_ref()
            .and_then(|name| choice(name, "owner of the empty squares", &owners, problems))
            .unwrap_or_default(),
    }
}
