//! Files of games and positions, recognised by their contents.

use std::io::{BufReader, Read};
use std::path::Path;

use crate::decoder::from_utf_16;
use crate::lines::BEGINNING;
use crate::unpack::peek;
use crate::{Bytes, Lines, TextError, unpacked};
use leitai_game::card::{Begins, GameCard, GameFormat, Games};

/// The first bytes of every `SQLite` file.
const SQLITE: &[u8] = b"SQLite format 3\0";

const CHESSBASE: (&str, &str) = (
    "a database or book of ChessBase",
    "export the games from ChessBase as PGN",
);
const SCID: (&str, &str) = (
    "a part of a SCID database",
    "export the games from SCID as PGN",
);
const ARENA: (&str, &str) = (
    "a book of Arena (ABK)",
    "export its games from Arena as PGN",
);
const WTHOR: (&str, &str) = (
    "a list of players or tournaments of WTHOR",
    "pass the file with the games (.wtb)",
);
const PAGE: (&str, &str) = ("a web page", "save the games that it shows as PGN");
const PICTURE: (&str, &str) = ("a picture", "pass the games as PGN");

/// Files of other programs that are not read: their first bytes, letters in either case, their
/// names, and the remedy.
const UNSUPPORTED: [(&[u8], (&str, &str)); 15] = [
    (
        b"CCBridge Record",
        ("a game of CCBridge (CBR)", "export it from CCBridge as PGN"),
    ),
    (
        b"CCBridgeLibrary",
        (
            "a library of CCBridge (CBL)",
            "export its games from CCBridge as PGN",
        ),
    ),
    (
        b"BINP",
        (
            "training positions of Stockfish (binpack)",
            "convert it to plain text with the `tools` branch of Stockfish: `convert a.binpack \
             a.plain`",
        ),
    ),
    (
        b"version https://git-lfs",
        (
            "a pointer to a file in Git LFS",
            "fetch the file with `git lfs pull`",
        ),
    ),
    (b"Scid.si", SCID),
    (b"\0\0\x2c\0\x2e\x01", CHESSBASE),
    (b"\0\0\x24\0\x2e\x01", CHESSBASE),
    (b"\x03ABK", ARENA),
    (b"%PDF", ("a PDF document", "pass the games as PGN")),
    (b"<?xml", ("XML", "export the games as PGN")),
    (b"{\\rtf", ("a document (RTF)", "save it as plain text")),
    (
        b"\xd0\xcf\x11\xe0",
        ("a document of Office", "save it as plain text"),
    ),
    (b"\x89PNG", PICTURE),
    (b"GIF8", PICTURE),
    (b"\xff\xd8\xff", PICTURE),
];

/// Formats without a mark of files that are no text, by the endings of the names.
const ENDINGS: [(&[&str], (&str, &str)); 4] = [
    (
        &[
            "cba", "cbb", "cbc", "cbe", "cbf", "cbg", "cbh", "cbi", "cbj", "cbm", "cbp", "cbs",
            "cbt", "cbv", "cbz", "ctb", "ctg", "cto",
        ],
        CHESSBASE,
    ),
    (
        &[
            "si3", "si4", "si5", "sg3", "sg4", "sg5", "sn3", "sn4", "sn5",
        ],
        SCID,
    ),
    (&["abk"], ARENA),
    (&["jou", "trn"], WTHOR),
];

