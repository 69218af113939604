//! Positions of games as EPD.

use std::path::Path;

use leitai_base::foreign::raw_path;
use leitai_game::card::AnyPosition;
use leitai_interchange::epd::{Operation, write_epd};
use leitai_interchange::pgn::{Game, result_text};

/// A position within a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GamePoint {
    /// The last position.
    End,
    /// The position after the given number of plies, as an opening.
    Opening(usize),
    /// The position after the given number of plies, when all are written.
    After(usize),
}

/// The EPD line of a position of a game, with the operations `id` (the file's name and the game's
/// number), `c0` (the moves from the usual start, as in our own suites; omitted when all positions
/// are written), and `c1` (the source).
pub fn epd_line(file: &str, game: &Game, position: &dyn AnyPosition, place: GamePoint) -> String {
    let stem = Path::new(file).file_stem().unwrap_or_default();
    let stem = raw_path(Path::new(stem));
    let number = game.number;
    let card = position.card();
    let id = match place {
        GamePoint::After(ply) => format!("{stem}-{number}-{ply}"),
        _ => format!("{stem}-{number}"),
    };
    let mut operations = vec![Operation::text("id", &id)];
    let plies = match place {
        GamePoint::End => Some(game.play.len()),
        GamePoint::Opening(plies) => Some(plies),
        GamePoint::After(_) => None,
    };
    if let Some(plies) = plies
        && *game.play.start() == *card.initial()
    {
        let moves = game.play.moves().into_iter().take(plies);
        let moves = moves.map(|mv| card.move_text(mv));
        operations.push(Operation::text("c0", &moves.collect::<Vec<_>>().join(" ")));
    }
    operations.push(Operation::text("c1", &source(file, game, place)));
    write_epd(position, &operations)
}

/// The source of the position, in words.
fn source(file: &str, game: &Game, place: GamePoint) -> String {
    let players = game.tags.players();
    let players = players.map(|[first, second]| format!(", {first} - {second}"));
    let place = match (place, game.verdict) {
        (GamePoint::Opening(ply) | GamePoint::After(ply), _) => format!("after ply {ply}"),
        (GamePoint::End, None) => result_text(game.points).to_owned(),
        (GamePoint::End, Some((_, verdict))) => {
            format!("{} ({})", result_text(game.points), verdict.cause)
        }
    };
    let players = players.unwrap_or_default();
    format!("{file}, game {}{players}, {place}", game.number)
}

/// Returns whether games can begin from the position: it can be read back, is not over and not a
/// dead draw.
pub fn is_opening(position: &dyn AnyPosition) -> bool {
    position.count_legal_moves() > 0
        && !position.is_dead()
        && position.card().read(&position.to_fen()).is_ok()
}
