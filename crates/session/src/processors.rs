//! Checks the number of processors for games with a time limit.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use anyhow::bail;

use super::{Failure, Listener};
use leitai_base::count::count;
use leitai_config::{Limits, Variant};

/// Engine options for the number of processors.
const NAMES: [&str; 2] = ["threads", "cores"];

/// Warns if games with a time limit need more processors than available, since their players would
/// lose time without fault. Games with node or depth limits are exempt.
///
/// # Errors
/// The games need at least twice the available processors, and `insists` is false.
pub(crate) fn check<'a>(
    players: impl Iterator<Item = (&'a Variant, Limits)>,
    threads: NonZeroUsize,
    insists: bool,
    listener: &dyn Listener,
) -> Result<(), Failure> {
    let (mut by_clock, mut each) = (false, 1);
    for (variant, limits) in players {
        by_clock |= limits.time.is_some();
        each = each.max(used_by(variant));
    }
    let there = available_parallelism().map_or(1, NonZeroUsize::get) as u64;
    let needed = each.saturating_mul(threads.get() as u64);
    if !by_clock || needed <= there {
        return Ok(());
    }
    let games = count(threads.get() as u64, "game at once", "games at once");
    let problem = format!(
        "{games} by the clock, on {} each, need {needed} of {there}: players lose on time, and \
         play more weakly than usual",
        count(each, "processor", "processors")
    );
    let help = match there / each {
        0 => format!(
            "give the programs `Threads = {there}` under `options`, or limit by nodes or depth"
        ),
        fitting => format!("give it `--threads {fitting}`, or limit by nodes or depth"),
    };
    if needed >= 2 * there && !insists {
        bail!("{problem}\nhelp: {help}; `--force` plays anyway");
    }
    listener.warn(format!("{problem}\nhelp: {help}"));
    Ok(())
}

/// Returns the number of processors that a variant uses during a search.
fn used_by(variant: &Variant) -> u64 {
    let profile = variant.program.as_ref().map(|program| &program.profile);
    let options = profile.into_iter().flat_map(|profile| &profile.options);
    let threads = options.filter(|(name, _)| NAMES.contains(&name.to_ascii_lowercase().as_str()));
    let numbers = threads.filter_map(|(_, value)| value.parse().ok());
    numbers.fold(1, u64::max)
}
