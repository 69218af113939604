//! The board: the pieces, the side to move, and the counters for the history rules.

use super::attacks::Occupancy;
use super::kind::Kind;
use super::square::{Square, squares};
use super::zobrist;
use leitai_game::{Move, Side};

/// A piece: its owner and its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The owner.
    pub side: Side,
    /// The kind.
    pub kind: Kind,
}

impl Piece {
    /// Number of different pieces.
    pub const COUNT: usize = 14;

    /// 0 to 13: red pieces first, by kind.
    pub const fn index(self) -> usize {
        self.side.index() * 7 + self.kind.index()
    }

    /// The piece of an [`index`](Piece::index).
    #[inline]
    const fn from_index(index: u8) -> Piece {
        const ALL: [Piece; Piece::COUNT] = {
            let mut all = [Piece {
                side: Side::First,
                kind: Kind::King,
            }; Piece::COUNT];
            let mut index = 0;
            while index < Piece::COUNT {
                all[index].side = Side::BOTH[index / 7];
                all[index].kind = Kind::ALL[index % 7];
                index += 1;
            }
            all
        };
        ALL[index as usize]
    }
}

/// No piece, in the mailbox.
const EMPTY: u8 = 14;

/// A position of Xiangqi.
///
/// Equality compares the written position: board, side to move, move-limit clock and move number.
#[derive(Clone, Debug)]
pub struct Xiangqi {
    pub(super) mailbox: [u8; 90],
    pub(super) kinds: [u128; 7],
    pub(super) sides: [u128; 2],
    pub(super) occupied: Occupancy,
    pub(super) kings: [Square; 2],
    pub(super) to_move: Side,
    pub(super) checked: bool,
    pub(super) key: u64,
    /// The key without the side to move, by [parts](zobrist::part).
    pub(super) parts: [u64; zobrist::PARTS],
    pub(super) clock: Clock,
    pub(super) move_number: u32,
}

impl PartialEq for Xiangqi {
    fn eq(&self, other: &Self) -> bool {
        self.mailbox == other.mailbox
            && self.to_move == other.to_move
            && self.clock.counted == other.clock.counted
            && self.move_number == other.move_number
    }
}

/// The counters of the move-limit and repetition rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Clock {
    /// Plies towards the limit of 120, without the free ones.
    pub(super) counted: u16,
    /// All plies since the last capture (or the start, or a null move).
    pub(super) reversible: u16,
    /// Checks since the last capture, by the side that gave them.
    pub(super) checks: [u16; 2],
}

/// Maximum number of checks of one side that count towards the move limit; later checks, and the
/// replies to them, are free.
const COUNTED_CHECKS: u16 = 10;

impl Clock {
    /// The clock after a quiet move of `mover`. `was_checked`: the mover was in check before it;
    /// `gives_check`: the move gives check.
    #[inline]
    fn after_quiet(mut self, mover: Side, was_checked: bool, gives_check: bool) -> Self {
        self.reversible = self.reversible.saturating_add(1);
        let reply_is_free = was_checked && self.checks[mover.other().index()] > COUNTED_CHECKS;
        let checks = &mut self.checks[mover.index()];
        if gives_check {
            *checks = checks.saturating_add(1);
        }
        let check_is_free = gives_check && *checks > COUNTED_CHECKS;
        if !check_is_free && !reply_is_free {
            self.counted += 1;
        }
        self
    }
}

/// The information to undo a move.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    key: u64,
    parts: [u64; zobrist::PARTS],
    clock: Clock,
    captured: u8,
    checked: bool,
}

impl Undo {
    /// Returns whether the mover was in check.
    pub(super) fn checked(self) -> bool {
        self.checked
    }
}

/// The move from one square to another.
pub(super) const fn encode(from: Square, to: Square) -> Move {
    Move((from.index() | to.index() << 7) as u16)
}

/// The squares of a valid move.
#[inline]
pub(super) const fn decode(mv: Move) -> (Square, Square) {
    (
        Square::of((mv.0 & 0x7f) as usize),
        Square::of((mv.0 >> 7) as usize),
    )
}

