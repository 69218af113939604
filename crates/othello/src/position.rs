//! The position and its rules.

use std::cmp::Ordering;

use super::{EmptySquares, OthelloRules, bits, opening, origin, symmetry, text, view};
use leitai_base::hash::mix;
use leitai_game::{
    Cause, ImageKeys, Line, Move, MoveError, MoveList, Position, PositionError, Scope, Side,
    Verdict, View,
};

/// The move of a side without a legal square.
pub const PASS: Move = Move(64);

/// A position: the discs of both sides and the side to move. Black is [`Side::First`]. Any
/// placement of discs is a position, reachable by play or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Othello {
    /// Discs of the side to move.
    own: u64,
    /// Discs of the other side; disjoint from `own`.
    opponent: u64,
    side: Side,
}

impl Othello {
    /// The position with these discs, `side` to move; `None` if a square is both black and white.
    pub fn new(black: u64, white: u64, side: Side) -> Option<Self> {
        let (own, opponent) = match side {
            Side::First => (black, white),
            Side::Second => (white, black),
        };
        (black & white == 0).then_some(Self {
            own,
            opponent,
            side,
        })
    }

    /// The discs of `side`; bit 0 is a1.
    pub fn discs(&self, side: Side) -> u64 {
        if side == self.side {
            self.own
        } else {
            self.opponent
        }
    }

    /// Number of empty squares, 0..=64.
    pub fn empties(&self) -> u32 {
        (self.own | self.opponent).count_zeros()
    }

    /// Discs of `side` minus those of the other, -64..=64.
    pub fn disc_difference(&self, side: Side) -> i32 {
        self.discs(side).count_ones() as i32 - self.discs(side.other()).count_ones() as i32
    }

    /// The score of a finished game for `side`, -64..=64: the disc difference, plus the empty
    /// squares for the side that gets them by the rules.
    pub fn final_score(&self, side: Side, rules: OthelloRules) -> i32 {
        let difference = self.disc_difference(side);
        match rules.empties {
            EmptySquares::Winner => difference + difference.signum() * self.empties() as i32,
            EmptySquares::Nobody => difference,
        }
    }

    /// The squares where the side to move can play; empty if it must pass or the game is over.
    #[inline]
    pub fn mobility(&self) -> u64 {
        bits::mobility(self.own, self.opponent)
    }

    /// The eight images of the position under the symmetries of the board, itself first.
    #[must_use]
    pub fn images(&self) -> [Self; 8] {
        let (own, opponent) = (symmetry::images(self.own), symmetry::images(self.opponent));
        std::array::from_fn(|index| Self {
            own: own[index],
            opponent: opponent[index],
            side: self.side,
        })
    }

    /// The squares where the opponent could play if it were its turn.
    #[inline]
    pub fn opponent_mobility(&self) -> u64 {
        bits::mobility(self.opponent, self.own)
    }

    #[inline]
    fn opponent_can_move(&self) -> bool {
        self.opponent_mobility() != 0
    }
}

/// The set with the square of `mv`; empty for the pass.
#[inline]
fn target(mv: Move) -> u64 {
    1u64.checked_shl(u32::from(mv.0)).unwrap_or(0)
}

impl Position for Othello {
    const NAME: &'static str = "othello";
    const SIDE_NAMES: [&'static str; 2] = ["black", "white"];
    const PERFT_COUNTS_FINISHED: bool = true;

    /// The flipped discs of the move.
    type Undo = u64;
    /// The scoring rules of a finished game; no rule depends on the history.
    type Moves = MoveList;
    type Rules = OthelloRules;

    fn initial() -> Self {
        Self {
            own: 1 << 28 | 1 << 35,
            opponent: 1 << 27 | 1 << 36,
            side: Side::First,
        }
    }

    /// Reads `<64 squares, a1 b1 .. h8> <side>`: `X`, `x` or `*` is black, `O` or `o` white, `-` or
    /// `.` empty. Accepts blanks between rows, a side without a blank before it, and a final `;`.
    fn from_fen(text: &str) -> Result<Self, PositionError> {
        text::read_position(text)
    }

    /// Reads `f5d6c3 NAME`: squares in either case, passes omitted or written; a name and further
    /// columns may follow.
    fn from_opening(text: &str) -> Option<Result<(Line<Self>, String), String>> {
        opening::read_opening(text)
    }

    /// Writes `X`, `O`, `-`, a blank and the side.
    fn text_key(text: &str) -> Option<u64> {
        let mut words = text.split(';').next()?.split_whitespace();
        let (board, side) = (words.next()?, words.next()?);
        let is_board = board.len() == 64 && side.len() == 1;
        let position = is_board.then(|| text::read_position(&format!("{board} {side}")));
        Some(position?.ok()?.symmetric_key())
    }

    fn to_fen(&self) -> String {
        text::write_position(self)
    }

    fn moves_from_initial(&self) -> Option<Vec<Move>> {
        origin::moves_to(self)
    }

    fn side_to_move(&self) -> Side {
        self.side
    }

    /// Computed on demand, not stored: two rounds of a 64-bit mixer take a few nanoseconds, and
    /// moves whose key is never used (perft, the leaves of a search) cost nothing. Stored keys
    /// depend on it, so it must not change.
    #[inline]
    fn key(&self) -> u64 {
        /// One salt for each side to move: 2^64 divided by the golden ratio and by the root of two.
        const SALT: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xb504_f333_f9de_6484];
        mix(mix(self.own ^ SALT[self.side.index()]).wrapping_add(self.opponent))
    }

