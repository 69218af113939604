//! A line of an opening file with moves: `f5d6c3d3 Tiger -0.5`.

use super::transcript::{is_transcript, read_transcript, write_transcript};
use super::{Othello, text};
use leitai_game::{Line, Position, check_columns, without_number};

/// Returns whether a letter separates the columns of a line.
fn is_separator(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, ',' | ';')
}

/// Returns whether a word begins like a move, legal or not, so that an illegal move is not read as
/// a name.
fn looks_like_moves(word: &str) -> bool {
    let mut letters = word.chars();
    let file = letters
        .next()
        .is_some_and(|it| matches!(it, 'a'..='h' | 'A'..='H'));
    let row = letters.next().is_some_and(|it| it.is_ascii_digit());
    (file && row) || text::read_move(word).is_some()
}

/// The moves at the beginning of a line, with a blank behind each word, and the words behind them;
/// `None` if the line does not begin like a move.
pub fn split_moves(line: &str) -> Option<(String, Vec<&str>)> {
    // Moves may have numbers: `1. F5 f4 2. F3`, `1.F5`.
    let words = line.split(is_separator).map(without_number);
    let mut words = words.filter(|word| !word.is_empty()).peekable();
    words.peek().filter(|word| looks_like_moves(word))?;
    let mut moves = String::new();
    while let Some(word) = words.next_if(|word| looks_like_moves(word)) {
        moves.push_str(word);
        moves.push(' ');
    }
    Some((moves, words.collect()))
}

/// The moves at the beginning of the line, played from the usual start, and the name of the
/// opening: the words behind the moves up to the first number, or else the moves themselves.
/// Further columns, such as scores, are ignored. `None` if the line does not begin like a move.
pub(super) fn read_opening(line: &str) -> Option<Result<(Line<Othello>, String), String>> {
    let line = line.split('#').next().unwrap_or_default();
    let (moves, columns) = split_moves(line)?;
    let name: Vec<&str> = columns
        .iter()
        .copied()
        .take_while(|word| word.parse::<f64>().is_err())
        .collect();
    let read = read_transcript(&Othello::initial(), &moves).map_err(|error| error.to_string());
    Some(
        match read.and_then(|line| check_columns(&columns, is_transcript).map(|()| line)) {
            Ok(line) if name.is_empty() => {
                let name = write_transcript(&line);
                Ok((line, name))
            }
            Ok(line) => Ok((line, name.join(" "))),
            Err(problem) => Err(problem),
        },
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(line: &str) -> Option<Result<(String, String), String>> {
        let read = read_opening(line)?;
        Some(read.map(|(line, name)| (line.position().to_fen(), name)))
    }

    fn after(moves: &str) -> String {
        let line = read_transcript(&Othello::initial(), moves).unwrap();
        line.position().to_fen()
    }

    #[test]
    fn columns_behind_the_moves_are_a_name_and_scores() {
        for (line, moves, name) in [
            ("f5d6c3", "f5d6c3", "f5d6c3"),
            ("F5 D6 C3 -1.43 -1.48", "f5d6c3", "f5d6c3"),
            ("f5d6c3 ot-001 -1.43", "f5d6c3", "ot-001"),
            ("F5D6c3,Tiger,-0.5", "f5d6c3", "Tiger"),
            (
                "f5d6 c3;  Rose v. Birth +2 x # y",
                "f5d6c3",
                "Rose v. Birth",
            ),
            ("f5d6c3 # nothing", "f5d6c3", "f5d6c3"),
        ] {
            let expected = Some(Ok((after(moves), name.to_owned())));
            assert_eq!(read(line), expected, "{line}");
        }
    }

    #[test]
    fn moves_are_no_names() {
        for (line, message) in [
            ("f5d6c9", "neither a square nor a pass at ply 3: `c9`"),
            ("f5d6 c0 -1.4", "neither a square nor a pass at ply 3: `c0`"),
            ("f5d6 a1", "black turns no disc there at ply 3: `a1`"),
            (
                "f5 pass",
                "white has moves and may not pass at ply 2: `pass`",
            ),
            (
                "f5 d6 c3 @@ d3 c4",
                "`@@` is no move, and behind it `d3` is built like one; write comments behind `#`",
            ),
            ("f5d6 z9", "`z9` is no move; write comments behind `#`"),
            ("f5d6 O4", "`O4` is no move; write comments behind `#`"),
            ("f5d6 F-4", "`F-4` is no move; write comments behind `#`"),
            ("f5d6 z9f4", "`z9f4` is no move; write comments behind `#`"),
            (
                "f5d6 -1.5 x c3",
                "`-1.5` is no move, and behind it `c3` is built like one; write comments behind `#`",
            ),
        ] {
            assert_eq!(read(line), Some(Err(message.to_owned())), "{line}");
        }
        for line in ["", "rubbish", "X-O", "-1.0", "# f5", "é5"] {
            assert_eq!(read(line), None, "{line}");
        }
    }

    proptest! {
        #[test]
        fn no_line_makes_the_reader_panic(
            line in "([a-h][0-9]|[ ,;#]|ps|--|\\PC){0,40}",
        ) {
            let _ = read_opening(&line);
        }
    }
}
