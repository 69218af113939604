//! The trait that every game implements, and its small types.

use std::fmt;
use std::ops::Deref;

use arrayvec::ArrayVec;
use thiserror::Error;

use super::perft::count_by_lists;
use super::{Line, MoveBuffer, Side, Verdict, View, legal_moves};
use leitai_base::foreign::{Foreign, excerpt, shown};
use leitai_base::settings::Settings;

/// A move in 16 bits, with a meaning defined by the game (Xiangqi: start and target square;
/// Othello: a square or the pass). Within one position a value identifies at most one move.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub struct Move(pub u16);

impl Move {
    /// A null move: the entry of a [`Line`] when a side lets the other move twice. It is never
    /// legal, in any game.
    pub const NULL: Move = Move(u16::MAX);
}

/// Keys of at most 16 images: as many as a square board has, including those with swapped colours.
/// It is a slice of keys, collected from an iterator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImageKeys(ArrayVec<u64, 16>);

impl Deref for ImageKeys {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        &self.0
    }
}

impl Extend<u64> for ImageKeys {
    fn extend<I: IntoIterator<Item = u64>>(&mut self, keys: I) {
        self.0.extend(keys);
    }
}

impl FromIterator<u64> for ImageKeys {
    /// # Panics
    /// There are more than 16 keys.
    fn from_iter<I: IntoIterator<Item = u64>>(keys: I) -> Self {
        Self(keys.into_iter().collect())
    }
}

impl IntoIterator for ImageKeys {
    type Item = u64;
    type IntoIter = arrayvec::IntoIter<u64, 16>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// A word of a list of moves without the move number and its dots: `e4` for `1.e4`, empty for
/// `12...`.
pub fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let bare = rest.trim_start_matches('.');
    if bare.len() < rest.len() { bare } else { word }
}

/// Returns whether a word is a move from square to square with the sign of a promotion, such as
/// `8h2b+`. Behind other words of movetext `+` is the mark of a check.
#[doc(hidden)]
pub fn has_promotion_sign(word: &str) -> bool {
    let is_square = |file: u8, rank: u8| file.is_ascii_digit() && rank.is_ascii_lowercase();
    matches!(word.as_bytes(), &[file, rank, to_file, to_rank, b'+']
        if is_square(file, rank) && is_square(to_file, to_rank))
}

/// Checks the words behind the moves of a line: names, scores and similar columns.
///
/// # Errors
/// One of them is built like a move, legal or not, or is one by `is_move`: a typing error must not
/// cut the line short. The message quotes the first word.
pub fn check_columns(columns: &[&str], is_move: impl Fn(&str) -> bool) -> Result<(), String> {
    let is_like_one = |word: &&&str| {
        let word = without_number(word);
        is_built_like_a_move(word) || is_move(word)
    };
    let (Some(first), Some(like)) = (columns.first(), columns.iter().find(is_like_one)) else {
        return Ok(());
    };
    let behind = if first == like {
        String::new()
    } else {
        format!(", and behind it `{}` is built like one", shown(like))
    };
    Err(format!(
        "`{}` is no move{behind}; write comments behind `#`",
        shown(first)
    ))
}

/// Returns whether a word consists of files with ranks, or of a piece with a square, as `z9`, `O4`,
/// `F-4`, `hOg2`, `e7e9q` and `Nf33`; a code such as `B20` or `ot-12` is none.
fn is_built_like_a_move(word: &str) -> bool {
    let kind = |(place, letter): (usize, char)| match letter {
        '0'..='9' => '1',
        'O' if place > 0 => '1',
        'a'..='z' | 'A'..='Z' => 'a',
        other => other,
    };
    let kinds: String = word
        .chars()
        .take(LONGEST_LINE)
        .enumerate()
        .map(kind)
        .collect();
    let is_square = |part: &str| !part.is_empty() && part.trim_start_matches("a1").is_empty();
    word.contains(|letter: char| letter.is_ascii_digit())
        && (kinds.split('-').all(is_square)
            || is_square(kinds.trim_end_matches('a'))
            || ["a-1", "aa1", "aa11", "a11a1", "a1a11", "a11a11"].contains(&kinds.as_str()))
}

/// Most letters of a word of moves.
const LONGEST_LINE: usize = 1 << 10;

/// The rows of a board from the top as in a FEN, given the letters of their squares (`None` for an
/// empty one): separated by `/`, with the lengths of runs of empty squares.
pub fn fen_rows<R>(rows: impl IntoIterator<Item = R>) -> String
where
    R: IntoIterator<Item = Option<char>>,
{
    let mut text = String::with_capacity(80);
    for row in rows {
        if !text.is_empty() {
            text.push('/');
        }
        let mut empty = 0_u8;
        for letter in row.into_iter().map(Some).chain([None]) {
            // A run ends at a piece and at the end of the row.
            if letter == Some(None) {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text.push(char::from(b'0' + empty));
                empty = 0;
            }
            text.extend(letter.flatten());
        }
    }
    text
}

