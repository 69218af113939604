//! Files of games and positions, recognised by their contents.

use std::io::Read;

use crate::unpack::peek;
use crate::{Bytes, Lines, TextError, unpacked};
use leitai_game::card::{Begins, FileForm, GameCard, Games};

/// Number of bytes that show the format of a file.
const BEGINNING: usize = 1 << 16;

/// The first bytes of every `SQLite` file.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// Files of other programs that are not read: their first bytes, letters in either case, their
/// names, and the way out.
const NAMED: [(&[u8], &str, &str); 11] = [
    (
        b"CCBridge Record",
        "a game of CCBridge (CBR)",
        "export it from CCBridge as PGN",
    ),
    (
        b"CCBridgeLibrary",
        "a library of CCBridge (CBL)",
        "export its games from CCBridge as PGN",
    ),
    (
        b"BINP",
        "training positions of Stockfish (binpack)",
        "convert it with Stockfish's tools: `convert_binpack`, or `nnue-pytorch`, to plain text",
    ),
    (
        b"Scid.si",
        "an index of a SCID database",
        "export the games from SCID as PGN",
    ),
    (b"%PDF", "a PDF document", "give the games as PGN"),
    (
        b"<!doctype",
        "a web page",
        "save the games that it shows as PGN",
    ),
    (
        b"<html",
        "a web page",
        "save the games that it shows as PGN",
    ),
    (b"<?xml", "XML", "export the games as PGN"),
    (b"{\\rtf", "a document (RTF)", "save it as plain text"),
    (
        b"\xd0\xcf\x11\xe0",
        "a document of Office",
        "save it as plain text",
    ),
    (b"\x89PNG", "a picture", "give the games as PGN"),
];

/// An opened file.
pub enum Source<'r> {
    /// A record of `leitai run`, which is opened by its name.
    Record,
    /// Text.
    Text(Lines<'r>),
    /// Games of this game in a binary form of its own.
    Own(&'static dyn GameCard, &'static FileForm, Bytes<'r>),
}

/// The contents of a text according to its first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Games, or anything else: the reader reports lines that are no game.
    Games,
    /// Positions, one per line.
    Positions,
    /// Games of this game in a form of its own.
    Own(&'static dyn GameCard, &'static FileForm),
    /// JSON, such as `leitai convert --to json` writes.
    Json,
    /// SGF of a game that has its own reader or none.
    Sgf,
}

/// The remedy for SGF where games are expected.
pub const SGF_HELP: &str = "`leitai help convert --all` lists the games with a reader for SGF; export \
                            those of others as PGN";

/// Opens a file, which is unpacked if it is packed; `name` is its name for messages.
///
/// # Errors
/// The file cannot be read or unpacked, or has a format that no reader reads; the message names it.
pub fn open<'r>(file: impl Read + 'r, name: &str, games: &Games) -> Result<Source<'r>, TextError> {
    let bytes = unpacked(file, name)?;
    let (start, bytes) = peek(bytes, BEGINNING).map_err(|error| TextError::read(name, error))?;
    if start.starts_with(SQLITE) {
        return Ok(Source::Record);
    }
    let is_it = |form: &FileForm| matches!(form.begins, Begins::Bytes(is_it) if is_it(&start));
    if let Some((card, form)) = games.form_of(is_it) {
        return Ok(Source::Own(card, form, Bytes::new(bytes, name)));
    }
    let text = start.trim_ascii_start();
    let is_marked = |mark: &[u8]| {
        let start = text.get(..mark.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(mark))
    };
    if let Some((_, what, help)) = NAMED.iter().find(|(mark, ..)| is_marked(mark)) {
        return Err(TextError::file(
            name,
            format!("it is {what}, which is not read"),
            *help,
        ));
    }
    Ok(Source::Text(Lines::new(bytes, name)))
}

