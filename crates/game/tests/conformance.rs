//! Tests that the suite detects broken games: Othello with one fault at a time.

use std::cell::Cell;

use leitai_game::conformance::{conforms, conforms_with_mirrors};
use leitai_game::{
    Cause, ImageKeys, Line, Move, MoveError, MoveList, Position, PositionError, Scope, Side,
    Verdict,
};
use leitai_othello::Othello;

const SOUND: u8 = 0;
const LISTS_TWICE: u8 = 1;
const BELIEVES_ALL: u8 = 2;
const MISCOUNTS: u8 = 3;
const FORGETS_TO_UNMAKE: u8 = 4;
const MISWRITES_MOVES: u8 = 5;
const MISREADS_POSITIONS: u8 = 6;
const FORGETS_SYMMETRY: u8 = 7;
const KEEPS_ITS_TURN: u8 = 8;
const KEEPS_NULL_MOVES: u8 = 9;
const HAS_NO_END: u8 = 10;
const ROLLS: u8 = 11;
const HIDES: u8 = 12;
const LISTS_TOO_MANY: u8 = 13;
const LISTS_HUNDREDS: u8 = 14;
const KEYS_NO_SIDE: u8 = 15;
const KEYS_ONE_PIECE: u8 = 16;
const LISTS_NULL: u8 = 17;
const NAMES_ALIKE: u8 = 18;

thread_local! {
    /// The fault of the game that this thread tests: one type has all faults.
    static FAULT: Cell<u8> = const { Cell::new(SOUND) };
}

fn has(fault: u8) -> bool {
    FAULT.get() == fault
}

#[derive(Clone, Debug, PartialEq)]
struct Faulty(Othello);

