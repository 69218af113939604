//! Finished cells as lines of text, so that a study that was stopped carries on.
//!
//! A line is a JSON array: the key of the cell, then an array of numbers for each
//! iteration. The key is a hash over all that decides what the cell holds, and
//! over what the variant finds in a small search, so that a build whose search
//! plays otherwise does not take the cells of another for its own.

use std::collections::HashMap;
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::{Cell, Iteration, Task};
use crate::config::Variant;
use crate::game::{Line, Move};
use crate::player::Playable;
use crate::schedule::hexadecimal;
use crate::search::{Counters, Search, SearchLimits};

/// Nodes of the search that a variant is known by.
const SIGNATURE_NODES: u64 = 2_000;

/// The keys of all cells of a task, in their order.
pub fn keys<P: Playable>(task: &Task<'_, P>) -> Vec<String> {
    let variants: Vec<Sha256> = task
        .variants
        .iter()
        .map(|variant| of_variant(task, variant))
        .collect();
    let of_position = |fen: &String| {
        let finish = |mut hasher: Sha256| {
            hasher.update(fen.as_bytes());
            hexadecimal(&hasher.finalize())
        };
        variants.iter().cloned().map(finish).collect::<Vec<_>>()
    };
    let openings = task.suite.openings.iter();
    openings
        .flat_map(|opening| of_position(&opening.fen))
        .collect()
}

fn of_variant<P: Playable>(task: &Task<'_, P>, variant: &Variant) -> Sha256 {
    let mut hasher = Sha256::new();
    let found = P::evaluation(&variant.eval).map(|evaluation| {
        let limits = SearchLimits {
            nodes: Some(SIGNATURE_NODES),
            depth: None,
        };
        let mut search = Search::new(variant.search.clone(), evaluation);
        let start = Line::new(P::initial());
        search.run(&start, task.rules, &limits, &|| false, None)
    });
    let Task {
        rules,
        depth,
        nodes,
        ..
    } = task;
    // The name decides nothing.
    let (params, eval) = (&variant.search, &variant.eval);
    let version = env!("CARGO_PKG_VERSION");
    let all = format!(
        "{version} {} {rules:?} {depth} {nodes:?} {params:?} {eval:?} {found:?}",
        P::NAME
    );
    hasher.update(all.as_bytes());
    hasher.update([0]);
    hasher
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

    #[test]
    fn a_torn_line_does_not_hide_the_others() {
        let line = journal_line("k", &Cell::new());
        let text = format!("{line}[\"x\", [[1,\n{}", line.replace('k', "l"));
        let mut keys: Vec<String> = read_journal(&text).into_keys().collect();
        keys.sort();
        assert_eq!(keys, ["k", "l"]);
    }
}
