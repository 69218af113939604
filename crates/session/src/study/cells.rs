//! Stores the finished searches of a study in its record, so that the study can be continued.
//!
//! The key of a cell covers everything that affects it. A changed study therefore reuses the
//! recorded cells that are still valid, and searches the rest.

use std::collections::HashMap;

use anyhow::Context;

use super::Keep;
use crate::{Event, Failure, Listener, Searched, Session, Work};
use leitai_base::count::count;
use leitai_base::foreign::shown_path;
use leitai_runs::store::{CellKey, Store};
use leitai_runs::study::Grid;

/// Conversion of a study's cells to and from the record.
pub struct Form<'a, C> {
    /// Returns the keys of all cells in order; `None` if cancelled.
    pub keys: &'a dyn Fn() -> Option<Vec<CellKey>>,
    /// Parses a cell; `None` if the text is invalid.
    pub read: fn(&str) -> Option<C>,
    /// Formats a cell; `None` if the cell is not stored.
    pub write: fn(&C) -> Option<String>,
    /// Builds the event of the cell with that number.
    pub searched: &'a dyn Fn(usize, &C) -> Searched,
}

/// Receives a cell and its number.
pub type Finished<'a, C> = &'a mut dyn FnMut(usize, &C) -> Result<(), Failure>;

impl Session<'_> {
    /// Opens the record of a study, if it will receive cells or games.
    ///
    /// # Errors
    /// The record cannot be opened.
    pub fn open_study(&self, keep: Keep, has_games: bool) -> Result<Option<Store>, Failure> {
        if keep == Keep::Nothing && !has_games {
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

    /// Fills in the cells, first from the record, then by `work`, whose cells are stored as they
    /// finish. Returns whether all cells are filled in.
    ///
    /// # Errors
    /// The record cannot be read or written, or `work` fails.
    pub fn fill<C: Clone>(
        &self,
        keep: Keep,
        store: Option<&Store>,
        cells: &mut Grid<C>,
        form: &Form<'_, C>,
        work: impl FnOnce(&mut Grid<C>, Finished<'_, C>) -> Result<(), Failure>,
    ) -> Result<bool, Failure> {
        let listener = &*self.listener;
        let mut stored = None;
        if let Some(store) = store.filter(|_| keep != Keep::Nothing) {
            let Some(keys) = (form.keys)() else {
                return Ok(false);
            };
            if keep == Keep::Fresh {
                store.remove_cells(&keys)?;
            }
            recall(store, &keys, form.read, cells, listener)?;
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
        let mut finished = |number: usize, cell: &C| {
            done += 1;
            listener.hear(&Event::Searched((form.searched)(number, cell)));
            progress.set(done as u64);
            if let (Some((store, keys)), Some(content)) = (&stored, (form.write)(cell)) {
                store.put_cell(&keys[number], &content)?;
            }
            Ok(())
        };
        let working = || work(cells, &mut finished);
        match store {
            Some(store) => store.watched(self.cancel, working)??,
            None => working()?,
        }
        Ok(done == all)
    }
}

/// Restores the recorded cells with these keys, parsed by `read`, and removes damaged ones from the
/// record.
fn recall<C: Clone>(
    store: &Store,
    keys: &[CellKey],
    read: fn(&str) -> Option<C>,
    cells: &mut Grid<C>,
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
        match read(content) {
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
