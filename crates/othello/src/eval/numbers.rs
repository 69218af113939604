//! The numbers of the evaluation as a table: by paths in a config, by indices in features.

use std::sync::LazyLock;

use super::params::OthelloParams;
use super::stage::Stage;
use super::terms::Terms;
use super::tuples::{DIGITS, Length, reversed};
use crate::{SQUARE_CLASS, square_name};
use leitai_game::numbers::{
    self as table, Board, Declaration, GridWords, Group, Key, Look, NumberTable, Preset, Spelling,
};

/// The first square of each symmetry class.
const CLASS_NAMES: [&str; 10] = ["a1", "b1", "c1", "d1", "b2", "c2", "d2", "c3", "d3", "d4"];

const CLASSES: usize = CLASS_NAMES.len();

/// Offsets within a stage of the tuples of each length, and the end of the last.
const STARTS: [usize; 4] = {
    let mut starts = [CLASSES + 1 + Terms::COUNT; 4];
    let mut place = 0;
    while place < 3 {
        starts[place + 1] = starts[place] + Length::ALL[place].weights();
        place += 1;
    }
    starts
};

/// The number of numbers in one stage. Stages follow one another, each in the same order.
pub const OF_STAGE: usize = STARTS[3];

/// The number of all numbers.
pub const NUMBERS: usize = Stage::COUNT * OF_STAGE;

/// The index of the value of a disc on any square, in the first stage. The values by square class
/// come before it, by the class.
pub const DISCS: usize = CLASSES;

/// The index of the weight of a term in the first stage, by its place in the list.
pub const fn term(place: usize) -> usize {
    CLASSES + 1 + place
}

/// The index of the weight of a tuple's pattern in the first stage.
pub const fn tuple(length: Length, class: usize, pattern: usize) -> usize {
    STARTS[length as usize] + class * length.patterns() + pattern
}

/// The table of all numbers.
pub static TABLE: LazyLock<NumberTable> = LazyLock::new(|| {
    let terms = Terms::default();
    let [(edges, of_edges)] = terms.groups();
    let mut alone = vec![squares(), discs()];
    alone.extend(Key::weights(&terms));
    let stages = [
        table::Stage::first("opening"),
        table::Stage::named("middle", "middle"),
        table::Stage::named("late", "late"),
        table::Stage::named("end", "end"),
    ];
    NumberTable::new(Declaration {
        game: "othello",
        title: "Othello",
        subject: "the evaluation",
        has_order_values: false,
        stages: stages.into(),
        constant: Vec::new(),
        groups: vec![
            Group::alone(alone),
            Group::named(edges, Key::weights(of_edges)),
            Group::alone(Length::ALL.map(tuples).into()),
        ],
        spelling: Spelling::Sparse,
        presets: &PRESETS,
    })
});

const MAX: i64 = OthelloParams::LIMIT as i64;

/// Always written, as discs are: squares and discs were the first parameters of evaluations.
fn squares() -> Key {
    let names = CLASS_NAMES.map(str::to_owned);
    let board = Board {
        title: "Value of a disc on each square".to_owned(),
        words: "The ten classes of squares on the whole board.",
        columns: 8,
        squares: (0..64).map(square_name).collect(),
        places: SQUARE_CLASS.map(Some).into(),
        look: Look::Squares,
    };
    let key = Key::list(
        "squares",
        "Value of a disc on the squares of each class.",
        MAX,
        names.into(),
    );
    Key {
        is_always_written: true,
        ..key.on(board)
    }
}

fn discs() -> Key {
    let key = Key::weight("discs", "Value of a disc anywhere.", MAX);
    Key {
        is_always_written: true,
        ..key
    }
}

/// A pattern of a tuple that is its own mirror image counts together with its reverse.
fn tuples(length: Length) -> Key {
    let (shape, patterns) = (length.shape(), length.patterns());
    let key = Key::grid(
        length.name(),
        "Value of a pattern of a tuple, by its class.",
        MAX,
        patterns,
        length.pattern_names(),
    );
    let mirror = (0..length.classes()).flat_map(|class| {
        let is_mirrored = shape.is_mirrored(class);
        let image = move |pattern| class * patterns + reversed(length, pattern);
        (0..patterns).map(move |pattern| is_mirrored.then(|| image(pattern)))
    });
    let [empty, own, enemy] = DIGITS;
    let of_row = |class: usize| {
        format!(
            "one for each pattern of {}: {empty} 0, {own} 1, {enemy} 2, read in base 3 from the \
             first square",
            shape.name(length, class)
        )
    };
    let key = key.with_grid_words(GridWords {
        rows: format!(
            "one row of {patterns} numbers for each class of tuples: they are listed in \
             docs/evaluation.md"
        ),
        columns: "",
        of_row: (0..length.classes()).map(of_row).collect(),
    });
    Key {
        mirror: mirror.collect(),
        ..key
    }
}