impl Lines<'_> {
    /// Detects the contents of the text from its first line that is neither blank nor a comment.
    ///
    /// # Errors
    /// As [`first`](Lines::first).
    pub fn content(&mut self, games: &Games) -> Result<Content, TextError> {
        let name = self.name().to_owned();
        let line = self.first()?;
        let is_it = |form: &FileForm| matches!(form.begins, Begins::Line(is_it) if is_it(line));
        if let Some((card, form)) = games.form_of(is_it) {
            return Ok(Content::Own(card, form));
        }
        if line.contains('\0') {
            let help = "is it text? Games are read from PGN, positions from EPD";
            return Err(TextError::file(
                &name,
                "it is not text, and of no known format",
                help,
            ));
        }
        Ok(if is_position(line) {
            Content::Positions
        } else if line.starts_with("{\"") {
            Content::Json
        } else if line.starts_with("(;") {
            Content::Sgf
        } else {
            Content::Games
        })
    }

    /// Returns whether the first line is neither a tag nor begins with a number, as PGN does.
    ///
    /// # Errors
    /// As [`first`](Lines::first).
    pub fn is_no_pgn(&mut self) -> Result<bool, TextError> {
        let first = self.first()?.chars().next();
        Ok(first.is_some_and(|letter| !(letter.is_ascii_digit() || "[{".contains(letter))))
    }
}

/// Returns whether a line begins like a position: rows between slashes, or 64 and more squares
/// without; a word of engine protocols may come before.
fn is_position(line: &str) -> bool {
    let line = crate::epd::without_command(line);
    if line.starts_with("startpos moves ") {
        return true;
    }
    let board = line.split([' ', '\t', ';']).next().unwrap_or_default();
    // The server GGS begins with `[8`, and its rows are words.
    let rows = line.strip_prefix('[').unwrap_or(line);
    let rows = rows.strip_prefix("8 ").unwrap_or(line);
    let squares = rows.bytes().filter(|byte| !byte.is_ascii_whitespace());
    let squares = squares.take_while(|square| b"XxOo*BbWw-.".contains(square));
    let squares: Vec<u8> = squares.take(64).collect();
    // A banner of signs has neither discs of both sides nor a side to move.
    let has = |discs: &[u8]| squares.iter().any(|square| discs.contains(square));
    let side = line[board.len()..].split_whitespace().next();
    let is_side = |side: &str| {
        matches!(
            side.trim_end_matches(';').as_bytes(),
            [b'X' | b'O' | b'x' | b'o' | b'*']
        )
    };
    let has_side = has(b"Xx*Bb") && has(b"OoWw") || board.len() == 64 && side.is_some_and(is_side);
    let is_board = squares.len() == 64 && has_side;
    let slashes = board.matches('/').count();
    let is_of_rows = |letter: u8| letter.is_ascii_alphanumeric() || b".-/".contains(&letter);
    let is_rows = slashes >= 7 || slashes >= 4 && board.bytes().all(is_of_rows);
    is_rows && !board.contains("//") || is_board
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_of_files_are_recognised() {
        let content = |text: &str| {
            Lines::new(text.as_bytes(), "x")
                .content(&leitai_games::all())
                .unwrap()
        };
        let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
        for text in [
            format!("# a book\n\n{start}"),
            format!("fen {start} - - 0 1 moves h2e2"),
            format!("{}XO{}", "-".repeat(31), "-".repeat(31)),
            "position startpos moves h2e2".to_owned(),
        ] {
            assert_eq!(content(&text), Content::Positions, "{text}");
        }
        assert_eq!(content("{\"game\": 1}"), Content::Json);
        assert_eq!(content("(;FF[4]GM[1];B[dd])"), Content::Sgf);
        assert_eq!(content("(;GM[1];B[dd])"), Content::Sgf);
        let rows = ["--------", "---O*---"].repeat(4).join(" ");
        assert_eq!(content(&format!("[8 {rows} *]")), Content::Positions);
        assert_eq!(content(&"-B-W".repeat(16)), Content::Positions);
        let banners = ["-", "*", "*-", "x.", "OO"].map(|sign| sign.repeat(66) + "\n[Event \"x\"]");
        assert_eq!(
            content(&("-".repeat(64) + " X; id \"a\";")),
            Content::Positions
        );
        let games = ["", "[Event \"x\"]", "{a comment}", "1. h2e2 *", "# only"];
        for text in games.into_iter().chain(banners.iter().map(String::as_str)) {
            assert_eq!(content(text), Content::Games, "{text}");
        }
    }

    #[test]
    fn other_formats_are_named() {
        for (bytes, what) in [
            (&b"CCBridge Record\0\x01"[..], "CBR"),
            (b"CCBridgeLibrary\0", "CBL"),
            (b"BINP\0\0", "binpack"),
            (b"\n<!DOCTYPE html>", "web page"),
            (b"7z\xbc\xaf\x27\x1c", "7z"),
        ] {
            let error = open(bytes, "x", &leitai_games::all()).err().unwrap();
            assert!(error.to_string().contains(what), "{error}");
        }
    }
}
