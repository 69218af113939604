//! Converts the games of a recorded run as if from its export.

use super::conversion::Conversion;
use crate::cli::prelude::*;
use crate::cli::recorded::{open_recorded, report_reach, restored_plan};
use crate::cli::recorded_tune::NO_GAMES;
use leitai_report::{recorded_games, tune_games};
use leitai_runs::gate::recorded_standings;

/// Converts the games of a run in schedule order.
pub(super) fn convert_record(
    path: &Path,
    run: Option<&str>,
    name: &str,
    conversion: &mut Conversion<'_>,
) -> Result<(), Failure> {
    let (store, entry) = &open_recorded(path, run)?;
    let mut any = false;
    let (plan, run) = (&restored_plan(store, entry)?, &entry.handle);
    if let Some(tune) = plan.tune() {
        let wanted = conversion.wants();
        tune_games(tune, store, &entry.handle, wanted, |game| {
            any = true;
            conversion.game(name, game)
        })?;
        if !any {
            bail!("{}: {NO_GAMES}", shown(name));
        }
        return Ok(());
    }
    let (standings, reach) = &recorded_standings(plan, store, run)?;
    let wanted = conversion.wants();
    report_reach(reach, wanted.beyond);
    recorded_games(plan, store, run, (standings, reach), wanted, |game| {
        any = true;
        conversion.game(name, game)
    })?;
    if !any {
        bail!("{}: the run has no finished pair", shown(name));
    }
    Ok(())
}
