//! Lines of an opening file that consist of moves: `e2e4 e7e5 g1f3 open game`.

use super::board::Chess;
use super::notation::fitting;
use leitai_game::{Line, Position, check_columns, without_number};

/// The moves at the beginning of the line, played from the usual start, and the name of the
/// opening: the words after the moves, or else the moves themselves. Moves are in coordinates or
/// SAN, and move numbers are skipped. `None` if the line does not begin with a move.
pub(super) fn read_opening(text: &str) -> Option<Result<(Line<Chess>, String), String>> {
    let text = text.split('#').next().unwrap_or_default();
    let is_number = |word: &&str| word.trim_end_matches('.').parse::<u32>().is_ok();
    let mut words = text.split_whitespace().peekable();
    words.next_if(is_number);
    // Skips board texts early: books have millions of them.
    let first = words.peek().filter(|word| !word.contains('/'))?;
    let mut line = Line::new(Chess::initial());
    fitting(line.position(), without_number(first))?;
    let mut moves = Vec::new();
    let is_move = |line: &Line<_>, word| fitting(line.position(), without_number(word)).is_some();
    while let Some(word) = words.next_if(|word| is_move(&line, word)) {
        let word = without_number(word);
        match line.position().parse_move(word) {
            Ok(mv) => line.play(mv),
            Err(error) => return Some(Err(format!("{error}, at ply {}", line.len() + 1))),
        }
        moves.push(word);
        words.next_if(is_number);
    }
    let name: Vec<&str> = words.collect();
    let is_move = |word: &str| fitting(line.position(), word).is_some();
    if let Err(problem) = check_columns(&name, is_move) {
        return Some(Err(format!("{problem}, at ply {}", line.len() + 1)));
    }
    let name = if name.is_empty() {
        moves.join(" ")
    } else {
        name.join(" ")
    };
    Some(Ok((line, name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_errors_do_not_cut_a_line_short() {
        for (text, word) in [
            ("1. e4 e5 2. Nf3 zz9 Nc6", "zz9"),
            ("e4 -- e5", "--"),
            ("e4 e5 Nf33", "Nf33"),
            ("e4 e5 {best} 2. Nf3", "{best}"),
            ("e2e4 e7eS g1f3", "e7eS"),
        ] {
            let error = read_opening(text).unwrap().unwrap_err();
            assert!(
                error.starts_with(&format!("`{word}` is no move")),
                "{error}"
            );
        }
        for text in [
            "e4 e5 C20 Open Game 12 +0.3",
            "e4 c5 Sicilian, Najdorf",
            "e4 e5 *",
        ] {
            assert_eq!(read_opening(text).unwrap().unwrap().0.len(), 2, "{text}");
        }
    }

    #[test]
    fn numbers_of_moves_are_left_out() {
        for text in [
            "e4 e5 Nf3 King's knight 2",
            "1. e4 e5 2. Nf3 King's knight 2",
            "1.e4 e5 2.g1f3 King's knight 2",
            "1 e2e4 1...e5 2 Nf3 King's knight 2",
        ] {
            let (line, name) = read_opening(text).unwrap().unwrap();
            assert_eq!((line.len(), &*name), (3, "King's knight 2"), "{text}");
        }
        let (line, name) = read_opening("1.e4 c5").unwrap().unwrap();
        assert_eq!((line.len(), &*name), (2, "e4 c5"));
        assert!(read_opening("12 e9 e4").is_none());
    }
}
