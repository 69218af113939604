//! Games in PGN, one at a time.
//!
//! [`PgnReader`] finds raw games of any kind: tags, words, a result. [`Game`] is a replayed game:
//! all of its moves are legal.

mod comments;
mod game;
mod lexer;
mod own;
mod plain;
mod raw;
mod reader;
mod result;
mod searched;
mod text;
mod write;

pub use comments::ParsedComment;
pub use game::{Game, ResultDoubt, Unread, UnreadScore, recorded_result};
pub use leitai_game::card::Tags;
pub use own::{BEYOND_TAG, CLUSTER_TAG, GATE, OWN_EVENT, RUN_TAG, event_of, own_tags, round_of};
pub use plain::PgnGame;
pub use raw::RawGame;
pub use reader::{PgnReader, Tally};
pub use result::{half_points, result_text};
pub use searched::MoveComment;
pub use text::pgn_text;
pub use write::{PgnEnding, PgnPlayer, PgnTags, WrittenGame};

use crate::moves::{in_any_dialect, play_word};
use leitai_game::card::AnyPosition;

/// The words of a text without tags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Movetext {
    /// Words that may be moves, in the game's own notation.
    pub moves: Vec<String>,
    /// Words between them that are remarks, such as `mate`.
    pub remarks: Vec<String>,
}

/// Reads a text without tags: numbers, comments and variations are left out, and words of another
/// dialect are rewritten if all of them can be played from `start`.
///
/// # Errors
/// A comment or a variation is not closed.
pub fn movetext(start: &dyn AnyPosition, text: &str) -> Result<Movetext, String> {
    let mut game = RawGame::default();
    let mut lexer = lexer::Lexer::new(text, 1, lexer::TextEnd::Whole);
    let (mut words, mut remarks): (Vec<String>, _) = (Vec::new(), Vec::new());
    while lexer.next(&mut game) {
        if let Some(damage) = game.damage {
            return Err(damage.to_owned());
        }
        for (_, word) in &game.words {
            let is_pass = word.eq_ignore_ascii_case(start.card().facts().pass);
            let is_remark = !is_pass && lexer::is_annotation(word);
            let list = if is_remark { &mut remarks } else { &mut words };
            list.push(game::with_ascii_signs(word).into_owned());
        }
    }
    let own = in_any_dialect(start.card(), |dialect| {
        let mut line = start.card().line(start);
        let rewritten = |word: &String| dialect.and_then(|dialect| dialect(word));
        let own = words
            .iter()
            .map(|word| rewritten(word).unwrap_or_else(|| word.clone()));
        let own: Vec<String> = own.collect();
        let mut played = own.iter().map(|word| play_word(&mut *line, word, None));
        let are_played = played.all(|moves| moves.is_ok_and(|moves| moves > 0));
        if are_played { Ok(own) } else { Err(()) }
    });
    let moves = own.unwrap_or(words);
    Ok(Movetext { moves, remarks })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_text_are_moves_or_reported() {
        let chess = leitai_chess::card().initial();
        for (text, problem) in [("e4 e5 {x Nf3", "a comment"), ("e4 (d4 e5", "a variation")] {
            let error = movetext(&*chess, text).unwrap_err();
            assert!(error.starts_with(problem), "{text}: {error}");
        }
        let read = movetext(
            &*chess,
            "1 e4 e5 {5254 nodes} 2. Nf3 (2. d4 0000) null Nc6 mate",
        )
        .unwrap();
        assert_eq!(read.moves, ["e4", "e5", "Nf3", "Nc6"]);
        assert_eq!(read.remarks, ["null", "mate"]);
        // Digits are moves unless they number them.
        for text in ["5254 5755", "e4 e5 00 00 Nf3", "e4 {a comment} e5 0000"] {
            let words = text.replace("{a comment} ", "");
            let read = movetext(&*chess, text).unwrap();
            assert_eq!(read.moves.join(" "), words);
        }
        let othello = leitai_othello::card().initial();
        let read = movetext(&*othello, "f5 pass d6").unwrap();
        assert_eq!((read.moves.len(), read.remarks.len()), (3, 0));
    }
}
