//! Earlier runs of a gate in its record, with other settings.
//!
//! A strict gate continues with a book that was appended to, and with a larger `max_pairs`: its
//! test is valid at every moment, so that more pairs may be added at any time. Its recorded pairs
//! count. A first book of n openings is used for as many rounds as its trials have taken, and n at
//! least; then come the new openings, each once, in an order of their own, then all of them
//! repeatedly ([`EarlierBook`](leitai_config::EarlierBook)). A gate with any test continues with
//! other policies under `[failures]`: the pairs that they do not affect count. Any other difference
//! makes another gate, which starts from zero.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde_json::Value;

use super::{Trials, Untestable};
use crate::store::{RunEntry, Store, StoreError, StoredBook};
use crate::tournament::{ContinuedRun, Plan, RunError, replay_record};
use leitai_base::count::count;
use leitai_config::{EarlierBook, Exhausted, TestKind, as_typed, typed_text};
use leitai_players::schedule::{Book, ScheduleError};

/// An earlier run of a gate, relative to another plan.
#[derive(Debug)]
pub enum EarlierRun {
    /// There is none, or it is the run of the plan itself.
    Nothing,
    /// The plan continues it; contains the plan that does.
    Continues(Box<Plan>),
    /// Another gate with the same candidates.
    Other(Difference),
}

/// The difference between a recorded gate and a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The run's identity.
    pub run: String,
    /// The changed settings as text; not empty.
    pub settings: Vec<String>,
    /// True if a strict test could continue it.
    pub strict_continues: bool,
}

