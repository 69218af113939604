//! Games of Shogi in the formats of other programs: KIF and CSA.

mod csa;
mod kif;

use leitai_game::Cause;
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

/// The cause of a game's end by the rules.
fn ending(game: &Game) -> Option<Cause> {
    game.verdict.map(|(_, verdict)| verdict.cause)
}
