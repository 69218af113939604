//! The numbers of the evaluation as a table, accessed by paths in a config and by indices in
//! features.

use std::sync::LazyLock;

use cozy_chess::{Piece, Square};

use super::terms::{COUNT, GROUPS, Term};
use leitai_game::eval::MAX_EVAL;
use leitai_game::numbers::{
    Board, Declaration, GridWords, Group, Key, Look, NumberTable, Preset, Spelling, Stage,
};

/// Kinds of pieces with a value: all except the king.
const WORTHS: usize = Piece::NUM - 1;

/// Numbers of one phase.
pub(super) const OF_PHASE: usize = WORTHS + Piece::NUM * Square::NUM + COUNT;

/// The number of all numbers.
pub const NUMBERS: usize = 1 + 2 * OF_PHASE;

/// The index of the bonus for the side to move.
pub const TEMPO: usize = 0;

/// The index of the first number of a phase: 0 is the middlegame, 1 the endgame.
pub(super) const fn first(phase: usize) -> usize {
    1 + phase * OF_PHASE
}

/// The index of the value of a kind of piece among the numbers of a phase; `None` for kings.
pub(super) const fn material(piece: Piece) -> Option<usize> {
    match piece {
        Piece::King => None,
        piece => Some(piece as usize),
    }
}

/// The index of the bonus for White's piece on a square.
pub(super) const fn square(piece: Piece, square: Square) -> usize {
    WORTHS + piece as usize * Square::NUM + row_by_row(square)
}

/// The index of the weight of a term, from its index in the list of all terms.
pub(super) const fn term(place: usize) -> usize {
    WORTHS + Piece::NUM * Square::NUM + place
}

/// The index of a square in a table whose first row is rank 8.
const fn row_by_row(square: Square) -> usize {
    square.flip_rank() as usize
}

/// The table of all numbers.
pub static TABLE: LazyLock<NumberTable> = LazyLock::new(|| {
    let worths = Piece::ALL.into_iter().take(WORTHS).map(worth).collect();
    let squares = Piece::ALL.into_iter().map(squares).collect();
    let pieces = [
        Group::named("material", worths),
        Group::named("pst", squares),
    ];
    let terms = GROUPS.iter().map(|group| {
        let keys = group.terms.iter().map(term_key).collect();
        Group::named(group.name, keys)
    });
    NumberTable::new(Declaration {
        game: "chess",
        title: "Chess",
        subject: "the evaluation",
        has_order_values: false,
        stages: vec![Stage::first("middlegame"), Stage::named("end", "endgame")],
        constant: vec![Key::weight("tempo", "Bonus for the side to move.", MAX)],
        groups: pieces.into_iter().chain(terms).collect(),
        spelling: Spelling::Sparse,
        presets: &PRESETS,
    })
});

const MAX: i64 = MAX_EVAL as i64;

/// Maximum weight of a square or term.
const MAX_TERM: i64 = 1000;

const fn name(piece: Piece) -> &'static str {
    match piece {
        Piece::Pawn => "pawn",
        Piece::Knight => "knight",
        Piece::Bishop => "bishop",
        Piece::Rook => "rook",
        Piece::Queen => "queen",
        Piece::King => "king",
    }
}

fn worth(piece: Piece) -> Key {
    Key::weight(name(piece), "Value of a piece.", MAX)
}

fn term_key(term: &Term) -> Key {
    if term.places.is_empty() {
        return Key::weight(term.name, term.meaning, MAX_TERM);
    }
    let places = term.places.iter().map(|&place| place.to_owned()).collect();
    Key::list(term.name, term.meaning, MAX_TERM, places)
}

/// Left and right have separate numbers, because kings castle to one side; a tuner may tie them.
fn squares(piece: Piece) -> Key {
    let is_reached = |place: &usize| piece != Piece::Pawn || (8..56).contains(place);
    let places = 0..Square::NUM;
    let name_of = |place| Square::index(place).flip_rank().to_string();
    let words = GridWords {
        rows: "rows go from rank 8 (the far side, as White sees it) to rank 1 (home)".to_owned(),
        columns: ", files a to h",
        of_row: Vec::new(),
    };
    let board = Board {
        title: String::new(),
        words: "Piece-square bonus of each square for a white piece, as White sees the board. \
                Squares that the piece cannot reach are blank.",
        columns: 8,
        squares: places.clone().map(name_of).collect(),
        places: places
            .clone()
            .map(|it| Some(it).filter(is_reached))
            .collect(),
        look: Look::Squares,
    };
    let mirror = places.map(|place| Some(Square::index(place).flip_file() as usize));
    Key {
        mirror: mirror.collect(),
        ..Key::piece_squares(name(piece), MAX_TERM, words, board)
    }
}

/// Evaluations by name.
const PRESETS: [Preset; 3] = [
    Preset::new("leitai", include_str!("presets/leitai.toml")),
    Preset::new("leitai-1", include_str!("presets/leitai-1.toml")),
    Preset::new("plain", include_str!("presets/plain.toml")),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_those_of_the_table() {
        assert_eq!(TABLE.len(), NUMBERS);
        let index = |path: &str| TABLE.find(path).map(leitai_game::numbers::Entry::index);
        assert_eq!(index("tempo"), Some(TEMPO));
        for (phase, before) in ["", "end."].into_iter().enumerate() {
            for piece in Piece::ALL {
                let path = format!("{before}material.{}", name(piece));
                let expected = material(piece).map(|place| first(phase) + place);
                assert_eq!(index(&path), expected, "{path}");
                for at in Square::ALL {
                    let (row, file) = (7 - at.rank() as usize, at.file() as usize);
                    let path = format!("{before}pst.{}[{row}][{file}]", name(piece));
                    let entry = TABLE.find(&path).unwrap();
                    assert_eq!(entry.index(), first(phase) + square(piece, at));
                    assert_eq!(entry.place_name(), Some(&*at.to_string()));
                }
            }
            let mut place = 0;
            for group in &GROUPS {
                for it in group.terms {
                    let list = if it.places.is_empty() { "" } else { "[0]" };
                    let path = format!("{before}{}.{}{list}", group.name, it.name);
                    assert_eq!(index(&path), Some(first(phase) + term(place)), "{path}");
                    place += it.weights();
                }
            }
        }
        let king = TABLE.find("pst.king[7][6]").unwrap();
        assert_eq!(king.mirrored(), TABLE.find("pst.king[7][1]"));
    }
}