/// An opened file.
pub enum Source<'r> {
    /// A record of `leitai run`, which is opened by its name.
    Record,
    /// Text.
    Text(Lines<'r>),
    /// Games of this game in a binary form of its own.
    Own(&'static dyn GameCard, &'static GameFormat, Bytes<'r>),
}

/// The contents of a text according to its first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Games, or anything else: the reader reports lines that are no game.
    Games,
    /// Positions, one per line.
    Positions,
    /// Games of this game in a form of its own.
    Own(&'static dyn GameCard, &'static GameFormat),
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
    let peek = |bytes| peek(bytes, BEGINNING).map_err(|error| TextError::read(name, error));
    let (mut start, mut bytes) = peek(unpacked(file, name)?)?;
    if from_utf_16(&start).is_some_and(|text| is_text(text.as_bytes())) {
        let text = Lines::new(bytes, name);
        (start, bytes) = peek(Box::new(BufReader::new(text)))?;
    }
    if start.starts_with(SQLITE) {
        return Ok(Source::Record);
    }
    let is_text = start.is_empty() || is_text(&start);
    if is_text {
        // No binary form is a text with single zeros.
        start.retain(|byte| *byte != 0);
    }
    let is_it = |form: &GameFormat| matches!(form.begins, Begins::Bytes(is_it) if is_it(&start));
    if let Some((card, form)) = games.form_of(is_it) {
        return Ok(Source::Own(card, form, Bytes::new(bytes, name)));
    }
    let text = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&start);
    let text = text.trim_ascii_start();
    let is_marked = |mark: &[u8]| {
        let start = text.get(..mark.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(mark))
    };
    let marked = UNSUPPORTED.iter().find(|(mark, _)| is_marked(mark));
    let is_page = is_text && text.starts_with(b"<");
    let format = marked.map(|(_, format)| *format);
    let format = format.or_else(|| is_page.then_some(PAGE));
    let format = format.or_else(|| by_ending(name).filter(|_| !is_text));
    let Some((what, help)) = format else {
        return Ok(Source::Text(Lines::new(bytes, name)));
    };
    let problem = format!("it is {what}, which is not read");
    Err(TextError::file(name, problem, help))
}

/// The format of a file that is no text, and its remedy, by its ending.
fn by_ending(name: &str) -> Option<(&'static str, &'static str)> {
    let ending = Path::new(name).extension()?;
    let is_it = |other: &&str| ending.eq_ignore_ascii_case(other);
    let found = ENDINGS.iter().find(|(all, _)| all.iter().any(is_it));
    found.map(|(_, format)| *format)
}

/// Returns whether the beginning of a file is text: with few control characters, apart from those at
/// the end of a padded file.
fn is_text(start: &[u8]) -> bool {
    let end = start.iter().rposition(|byte| *byte != 0);
    let start = &start[..end.map_or(0, |end| end + 1)];
    let is_control = |byte: &&u8| matches!(byte, 0..=8 | 0x0E..=0x19 | 0x1C..=0x1F | 0x7F);
    !start.is_empty() && start.iter().filter(is_control).count() <= 1 + start.len() / 128
}

impl Lines<'_> {
    /// Detects the contents of the text from its first line that is neither blank nor a comment.
    ///
    /// # Errors
    /// As [`first`](Lines::first), or the file is no text.
    pub fn content(&mut self, games: &Games) -> Result<Content, TextError> {
        let name = self.name().to_owned();
        let start = self.beginning()?;
        if start.is_empty() {
            let help = "pass a file with games (PGN), positions (EPD) or results";
            let problem = "it is empty: it holds no openings, games or results";
            return Err(TextError::file(&name, problem, help));
        }
        if !is_text(start.as_bytes()) {
            let help = "convert games to PGN, and positions to EPD";
            let problem = "it is not text, and of no known format";
            return Err(TextError::file(&name, problem, help));
        }
        let start = start.to_owned();
        let line = self.first()?;
        let is_it = |form: &GameFormat| match form.begins {
            Begins::Line(is_it) => is_it(line),
            Begins::Text(is_it) => is_it(&start),
            _ => false,
        };
        if let Some((card, form)) = games.form_of(is_it) {
            return Ok(Content::Own(card, form));
        }
        Ok(if is_position(line) {
            Content::Positions
        } else if is_json(line) {
            Content::Json
        } else if line.starts_with("(;") {
            Content::Sgf
        } else {
            Content::Games
        })
    }

    /// Returns whether the first line does not begin like PGN: with a tag, a number or a comment.
    ///
    /// # Errors
    /// As [`first`](Lines::first).
    pub fn is_no_pgn(&mut self) -> Result<bool, TextError> {
        let first = self.first()?.chars().next();
        Ok(first.is_some_and(|letter| !(letter.is_ascii_digit() || "[{".contains(letter))))
    }
}

