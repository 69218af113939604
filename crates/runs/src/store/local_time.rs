//! Local time.

use std::time::Duration;

use rusqlite::Connection;

use super::{Result, StoreProblem};

/// Returns the local time of day since midnight, from SQLite, which supports time zones.
///
/// # Errors
/// The system does not report the time.
pub fn time_of_day() -> Result<Duration> {
    let read = || {
        let conn = Connection::open_in_memory()?;
        let sql = "SELECT 3600 * strftime('%H', 'now', 'localtime') \
                   + 60 * strftime('%M', 'now', 'localtime') + strftime('%S', 'now', 'localtime')";
        conn.query_row(sql, [], |row| row.get::<_, i64>(0))
    };
    let seconds = read().map_err(|error| StoreProblem::from(error).at(":memory:".as_ref()))?;
    Ok(Duration::from_secs(seconds.max(0) as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_has_24_hours() {
        assert!(time_of_day().unwrap() < Duration::from_hours(24) + Duration::from_secs(1));
    }
}
