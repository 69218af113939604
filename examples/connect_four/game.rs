//! The complete game of Connect Four: seven columns of six squares; four in a row win. A set of
//! squares is a `u64`: columns from the left, each with seven bits from the bottom. The last bit of
//! a column is always empty, so that no line continues into the next column.

use std::sync::LazyLock;

use leitai::card::{Facts, Game, Linear};
use leitai::game::view::{Cells, Figure, MarkKind, Place, Tint, View};
use leitai::game::{Cause, ImageKeys, Move, MoveList, Position, PositionError, Side, Verdict};
use leitai::numbers::{EvalParams, Key, NumberTable};
use leitai::search::Tactics;

const COLUMN: u64 = 0b111_1111;
const BOARD: u64 = (1 | 1 << 7 | 1 << 14 | 1 << 21 | 1 << 28 | 1 << 35 | 1 << 42) * 0b11_1111;
/// Distances between neighbouring squares of a line: up, to the right, and the two diagonals.
const STEPS: [u32; 4] = [1, 7, 6, 8];
/// The columns from the centre outwards.
const OUTWARDS: [u16; 7] = [3, 2, 4, 1, 5, 0, 6];
const RED: Figure = Figure::disc('X', Side::First, Tint::Red);
const YELLOW: Figure = Figure::disc('O', Side::Second, Tint::Yellow);

/// The 69 lines of four squares.
static LINES: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let line = |step: u32| (0..4).map(|place| 1 << (place * step)).sum::<u64>();
    let lines = |step| (0..48).map(move |at| line(step) << at);
    let is_whole = |line: &u64| (line & BOARD).count_ones() == 4;
    STEPS.into_iter().flat_map(lines).filter(is_whole).collect()
});

static NUMBERS: LazyLock<NumberTable> = LazyLock::new(|| {
    let row = |row: u32| ('a'..='g').map(move |column| format!("{column}{row}"));
    let names = (1..=6).rev().flat_map(row).collect();
    let threes = Key::weight("threes", "Three discs in line, and an empty square.", 500);
    let twos = Key::weight("twos", "Two discs in line, and two empty squares.", 500);
    let squares = Key::squares("squares", "A disc on each square.", 500, 7, names).symmetric();
    let keys = vec![threes.with_default(40), twos.with_default(8), squares];
    NumberTable::from_keys(ConnectFour::NAME, ConnectFour::FACTS.title, keys, &[])
});

/// A position: the discs of both sides, and the side to move.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ConnectFour {
    discs: [u64; 2],
    side: Side,
}

impl ConnectFour {
    /// The square on which a disc lands; above the board in a full column.
    fn landing(&self, Move(column): Move) -> u64 {
        let shift = 7 * u32::from(column % 7);
        ((self.discs[0] | self.discs[1]) & COLUMN << shift) + (1 << shift)
    }

    fn winner(&self) -> Option<Side> {
        let run = |set: u64, step| set & set >> step & set >> (2 * step) & set >> (3 * step);
        let has_four = |set| STEPS.iter().any(|step| run(set, step) != 0);
        let has_won = |side: &Side| has_four(self.discs[side.index()]);
        Side::BOTH.into_iter().find(has_won)
    }

    /// Returns the squares as letters, the top row first.
    fn rows(&self) -> [String; 6] {
        let letter = |square: usize| match self.discs.map(|discs| discs >> square & 1) {
            [1, _] => 'X',
            [_, 1] => 'O',
            _ => '.',
        };
        std::array::from_fn(|row| (0..7).map(|column| letter(7 * column + 5 - row)).collect())
    }
}

