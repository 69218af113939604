//! Leases of pairs in play. They let processes that share a record share the work, without playing
//! the same pair.
//!
//! A lease ends when its pair is recorded, when its holder returns it, when it expires, or when its
//! holder's process has ended. Terms are on the clock of the machine since its start: the wall clock
//! may be set.

use std::cell::Cell;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use leitai_platform::machine::uptime;
use leitai_platform::processes::{has_ended, scope, start_time};
use rusqlite::{OptionalExtension, Row, Transaction, params};

use super::connection::execute;
use super::{Result, RunHandle, Store};

/// Duration of a lease without renewal, in milliseconds.
const TERM: i64 = 60_000;
/// A holder that was silent for this time was stopped, perhaps together with all others: they get as
/// much time to renew their leases.
const STOPPED: i64 = TERM / 2;

const IS_RECORDED: &str = "SELECT 1 FROM pair WHERE run = ?1 AND idx = ?2";
const HOLDERS: &str = "SELECT holder, until FROM lease WHERE run = ?1";
const HOLDER: &str = "SELECT holder, until FROM lease WHERE run = ?1 AND idx = ?2";
const TAKE: &str = "\
    INSERT OR REPLACE INTO lease (run, idx, holder, until) VALUES (?1, ?2, ?3, ?4)";
const RENEW: &str = "UPDATE lease SET until = ?3 WHERE run = ?1 AND holder = ?2";
const GIVE_BACK: &str = "DELETE FROM lease WHERE run = ?1 AND holder = ?2";
const GIVE_BACK_BELOW: &str = "DELETE FROM lease WHERE run = ?1 AND idx < ?3 AND holder = ?2";

/// A holder of leases: a part of a process that plays a run.
#[derive(Debug)]
pub struct Holder {
    name: String,
    clock: Cell<HolderClock>,
}

/// The times of a holder's calls, in milliseconds.
#[derive(Clone, Copy, Debug)]
struct HolderClock {
    /// The last call.
    last: i64,
    /// The last call before a stop of this process, and the end of the others' time to renew.
    stop: (i64, i64),
}

impl HolderClock {
    fn new(now: i64) -> Self {
        Self {
            last: now,
            stop: (now, now),
        }
    }

    /// Notes a call at `now`. Returns the time at which a lease must be valid to count.
    fn call(&mut self, now: i64) -> i64 {
        if now - self.last > STOPPED {
            self.stop = (self.last, now + STOPPED);
        }
        self.last = now;
        let (before, end) = self.stop;
        if now < end { before } else { now }
    }
}

fn now_ms() -> i64 {
    i64::try_from(uptime().as_millis()).unwrap_or(i64::MAX / 2)
}

/// The answer to a request to play a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lease {
    /// The holder may play the pair.
    Granted,
    /// Another holder is playing the pair.
    Held,
    /// The pair is already recorded.
    Recorded,
}

/// Identifies this process among all that may write to the same file, including those in other
/// containers and later ones with the same process number.
static PROCESS: LazyLock<String> = LazyLock::new(|| {
    let id = std::process::id();
    let started = start_time(id).unwrap_or_default();
    format!("{}/{id}/{started}", scope())
});

impl Holder {
    /// Returns whether the process of a holder has ended; `None` if that is unknown, as on other
    /// machines.
    fn is_gone(holder: &str) -> Option<bool> {
        let words: Vec<&str> = holder.rsplitn(4, '/').collect();
        let &[_, began, id, around] = &words[..] else {
            return None;
        };
        let (id, began) = (id.parse::<u32>().ok()?, began.parse::<u64>().ok()?);
        (began != 0 && around == scope()).then(|| has_ended(id, began))
    }

    /// Notes a call at `now`; see [`HolderClock::call`].
    fn call(&self, now: i64) -> i64 {
        let mut clock = self.clock.get();
        let since = clock.call(now);
        self.clock.set(clock);
        since
    }

