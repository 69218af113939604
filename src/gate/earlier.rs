//! What a record holds of a gate that is run again with other settings.
//!
//! A strict gate goes on with a book that was appended to, and with a larger `max_pairs`:
//! its test holds at every moment, so that more pairs may be asked for at any. The pairs
//! that it has played count. A first book of n openings is followed for as many rounds as
//! its trials have taken, and n at least; then come the new openings, each once, in an
//! order of their own, then all again and again
//! ([`FormerBook`](crate::config::FormerBook)). Everything else that differs makes
//! another gate, which begins anew.

use serde_json::Value;

use super::{Trial, Trials, Untestable};
use crate::config::{Exhausted, FormerBook, TestKind};
use crate::game::Position;
use crate::player::Playable;
use crate::schedule::{Book, ScheduleError};
use crate::store::{Opening, RunEntry, Store, StoreError};
use crate::tournament::{Carried, Plan, RunError, recorded};

/// A gate's run of the record, as the plan of another one sees it.
#[derive(Debug)]
pub enum Earlier<P: Position> {
    /// There is none, or it is that very run.
    Nothing,
    /// The plan goes on from it: this is the plan that does.
    GoesOn(Box<Plan<P>>),
    /// It is another gate of the same candidates.
    Other(Difference),
}

/// How a recorded gate differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The run's identity.
    pub run: String,
    /// What is another than it was, in words; not empty.
    pub settings: Vec<String>,
    /// Whether it could be gone on from, if the test were strict.
    pub strict_goes_on: bool,
}