impl Position for ConnectFour {
    const NAME: &'static str = "connect-four";
    const SIDE_NAMES: [&'static str; 2] = ["red", "yellow"];
    type Undo = u64;
    type Moves = MoveList;
    type Rules = ();

    fn initial() -> Self {
        let (discs, side) = ([0; 2], Side::First);
        Self { discs, side }
    }

    fn from_fen(text: &str) -> Result<Self, PositionError> {
        let mut read = Self::initial();
        let (board, side) = text.split_once(' ').unwrap_or_default();
        for (column, letter) in board.rsplit('/').flat_map(|row| (0..7).zip(row.chars())) {
            let square = read.landing(Move(column));
            read.discs[0] |= if letter == 'X' { square } else { 0 };
            read.discs[1] |= if letter == 'O' { square } else { 0 };
        }
        read.side = [Side::First, Side::Second][usize::from(side == "O")];
        let wrong = || PositionError::new(text, "no board and side, or a disc in the air");
        (read.to_fen() == text).then_some(read).ok_or_else(wrong)
    }

    fn to_fen(&self) -> String {
        let (rows, side) = (self.rows().join("/"), ["X", "O"][self.side.index()]);
        format!("{rows} {side}")
    }

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn key(&self) -> u64 {
        let mix = |bits: u64| (bits ^ bits >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let [red, yellow] = self.discs.map(|discs| discs << 1 | self.side as u64);
        mix(mix(mix(red)).wrapping_add(yellow).rotate_left(32))
    }

    fn image_keys(&self) -> ImageKeys {
        let column = |discs: u64, at: u32| (discs >> (7 * at) & COLUMN) << (7 * (6 - at));
        let discs = self
            .discs
            .map(|discs| (0..7).map(|at| column(discs, at)).sum());
        let mirrored = Self { discs, ..*self };
        [self.key(), mirrored.key()].into_iter().collect()
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        let is_over = self.winner().is_some();
        let has_room = |mv: &Move| !is_over && self.landing(*mv) & BOARD != 0;
        moves.extend(OUTWARDS.map(Move).into_iter().filter(has_room));
    }

    fn make(&mut self, mv: Move) -> u64 {
        let square = self.landing(mv);
        self.discs[self.side.index()] |= square;
        self.side = self.side.other();
        square
    }

    fn unmake(&mut self, _: Move, square: u64) {
        self.side = self.side.other();
        self.discs[self.side.index()] ^= square;
    }

    fn verdict_without_moves(&self) -> Verdict {
        let won = self.winner().map(|side| Verdict::win(side, Cause::Goal));
        won.unwrap_or(Verdict::draw(Cause::BoardFull))
    }

    fn view(&self, last: Option<Move>) -> Option<View> {
        let mut view = View::new::<Self>(self.side, Cells::Squares, 'a'..='g', (1..=6).rev());
        view.put_rows(&self.rows(), &[RED, YELLOW]);
        let row = |mv| 6 - self.landing(mv).trailing_zeros() as usize % 7;
        last.inspect(|mv| view.mark(Place::new(mv.0.into(), row(*mv)), MarkKind::To));
        Some(view)
    }

    fn move_text(Move(column): Move) -> String {
        char::from(b'a' + (column % 26) as u8).to_string()
    }
}

impl Tactics for ConnectFour {
    const EVERY_LINE_ENDS: bool = true;
}

impl Game for ConnectFour {
    const FACTS: Facts = Facts::new("Connect Four", "four discs in a row");
    type Evaluation = Linear<Self>;

    fn numbers() -> &'static NumberTable {
        &NUMBERS
    }

    fn evaluation(params: &EvalParams, (): ()) -> Option<Linear<Self>> {
        Linear::new(params)
    }

    fn features(&self, add: &mut impl FnMut(usize, i32)) {
        let [own, other] = [self.side, self.side.other()].map(|side| self.discs[side.index()]);
        let mut counts = [0; 5];
        for line in LINES.iter() {
            match [own & line, other & line].map(u64::count_ones) {
                [discs, 0] => counts[discs as usize] += 1,
                [0, discs] => counts[discs as usize] -= 1,
                _ => {}
            }
        }
        add(0, counts[3]);
        add(1, counts[2]);
        for place in 0..42 {
            let disc = |discs: u64| (discs >> (7 * (place % 7) + 5 - place / 7) & 1) as i32;
            add(2 + place, disc(own) - disc(other));
        }
    }
}
