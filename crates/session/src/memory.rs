//! Checks resources for the players before anything starts: memory for their tables, and open files
//! for engines. Running out later would end the process in the middle of a pair, or look like an
//! engine failure.

use std::num::NonZeroUsize;

use anyhow::bail;
use leitai_platform::machine::{allow_open_files, available_mib, total_mib};

use super::{Failure, Listener};
use leitai_base::count::count;
use leitai_base::foreign::shown;
use leitai_config::Variant;
use leitai_game::search::proof::{Mode, SolverParams};

/// Refuses players whose transposition tables exceed the free memory, or engines that need more
/// open files than allowed. Each thread that plays one of the `pairs` keeps the players that it has
/// used, finally one of every variant.
///
/// # Errors
/// Memory or open files do not suffice.
pub fn check_players(
    variants: &[Variant],
    pairs: u64,
    threads: NonZeroUsize,
) -> Result<(), Failure> {
    let busy = pairs.min(threads.get() as u64);
    let programs = variants.iter().filter(|it| it.program.is_some()).count() as u64;
    provide_files(programs, busy)?;
    let needed = of_players(&sizes(variants), busy);
    check(needed, || {
        format!("{} variants on {busy} threads", variants.len())
    })
}

/// Warns if the tables that the options of engines set exceed the free memory.
///
/// # Errors
/// They exceed all memory, and `force` is false.
pub(crate) fn check_engines<'a>(
    players: impl Iterator<Item = &'a Variant>,
    pairs: u64,
    threads: NonZeroUsize,
    force: bool,
    listener: &dyn Listener,
) -> Result<(), Failure> {
    let sized = players.filter_map(|variant| {
        let size = variant.program.as_ref()?.profile.table_mib()?;
        Some((&*variant.name, size))
    });
    let (names, sizes): (Vec<_>, Vec<_>) = sized.unzip();
    let busy = pairs.min(threads.get() as u64);
    let (each, needed) = (of_players(&sizes, 1), of_players(&sizes, busy));
    let (total, free) = (total_mib(), available_mib());
    let Some(free) = free.filter(|&free| needed > free) else {
        return Ok(());
    };
    let tables = names.iter().zip(&sizes);
    let tables = tables.map(|(name, size)| format!("`{}` {size}", shown(name)));
    let tables = tables.collect::<Vec<_>>().join(", ");
    let total = total.unwrap_or(free);
    let problem = format!(
        "the tables of the engines need {needed} MiB: {tables} on each of {}; {free} of {total} MiB \
         are free",
        count(busy, "thread", "threads")
    );
    let help = match free / each {
        0 => "give the engines smaller tables (`Hash`) under `options`".to_owned(),
        fitting => format!(
            "give it `--threads {fitting}`, or the engines smaller tables (`Hash`) under `options`"
        ),
    };
    if needed > total && !force {
        bail!("{problem}\nhelp: {help}; `--force` plays anyway");
    }
    listener.warn(format!("{problem}\nhelp: {help}"));
    Ok(())
}

/// Refuses searches whose tables exceed the free memory. Each thread keeps one search at a time, of
/// any variant on any of the `positions`.
///
/// # Errors
/// Memory does not suffice.
pub fn check_searches(
    variants: &[Variant],
    positions: usize,
    threads: NonZeroUsize,
) -> Result<(), Failure> {
    let needed = of_searches(sizes(variants), positions, threads.get());
    let searches = threads.get().min(variants.len().saturating_mul(positions));
    check(needed, || {
        format!("{searches} searches at once, one per thread,")
    })
}

/// Refuses solvers whose tables may exceed the free memory. Each thread keeps all of them, with at
/// most `nodes` nodes per problem.
///
/// # Errors
/// Memory does not suffice.
pub fn check_solvers<'a>(
    solvers: impl IntoIterator<Item = &'a SolverParams>,
    nodes: Option<u64>,
    mode: Mode,
    threads: NonZeroUsize,
) -> Result<(), Failure> {
    // Proofs have additional tables of their own, and zones.
    let tables = if mode == Mode::Proved { 3 } else { 1 };
    let sizes = solvers.into_iter().map(|it| it.most_mb(nodes) * tables);
    let needed = of_players(&sizes.collect::<Vec<_>>(), threads.get() as u64);
    check(needed, || format!("solvers on {threads} threads"))
}

/// Returns the reason why a search with a table of this size in MiB is impossible; `None` if it is
/// possible.
pub fn table_refusal(megabytes: u32) -> Option<String> {
    let refused = check(megabytes.into(), || "the search".to_owned()).err();
    refused.map(|error| error.to_string())
}

/// The allocated size of each variant's table in MiB: a power of two.
fn sizes(variants: &[Variant]) -> Vec<u64> {
    let size = |variant: &Variant| match &variant.search.solver {
        // Default tables stay small with the nodes of one move.
        Some(solver) if solver.table <= SolverParams::default().table => 0,
        Some(solver) => solver.most_mb(None),
        None => {
            let megabytes = variant.search.table_mb;
            megabytes.checked_ilog2().map_or(0, |power| 1 << power)
        }
    };
    // See `check_engines` for external engines.
    let searches = variants.iter().filter(|variant| variant.is_search());
    searches.map(size).collect()
}