/// Returns whether a line begins with a key and its value. A comment of PGN may be quoted.
fn is_json(line: &str) -> bool {
    let key = line.trim_start_matches('[').strip_prefix('{');
    let key = key.and_then(|key| key.trim_start().strip_prefix('"'));
    let value = key.and_then(|key| key.split_once('"'));
    value.is_some_and(|(_, value)| value.trim_start().starts_with(':'))
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
        for text in ["{\"game\": 1}", "{ \"a\" :[]}", "[{\"a\":1}]"] {
            assert_eq!(content(text), Content::Json, "{text}");
        }
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
        let games = [
            "[Event \"x\"]",
            "{a comment}",
            "1. h2e2 *",
            "# only",
            "{\"Immortal game\"} 1. e4",
        ];
        for text in games.into_iter().chain(banners.iter().map(String::as_str)) {
            assert_eq!(content(text), Content::Games, "{text}");
        }
    }

    /// The error of opening a file, or its format, or its first line.
    fn opened(bytes: &[u8], name: &str) -> String {
        match open(bytes, name, &leitai_games::all()) {
            Err(error) => error.to_string(),
            Ok(Source::Record) => "record".to_owned(),
            Ok(Source::Own(_, form, _)) => form.title.to_owned(),
            Ok(Source::Text(mut lines)) => match lines.content(&leitai_games::all()) {
                Err(error) => error.to_string(),
                Ok(_) => lines.first().unwrap().to_owned(),
            },
        }
    }

    #[test]
    fn other_formats_are_named() {
        let utf_16 = |text: &str| -> Vec<u8> {
            let units = text.encode_utf16();
            units.flat_map(u16::to_le_bytes).collect()
        };
        for (bytes, name, what) in [
            (&b"CCBridge Record\0\x01"[..], "x", "CBR"),
            (b"CCBridgeLibrary\0", "x", "CBL"),
            (b"BINP\0\0", "x", "binpack"),
            (b"\n<!DOCTYPE html>", "x", "web page"),
            (b"\xef\xbb\xbf<!doctype html><html>", "x", "web page"),
            (
                &utf_16("\u{feff}<html><body></body></html>"),
                "x",
                "web page",
            ),
            (&utf_16("<html><body></body></html>"), "x", "web page"),
            (
                b"<!-- saved from url=(0014)about:internet -->",
                "x",
                "web page",
            ),
            (b"<head><title>Games</title>", "x", "web page"),
            (b"<?xml version=\"1.0\"?>", "x", "XML"),
            (b"7z\xbc\xaf\x27\x1c", "x", "7z"),
            (
                b"version https://git-lfs.github.com/spec/v1\noid",
                "x",
                "git lfs pull",
            ),
            (b"GIF89a\x01\0\x01\0\0\0\0", "x", "picture"),
            (b"\xff\xd8\xff\xe0\0\x10JFIF\0", "x", "picture"),
            (b"\0\0\x2c\0\x2e\x01\0\0", "x", "ChessBase"),
            (b"\x03ABK\0\0\0", "x", "Arena"),
            (b"\x01\0\0\0\x07", "a/x.CTG", "ChessBase"),
            (b"\x01\0\0\0\x07", "x.cbv", "ChessBase"),
            (b"\x01\0\0\0\x07", "x.si5", "SCID"),
            (b"\x01\0\0\0\x07", "x.sg4", "SCID"),
            (b"\x14\x07\x05\x01\0\0\0\0\x02\0", "WTHOR.JOU", "WTHOR"),
            (b"\x01\0\0\0\x07", "x.pgn", "not text"),
        ] {
            let error = opened(bytes, name);
            assert!(
                error.contains(what) && error.contains("help: "),
                "{name}: {error}"
            );
        }
        // An ending says nothing about a text.
        assert_eq!(opened(b"1. e4 e5 *", "x.cbh"), "1. e4 e5 *");
    }

    #[test]
    fn random_bytes_are_no_text_and_single_zeros_are() {
        let mut state = 1_u64;
        for length in [200, 2000, 70_000] {
            for _ in 0..100 {
                let mut byte = || {
                    state = state
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1);
                    state.to_be_bytes()[0]
                };
                let bytes: Vec<u8> = (0..length).map(|_| byte()).collect();
                assert!(opened(&bytes, "x").contains("not text"), "{length}");
            }
        }
        for (text, first) in [
            (&b"1. e4 e5\n2. Nf3\0 Nc6 1-0\n"[..], "1. e4 e5"),
            (b"\0[Event \"x\"]\n", "\0[Event \"x\"]"),
            (b"1. e4 e5 *\n\0\0\0\0\0\0\0\0\0\0\0\0", "1. e4 e5 *"),
            (
                b"1. e4 e5 *\n\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a",
                "1. e4 e5 *",
            ),
            (b"\xc5\xda\xb6\xfe\xc6\xbd\xce\xe5\0", "炮二平五\0"),
        ] {
            assert_eq!(opened(text, "x"), first);
        }
    }
}
