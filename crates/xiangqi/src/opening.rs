//! A line of an opening file with moves: `h2e2h9g7 central-cannon 12`.

use super::Xiangqi;
use leitai_game::{Line, MoveError, Position};

/// Number of letters of a move: file and rank of two squares.
const LETTERS: usize = 4;

/// Returns whether a word is intended as moves, legal or not: it begins with a file and a rank.
fn looks_like_moves(word: &str) -> bool {
    let mut letters = word.bytes();
    letters
        .next()
        .is_some_and(|it| matches!(it, b'a'..=b'i' | b'A'..=b'I'))
        && letters.next().is_some_and(|it| it.is_ascii_digit())
}

/// The moves at the beginning of the line, played from the usual start, and the name of the
/// opening: the words behind the moves up to the first number, or else the moves themselves.
/// Further columns are ignored. `None` if the line does not begin with a square.
pub(super) fn read_opening(text: &str) -> Option<Result<(Line<Xiangqi>, String), String>> {
    let text = text.split('#').next().unwrap_or_default();
    // Not a board in FEN, which may begin like a square: `a8/…`.
    let first = text.split_whitespace().next()?;
    if !looks_like_moves(first) || first.contains('/') {
        return None;
    }
    let mut words = text.split_whitespace().peekable();
    let mut line = Line::new(Xiangqi::initial());
    while let Some(word) = words.next_if(|word| looks_like_moves(word)) {
        if let Err(reason) = play(&mut line, word) {
            return Some(Err(reason));
        }
    }
    let name: Vec<&str> = words
        .take_while(|word| word.parse::<f64>().is_err())
        .collect();
    let name = if name.is_empty() {
        line.moves().map(Xiangqi::move_text).collect()
    } else {
        name.join(" ")
    };
    Some(Ok((line, name)))
}

/// Plays the concatenated moves of a word.
fn play(line: &mut Line<Xiangqi>, word: &str) -> Result<(), String> {
    let mut rest = word;
    while !rest.is_empty() {
        let ply = line.len() + 1;
        let (mv, behind) = rest
            .split_at_checked(LETTERS)
            .ok_or_else(|| format!("`{rest}` is not a move, at ply {ply}"))?;
        let mv = line
            .position()
            .parse_move(&mv.to_ascii_lowercase())
            .map_err(|error: MoveError| format!("{error}, at ply {ply}"))?;
        line.play(mv);
        rest = behind;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(line: &str) -> Option<Result<(String, String), String>> {
        let read = read_opening(line)?;
        Some(read.map(|(line, name)| (line.position().to_fen(), name)))
    }

    #[test]
    fn moves_may_stand_together_and_carry_a_name() {
        let mut line = Line::new(Xiangqi::initial());
        for text in ["h2e2", "h9g7", "h0g2"] {
            let mv = line.position().parse_move(text).unwrap();
            line.play(mv);
        }
        let fen = line.position().to_fen();
        for (text, name) in [
            ("h2e2h9g7h0g2", "h2e2h9g7h0g2"),
            ("h2e2 h9g7 h0g2 -12", "h2e2h9g7h0g2"),
            ("H2E2H9G7H0G2 central cannon 12 x # y", "central cannon"),
        ] {
            assert_eq!(read(text), Some(Ok((fen.clone(), name.into()))), "{text}");
        }
    }

    #[test]
    fn moves_are_no_names() {
        for (text, message) in [
            ("h2e2h9", "`h9` is not a move, at ply 2"),
            ("h2e2h2e2", "`h2e2` is not legal here, at ply 2"),
            ("h2e2 i0x9", "`i0x9` is not a move, at ply 2"),
        ] {
            assert_eq!(read(text), Some(Err(message.to_owned())), "{text}");
        }
        let board = Xiangqi::initial().to_fen();
        let other = "a3k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1";
        for text in ["", "rubbish", "# h2e2", other, &board] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_line_makes_the_reader_panic(line in "([a-i][0-9]|[ #é]|\\PC){0,40}") {
            let _ = read_opening(&line);
        }
    }
}
