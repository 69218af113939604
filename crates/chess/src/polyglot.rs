//! Books of `PolyGlot`: sorted entries of 16 bytes with a position's key, a move, a weight and data
//! for learning, in big endian. Castling is the king's move to its rook.
//!
//! A book stores positions, not games. The reader makes games of it: lines of book moves from the
//! usual start that reach each position once, by the fewest moves. A line ends where the book has
//! no further move to a new position. Weights are not kept.

use std::collections::HashSet;
use std::sync::LazyLock;

use cozy_chess::{Color, File, Move as CozyMove, Piece, Rank, Square, get_pawn_attacks};

use super::board::{Chess, en_passant_square};
use super::forms::{ENTRY, FORMATS};
use super::moves::pack;
use leitai_base::count::count;
use leitai_game::card::{Card, Rules};
use leitai_game::{Move, Position};
use leitai_interchange::pgn::{Game, Tags};
use leitai_interchange::{Bytes, Damage, GameReader, OpenReader, OwnFormat, TextError};

/// The readers of the formats.
pub const OWN_FORMATS: [OwnFormat; 1] = [OwnFormat {
    form: &FORMATS[0],
    reader: OpenReader::Bytes(|bytes| Box::new(PolyglotReader::new(bytes))),
    write: None,
    between: "",
}];

/// Largest number of bytes of a book.
const LARGEST: u64 = 1 << 30;

/// The published numbers of the format: twelve pieces on 64 squares (black before white, from pawn
/// to king), four rights to castle, eight files of en passant, White's turn.
static NUMBERS: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let words = include_str!("polyglot/numbers.txt").split_whitespace();
    words
        .filter_map(|word| u64::from_str_radix(word, 16).ok())
        .collect()
});

const RIGHTS: usize = 768;
const EN_PASSANT: usize = 772;
const TURN: usize = 780;

impl Chess {
    /// The key of the position in books of `PolyGlot`.
    pub fn polyglot_key(&self) -> u64 {
        let board = self.board();
        let side = board.side_to_move();
        let mut key = 0;
        for color in Color::ALL {
            for (kind, piece) in Piece::ALL.into_iter().enumerate() {
                let kind = 2 * kind + usize::from(color == Color::White);
                for square in board.colored_pieces(color, piece) {
                    key ^= NUMBERS[64 * kind + square as usize];
                }
            }
        }
        for (place, color) in [(RIGHTS, Color::White), (RIGHTS + 2, Color::Black)] {
            let rights = board.castle_rights(color);
            for (place, right) in [(place, rights.short), (place + 1, rights.long)] {
                if right.is_some() {
                    key ^= NUMBERS[place];
                }
            }
        }
        // The file counts if a pawn attacks the square, even if it may not take.
        if let Some(file) = board.en_passant() {
            let beside = get_pawn_attacks(en_passant_square(board, file), !side);
            if !(beside & board.colored_pieces(side, Piece::Pawn)).is_empty() {
                key ^= NUMBERS[EN_PASSANT + file as usize];
            }
        }
        if side == Color::White {
            key ^= NUMBERS[TURN];
        }
        key
    }
}

/// An entry of a book.
struct Entry {
    key: u64,
    bits: u16,
}

impl Entry {
    fn read(bytes: &[u8]) -> Option<Self> {
        Some(Self {
            key: u64::from_be_bytes(*bytes.first_chunk()?),
            bits: u16::from_be_bytes(*bytes.get(8..)?.first_chunk()?),
        })
    }

    /// The move, if it is legal there.
    fn legal(&self, position: &Chess) -> Option<Move> {
        let square = |bits: u16| {
            let place = usize::from(bits & 7);
            Square::new(File::index(place), Rank::index(usize::from(bits >> 3 & 7)))
        };
        let promotion = match self.bits >> 12 {
            0 => None,
            kind => Some(*PROMOTIONS.get(usize::from(kind) - 1)?),
        };
        let (from, to) = (square(self.bits >> 6), square(self.bits));
        let moved = |to| {
            let own = position.board().colors(position.board().side_to_move());
            let moved = CozyMove {
                from,
                to,
                promotion,
            };
            Some(pack(moved, own.has(to))).filter(|&mv| position.is_legal(mv))
        };
        // Some writers let the king go to its target.
        moved(to).or_else(|| moved(position.castling_rook(from, to)?))
    }
}

/// The pieces of a promotion by their number from 1.
const PROMOTIONS: [Piece; 4] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

/// A position of a book: the one before it, the move from there, and whether a line goes on.
#[derive(Debug)]
struct Node {
    before: u32,
    mv: Move,
    goes_on: bool,
}

