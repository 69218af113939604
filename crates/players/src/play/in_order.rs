//! Parallel work on numbered items with results in order.

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;

use super::pool::work;

/// The results of `play` for the numbers below `all`, in order; `None` if it was cancelled. Reports
/// the number of finished items.
pub fn in_order<R: Send>(
    all: u64,
    threads: NonZeroUsize,
    cancel: &AtomicBool,
    play: impl Fn(u64) -> R + Sync,
    mut progress: impl FnMut(u64),
) -> Option<Vec<R>> {
    let mut done = Vec::new();
    let worker = || |number| Some(play(number));
    let Ok(()) = work(0..all, threads, cancel, worker, |number, made| {
        done.push((number, made));
        progress(done.len() as u64);
        Ok::<(), Infallible>(())
    });
    if (done.len() as u64) < all {
        return None;
    }
    done.sort_unstable_by_key(|(number, _)| *number);
    Some(done.into_iter().map(|(_, made)| made).collect())
}