fn of_players(sizes: &[u64], busy: u64) -> u64 {
    sizes.iter().sum::<u64>().saturating_mul(busy)
}

/// The maximum memory of `threads` simultaneous searches: those with the largest tables, each
/// variant at most once per position.
fn of_searches(mut sizes: Vec<u64>, positions: usize, mut threads: usize) -> u64 {
    sizes.sort_unstable_by(|one, other| other.cmp(one));
    let mut needed = 0_u64;
    for size in sizes {
        let searches = threads.min(positions);
        threads -= searches;
        needed = needed.saturating_add(size.saturating_mul(searches as u64));
    }
    needed
}

fn check(needed: u64, whose: impl FnOnce() -> String) -> Result<(), Failure> {
    let bytes = usize::try_from(needed.saturating_mul(1 << 20)).unwrap_or(usize::MAX);
    // Only reserves address space, without touching the memory.
    let refused = Vec::<u8>::new().try_reserve_exact(bytes).is_err();
    let available = available_mib();
    if refused || available.is_some_and(|available| needed > available) {
        let free = available.map_or_else(String::new, |free| format!("; {free} MiB are free"));
        bail!(
            "the transposition tables of {} need {needed} MiB, more than available{free}\n\
             help: set a smaller `search.table_mb` (of solvers `search.solver.table`), or fewer \
             --threads",
            whose()
        );
    }
    Ok(())
}

/// Open files of the command itself: streams, config, book, record.
const OWN: u64 = 32;
/// Open files of a thread: those during the start of an engine, and a dialogue.
const OF_A_THREAD: u64 = 8;
/// Open files of a running engine: three pipes, and one to wait for it.
const OF_A_PROGRAM: u64 = 4;

/// Raises the limit of open files to the number for `programs` engines on each of `threads`
/// threads. Without enough files engines could not start, and would be reported as failing.
///
/// # Errors
/// The system does not allow the limit.
fn provide_files(programs: u64, threads: u64) -> Result<(), Failure> {
    if programs == 0 {
        return Ok(());
    }
    let of_thread = programs.saturating_mul(OF_A_PROGRAM) + OF_A_THREAD;
    let needed = threads.saturating_mul(of_thread).saturating_add(OWN);
    if !allow_open_files(needed) {
        bail!(
            "{} on {} may need {needed} open files, more than this process may open\n\
             help: play on fewer --threads, or allow more (`ulimit -n {needed}`)",
            count(programs, "program", "programs"),
            count(threads, "thread", "threads"),
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use leitai_config::{GameChoice, default_variant};

    #[test]
    fn a_study_keeps_one_table_per_thread() {
        // Two threads cannot need more than the two largest tables at once.
        assert_eq!(of_searches(vec![64, 512, 0, 64], 20, 2), 1024);
        // One position: each variant searches it only once.
        assert_eq!(of_searches(vec![64, 512, 0, 64], 1, 2), 576);
        assert_eq!(of_searches(vec![64, 512, 0, 64], 1, 9), 640);
        assert_eq!(of_searches(vec![64; 17], 20, 1), 64);
        assert_eq!(of_searches(vec![], 20, 8), 0);
        assert_eq!(of_searches(vec![u64::MAX; 2], 2, 4), u64::MAX);
    }

    #[test]
    fn players_keep_one_table_per_variant_and_thread() {
        assert_eq!(of_players(&[64, 512, 0, 64], 3), 1920);
        assert_eq!(of_players(&[], 3), 0);
    }

    #[test]
    fn tables_count_as_they_are_made() {
        let variant = |table_mb| {
            let mut variant = default_variant(GameChoice::usual(leitai_othello::card())).unwrap();
            variant.search.table_mb = table_mb;
            variant
        };
        assert_eq!(sizes(&[0, 1, 3, 4, 100].map(variant)), [0, 1, 2, 4, 64]);
    }

    #[test]
    fn solvers_count_by_their_tables_and_nodes() {
        let solver = |table| SolverParams {
            table,
            ..SolverParams::default()
        };
        let sizes = [0, 10, 20, 28].map(|table| solver(table).most_mb(None));
        assert_eq!(sizes, [1, 1, 128, 32_768]);
        assert_eq!(solver(28).most_mb(Some(12_000)), 3);
        let threads = NonZeroUsize::MIN;
        let check = |nodes| check_solvers(&[28; 99].map(solver), nodes, Mode::Proved, threads);
        assert!(check(Some(1_000)).is_ok());
        let refused = check(None).unwrap_err().to_string();
        assert!(refused.contains("`search.solver.table`"), "{refused}");
    }

    #[test]
    fn misfits_are_refused_with_help() {
        let huge = 1 << 43;
        let refused = check(huge, || "2 searches".to_owned())
            .unwrap_err()
            .to_string();
        assert!(refused.starts_with("the transposition tables of 2 searches need"));
        assert!(refused.contains("search.table_mb"));
        assert!(check(0, String::new).is_ok());
    }
}
