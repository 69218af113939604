//! The trait that every game implements, and the small types it speaks in.

use std::fmt;

use arrayvec::ArrayVec;
use thiserror::Error;

use super::perft::count_by_lists;
use super::{Line, Verdict, View};
use leitai_base::foreign::{Foreign, excerpt, shown};
use leitai_base::settings::Settings;

/// One of the two players: `First` moves first from the usual starting
/// position (Red in Xiangqi, Black in Othello, whoever attacks in Go, where an opening
/// may have either side to move).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The side that opens the game.
    First,
    /// The side that answers.
    Second,
}

impl Side {
    /// Both sides, in order.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 0 for `First`, 1 for `Second`.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// A move in 16 bits whose meaning belongs to the game (Xiangqi: origin and
/// target square; Othello: a square or the pass). Within one position a value
/// names at most one move.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub struct Move(pub u16);

impl Move {
    /// No move at all: what a [`Line`] notes where a side let the other move
    /// twice. It is never legal, in any game.
    pub const NULL: Move = Move(u16::MAX);
}

/// Keys of at most as many images as a square board has, with the colours as they are and
/// swapped.
pub type ImageKeys = ArrayVec<u64, 16>;

/// A word of a list of moves without the number of a move and the dots behind that: `e4` of
/// `1.e4`, nothing of `12...`.
pub fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let bare = rest.trim_start_matches('.');
    if bare.len() < rest.len() { bare } else { word }
}

/// The most moves that one position of any of our games can have, with room
/// to spare (Xiangqi stays below 120, Othello below 34, Go has 361 points and
/// a pass). Lists of them live on the stack and are never filled beforehand, so
/// that games with few moves do not pay for those with many.
pub(crate) const MAX_MOVES: usize = 368;

/// The legal moves of one position, on the stack.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// A position text that cannot be read or is not legal.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{} in `{}`", shown(reason), excerpt(text.raw(), 200))]
pub struct PositionError {
    /// The text as given.
    pub text: Foreign,
    /// What is wrong with it, as a lowercase fragment.
    pub reason: String,
    /// The board, if the text says what stands where and that may not be.
    pub board: Option<Box<View>>,
}

impl PositionError {
    /// An error about `text` for `reason`.
    pub fn new(text: &str, reason: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            reason: reason.into(),
            board: None,
        }
    }

    /// The same with the board that the text describes.
    #[must_use]
    pub fn showing(self, board: Option<View>) -> Self {
        let board = board.map(Box::new);
        Self { board, ..self }
    }
}

/// A move text that cannot be read, or is not legal in the position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveError {
    /// The text is not a move in any notation of the game.
    #[error("`{0}` is not a move")]
    Syntax(Foreign),
    /// The text is a move, but not a legal one here.
    #[error("`{0}` is not legal here")]
    Illegal(Foreign),
    /// The text fits several legal moves.
    #[error("`{0}` fits several legal moves")]
    Ambiguous(Foreign),
}

/// Where a referee looks from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// A game: a repetition counts when the position stands for the third
    /// time.
    Game,
    /// Inside a search whose root is the line's position after `root` moves:
    /// a position that repeats one *after* the root counts at once, for
    /// whoever could repeat it once could repeat it again.
    Search {
        /// Number of moves of the line that were played before the search.
        root: usize,
    },
}

