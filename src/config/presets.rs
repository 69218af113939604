//! Evaluations by name: files in the form in which a user writes `eval`.

use serde::de::DeserializeOwned;

use super::eval::{CaptureLayer, OthelloLayer, XiangqiLayer};
use super::problem::Problem;
use super::raw::Text;
use super::reader::read_table;
use super::search::SearchLayer;
use super::{EvalParams, GameChoice, Variant};
use crate::games::go::reading::CaptureParams;
use crate::games::othello::eval::{OthelloParams, OthelloWeights};
use crate::games::xiangqi::eval::XiangqiParams;
use crate::search::SearchParams;

/// A preset's name and its file.
type Preset = (&'static str, &'static str);

/// The presets of Xiangqi. The first one is where a variant starts that names
/// none.
const XIANGQI: [Preset; 6] = [
    (
        "leitai",
        include_str!("../games/xiangqi/eval/presets/leitai.toml"),
    ),
    (
        "leitai-1",
        include_str!("../games/xiangqi/eval/presets/leitai-1.toml"),
    ),
    (
        "leitai-0",
        include_str!("../games/xiangqi/eval/presets/leitai-0.toml"),
    ),
    (
        "tutorial",
        include_str!("../games/xiangqi/eval/presets/tutorial.toml"),
    ),
    (
        "seed-001",
        include_str!("../games/xiangqi/eval/presets/seed-001.toml"),
    ),
    (
        "seed-001-mended",
        include_str!("../games/xiangqi/eval/presets/seed-001-mended.toml"),
    ),
];

/// The presets of Othello. The first one is where a variant starts that names
/// none.
const OTHELLO: [Preset; 4] = [
    (
        "squares",
        include_str!("../games/othello/eval/presets/squares.toml"),
    ),
    (
        "discs",
        include_str!("../games/othello/eval/presets/discs.toml"),
    ),
    (
        "mobility",
        include_str!("../games/othello/eval/presets/mobility.toml"),
    ),
    (
        "seed-004",
        include_str!("../games/othello/eval/presets/seed-004.toml"),
    ),
];

/// The presets of Go block capture. The first one is where a variant starts that names
/// none.
const GO: [Preset; 3] = [
    (
        "leitai",
        include_str!("../games/go/reading/presets/leitai.toml"),
    ),
    (
        "seed-002",
        include_str!("../games/go/reading/presets/seed-002.toml"),
    ),
    (
        "chen-zhang-2006",
        include_str!("../games/go/reading/presets/chen-zhang-2006.toml"),
    ),
];

/// The presets of the search. The first one is where a variant starts that
/// names none.
const SEARCH: [Preset; 2] = [
    ("plain", include_str!("../search/presets/plain.toml")),
    ("full", include_str!("../search/presets/full.toml")),
];

/// The presets of the search.
pub(super) fn search() -> Source<SearchParams> {
    let read = |text: &str| {
        read_layer(text, SearchLayer::check).map(|layer| {
            let mut params = SearchParams::default();
            layer.apply(&mut params);
            params
        })
    };
    Source {
        presets: &SEARCH,
        read,
    }
}

/// Where the numbers of one game's presets come from.
#[derive(Clone, Copy)]
pub(super) struct Source<T> {
    presets: &'static [Preset],
    read: fn(&str) -> Result<T, Problem>,
}

/// The presets of Xiangqi.
pub(super) fn xiangqi() -> Source<XiangqiParams> {
    let read = |text: &str| {
        read_layer(text, XiangqiLayer::check).map(|layer| {
            let mut params = XiangqiParams::default();
            layer.apply(&mut params);
            params
        })
    };
    Source {
        presets: &XIANGQI,
        read,
    }
}

/// The presets of Othello.
pub(super) fn othello() -> Source<OthelloParams> {
    let read = |text: &str| {
        read_layer(text, OthelloLayer::check).map(|layer| {
            let mut params = OthelloParams::constant(&OthelloWeights::none());
            layer.apply(&mut params);
            params
        })
    };
    Source {
        presets: &OTHELLO,
        read,
    }
}

