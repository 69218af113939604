//! What reading a game's movetext asks of the game.

use crate::game::{Move, MoveError, MoveList, Position};
use crate::games::go::Capture;
use crate::games::othello::{self, Othello};
use crate::games::xiangqi::{Notation, Xiangqi};

/// Most moves that a message proposes.
const PROPOSED: usize = 6;

/// A game whose movetext can be read.
pub trait Readable: Position {
    /// The moves that a word of movetext stands for, each legal in its place.
    /// More than one where a forced pass is not written, or a word is a whole
    /// transcript.
    ///
    /// # Errors
    /// The word is no legal move; the message says so with the word in it.
    fn read_word(&self, word: &str) -> Result<Vec<Move>, String>;

    /// The legal move and its score that an operation such as OBF's `H5:+6` tells;
    /// `None` if it is no such operation, or the game has none.
    ///
    /// # Errors
    /// The move is not legal here, or the score no number.
    fn read_scored_move(&self, _operation: &str) -> Option<Result<(Move, f64), String>> {
        None
    }

    /// What could have been meant by a word that is no legal move.
    fn help(&self, word: &str) -> String;
}

impl Readable for Xiangqi {
    fn read_word(&self, word: &str) -> Result<Vec<Move>, String> {
        match self.parse_move(word) {
            Ok(mv) => Ok(vec![mv]),
            Err(MoveError::Syntax(text)) => Err(format!(
                "`{text}` is a move in no notation of Xiangqi (ICCS, WXF, Chinese)"
            )),
            Err(error) => Err(error.to_string()),
        }
    }

    fn help(&self, word: &str) -> String {
        let fitting = self.fitting_moves(word).unwrap_or_default();
        if !fitting.is_empty() {
            let fitting: Vec<_> = fitting.into_iter().map(Self::move_text).collect();
            return format!("it could be {}", fitting.join(" or "));
        }
        if let Some(mv) = from_one(word).filter(|mv| self.parse_move(mv).is_ok()) {
            return format!(
                "counted from rank 1 it would be `{mv}`: coordinates here count from rank 0"
            );
        }
        let notation = Self::likely_notation(word);
        let legal = legal_texts(self, |mv| self.write_move(mv, notation));
        let how = match notation {
            Notation::Iccs | Notation::Uci => "squares from a0 to i9",
            Notation::Wxf => "WXF",
            Notation::Chinese => "Chinese",
        };
        proposal(self, word, &legal, how)
    }
}

impl Readable for Othello {
    fn read_word(&self, word: &str) -> Result<Vec<Move>, String> {
        match othello::read_transcript(self, word) {
            Ok(line) => Ok(line.moves().collect()),
            Err(error) => Err(format!("`{}`: {}", error.text, error.fault)),
        }
    }

    fn read_scored_move(&self, operation: &str) -> Option<Result<(Move, f64), String>> {
        let (word, score) = operation.split_once(':')?;
        let (word, score) = (word.trim(), score.trim());
        let number = score.parse::<f64>().ok().filter(|score| score.is_finite());
        Some(match (self.parse_move(word), number) {
            (Err(error), _) => Err(error.to_string()),
            (_, None) => Err(format!("the score `{score}` of `{word}` is no number")),
            (Ok(mv), Some(score)) => Ok((mv, score)),
        })
    }

    fn help(&self, word: &str) -> String {
        let legal = legal_texts(self, Self::move_text);
        proposal(self, word, &legal, "squares from a1 to h8")
    }
}

impl Readable for Capture {
    fn read_word(&self, word: &str) -> Result<Vec<Move>, String> {
        match self.parse_move(word) {
            Ok(mv) => Ok(vec![mv]),
            Err(error) => Err(error.to_string()),
        }
    }

    fn help(&self, word: &str) -> String {
        let legal = legal_texts(self, Self::move_text);
        proposal(self, word, &legal, "points such as D4, row 1 at the bottom")
    }
}

/// The move of a text whose ranks count from 1 to 10, counted from 0.
fn from_one(text: &str) -> Option<String> {
    let text = text.to_ascii_lowercase().replace('-', "");
    let mut shifted = String::new();
    let mut rest = text.as_str();
    for _ in 0..2 {
        let file = rest.chars().next().filter(|c| ('a'..='i').contains(c))?;
        rest = &rest[1..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let rank: u8 = rest[..digits]
            .parse()
            .ok()
            .filter(|r| (1..=10).contains(r))?;
        rest = &rest[digits..];
        shifted.push(file);
        shifted.push(char::from(b'0' + rank - 1));
    }
    rest.is_empty().then_some(shifted)
}

fn legal_texts<P: Position>(position: &P, write: impl Fn(Move) -> String) -> Vec<String> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves.into_iter().map(write).collect()
}

/// The legal moves that look most like `word`, and where they are legal.
fn proposal<P: Position>(position: &P, word: &str, legal: &[String], how: &str) -> String {
    if legal.is_empty() {
        return "the game is over there: no move is legal".to_owned();
    }
    // A word of a thousand letters is like no move; its beginning tells as much.
    let word: String = word.chars().take(16).collect::<String>().to_lowercase();
    let mut near: Vec<_> = legal
        .iter()
        .map(|text| {
            let lower = text.to_lowercase();
            let same = lower.chars().zip(word.chars());
            let same = same.take_while(|(one, other)| one == other).count();
            let far = strsim::damerau_levenshtein(&lower, &word);
            // Who moves weighs more than where it goes.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proposals_are_like_the_word_and_in_its_notation() {
        let start = Xiangqi::initial();
        for (word, first) in [
            ("C2=8", "legal (WXF): `C2="),
            ("炮二平八", "legal (Chinese): `炮二平"),
            ("h2e3", "legal (squares from a0 to i9): `h2e2`"),
            ("H2-E3", "legal (squares from a0 to i9): `H2-E2`"),
            ("e4", "legal (squares from a0 to i9): `e3e4`"),
        ] {
            let help = start.help(word);
            assert!(help.contains(first), "{word}: {help}");
            assert!(help.contains("is to move at rnbakabnr/"), "{help}");
        }
        assert!(start.help("h3e3").contains("counted from rank 1"), "h3e3");
        assert!(start.help("h10e10").contains("legal"), "black's");
        let twins = "3k5/9/9/2P3P2/2P3P2/9/9/9/9/4K4 w";
        let twins = Xiangqi::from_fen(twins).unwrap();
        let help = twins.help("前兵进一");
        assert!(help.contains("could be") && help.contains("c6c7"), "{help}");
    }

    #[test]
    fn words_of_othello_may_be_several_moves() {
        let start = Othello::initial();
        let moves = start.read_word("F5d6C3").unwrap();
        let moves: Vec<_> = moves.into_iter().map(Othello::move_text).collect();
        assert_eq!(moves, ["f5", "d6", "c3"]);
        assert_eq!(
            start.read_word("a1").unwrap_err(),
            "`a1`: black turns no disc there"
        );
        assert!(start.help("a1").contains("`c4`"), "{}", start.help("a1"));
    }
}
