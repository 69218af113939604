//! A line of an opening file with moves: `h2e2h9g7 central-cannon 12`.

use super::Xiangqi;
use super::notation::san::from_one;
use leitai_game::{Line, Position, check_columns};

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
    let moves = std::iter::from_fn(|| words.next_if(|word| looks_like_moves(word)));
    let moves: Vec<&str> = moves.collect();
    // Ranks may count from 1.
    let line = match play_all(&moves, 0).or_else(|reason| play_all(&moves, 1).map_err(|_| reason)) {
        Ok(line) => line,
        Err(reason) => return Some(Err(reason)),
    };
    let columns: Vec<&str> = words.collect();
    if let Err(problem) = check_columns(&columns, |_| false) {
        return Some(Err(format!("{problem}, at ply {}", line.len() + 1)));
    }
    let name: Vec<&str> = columns
        .into_iter()
        .take_while(|word| word.parse::<f64>().is_err())
        .collect();
    let name = if name.is_empty() {
        line.moves().map(Xiangqi::move_text).collect()
    } else {
        name.join(" ")
    };
    Some(Ok((line, name)))
}

/// Plays words of concatenated moves whose ranks count from `base`.
fn play_all(words: &[&str], base: u8) -> Result<Line<Xiangqi>, String> {
    let mut line = Line::new(Xiangqi::initial());
    for word in words {
        let mut rest = *word;
        while !rest.is_empty() {
            let (mv, behind) = rest.split_at(length(rest, base));
            let no_move = || format!("`{mv}` is not a move, at ply {}", line.len() + 1);
            let own = match base {
                0 if mv.len() == LETTERS => mv.to_ascii_lowercase(),
                0 => return Err(no_move()),
                _ => from_one(mv).ok_or_else(no_move)?,
            };
            let read = line.position().parse_move(&own.to_ascii_lowercase());
            let mv = read.map_err(|error| format!("{error}, at ply {}", line.len() + 1))?;
            line.play(mv);
            rest = behind;
        }
    }
    Ok(line)
}

/// The number of bytes of the move at the beginning of a word: two files with their ranks.
fn length(word: &str, base: u8) -> usize {
    if base == 0 {
        let four = word.char_indices().nth(LETTERS);
        return four.map_or(word.len(), |(end, _)| end);
    }
    let is_file = |(_, letter): &(usize, char)| letter.is_ascii_alphabetic();
    let third = word.char_indices().filter(is_file).nth(2);
    third.map_or(word.len(), |(end, _)| end)
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
    fn typing_errors_do_not_cut_a_line_short() {
        for (text, word) in [
            ("h2e2 h9g7 hOg2 i9h9", "hOg2"),
            ("h2e2 @@ h9g7", "@@"),
            ("h2e2 h9g7 z0g2", "z0g2"),
            ("h2e2h9g7 name -3 h0g2", "name"),
        ] {
            let error = read(text).unwrap().unwrap_err();
            assert!(
                error.starts_with(&format!("`{word}` is no move")),
                "{error}"
            );
        }
        assert!(read("h2e2 h9g7 R20 screen horse 3.5 12").unwrap().is_ok());
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
            ("h3e3h10g8h1g3", "h2e2h9g7h0g2"),
            ("H3E3 H10G8 h1g3 central 12", "central"),
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
