//! The numbers of the evaluation as a table: by paths in a config, by indices in features.

use std::sync::LazyLock;

use super::params::{Phase, Weights, XiangqiParams};
use super::terms::Terms;
use crate::{Kind, Square};
use leitai_game::eval::MAX_EVAL;
use leitai_game::numbers::{
    Board, Declaration, EvalParams, GridWords, Group, Key, Look, NumberTable, Preset, Spelling,
    Stage, Useless,
};

const KINDS: usize = Kind::ALL.len();

/// The number of numbers of one phase.
const OF_PHASE: usize = KINDS + KINDS * Square::COUNT + Terms::COUNT;

/// The number of all numbers.
pub const NUMBERS: usize = 1 + 2 * OF_PHASE;

/// The index of the bonus for the side to move.
pub const TEMPO: usize = 0;

/// The index of the value of a kind of piece.
pub const fn material(phase: Phase, kind: Kind) -> usize {
    1 + phase as usize * OF_PHASE + kind.index()
}

/// The index of the value of a square, by its place in the kind's table: 9 times the row, plus the
/// file.
pub const fn square(phase: Phase, kind: Kind, place: usize) -> usize {
    1 + phase as usize * OF_PHASE + KINDS + kind.index() * Square::COUNT + place
}

/// The index of the weight of a term, by its place in [`Terms::groups`].
pub const fn term(phase: Phase, place: usize) -> usize {
    1 + phase as usize * OF_PHASE + KINDS + KINDS * Square::COUNT + place
}

/// The table of all numbers.
pub static TABLE: LazyLock<NumberTable> = LazyLock::new(|| {
    let keys = |of: fn(Kind) -> Key| Kind::ALL.iter().map(|&kind| of(kind)).collect();
    let groups = [
        Group::per("material", "pieces", keys(worth)),
        Group::per("pst", "pieces", keys(squares)),
    ];
    let none = Terms::default();
    let terms = none.groups().into_iter();
    let terms = terms.map(|(name, group)| Group::named(name, Key::weights(group)));
    NumberTable::new(Declaration {
        game: "xiangqi",
        title: "Xiangqi",
        subject: "the evaluation",
        has_order_values: true,
        stages: vec![Stage::first("middlegame"), Stage::named("end", "endgame")],
        constant: vec![Key::weight("tempo", "Bonus for the side to move.", MAX)],
        groups: groups.into_iter().chain(terms).collect(),
        spelling: Spelling::Whole,
        presets: &PRESETS,
    })
});

const MAX: i64 = MAX_EVAL as i64;

fn worth(kind: Kind) -> Key {
    const CANCELS: Useless = Useless {
        name: "king",
        reason: "both sides always have a king, so that its worth cancels out",
    };
    let key = Key::weight(kind.name(), "Value of a piece.", MAX);
    match kind {
        Kind::King => key.without(CANCELS, vec![0]),
        _ => key,
    }
}

fn squares(kind: Kind) -> Key {
    // Tables begin with rank 9, squares with rank 0.
    let place = |square: Square| 9 * (9 - square.rank()) + square.file();
    let mut names = vec![String::new(); Square::COUNT];
    for square in (0..Square::COUNT).map(Square::of) {
        names[place(square)] = square.to_string();
    }
    let mut places = vec![None; Square::COUNT];
    for reached in kind.reach().map(place) {
        places[reached] = Some(reached);
    }
    let words = GridWords {
        rows: "rows go from rank 9 (the far side, as Red sees it) to rank 0 (home)".to_owned(),
        columns: ", files a to i",
        of_row: Vec::new(),
    };
    let board = Board {
        title: String::new(),
        words: "Piece-square bonus of each square for a red piece, as Red sees the board. \
                Squares that the piece cannot reach are blank.",
        columns: 9,
        squares: names,
        places,
        look: Look::Points {
            river: (4, [(2, "楚 河"), (6, "漢 界")]),
            palaces: [[3, 5, 0, 2], [3, 5, 7, 9]],
        },
    };
    Key::piece_squares(kind.name(), MAX, words, board).symmetric()
}

