//! Waits for a lock of another process.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Timeout for locks of another process, with a callback that reports the wait.
#[derive(Clone)]
pub struct LockTimeout {
    /// Timeout for each lock.
    pub limit: Duration,
    /// Delay of the callback, which is called once for each lock.
    pub report_after: Duration,
    /// Receives the path of the record.
    pub report: Arc<dyn Fn(&Path) + Send + Sync>,
}

impl Default for LockTimeout {
    /// Two seconds, without a report.
    fn default() -> Self {
        let limit = Duration::from_secs(2);
        Self {
            limit,
            report_after: limit,
            report: Arc::new(|_| {}),
        }
    }
}

impl fmt::Debug for LockTimeout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Patience")
    }
}

/// Consecutive waits for the locks of a record.
#[derive(Debug)]
pub(super) struct Wait {
    path: PathBuf,
    timeout: LockTimeout,
    begun: Instant,
    is_told: bool,
}

impl Wait {
    pub(super) fn new(path: &Path, timeout: LockTimeout) -> Self {
        Self {
            path: path.to_owned(),
            timeout,
            begun: Instant::now(),
            is_told: false,
        }
    }

    /// Waits a little for a lock after `times` earlier attempts. Returns false after the timeout.
    pub(super) fn goes_on(&mut self, times: i32) -> bool {
        if times == 0 {
            (self.begun, self.is_told) = (Instant::now(), false);
        }
        let waited = self.begun.elapsed();
        if waited >= self.timeout.limit {
            return false;
        }
        if waited >= self.timeout.report_after && !self.is_told {
            self.is_told = true;
            (self.timeout.report)(&self.path);
        }
        let pause = Duration::from_millis(times.clamp(1, 20) as u64);
        sleep(pause.min(self.timeout.limit.saturating_sub(waited)));
        true
    }
}
