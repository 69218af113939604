use std::panic::catch_unwind;
use std::sync::LazyLock;

use super::conforms;
use crate::card::{Card, Facts, Game, Linear, flaws};
use crate::config::game_flaws;
use crate::game::{Cause, Move, MoveList, Position, PositionError, Side, Verdict};
use crate::games::go::Capture;
use crate::games::othello::Othello;
use crate::games::xiangqi::Xiangqi;
use crate::numbers::{EvalParams, Key, NumberTable, Preset};
use crate::search::Tactics;

#[test]
fn our_games_conform() {
    conforms::<Xiangqi>(5, 2, 120);
    conforms::<Othello>(5, 2, 60);
    conforms::<Capture>(5, 2, 60);
}

const SOUND: u8 = 0;
const HIDES_CAPTURES: u8 = 1;
const LISTS_CAPTURES_AS_QUIET: u8 = 2;
const SLOT_BEYOND: u8 = 3;
const CHECKS_FALSELY: u8 = 4;
const EXCHANGES_FALSELY: u8 = 5;
const COUNTS_TWICE: u8 = 6;
const COUNTS_BEYOND: u8 = 7;
const COUNTS_OTHERWISE: u8 = 8;
const KEY_AFTER: u8 = 9;
const READS_NONSENSE: u8 = 10;
/// Of what a game says of itself.
const NO_UNIT: u8 = 11;
const NO_EVALUATION: u8 = 12;
const BLANK_NAME: u8 = 13;
const TWICE_THE_SAME_NUMBER: u8 = 14;
const NEGATIVE_RANGE: u8 = 15;
const SIDES_ALIKE: u8 = 16;
const BROKEN_PRESET: u8 = 17;

/// A pile from which one to three stones are taken; three at once are called a capture.
#[derive(Clone, Debug, PartialEq)]
struct Pile<const FAULT: u8>(u16, Side);

impl<const FAULT: u8> Position for Pile<FAULT> {
    const NAME: &'static str = if FAULT == BLANK_NAME {
        "a pile"
    } else {
        "pile"
    };
    const SIDE_NAMES: [&'static str; 2] = match FAULT {
        SIDES_ALIKE => ["one", "one"],
        _ => ["one", "other"],
    };
    type Undo = ();
    type Rules = ();

    fn initial() -> Self {
        Self(21, Side::First)
    }

    fn from_fen(text: &str) -> Result<Self, PositionError> {
        let read = if FAULT == READS_NONSENSE {
            text.trim_end_matches(" nonsense")
        } else {
            text
        };
        let all = (0..100).flat_map(|stones| Side::BOTH.map(|side| Self(stones, side)));
        all.into_iter()
            .find(|pile| pile.to_fen() == read)
            .ok_or_else(|| PositionError::new(text, "no pile and side to move"))
    }

    fn to_fen(&self) -> String {
        format!("{} {}", self.0, ["one", "other"][self.1.index()])
    }

    fn side_to_move(&self) -> Side {
        self.1
    }

    fn key(&self) -> u64 {
        u64::from(2 * self.0 + self.1 as u16).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn legal_moves(&self, moves: &mut MoveList) {
        moves.extend((1..=self.0.min(3)).map(Move));
    }

    fn make(&mut self, Move(stones): Move) {
        *self = Self(self.0 - stones, self.1.other());
    }

    fn unmake(&mut self, Move(stones): Move, (): ()) {
        *self = Self(self.0 + stones, self.1.other());
    }

    fn verdict_without_moves(&self) -> Verdict {
        Verdict::win(self.1.other(), Cause::Goal)
    }

    fn move_text(Move(stones): Move) -> String {
        stones.to_string()
    }
}

impl<const FAULT: u8> Tactics for Pile<FAULT> {
    const HISTORY_SLOTS: usize = if FAULT == SLOT_BEYOND { 3 } else { 1 << 10 };
    const HAS_CAPTURES: bool = true;

    fn is_capture(&self, mv: Move) -> bool {
        mv == Move(3)
    }

    fn captures(&self, moves: &mut MoveList) {
        if self.0 >= 3 && FAULT != HIDES_CAPTURES {
            moves.push(Move(3));
        }
    }

    fn quiets(&self, moves: &mut MoveList) {
        self.legal_moves(moves);
        moves.retain(|mv| *mv != Move(3) || FAULT == LISTS_CAPTURES_AS_QUIET);
    }

    fn gives_check(&self, _: Move) -> bool {
        FAULT == CHECKS_FALSELY
    }

