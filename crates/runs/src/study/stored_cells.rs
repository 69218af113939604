//! Finished cells as text with keys, so that a stopped study can continue.
//!
//! A cell is a JSON array with an array of numbers for each iteration. Its key is a hash of all
//! that determines its content: the version of the program, the game and its rules, the variant's
//! search and evaluation with all defaults, the position, the last depth and the node limit. The
//! key also includes the result of a small search by this build with this variant on this position,
//! so that a build with another search does not reuse the cells. Differences that only a larger
//! search would show go unnoticed, and so does another machine for the times.

use std::time::Duration;

use super::{Iteration, Task};
use leitai_game::Move;
use leitai_game::search::{Counters, SearchLimits};

/// Node limit of the small search in a cell's signature.
const SIGNATURE_NODES: u64 = 5_000;

/// Describes everything that determines a cell.
pub(super) fn description(task: &Task<'_>, variant: usize, position: usize) -> String {
    let variant = &task.variants[variant];
    let Some(opening) = task.suite.get(position) else {
        return String::new();
    };
    let (card, rules) = (task.game.card, &task.game.rules);
    let mut params = variant.search.clone();
    // Enough for this number of nodes.
    params.table_mb = params.table_mb.min(1);
    params.solver = None;
    let searcher = card.thinker(&params, &variant.eval, rules);
    let found = searcher.map(|mut searcher| {
        let limits = SearchLimits {
            nodes: Some(SIGNATURE_NODES),
            depth: None,
        };
        let line = card.line(&*opening.position());
        searcher.run(&*line, &limits, &|| false, None)
    });
    let Task { depth, nodes, .. } = task;
    let rules = serde_json::json!(rules);
    // The variant's name is left out: it changes no search.
    let (params, eval, fen) = (&variant.search, &variant.eval, opening.fen());
    let (version, game) = (env!("CARGO_PKG_VERSION"), card.name());
    format!("{version} {game} {rules} {depth} {nodes:?} {params:?} {eval:?} {found:?} {fen}")
}

/// One iteration: nodes, total nodes, score, best move, seven counters, time and
/// total time in nanoseconds.
pub(super) type Row = [i64; 13];

/// Limits above any real search: 2^53 nodes take 285 years at a million a second, and 2^62
/// nanoseconds are 146 years.
const MAX_COUNTED: i64 = 1 << 53;
const LONGEST: i64 = 1 << 62;

pub(super) fn row(it: &Iteration) -> Row {
    let nanos = |time: Duration| time.as_nanos() as i64;
    let counters = &it.counters;
    [
        it.nodes as i64,
        it.total_nodes as i64,
        i64::from(it.score),
        it.best.map_or(-1, |mv| i64::from(mv.0)),
        counters.quiescence_nodes as i64,
        counters.table_probes as i64,
        counters.table_hits as i64,
        counters.table_cutoffs as i64,
        counters.cutoffs as i64,
        counters.first_move_cutoffs as i64,
        counters.cutoff_numbers as i64,
        nanos(it.time),
        nanos(it.total_time),
    ]
}

