use std::cell::Cell;
use std::panic::catch_unwind;
use std::sync::LazyLock;

use leitai_config::{ConfigError, Loaded, parse};
use leitai_game::card::conformance::conforms;
use leitai_game::card::{Card, Facts, Game, Linear, UsualSpread};
use leitai_game::numbers::{EvalParams, Key, NumberTable, Preset};
use leitai_game::search::{OrderValues, Tactics};
use leitai_game::{Cause, Move, MoveList, Position, PositionError, Side, Verdict};
use leitai_go::Capture;
use leitai_othello::Othello;
use leitai_xiangqi::Xiangqi;

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
/// Faults in the game's declarations.
const NO_EVALUATION: u8 = 11;
const TWICE_THE_SAME_NUMBER: u8 = 12;
const NEGATIVE_RANGE: u8 = 13;
const BROKEN_PRESET: u8 = 14;
const MOVES_ARE_NUMBERS: u8 = 15;
const OVER_AT_ONCE: u8 = 16;
const WIDE_RANGE: u8 = 17;
const HAS_THREE_FIELDS: u8 = 18;

thread_local! {
    /// The fault of the game that this thread tests. One type has all faults except those in
    /// constants.
    static FAULT: Cell<u8> = const { Cell::new(SOUND) };
}

fn has(fault: u8) -> bool {
    FAULT.get() == fault
}

/// A pile from which players take one to three stones; taking three counts as a capture. The odd
/// variant has invalid constants.
#[derive(Clone, Debug, PartialEq)]
struct Pile<const ODD: bool>(u16, Side);

impl<const ODD: bool> Position for Pile<ODD> {
    const NAME: &'static str = if ODD { "a pile" } else { "pile" };
    const SIDE_NAMES: [&'static str; 2] = ["one", if ODD { "one" } else { "other" }];
    type Undo = ();
    type Moves = MoveList;
    type Rules = ();

    fn initial() -> Self {
        Self(if has(OVER_AT_ONCE) { 0 } else { 21 }, Side::First)
    }

    fn from_fen(text: &str) -> Result<Self, PositionError> {
        let read = if has(READS_NONSENSE) {
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
        let more = if has(HAS_THREE_FIELDS) { "stones " } else { "" };
        format!("{} {more}{}", self.0, ["one", "other"][self.1.index()])
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
        let word = if has(MOVES_ARE_NUMBERS) { "" } else { "take" };
        format!("{word}{stones}")
    }
}

impl<const ODD: bool> Tactics for Pile<ODD> {
    const HISTORY_SLOTS: usize = 1 << 10;
    const HAS_CAPTURES: bool = true;

    fn history_slot(&self, mv: Move) -> usize {
        usize::from(mv.0) % Self::HISTORY_SLOTS + usize::from(has(SLOT_BEYOND)) * 1024
    }

    fn is_capture(&self, mv: Move) -> bool {
        mv == Move(3)
    }

    fn captures(&self, moves: &mut MoveList) {
        if self.0 >= 3 && !has(HIDES_CAPTURES) {
            moves.push(Move(3));
        }
    }

    fn quiets(&self, moves: &mut MoveList) {
        self.legal_moves(moves);
        moves.retain(|mv| *mv != Move(3) || has(LISTS_CAPTURES_AS_QUIET));
    }

    fn gives_check(&self, _: Move) -> bool {
        has(CHECKS_FALSELY)
    }

    fn exchange(&self, _: Move, _: &OrderValues) -> i32 {
        i32::from(has(EXCHANGES_FALSELY))
    }

    fn exchange_at_least(&self, _: Move, threshold: i32, _: &OrderValues) -> bool {
        threshold <= 0
    }

    fn key_after(&self, _: Move) -> Option<u64> {
        (has(KEY_AFTER)).then_some(1)
    }
}

static NUMBERS: LazyLock<NumberTable> = LazyLock::new(|| table("pile", &[], &["stones"], 100));
static BLANK: LazyLock<NumberTable> = LazyLock::new(|| table("a pile", &[], &["stones"], 100));
static TWICE: LazyLock<NumberTable> =
    LazyLock::new(|| table("pile", &[], &["stones", "stones"], 100));
static NEGATIVE: LazyLock<NumberTable> = LazyLock::new(|| table("pile", &[], &["stones"], -1));
static WIDE: LazyLock<NumberTable> = LazyLock::new(|| table("pile", &[], &["stones"], 1 << 31));
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
    let key = |name: &&'static str| Key::weight(name, "A stone.", most).with_default(most.min(7));
    NumberTable::from_keys(game, "Pile", names.iter().map(key).collect(), presets)
}

impl<const ODD: bool> Game for Pile<ODD> {
    const FACTS: Facts = {
        let facts = Facts::new("Pile", "stones in turn");
        // At this draw rate no games remain for openings to decide.
        let draw_rate = if ODD {
            0.9
        } else {
            facts.usual_spread.draw_rate
        };
        Facts {
            usual_spread: UsualSpread {
                draw_rate,
                opening_bias: 50.0,
            },
            ..facts
        }
    };
    const UNIT: i32 = if ODD { 0 } else { 1 };
    type Evaluation = Linear<Self>;