/// The reason why earlier runs cannot be examined.
#[derive(Debug, thiserror::Error)]
pub enum EarlierError {
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

impl From<StoreError> for EarlierError {
    fn from(error: StoreError) -> Self {
        Self::Run(error.into())
    }
}

impl EarlierRun {
    /// The latest run of the record that the gate of `plan` can continue, or else the latest with
    /// the same base and candidates.
    ///
    /// # Errors
    /// See [`EarlierError`].
    pub fn of(plan: &Plan, store: &Store) -> Result<Self, EarlierError> {
        let runs = store.runs()?;
        let Some(gate) = &plan.config.gate else {
            return Ok(Self::Nothing);
        };
        if runs.iter().any(|entry| entry.meta.id == plan.id()) {
            return Ok(Self::Nothing);
        }
        let ours = serde_json::to_value(&plan.config).unwrap_or_default();
        let mut other = None;
        for entry in runs.iter().rev() {
            let theirs: Value = serde_json::from_str(&entry.meta.config).unwrap_or_default();
            if entry.meta.game != plan.config.game.name() || names(&theirs) != names(&ours) {
                continue;
            }
            let changes = changes(&theirs, &ours);
            if changes.iter().all(Change::may_be) {
                let recorded = store.openings(&entry.handle)?;
                let same_test =
                    recorded.len == plan.book.len() && changes.iter().all(Change::is_of_failures);
                let book = openings_differ(&plan.book, &recorded);
                let earlier = match book {
                    None => rebuilt(plan, entry, &theirs).filter(|old| longer(old, plan)),
                    Some(_) => None,
                };
                if let Some(old) = &earlier
                    && (gate.test == TestKind::Strict || same_test)
                {
                    let longer = go_on(plan, old, store, entry)?;
                    return Ok(Self::Continues(Box::new(longer)));
                }
                let added = plan.book.len().saturating_sub(recorded.len);
                let grown = (added > 0).then(|| {
                    let added = count(added as u64, "opening", "openings");
                    format!("{added} after its {}", recorded.len)
                });
                let of_book = book.or(grown);
                other
                    .get_or_insert_with(|| difference(entry, &changes, of_book, earlier.is_some()));
            } else {
                // No plan with these settings has that run: its book has no effect.
                other.get_or_insert_with(|| difference(entry, &changes, None, false));
            }
        }
        Ok(other.map_or(Self::Nothing, Self::Other))
    }
}

/// The difference of a run that is another gate.
fn difference(
    entry: &RunEntry,
    changes: &[Change],
    of_book: Option<String>,
    strict_continues: bool,
) -> Difference {
    let told = changes.iter().filter(|change| !change.is_growth());
    let mut settings: Vec<String> = told.map(Change::to_string).collect();
    if entry.meta.version != env!("CARGO_PKG_VERSION") {
        settings.push(format!("it was played by leitai {}", entry.meta.version));
    }
    settings.extend(of_book);
    if settings.is_empty() {
        settings.push("the players find other moves".to_owned());
    }
    Difference {
        run: entry.meta.id.clone(),
        settings,
        strict_continues,
    }
}

/// The plan of the recorded run: the config of `plan` with the recorded book, pair limit, and
/// policy after the end of the book; `None` if that is another run.
fn rebuilt(plan: &Plan, entry: &RunEntry, theirs: &Value) -> Option<Plan> {
    let mut config = plan.config.clone();
    config.failures = config.failures.recorded(&theirs["failures"])?;
    config.openings.recall(&theirs["openings"]);
    config.gate.as_mut()?.max_pairs = theirs["gate"]["max_pairs"].as_u64();
    let book = plan.book.prefix(entry.handle.openings).ok()?;
    let old = Plan::new(config, book).ok()?;
    (old.id() == entry.meta.id).then_some(old)
}

/// Returns whether `plan` has at least as many pairs as `old`, and begins with the pairs that were
/// played.
fn longer(old: &Plan, plan: &Plan) -> bool {
    let [before, now] = [old, plan].map(|plan| plan.config.openings.exhausted);
    let went_round = old.schedule.varies() || old.schedule.repeats();
    plan.schedule.rounds() >= old.schedule.rounds() && (before == now || !went_round)
}

/// The plan that continues the run of `old`.
fn go_on(plan: &Plan, old: &Plan, store: &Store, entry: &RunEntry) -> Result<Plan, EarlierError> {
    let mut config = plan.config.clone();
    let former = &mut config.openings.earlier_books;
    former.clone_from(&old.config.openings.earlier_books);
    let mut end = u64::MAX;
    if old.book.len() < plan.book.len()
        && let Some(gate) = &old.config.gate
    {
        let trials = Trials::of(gate, old)?;
        let (trials, _) = replay_record(trials, old, store, &entry.handle)?;
        let last = trials.candidates.iter().filter_map(|trial| trial.last_pair);
        let taken = last.map(|last| old.schedule.round(last) + 1).max();
        let rounds = taken.unwrap_or(0).max(old.schedule.first_lap());
        config.openings.earlier_books.push(EarlierBook {
            openings: old.book.len(),
            rounds,
        });
        end = rounds.saturating_mul(gate.candidates.len() as u64);
    }
    if old.schedule.varies() {
        config.openings.exhausted = Exhausted::Vary;
    }
    let mut longer = Plan::new(config, plan.book.clone())?;
    longer.earlier = (longer.id() != entry.meta.id).then(|| ContinuedRun {
        run: entry.handle.clone(),
        end,
    });
    Ok(longer)
}

/// The difference of a book that is not an extension of the recorded one, as text; `None` if it is
/// one.
fn openings_differ(book: &Book, recorded: &StoredBook) -> Option<String> {
    let played = recorded.held.iter();
    let mut both = played.filter_map(|(index, theirs)| Some((book.get(*index)?, theirs)));
    let other = both.find(|(ours, theirs)| ours.fen() != theirs.fen || ours.id() != theirs.id);
    let (had, has) = (recorded.len, book.len());
    if let Some((ours, theirs)) = other {
        return Some(format!(
            "line {} of the openings (was `{}`)",
            ours.line, theirs.id
        ));
    }
    if has < had {
        return Some(format!("openings: {} of {had} removed", had - has));
    }
    let same = book.prefix(had).ok();
    let digests = same.map(|same| [false, true].map(|with_lines| same.digest(with_lines)));
    let is_same = digests.is_some_and(|digests| digests.contains(&recorded.digest));
    (!is_same).then(|| "openings that were not played yet".to_owned())
}

/// The names of base and candidates; `None` if the config has no gate.
fn names(config: &Value) -> Option<(&str, Vec<&str>)> {
    let gate = config.get("gate")?;
    let name = |index: &Value| {
        let variant = config["variants"].get(index.as_u64()? as usize)?;
        variant["name"].as_str()
    };
    let candidates = gate["candidates"].as_array()?.iter();
    Some((name(&gate["base"])?, candidates.filter_map(name).collect()))
}

/// The maximum number of characters of a shown value.
const SHOWN: usize = 40;

/// A changed setting.
#[derive(Clone, Debug, PartialEq)]
struct Change {
    /// Keys separated by dots; elements of lists are identified by their names.
    path: String,
    was: Value,
    now: Value,
}

impl Change {
    /// Returns whether a gate with this change may continue; the plans decide whether it does.
    fn may_be(&self) -> bool {
        self.path == "gate.max_pairs" || self.path.starts_with("openings.") || self.is_of_failures()
    }

    /// Returns whether the change affects only pairs in which players fail: all others are the same
    /// with any test.
    fn is_of_failures(&self) -> bool {
        let plays_on = [&self.was, &self.now].map(|value| value.get("plays_on"));
        (self.path == "failures" || self.path.starts_with("failures."))
            && self.path != "failures.plays_on"
            && plays_on[0] == plays_on[1]
    }

