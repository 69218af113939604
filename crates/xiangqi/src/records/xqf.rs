//! A game in XQF, the binary format of `XQStudio` (Dong Shiwei), up to version 18.
//!
//! A header of 1,024 bytes has the version, the keys, the squares of the 32 pieces, the result and
//! texts with their lengths. The tree of moves follows: each move, then its continuation, then its
//! alternatives. From version 11 on, squares, moves and lengths of comments
//! are shifted by numbers that follow from the keys.

use super::{PIECES, UnplayedGame};
use crate::Square;
use leitai_base::count::count;
use leitai_game::card::Rules;
use leitai_interchange::pgn::Game;
use leitai_interchange::{Bytes, Damage, GameLocation, GameReader, TextError, decoded, left_out};

/// Bytes of the header.
const HEADER: usize = 1024;

/// The last known version, and the last one without keys.
const LAST_VERSION: u8 = 18;
const LAST_OPEN: u8 = 10;

/// Largest number of bytes of a file: games with all variations have some kilobytes.
const LARGEST: u64 = 16 << 20;

/// The remedy for a file that is damaged or unknown.
const HELP: &str = "save it again with XQStudio, or as PGN";

/// The text that is part of the key of the moves.
const MASK: &[u8; 32] = b"[(C) Copyright Mr. Dong Shiwei.]";

/// The texts of the header: the place of the length, the bytes behind it, and the tag.
const TEXTS: [(usize, usize, &str); 11] = [
    (208, 63, "Event"),
    (80, 63, "Title"),
    (272, 15, "Date"),
    (288, 15, "Site"),
    (304, 15, "Red"),
    (320, 15, "Black"),
    (336, 63, "TimeControl"),
    (400, 15, "RedTime"),
    (416, 15, "BlackTime"),
    (464, 15, "Annotator"),
    (480, 15, "Author"),
];

/// Reads the game of a file.
#[derive(Debug)]
pub struct XqfReader<'r> {
    bytes: Bytes<'r>,
    variations: u64,
    comments: u64,
    /// The number of bytes behind the last move.
    behind: u64,
}

impl<'r> XqfReader<'r> {
    /// The game in `bytes`.
    pub fn new(bytes: Bytes<'r>) -> Self {
        Self {
            bytes,
            variations: 0,
            comments: 0,
            behind: 0,
        }
    }
}

impl GameReader for XqfReader<'_> {
    fn next_game(&mut self, rules: Rules) -> Result<Option<Result<Game, Damage>>, TextError> {
        let Some(file) = self.bytes.all(LARGEST, HELP)? else {
            return Ok(None);
        };
        let name = self.bytes.name();
        let refuse = |problem: String| Err(TextError::file(name, problem, HELP));
        let Some((header, tree)) = file.split_at_checked(HEADER) else {
            return refuse(format!("it ends within the header of XQF, {HEADER} bytes"));
        };
        let version = header[2];
        if version > LAST_VERSION {
            return refuse(format!(
                "it is XQF of version {version}: versions up to {LAST_VERSION} are known"
            ));
        }
        let keys = Keys::of(header);
        let mut tree = Tree::new(tree, version, &keys);
        let mut record = UnplayedGame {
            location: GameLocation {
                name,
                line: 0,
                game: 1,
            },
            pieces: Some(keys.pieces(header)),
            black_begins: header[50] == 1,
            moves: Vec::new(),
            tags: texts(header),
            result: match header[51] {
                0 => String::new(),
                1 => "1-0".to_owned(),
                2 => "0-1".to_owned(),
                3 | 4 => "1/2-1/2".to_owned(),
                other => format!("{other}"),
            },
        };
        let read = tree.read(&mut record.moves);
        (self.variations, self.comments) = (tree.variations, tree.comments);
        self.behind = (tree.bytes.len() - tree.at) as u64;
        Ok(Some(match read {
            Ok(()) => record.read(rules),
            Err(problem) => {
                let ply = Some(record.moves.len() + 1);
                Err(record.location.damage(ply, problem, HELP))
            }
        }))
    }

    fn name(&self) -> &str {
        self.bytes.name()
    }

    fn notes(&self) -> Vec<String> {
        let name = leitai_base::foreign::shown(self.bytes.name());
        let note = left_out(self.bytes.name(), self.variations, self.comments);
        let behind = (self.behind > 0).then(|| {
            let bytes = count(self.behind, "byte", "bytes");
            format!("{name}: left out: {bytes} behind the last move of the tree")
        });
        note.into_iter().chain(behind).collect()
    }
}

