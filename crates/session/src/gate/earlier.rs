//! Messages about a gate whose record contains it with other settings.

use crate::{Failure, Listener};
use leitai_runs::gate::{Difference, Earlier, Trials};
use leitai_runs::store::Store;
use leitai_runs::tournament::Plan;

/// Greatest number of settings to name.
const NAMED: usize = 4;

/// Continues an earlier run of the record, if possible, and reports what happens to that run.
pub(crate) fn goes_on(
    mut plan: Plan,
    trials: Trials,
    store: &Store,
    listener: &dyn Listener,
) -> Result<(Plan, Trials), Failure> {
    let short = |run: &str| run.get(..12).unwrap_or(run).to_owned();
    match Earlier::of(&plan, store)? {
        Earlier::Nothing => Ok((plan, trials)),
        Earlier::GoesOn(longer) => {
            let mut longer = *longer;
            if let Some(carried) = &longer.carried {
                listener.info(format!(
                    "the gate continues run {} of the record, whose pairs count",
                    short(carried.run.id())
                ));
            }
            longer.execution_options = std::mem::take(&mut plan.execution_options);
            let trials = Trials::of(&trials.gate, &longer)?;
            let trials = trials.over(longer.different_starts());
            Ok((longer, trials))
        }
        Earlier::Other(Difference {
            run,
            settings,
            strict_goes_on,
        }) => {
            let mut named: Vec<String> = settings.iter().take(NAMED).cloned().collect();
            if let more @ 1.. = settings.len().saturating_sub(NAMED) {
                named.push(format!("and {more} more"));
            }
            listener.note(format!(
                "the record holds an earlier run of this gate, {}, with other settings: {}; this \
                 is a new run",
                short(&run),
                named.join("; ")
            ));
            if strict_goes_on {
                listener.help(format!(
                    "the {} test cannot continue it: its cap is part of the plan for which its \
                     error rates hold, and more pairs after a look at the verdict are another \
                     test; `test = \"strict\"` holds at every moment and continues; `--store` names \
                     a new record",
                    trials.gate.test.name()
                ));
            }
            Ok((plan, trials))
        }
    }
}