/// A position of a two-player game of perfect information, together with the
/// rules that need no history.
///
/// Implementations keep the hash key incrementally. Everything here is total:
/// no method panics on a legal position and a legal move.
pub trait Position: Clone + fmt::Debug + PartialEq + Send + Sync + 'static {
    /// The name used in configs and on the command line.
    const NAME: &'static str;
    /// What the players are called, first mover first.
    const SIDE_NAMES: [&'static str; 2];
    /// Whether perft counts a finished game as one leaf at its own depth
    /// (Othello's published tables do, Xiangqi's do not).
    const PERFT_COUNTS_FINISHED: bool = false;

    /// What [`unmake`](Position::unmake) needs to restore the position.
    /// It may be a whole position.
    type Undo: Clone + fmt::Debug + Send + Sync;
    /// The rules that can be chosen: which history ends a game, how a finished
    /// one is counted.
    type Rules: Settings + Copy + fmt::Debug + PartialEq + Default + Send + Sync + 'static;

    /// The usual starting position.
    fn initial() -> Self;

    /// Reads a position.
    ///
    /// # Errors
    /// Text that is not a position of this game, or one that the rules forbid.
    fn from_fen(text: &str) -> Result<Self, PositionError>;

    /// Reads a line of an opening file that tells moves from the usual start in
    /// place of a position: these moves and the name of where they lead. `None` if
    /// `text` is no such line, or the game has none.
    ///
    /// # Errors
    /// A move that is not legal, with its ply.
    fn from_opening(_text: &str) -> Option<Result<(Line<Self>, String), String>> {
        None
    }

    /// Writes the position so that [`from_fen`](Position::from_fen) reads it
    /// back equal.
    fn to_fen(&self) -> String;

    /// Moves that lead here from the usual starting position, if they are found in a
    /// moment: for programs that can be told moves and no positions. Other moves may
    /// lead here as well.
    fn moves_from_initial(&self) -> Option<Vec<Move>> {
        (*self == Self::initial()).then(Vec::new)
    }

    /// Whose turn it is.
    fn side_to_move(&self) -> Side;

    /// A 64-bit hash of everything that decides which moves are possible:
    /// the board and the side to move, not the move counters.
    fn key(&self) -> u64;

    /// The keys of all positions that play the same up to a symmetry of the game, this
    /// one first: the images of an image are the same in another order.
    fn image_keys(&self) -> ImageKeys {
        [self.key()].into_iter().collect()
    }

    /// The smallest of [`Self::image_keys`]: equal for two openings that are the same up to
    /// symmetry.
    fn symmetric_key(&self) -> u64 {
        let keys = self.image_keys();
        keys.into_iter().fold(self.key(), u64::min)
    }

    /// A key by which games that come to the same position are found, of every
    /// position of every game: the symmetric one, unless that takes long.
    fn meeting_key(&self) -> u64 {
        self.symmetric_key()
    }

    /// Recomputes from the board all that is kept incrementally and compares.
    ///
    /// # Errors
    /// Names the first field that differs.
    fn check_integrity(&self) -> Result<(), String> {
        Ok(())
    }

    /// Appends all legal moves to `moves`, in an order that depends on the
    /// position alone. None when the game is over on the board; a forced pass
    /// is a move.
    fn legal_moves(&self, moves: &mut MoveList);

    /// How many legal moves there are.
    fn count_legal_moves(&self) -> usize {
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        moves.len()
    }

    /// Number of leaves `depth` plies below the position, by legality alone; a game
    /// that is over before counts as `finished`. A game whose moves are faster
    /// played than listed does so here.
    fn count_leaves(&mut self, depth: u32, finished: u64) -> u64 {
        count_by_lists(self, depth, finished)
    }

    /// Whether `mv`, any 16 bits, is a legal move here.
    fn is_legal(&self, mv: Move) -> bool {
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        moves.contains(&mv)
    }

    /// Plays a legal move.
    fn make(&mut self, mv: Move) -> Self::Undo;

    /// Takes back the move that was played last.
    fn unmake(&mut self, mv: Move, undo: Self::Undo);

    /// Gives the turn to the other side without a move, as a search does to see
    /// how much a move is worth. `None`, and nothing has changed, in check and wherever
    /// else the game has no such thing; the default never has.
    ///
    /// Of the key, only the side changes. No repetition is found across it:
    /// [`reversible_plies`](Position::reversible_plies) starts again from 0.
    /// The move number goes on as after a move, the move limit stands still.
    fn make_null(&mut self) -> Option<Self::Undo> {
        None
    }

    /// Takes back a [`make_null`](Position::make_null) that was made.
    fn unmake_null(&mut self, _undo: Self::Undo) {}

    /// Whether the side to move stands in check; false in games without it.
    fn in_check(&self) -> bool {
        false
    }

    /// How the game ended if the side to move has no legal move.
    /// Call it only then.
    fn verdict_without_moves(&self) -> Verdict;

    /// Whether the position is drawn as it stands, whatever is played: no use as
    /// an opening.
    fn is_dead(&self) -> bool {
        false
    }

    /// By how much a game that is over on the board is won for `side`, in the
    /// points of the game (Othello: discs), negative if lost; `None` before, and
    /// in games where a win is a win.
    fn margin(&self, _side: Side, _rules: Self::Rules) -> Option<i32> {
        None
    }

    /// How many of the last moves could be part of a repetition, that is, the
    /// number of moves since the last one that cannot be taken back by play, or
    /// since the last null move.
    fn reversible_plies(&self) -> usize {
        0
    }

    /// The number of the move that is next, as the text of the position counts moves: one
    /// for both sides, from 1. `None` where texts do not count them.
    fn move_number(&self) -> Option<u32> {
        None
    }

    /// Plies from the usual start to the position, as far as its text tells. `None` where
    /// texts do not.
    fn plies_played(&self) -> Option<u32> {
        let moves = self.move_number()?.saturating_sub(1);
        Some(2 * moves + u32::from(self.side_to_move() == Side::Second))
    }

    /// Whether `side` could still win by some series of legal moves, helpmates included:
    /// a player whose time has run out loses only against an opponent that could.
    fn can_win(&self, _side: Side) -> bool {
        true
    }

    /// What the board shows; `last` is the move that led here, to be marked. Without it
    /// the game has no picture: its text need not be a grid that could be shown in its
    /// place.
    fn view(&self, _last: Option<Move>) -> Option<View> {
        None
    }

    /// Judges the line by the rules that need its history (repetition, move
    /// limit, bare material), not by the absence of moves.
    fn judge(line: &Line<Self>, rules: Self::Rules, scope: Scope) -> Option<Verdict> {
        let _ = (line, rules, scope);
        None
    }

    /// Reads a move in any notation of the game and checks that it is legal.
    ///
    /// # Errors
    /// The text is no move, not legal here, or ambiguous.
    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        let found = moves.into_iter().find(|&mv| Self::move_text(mv) == text);
        found.ok_or_else(|| MoveError::Illegal(text.into()))
    }

    /// The move in Leitai's coordinate form (`h2e2`, `d3`, `pass`).
    fn move_text(mv: Move) -> String;
}
