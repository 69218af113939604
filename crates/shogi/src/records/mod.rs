//! Games of Shogi in the formats of other programs: KIF and CSA.

mod csa;
mod kif;

use leitai_game::{Cause, Side};
use leitai_interchange::OwnFormat;
use leitai_interchange::pgn::Game;

use crate::card;
use crate::forms::FORMATS;

/// Tags with a date: `2024.01.02` in PGN, `2024/01/02` in these formats.
const DATE_TAGS: [&str; 2] = ["Date", "EndDate"];

/// The readers and writers of the formats.
pub static OWN_FORMATS: [OwnFormat; 2] = [
    OwnFormat::of_text(&FORMATS[0], card, kif::read, Some(kif::write)),
    OwnFormat::of_text(&FORMATS[1], card, csa::read, Some(csa::write)),
];

/// The value of a tag in the form of these formats.
fn header_value(game: &Game, tag: &str) -> Option<String> {
    let value = game.tags.known(tag)?;
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

/// The half points of the side to move at the end, for games with a result.
fn points_to_move(game: &Game) -> Option<u8> {
    let to_move = game.play.position().side_to_move();
    game.points.map(|points| match to_move {
        Side::First => points,
        Side::Second => 2 - points,
    })
}

/// The cause of a game's end by the rules.
fn ending(game: &Game) -> Option<Cause> {
    game.verdict.map(|(_, verdict)| verdict.cause)
}
