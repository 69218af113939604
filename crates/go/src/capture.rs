//! Block capture as a game of two sides.
//!
//! The attacker tries to capture the block on a certain point, and the defender to save it. The
//! attacker, Black or White, is [`Side::First`]; either side may be to move in an opening. The
//! defender may always pass, the attacker never: in a seki, where every move hurts the attacker,
//! that saves the block.

mod encoding;
mod fen;
mod judge;

#[cfg(test)]
mod tests;

use super::{Board, Colour, GoRules, PASS, Point, Symmetry, view};
use leitai_game::{
    ImageKeys, Line, Move, MoveError, MoveList, Position, PositionError, Scope, Side, Verdict, View,
};

/// The default start: White's stone in the middle of 7 x 7 points, and two stones of Black, the
/// attacker.
const INITIAL: &str = "......./......./..X..../...O.../....X../......./....... X D4 -";

/// A position of attacker and defender.
#[derive(Clone, Debug)]
pub struct Capture {
    board: Board,
    target: Point,
    attacker: Colour,
    side: Side,
    /// True if the target was captured: then neither side has a move.
    taken: bool,
    /// Moves since the start of the line or since the last null move.
    reversible: u32,
}

/// The data for undoing a move, in addition to the board's own.
#[derive(Clone, Copy, Debug)]
pub struct CaptureUndo {
    taken: bool,
    reversible: u32,
}

impl Capture {
    /// The stones.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The point of the attacked block; empty after its capture.
    pub const fn target(&self) -> Point {
        self.target
    }

    /// The colour of the attacker.
    pub const fn attacker(&self) -> Colour {
        self.attacker
    }

    /// The colour of the side to move.
    pub const fn colour_to_move(&self) -> Colour {
        match self.side {
            Side::First => self.attacker,
            Side::Second => self.attacker.other(),
        }
    }

    /// Returns whether the target was captured.
    pub const fn is_taken(&self) -> bool {
        self.taken
    }

    /// The number of stones that the legal move `mv` captures.
    pub fn stones_taken_by(&self, mv: Move) -> u32 {
        match encoding::point(&self.board, mv) {
            Some(point) => self.board.captures(point, self.colour_to_move()),
            None => 0,
        }
    }

    /// The move on `point` of this board.
    pub fn move_on(&self, point: Point) -> Move {
        encoding::on(&self.board, point)
    }

    /// The point of a move on this board; `None` for the pass and for moves of boards of another
    /// size.
    pub fn point_of(&self, mv: Move) -> Option<Point> {
        encoding::point(&self.board, mv)
    }

    /// The position rotated or mirrored, and with the colours exchanged if `swapped`: an equivalent
    /// position.
    #[must_use]
    pub fn image(&self, symmetry: Symmetry, swapped: bool) -> Self {
        let size = self.board.size();
        let board = self.board.transformed(symmetry);
        Self {
            board: if swapped {
                board.swapped_colours()
            } else {
                board
            },
            target: symmetry.apply(self.target, size),
            attacker: if swapped {
                self.attacker.other()
            } else {
                self.attacker
            },
            ..*self
        }
    }

    /// The sixteen images, starting with the position itself.
    pub fn images(&self) -> impl Iterator<Item = Self> + '_ {
        [false, true].into_iter().flat_map(move |swapped| {
            Symmetry::ALL
                .into_iter()
                .map(move |symmetry| self.image(symmetry, swapped))
        })
    }

    const fn undo_of_now(&self) -> CaptureUndo {
        CaptureUndo {
            taken: self.taken,
            reversible: self.reversible,
        }
    }
}

impl PartialEq for Capture {
    /// Compares stones, target, ko and turn, without the history.
    fn eq(&self, other: &Self) -> bool {
        (self.target, self.attacker, self.side, self.taken)
            == (other.target, other.attacker, other.side, other.taken)
            && self.board == other.board
    }
}

