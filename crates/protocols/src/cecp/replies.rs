//! Moves and resignations in the words of old engines.

use super::Message;
use leitai_base::side::Side;

/// The results of games.
const RESULTS: [&str; 3] = ["1-0", "0-1", "1/2-1/2"];

/// The move of a line in a form of version 1: `My move is: e7e5`, `1. ... e7e5`.
pub(super) fn old_move(line: &str) -> Option<&str> {
    let line = line.trim();
    let (is_move, mv) = if let Some((said, mv)) = line.split_once(':') {
        (said.trim().eq_ignore_ascii_case("my move is"), mv)
    } else {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let mv = rest.trim_start_matches([' ', '\t', '.']);
        let dots = &rest[..rest.len() - mv.len()];
        (rest.len() < line.len() && dots.contains("..."), mv)
    };
    mv.split_whitespace().next().filter(|_| is_move)
}

/// Returns whether a word is a move from square to square, such as `e7e8q` or `a10a9`.
pub(super) fn is_coordinates(word: &str) -> bool {
    let square = |text: &mut &str| {
        let rest = text.strip_prefix(|c: char| c.is_ascii_lowercase());
        let rest = rest.unwrap_or_default();
        let end = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        *text = end;
        (1..=2).contains(&(rest.len() - end.len()))
    };
    let mut rest = word;
    square(&mut rest) && square(&mut rest) && rest.len() <= 1
}

/// A resignation: of the engine, or of a side that the line names.
pub(super) fn resignation(line: &str) -> Option<Message> {
    let line = line.trim().to_ascii_lowercase();
    let result = RESULTS.iter().find_map(|result| line.strip_prefix(result));
    let said = result.unwrap_or(&line);
    // Numbers begin search data.
    if said.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let words = said.split(|c: char| !c.is_alphabetic());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let words = words.strip_prefix(&["tellics"]).unwrap_or(&words);
    match *words {
        ["resign" | "resigns", ..] | ["i" | "computer" | "engine", "resign" | "resigns"] => {
            Some(Message::Resigns)
        }
        ["white" | "red", "resign" | "resigns"] => Some(Message::Claims(Some(Side::Second))),
        ["black", "resign" | "resigns"] => Some(Message::Claims(Some(Side::First))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_forms_of_moves() {
        for (line, mv) in [
            ("My move is: e7e5", "e7e5"),
            ("My move is : e7e8q", "e7e8q"),
            ("my move is:Nf6", "Nf6"),
            ("1. ... e7e5", "e7e5"),
            ("12 ... a10a9", "a10a9"),
            ("3... O-O check", "O-O"),
            ("7. ...d7d5", "d7d5"),
        ] {
            assert_eq!(old_move(line), Some(mv), "{line}");
        }
        // Echoes of the opponent's move, search data, and talk.
        for line in [
            "1. e2e4",
            "... e7e5",
            "Hint: e7e5",
            "My move is:",
            "5. 13 0 20 e7e5",
            "4 13 0 20 e2e4 ...",
            "White: e2e4",
            "",
        ] {
            assert_eq!(old_move(line), None, "{line}");
        }
        assert!(
            ["e7e5", "a10a9", "b7b8q"]
                .iter()
                .all(|mv| is_coordinates(mv))
        );
        let others = [
            "e7", "e7e", "e7e5qq", "E7E5", "Nf3", "a100a1", "pong", "ä1a2", "",
        ];
        assert!(!others.iter().any(|word| is_coordinates(word)));
    }

    #[test]
    fn forms_of_resignations() {
        for line in [
            "resign",
            "resigns",
            "tellics resign",
            "computer resigns",
            "I resign.",
            "0-1 {resigns}",
            "resign {lost}",
        ] {
            assert_eq!(resignation(line), Some(Message::Resigns), "{line}");
        }
        let won = |side| Some(Message::Claims(Some(side)));
        for line in [
            "0-1 {White resigns}",
            "1-0 {White resigns}",
            "White resigns",
            "red resigns",
        ] {
            assert_eq!(resignation(line), won(Side::Second), "{line}");
        }
        assert_eq!(resignation("1-0 {Black resigns}"), won(Side::First));
        for line in [
            "3 -900 10 2000 resign",
            "0-1 {White mates}",
            "tellopponent please resign",
            "telluser White resigns too late",
            "1-0",
            "",
        ] {
            assert_eq!(resignation(line), None, "{line}");
        }
    }
}
