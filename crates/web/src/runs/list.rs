//! All runs of the records.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;
use serde_json::{Value, json};

use super::Source;
use crate::snapshots::{Publisher, Trouble};
use leitai_base::foreign::shown_path;
use leitai_runs::store::{Mode, Store};
use leitai_session::KnownGames;
use leitai_session::recorded::{Kind, kind_of, recorded_pairs, state_of};

#[derive(Default, Serialize)]
struct Listed {
    runs: Vec<Value>,
    /// The records that cannot be read, with reasons.
    troubles: Vec<String>,
}

/// Lists all runs while clients request the list.
pub(super) fn list(source: &Source, publisher: &mut Publisher) -> Result<(), Trouble> {
    let mut open: HashMap<&PathBuf, Store> = HashMap::new();
    let mut kinds: HashMap<String, Kind> = HashMap::new();
    loop {
        let mut listed = Listed::default();
        for record in &source.records {
            let store = match open.remove(record) {
                Some(store) => Ok(store),
                None => Store::open(record, Mode::Read),
            };
            let rows = store.and_then(|store| Ok((rows(&store, source.games, &mut kinds)?, store)));
            match rows {
                Ok((rows, store)) => {
                    listed.runs.extend(rows);
                    open.insert(record, store);
                }
                Err(error) => listed.troubles.push(error.to_string()),
            }
        }
        listed
            .runs
            .sort_by_key(|run| Reverse(run["begun"].as_u64()));
        publisher.publish(serde_json::to_string(&listed).map_err(|it| it.to_string())?);
        if !publisher.rest() {
            return Ok(());
        }
    }
}

fn rows(
    store: &Store,
    games: &KnownGames,
    kinds: &mut HashMap<String, Kind>,
) -> Result<Vec<Value>, leitai_runs::store::StoreError> {
    let mut rows = Vec::new();
    for entry in store.runs()? {
        let kind = kinds.entry(entry.meta.id.clone());
        let kind = *kind.or_insert_with(|| kind_of(&entry.meta, &games.cards));
        let recorded = recorded_pairs(store, &entry)?;
        let state = state_of(store, &entry, recorded)?;
        // The recorded pairs, and the most that the run can have; milliseconds since 1970.
        rows.push(json!({
            "run": entry.meta.id,
            "kind": kind,
            "config": entry.meta.source_name,
            "game": entry.meta.game,
            "variants": entry.meta.variants,
            "recorded": recorded,
            "pairs": entry.meta.pairs,
            "state": state,
            "begun": since_1970(entry.created_at),
            "record": shown_path(store.path()).to_string(),
        }));
    }
    Ok(rows)
}

fn since_1970(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_millis() as u64)
}
