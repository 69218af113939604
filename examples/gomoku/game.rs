//! Gomoku on 15 x 15 squares: five or more stones in a row win. A square is a number from 0 at the
//! top left, row by row.

use std::sync::LazyLock;

use leitai::card::{Facts, Game, Linear, Ways};
use leitai::game::view::{Cells, Figure, MarkKind, Place, Tint, View};
use leitai::game::{Cause, Move, MoveList, Position, PositionError, Side, Verdict};
use leitai::numbers::{EvalParams, Key, NumberTable};
use leitai::protocol::UCI;
use leitai::search::Tactics;

use super::gomocup::GOMOCUP;

pub(crate) const SIZE: usize = 15;
const SQUARES: usize = SIZE * SIZE;
/// A cause of an end that only this game has.
const FIVE: Cause = Cause::own("five-in-a-row");
const BLACK: Figure = Figure::disc('X', Side::First, Tint::Black);
const WHITE: Figure = Figure::disc('O', Side::Second, Tint::White);

/// The 572 lines of five squares.
static LINES: LazyLock<Vec<[usize; 5]>> = LazyLock::new(|| {
    let starts = (0..SQUARES).flat_map(|at| DIRECTIONS.map(|step| (at, step)));
    let inside = |(at, (right, down)): &(usize, (i32, i32))| {
        let ends = [
            (at % SIZE) as i32 + 4 * right,
            (at / SIZE) as i32 + 4 * down,
        ];
        ends.iter().all(|end| (0..SIZE as i32).contains(end))
    };
    let line = |(at, (right, down))| {
        let step = right + down * SIZE as i32;
        std::array::from_fn(|place| (at as i32 + place as i32 * step) as usize)
    };
    starts.filter(inside).map(line).collect()
});

/// For each square the lines through it.
static THROUGH: LazyLock<Vec<Vec<usize>>> = LazyLock::new(|| {
    let has = |square| move |line: &usize| LINES[*line].contains(&square);
    let through = |square| (0..LINES.len()).filter(has(square)).collect();
    (0..SQUARES).map(through).collect()
});

const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

/// The squares from the centre outwards.
static OUTWARDS: LazyLock<Vec<Move>> = LazyLock::new(|| {
    let mut squares: Vec<usize> = (0..SQUARES).collect();
    squares.sort_by_key(|at| (at % SIZE).abs_diff(7).max((at / SIZE).abs_diff(7)));
    squares.into_iter().map(|at| Move(at as u16)).collect()
});

static NUMBERS: LazyLock<NumberTable> = LazyLock::new(|| {
    let row =
        |stones: &'static str, about, usual| Key::weight(stones, about, 2_000).with_default(usual);
    let keys = vec![
        row(
            "twos",
            "Two stones in five squares without a stone of the other side.",
            4,
        ),
        row("threes", "Three of them.", 20),
        row("fours", "Four of them.", 120),
    ];
    NumberTable::from_keys(Gomoku::NAME, "Gomoku", keys, &[])
});

/// The square of `7,7`, column and row from 0, as in the protocol of Gomocup.
pub(crate) fn square(text: &str) -> Option<usize> {
    let (column, row) = text.split_once(',')?;
    let number = |text: &str| text.parse::<usize>().ok().filter(|it| *it < SIZE);
    Some(number(row)? * SIZE + number(column)?)
}

/// A position: the stones, the counts of stones in each line, and the side to move.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Gomoku {
    stones: [Option<Side>; SQUARES],
    counts: [Vec<u8>; 2],
    fives: [u16; 2],
    left: usize,
    key: u64,
    side: Side,
}