    fn exchange(&self, _: Move) -> i32 {
        i32::from(FAULT == EXCHANGES_FALSELY)
    }

    fn key_after(&self, _: Move) -> Option<u64> {
        (FAULT == KEY_AFTER).then_some(1)
    }
}

static NUMBERS: LazyLock<NumberTable> = LazyLock::new(|| table("pile", &[], &["stones"], 100));
static BLANK: LazyLock<NumberTable> = LazyLock::new(|| table("a pile", &[], &["stones"], 100));
static TWICE: LazyLock<NumberTable> =
    LazyLock::new(|| table("pile", &[], &["stones", "stones"], 100));
static NEGATIVE: LazyLock<NumberTable> = LazyLock::new(|| table("pile", &[], &["stones"], -1));
static BROKEN: LazyLock<NumberTable> = LazyLock::new(|| {
    const PRESETS: &[Preset] = &[Preset::new("high", "stones = 1000")];
    table("pile", PRESETS, &["stones"], 100)
});

fn table(
    game: &'static str,
    presets: &'static [Preset],
    names: &[&'static str],
    most: i64,
) -> NumberTable {
    let key = |name: &&'static str| Key::weight(name, "A stone.", most).usually(most.min(7));
    NumberTable::of_keys(game, "Pile", names.iter().map(key).collect(), presets)
}

impl<const FAULT: u8> Game for Pile<FAULT> {
    const FACTS: Facts = Facts::of("Pile", "stones in turn");
    const UNIT: i32 = if FAULT == NO_UNIT { 0 } else { 1 };
    type Evaluation = Linear<Self>;

    fn numbers() -> &'static NumberTable {
        match FAULT {
            BLANK_NAME => &BLANK,
            TWICE_THE_SAME_NUMBER => &TWICE,
            NEGATIVE_RANGE => &NEGATIVE,
            BROKEN_PRESET => &BROKEN,
            _ => &NUMBERS,
        }
    }

    fn evaluation(params: &EvalParams, (): ()) -> Option<Linear<Self>> {
        if FAULT == NO_EVALUATION {
            return None;
        }
        let doubled = EvalParams::of(Self::numbers(), [14]);
        Linear::of(match FAULT {
            COUNTS_OTHERWISE => &doubled,
            _ => params,
        })
    }

    fn features(&self, add: &mut impl FnMut(usize, i32)) {
        add(0, self.0.into());
        match FAULT {
            COUNTS_TWICE => add(0, 0),
            COUNTS_BEYOND => add(1, 1),
            _ => {}
        }
    }
}

/// What the suite says of a game.
fn said<const FAULT: u8>() -> String {
    let Err(panic) = catch_unwind(|| conforms::<Pile<FAULT>>(1, 5, 30)) else {
        return String::new();
    };
    panic.downcast_ref::<String>().cloned().unwrap_or_default()
}

#[test]
fn every_fault_is_noticed() {
    assert_eq!(said::<SOUND>(), "");
    for (said, words) in [
        (said::<HIDES_CAPTURES>(), "`captures` are not the moves"),
        (said::<LISTS_CAPTURES_AS_QUIET>(), "`quiets` are not"),
        (said::<SLOT_BEYOND>(), "beyond the tables"),
        (said::<CHECKS_FALSELY>(), "`gives_check` of 1"),
        (said::<EXCHANGES_FALSELY>(), "`exchange_at_least` of 1"),
        (said::<COUNTS_TWICE>(), "feature 0 is counted twice"),
        (said::<COUNTS_BEYOND>(), "the feature 1 of 1"),
        (said::<COUNTS_OTHERWISE>(), "the features add up to 147"),
        (said::<KEY_AFTER>(), "`key_after` of 1"),
        (said::<READS_NONSENSE>(), "nonsense` reads as a position"),
        (said::<NO_UNIT>(), "`UNIT` is 0"),
        (said::<NO_EVALUATION>(), "`evaluation` makes none"),
        (said::<BLANK_NAME>(), "`NAME` is \"a pile\""),
        (said::<TWICE_THE_SAME_NUMBER>(), "has the name of another"),
        (said::<NEGATIVE_RANGE>(), "and must be from 1 to -1"),
        (said::<SIDES_ALIKE>(), "must be two names"),
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
}

#[test]
fn presets_are_read_when_a_program_starts() {
    let card = Card::<Pile<BROKEN_PRESET>>::get();
    assert_eq!(flaws(card), [""; 0]);
    let flaws = game_flaws(card);
    assert!(
        flaws[0].starts_with("the preset \"high\": `eval.stones` is out of range"),
        "{flaws:?}"
    );
}