    fn numbers() -> &'static NumberTable {
        match FAULT.get() {
            _ if ODD => &BLANK,
            TWICE_THE_SAME_NUMBER => &TWICE,
            NEGATIVE_RANGE => &NEGATIVE,
            WIDE_RANGE => &WIDE,
            BROKEN_PRESET => &BROKEN,
            _ => &NUMBERS,
        }
    }

    fn evaluation(params: &EvalParams, (): ()) -> Option<Linear<Self>> {
        if has(NO_EVALUATION) {
            return None;
        }
        let doubled = EvalParams::new(Self::numbers(), [14]);
        Linear::new(match FAULT.get() {
            COUNTS_OTHERWISE => &doubled,
            _ => params,
        })
    }

    fn features(&self, add: &mut impl FnMut(usize, i32)) {
        add(0, self.0.into());
        match FAULT.get() {
            COUNTS_TWICE => add(0, 0),
            COUNTS_BEYOND => add(1, 1),
            _ => {}
        }
    }
}

/// The suite's message about a game with this fault.
fn said<const ODD: bool>(fault: u8) -> String {
    FAULT.set(fault);
    let Err(panic) = catch_unwind(|| conforms::<Pile<ODD>>(1, 5, 30)) else {
        return String::new();
    };
    panic.downcast_ref::<String>().cloned().unwrap_or_default()
}

#[test]
fn every_fault_is_noticed() {
    assert_eq!(said::<false>(SOUND), "");
    for (said, words) in [
        (said::<false>(HIDES_CAPTURES), "`captures` and `is_capture`"),
        (
            said::<false>(LISTS_CAPTURES_AS_QUIET),
            "`quiets` and the moves",
        ),
        (said::<false>(SLOT_BEYOND), "beyond the tables"),
        (said::<false>(CHECKS_FALSELY), "`gives_check`: "),
        (said::<false>(EXCHANGES_FALSELY), "`exchange_at_least`: "),
        (
            said::<false>(COUNTS_TWICE),
            "`features` adds twice to the number 0",
        ),
        (
            said::<false>(COUNTS_BEYOND),
            "`features` adds to the number 1, and the game has the numbers 0 to 0",
        ),
        (
            said::<false>(COUNTS_OTHERWISE),
            "the features add up to 147",
        ),
        (said::<false>(KEY_AFTER), "`key_after`: "),
        (
            said::<false>(READS_NONSENSE),
            "nonsense` reads as a position",
        ),
        (said::<false>(NO_EVALUATION), "`evaluation` does not accept"),
        (
            said::<false>(TWICE_THE_SAME_NUMBER),
            "has the same path as another number",
        ),
        (said::<false>(NEGATIVE_RANGE), "which must be from 1 to -1"),
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    for (fault, words) in [
        (MOVES_ARE_NUMBERS, "which needs a letter"),
        (OVER_AT_ONCE, "is over at its usual start"),
        (WIDE_RANGE, "which must be within -2147483648"),
        (
            HAS_THREE_FIELDS,
            "state `fen_fields: 3` in FACTS: 21 stones one",
        ),
    ] {
        let said = said::<false>(fault);
        assert!(said.contains(words), "{words}: {said}");
    }
    let said = said::<true>(SOUND);
    for words in [
        "`UNIT` is 0",
        "`NAME` is \"a pile\"",
        "must be two names",
        "`FACTS.usual_spread`: a draw rate of 0.9 leaves no losses for an opening bias of 50 Elo",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
}

/// A config of this game with two players.
fn config(fault: u8) -> Result<Loaded, ConfigError> {
    FAULT.set(fault);
    let games = [Card::<Pile<false>>::get()].into_iter().collect();
    let text = "game = \"pile\"\n[tournament]\npairs = 1\n[limits]\nnodes = 9\n\
                [[variant]]\nname = \"one\"\n\
                [[variant]]\nname = \"other\"\nsearch.aspiration = false\n";
    parse(text, "pile.toml", &games)
}

#[test]
fn missing_parts_of_a_preset_or_evaluation_are_reported_for_the_variant() {
    config(SOUND).expect("a config");
    for (fault, words) in [
        (
            BROKEN_PRESET,
            "the preset `high` is broken: `eval.stones` is out of range",
        ),
        (NO_EVALUATION, "pile has no evaluation with these numbers"),
    ] {
        let error = config(fault).unwrap_err().to_string();
        assert!(error.contains(words), "{words}: {error}");
    }
}