impl Gomoku {
    /// Puts a stone on an empty square, or removes it.
    fn change(&mut self, square: usize, side: Side, puts: bool) {
        self.stones[square] = puts.then_some(side);
        self.left = if puts { self.left - 1 } else { self.left + 1 };
        let number = (2 * square + side.index() + 1) as u64;
        let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.key ^= (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        for &line in &THROUGH[square] {
            let count = &mut self.counts[side.index()][line];
            let fives = &mut self.fives[side.index()];
            *fives -= u16::from(*count == 5);
            *count = if puts { *count + 1 } else { *count - 1 };
            *fives += u16::from(*count == 5);
        }
    }

    fn is_over(&self) -> bool {
        self.fives != [0, 0]
    }

    fn rows(&self) -> Vec<String> {
        let letter = |stone: &Option<Side>| stone.map_or('.', |side| ['X', 'O'][side.index()]);
        let rows = self.stones.chunks(SIZE);
        rows.map(|row| row.iter().map(letter).collect()).collect()
    }
}

impl Position for Gomoku {
    const NAME: &'static str = "gomoku";
    const SIDE_NAMES: [&'static str; 2] = ["black", "white"];
    type Undo = ();
    type Moves = MoveList<SQUARES>;
    type Rules = ();

    fn initial() -> Self {
        let counts = vec![0; LINES.len()];
        Self {
            stones: [None; SQUARES],
            counts: [counts.clone(), counts],
            fives: [0; 2],
            left: SQUARES,
            key: 0,
            side: Side::First,
        }
    }

    fn from_fen(text: &str) -> Result<Self, PositionError> {
        let mut read = Self::initial();
        let (board, side) = text.split_once(' ').unwrap_or_default();
        let letters = board.chars().filter(|letter| *letter != '/');
        for (square, letter) in (0..SQUARES).zip(letters) {
            if let Some(side) = "XO".find(letter) {
                read.change(square, Side::BOTH[side], true);
            }
        }
        read.side = Side::BOTH[usize::from(side == "O")];
        let wrong = || PositionError::new(text, "no 15 rows of `X`, `O` and `.`, and a side");
        (read.to_fen() == text).then_some(read).ok_or_else(wrong)
    }

    fn to_fen(&self) -> String {
        format!(
            "{} {}",
            self.rows().join("/"),
            ["X", "O"][self.side.index()]
        )
    }

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn key(&self) -> u64 {
        self.key ^ self.side as u64
    }

    fn legal_moves(&self, moves: &mut MoveList<SQUARES>) {
        let is_empty = |mv: &&Move| self.stones[usize::from(mv.0)].is_none();
        if !self.is_over() {
            moves.extend(OUTWARDS.iter().filter(is_empty).copied());
        }
    }

    fn make(&mut self, Move(square): Move) {
        self.change(square.into(), self.side, true);
        self.side = self.side.other();
    }

    fn unmake(&mut self, Move(square): Move, (): ()) {
        self.side = self.side.other();
        self.change(square.into(), self.side, false);
    }

    fn verdict_without_moves(&self) -> Verdict {
        let mut sides = Side::BOTH.into_iter();
        let winner = sides.find(|side| self.fives[side.index()] > 0);
        winner.map_or(Verdict::draw(Cause::BoardFull), |side| {
            Verdict::win(side, FIVE)
        })
    }

    fn view(&self, last: Option<Move>) -> Option<View> {
        let mut view = View::new::<Self>(self.side, Cells::Points, 'a'..='o', (1..=15).rev());
        view.put_rows(&self.rows(), &[BLACK, WHITE]);
        last.inspect(|mv| {
            let at = usize::from(mv.0);
            view.mark(Place::new(at % SIZE, at / SIZE), MarkKind::To);
        });
        Some(view)
    }

    /// `h8` is the centre.
    fn move_text(Move(square): Move) -> String {
        let [column, row] = [usize::from(square) % SIZE, usize::from(square) / SIZE];
        format!("{}{}", char::from(b'a' + column as u8), SIZE - row % SIZE)
    }
}

impl Tactics for Gomoku {
    const EVERY_LINE_ENDS: bool = true;
}

impl Game for Gomoku {
    const FACTS: Facts = Facts {
        protocols: &[GOMOCUP, UCI],
        program_help: "write `protocol = \"gomocup\"` or `\"uci\"`",
        bench: ("", 5),
        move_from: |ways, theirs| match square(theirs) {
            Some(at) if ways.protocol == GOMOCUP => Some(Gomoku::move_text(Move(at as u16))),
            _ => Some(theirs.to_owned()),
        },
        ..Facts::new("Gomoku", "five stones in a row")
    };
    type Evaluation = Linear<Self>;

    fn numbers() -> &'static NumberTable {
        &NUMBERS
    }

    fn evaluation(params: &EvalParams, (): ()) -> Option<Linear<Self>> {
        Linear::new(params)
    }

    fn features(&self, add: &mut impl FnMut(usize, i32)) {
        let mut sums = [0; 6];
        let [own, other] = [self.side, self.side.other()].map(|side| &self.counts[side.index()]);
        for counts in own.iter().zip(other) {
            match counts {
                (0, stones) => sums[usize::from(*stones)] -= 1,
                (stones, 0) => sums[usize::from(*stones)] += 1,
                _ => {}
            }
        }
        (0..3).for_each(|number| add(number, sums[number + 2]));
    }

    /// The protocol of Gomocup counts columns and rows from 0.
    fn move_for(ways: &Ways, mv: Move) -> String {
        let at = usize::from(mv.0);
        if ways.protocol == GOMOCUP {
            format!("{},{}", at % SIZE, at / SIZE)
        } else {
            Self::move_text(mv)
        }
    }
}