/// Why nothing can be said of earlier runs.
#[derive(Debug, thiserror::Error)]
pub enum Unknown {
    /// The record cannot be read.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The gate has no test.
    #[error(transparent)]
    Test(#[from] Untestable),
    /// The gate has no schedule.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
}

impl From<StoreError> for Unknown {
    fn from(error: StoreError) -> Self {
        Self::Run(error.into())
    }
}

impl<P: Playable> Earlier<P> {
    /// The latest run of the record that the gate of `plan` can go on from, or else the
    /// latest with the same base and candidates.
    ///
    /// # Errors
    /// See [`Unknown`].
    pub fn of(plan: &Plan<P>, store: &Store) -> Result<Self, Unknown> {
        let runs = store.runs()?;
        let Some(gate) = &plan.config.gate else {
            return Ok(Self::Nothing);
        };
        if runs.iter().any(|entry| entry.meta.id == plan.id()) {
            return Ok(Self::Nothing);
        }
        let ours = parsed(&plan.config.resolved().unwrap_or_default());
        let mut other = None;
        for entry in runs.iter().rev() {
            let theirs = parsed(&entry.meta.config);
            if entry.meta.game != P::NAME || names(&theirs) != names(&ours) {
                continue;
            }
            let mut settings = Vec::new();
            compare("", &theirs, &ours, &mut settings);
            let may_differ = |setting: &String| {
                let paths = ["`gate.max_pairs`", "`openings."];
                paths.iter().any(|path| setting.starts_with(path))
            };
            if other.is_some() && !settings.iter().all(may_differ) {
                continue;
            }
            let book = openings_differ(&plan.book, &store.openings(&entry.handle)?);
            let earlier = match book {
                None => rebuilt(plan, entry, &theirs),
                Some(_) => None,
            };
            let may_go_on = earlier.as_ref().is_some_and(|old| longer(old, plan));
            if let Some(old) = earlier.filter(|_| may_go_on && gate.test == TestKind::Strict) {
                let longer = go_on(plan, &old, store, entry)?;
                return Ok(Self::GoesOn(Box::new(longer)));
            }
            // How the book had grown is nobody's setting.
            settings.retain(|setting| !setting.starts_with("`openings.former`"));
            if entry.meta.version != env!("CARGO_PKG_VERSION") {
                settings.push(format!("it was played by leitai {}", entry.meta.version));
            }
            let count = entry.handle.opening_count();
            settings.extend(book.or_else(|| {
                let added = plan.book.len() - count;
                (added > 0).then(|| format!("{added} openings behind its {count}"))
            }));
            if settings.is_empty() {
                settings.push("the players find other moves".to_owned());
            }
            other.get_or_insert(Difference {
                run: entry.meta.id.clone(),
                settings,
                strict_goes_on: may_go_on,
            });
        }
        Ok(other.map_or(Self::Nothing, Self::Other))
    }
}

/// The plan of the recorded run, from the config of `plan` and the book, the cap and what
/// happened behind its book as they were then; `None` if that is another run.
fn rebuilt<P: Playable>(plan: &Plan<P>, entry: &RunEntry, theirs: &Value) -> Option<Plan<P>> {
    let mut config = plan.config.clone();
    config.openings.recall(&theirs["openings"]);
    config.gate.as_mut()?.max_pairs = theirs["gate"]["max_pairs"].as_u64();
    let openings = plan.book.openings.get(..entry.handle.opening_count())?;
    let book = Book {
        openings: openings.to_vec(),
        duplicates: Vec::new(),
    };
    let old = Plan::new(config, book).ok()??;
    (old.id() == entry.meta.id).then_some(old)
}

/// Whether `plan` asks for at least as many pairs as `old`, and what was played of it
/// began where `plan` has it begin.
fn longer<P: Playable>(old: &Plan<P>, plan: &Plan<P>) -> bool {
    let [before, now] = [old, plan].map(|plan| plan.config.openings.exhausted);
    let went_round = old.schedule.varies() || old.schedule.repeats();
    plan.schedule.rounds() >= old.schedule.rounds() && (before == now || !went_round)
}

/// The plan that goes on from the run of `old`.
fn go_on<P: Playable>(
    plan: &Plan<P>,
    old: &Plan<P>,
    store: &Store,
    entry: &RunEntry,
) -> Result<Plan<P>, Unknown> {
    let mut config = plan.config.clone();
    config
        .openings
        .former
        .clone_from(&old.config.openings.former);
    let mut end = u64::MAX;
    if old.book.len() < plan.book.len()
        && let Some(gate) = &old.config.gate
    {
        let trials = Trials::new(gate, &old.schedule)?;
        let trials = recorded(trials, old, store, &entry.handle)?;
        let last = trials.trials().iter().filter_map(Trial::last_pair);
        let taken = last.map(|last| old.schedule.round(last) + 1).max();
        let rounds = taken.unwrap_or(0).max(old.schedule.first_lap());
        config.openings.former.push(FormerBook {
            openings: old.book.len(),
            rounds,
        });
        end = rounds.saturating_mul(gate.candidates.len() as u64);
    }
    if old.schedule.varies() {
        config.openings.exhausted = Exhausted::Vary;
    }
    let mut longer = plan.like(config)?;
    longer.carried = (longer.id() != entry.meta.id).then(|| Carried {
        run: entry.handle.clone(),
        end,
    });
    Ok(longer)
}

/// Where a book is not the recorded one with more behind it, in words; `None` if it is.
fn openings_differ<P>(book: &Book<P>, recorded: &[Opening]) -> Option<String> {
    let mut both = book.openings.iter().zip(recorded);
    let other = both.find(|(ours, theirs)| ours.fen != theirs.fen || ours.id != theirs.id);
    let (had, has) = (recorded.len(), book.openings.len());
    match other {
        Some((ours, theirs)) => Some(format!(
            "line {} of the openings, which is not `{}` any more",
            ours.line, theirs.id
        )),
        None if has < had => Some(format!("openings: {} of {had} are gone", had - has)),
        None => None,
    }
}

fn parsed(config: &str) -> Value {
    serde_json::from_str(config).unwrap_or_default()
}

/// The names of base and candidates; `None` of what is no gate.
fn names(config: &Value) -> Option<(&str, Vec<&str>)> {
    let gate = config.get("gate")?;
    let name = |index: &Value| {
        let variant = config["variants"].get(index.as_u64()? as usize)?;
        variant["name"].as_str()
    };
    let candidates = gate["candidates"].as_array()?.iter();
    Some((name(&gate["base"])?, candidates.filter_map(name).collect()))
}

/// Characters of a value that are shown.
const SHOWN: usize = 40;

/// Adds what is another in `now` than it `was`, with the path to it.
fn compare(path: &str, was: &Value, now: &Value, found: &mut Vec<String>) {
    if was == now {
        return;
    }
    if let (Value::Array(one), Value::Array(other)) = (was, now)
        && one.len() == other.len()
    {
        for (index, (was, now)) in one.iter().zip(other).enumerate() {
            let name = now["name"].as_str().map(str::to_owned);
            let name = name.unwrap_or_else(|| index.to_string());
            compare(&format!("{path}.{name}"), was, now, found);
        }
    } else if let (Value::Object(one), Value::Object(other)) = (was, now) {
        let mut keys: Vec<&String> = one.keys().chain(other.keys()).collect();
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            let below = match path {
                "" => key.clone(),
                _ => format!("{path}.{key}"),
            };
            compare(&below, &was[key], &now[key], found);
        }
    } else {
        let word = |value: &Value| match value {
            Value::Null => "not set".to_owned(),
            other => {
                let text = other.to_string();
                let start: String = text.chars().take(SHOWN).collect();
                let rest = if start == text { "" } else { "..." };
                start + rest
            }
        };
        found.push(format!(
            "`{path}`, {} then and {} now",
            word(was),
            word(now)
        ));
    }
}
