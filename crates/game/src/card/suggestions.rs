//! Suggestions for words that are no legal moves.

use crate::{Move, MoveError, Position, legal_moves};

/// Maximum number of moves in a message.
const PROPOSED: usize = 6;

/// The legal move that a word of movetext denotes, for a game with several notations: `notations`
/// names the game and them, such as `Chess (SAN, UCI)`.
///
/// # Errors
/// The word is no legal move; the message quotes the word.
pub fn move_of_word<P: Position>(
    position: &P,
    word: &str,
    notations: &str,
) -> Result<Vec<Move>, String> {
    let read = position.parse_move(word);
    read.map(|mv| vec![mv]).map_err(|error| match error {
        MoveError::Syntax(text) => format!("`{text}` is a move in no notation of {notations}"),
        error => error.to_string(),
    })
}

/// The legal moves, written by `write`.
pub fn legal_texts<P: Position>(position: &P, write: impl Fn(Move) -> String) -> Vec<String> {
    legal_moves(position).into_iter().map(write).collect()
}

/// The legal moves most similar to `word`, with the position in which they are legal.
pub fn proposal<P: Position>(position: &P, word: &str, legal: &[String], how: &str) -> String {
    if legal.is_empty() {
        return "the game is over there: no move is legal".to_owned();
    }
    // The first 16 letters are enough to compare, even for a very long word.
    let word: String = word.chars().take(16).collect::<String>().to_lowercase();
    let mut near: Vec<_> = legal
        .iter()
        .map(|text| {
            let lower = text.to_lowercase();
            let same = lower.chars().zip(word.chars());
            let same = same.take_while(|(one, other)| one == other).count();
            let far = strsim::damerau_levenshtein(&lower, &word);
            // The start square weighs more than the target.
            (far as i64 - same as i64, text)
        })
        .collect();
    near.sort();
    let shown: Vec<_> = near
        .iter()
        .take(PROPOSED)
        .map(|(_, text)| format!("`{text}`"))
        .collect();
    let more = if legal.len() > PROPOSED { ", …" } else { "" };
    let side = P::SIDE_NAMES[position.side_to_move().index()];
    format!(
        "{side} is to move at {}; legal ({how}): {}{more}",
        position.to_fen(),
        shown.join(", ")
    )
}