/// The named evaluations.
const PRESETS: [Preset; 6] = [
    Preset::new("leitai", include_str!("presets/leitai.toml")),
    Preset::new("leitai-1", include_str!("presets/leitai-1.toml")),
    Preset::new("leitai-0", include_str!("presets/leitai-0.toml")),
    Preset::new("tutorial", include_str!("presets/tutorial.toml")),
    Preset::new("teaching-2018", include_str!("presets/teaching-2018.toml")),
    Preset::new(
        "teaching-2018-corrected",
        include_str!("presets/teaching-2018-corrected.toml"),
    ),
];

impl XiangqiParams {
    /// The values, in the order of the table.
    pub fn values(&self) -> EvalParams {
        let of_phase = |weights: &Weights| {
            let squares = weights.pst.as_flattened().as_flattened().to_vec();
            let terms = weights.terms.numbers();
            weights.material.into_iter().chain(squares).chain(terms)
        };
        let phases = [&self.middle, &self.end].into_iter().flat_map(of_phase);
        let values = std::iter::once(self.tempo).chain(phases);
        EvalParams::new(&TABLE, values.map(i64::from))
    }

    /// The evaluation with these values; `None` for values of another game.
    pub fn of(params: &EvalParams) -> Option<Self> {
        let values = params.values_of(&TABLE)?;
        let mut values = values.iter().map(|&value| value as i32);
        Some(Self {
            tempo: values.next()?,
            middle: Weights::read(&mut values)?,
            end: Weights::read(&mut values)?,
        })
    }
}

impl Weights {
    fn read(values: &mut impl Iterator<Item = i32>) -> Option<Self> {
        let mut weights = Self::default();
        let squares = weights.pst.as_flattened_mut().as_flattened_mut();
        for number in weights.material.iter_mut().chain(squares) {
            *number = values.next()?;
        }
        weights.terms = Terms::read(values)?;
        Some(weights)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::named_terms;
    use super::*;

    fn index(path: &str) -> Option<usize> {
        TABLE.find(path).map(leitai_game::numbers::Entry::index)
    }

    #[test]
    fn indices_are_those_of_the_table() {
        assert_eq!(TABLE.len(), NUMBERS);
        assert_eq!(index("tempo"), Some(TEMPO));
        for (phase, before) in Phase::BOTH.into_iter().zip(["", "end."]) {
            for &kind in Kind::ALL {
                let path = format!("{before}material.{}", kind.name());
                assert_eq!(index(&path), Some(material(phase, kind)));
                for place in 0..Square::COUNT {
                    let (row, file) = (place / 9, place % 9);
                    let path = format!("{before}pst.{}[{row}][{file}]", kind.name());
                    assert_eq!(index(&path), Some(square(phase, kind, place)));
                }
            }
            for (place, (name, _)) in named_terms().iter().enumerate() {
                let path = format!("{before}{name}");
                assert_eq!(index(&path), Some(term(phase, place)));
            }
        }
    }

    #[test]
    fn names_places_and_values_belong_together() {
        let values = (0..NUMBERS as i64).map(|index| index % 199);
        let params = EvalParams::new(&TABLE, values);
        let typed = XiangqiParams::of(&params).unwrap();
        assert_eq!(typed.values(), params);
        let horse = Kind::Horse.index();
        let get = |path: &str| params.get(TABLE.find(path).unwrap()).unwrap() as i32;
        assert_eq!(get("tempo"), typed.tempo);
        assert_eq!(get("end.pst.horse[3][4]"), typed.end.pst[horse][3][4]);
        assert_eq!(get("pst.horse[3][4]"), typed.middle.pst[horse][3][4]);
        assert_eq!(get("mobility.rook"), typed.middle.terms.mobility.rook);
        assert_eq!(get("end.threats.pawn"), typed.end.terms.threats.pawn);
        for number in TABLE.numbers() {
            assert_eq!(TABLE.find(&number.path()), Some(number), "{number}");
        }
        for text in [
            "",
            "rook",
            "end",
            "end.tempo",
            "material",
            "material.chariot",
            "pst.horse",
            "pst.horse[10][0]",
            "pst.horse[0][9]",
            "pst.horse[0]",
            "mobility.pawn",
            "x.rook",
        ] {
            assert_eq!(index(text), None, "{text}");
        }
    }
}
