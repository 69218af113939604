//! Dobutsu shogi (Madoka Kitao, 2008): three columns, four rows, and four animals a side. A captured
//! animal changes sides and can be dropped on an empty square. The lion is mated, or it wins by
//! reaching the far row.
//!
//! A position is its four rows from the top, two rows of captured animals, and the side to move;
//! large letters are white's: `gle/.c./.C./ELG/.../... w`. A move is `16 * from + to` by the squares
//! from the top left, and a drop of an animal is from `12 + animal`.

use std::sync::LazyLock;

use leitai::card::{Facts, Game, Linear};
use leitai::game::view::{Cells, Figure, MarkKind, Place, Tint, View};
use leitai::game::{Cause, ImageKeys, Line, Move, MoveList, Position, PositionError};
use leitai::game::{Scope, Side, Verdict};
use leitai::numbers::{EvalParams, Key, NumberTable};
use leitai::protocol::{UCI, USI};
use leitai::search::{OrderValues, Tactics};

#[path = "record.rs"]
pub(crate) mod record;

/// Chick, elephant, giraffe, lion and hen. The first three may be in a hand.
const ANIMALS: &str = "CEGLH";
const NAMES: [&str; 5] = ["chick", "elephant", "giraffe", "lion", "hen"];
const LION: usize = 3;
/// The steps of each animal of white, as differences on a board with six columns.
const STEPS: [&[i32]; 5] = [
    &[-6],
    &[-7, -5, 5, 7],
    &[-6, -1, 1, 6],
    &[-7, -6, -5, -1, 1, 5, 6, 7],
    &[-7, -6, -5, -1, 1, 6],
];
/// The far row of each side.
const FAR: [usize; 2] = [0, 3];

static NUMBERS: LazyLock<NumberTable> = LazyLock::new(|| {
    let weight = |(name, value)| {
        let meaning = "An animal on the board or captured, or a row of the lion's way.";
        Key::weight(name, meaning, 1_000).with_default(value)
    };
    let names = NAMES
        .into_iter()
        .chain(["chick-in-hand", "elephant-in-hand", "giraffe-in-hand"]);
    let values = [100, 250, 300, 30, 400, 120, 280, 330];
    let keys = names.zip(values).map(weight).collect();
    NumberTable::from_keys(Dobutsu::NAME, Dobutsu::FACTS.title, keys, &[])
});

leitai::settings::settings! {
    /// The rules that can be chosen.
    #[derive(Copy)]
    pub struct DobutsuRules {
        /// A lion that reaches the far row wins.
        reach: bool = true;
    }
}

/// A position: the letters of 12 squares and of at most 6 captured animals, and the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Dobutsu([char; 18], Side);

fn animal(letter: char) -> Option<usize> {
    ANIMALS.find(letter.to_ascii_uppercase())
}

fn of(side: Side, letter: char) -> char {
    match side {
        Side::First => letter.to_ascii_uppercase(),
        Side::Second => letter.to_ascii_lowercase(),
    }
}

/// The squares to which the animal of a letter can step.
fn steps(square: usize, letter: char) -> impl Iterator<Item = usize> {
    let steps = animal(letter).map_or(&[][..], |animal| STEPS[animal]);
    let sign = if letter.is_ascii_uppercase() { 1 } else { -1 };
    let wide = (square % 3 + square / 3 * 6 + 1) as i32;
    let wide = steps.iter().map(move |step| wide + sign * step);
    let on_board = wide.filter(|at| (0..24).contains(at) && (1..=3).contains(&(at % 6)));
    on_board.map(|at| (at / 6 * 3 + at % 6 - 1) as usize)
}

/// The places that a move is from and to.
fn places(Move(mv): Move) -> [usize; 2] {
    [mv / 16 % 15, mv % 16 % 12].map(usize::from)
}

impl Dobutsu {
    /// The places of a side's animals and their letters.
    fn animals(&self, side: Side) -> impl Iterator<Item = (usize, char)> {
        let is_own = move |letter: char| letter.is_alphabetic() && of(side, letter) == letter;
        (0..).zip(self.0).filter(move |it| is_own(it.1))
    }

    fn attacks(&self, side: Side, square: usize) -> bool {
        let mut on_board = self.animals(side).take_while(|it| it.0 < 12);
        on_board.any(|(from, letter)| steps(from, letter).any(|to| to == square))
    }

    fn lion(&self, side: Side) -> Option<usize> {
        self.0.iter().position(|it| *it == of(side, 'L'))
    }

