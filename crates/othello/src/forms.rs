//! The names of the text forms of Othello games, and their detection.

use super::{is_transcript, split_board, split_moves};
use leitai_game::card::{Begins, FileForm};

/// The names of the forms, and their detection.
pub const FORMS: [FileForm; 2] = [
    FileForm {
        name: "ggf",
        title: "GGF",
        manner: "in GGF",
        about: "Games of Othello in GGF, a line each",
        begins: Begins::Line(is_ggf),
        is_usual: false,
    },
    FileForm {
        name: "txt",
        title: "transcripts",
        manner: "as transcripts",
        about: "Games of Othello as transcripts (f5d6c3), a line each",
        begins: Begins::Line(is_transcript_line),
        is_usual: true,
    },
];

/// Returns whether a line begins with a game in GGF, or with the number of joined games.
fn is_ggf(line: &str) -> bool {
    let game = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let game = game.trim_start().strip_prefix('(');
    game.is_some_and(|game| game.trim_start().starts_with(';'))
}

/// Returns whether a line is a list of moves: from one of the four opening squares, which begin no
/// move of other games, or after a board.
fn is_transcript_line(line: &str) -> bool {
    if let Some((_, moves)) = split_board(line) {
        // A semicolon begins operations of EPD or OBF, such as `c1 "x"`.
        return !line.contains(';') && split_moves(moves).is_some();
    }
    let opens = line
        .get(..2)
        .is_some_and(|first| ["c4", "d3", "e6", "f5"].contains(&first.to_lowercase().as_str()));
    let first = line.split([' ', '\t', ',', ';']).next().unwrap_or_default();
    opens && is_transcript(first)
}