impl Xiangqi {
    /// A board without pieces (not a legal position), for [`put`](Xiangqi::put) and then
    /// [`settle`](Xiangqi::settle).
    pub(super) fn empty() -> Self {
        Self {
            mailbox: [EMPTY; 90],
            kinds: [0; 7],
            sides: [0; 2],
            occupied: Occupancy::default(),
            kings: [Square::of(4), Square::of(85)],
            to_move: Side::First,
            checked: false,
            key: 0,
            parts: [0; zobrist::PARTS],
            clock: Clock::default(),
            move_number: 1,
        }
    }

    pub(super) fn put(&mut self, square: Square, piece: Piece) {
        self.mailbox[square.index()] = piece.index() as u8;
        self.kinds[piece.kind.index()] |= square.bit();
        self.sides[piece.side.index()] |= square.bit();
        self.occupied.toggle(square);
        if piece.kind == Kind::King {
            self.kings[piece.side.index()] = square;
        }
    }

    /// Computes the key and the check flag after calls of [`put`](Xiangqi::put).
    pub(super) fn settle(&mut self) {
        self.key = zobrist::key(self);
        self.parts = zobrist::parts_of(self);
        self.checked = self.is_attacked(self.kings[self.to_move.index()], self.to_move.other());
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let index = self.mailbox[square.index()];
        (index != EMPTY).then(|| Piece::from_index(index))
    }

    /// The squares of one side's pieces of a kind, in ascending order.
    pub fn pieces(&self, side: Side, kind: Kind) -> impl Iterator<Item = Square> {
        squares(self.set(side, kind))
    }

    #[inline]
    pub(super) fn set(&self, side: Side, kind: Kind) -> u128 {
        self.kinds[kind.index()] & self.sides[side.index()]
    }

    /// Origin and target of a move of this game; `None` for any other 16 bits.
    pub fn squares_of(mv: Move) -> Option<(Square, Square)> {
        Some((
            Square::new((mv.0 & 0x7f) as u8)?,
            Square::new(u8::try_from(mv.0 >> 7).ok()?)?,
        ))
    }

    /// The move between two squares.
    pub const fn move_between(from: Square, to: Square) -> Move {
        encode(from, to)
    }

    /// Plies towards the limit of 120 without a capture.
    pub fn quiet_plies(&self) -> u32 {
        u32::from(self.clock.counted)
    }

    /// The key after a legal move.
    #[inline]
    pub(crate) fn key_after_move(&self, mv: Move) -> u64 {
        let (from, to) = decode(mv);
        let moved = self.mailbox[from.index()];
        let captured = self.mailbox[to.index()];
        let mut key =
            self.key ^ zobrist::piece(moved, from) ^ zobrist::piece(moved, to) ^ zobrist::SIDE;
        if captured != EMPTY {
            key ^= zobrist::piece(captured, to);
        }
        key
    }

    #[inline]
    pub(super) fn make_move(&mut self, mv: Move) -> Undo {
        let (from, to) = decode(mv);
        let captured = self.mailbox[to.index()];
        let undo = Undo {
            key: self.key,
            parts: self.parts,
            clock: self.clock,
            captured,
            checked: self.checked,
        };
        let moved = self.mailbox[from.index()];
        let piece = Piece::from_index(moved);
        let us = self.to_move;
        let both = from.bit() | to.bit();

        self.key = self.key_after_move(mv);
        self.parts[zobrist::part(moved)] ^= zobrist::piece(moved, from) ^ zobrist::piece(moved, to);
        self.mailbox[from.index()] = EMPTY;
        self.mailbox[to.index()] = moved;
        self.kinds[piece.kind.index()] ^= both;
        self.sides[us.index()] ^= both;
        self.occupied = self.occupied.after(from, to);
        if captured != EMPTY {
            // Correct also for two pieces of one kind: the target bit was set, is toggled twice,
            // and stays set for the attacker.
            let victim = Piece::from_index(captured);
            self.kinds[victim.kind.index()] ^= to.bit();
            self.sides[us.other().index()] ^= to.bit();
            self.parts[zobrist::part(captured)] ^= zobrist::piece(captured, to);
        }
        if piece.kind == Kind::King {
            self.kings[us.index()] = to;
        }
        self.to_move = us.other();
        self.move_number += us.index() as u32;
        self.checked = self.is_attacked(self.kings[us.other().index()], us);
        self.clock = if captured == EMPTY {
            undo.clock.after_quiet(us, undo.checked, self.checked)
        } else {
            Clock::default()
        };
        undo
    }

