//! Whether the players' tables fit into memory, asked before anything starts:
//! running out later would end the process in the middle of a pair.

use std::num::NonZeroUsize;

use anyhow::bail;

use super::common::Failure;
use crate::config::Config;

/// Refuses a config whose transposition tables, one per variant and thread, are
/// larger than the memory that is free.
pub(super) fn check_tables(config: &Config, threads: NonZeroUsize) -> Result<(), Failure> {
    let per_thread: u64 = config
        .variants
        .iter()
        .map(|v| u64::from(v.search.table_mb))
        .sum();
    let needed = per_thread.saturating_mul(threads.get() as u64);
    let bytes = usize::try_from(needed << 20).unwrap_or(usize::MAX);
    // Reserved, never touched: this asks for address space only.
    let refused = Vec::<u8>::new().try_reserve_exact(bytes).is_err();
    if refused || available_mb().is_some_and(|available| needed > available) {
        bail!(
            "the transposition tables of {} variants on {threads} threads need {needed} MiB, more \
             than there is\nhelp: set a smaller `search.table_mb`, or fewer --threads",
            config.variants.len()
        );
    }
    Ok(())
}

/// Free memory in MiB, where the system tells.
fn available_mb() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / 1024)
}