/// Reads the lines of a book.
#[derive(Debug)]
pub struct PolyglotReader<'r> {
    bytes: Bytes<'r>,
    nodes: Vec<Node>,
    /// The next node to look at, and the number of games before it.
    next: usize,
    games: u64,
    notes: Vec<String>,
}

impl<'r> PolyglotReader<'r> {
    /// The lines of the book in `bytes`.
    pub fn new(bytes: Bytes<'r>) -> Self {
        Self {
            bytes,
            nodes: Vec::new(),
            next: 1,
            games: 0,
            notes: Vec::new(),
        }
    }

    fn entries(&self, file: &[u8]) -> Result<Vec<Entry>, TextError> {
        let name = self.bytes.name();
        let refuse = |problem: &str, help: &str| Err(TextError::file(name, problem, help));
        if !file.len().is_multiple_of(ENTRY) {
            let problem = "the last entry of the book is incomplete";
            return refuse(problem, "copy the book again");
        }
        let entries: Vec<Entry> = file.chunks_exact(ENTRY).filter_map(Entry::read).collect();
        if !entries.is_sorted_by_key(|entry| entry.key) {
            let help = "make the book again with PolyGlot";
            return refuse("the entries of the book are not sorted by their keys", help);
        }
        Ok(entries)
    }

    /// Finds the positions of the book from the usual start on, nearest first.
    fn explore(&mut self, entries: &[Entry]) {
        let start = Chess::initial();
        let mut seen = HashSet::from([start.polyglot_key()]);
        let mut wave = vec![(0_u32, start)];
        let (mut reached, mut illegal) = (0, 0);
        self.nodes.push(Node {
            before: 0,
            mv: Move::NULL,
            goes_on: false,
        });
        while !wave.is_empty() {
            let mut next = Vec::new();
            for (place, position) in wave {
                let key = position.polyglot_key();
                let from = entries.partition_point(|entry| entry.key < key);
                for entry in entries[from..].iter().take_while(|entry| entry.key == key) {
                    reached += 1;
                    let Some(mv) = entry.legal(&position) else {
                        illegal += 1;
                        continue;
                    };
                    let mut after = position.clone();
                    after.make(mv);
                    let Ok(number) = u32::try_from(self.nodes.len()) else {
                        continue;
                    };
                    if seen.insert(after.polyglot_key()) {
                        self.nodes[place as usize].goes_on = true;
                        self.nodes.push(Node {
                            before: place,
                            mv,
                            goes_on: false,
                        });
                        next.push((number, after));
                    }
                }
            }
            wave = next;
        }
        let name = leitai_base::foreign::shown(self.bytes.name());
        let unreached = entries.len() as u64 - reached;
        if unreached > 0 {
            let entries = count(unreached, "entry", "entries");
            self.notes.push(format!(
                "{name}: {entries} of positions that no line from the usual start reaches: left out"
            ));
        }
        if illegal > 0 {
            let entries = count(illegal, "entry", "entries");
            self.notes
                .push(format!("{name}: {entries} with an illegal move: left out"));
        }
    }

    /// The moves from the usual start to a node.
    fn moves(&self, node: usize) -> Vec<Move> {
        let mut moves = Vec::new();
        let mut place = node;
        while place > 0 {
            moves.push(self.nodes[place].mv);
            place = self.nodes[place].before as usize;
        }
        moves.reverse();
        moves
    }
}