/// The presets of Go block capture.
pub(super) fn go() -> Source<CaptureParams> {
    let read = |text: &str| {
        read_layer(text, CaptureLayer::check).map(|layer| {
            let mut params = CaptureParams::default();
            layer.apply(&mut params);
            params
        })
    };
    Source { presets: &GO, read }
}

fn read_layer<R: DeserializeOwned, L>(
    text: &str,
    check: fn(&R, &mut Vec<Problem>) -> L,
) -> Result<L, Problem> {
    let mut problems = Vec::new();
    let layer = check(&read_table(text)?, &mut problems);
    problems.into_iter().next().map_or(Ok(layer), Err)
}

/// The preset that the config names.
pub(super) fn named<T>(
    name: &Text,
    source: fn() -> Source<T>,
    problems: &mut Vec<Problem>,
) -> Option<T> {
    let Source { presets, read } = source();
    let Some((_, text)) = presets.iter().find(|(known, _)| known == name.get_ref()) else {
        problems.push(
            Problem::error(name.span(), format!("unknown preset `{}`", name.get_ref()))
                .alternatives(name.get_ref(), presets.iter().map(|(known, _)| *known)),
        );
        return None;
    };
    read(text)
        .map_err(|problem| {
            let message = format!(
                "the preset is broken (a bug of leitai): {}",
                problem.message
            );
            problems.push(Problem::error(name.span(), message));
        })
        .ok()
}

/// Where a variant starts that names no preset.
pub(super) fn usual<T>(source: fn() -> Source<T>) -> Option<T> {
    let Source { presets, read } = source();
    presets.first().and_then(|(_, text)| read(text).ok())
}

/// The preset of that name.
fn of_name<T>(source: fn() -> Source<T>, name: &str) -> Option<T> {
    let Source { presets, read } = source();
    let (_, text) = presets.iter().find(|(known, _)| *known == name)?;
    read(text).ok()
}

/// The Xiangqi evaluation of that name (`leitai`, `leitai-1`, `leitai-0`, `tutorial`,
/// `seed-001`, `seed-001-mended`).
pub fn xiangqi_preset(name: &str) -> Option<XiangqiParams> {
    of_name(xiangqi, name)
}

/// The Othello evaluation of that name (`squares`, `discs`, `mobility`, `seed-004`).
pub fn othello_preset(name: &str) -> Option<OthelloParams> {
    of_name(othello, name)
}

/// The knowledge of Go blocks of that name (`leitai`, `seed-002`, `chen-zhang-2006`).
pub fn go_preset(name: &str) -> Option<CaptureParams> {
    of_name(go, name)
}

/// The search of that name (`plain`, `full`).
pub fn search_preset(name: &str) -> Option<SearchParams> {
    of_name(search, name)
}

/// The default search with the evaluation of that name, or the first if it is empty.
/// `None` if the game has no such preset.
pub fn preset_variant(game: GameChoice, name: &str) -> Option<Variant> {
    let mut variant = default_variant(game)?;
    if name.is_empty() {
        return Some(variant);
    }
    variant.eval = match game.name() {
        "xiangqi" => EvalParams::Xiangqi(Box::new(xiangqi_preset(name)?)),
        "othello" => EvalParams::Othello(Box::new(othello_preset(name)?)),
        "go" => EvalParams::Go(Box::new(go_preset(name)?)),
        _ => return None,
    };
    Some(variant)
}

/// What a variant is before a config says anything about it, and the one that
/// plays where there is no config: the first preset and the default search. `None` only if a preset is broken.
pub fn default_variant(game: GameChoice) -> Option<Variant> {
    let eval = match game.name() {
        "xiangqi" => EvalParams::Xiangqi(Box::new(usual(xiangqi)?)),
        "othello" => EvalParams::Othello(Box::new(usual(othello)?)),
        "go" => EvalParams::Go(Box::new(usual(go)?)),
        _ => return None,
    };
    Some(Variant {
        name: "default".to_owned(),
        search: SearchParams::default(),
        eval,
        program: None,
        limits: None,
    })
}