/// The tags of a header. The encoding follows from all texts together.
fn texts(header: &[u8]) -> Vec<(&'static str, String)> {
    let mut all = Vec::new();
    for (place, most, _) in TEXTS {
        let length = usize::from(header[place]).min(most);
        let text = &header[place + 1..=place + length];
        let text = text.split(|byte| *byte == 0).next().unwrap_or_default();
        let is_end = |byte: u8| matches!(byte, b'\n' | b'\r');
        all.extend(
            text.iter()
                .map(|&byte| if is_end(byte) { b' ' } else { byte }),
        );
        all.push(b'\n');
    }
    let names = TEXTS.iter().map(|(_, _, name)| *name);
    names.zip(decoded(&all)).collect()
}

/// The numbers by which a file is shifted; all 0 without keys.
#[derive(Default)]
struct Keys {
    /// Shift of the squares of pieces; also rotates their order if `is_rotated`.
    piece: u8,
    /// True from version 12 on.
    is_rotated: bool,
    /// For starts and targets of moves.
    from: u8,
    to: u8,
    /// For lengths of comments.
    comment: u32,
    /// For each byte of the tree in turn.
    stream: [u8; 32],
}

impl Keys {
    fn of(header: &[u8]) -> Self {
        if header[2] <= LAST_OPEN {
            return Self::default();
        }
        let [sum, piece, from, to] = [header[12], header[13], header[14], header[15]];
        let grown = |key: u8| key.wrapping_mul(key).wrapping_mul(54).wrapping_add(221);
        let of_piece = grown(piece).wrapping_mul(piece);
        let of_from = grown(from).wrapping_mul(of_piece);
        let of_to = grown(to).wrapping_mul(of_from);
        let mut stream = *MASK;
        for (place, byte) in stream.iter_mut().enumerate() {
            let of = place % 4;
            *byte &= (header[12 + of] & header[3]) | header[8 + of];
        }
        Self {
            piece: of_piece,
            is_rotated: header[2] >= 12,
            from: of_from,
            to: of_to,
            comment: (u32::from(sum) * 256 + u32::from(piece)) % 32_000 + 767,
            stream,
        }
    }

    /// The squares of the pieces.
    fn pieces(&self, header: &[u8]) -> [Option<Square>; 2 * PIECES.len()] {
        let mut squares = [None; 2 * PIECES.len()];
        for (place, byte) in (0..).zip(&header[16..48]) {
            let turned = usize::from(self.piece).wrapping_add(place + 1) % squares.len();
            let place = if self.is_rotated { turned } else { place };
            squares[place] = square(byte.wrapping_sub(self.piece));
        }
        squares
    }
}

/// The square of a number: ten for each file from Red's left, one for each rank from Red's home.
fn square(number: u8) -> Option<Square> {
    Square::at(i32::from(number / 10), i32::from(number % 10))
}

/// The moves behind the header.
struct Tree<'a> {
    bytes: &'a [u8],
    at: usize,
    version: u8,
    keys: &'a Keys,
    variations: u64,
    comments: u64,
}

/// A move, with whether a continuation and another move of its place follow.
struct Node {
    squares: [u8; 2],
    continues: bool,
    varies: bool,
}

impl<'a> Tree<'a> {
    const fn new(bytes: &'a [u8], version: u8, keys: &'a Keys) -> Self {
        Self {
            bytes,
            at: 0,
            version,
            keys,
            variations: 0,
            comments: 0,
        }
    }

