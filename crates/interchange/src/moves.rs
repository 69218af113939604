//! Words as moves of a line, also in the dialects of other programs.

use leitai_game::card::{AnyLine, Dialect, GameCard};

/// Plays the moves in a word, which `dialect` rewrites first if it can; returns the number of moves.
///
/// # Errors
/// The problem of the word.
pub(crate) fn play_word(
    line: &mut dyn AnyLine,
    word: &str,
    dialect: Option<Dialect>,
) -> Result<usize, String> {
    let own = dialect.and_then(|dialect| dialect(word));
    let moves = line.position().read_word(own.as_deref().unwrap_or(word))?;
    let number = moves.len();
    for mv in moves {
        line.play(mv);
    }
    Ok(number)
}

/// The result of `read` in the game's own notation, or in the first dialect in which it succeeds.
///
/// # Errors
/// The error in the game's own notation.
pub(crate) fn in_any_dialect<T, E>(
    card: &dyn GameCard,
    read: impl Fn(Option<Dialect>) -> Result<T, E>,
) -> Result<T, E> {
    read(None).or_else(|error| {
        let mut others = card.facts().dialects.iter();
        let other = others.find_map(|dialect| read(Some(*dialect)).ok());
        other.ok_or(error)
    })
}
