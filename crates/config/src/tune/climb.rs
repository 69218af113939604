//! `[tune.climb]`: the hill climber's blocks and races.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::raw::RawClimb;
use super::{Algorithm, TunedDimension};
use crate::problem::{Problem, Problems};
use crate::values::{Spanned, real, setting};
use leitai_base::settings::choice;
use leitai_stats::tune::HillClimb;

/// Settings of the hill climber.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Climb {
    /// Kinds of blocks to probe in addition to single numbers; without duplicates.
    pub blocks: Vec<BlockKind>,
    /// Pairs of a race as a share of the pairs of its probes, 0 to 1.
    pub race: f64,
}

choice! {
    /// A kind of blocks: numbers that the climber moves together.
    pub enum BlockKind {
        /// Each number outside of tables and lists, alone.
        Values = "values",
        /// All numbers of a group, such as `eval.material`.
        Groups = "groups",
        /// All squares of a table.
        Tables = "tables",
        /// The squares of a table with the same distance from the edge of the board.
        Rings = "rings",
        /// The squares of a table in a row.
        Rows = "rows",
        /// The squares of a table in a column and its mirror image.
        Columns = "columns",
        /// A square with its mirror image.
        Pairs = "pairs",
        /// Random numbers, about as many as there are blocks.
        Random = "random",
    }
}

/// Checks `[tune.climb]`.
pub(super) fn climb(
    raw: &Spanned<RawClimb>,
    algorithm: Algorithm,
    problems: &mut Problems,
) -> Option<Climb> {
    let fields = raw.get_ref();
    if algorithm != Algorithm::HillClimb {
        return Problem::error(raw.span(), "`climb` without the hill climber")
            .help("add `algorithm = \"hill-climb\"` under `[tune]`, or remove it")
            .refuse(problems);
    }
    let mut blocks = Vec::new();
    for typed in fields.blocks.iter().flat_map(Spanned::get_ref) {
        match setting(typed, "kind of blocks", problems) {
            Some(kind) if blocks.contains(&kind) => {
                Problem::error(typed.span(), "the same kind of blocks twice")
                    .help("name it once")
                    .report(problems);
            }
            kind => blocks.extend(kind),
        }
    }
    let usual = HillClimb::default().race;
    let race = real(&fields.race, usual, "tune.climb.race", problems)?;
    Some(Climb { blocks, race })
}

/// Warns about kinds whose blocks are the same as single numbers.
pub(super) fn warn_of_idle(
    raw: Option<&Spanned<RawClimb>>,
    climb: &Climb,
    dimensions: &[TunedDimension],
    problems: &mut Problems,
) {
    let typed = raw.and_then(|raw| raw.get_ref().blocks.as_ref());
    let Some(typed) = typed else { return };
    for kind in &climb.blocks {
        let blocks = kind.blocks(dimensions);
        let mut seen = HashSet::new();
        let mut joined = blocks.iter().flatten();
        let differs = match kind {
            BlockKind::Random => true,
            BlockKind::Values => blocks.contains(&None) && blocks.iter().any(Option::is_some),
            _ => joined.any(|block| !seen.insert(block)),
        };
        if !differs {
            let message = format!(
                "blocks of the kind `{}` are the same as single numbers here",
                kind.name()
            );
            Problem::warning(typed.span(), message)
                .help("remove it from the list")
                .report(problems);
        }
    }
}

impl BlockKind {
    /// Returns the name of each dimension's block; `None` if this kind does not move it. Random
    /// blocks have no names.
    pub fn blocks(self, dimensions: &[TunedDimension]) -> Vec<Option<String>> {
        let places = dimensions.iter().map(|dimension| {
            let numbers = dimension.members.iter().map(|member| member.number.path());
            numbers.map(|path| Place::of(&path)).collect()
        });
        let places: Vec<Vec<Place>> = places.collect();
        // Boards of one group have one size, even if a piece reaches a part of it only.
        let mut extents: HashMap<&str, [usize; 2]> = HashMap::new();
        for place in places.iter().flatten() {
            let extent = extents.entry(place.group()).or_default();
            for (last, index) in extent.iter_mut().zip(&place.indices) {
                *last = (*last).max(*index);
            }
        }
        let block = |places: &Vec<Place>| {
            let place = places.first()?;
            let table = &place.table;
            let square = match place.indices.as_slice() {
                &[row, column] => Some((row, column)),
                _ => None,
            };
            let [last_row, last_column] = extents[place.group()];
            let mirrored = |column: usize| column.min(last_column - column);
            match self {
                Self::Values => place.indices.is_empty().then(|| table.clone()),
                Self::Groups => Some(place.group().to_owned()),
                Self::Tables => (!place.indices.is_empty()).then(|| table.clone()),
                Self::Rows => square.map(|(row, _)| format!("{table}[{row}]")),
                Self::Columns => {
                    square.map(|(_, column)| format!("{table}[*][{}]", mirrored(column)))
                }
                Self::Pairs => {
                    square.map(|(row, column)| format!("{table}[{row}][{}]", mirrored(column)))
                }
                Self::Rings => square.map(|(row, column)| {
                    let ring = mirrored(column).min(row).min(last_row - row);
                    format!("{table} ring {ring}")
                }),
                Self::Random => None,
            }
        };
        places.iter().map(block).collect()
    }
}