    fn image_keys(&self) -> ImageKeys {
        self.images().iter().map(Self::key).collect()
    }

    fn check_integrity(&self) -> Result<(), String> {
        match self.own & self.opponent {
            0 => Ok(()),
            both => Err(format!(
                "{} is both black and white",
                text::square_name(both.trailing_zeros() as usize)
            )),
        }
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        let mut squares = self.mobility();
        if squares == 0 && self.opponent_can_move() {
            moves.push(PASS);
        }
        while squares != 0 {
            moves.push(Move(squares.trailing_zeros() as u16));
            squares &= squares - 1;
        }
    }

    #[inline]
    fn count_legal_moves(&self) -> usize {
        match self.mobility() {
            0 => usize::from(self.opponent_can_move()),
            squares => squares.count_ones() as usize,
        }
    }

    fn count_leaves(&mut self, depth: u32, finished: u64) -> u64 {
        bits::count_leaves(self.own, self.opponent, depth, finished)
    }

    fn is_legal(&self, mv: Move) -> bool {
        let squares = self.mobility();
        if mv == PASS {
            squares == 0 && self.opponent_can_move()
        } else {
            squares & target(mv) != 0
        }
    }

    #[inline]
    fn make(&mut self, mv: Move) -> u64 {
        let flips = bits::flips(self.own, self.opponent, usize::from(mv.0));
        *self = Self {
            own: self.opponent & !flips,
            opponent: self.own | flips | target(mv),
            side: self.side.other(),
        };
        flips
    }

    #[inline]
    fn unmake(&mut self, mv: Move, flips: u64) {
        *self = Self {
            own: self.opponent & !(flips | target(mv)),
            opponent: self.own | flips,
            side: self.side.other(),
        };
    }

    /// The same as a real pass, in any position.
    fn make_null(&mut self) -> Option<u64> {
        Some(self.make(PASS))
    }

    fn unmake_null(&mut self, undo: u64) {
        self.unmake(PASS, undo);
    }

    /// The side with more discs wins; empty squares do not affect the winner.
    fn verdict_without_moves(&self) -> Verdict {
        match self.disc_difference(Side::First).cmp(&0) {
            Ordering::Greater => Verdict::win(Side::First, Cause::Counted),
            Ordering::Equal => Verdict::draw(Cause::Counted),
            Ordering::Less => Verdict::win(Side::Second, Cause::Counted),
        }
    }

    fn margin(&self, side: Side, rules: OthelloRules) -> Option<i32> {
        (self.count_legal_moves() == 0).then(|| self.final_score(side, rules))
    }

    /// Every move puts a disc on the board; passes do not count.
    fn plies_played(&self) -> Option<u32> {
        60_u32.checked_sub(self.empties())
    }

    fn reversible_plies(&self) -> usize {
        0
    }

    fn view(&self, last: Option<Move>) -> Option<View> {
        Some(view::of(self, last))
    }

    fn judge(_line: &Line<Self>, _rules: OthelloRules, _scope: Scope) -> Option<Verdict> {
        None
    }

    /// Reads `d3` or `D3`, and as a pass `pass`, `pa`, `ps` (any case) or `--`.
    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let mv = text::read_move(text).ok_or_else(|| MoveError::Syntax(text.into()))?;
        if self.is_legal(mv) {
            Ok(mv)
        } else {
            Err(MoveError::Illegal(text.into()))
        }
    }

    fn move_text(mv: Move) -> String {
        text::write_move(mv)
    }
}
