//! The processors of games: their number with a time limit, and their distribution over threads.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use anyhow::bail;

use super::run::playing;
use super::{Failure, Listener};
use leitai_base::count::count;
use leitai_config::{Config, Limits, Variant};
use leitai_players::play::{Cores, Pin, Processors, count_cores};

/// Warns if games with a time limit need more processors than available, since their players would
/// lose time without fault, and if searches on several threads do so under any limit.
///
/// # Errors
/// Games with a time limit need at least twice the available processors, and `force` is false.
pub(crate) fn check<'a>(
    players: impl Iterator<Item = (&'a Variant, Limits)>,
    threads: NonZeroUsize,
    force: bool,
    listener: &dyn Listener,
) -> Result<(), Failure> {
    let (variants, limits): (Vec<_>, Vec<_>) = players.unzip();
    let by_clock = limits.iter().any(|limits| limits.time.is_some());
    let each = used_at_once(&variants);
    let there = available_parallelism().map_or(1, NonZeroUsize::get) as u64;
    let needed = each.saturating_mul(threads.get() as u64);
    if needed <= there || !by_clock && each == 1 {
        return Ok(());
    }
    let games = count(threads.get() as u64, "game at once", "games at once");
    let (clock, harm) = if by_clock {
        (
            " by the clock",
            "players lose on time, and play more weakly than usual",
        )
    } else {
        ("", "searches slow each other down")
    };
    let problem = format!(
        "{games}{clock}, on {} each, need {needed} of {there}: {harm}",
        count(each, "processor", "processors")
    );
    let ponder = variants.iter().any(|variant| ponders(variant));
    let help = match there / each {
        0 if ponder => {
            "remove `ponder`, or give the programs fewer `Threads` under `options`".to_owned()
        }
        0 if !by_clock => format!("give the programs `Threads = {there}` under `options`"),
        0 => format!(
            "give the programs `Threads = {there}` under `options`, or limit by nodes or depth"
        ),
        fitting if !by_clock => format!("give it `--threads {fitting}`"),
        fitting => format!("give it `--threads {fitting}`, or limit by nodes or depth"),
    };
    if by_clock && needed >= 2 * there && !force {
        bail!("{problem}\nhelp: {help}; `--force` plays anyway");
    }
    listener.warn(format!("{problem}\nhelp: {help}"));
    Ok(())
}

/// Returns the number of processors that a variant uses during a search.
fn used_by(variant: &Variant) -> u64 {
    let program = variant.program.as_ref();
    let threads = program.and_then(|program| program.profile.search_threads());
    threads.unwrap_or(1).max(1)
}

/// Returns whether the variant thinks on the opponent's time.
fn ponders(variant: &Variant) -> bool {
    let program = variant.program.as_ref();
    program.is_some_and(|program| program.ponder)
}

/// The most processors that a game of two of the variants uses at once. Its players search in turn,
/// unless one of them ponders.
fn used_at_once(variants: &[&Variant]) -> u64 {
    let pairs = variants.iter().enumerate().flat_map(|(index, one)| {
        let others = variants[index + 1..].iter();
        others.map(move |other| (*one, *other))
    });
    let used = pairs.map(|(one, other)| {
        let [own, theirs] = [one, other].map(used_by);
        if ponders(one) || ponders(other) {
            own.saturating_add(theirs)
        } else {
            own.max(theirs)
        }
    });
    let alone = variants.iter().map(|variant| used_by(variant));
    used.chain(alone).max().unwrap_or(1)
}

/// Selects processors for worker threads: as many for each as a game of the config uses.
///
/// # Errors
/// There are too few, or the system does not bind threads.
pub fn cores_for(config: &Config, threads: NonZeroUsize, pin: &Pin) -> Result<Cores, Failure> {
    Ok(Cores::for_threads(threads, used_by_game(config), pin)?)
}

/// The most processors that a game of the config uses at once.
fn used_by_game(config: &Config) -> NonZeroUsize {
    let players = playing(config).into_iter();
    let players: Vec<_> = players.map(|index| &config.variants[index]).collect();
    let most = usize::try_from(used_at_once(&players)).ok();
    most.and_then(NonZeroUsize::new)
        .unwrap_or(NonZeroUsize::MIN)
}

/// A sentence about the processors of worker threads.
pub fn placement_text(cores: &Cores) -> String {
    let sets = cores.sets();
    let all: Processors = sets.iter().flatten().map(|it| it.number).collect();
    let shared = match cores.shared() {
        0 => "no two on one core".to_owned(),
        shared => format!("{shared} of them on shared cores"),
    };
    let each = sets.first().map_or(0, Vec::len) as u64;
    format!(
        "{} bound to {} each: {all}, {shared}",
        count(sets.len() as u64, "thread", "threads"),
        count(each, "processor", "processors"),
    )
}

/// Warns of threads that share cores, and of timed games on more threads than cores.
pub fn warn_of_placement(
    config: &Config,
    threads: NonZeroUsize,
    cores: Option<&Cores>,
    listener: &dyn Listener,
) {
    if let Some(shared @ 1..) = cores.map(Cores::shared) {
        listener.warn(format!(
            "{shared} processors share a core with another one in use, and are slower than one \
             alone\nhelp: use fewer `--threads`"
        ));
    }
    let needed = threads.get().saturating_mul(used_by_game(config).get());
    if let Some(there) = count_cores().filter(|&there| config.is_timed() && needed > there) {
        listener.warn(format!(
            "timed games on {} need {needed} of {}: players are slower than on a core of \
             their own, and not equally so\nhelp: use fewer `--threads`; `leitai doctor \
             --disturbance` measures how many disturb each other",
            count(threads.get() as u64, "thread", "threads"),
            count(there as u64, "core", "cores"),
        ));
    }
}
