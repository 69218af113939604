//! Checks memory, and that a program ends on request.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

use super::check::{Check, Status};
use super::game::Footprint;
use super::{ExaminedProgram, display};
use crate::player::Probe;
use leitai_platform::processes::{family, marked, marks, still_running};

/// Time that a program has to end before a run kills it.
const EXIT_TIMEOUT: Duration = Duration::from_millis(100);
/// Time that the check watches the program.
const WATCHED: Duration = Duration::from_secs(1);

/// Checks the memory of the processes, extrapolated to all threads.
pub(super) fn memory(examined: &ExaminedProgram, footprint: Footprint) -> Check {
    let Some(after) = footprint.after.max(footprint.before) else {
        return Check::ok("memory", "the system reports no memory");
    };
    let context = examined.context;
    let mib = |kib: u64| kib.div_ceil(1024);
    // Tables are touched bit by bit: counts memory that the program may still fill.
    let table = examined.program.profile.table_mib();
    let each = mib(after).max(table.unwrap_or_default());
    let before = footprint.before.map_or(after, |before| before.min(after));
    let mut text = format!(
        "{} MiB after the start, {} after the game",
        mib(before),
        mib(after)
    );
    if let Some(table) = table.filter(|table| *table > mib(after)) {
        let _ = write!(text, ", {table} with its table full");
    }
    let help = "give it a smaller table by its `options`, or play on fewer `--threads`";
    let check = context.memory(&text, each, help, Status::Warning);
    check
        .figure("start_mib", mib(before))
        .figure("game_mib", mib(after))
        .figure("growth_mib", mib(after - before))
        .figure("table_mib", table)
}

/// Checks that the program ends on request, and leaves no process behind.
pub(super) fn quit(probe: Probe) -> Check {
    let id = probe.engine.process.tree.id();
    let family = family(id);
    let marks = marks(id).filter(|marks| !marks.is_empty());
    // The program may have started processes since.
    let left = || {
        let marked = marks.as_deref().map(marked).unwrap_or_default();
        let mut left = still_running(&family);
        left.extend(still_running(&marked));
        BTreeSet::from_iter(left)
    };
    // A child that ends with the program, or was killed, takes a moment to go.
    let settled = || {
        for _ in 0..20 {
            if left().is_empty() {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Vec::from_iter(left())
    };
    let quit = format!("`{}`", probe.engine.protocol.quit);
    let (ended, behind) = probe.quit(WATCHED, settled);
    let numbers = settled();
    if !numbers.is_empty() {
        let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
        let text = format!(
            "it leaves processes behind that Leitai cannot end: {}",
            numbers.join(", ")
        );
        let help = "start the program itself in `command`, without a program that moves it to the background";
        return Check::failure("quit", text)
            .help(help.to_owned())
            .figure("left", numbers);
    }
    if ended.is_some() && !behind.is_empty() {
        let text = "leaves processes behind when it ends; a run ends them";
        return Check::warning("quit", text).figure("left", behind);
    }
    let [taken, watched, farewell] =
        [ended.unwrap_or_default(), WATCHED, EXIT_TIMEOUT].map(display::time);
    let check = match ended {
        Some(time) if time <= EXIT_TIMEOUT => Check::ok(
            "quit",
            format!("ends {taken} after {quit}, and leaves no process behind"),
        ),
        Some(_) => Check::warning(
            "quit",
            format!("takes {taken} to end after {quit}; a run kills it after {farewell}"),
        ),
        None => Check::warning(
            "quit",
            format!("does not end within {watched} of {quit}; a run kills it after {farewell}"),
        ),
    };
    check.figure("quit_ms", ended.map(display::milliseconds))
}
