//! Waits for a lock of another process.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Timeout for locks of another process, with a callback that reports the wait.
#[derive(Clone)]
pub struct Patience {
    /// Timeout for each lock.
    pub whole: Duration,
    /// Delay of the callback, which is called once for each lock.
    pub silent: Duration,
    /// Receives the path of the record.
    pub tell: Arc<dyn Fn(&Path) + Send + Sync>,
}

impl Default for Patience {
    /// Two seconds, without a report.
    fn default() -> Self {
        let whole = Duration::from_secs(2);
        Self {
            whole,
            silent: whole,
            tell: Arc::new(|_| {}),
        }
    }
}

impl fmt::Debug for Patience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Patience")
    }
}

/// Consecutive waits for the locks of a record.
#[derive(Debug)]
pub(super) struct Wait {
    path: PathBuf,
    patience: Patience,
    begun: Instant,
    is_told: bool,
}

impl Wait {
    pub(super) fn new(path: &Path, patience: Patience) -> Self {
        Self {
            path: path.to_owned(),
            patience,
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
        if waited >= self.patience.whole {
            return false;
        }
        if waited >= self.patience.silent && !self.is_told {
            self.is_told = true;
            (self.patience.tell)(&self.path);
        }
        let pause = Duration::from_millis(times.clamp(1, 20) as u64);
        sleep(pause.min(self.patience.whole.saturating_sub(waited)));
        true
    }
}