    /// Adds the moves of the main line to `moves` and counts everything else.
    fn read(&mut self, moves: &mut Vec<(Square, Square)>) -> Result<(), &'static str> {
        const ENDS: &str = "the file ends within its moves";
        // The root has no squares, and its flags are not reliable.
        self.node().ok_or(ENDS)?;
        let (mut waiting, mut is_main) = (u64::from(self.at < self.bytes.len()), true);
        while waiting > 0 {
            let node = self.node().ok_or(ENDS)?;
            waiting = waiting - 1 + u64::from(node.continues) + u64::from(node.varies);
            self.variations += u64::from(node.varies);
            if is_main {
                let [from, to] = node.squares;
                let from = from.wrapping_sub(24).wrapping_sub(self.keys.from);
                let to = to.wrapping_sub(32).wrapping_sub(self.keys.to);
                let squares = square(from).zip(square(to));
                moves.push(squares.ok_or("a move has a square beyond the board")?);
                is_main = node.continues;
            }
        }
        Ok(())
    }

    fn node(&mut self) -> Option<Node> {
        let [from, to, flags, _] = self.take()?;
        let is_old = self.version <= LAST_OPEN;
        let [continues, varies] = if is_old { [0xF0, 0x0F] } else { [0x80, 0x40] };
        if is_old || flags & 0x20 != 0 {
            let length = u32::from_le_bytes(self.take()?);
            let length = length.wrapping_sub(self.keys.comment);
            self.comments += u64::from(length > 0);
            let end = self.at.checked_add(usize::try_from(length).ok()?)?;
            if end > self.bytes.len() {
                return None;
            }
            self.at = end;
        }
        Some(Node {
            squares: [from, to],
            continues: flags & continues != 0,
            varies: flags & varies != 0,
        })
    }

    fn take(&mut self) -> Option<[u8; 4]> {
        let mut four = *self.bytes.get(self.at..)?.first_chunk()?;
        for (place, byte) in (self.at..).zip(&mut four) {
            *byte = byte.wrapping_sub(self.keys.stream[place % self.keys.stream.len()]);
        }
        self.at += four.len();
        Some(four)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The file of a game; the keys are those of bytes 3 to 15.
    fn file(version: u8, keys: [u8; 13], pieces: &[u8; 32], nodes: &[([u8; 3], &str)]) -> Vec<u8> {
        let mut file = vec![0; HEADER];
        file[..2].copy_from_slice(b"XQ");
        file[2] = version;
        file[3..16].copy_from_slice(&keys);
        file[51] = 1;
        for (place, name) in [(304, "Hu"), (320, "\u{8}")] {
            file[place] = name.len() as u8;
            file[place + 1..=place + name.len()].copy_from_slice(name.as_bytes());
        }
        // 许银川 in GB18030.
        file[320] = 6;
        file[321..327].copy_from_slice(&[0xD0, 0xED, 0xD2, 0xF8, 0xB4, 0xA8]);
        let keys = Keys::of(&file);
        for (place, byte) in pieces.iter().enumerate() {
            let turned = (32 + place - (usize::from(keys.piece) + 1) % 32) % 32;
            let at = if keys.is_rotated { turned } else { place };
            file[16 + at] = byte.wrapping_add(keys.piece);
        }
        let mut tree = Vec::new();
        for ([from, to, flags], comment) in nodes {
            let is_old = version <= LAST_OPEN;
            let flags = match (is_old, comment.is_empty()) {
                (false, false) => flags | 0x20,
                (true, _) => (flags & 0x80) | (flags & 0x40) >> 6,
                _ => *flags,
            };
            let from = from.wrapping_add(24).wrapping_add(keys.from);
            let to = to.wrapping_add(32).wrapping_add(keys.to);
            tree.extend([from, to, flags, 0]);
            if is_old || !comment.is_empty() {
                tree.extend((comment.len() as u32 + keys.comment).to_le_bytes());
            }
            tree.extend(comment.as_bytes());
        }
        let stream = keys.stream.iter().cycle();
        file.extend(
            tree.iter()
                .zip(stream)
                .map(|(byte, key)| byte.wrapping_add(*key)),
        );
        file
    }

    const START: [u8; 32] = [
        0, 10, 20, 30, 40, 50, 60, 70, 80, 12, 72, 3, 23, 43, 63, 83, 9, 19, 29, 39, 49, 59, 69,
        79, 89, 17, 77, 6, 26, 46, 66, 86,
    ];
    const KEYS: [u8; 13] = [
        0xE5, 1, 2, 3, 4, 0x11, 0x22, 0x84, 0x48, 0x5A, 0x77, 0x31, 0x9C,
    ];
    /// 1. h2e2 h9g7 2. h0g2, and another second move with a continuation.
    const NODES: [([u8; 3], &str); 6] = [
        ([0, 0, 0x80], "the start"),
        ([72, 42, 0x80], ""),
        ([79, 67, 0xC0], "a comment"),
        ([70, 62, 0], ""),
        ([19, 27, 0x80], ""),
        ([70, 62, 0], "c"),
    ];

    fn read(file: &[u8]) -> (Result<Game, String>, Vec<String>) {
        let mut reader = XqfReader::new(Bytes::new(file, "a.xqf"));
        let rules = crate::card().rules();
        let game = match reader.next_game(rules) {
            Ok(game) => game.unwrap().map_err(|damage| damage.to_string()),
            Err(error) => Err(error.to_string()),
        };
        assert!(reader.next_game(rules).unwrap().is_none());
        (game, reader.notes())
    }

    #[test]
    fn versions_with_and_without_keys_are_the_same_game() {
        for (version, keys) in [
            (10, [0; 13]),
            (18, [0; 13]),
            (11, KEYS),
            (12, KEYS),
            (18, KEYS),
        ] {
            let (game, notes) = read(&file(version, keys, &START, &NODES));
            let game = game.unwrap();
            let end = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b - - 3 2";
            assert_eq!(game.play.position().to_fen(), end, "{version}");
            assert_eq!(game.tags.players(), Some(["Hu", "许银川"]));
            assert_eq!(
                (game.points, game.tags.get("Result")),
                (Some(2), Some("1-0"))
            );
            assert_eq!(notes, ["a.xqf: left out: 1 variation and 3 comments"]);
        }
    }

    #[test]
    fn a_board_may_be_a_problem_with_black_to_move() {
        let mut pieces = [0xFF; 32];
        (pieces[4], pieces[0], pieces[20]) = (40, 0, 39);
        let nodes = [([0, 0, 0x80], ""), ([39, 38, 0], "")];
        let (game, notes) = read(&file(18, KEYS, &pieces, &nodes));
        let start = game.unwrap().play.start().to_fen();
        assert_eq!(start, "3k5/9/9/9/9/9/9/9/9/R3K4 b - - 0 1");
        assert!(notes.is_empty());
        let (game, _) = read(&file(18, KEYS, &pieces, &NODES[..1]));
        assert_eq!(game.unwrap().play.len(), 0);
    }

    #[test]
    fn bytes_behind_the_tree_are_noted() {
        let [root, first, ..] = NODES;
        let last = ([79, 67, 0], "");
        for (nodes, more, noted) in [
            (&[root, ([72, 42, 0], ""), last][..], &[][..], "4 bytes"),
            (&[root, first, last], b"x", "1 byte behind"),
            (&[root, first, last, first, last], b"", "8 bytes"),
        ] {
            let (game, notes) = read(&[&file(18, KEYS, &START, nodes), more].concat());
            assert!(game.is_ok());
            assert!(notes.iter().any(|note| note.contains(noted)), "{notes:?}");
        }
    }

    #[test]
    fn damaged_files_are_reported() {
        let whole = file(18, KEYS, &START, &NODES);
        for (bytes, what) in [
            (&whole[..900], "ends within the header"),
            (&whole[..HEADER + 20], "ends within its moves"),
            (&whole[..HEADER], "ends within its moves"),
            (&whole[..HEADER + 3], "ends within its moves"),
            (&file(19, KEYS, &START, &NODES), "version 19"),
            (
                &file(18, KEYS, &START, &[NODES[0], ([72, 43, 0], "")]),
                "`h2e3` is not legal here",
            ),
            (
                &file(18, KEYS, &START, &[NODES[0], ([99, 43, 0], "")]),
                "beyond the board",
            ),
            (&file(18, KEYS, &[0; 32], &NODES), "two pieces are on a0"),
            (&file(18, KEYS, &[0xFF; 32], &NODES[..1]), "not a position"),
        ] {
            let error = read(bytes).0.map(|_| ()).unwrap_err();
            assert!(error.contains(what) && error.contains("help: "), "{error}");
        }
    }
}