/// Parses an iteration; `None` if a number is out of range.
pub(super) fn iteration(row: Row) -> Option<Iteration> {
    let within = |index: usize, most: i64| {
        let number = row[index];
        (0..=most).contains(&number).then_some(number as u64)
    };
    let count = |index| within(index, MAX_COUNTED);
    let time = |index| within(index, LONGEST).map(Duration::from_nanos);
    Some(Iteration {
        nodes: count(0)?,
        total_nodes: count(1).filter(|total| *total >= row[0] as u64)?,
        score: row[2].try_into().ok()?,
        best: match row[3] {
            -1 => None,
            mv => Some(Move(mv.try_into().ok()?)),
        },
        counters: Counters {
            quiescence_nodes: count(4)?,
            table_probes: count(5)?,
            table_hits: count(6)?,
            table_cutoffs: count(7)?,
            cutoffs: count(8)?,
            first_move_cutoffs: count(9)?,
            cutoff_numbers: count(10)?,
        },
        time: time(11)?,
        total_time: time(12)?,
    })
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::sync::atomic::AtomicBool;

    use proptest::prelude::*;

    use super::super::{Cell, Measure as _, keys};
    use super::*;
    use leitai_config::parse;
    use leitai_game::card::GameChoice;
    use leitai_games as games;

    use leitai_players::schedule::Book;

    proptest! {
        #[test]
        fn cells_come_back_whole(rows in prop::collection::vec(prop::array::uniform13(0_i64..50_000), 0..9)) {
            let rows = rows.into_iter().map(|mut row: Row| {
                row[1] += row[0];
                row
            });
            let cell: Cell = rows.map(|row| iteration(row).unwrap()).collect();
            let text = Task::write(&cell).unwrap();
            prop_assert_eq!(Task::read(&text), Some(cell));
            // A prefix of the text is no cell.
            for end in 0..text.len() {
                prop_assert!(Task::read(&text[..end]).is_none());
            }
        }
    }

    #[test]
    fn numbers_that_no_search_has_make_no_cell() {
        let usual: Row = [5, 9, -30, 7, 1, 2, 3, 4, 5, 6, 7, 8, 9];
        assert!(iteration(usual).is_some());
        let without_move = iteration({
            let mut row = usual;
            row[3] = -1;
            row
        });
        assert_eq!(without_move.unwrap().best, None);
        for (at, wrong) in (0..13).flat_map(|at| [(at, i64::MAX), (at, i64::MIN), (at, -2)]) {
            let mut row = usual;
            row[at] = wrong;
            let fits = (at, wrong) == (2, -2);
            assert_eq!(iteration(row).is_some(), fits, "{wrong} at {at}");
        }
        let mut row = usual;
        row[1] = 4;
        assert_eq!(iteration(row), None, "fewer in all than in the last");
    }

    /// The keys of a study of two variants on two positions.
    fn keys_of(config: &str, suite: &str, depth: u32, cancelled: bool) -> Option<Vec<[u8; 32]>> {
        let text = format!(
            "game = \"xiangqi\"\n[study]\nsuite = \"x\"\ndepth = 1\n\
             [[variant]]\nname = \"a\"\n[[variant]]\n{config}"
        );
        let config = parse(&text, "study.toml", &games::all()).unwrap().config;
        let suite = Book::parse(leitai_xiangqi::card(), suite, "suite").unwrap();
        let task = Task {
            game: GameChoice::usual(leitai_xiangqi::card()),
            variants: &config.variants,
            suite: &suite,
            depth,
            nodes: None,
        };
        keys(&task, NonZeroUsize::MIN, &AtomicBool::new(cancelled))
    }

    #[test]
    fn a_key_is_about_one_cell_and_all_that_decides_it() {
        let one = "3k5/9/9/9/4R4/9/9/9/9/5K3 w - - 0 1";
        let other = "4k4/9/8R/R8/9/9/9/9/9/3K5 w - - 0 1";
        let suite = [one, other].join("\n");
        let found = keys_of("name = \"b\"", &suite, 5, false).unwrap();
        assert_eq!(found.len(), 4);
        assert_eq!(found[0], found[1], "the name decides nothing");
        assert_ne!(found[0], found[2]);
        // Other positions and their number do not affect a key.
        let alone = keys_of("name = \"b\"", other, 5, false).unwrap();
        assert_eq!(alone, found[2..]);
        for (config, depth) in [
            ("name = \"b\"\nsearch.table_mb = 8", 5),
            ("name = \"b\"\nsearch.ordering = [\"history\"]", 5),
            ("name = \"b\"\neval.material.rook = 901", 5),
            ("name = \"b\"", 6),
        ] {
            let changed = keys_of(config, &suite, depth, false).unwrap();
            assert_ne!(changed[1], found[1], "{config} {depth}");
        }
        assert_eq!(keys_of("name = \"b\"", &suite, 5, true), None);
    }
}