    fn is_in_check(&self, side: Side) -> bool {
        let lion = self.lion(side);
        lion.is_some_and(|lion| self.attacks(side.other(), lion))
    }

    fn after(mut self, mv: Move) -> Self {
        self.make(mv);
        self
    }
}

impl Position for Dobutsu {
    const NAME: &'static str = "dobutsu";
    const SIDE_NAMES: [&'static str; 2] = ["white", "black"];
    type Undo = Self;
    type Moves = MoveList;
    type Rules = DobutsuRules;

    fn initial() -> Self {
        Self::from_fen("gle/.c./.C./ELG/.../... w").expect("a position")
    }

    fn from_fen(text: &str) -> Result<Self, PositionError> {
        let (rows, side) = text.split_once(' ').unwrap_or_default();
        let letters: Vec<char> = rows.chars().filter(|it| *it != '/').collect();
        let board = letters.try_into().unwrap_or(['.'; 18]);
        let read = Self(board, Side::BOTH[usize::from(side == "b")]);
        let animals = board.into_iter().filter_map(animal).count();
        let is_whole = animals == 8 && board.iter().filter(|it| **it == '.').count() == 10;
        let lions = |side| board.iter().filter(|it| **it == of(side, 'L')).count();
        let has_lions = Side::BOTH.map(lions) == [1; 2];
        let hand = &board[12..];
        let is_hand = hand.is_sorted() && !hand.iter().any(|it| "HhLl".contains(*it));
        let is_legal = is_whole && is_hand && has_lions;
        let is_legal = is_legal && !read.is_in_check(read.1.other()) && read.to_fen() == text;
        let wrong = || PositionError::new(text, "no rows of eight animals and side to move");
        is_legal.then_some(read).ok_or_else(wrong)
    }

    fn to_fen(&self) -> String {
        let rows = self.0.chunks(3).map(String::from_iter);
        rows.collect::<Vec<_>>().join("/") + [" w", " b"][self.1.index()]
    }

    fn side_to_move(&self) -> Side {
        self.1
    }

    fn key(&self) -> u64 {
        self.0.iter().fold(1 + self.1 as u64, |key, letter| {
            let mixed = (key ^ u64::from(*letter)).wrapping_mul(0xd6e8_feb8_6659_fd93);
            mixed ^ mixed >> 29
        })
    }

    fn image_keys(&self) -> ImageKeys {
        let mut mirrored = *self;
        let rows = mirrored.0[..12].chunks_mut(3);
        rows.for_each(<[char]>::reverse);
        [self.key(), mirrored.key()].into_iter().collect()
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        let mut add = |from: usize, to: usize| {
            let mv = Move((16 * from + to) as u16);
            if !self.after(mv).is_in_check(self.1) {
                moves.push(mv);
            }
        };
        let is_free = |to: &usize| self.0[*to] == '.' || of(self.1, self.0[*to]) != self.0[*to];
        for (from, letter) in self.animals(self.1).take_while(|it| it.0 < 12) {
            steps(from, letter)
                .filter(is_free)
                .for_each(|to| add(from, to));
        }
        for (animal, letter) in ANIMALS.chars().enumerate() {
            if self.0[12..].contains(&of(self.1, letter)) {
                let empty = (0..12).filter(|to| self.0[*to] == '.');
                empty.for_each(|to| add(12 + animal, to));
            }
        }
    }

    fn make(&mut self, mv: Move) -> Self {
        let (before, side, [from, to]) = (*self, self.1, places(mv));
        let in_hand = |animal| of(side, char::from(ANIMALS.as_bytes()[animal]));
        let at = |letter| self.0.iter().rposition(|it| *it == letter);
        let from = from
            .checked_sub(12)
            .map_or(Some(from), |animal| at(in_hand(animal)));
        let from = from.expect("an animal");
        let mut moved = std::mem::replace(&mut self.0[from], '.');
        if from < 12 && moved == of(side, 'C') && to / 3 == FAR[side.index()] {
            moved = of(side, 'H');
        }
        let victim = std::mem::replace(&mut self.0[to], moved);
        if victim != '.' {
            // The hand is sorted, so that its first place is free.
            let kind = if "Hh".contains(victim) { 'C' } else { victim };
            self.0[12] = of(side, kind);
        }
        self.0[12..].sort_unstable();
        self.1 = side.other();
        before
    }

    fn unmake(&mut self, _: Move, before: Self) {
        *self = before;
    }

    fn in_check(&self) -> bool {
        self.is_in_check(self.1)
    }

    fn verdict_without_moves(&self) -> Verdict {
        let causes = [Cause::Stalemate, Cause::Checkmate];
        Verdict::win(self.1.other(), causes[usize::from(self.in_check())])
    }

    /// Captured animals come back.
    fn reversible_plies(&self) -> usize {
        usize::MAX
    }

    fn judge(line: &Line<Self>, rules: DobutsuRules, scope: Scope) -> Option<Verdict> {
        let has_reached = |side: &Side| {
            let lion = line.position().lion(*side);
            rules.reach && lion.is_some_and(|lion| lion / 3 == FAR[side.index()])
        };
        if let Some(side) = Side::BOTH.into_iter().find(has_reached) {
            return Some(Verdict::win(side, Cause::Goal));
        }
        let repeats = line.repetition(scope);
        repeats.map(|_| Verdict::draw(Cause::Repetition))
    }

    fn view(&self, last: Option<Move>) -> Option<View> {
        let mut view = View::new::<Self>(self.1, Cells::Squares, 'a'..='c', (1..=4).rev());
        let place = |square: usize| Place::new(square % 3, square / 3);
        let glyphs = ['🐤', '🐘', '🦒', '🦁', '🐔'];
        for (side, tint) in Side::BOTH.into_iter().zip([Tint::White, Tint::Black]) {
            for (square, letter) in self.animals(side).take_while(|it| it.0 < 12) {
                let it = animal(letter).unwrap_or_default();
                let figure = Figure::glyph(letter, side, tint, NAMES[it], glyphs[it]);
                view.put(place(square), figure);
            }
        }
        last.inspect(|mv| view.mark(place(places(*mv)[1]), MarkKind::To));
        Some(view)
    }

    fn move_text(mv: Move) -> String {
        let name = |at: usize| format!("{}{}", ["a", "b", "c"][at % 3], 4 - at % 12 / 3);
        let [from, to] = places(mv);
        match from.checked_sub(12) {
            Some(animal) => format!("{}@{}", &ANIMALS[animal..=animal], name(to)),
            None => name(from) + &name(to),
        }
    }
}

impl Tactics for Dobutsu {
    const HAS_CAPTURES: bool = true;
    const HAS_CHECKS: bool = true;
    const USUAL_ORDER: OrderValues = OrderValues {
        worths: [100, 250, 300, 1_000, 400, 0, 0, 0],
        ..OrderValues::NONE
    };