    #[inline]
    pub(super) fn unmake_move(&mut self, mv: Move, undo: Undo) {
        let (from, to) = decode(mv);
        let moved = self.mailbox[to.index()];
        let piece = Piece::from_index(moved);
        let us = piece.side;
        let both = from.bit() | to.bit();

        self.mailbox[from.index()] = moved;
        self.mailbox[to.index()] = undo.captured;
        self.kinds[piece.kind.index()] ^= both;
        self.sides[us.index()] ^= both;
        self.occupied = self.occupied.after(to, from);
        if undo.captured != EMPTY {
            self.occupied.toggle(to);
            let victim = Piece::from_index(undo.captured);
            self.kinds[victim.kind.index()] |= to.bit();
            self.sides[victim.side.index()] |= to.bit();
        }
        if piece.kind == Kind::King {
            self.kings[us.index()] = from;
        }
        self.to_move = us;
        self.move_number -= us.index() as u32;
        self.checked = undo.checked;
        self.clock = undo.clock;
        self.key = undo.key;
        self.parts = undo.parts;
    }

    /// Passes the turn. The side to move is not in check, and the other side never is before a
    /// move, so neither side is in check afterwards.
    #[inline]
    pub(super) fn pass(&mut self) -> Undo {
        let undo = Undo {
            key: self.key,
            parts: self.parts,
            clock: self.clock,
            captured: EMPTY,
            checked: self.checked,
        };
        self.move_number += self.to_move.index() as u32;
        self.to_move = self.to_move.other();
        self.key ^= zobrist::SIDE;
        self.checked = false;
        self.clock.reversible = 0;
        undo
    }

    #[inline]
    pub(super) fn take_back_pass(&mut self, undo: Undo) {
        self.to_move = self.to_move.other();
        self.move_number -= self.to_move.index() as u32;
        self.checked = undo.checked;
        self.clock = undo.clock;
        self.key = undo.key;
    }
}

/// The usual starting position.
pub(super) fn initial() -> Xiangqi {
    const BACK: [Kind; 9] = [
        Kind::Rook,
        Kind::Horse,
        Kind::Elephant,
        Kind::Advisor,
        Kind::King,
        Kind::Advisor,
        Kind::Elephant,
        Kind::Horse,
        Kind::Rook,
    ];
    let mut position = Xiangqi::empty();
    for side in Side::BOTH {
        let mut put = |file: usize, rank: usize, kind| {
            let seen = Square::of(rank * 9 + file);
            let square = if side == Side::First {
                seen
            } else {
                seen.rotated()
            };
            position.put(square, Piece { side, kind });
        };
        for (file, kind) in BACK.into_iter().enumerate() {
            put(file, 0, kind);
        }
        put(1, 2, Kind::Cannon);
        put(7, 2, Kind::Cannon);
        for file in [0, 2, 4, 6, 8] {
            put(file, 3, Kind::Pawn);
        }
    }
    position.settle();
    position
}

/// Compares all incremental state with the mailbox.
pub(super) fn check_integrity(position: &Xiangqi) -> Result<(), String> {
    let mut fresh = Xiangqi::empty();
    for square in (0..90).filter_map(Square::new) {
        if let Some(piece) = position.piece_at(square) {
            fresh.put(square, piece);
        }
    }
    fresh.to_move = position.to_move;
    fresh.settle();
    let occupied = Occupancy::of(position.sides[0] | position.sides[1]);
    let same = [
        ("kinds", fresh.kinds == position.kinds),
        ("sides", fresh.sides == position.sides),
        ("kings", fresh.kings == position.kings),
        (
            "occupancy",
            fresh.occupied == position.occupied && occupied == position.occupied,
        ),
        ("check flag", fresh.checked == position.checked),
        ("key", fresh.key == position.key),
        ("parts of the key", fresh.parts == position.parts),
    ];
    match same.iter().find(|(_, equal)| !equal) {
        None => Ok(()),
        Some((field, _)) => Err(format!("{field} differs from the board")),
    }
}