    /// Returns whether a lease of another holder is valid at `since` or later.
    fn holds(&self, since: i64, now: i64, (other, until): &(String, i64)) -> bool {
        // A lease with a longer term than possible is from before the start of the machine.
        *other != self.name
            && (since..=now + 2 * TERM).contains(until)
            && Self::is_gone(other) != Some(true)
    }
}

impl Default for Holder {
    /// A unique holder.
    fn default() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        Self {
            name: format!("{}/{number}", *PROCESS),
            clock: Cell::new(HolderClock::new(now_ms())),
        }
    }
}

impl Store {
    /// Returns whether a process plays the run.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn is_played(&self, run: &RunHandle) -> Result<bool> {
        self.is_held(run, |_| true)
    }

    /// Returns whether a process that is known to run on this machine plays the run.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn is_played_here(&self, run: &RunHandle) -> Result<bool> {
        self.is_held(run, |holder| Holder::is_gone(holder) == Some(false))
    }

    fn is_held(&self, run: &RunHandle, counts: impl Fn(&str) -> bool) -> Result<bool> {
        let (now, nobody) = (now_ms(), Holder::default());
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let leases: Vec<(String, i64)> = self.rows(HOLDERS, [run.key], read)?;
        let mut leases = leases.iter();
        Ok(leases.any(|lease| nobody.holds(now, now, lease) && counts(&lease.0)))
    }

    /// Requests leases of pairs, all at once, for a minute or until they are
    /// [renewed](Self::renew_leases), and returns the answer for each. Also returns the holder's
    /// leases of pairs below number `below`.
    ///
    /// # Errors
    /// The file cannot be read or written; then no lease is granted.
    pub fn lease(
        &self,
        run: &RunHandle,
        holder: &Holder,
        below: u64,
        pairs: impl IntoIterator<Item = u64>,
    ) -> Result<Vec<Lease>> {
        let now = now_ms();
        let since = holder.call(now);
        let below = i64::try_from(below).unwrap_or(i64::MAX);
        let pairs = pairs.into_iter();
        let indices = pairs.map(|pair| self.to_integer("a pair number", pair));
        let indices: Vec<i64> = indices.collect::<Result<_, _>>()?;
        let lease = |tx: &Transaction<'_>, index: i64| {
            if tx.prepare_cached(IS_RECORDED)?.exists([run.key, index])? {
                return Ok(Lease::Recorded);
            }
            let held: Option<(String, i64)> = tx
                .prepare_cached(HOLDER)?
                .query_row([run.key, index], |row| Ok((row.get(0)?, row.get(1)?)))
                .optional()?;
            if held.is_some_and(|lease| holder.holds(since, now, &lease)) {
                return Ok(Lease::Held);
            }
            execute(tx, TAKE, params![run.key, index, holder.name, now + TERM])?;
            Ok(Lease::Granted)
        };
        self.write(|tx| {
            execute(tx, GIVE_BACK_BELOW, params![run.key, holder.name, below])?;
            indices.into_iter().map(|index| lease(tx, index)).collect()
        })
    }

    /// Renews all leases of a holder.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn renew_leases(&self, run: &RunHandle, holder: &Holder) -> Result<()> {
        let now = now_ms();
        holder.call(now);
        let values = params![run.key, holder.name, now + TERM];
        self.write(|tx| execute(tx, RENEW, values).map(drop))
    }

    /// Ends all leases of a holder.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn return_leases(&self, run: &RunHandle, holder: &Holder) -> Result<()> {
        self.write(|tx| execute(tx, GIVE_BACK, params![run.key, holder.name]).map(drop))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_a_stop_of_all_holders_a_lease_is_not_taken_over_at_once() {
        let mut clock = HolderClock::new(1_000);
        assert_eq!(clock.call(11_000), 11_000);
        // Both holders were stopped for an hour; the other one has a lease until 60,000.
        let woken = 3_611_000;
        assert_eq!(clock.call(woken), 11_000, "valid before the stop");
        assert_eq!(clock.call(woken + STOPPED - 1), 11_000);
        assert_eq!(clock.call(woken + STOPPED), woken + STOPPED, "not renewed");
    }
}
