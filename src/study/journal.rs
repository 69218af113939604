//! Finished cells as lines of text, so that a study that was stopped carries on.
//!
//! A line is a JSON array: the key of the cell, then an array of numbers for each
//! iteration. The key is a hash over all that decides what the cell holds: the
//! version of the program, the game and its rules, the variant's search and
//! evaluation with every default written out, the position, the last depth and the
//! limit of nodes; and over what this build finds in a small search of this very
//! variant and position, so that a build whose search plays otherwise does not
//! take the cells of another for its own. What only a larger search would show is
//! not noticed, nor on which machine the times were measured.

use std::collections::HashMap;
use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::{Cell, Iteration, Task};
use crate::game::{Line, Move};
use crate::play::work;
use crate::player::Playable;
use crate::schedule::hexadecimal;
use crate::search::{Counters, Search, SearchLimits};

/// Nodes of the search that a cell is known by.
const SIGNATURE_NODES: u64 = 5_000;

/// The keys of all cells of a task, in their order, found on `threads` threads;
/// `None` if `cancel` was set meanwhile.
pub fn keys<P: Playable>(
    task: &Task<'_, P>,
    threads: NonZeroUsize,
    cancel: &AtomicBool,
) -> Option<Vec<String>> {
    let count = task.variants.len() * task.suite.len();
    let mut keys = vec![None; count];
    let worker = || |number| Some(key(task, number as usize));
    let done: Result<(), Infallible> = work(
        0..count as u64,
        threads,
        cancel,
        worker,
        |number, key: String| {
            keys[number as usize] = Some(key);
            Ok(())
        },
    );
    let Ok(()) = done;
    keys.into_iter().collect()
}

/// The key of cell `number`.
fn key<P: Playable>(task: &Task<'_, P>, number: usize) -> String {
    let variant = &task.variants[number % task.variants.len()];
    let opening = &task.suite.openings[number / task.variants.len()];
    let found = P::evaluation(&variant.eval, task.rules).map(|evaluation| {
        let limits = SearchLimits {
            nodes: Some(SIGNATURE_NODES),
            depth: None,
        };
        let mut params = variant.search.clone();
        // Enough for so few nodes.
        params.table_mb = params.table_mb.min(1);
        let mut search = Search::new(params, evaluation);
        let line = Line::new(opening.position.clone());
        search.run(&line, task.rules, &limits, &|| false, None)
    });
    let Task {
        rules,
        depth,
        nodes,
        ..
    } = task;
    // The name decides nothing.
    let (params, eval, fen) = (&variant.search, &variant.eval, &opening.fen);
    let (version, game) = (env!("CARGO_PKG_VERSION"), P::NAME);
    let all =
        format!("{version} {game} {rules:?} {depth} {nodes:?} {params:?} {eval:?} {found:?} {fen}");
    hexadecimal(&Sha256::digest(all.as_bytes()))
}

/// One iteration: nodes, total nodes, score, best move, seven counters, time and
/// total time in nanoseconds.
type Row = [i64; 13];

/// The line of a cell, with its line break.
pub fn journal_line(key: &str, cell: &Cell) -> String {
    let rows: Vec<Row> = cell.iter().map(row).collect();
    serde_json::json!([key, rows]).to_string() + "\n"
}

/// The cells in a journal by their keys. Lines that are damaged, as the last one
/// of a process that was killed, are passed over.
pub fn read_journal(text: &str) -> HashMap<String, Cell> {
    text.lines()
        .filter_map(|line| {
            let (key, rows): (String, Vec<Row>) = serde_json::from_str(line).ok()?;
            Some((key, rows.into_iter().map(iteration).collect()))
        })
        .collect()
}

fn row(it: &Iteration) -> Row {
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

fn iteration(row: Row) -> Iteration {
    let at = |index: usize| row[index] as u64;
    Iteration {
        nodes: at(0),
        total_nodes: at(1),
        score: row[2] as i32,
        best: u16::try_from(row[3]).ok().map(Move),
        counters: Counters {
            quiescence_nodes: at(4),
            table_probes: at(5),
            table_hits: at(6),
            table_cutoffs: at(7),
            cutoffs: at(8),
            first_move_cutoffs: at(9),
            cutoff_numbers: at(10),
        },
        time: Duration::from_nanos(at(11)),
        total_time: Duration::from_nanos(at(12)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::config::parse;
    use crate::game::xiangqi::{Xiangqi, XiangqiRules};
    use crate::schedule::Book;

    proptest! {
        #[test]
        fn cells_come_back_whole(rows in prop::collection::vec(prop::array::uniform13(0_i64..50_000), 0..9)) {
            let cell: Cell = rows.into_iter().map(iteration).collect();
            let line = journal_line("k", &cell);
            prop_assert_eq!(read_journal(&line).remove("k"), Some(cell));
            // A line that was torn anywhere is no cell.
            for end in 1..line.len() - 1 {
                prop_assert!(read_journal(&line[..end]).is_empty());
            }
        }
    }

    /// The keys of a study of two variants on two positions.
    fn keys_of(config: &str, suite: &str, depth: u32, cancelled: bool) -> Option<Vec<String>> {
        let text = format!(
            "game = \"xiangqi\"\n[study]\nsuite = \"x\"\ndepth = 1\n\
             [[variant]]\nname = \"a\"\n[[variant]]\n{config}"
        );
        let config = parse(&text, "study.toml").unwrap().config;
        let suite = Book::<Xiangqi>::parse(suite, "suite").unwrap();
        let task = Task {
            rules: XiangqiRules::default(),
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
        // Neither do the other positions, nor their number.
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

    #[test]
    fn a_torn_line_does_not_hide_the_others() {
        let line = journal_line("k", &Cell::new());
        let text = format!("{line}[\"x\", [[1,\n{}", line.replace('k', "l"));
        let mut keys: Vec<String> = read_journal(&text).into_keys().collect();
        keys.sort();
        assert_eq!(keys, ["k", "l"]);
    }
}