/// A position text that cannot be read or is not legal.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{} in `{}`", shown(reason), excerpt(text.raw(), 200))]
pub struct PositionError {
    /// The text as given.
    pub text: Foreign,
    /// The reason, as a lowercase fragment.
    pub reason: String,
    /// The board, if the text describes one that is not legal.
    pub board: Option<Box<View>>,
}

impl PositionError {
    /// An error about `text` with this reason.
    pub fn new(text: &str, reason: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            reason: reason.into(),
            board: None,
        }
    }

    /// Adds the board that the text describes.
    #[must_use]
    pub fn showing(self, board: Option<View>) -> Self {
        let board = board.map(Box::new);
        Self { board, ..self }
    }
}

/// A move text that cannot be read, or is not legal in the position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
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

/// The scope in which a referee judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// A game: a repetition counts at the third occurrence of the position.
    Game,
    /// A search whose root is the line's position after `root` moves: the first repetition of a
    /// position *after* the root counts at once, because a side that can repeat it once can repeat
    /// it again.
    Search {
        /// Number of moves of the line before the search.
        root: usize,
    },
}

/// A position of a two-player game of perfect information, with the rules that need no history.
///
/// Implementations keep the hash key incrementally. All methods are total: none panics on a legal
/// position and a legal move.
pub trait Position: Clone + fmt::Debug + PartialEq + Send + Sync + 'static {
    /// The name used in configs and on the command line.
    const NAME: &'static str;
    /// Names of the players, first mover first.
    const SIDE_NAMES: [&'static str; 2];
    /// True if perft counts a finished game as one leaf at its own depth (Othello's published
    /// tables do, Xiangqi's do not).
    const PERFT_COUNTS_FINISHED: bool = false;

    /// The data that [`unmake`](Position::unmake) needs to restore the position. It may be a whole
    /// position.
    type Undo: Clone + fmt::Debug + Send + Sync;
    /// The list of moves, with room for those of any position: `MoveList` holds 384, `MoveList<N>`
    /// any number, such as `MoveList<700>`.
    type Moves: MoveBuffer;

    /// The configurable rules: the kinds of history that end a game, and the scoring of a finished
    /// one.
    type Rules: Settings + Copy + fmt::Debug + PartialEq + Default + Send + Sync + 'static;

    /// The usual starting position.
    fn initial() -> Self;

    /// Reads a position.
    ///
    /// # Errors
    /// The text is not a position of this game, or the rules forbid the position.
    fn from_fen(text: &str) -> Result<Self, PositionError>;

    /// Reads a line of an opening file that has moves from the usual start instead of a position:
    /// the moves and the name of the opening. `None` for other lines. The default reads
    /// `[startpos moves] M... [#NAME]`; without `#` the line is the name.
    ///
    /// # Errors
    /// A move is not legal; the message has its ply.
    fn from_opening(text: &str) -> Option<Result<(Line<Self>, String), String>> {
        line_of_moves(text)
    }

    /// The [symmetric key](Self::symmetric_key) of the position that a line of an opening file
    /// describes, from its text alone, without checking that the rules allow the position: books
    /// have millions of lines. `None` if the line must be parsed.
    /// Games whose [`meeting_key`](Self::meeting_key) is another have no such key.
    fn text_key(_text: &str) -> Option<u64> {
        None
    }

    /// Writes the position in a form that [`from_fen`](Position::from_fen) reads back as an equal
    /// one.
    fn to_fen(&self) -> String;

    /// A sequence of moves from the usual start to this position, if it is found quickly: for
    /// programs that accept moves but no positions. Other sequences may lead here too.
    fn moves_from_initial(&self) -> Option<Vec<Move>> {
        (*self == Self::initial()).then(Vec::new)
    }

    /// The side to move.
    fn side_to_move(&self) -> Side;

    /// A 64-bit hash of all data that affects the legal moves: the board and the side to move, but
    /// not the move counters.
    fn key(&self) -> u64;

    /// The keys of all positions that are equivalent by a symmetry of the game, this one first. An
    /// image has the same keys in another order.
    fn image_keys(&self) -> ImageKeys {
        ImageKeys::from_iter([self.key()])
    }

    /// The smallest of [`Self::image_keys`]: equal for two openings that are equivalent by
    /// symmetry.
    fn symmetric_key(&self) -> u64 {
        self.image_keys().into_iter().fold(self.key(), u64::min)
    }

    /// A key for detecting games that reach the same position, in any position of the game: the
    /// symmetric key, unless it is slow to compute.
    fn meeting_key(&self) -> u64 {
        self.symmetric_key()
    }

    /// Recomputes all incremental data from the board and compares.
    ///
    /// # Errors
    /// The message names the first field that differs.
    fn check_integrity(&self) -> Result<(), String> {
        Ok(())
    }

    /// Appends all legal moves to `moves`, in an order that depends only on the position. Appends
    /// none if the game is over on the board; a forced pass is a move.
    fn legal_moves(&self, moves: &mut Self::Moves);

    /// The number of legal moves.
    fn count_legal_moves(&self) -> usize {
        legal_moves(self).len()
    }

    /// Returns whether there is a legal move. Games that find one faster than all override this
    /// method.
    fn has_legal_move(&self) -> bool {
        self.count_legal_moves() > 0
    }

    /// Number of leaves `depth` plies below the position, by legality alone; a game that is over
    /// earlier counts as `finished`. Games that can count moves faster than list them override this
    /// method.
    fn count_leaves(&mut self, depth: u32, finished: u64) -> u64 {
        count_by_lists(self, depth, finished)
    }

    /// Returns whether `mv`, any 16 bits, is a legal move here.
    fn is_legal(&self, mv: Move) -> bool {
        legal_moves(self).contains(&mv)
    }

    /// Plays a legal move.
    fn make(&mut self, mv: Move) -> Self::Undo;

    /// Undoes the last move.
    fn unmake(&mut self, mv: Move, undo: Self::Undo);

    /// Gives the turn to the other side without a move, as a search does for a null move. Returns
    /// `None`, without a change, in check and in all other cases where the game has no null move;
    /// the default never has one.
    ///
    /// In the key only the side changes. No repetition spans a null move:
    /// [`reversible_plies`](Position::reversible_plies) restarts from 0. The move number increases
    /// as after a move, and the counter of the move limit does not.
    fn make_null(&mut self) -> Option<Self::Undo> {
        None
    }

    /// Undoes a successful [`make_null`](Position::make_null).
    fn unmake_null(&mut self, _undo: Self::Undo) {}

    /// Returns whether the side to move is in check; false in games without check.
    fn in_check(&self) -> bool {
        false
    }

    /// The result of the game if the side to move has no legal move. Only valid in that case.
    fn verdict_without_moves(&self) -> Verdict;

    /// Returns whether every continuation is a draw, which makes the position useless as an
    /// opening.
    fn is_dead(&self) -> bool {
        false
    }

    /// The margin by which `side` wins a game that is over on the board, in the points of the game
    /// (Othello: discs), negative if `side` loses; `None` before the end, and in games without
    /// margins.
    fn margin(&self, _side: Side, _rules: Self::Rules) -> Option<i32> {
        None
    }

    /// The number of last moves that could be part of a repetition: the moves since the last one
    /// that play cannot reverse, or since the last null move; `usize::MAX` in a game without null
    /// moves in which every move can be reversed.
    fn reversible_plies(&self) -> usize {
        0
    }

    /// The number of the next move, as counted in the text of the position: one number for both
    /// sides, from 1. `None` if texts do not count moves.
    fn move_number(&self) -> Option<u32> {
        None
    }

    /// Plies from the usual start to the position, according to its text. `None` if texts do not
    /// count them.
    fn plies_played(&self) -> Option<u32> {
        let moves = self.move_number()?.saturating_sub(1);
        Some(2 * moves + u32::from(self.side_to_move() == Side::Second))
    }

    /// Returns whether `side` could still win by a series of legal moves, including helpmates: a
    /// player who runs out of time loses only to such an opponent.
    fn can_win(&self, _side: Side) -> bool {
        true
    }

    /// The board for display; `last` is the move that led here, to be marked. By default the game
    /// has no picture, because its text need not be a grid that could replace one.
    fn view(&self, _last: Option<Move>) -> Option<View> {
        None
    }

    /// Judges the line by the rules that need its history (repetition, move limit, bare material),
    /// not by the absence of moves.
    fn judge(line: &Line<Self>, rules: Self::Rules, scope: Scope) -> Option<Verdict> {
        let _ = (line, rules, scope);
        None
    }

    /// Reads a move in any notation of the game and checks that it is legal.
    ///
    /// # Errors
    /// The text is no move, not legal here, or ambiguous.
    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let mut moves = legal_moves(self).into_iter();
        let found = moves.find(|&mv| Self::move_text(mv) == text);
        found.ok_or_else(|| MoveError::Illegal(text.into()))
    }

    /// The move in Leitai's coordinate form (`h2e2`, `d3`, `pass`).
    fn move_text(mv: Move) -> String;
}
/// Reads `[startpos moves] M... [#NAME]`; `None` without moves, or if there is no `startpos moves` and
/// the first word is not a legal move.
fn line_of_moves<P: Position>(text: &str) -> Option<Result<(Line<P>, String), String>> {
    let (moves, name) = text.split_once('#').unwrap_or((text, text));
    let rest = moves.trim().strip_prefix("startpos moves ");
    let mut line = Line::new(P::initial());
    for word in rest.unwrap_or(moves).split_whitespace() {
        match line.position().parse_move(word) {
            Ok(mv) => line.play(mv),
            Err(_) if line.is_empty() && rest.is_none() => return None,
            Err(error) => return Some(Err(format!("{error}, at ply {}", line.len() + 1))),
        }
    }
    (!line.is_empty()).then(|| Ok((line, name.trim().to_owned())))
}