impl GameReader for PolyglotReader<'_> {
    fn next_game(&mut self, rules: Rules) -> Result<Option<Result<Game, Damage>>, TextError> {
        if let Some(file) = self.bytes.all(LARGEST, "make a book of fewer games")? {
            let entries = self.entries(&file)?;
            self.explore(&entries);
            if self.nodes.len() == 1 {
                return Err(TextError::file(
                    self.bytes.name(),
                    "the book has no move of the usual start",
                    "only books of plain chess are read: is it one of Chess960 or of another game?",
                ));
            }
        }
        while self.nodes.get(self.next).is_some_and(|node| node.goes_on) {
            self.next += 1;
        }
        if self.next >= self.nodes.len() {
            return Ok(None);
        }
        self.games += 1;
        let card = Card::<Chess>::get();
        let mut game = Game::new(&Chess::initial(), Tags::of(card), rules);
        game.number = self.games;
        for mv in self.moves(self.next) {
            game.play(mv);
        }
        self.next += 1;
        Ok(Some(Ok(game)))
    }

    fn name(&self) -> &str {
        self.bytes.name()
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use leitai_game::card::Begins;

    fn after(moves: &str) -> Chess {
        let mut position = Chess::initial();
        for word in moves.split_whitespace() {
            let mv = position.parse_move(word).unwrap();
            position.make(mv);
        }
        position
    }

    #[test]
    fn keys_are_the_published_ones() {
        for (moves, key) in [
            ("", 0x463b_9618_1691_fc9c),
            ("e2e4", 0x823c_9b50_fd11_4196),
            ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
            ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
        ] {
            assert_eq!(after(moves).polyglot_key(), key, "{moves}");
        }
    }

    /// The bits of a move of a book.
    fn bits(word: &str) -> u16 {
        let bytes = word.as_bytes();
        let square = |at: usize| u16::from(bytes[at] - b'a') | u16::from(bytes[at + 1] - b'1') << 3;
        let promotion = bytes
            .get(4)
            .map_or(0, |it| 1 + b"nbrq".iter().position(|p| p == it).unwrap());
        square(2) | square(0) << 6 | (promotion as u16) << 12
    }

    /// A book with these moves, each after the moves before it.
    fn book(entries: &[(&str, &str)]) -> Vec<u8> {
        let entry = |(moves, word): &(&str, &str)| {
            let mut entry = after(moves).polyglot_key().to_be_bytes().to_vec();
            entry.extend(bits(word).to_be_bytes());
            entry.extend([0, 1, 0, 0, 0, 0]);
            entry
        };
        let mut entries: Vec<_> = entries.iter().map(entry).collect();
        entries.sort();
        entries.concat()
    }

    fn read(book: &[u8]) -> Result<(Vec<String>, Vec<String>), String> {
        let mut reader = PolyglotReader::new(Bytes::new(book, "a.bin"));
        let mut lines = Vec::new();
        let rules = crate::card().rules();
        while let Some(game) = reader.next_game(rules).map_err(|error| error.to_string())? {
            let moves = game.unwrap().play.moves().into_iter().map(Chess::move_text);
            lines.push(moves.collect::<Vec<_>>().join(" "));
        }
        Ok((lines, reader.notes()))
    }

    fn is_one(start: &[u8]) -> bool {
        matches!(FORMATS[0].begins, Begins::Bytes(is_it) if is_it(start))
    }

    #[test]
    fn lines_lead_to_every_position_of_a_book() {
        let castles = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5";
        let book = book(&[
            ("", "e2e4"),
            ("", "d2d4"),
            ("e2e4", "e7e5"),
            ("e2e4 e7e5", "g1f3"),
            ("e2e4 e7e5 g1f3", "b8c6"),
            ("e2e4 e7e5 g1f3 b8c6", "f1c4"),
            ("e2e4 e7e5 g1f3 b8c6 f1c4", "f8c5"),
            (castles, "e1h1"),
            // The same position by other moves, and a position that no line reaches.
            ("", "g1f3"),
            ("g1f3", "e7e5"),
            ("g1f3 e7e5", "e2e4"),
            ("a2a4", "a7a5"),
            ("d2d4", "e8e7"),
        ]);
        assert!(is_one(&book));
        let (lines, notes) = read(&book).unwrap();
        // The shorter line leads into the longer one, by a position of its own.
        let castled = "g1f3 e7e5 e2e4 b8c6 f1c4 f8c5 e1g1";
        assert_eq!(lines, ["d2d4", "e2e4 e7e5", castled]);
        assert_eq!(
            notes,
            [
                "a.bin: 1 entry of positions that no line from the usual start reaches: left out",
                "a.bin: 1 entry with an illegal move: left out"
            ]
        );
    }

    #[test]
    fn damaged_books_are_reported() {
        let whole = book(&[("", "e2e4"), ("e2e4", "e7e5"), ("a2a4", "a7a5")]);
        let mut unsorted = whole.clone();
        unsorted.rotate_left(ENTRY);
        let foreign = book(&[("a2a4", "a7a5")]);
        for (bytes, what) in [
            (&whole[..40], "incomplete"),
            (&unsorted, "not sorted"),
            (&foreign, "no move of the usual start"),
        ] {
            let error = read(bytes).unwrap_err();
            assert!(error.contains(what) && error.contains("help: "), "{error}");
        }
        assert!(is_one(&unsorted));
    }

    #[test]
    fn other_files_are_no_books() {
        assert!(is_one(&book(&[("", "e2e4")])));
        let text = "[Event \"x\"]\n\n1. e4 e5 *\n";
        let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for bytes in [
            text.as_bytes(),
            &wide,
            &[0; 64],
            &[0xFF; 64],
            b"",
            b"\0",
            "炮二平五 马８进７\n车一平二".as_bytes(),
        ] {
            assert!(!is_one(bytes), "{bytes:?}");
        }
    }
}
