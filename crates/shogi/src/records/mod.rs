//! Games of Shogi in the formats of other programs: KIF and CSA.

mod csa;
mod kif;

use leitai_game::{Cause, Move, Position as _, Side};
use leitai_interchange::TextFormat;
use leitai_interchange::pgn::PgnGame;

use crate::board::Shogi;
use crate::forms::FORMATS;

/// Tags with a date: `2024.01.02` in PGN, `2024/01/02` in these formats.
const DATE_TAGS: [&str; 2] = ["Date", "EndDate"];

/// The readers and writers of the formats.
pub const TEXT_FORMATS: [TextFormat; 2] = [
    TextFormat {
        form: &FORMATS[0],
        read: kif::read,
        write: Some(kif::write),
    },
    TextFormat {
        form: &FORMATS[1],
        read: csa::read,
        write: Some(csa::write),
    },
];

/// The value of a tag in the form of these formats.
fn header_value(game: &PgnGame, tag: &str) -> Option<String> {
    let value = game
        .tag(tag)
        .filter(|value| value.contains(|it| !"?.".contains(it)))?;
    Some(if DATE_TAGS.contains(&tag) {
        value.replace('.', "/")
    } else {
        value.to_owned()
    })
}

/// The value of a header as that of a tag.
fn tag_value(tag: &str, header: &str) -> String {
    if DATE_TAGS.contains(&tag) {
        let day = header.split(' ').next().unwrap_or_default();
        day.replace('/', ".")
    } else {
        header.to_owned()
    }
}

/// The start of a game and its moves; `None` if one of them cannot be read.
fn replayed(game: &PgnGame) -> Option<(Shogi, Vec<Move>)> {
    let start = match &game.start {
        Some(text) => Shogi::from_fen(text).ok()?,
        None => Shogi::initial(),
    };
    let mut position = start.clone();
    let mut moves = Vec::new();
    for text in &game.moves {
        let mv = position.parse_move(text).ok()?;
        position.make(mv);
        moves.push(mv);
    }
    Some((start, moves))
}

/// The half points of the side to move at the end, for games with a result.
fn points_to_move(game: &PgnGame, to_move: Side) -> Option<u8> {
    game.half_points.map(|points| match to_move {
        Side::First => points,
        Side::Second => 2 - points,
    })
}

/// The cause of a game's end by the rules.
fn ending(game: &PgnGame) -> Option<Cause> {
    game.verdict.map(|verdict| verdict.cause)
}
