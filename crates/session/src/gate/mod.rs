//! Gates: tests of candidates against a baseline.

mod outlook;
mod results;
mod short;

use anyhow::bail;

use super::{Failure, Listener, MissingSection, RunEnd, Session, Verb};
use leitai_config::{Gate, Loaded};
use leitai_runs::gate::{Difference, EarlierRun, Trials};
use leitai_runs::store::Store;
use leitai_runs::tournament::Plan;

pub use outlook::{Outlook, known_pace};
pub use results::recorded_results;
pub use short::warn as warn_if_short;

impl Session<'_> {
    /// Plays the gate of a config until its tests end. If the record contains the gate with other
    /// settings, reports what happens to that run: a strict test continues from a smaller book or a
    /// lower cap.
    ///
    /// # Errors
    /// As for [`run`](Session::run); or the config has no `[gate]`.
    pub fn gate(&self, loaded: Loaded) -> Result<RunEnd<Trials>, Failure> {
        let name = loaded.warnings.name.clone();
        terms_of(&loaded)?;
        self.report_session(Verb::Gate, name, RunEnd::is_complete, || {
            self.trial(loaded, true)
        })
    }

    /// Plays a gate as a stage of a session. With `resumes`, continues an earlier run of the record
    /// with other settings if possible.
    pub(crate) fn trial(&self, loaded: Loaded, resumes: bool) -> Result<RunEnd<Trials>, Failure> {
        self.check_machine(&loaded.config)?;
        let (mut plan, trials) = self.prepare_gate(loaded)?;
        self.play_stage(|store| {
            self.equalise(&mut plan, store, Some(&trials))?;
            if resumes {
                goes_on(plan, trials, store, &*self.listener)
            } else {
                Ok((plan, trials))
            }
        })
    }

    /// Builds the plan of a gate, and its trials before the first pair.
    pub(crate) fn prepare_gate(&self, loaded: Loaded) -> Result<(Plan, Trials), Failure> {
        let terms = terms_of(&loaded)?.clone();
        let plan = self.prepare(loaded)?;
        let former = plan.config.openings.earlier_books.iter();
        let openings = former.map(|book| book.openings).chain([plan.book.len()]);
        if !openings.is_sorted_by(|one, other| one < other) {
            bail!(
                "--grown-from: the book has {} openings; each earlier number of openings must be \
                 smaller than the next",
                plan.book.len()
            );
        }
        let trials = Trials::of(&terms, &plan)?.limited_to_starts(plan.different_starts());
        Ok((plan, trials))
    }
}

/// Returns the config's gate.
fn terms_of(loaded: &Loaded) -> Result<&Gate, Failure> {
    let Some(gate) = &loaded.config.gate else {
        let variants = &loaded.config.variants;
        let name = |index: usize| variants.get(index).map_or("", |v| v.name.as_str());
        bail!(MissingSection(format!(
            "{} has no `[gate]`\n\
             help: replace its `[tournament]`, if there is one, by\n\n  \
             [gate]\n  \
             base = {:?}\n  \
             candidate = {:?}\n  \
             elo0 = 0      # reject if it gains no more than this\n  \
             elo1 = 5      # accept if it gains at least this\n",
            loaded.warnings.name,
            name(1),
            name(0),
        )));
    };
    Ok(gate)
}

/// Greatest number of settings to name.
const MAX_LISTED: usize = 4;

/// Continues an earlier run of the record, if possible, and reports what happens to that run.
fn goes_on(
    mut plan: Plan,
    trials: Trials,
    store: &Store,
    listener: &dyn Listener,
) -> Result<(Plan, Trials), Failure> {
    let short = |run: &str| run.get(..12).unwrap_or(run).to_owned();
    match EarlierRun::of(&plan, store)? {
        EarlierRun::Nothing => Ok((plan, trials)),
        EarlierRun::Continues(longer) => {
            let mut longer = *longer;
            if let Some(carried) = &longer.earlier {
                listener.info(format!(
                    "the gate continues run {} of the record, whose pairs count",
                    short(carried.run.id())
                ));
            }
            longer.execution_options = std::mem::take(&mut plan.execution_options);
            longer.source = plan.source;
            let trials = Trials::of(&trials.gate, &longer)?;
            let trials = trials.limited_to_starts(longer.different_starts());
            Ok((longer, trials))
        }
        EarlierRun::Other(Difference {
            run,
            settings,
            strict_continues,
        }) => {
            let mut named: Vec<String> = settings.iter().take(MAX_LISTED).cloned().collect();
            if let more @ 1.. = settings.len().saturating_sub(MAX_LISTED) {
                named.push(format!("and {more} more"));
            }
            listener.note(format!(
                "the record holds an earlier run of this gate, {}, with other settings: {}; this \
                 is a new run",
                short(&run),
                named.join("; ")
            ));
            if strict_continues {
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
