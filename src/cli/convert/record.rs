//! The games of a recorded run, as if they had been read from its export.

use std::path::Path;

use super::conversion::Conversion;
use crate::cli::failure::Failure;
use crate::cli::recorded::{open_recorded, recorded_plan, tell_reach};
use crate::foreign::shown;
use crate::gate::recorded_standings;
use crate::report::recorded_games;

/// Converts the games of a run in schedule order.
pub(super) fn convert_record(
    path: &Path,
    run: Option<&str>,
    name: &str,
    conversion: &mut Conversion<'_>,
) -> Result<(), Failure> {
    let (store, entry) = &open_recorded(path, run)?;
    let (plan, run) = (&recorded_plan(store, entry)?, &entry.handle);
    let (standings, reach) = &recorded_standings(plan, store, run)?;
    let wanted = conversion.wants();
    tell_reach(reach, wanted.beyond);
    let mut any = false;
    recorded_games(plan, store, run, (standings, reach), wanted, |game| {
        any = true;
        conversion.game(name, &game)
    })?;
    if !any {
        anyhow::bail!("{}: the run has no finished pair", shown(name));
    }
    Ok(())
}