/// The named evaluations.
const PRESETS: [Preset; 4] = [
    Preset::new("squares", include_str!("presets/squares.toml")),
    Preset::new("discs", include_str!("presets/discs.toml")),
    Preset::new("mobility", include_str!("presets/mobility.toml")),
    Preset::new("du-cheng-2007", include_str!("presets/du-cheng-2007.toml")),
];

#[cfg(test)]
mod tests {
    use super::*;
    use leitai_game::numbers::EvalParams;

    #[test]
    fn the_names_are_those_of_the_classes() {
        for (class, name) in CLASS_NAMES.iter().enumerate() {
            let square = (0..64).find(|&square| square_name(square) == *name);
            assert_eq!(SQUARE_CLASS[square.unwrap()], class);
        }
    }

    fn index(path: &str) -> Option<usize> {
        TABLE.find(path).map(leitai_game::numbers::Entry::index)
    }

    #[test]
    fn names_places_and_values_belong_together() {
        assert_eq!(TABLE.len(), NUMBERS);
        let values = (0..NUMBERS as i64).map(|index| index % 9000);
        let params = EvalParams::new(&TABLE, values);
        let typed = OthelloParams::of(&params).unwrap();
        assert_eq!(typed.values(), params);
        let get = |path: &str| params.get(TABLE.find(path).unwrap()).unwrap() as i32;
        let late = typed.stage(Stage::Late);
        assert_eq!(get("late.squares[3]"), late[3]);
        assert_eq!(get("late.discs"), late[DISCS]);
        assert_eq!(get("late.edges.wedges"), late[term(11)]);
        assert_eq!(
            get("late.tuples4[20][80]"),
            late[tuple(Length::Four, 20, 80)]
        );
        for number in TABLE.numbers() {
            assert_eq!(TABLE.find(&number.path()), Some(number), "{number}");
        }
    }

    #[test]
    fn the_names_are_those_of_the_config() {
        for (text, number) in [
            ("squares[9]", 9),
            ("late.squares[0]", 2 * OF_STAGE),
            ("end.discs", 3 * OF_STAGE + DISCS),
            ("mobility", term(0)),
            ("middle.edges.wedges", OF_STAGE + term(11)),
            ("tuples2[1][8]", tuple(Length::Two, 1, 8)),
            (
                "end.tuples4[20][80]",
                3 * OF_STAGE + tuple(Length::Four, 20, 80),
            ),
        ] {
            assert_eq!(index(text), Some(number), "{text}");
        }
        for text in [
            "",
            "squares",
            "squares[]",
            "squares[10]",
            "squares[+1]",
            "squares[01]",
            "opening.discs",
            "late",
            "late.",
            "late.end.discs",
            "balanced",
            "edges",
            "edges.mobility",
            "edges.wedge",
            "tuples2[32][0]",
            "tuples2[0][9]",
            "tuples2[0]",
            "tuples5[0][0]",
        ] {
            assert_eq!(index(text), None, "{text}");
        }
    }

    #[test]
    fn patterns_of_a_mirrored_tuple_have_an_image() {
        let named = |text: &str| TABLE.find(text).unwrap();
        // d1 e1 is its own mirror image: find its class.
        let two = Length::Two.shape();
        let mut classes = 0..Length::Two.classes();
        let class = classes.find(|&class| two.name(Length::Two, class) == "d1 e1");
        let class = class.unwrap();
        let of = |pattern| named(&format!("late.tuples2[{class}][{pattern}]"));
        assert_eq!(of(1).mirrored(), Some(of(3)));
        assert_eq!(of(4).mirrored(), Some(of(4)));
        assert_eq!(named("tuples2[0][1]").mirrored(), None);
        assert_eq!(named("squares[0]").mirrored(), None);
    }
}