    /// Returns whether the change is the growth of the book, which no user sets.
    fn is_growth(&self) -> bool {
        self.path.starts_with("openings.former")
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variant = self.path.strip_prefix("variants.");
        if let Some(name) = variant.and_then(|it| it.strip_suffix(".program.found.sha256")) {
            return write!(f, "the program file of `{name}` has changed");
        }
        let [was, now] = [&self.was, &self.now].map(|value| {
            if value.is_null() {
                return "not set".to_owned();
            }
            let text = typed_text(value);
            let start: String = text.chars().take(SHOWN).collect();
            let rest = if start == text { "" } else { "..." };
            start + rest
        });
        write!(f, "`{}`: {was} then, {now} now", self.path)
    }
}

/// The changes between two configs.
fn changes(was: &Value, now: &Value) -> Vec<Change> {
    let mut found = Vec::new();
    let [was, now] = [was, now].map(as_typed);
    compare(String::new(), &was, &now, &mut found);
    found
}

/// Adds the changes below `path`. A value that is a table in only one config, such as the settings
/// of a test, is one change.
fn compare(path: String, was: &Value, now: &Value, found: &mut Vec<Change>) {
    if was == now {
        return;
    }
    let (Some(one), Some(other)) = (members(was), members(now)) else {
        found.push(Change {
            path,
            was: was.clone(),
            now: now.clone(),
        });
        return;
    };
    let keys: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    for key in keys {
        let below = if path.is_empty() {
            key.clone()
        } else {
            format!("{path}.{key}")
        };
        let value = |of: &BTreeMap<String, &Value>| of.get(key).copied().cloned();
        let [was, now] = [&one, &other].map(|of| value(of).unwrap_or_default());
        compare(below, &was, &now, found);
    }
}

/// The members of a table, or of a list by their names or numbers.
fn members(value: &Value) -> Option<BTreeMap<String, &Value>> {
    match value {
        Value::Object(members) => {
            let members = members.iter();
            Some(members.map(|(key, value)| (key.clone(), value)).collect())
        }
        Value::Array(elements) => {
            let key = |(index, value): (usize, &Value)| {
                let name = value["name"].as_str().map(str::to_owned);
                name.unwrap_or_else(|| index.to_string())
            };
            let elements = elements.iter().enumerate();
            Some(elements.map(|element| (key(element), element.1)).collect())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn changes_are_named_by_their_paths() {
        let was = json!({
            "seed": 1,
            "gate": {"max_pairs": null, "test": {"gsprt": {"overshoot": true}}},
            "openings": {"former": [], "exhausted": "error"},
            "variants": [{"name": "a", "limits": {"nodes": 5}}, {"name": "b"}],
        });
        let now = json!({
            "seed": 1,
            "gate": {"max_pairs": 40, "test": "strict"},
            "openings": {"former": [{"openings": 5, "rounds": 5}], "exhausted": "error"},
            "variants": [{"name": "a", "limits": {"nodes": 6, "depth": null}}],
        });
        let found = changes(&was, &now);
        let told: Vec<String> = found.iter().map(Change::to_string).collect();
        assert_eq!(
            told,
            [
                "`gate.max_pairs`: not set then, 40 now",
                "`gate.overshoot`: true then, not set now",
                "`gate.test`: \"gsprt\" then, \"strict\" now",
                "`openings.former.0`: not set then, { openings = 5, rounds = 5 } now",
                "`variants.a.limits.nodes`: 5 then, 6 now",
                "`variants.b`: { name = \"b\" } then, not set now",
            ]
        );
        let may_be: Vec<bool> = found.iter().map(Change::may_be).collect();
        assert_eq!(may_be, [true, false, false, true, false, false]);
        assert!(found[3].is_growth() && !found[0].is_growth());
        assert_eq!(changes(&now, &now), []);
    }

    #[test]
    fn times_are_printed_as_in_configs() {
        let time = |secs: u64, nanos: u64| json!({"secs": secs, "nanos": nanos});
        let clock = |base: u64| json!({"clock": {"base": time(base, 0), "increment": time(0, 100_000_000)}});
        let was = json!({"limits": {"margin": time(0, 200_000_000), "time": clock(1)},
            "variants": [{"name": "a", "limits": {"time": {"per-move": time(0, 50_000_000)}}}]});
        let now = json!({"limits": {"nodes": 5, "time": null},
            "variants": [{"name": "a", "limits": {"time": clock(60)}}]});
        let told: Vec<String> = changes(&was, &now).iter().map(Change::to_string).collect();
        assert_eq!(
            told,
            [
                "`limits.clock`: \"1s+100ms\" then, not set now",
                "`limits.margin`: \"200ms\" then, not set now",
                "`limits.nodes`: not set then, 5 now",
                "`variants.a.limits.clock`: not set then, \"60s+100ms\" now",
                "`variants.a.limits.movetime`: \"50ms\" then, not set now",
            ]
        );
    }
}
