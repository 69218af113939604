//! The numbers of the evaluation.

use std::sync::LazyLock;

use leitai_game::eval::MAX_EVAL;
use leitai_game::numbers::{
    Declaration, GridWords, Group, Key, NumberTable, Preset, Spelling, Stage,
};

use super::terms;
use crate::piece::Kind;
use crate::view::english;

/// The kinds with a value on the board, all but the king, by [`Kind::ALL`]; the values are those of
/// Apery and `YaneuraOu`.
const WORTHS: [(Kind, i64); 13] = [
    (Kind::Pawn, 90),
    (Kind::Lance, 315),
    (Kind::Knight, 405),
    (Kind::Silver, 495),
    (Kind::Bishop, 855),
    (Kind::Rook, 990),
    (Kind::Gold, 540),
    (Kind::Tokin, 540),
    (Kind::ProLance, 540),
    (Kind::ProKnight, 540),
    (Kind::ProSilver, 540),
    (Kind::Horse, 945),
    (Kind::Dragon, 1395),
];

/// The tables of places relative to a king, by name, with a kind of each: all kinds that step like
/// a gold general share one.
pub(super) const STEPS: [(&str, Kind); 9] = [
    ("pawn", Kind::Pawn),
    ("lance", Kind::Lance),
    ("knight", Kind::Knight),
    ("silver", Kind::Silver),
    ("bishop", Kind::Bishop),
    ("rook", Kind::Rook),
    ("gold", Kind::Gold),
    ("horse", Kind::Horse),
    ("dragon", Kind::Dragon),
];

/// Files between a piece and a king, from 0.
const FILES: usize = 9;
/// Ranks between a piece and a king, from 8 ahead of the king to 8 behind it.
const RANKS: usize = 17;
const PLACES: usize = FILES * RANKS;

/// The index of the bonus for the side to move.
pub(super) const TEMPO: usize = 0;
const HAND: usize = WORTHS.len();
const TABLES: usize = HAND + Kind::IN_HAND.len();

/// The place of the first weight of the terms among the numbers of a stage.
pub(super) const TERMS: usize = TABLES + 2 * STEPS.len() * PLACES;

/// Numbers of one stage.
pub(super) const OF_STAGE: usize = TERMS + terms::COUNT;

/// The number of all numbers.
pub(super) const NUMBERS: usize = 1 + 2 * OF_STAGE;

/// The index of the first number of a stage: 0 is the middlegame, 1 the endgame.
pub(super) const fn first(stage: usize) -> usize {
    1 + stage * OF_STAGE
}

/// The king that a table is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum King {
    /// That of the piece's side.
    Own,
    /// The opponent's.
    Other,
}

/// The place of the value of a kind on the board among the numbers of a stage; `None` for kings.
pub(super) fn material(kind: Kind) -> Option<usize> {
    WORTHS.iter().position(|(other, _)| *other == kind)
}

/// The place of the value of a kind in hand.
pub(super) fn in_hand(kind: Kind) -> usize {
    HAND + kind.base() as usize
}

/// The place of the bonus for a piece at a distance of files and ranks from a king, as its side sees
/// them; ranks go from -8, ahead of the king, to 8. `None` for kings.
pub(super) fn relative(king: King, kind: Kind, files: i32, ranks: i32) -> Option<usize> {
    let table = steps(kind)?;
    let table = table + if king == King::Own { 0 } else { STEPS.len() };
    let (file, rank) = (files.unsigned_abs() as usize, (ranks + 8) as usize);
    Some(TABLES + table * PLACES + rank * FILES + file)
}

/// The place of a kind among [`STEPS`]; `None` for kings.
pub(super) fn steps(kind: Kind) -> Option<usize> {
    let kind = if kind.is_golden() { Kind::Gold } else { kind };
    STEPS.iter().position(|(_, other)| *other == kind)
}

/// Maximum bonus of a square or a term.
pub(super) const MAX_SQUARE: i64 = 1000;

/// The table of all numbers.
pub static TABLE: LazyLock<NumberTable> = LazyLock::new(|| {
    let worth = |(kind, value): &(Kind, i64)| {
        Key::weight(
            english(*kind),
            "Value of a piece on the board.",
            MAX_EVAL.into(),
        )
        .with_default(*value)
    };
    let in_hand = |kind: &Kind| {
        let usual = WORTHS.iter().find(|(other, _)| other == kind);
        Key::weight(english(*kind), "Value of a piece in hand.", MAX_EVAL.into())
            .with_default(usual.map_or(0, |(_, value)| *value))
    };
    let own = "Bonus by the place of a piece relative to its own king.";
    let other = "Bonus by the place of a piece relative to the opponent's king.";
    let tables = |meaning| STEPS.iter().map(|(name, _)| table(name, meaning)).collect();
    let pieces = [
        Group::named("material", WORTHS.iter().map(worth).collect()),
        Group::named("hand", Kind::IN_HAND.iter().map(in_hand).collect()),
        Group::named("king", tables(own)),
        Group::named("attack", tables(other)),
    ];
    NumberTable::new(Declaration {
        game: "shogi",
        title: "Shogi",
        subject: "the evaluation",
        has_order_values: false,
        stages: vec![Stage::first("middlegame"), Stage::named("end", "endgame")],
        constant: vec![Key::weight(
            "tempo",
            "Bonus for the side to move.",
            MAX_EVAL.into(),
        )],
        groups: pieces.into_iter().chain(terms::groups()).collect(),
        spelling: Spelling::Sparse,
        presets: &PRESETS,
    })
});

fn table(name: &'static str, meaning: &'static str) -> Key {
    let names = (0..PLACES).map(|place| {
        let (file, rank) = (place % FILES, place as i64 / FILES as i64 - 8);
        match rank {
            ..0 => format!("{} ahead, {file} aside", -rank),
            _ => format!("{rank} behind, {file} aside"),
        }
    });
    let words = GridWords {
        rows: "rows go from 8 ranks ahead of the king to 8 behind it, as the piece's side sees it"
            .to_owned(),
        columns: ", 0 to 8 files from the king's",
        of_row: Vec::new(),
    };
    Key::grid(name, meaning, MAX_SQUARE, FILES, names.collect()).with_grid_words(words)
}

/// Evaluations by name.
const PRESETS: [Preset; 2] = [
    Preset::new("leitai", include_str!("leitai.toml")),
    Preset::new("plain", ""),
];
