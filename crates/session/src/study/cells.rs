//! Stores the finished searches of a study in its record, so that the study can be continued.
//!
//! The key of a cell covers everything that affects it. A changed study therefore reuses the
//! recorded cells that are still valid, and searches the rest.

use std::collections::HashMap;

use anyhow::Context;

use super::Storage;
use crate::{Event, Failure, Listener, Session, StudySearch, Work};
use leitai_base::count::count;
use leitai_base::foreign::shown_path;
use leitai_runs::store::{CellKey, Store};
use leitai_runs::study::{Grid, Measure, keys};

impl Session<'_> {
    /// Opens the record of a study, if it will receive cells or games.
    ///
    /// # Errors
    /// The record cannot be opened.
    pub fn open_study(&self, keep: Storage, has_games: bool) -> Result<Option<Store>, Failure> {
        if keep == Storage::Nothing && !has_games {
            return Ok(None);
        }
        let store = self.open().with_context(|| {
            format!(
                "cannot record the study in {} (`--store FILE` names another record, \
                 `--no-resume` keeps no searches)",
                shown_path(&self.store)
            )
        })?;
        Ok(Some(store))
    }

    /// Measures all cells. Takes the recorded ones from the record, and records the others as they
    /// finish. Cells are missing after a cancellation.
    ///
    /// # Errors
    /// The record cannot be read or written.
    pub fn measure<M: Measure>(
        &self,
        keep: Storage,
        store: Option<&Store>,
        measure: &M,
    ) -> Result<Grid<M::Cell>, Failure> {
        let (listener, columns) = (&*self.listener, measure.size()[0]);
        let mut cells = Grid::empty(measure.size());
        let mut stored = None;
        if let Some(store) = store.filter(|_| keep != Storage::Nothing) {
            let Some(keys) = keys(measure, self.threads, self.cancel) else {
                return Ok(cells);
            };
            if keep == Storage::Fresh {
                store.remove_cells(&keys)?;
            }
            recall::<M>(store, &keys, &mut cells, listener)?;
            stored = Some((store, keys));
        }
        let (all, mut done) = cells.progress();
        if stored.is_some() && done > 0 {
            listener.detail(format!(
                "{done} of {all} searches are known from {}; `--fresh` repeats all searches",
                shown_path(&self.store)
            ));
        }
        let progress = Work::begin("searches", done as u64, all as u64, &self.listener);
        let finished = |number: usize, cell: &M::Cell| -> Result<(), Failure> {
            done += 1;
            let [variant, position] = measure.names(number % columns, number / columns);
            let (nodes, seconds) = M::cost(cell);
            listener.notify(&Event::Searched(StudySearch {
                variant,
                position,
                nodes,
                seconds,
            }));
            progress.set(done as u64);
            if let (Some((store, keys)), Some(content)) = (&stored, M::write(cell)) {
                store.put_cell(&keys[number], &content)?;
            }
            Ok(())
        };
        let working = || cells.fill(measure, self.threads, self.cancel, finished);
        match store {
            Some(store) => store.guarded(self.cancel, working)??,
            None => working()?,
        }
        Ok(cells)
    }
}

/// Restores the recorded cells with these keys, and removes damaged ones from the record.
fn recall<M: Measure>(
    store: &Store,
    keys: &[CellKey],
    cells: &mut Grid<M::Cell>,
    listener: &dyn Listener,
) -> Result<(), Failure> {
    let mut numbers: HashMap<CellKey, Vec<usize>> = HashMap::new();
    for (number, key) in keys.iter().enumerate() {
        numbers.entry(*key).or_default().push(number);
    }
    let mut unreadable = Vec::new();
    let mut damaged = store.cells(|key, content| {
        let Some(numbers) = numbers.get(&key) else {
            return;
        };
        match M::read(content) {
            Some(cell) => numbers.iter().for_each(|&at| cells.put(at, cell.clone())),
            None => unreadable.push(key.to_vec()),
        }
    })?;
    damaged.append(&mut unreadable);
    if !damaged.is_empty() {
        let searches = count(
            damaged.len() as u64,
            "damaged finished search",
            "damaged finished searches",
        );
        listener.warn(format!(
            "{}: {searches} removed; the study repeats those that it needs",
            shown_path(store.path())
        ));
        store.remove_cells(&damaged)?;
    }
    Ok(())
}