    fn is_capture(&self, mv: Move) -> bool {
        self.0[places(mv)[1]] != '.'
    }

    fn victim_and_attacker(&self, mv: Move, order: &OrderValues) -> (i32, i32) {
        let [from, to] = places(mv);
        let worth = |animal: Option<usize>| animal.map_or(0, |animal| order.worths[animal]);
        let attacker = from.checked_sub(12).or_else(|| animal(self.0[from]));
        (worth(animal(self.0[to])), worth(attacker))
    }

    fn static_gain(&self, mv: Move, order: &OrderValues) -> i32 {
        let (victim, attacker) = self.victim_and_attacker(mv, order);
        let is_protected = self.after(mv).attacks(self.1.other(), places(mv)[1]);
        victim - if is_protected { attacker } else { 0 }
    }
}

impl Game for Dobutsu {
    const FACTS: Facts = Facts {
        protocols: &[USI, UCI],
        forms: &record::FORMS,
        ..Facts::new("Dobutsu shogi", "animals that change sides")
    };
    type Evaluation = Linear<Self>;

    fn numbers() -> &'static NumberTable {
        &NUMBERS
    }

    fn evaluation(params: &EvalParams, _: DobutsuRules) -> Option<Linear<Self>> {
        Linear::new(params)
    }

    fn features(&self, add: &mut impl FnMut(usize, i32)) {
        let mut counts = [0; 8];
        for (side, sign) in [(self.1, 1), (self.1.other(), -1)] {
            for (place, letter) in self.animals(side) {
                let rows = (place / 3).abs_diff(3 - FAR[side.index()]) as i32;
                match animal(letter) {
                    Some(LION) => counts[LION] += sign * rows,
                    Some(animal) => counts[animal + if place < 12 { 0 } else { 5 }] += sign,
                    None => {}
                }
            }
        }
        (0..)
            .zip(counts)
            .for_each(|(number, count)| add(number, count));
    }
}