impl Position for Capture {
    const NAME: &'static str = "go";
    const SIDE_NAMES: [&'static str; 2] = ["attacker", "defender"];
    const PERFT_COUNTS_FINISHED: bool = false;

    type Undo = CaptureUndo;
    type Moves = MoveList;
    type Rules = GoRules;

    fn initial() -> Self {
        // A test reads this text.
        fen::read(INITIAL).unwrap_or_else(|_| Self {
            board: Board::empty(7),
            target: Point::new(3, 3),
            attacker: Colour::Black,
            side: Side::First,
            taken: true,
            reversible: 0,
        })
    }

    /// Reads `ROWS SIDE TARGET KO`: rows of `.XO` from the top, joined by `/`, `X` for Black; the
    /// letter of the side to move; the target such as `D4` (no column I, row 1 at the bottom); the
    /// point forbidden by a ko, or `-`.
    fn from_fen(text: &str) -> Result<Self, PositionError> {
        fen::read(text)
    }

    /// Writes the form that [`from_fen`](Position::from_fen) reads. A captured target is followed
    /// by the letter of its stones: `D4:O`.
    fn to_fen(&self) -> String {
        fen::write(self)
    }

    fn side_to_move(&self) -> Side {
        self.side
    }

    /// The key of the stones, the turn, the target and the ko.
    fn key(&self) -> u64 {
        encoding::key(self)
    }

    fn image_keys(&self) -> ImageKeys {
        self.images().map(|image| image.key()).collect()
    }

    /// The plain key, because the symmetric one would require sixteen boards.
    fn meeting_key(&self) -> u64 {
        self.key()
    }

    fn check_integrity(&self) -> Result<(), String> {
        self.board.check_integrity()?;
        if self.taken == self.board.at(self.target).is_some() {
            return Err("whether the target is taken".to_owned());
        }
        if !self.taken && self.board.at(self.target) == Some(self.attacker) {
            return Err("whose stone the target is".to_owned());
        }
        Ok(())
    }

    /// Ordered by point from the top left, then the defender's pass.
    fn legal_moves(&self, moves: &mut MoveList) {
        if self.taken {
            return;
        }
        let colour = self.colour_to_move();
        let points = self.board.empties();
        let legal = points
            .iter()
            .filter(|&point| self.board.is_legal(point, colour));
        moves.extend(legal.map(|point| encoding::on(&self.board, point)));
        if self.side == Side::Second {
            moves.push(PASS);
        }
    }

    fn is_legal(&self, mv: Move) -> bool {
        if self.taken {
            return false;
        }
        if mv == PASS {
            return self.side == Side::Second;
        }
        encoding::point(&self.board, mv)
            .is_some_and(|point| self.board.is_legal(point, self.colour_to_move()))
    }

    fn make(&mut self, mv: Move) -> CaptureUndo {
        let undo = self.undo_of_now();
        let colour = self.colour_to_move();
        match encoding::point(&self.board, mv) {
            Some(point) => {
                let stones = self.board.play(point, colour);
                self.taken = stones > 0 && self.board.at(self.target).is_none();
            }
            None => self.board.pass(),
        }
        self.side = self.side.other();
        self.reversible += 1;
        undo
    }

    fn unmake(&mut self, _: Move, undo: CaptureUndo) {
        self.board.undo();
        self.unmake_null(undo);
    }

    /// The ko stays: in the key only the side changes.
    fn make_null(&mut self) -> Option<CaptureUndo> {
        let undo = self.undo_of_now();
        self.side = self.side.other();
        self.reversible = 0;
        Some(undo)
    }

    fn unmake_null(&mut self, undo: CaptureUndo) {
        self.side = self.side.other();
        self.taken = undo.taken;
        self.reversible = undo.reversible;
    }

    fn verdict_without_moves(&self) -> Verdict {
        judge::without_moves(self)
    }

    fn reversible_plies(&self) -> usize {
        self.reversible as usize
    }

    fn view(&self, last: Option<Move>) -> Option<View> {
        Some(view::of(self, last))
    }

    /// The defender wins as soon as a position repeats, when the attacker is to move and the target
    /// has enough liberties or lives unconditionally, and at the ply limit.
    fn judge(line: &Line<Self>, rules: GoRules, _: Scope) -> Option<Verdict> {
        judge::judge(line, rules)
    }

    /// Reads `d4` or `D4`, also in the letters of SGF (`dd`: column, row from the top), and `pass`.
    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let mv = encoding::read(&self.board, text).ok_or_else(|| MoveError::Syntax(text.into()))?;
        if self.is_legal(mv) {
            Ok(mv)
        } else {
            Err(MoveError::Illegal(text.into()))
        }
    }

    /// Writes `D4`, or `pass`.
    fn move_text(mv: Move) -> String {
        encoding::write(mv)
    }
}