impl Position for Faulty {
    const NAME: &'static str = "faulty";
    const SIDE_NAMES: [&'static str; 2] = Othello::SIDE_NAMES;
    const PERFT_COUNTS_FINISHED: bool = true;
    type Undo = u64;
    type Moves = MoveList;
    type Rules = ();

    fn initial() -> Self {
        Self(Othello::initial())
    }

    fn from_fen(text: &str) -> Result<Self, PositionError> {
        let text = if has(MISREADS_POSITIONS) {
            text.replacen('X', "O", 1)
        } else {
            text.to_owned()
        };
        Othello::from_fen(&text).map(Self)
    }

    fn to_fen(&self) -> String {
        self.0.to_fen()
    }

    fn side_to_move(&self) -> Side {
        self.0.side_to_move()
    }

    fn key(&self) -> u64 {
        self.0.key()
    }

    fn image_keys(&self) -> ImageKeys {
        let keys = self.0.image_keys();
        let known = if has(FORGETS_SYMMETRY) { 1 } else { keys.len() };
        keys.into_iter().take(known).collect()
    }

    fn check_integrity(&self) -> Result<(), String> {
        self.0.check_integrity()
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        self.0.legal_moves(moves);
        if has(LISTS_TWICE) {
            moves.extend(moves.last().copied());
        }
    }

    fn count_legal_moves(&self) -> usize {
        self.0.count_legal_moves() + usize::from(has(MISCOUNTS) || has(LISTS_TWICE))
    }

    fn is_legal(&self, mv: Move) -> bool {
        has(BELIEVES_ALL) || self.0.is_legal(mv)
    }

    fn make(&mut self, mv: Move) -> u64 {
        self.0.make(mv)
    }

    fn unmake(&mut self, mv: Move, undo: u64) {
        if !has(FORGETS_TO_UNMAKE) {
            self.0.unmake(mv, undo);
        }
    }

    fn make_null(&mut self) -> Option<u64> {
        if has(KEEPS_ITS_TURN) {
            Some(0)
        } else {
            self.0.make_null()
        }
    }

    fn unmake_null(&mut self, undo: u64) {
        if !has(KEEPS_NULL_MOVES) {
            self.0.unmake_null(undo);
        }
    }

    fn verdict_without_moves(&self) -> Verdict {
        self.0.verdict_without_moves()
    }

    fn reversible_plies(&self) -> usize {
        0
    }

    fn judge(_line: &Line<Self>, _rules: (), _scope: Scope) -> Option<Verdict> {
        None
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        self.0.parse_move(text)
    }

    fn move_text(mv: Move) -> String {
        if has(MISWRITES_MOVES) {
            Othello::move_text(Move(mv.0 ^ 1))
        } else {
            Othello::move_text(mv)
        }
    }
}

fn tried(fault: u8, games: usize) {
    FAULT.set(fault);
    conforms::<Faulty>(1, games, 70);
}

#[test]
fn a_sound_game_passes() {
    tried(SOUND, 2);
}

#[test]
#[should_panic(expected = "is listed twice: ------")]
fn a_move_listed_twice() {
    tried(LISTS_TWICE, 1);
}

#[test]
#[should_panic(expected = "differs from the list: ------")]
fn a_legal_move_that_is_not_listed() {
    tried(BELIEVES_ALL, 1);
}

#[test]
#[should_panic(expected = "number of moves: ------")]
fn a_wrong_count() {
    tried(MISCOUNTS, 1);
}

#[test]
#[should_panic(expected = "after d3 is undone")]
fn a_move_that_is_not_taken_back() {
    tried(FORGETS_TO_UNMAKE, 1);
}

#[test]
#[should_panic(expected = "move read back: ------")]
fn a_move_text_that_reads_otherwise() {
    tried(MISWRITES_MOVES, 1);
}

#[test]
#[should_panic(expected = "the starting position reads back changed")]
fn a_position_text_that_reads_otherwise() {
    tried(MISREADS_POSITIONS, 1);
}

#[test]
#[should_panic(expected = "keys: mirror image 0, ------")]
fn keys_of_images_that_are_not_those_of_images() {
    FAULT.set(FORGETS_SYMMETRY);
    conforms_with_mirrors::<Faulty>(1, 1, 70, &[|position| Faulty(position.0.images()[4])]);
}

#[test]
#[should_panic(expected = "side to move: ------")]
fn a_null_move_that_keeps_the_turn() {
    tried(KEEPS_ITS_TURN, 1);
}

#[test]
#[should_panic(expected = "position: ------")]
fn a_null_move_that_is_not_taken_back() {
    tried(KEEPS_NULL_MOVES, 1);
}

/// Two pieces that walk on rings of eight places each, and a number that the text may leave out.
#[derive(Clone, Debug, PartialEq)]
struct Walk([u8; 2], Side, u64);

thread_local! {
    static ROLLED: Cell<u64> = const { Cell::new(0) };
}

impl Position for Walk {
    const NAME: &'static str = "walk";
    const SIDE_NAMES: [&'static str; 2] = ["first", "second"];
    type Undo = Self;
    type Moves = MoveList<700>;
    type Rules = ();

    fn initial() -> Self {
        Self([0, 4], Side::First, 0)
    }

    fn from_fen(text: &str) -> Result<Self, PositionError> {
        let places = (0..64).map(|number| [number / 8, number % 8]);
        let mut all = places.flat_map(|places| Side::BOTH.map(|side| Self(places, side, 0)));
        let found = all.find(|walk| walk.to_fen() == text);
        found.ok_or_else(|| PositionError::new(text, "no walk"))
    }

    fn to_fen(&self) -> String {
        format!(
            "{}/{} {}",
            self.0[0],
            self.0[1],
            Self::SIDE_NAMES[self.1.index()]
        )
    }

    fn side_to_move(&self) -> Side {
        self.1
    }

    fn key(&self) -> u64 {
        let side = if has(KEYS_NO_SIDE) { 0 } else { self.1 as u64 };
        let second = if has(KEYS_ONE_PIECE) { 0 } else { self.0[1] };
        let number = u64::from(self.0[0]) << 8 | u64::from(second) << 1 | side;
        (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn legal_moves(&self, moves: &mut MoveList<700>) {
        let count = match FAULT.get() {
            LISTS_TOO_MANY => 800,
            LISTS_HUNDREDS => 700,
            _ => 2,
        };
        moves.extend((0..count).map(Move));
        moves.extend(has(LISTS_NULL).then_some(Move::NULL));
    }

    fn make(&mut self, Move(mv): Move) -> Self {
        let before = self.clone();
        let rolled = ROLLED.replace(ROLLED.get() + 1);
        self.2 += u64::from(has(HIDES)) + if has(ROLLS) { rolled } else { 0 };
        let place = &mut self.0[self.1.index()];
        *place = (*place + if mv == 0 { 1 } else { 7 }) % 8;
        self.1 = self.1.other();
        before
    }

    fn unmake(&mut self, _: Move, before: Self) {
        *self = before;
    }

    fn verdict_without_moves(&self) -> Verdict {
        Verdict::draw(Cause::Stalemate)
    }

    fn reversible_plies(&self) -> usize {
        usize::MAX
    }

    fn judge(line: &Line<Self>, (): (), scope: Scope) -> Option<Verdict> {
        let repeats = line.repetition(scope).filter(|_| !has(HAS_NO_END));
        repeats.map(|_| Verdict::draw(Cause::Repetition))
    }

    fn move_text(Move(mv): Move) -> String {
        format!("m{}", if has(NAMES_ALIKE) { 0 } else { mv })
    }
}

fn walked(fault: u8) {
    FAULT.set(fault);
    conforms::<Walk>(1, 5, 30);
}

#[test]
fn a_game_in_which_every_move_can_be_reversed() {
    walked(SOUND);
}

#[test]
#[should_panic(expected = "a game does not end: m")]
fn a_game_without_an_end() {
    walked(HAS_NO_END);
}

#[test]
#[should_panic(expected = "leads to two positions; chance is not supported: 0/4 first")]
fn a_game_of_chance() {
    walked(ROLLS);
}

#[test]
#[should_panic(expected = "nothing may be hidden or remembered: 7/4 second")]
fn a_hidden_number() {
    walked(HIDES);
}

#[test]
#[should_panic(expected = "`key` does not depend on the side to move: 0/4 first and 0/4 second")]
fn a_key_without_the_side() {
    walked(KEYS_NO_SIDE);
}

#[test]
#[should_panic(
    expected = "two positions have one key: mix more of the position into `key`: 1/4 second"
)]
fn a_key_of_some_pieces() {
    walked(KEYS_ONE_PIECE);
}

#[test]
#[should_panic(expected = "`Move::NULL` is listed as a move: 0/4 first")]
fn a_null_move_that_is_listed() {
    walked(LISTS_NULL);
}

#[test]
#[should_panic(expected = "two moves have the text \"m0\": 0/4 first")]
fn two_moves_with_one_text() {
    walked(NAMES_ALIKE);
}

#[test]
#[should_panic(expected = "`Moves` has room for 700 moves: 0/4 first")]
fn too_many_moves() {
    walked(LISTS_TOO_MANY);
}

#[test]
fn hundreds_of_moves() {
    FAULT.set(LISTS_HUNDREDS);
    conforms::<Walk>(1, 1, 10);
}