/// A path, taken apart: `eval.pst.rook[3][4]` is the square 3, 4 of the table `eval.pst.rook`.
struct Place {
    table: String,
    indices: Vec<usize>,
}

impl Place {
    fn of(path: &str) -> Self {
        let mut parts = path.split('[');
        let table = parts.next().unwrap_or_default().to_owned();
        let indices = parts.filter_map(|part| part.trim_end_matches(']').parse().ok());
        let indices = indices.collect();
        Self { table, indices }
    }

    fn group(&self) -> &str {
        self.table.rsplit_once('.').map_or("", |(group, _)| group)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Tune, games, parse};

    const CONFIG: &str = "game = \"xiangqi\"\nlimits = { nodes = 100 }\n\
        openings = { file = \"b.epd\" }\n[[variant]]\nname = \"mine\"\n\
        [tune]\ngames = 100\nalgorithm = \"hill-climb\"\n";

    /// The tune and the warnings.
    fn tune(rest: &str) -> (Tune, String) {
        let loaded = parse(&format!("{CONFIG}{rest}"), "t.toml", &games::all());
        let loaded = loaded.unwrap_or_else(|error| panic!("{error}"));
        let warnings = loaded.warnings.to_string();
        (loaded.config.tune.expect("a tune"), warnings)
    }

    /// Number of blocks, and of dimensions that are in none.
    fn count(kind: BlockKind, tune: &Tune) -> (usize, usize) {
        let blocks = kind.blocks(&tune.dimensions);
        let free = blocks.iter().filter(|block| block.is_none()).count();
        let mut names: Vec<String> = blocks.into_iter().flatten().collect();
        names.sort();
        names.dedup();
        (names.len(), free)
    }

    #[test]
    fn squares_form_tables_rings_rows_and_columns() {
        let (tune, _) = tune(
            "[[tune.parameter]]\npath = \"eval.pst.*[*][*]\"\n\
             [[tune.parameter]]\npath = \"eval.material.*\"\n",
        );
        let values = tune.dimensions.len() - 194;
        let kinds = [
            (BlockKind::Values, (values, 194)),
            (BlockKind::Groups, (2, 0)),
            (BlockKind::Tables, (7, values)),
            // King 3, advisor 3, elephant 3, pawn 7, and 10 of rook, horse and cannon.
            (BlockKind::Rows, (3 + 3 + 3 + 7 + 30, values)),
            // King 2, advisor 2, elephant 3; 5 of the other four.
            (BlockKind::Columns, (2 + 2 + 3 + 20, values)),
            (BlockKind::Pairs, (194, values)),
            (BlockKind::Random, (0, 194 + values)),
        ];
        for (kind, expected) in kinds {
            assert_eq!(count(kind, &tune), expected, "{}", kind.name());
        }
        // A board of ten by nine has rings 0 to 4.
        assert_eq!(count(BlockKind::Rings, &tune).1, values);
        let rings = BlockKind::Rings.blocks(&tune.dimensions);
        let rook = |row: usize, column: usize| {
            let name = format!("eval.pst.rook[{row}][{column}]");
            let at = tune.dimensions.iter().position(|it| it.name == name);
            rings[at.expect("a square")].clone().expect("a ring")
        };
        assert_eq!(rook(0, 3), "eval.pst.rook ring 0");
        assert_eq!(rook(9, 4), rook(4, 0));
        assert_eq!(rook(8, 4), rook(1, 1));
        assert_eq!(rook(4, 4), "eval.pst.rook ring 4");
    }

    #[test]
    fn without_mirroring_a_square_pairs_with_its_mirror_image() {
        let (tune, warnings) = tune(
            "climb = { blocks = [\"pairs\", \"columns\"], race = 0 }\n\
             [[tune.parameter]]\npath = \"eval.pst.rook[*][*]\"\nmirror = false\n",
        );
        assert_eq!(warnings, "");
        assert_eq!(count(BlockKind::Pairs, &tune), (50, 0));
        assert_eq!(count(BlockKind::Columns, &tune), (5, 0));
        let climb = tune.climb.expect("settings");
        assert_eq!(climb.blocks, [BlockKind::Pairs, BlockKind::Columns]);
        assert!(climb.race.abs() < f64::EPSILON);
    }

    #[test]
    fn idle_kinds_are_reported() {
        let rook = "[[tune.parameter]]\npath = \"eval.pst.rook[*][*]\"\n";
        for kind in ["pairs", "values"] {
            let (_, warnings) = tune(&format!("climb = {{ blocks = [\"{kind}\"] }}\n{rook}"));
            let message =
                format!("blocks of the kind `{kind}` are the same as single numbers here");
            assert!(warnings.contains(&message), "{warnings}");
        }
        for kind in ["random", "rows", "rings", "tables", "groups"] {
            let (_, warnings) = tune(&format!("climb = {{ blocks = [\"{kind}\"] }}\n{rook}"));
            assert_eq!(warnings, "");
        }
    }
}
