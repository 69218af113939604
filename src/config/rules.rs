//! `[rules]`: what can be chosen of the rules of the game.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::GameChoice;
use super::problem::Problem;
use super::raw::Text;
use super::value::{choice, ranged};
use crate::games::go::GoRules;
use crate::games::othello::{EmptySquares, OthelloRules};
use crate::games::xiangqi::{RepetitionRule, XiangqiRules};

/// `[rules]`, with the keys of every game, so that a key of another game can
/// be told from one that nobody knows.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct RawRules {
    repetition: Option<Text>,
    move_limit: Option<Spanned<bool>>,
    material: Option<Spanned<bool>>,
    empties: Option<Text>,
    escape_liberties: Option<Spanned<i64>>,
    ply_limit: Option<Spanned<i64>>,
}

/// The game under these rules; refuses those of another game.
pub(super) fn rules(raw: &RawRules, game: GameChoice, problems: &mut Vec<Problem>) -> GameChoice {
    let keys = [
        ("repetition", span(raw.repetition.as_ref()), "Xiangqi"),
        ("move_limit", span(raw.move_limit.as_ref()), "Xiangqi"),
        ("material", span(raw.material.as_ref()), "Xiangqi"),
        ("empties", span(raw.empties.as_ref()), "Othello"),
        (
            "escape_liberties",
            span(raw.escape_liberties.as_ref()),
            "Go",
        ),
        ("ply_limit", span(raw.ply_limit.as_ref()), "Go"),
    ];
    let own = match game {
        GameChoice::Xiangqi(_) => "Xiangqi",
        GameChoice::Othello(_) => "Othello",
        GameChoice::Go(_) => "Go",
    };
    let foreign = keys.into_iter().filter(|(_, _, theirs)| *theirs != own);
    refuse(foreign, game, problems);
    match game {
        GameChoice::Xiangqi(_) => GameChoice::Xiangqi(xiangqi(raw, problems)),
        GameChoice::Othello(_) => GameChoice::Othello(othello(raw, problems)),
        GameChoice::Go(_) => GameChoice::Go(go(raw, problems)),
    }
}

fn span<T>(value: Option<&Spanned<T>>) -> Option<Range<usize>> {
    value.map(Spanned::span)
}

/// Reports the keys that are given and belong to another game.
fn refuse(
    keys: impl Iterator<Item = (&'static str, Option<Range<usize>>, &'static str)>,
    game: GameChoice,
    problems: &mut Vec<Problem>,
) {
    for (key, span, theirs) in keys {
        let Some(span) = span else { continue };
        let message = format!("`rules.{key}` is a rule of {theirs}");
        problems.push(
            Problem::error(span, message)
                .label("not a rule of this game")
                .help(format!(
                    "remove it: the config says `game = \"{}\"`",
                    game.name()
                )),
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

fn go(raw: &RawRules, problems: &mut Vec<Problem>) -> GoRules {
    let usual = GoRules::default();
    let (least, most) = GoRules::ESCAPE_LIBERTIES.into_inner();
    let liberties = raw.escape_liberties.as_ref().and_then(|given| {
        if *given.get_ref() == 1 {
            problems.push(
                Problem::error(given.span(), "`rules.escape_liberties` is 1")
                    .label("every block has a liberty: each game would be over at once")
                    .help(format!(
                        "write {least} to {most}, or 0 so that no number of liberties ends a game"
                    )),
            );
            return None;
        }
        let path = "rules.escape_liberties";
        ranged::<u32>(given, path, 0..=most.into(), problems)
    });
    let (least, most) = GoRules::PLY_LIMITS.into_inner();
    let limit = raw.ply_limit.as_ref().and_then(|given| {
        let range = least.into()..=most.into();
        ranged::<u32>(given, "rules.ply_limit", range, problems)
    });
    GoRules {
        escape_liberties: liberties.unwrap_or(usual.escape_liberties),
        ply_limit: limit.unwrap_or(usual.ply_limit),
    }
}
