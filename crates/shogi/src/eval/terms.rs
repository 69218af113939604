//! Terms of the evaluation that depend on the attacks of all pieces.

use leitai_game::Side;
use leitai_game::numbers::{GridWords, Group, Key};

use super::numbers::{MAX_SQUARE, STEPS, steps};
use crate::attacks;
use crate::board::Shogi;
use crate::piece::Kind;
use crate::square::{SQUARES, Squares};
use crate::view::english;

/// Weights of one meaning, by count or place.
struct Term {
    name: &'static str,
    meaning: &'static str,
    /// Numbers of rows and columns; a list has one row.
    size: (usize, usize),
    /// Descriptions of the rows and of the columns.
    words: [&'static str; 2],
}

const fn list(name: &'static str, meaning: &'static str, places: usize) -> Term {
    Term {
        name,
        meaning,
        size: (1, places),
        words: ["", ""],
    }
}

/// Terms of the own king.
const SAFETY: [Term; 3] = [
    list(
        "flights",
        "Bonus by the number of escape squares next to the king.",
        9,
    ),
    Term {
        name: "breaches",
        meaning: "Bonus by the number of attacked squares next to the king that only the king \
                  defends, and by the opponent's pieces in hand, without pawns.",
        size: (6, 7),
        words: [
            "rows go from 0 to 5 or more squares",
            ", columns from 0 to 6 or more pieces in hand, pawns not counted",
        ],
    },
    Term {
        name: "square",
        meaning: "Bonus by the king's square.",
        size: (9, 5),
        words: [
            "rows go from the far side to the own one",
            ", columns from the middle to the edge",
        ],
    },
];
const FLIGHTS: usize = 0;
const BREACHES: usize = 1;
const PLACE: usize = 2;

/// Attacked squares at distances of 1 to 3 from a king.
const CONTROL: [Term; 4] = [
    list(
        "own",
        "Bonus for each square near the own king that own pieces attack, by distance.",
        3,
    ),
    list(
        "own_twice",
        "Bonus for each of these squares that own pieces attack at least twice.",
        3,
    ),
    list(
        "other",
        "Bonus for each square near the opponent's king that own pieces attack, by distance.",
        3,
    ),
    list(
        "other_twice",
        "Bonus for each of these squares that own pieces attack at least twice.",
        3,
    ),
];

/// The kinds with a mobility, and the maximum of their targets.
const MOBILE: [(Kind, usize); 6] = [
    (Kind::Lance, 8),
    (Kind::Silver, 5),
    (Kind::Bishop, 16),
    (Kind::Rook, 16),
    (Kind::Horse, 20),
    (Kind::Dragon, 20),
];

const SAFETY_SIZE: usize = size(&SAFETY);
const CONTROL_SIZE: usize = size(&CONTROL);
const AT_CONTROL: usize = SAFETY_SIZE;
const AT_HANGING: usize = AT_CONTROL + CONTROL_SIZE;
const AT_ATTACKED: usize = AT_HANGING + STEPS.len();
const AT_FIRST: usize = AT_ATTACKED + STEPS.len();
const AT_MOBILITY: usize = AT_FIRST + Kind::IN_HAND.len();

/// Number of all weights of terms.
pub(super) const COUNT: usize = AT_MOBILITY + mobility_before(MOBILE.len());

const fn size(terms: &[Term]) -> usize {
    at(terms, terms.len())
}

/// The index of the first weight of a term.
const fn at(terms: &[Term], place: usize) -> usize {
    let (mut sum, mut term) = (0, 0);
    while term < place {
        sum += terms[term].size.0 * terms[term].size.1;
        term += 1;
    }
    sum
}

const fn mobility_before(place: usize) -> usize {
    let (mut sum, mut kind) = (0, 0);
    while kind < place {
        sum += MOBILE[kind].1 + 1;
        kind += 1;
    }
    sum
}

/// The index of the first weight of each kind's mobility.
const MOBILITY: [Option<usize>; Kind::COUNT] = {
    let mut all = [None; Kind::COUNT];
    let mut place = 0;
    while place < MOBILE.len() {
        all[MOBILE[place].0 as usize] = Some(AT_MOBILITY + mobility_before(place));
        place += 1;
    }
    all
};

/// The keys of all weights, in order.
pub(super) fn groups() -> Vec<Group> {
    let of = |terms: &[Term]| terms.iter().map(Term::key).collect();
    let by_kind = |meaning| {
        let key = |(name, _): &(&'static str, Kind)| Key::weight(name, meaning, MAX_SQUARE);
        STEPS.iter().map(key).collect()
    };
    let first = Kind::IN_HAND.map(|kind| {
        let meaning = "Bonus for the first piece of a kind in hand.";
        Key::weight(english(kind), meaning, MAX_SQUARE)
    });
    let mobility = MOBILE.map(|(kind, most)| {
        let meaning = "Bonus by the number of attacked squares without an own piece.";
        Key::list(english(kind), meaning, MAX_SQUARE, numbered(most + 1, 0))
    });
    vec![
        Group::named("safety", of(&SAFETY)),
        Group::named("control", of(&CONTROL)),
        Group::named("hanging", by_kind("An attacked piece without protection.")),
        Group::named("attacked", by_kind("An attacked piece with protection.")),
        Group::named("first", first.into()),
        Group::named("mobility", mobility.into()),
    ]
}

fn numbered(places: usize, first: usize) -> Vec<String> {
    (first..first + places)
        .map(|place| place.to_string())
        .collect()
}

impl Term {
    fn key(&self) -> Key {
        let (rows, columns) = self.size;
        if rows == 1 {
            let first = usize::from(columns == 3);
            return Key::list(
                self.name,
                self.meaning,
                MAX_SQUARE,
                numbered(columns, first),
            );
        }
        let places = (0..rows * columns).map(|it| format!("{}, {}", it / columns, it % columns));
        Key::grid(
            self.name,
            self.meaning,
            MAX_SQUARE,
            columns,
            places.collect(),
        )
        .with_grid_words(GridWords {
            rows: self.words[0].to_owned(),
            columns: self.words[1],
            of_row: Vec::new(),
        })
    }
}

/// The squares at a distance of 1 to 3 from each square.
static NEAR: [[Squares; 3]; SQUARES] = near();

const fn near() -> [[Squares; 3]; SQUARES] {
    let mut all = [[Squares::NONE; 3]; SQUARES];
    let mut pair = 0;
    while pair < SQUARES * SQUARES {
        let (one, other) = (pair / SQUARES, pair % SQUARES);
        let (files, ranks) = ((one / 9).abs_diff(other / 9), (one % 9).abs_diff(other % 9));
        let distance = if files > ranks { files } else { ranks };
        if distance >= 1 && distance <= 3 {
            all[one][distance - 1].0 |= 1 << other;
        }
        pair += 1;
    }
    all
}

/// The squares that a side attacks with all pieces but its king.
#[derive(Clone, Copy, Default)]
struct Control {
    once: Squares,
    twice: Squares,
}

impl Control {
    #[inline]
    fn add(&mut self, targets: Squares) {
        self.twice |= self.once & targets;
        self.once |= targets;
    }
}

/// Calls `add` with the side, the index of a weight and its count, which may be 0.
#[inline]
pub(super) fn count(position: &Shogi, mut add: impl FnMut(Side, usize, u32)) {
    let occupied = position.occupied();
    let controls = Side::BOTH.map(|side| {
        let own = position.of_side(side);
        let mut control = Control::default();
        let pawns = position.pieces(side, Kind::Pawn);
        control.add((pawns & !Squares::last_ranks(side, 1)).forward(side));
        for square in own & !pawns & !position.pieces(side, Kind::King) {
            let Some(piece) = position.piece_on(square) else {
                continue;
            };
            let targets = attacks::of(side, piece.kind, square, occupied);
            control.add(targets);
            if let Some(first) = MOBILITY[piece.kind as usize] {
                add(side, first + (targets & !own).len() as usize, 1);
            }
        }
        control
    });
    for side in Side::BOTH {
        let (ours, theirs) = (controls[side.index()], controls[side.other().index()]);
        let hand = position.hand(side);
        for (kind, held) in hand.into_iter().enumerate() {
            if held > 0 {
                add(side, AT_FIRST + kind, 1);
            }
        }
        let Some(king) = position.king(side) else {
            continue;
        };
        let own = position.of_side(side);
        let around = attacks::king(king);
        let flights = around & !own & !theirs.once;
        add(side, at(&SAFETY, FLIGHTS) + flights.len() as usize, 1);
        let breaches = (around & theirs.once & !ours.once).len().min(5) as usize;
        let held = position.hand(side.other());
        let held = held[1..].iter().sum::<u8>().min(6);
        add(
            side,
            at(&SAFETY, BREACHES) + 7 * breaches + usize::from(held),
            1,
        );
        let seen = king.relative_to(side);
        let place = 5 * seen.rank() + seen.file().abs_diff(4);
        add(side, at(&SAFETY, PLACE) + place, 1);
        for (distance, near) in NEAR[king.index()].into_iter().enumerate() {
            let weight = AT_CONTROL + distance;
            add(side, weight, (ours.once & near).len());
            add(side, weight + 3, (ours.twice & near).len());
            add(side.other(), weight + 6, (theirs.once & near).len());
            add(side.other(), weight + 9, (theirs.twice & near).len());
        }
        let protected = ours.once | around;
        for square in own & theirs.once & !king.bit() {
            let kind = position.piece_on(square).map(|piece| piece.kind);
            if let Some(step) = kind.and_then(steps) {
                let first = if protected.has(square) {
                    AT_ATTACKED
                } else {
                    AT_HANGING
                };
                add(side, first + step, 1);
            }
        }
    }
}
