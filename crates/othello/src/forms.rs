//! The names of the text forms of Othello games, and their detection.

use super::{is_transcript, split_board, split_moves};
use leitai_game::card::{Begins, GameFormat};

/// The names of the forms, and their detection.
pub const FORMATS: [GameFormat; 4] = [
    GameFormat {
        name: "ggf",
        title: "GGF",
        manner: "in GGF",
        about: "Games of Othello in GGF, a line each",
        begins: Begins::Line(is_ggf),
        is_usual: false,
    },
    GameFormat {
        name: "txt",
        title: "transcripts",
        manner: "as transcripts",
        about: "Games of Othello as transcripts (f5d6c3), a line each",
        begins: Begins::Line(is_transcript_line),
        is_usual: true,
    },
    GameFormat {
        name: "wthor",
        title: "WTHOR",
        manner: "in WTHOR",
        about: "Games of Othello in WTHOR (.wtb)",
        begins: Begins::Bytes(is_wthor),
        is_usual: false,
    },
    GameFormat {
        name: "sgf",
        title: "SGF",
        manner: "in SGF",
        about: "Games of Othello in SGF",
        begins: Begins::Bytes(is_sgf),
        is_usual: false,
    },
];

/// Returns whether a line begins with a game in GGF, or with the number of joined games.
fn is_ggf(line: &str) -> bool {
    let game = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let game = game.trim_start().strip_prefix('(');
    let game = game.and_then(|game| game.trim_start().strip_prefix(';'));
    // Numbers and `FF` are of SGF.
    let is_sgf = |game: &str| {
        let number = game.split_once("GM[").map(|(_, kind)| kind.trim_start());
        game.contains("FF[")
            || number.is_some_and(|it| it.starts_with(|c: char| c.is_ascii_digit()))
    };
    game.is_some_and(|game| !is_sgf(game))
}

/// Returns whether a line is a list of moves: from one of the four opening squares, which begin no
/// move of other games, or after a board.
fn is_transcript_line(line: &str) -> bool {
    if let Some((board, moves)) = split_board(line) {
        // A board without discs is a banner, and `--` in it no pass. A semicolon begins operations
        // of EPD or OBF, such as `c1 "x"`.
        let has_discs = board.contains(|square| !matches!(square, '-' | '.'));
        return has_discs && !line.contains(';') && split_moves(moves).is_some();
    }
    let opens = line
        .get(..2)
        .is_some_and(|first| ["c4", "d3", "e6", "f5"].contains(&first.to_lowercase().as_str()));
    let first = line.split([' ', '\t', ',', ';']).next().unwrap_or_default();
    opens && is_transcript(first)
}

/// Bytes of the header of WTHOR.
pub(crate) const WTHOR_HEADER: usize = 16;

/// Bytes of a header that are needed to recognise it.
const WTHOR_LEAST: usize = 10;

/// Returns whether a file begins with a header of WTHOR, which may be cut short. No text has its
/// zeros, and damaged games do not make it another file.
pub(crate) fn is_wthor(start: &[u8]) -> bool {
    let mut header = [0; WTHOR_HEADER];
    let length = start.len().min(WTHOR_HEADER);
    header[..length].copy_from_slice(&start[..length]);
    let [century, year, month, day, n1, n2, n3, n4, m1, m2, ..] = header;
    let [.., size, kind, depth, end] = header;
    let is_date = century < 30 && year < 100 && month < 13 && day < 32;
    let number = u32::from_le_bytes([n1, n2, n3, n4]);
    let fields = [m1, m2, end] == [0; 3] && matches!(size, 0 | 8 | 10) && kind < 2 && depth <= 60;
    length >= WTHOR_LEAST && is_date && number > 0 && fields
}

/// Returns whether a file begins with a game of Othello in SGF. GGF is similar: it has a board, and
/// its moves follow each other without semicolons.
pub(crate) fn is_sgf(start: &[u8]) -> bool {
    let text = String::from_utf8_lossy(start);
    let text =
        text.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '\u{feff}');
    let Some(tree) = text.strip_prefix('(').map(str::trim_start) else {
        return false;
    };
    let game = tree
        .split_once("GM[")
        .and_then(|(_, game)| game.split_once(']'));
    let game = game.map_or("", |(game, _)| game);
    let has = |mark: &str| tree.contains(mark);
    let is_ggf =
        has("BO[") || !(has(";B[") || has(";W[") || has("AB[") || has("SZ[") || has("FF["));
    tree.starts_with(';') && is_othello(game) && (game.trim() == "2" || !is_ggf)
}

/// Returns whether the value of `GM` is Othello.
pub(crate) fn is_othello(game: &str) -> bool {
    let game = game.trim().to_lowercase();
    ["2", "othello", "reversi"].contains(&game.as_str())
}
