//! The rules beyond the legality of moves: repetition, lack of progress, bare material.

use cozy_chess::{BitBoard, Color, Piece};

use super::board::{Chess, color};
use super::rules::{ChessRules, Draws};
use leitai_game::{Cause, Line, Position, Scope, Side, Verdict};

/// Judges a line; see [`Position::judge`]. The first rule that applies decides:
///
/// 1. material with which no series of moves mates;
/// 2. a hundred plies without a capture or a pawn move (150 with `forced` draws);
/// 3. the third occurrence of the position (the fifth); inside a search the second, if the first
///    lies after the root.
///
/// Mate and stalemate come before all of them. The start position of a line is judged too.
pub(super) fn judge(line: &Line<Chess>, rules: ChessRules, scope: Scope) -> Option<Verdict> {
    let position = line.position();
    let cause = material(position)
        .or_else(|| lack_of_progress(position, rules))
        .or_else(|| repetition(line, rules, scope))?;
    position.has_legal_move().then_some(Verdict::draw(cause))
}

fn material(position: &Chess) -> Option<Cause> {
    is_drawn(position).then_some(Cause::InsufficientMaterial)
}

fn lack_of_progress(position: &Chess, rules: ChessRules) -> Option<Cause> {
    let (limit, cause) = match rules.draws {
        Draws::Claimed => (100, Cause::FiftyMoves),
        Draws::Forced => (150, Cause::SeventyFiveMoves),
    };
    (position.clock >= limit).then_some(cause)
}

fn repetition(line: &Line<Chess>, rules: ChessRules, scope: Scope) -> Option<Cause> {
    match (rules.draws, scope) {
        (Draws::Claimed, _) | (_, Scope::Search { .. }) => {
            line.repetition(scope).map(|_| Cause::ThreefoldRepetition)
        }
        (Draws::Forced, Scope::Game) => {
            let now = line.len();
            let reach = line.position().reversible_plies().min(now);
            let key = line.position().key();
            let earlier = (4..=reach)
                .step_by(2)
                .filter(|back| line.key_after(now - back) == key);
            (earlier.count() >= 4).then_some(Cause::FivefoldRepetition)
        }
    }
}

/// Returns whether neither side can mate by any series of moves with the remaining pieces: kings
/// alone, one knight, or bishops of one square colour only (FIDE Laws 5.2.2, as far as it depends
/// on material alone).
pub(super) fn is_drawn(position: &Chess) -> bool {
    let board = &position.board;
    let occupied = board.occupied();
    // A quick test that decides for most positions.
    if occupied.len() > 2 && has_mating_piece(position, occupied) {
        return false;
    }
    let knights = board.pieces(Piece::Knight);
    let bishops = board.pieces(Piece::Bishop);
    if knights.is_empty() {
        are_on_one_colour(bishops)
    } else {
        knights.len() == 1 && bishops.is_empty()
    }
}

/// Returns whether any of these is a pawn, a rook or a queen.
fn has_mating_piece(position: &Chess, squares: BitBoard) -> bool {
    let board = &position.board;
    let heavy = board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    !(heavy & squares).is_empty()
}

fn are_on_one_colour(bishops: BitBoard) -> bool {
    (bishops & BitBoard::DARK_SQUARES).is_empty() || (bishops & BitBoard::LIGHT_SQUARES).is_empty()
}

/// Returns whether `side` could still mate by some series of legal moves, including help by the
/// opponent, with the remaining pieces: decides games lost on time (FIDE Laws 6.9).
pub(super) fn can_win(position: &Chess, side: Side) -> bool {
    let board = &position.board;
    let own = color(side);
    let has = |color: Color, piece: Piece| !board.colored_pieces(color, piece).is_empty();
    let pieces = board.colors(own);
    if has_mating_piece(position, pieces) {
        return true;
    }
    if has(own, Piece::Knight) {
        // A knight alone mates a king whose own pieces take squares from it. A queen does not help,
        // because she would have to move away or capture the knight.
        let others = [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook];
        return pieces.len() > 2 || others.into_iter().any(|piece| has(!own, piece));
    }
    let bishops = board.pieces(Piece::Bishop);
    let knights_and_pawns = board.pieces(Piece::Knight) | board.pieces(Piece::Pawn);
    has(own, Piece::Bishop) && (!are_on_one_colour(bishops) || !knights_and_pawns.is_empty())
}
