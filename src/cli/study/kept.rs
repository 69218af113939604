//! The finished searches of a study in its record, so that it carries on by itself.
//!
//! Every cell stands there under a key over all that decides it, so that a study that
//! was changed takes from the record what is still true of it, and adds the rest.

use std::collections::HashMap;
use std::path::PathBuf;

use anyhow::Context;

use super::Arguments;
use crate::cli::configs::named_like;
use crate::cli::failure::Failure;
use crate::cli::recorded::open_to_record;
use crate::cli::terminal::note;
use crate::count::count;
use crate::foreign::shown_path;
use crate::store::{CellKey, Store};

impl Arguments {
    /// Where finished searches are kept, unless they are not.
    pub(crate) fn keeps(&self) -> Option<PathBuf> {
        (!self.kept.no_resume).then(|| self.record())
    }

    /// Opens the record, if there is anything to go into it.
    pub(crate) fn open_record(&self, has_games: bool) -> Result<Option<Store>, Failure> {
        let path = self.record();
        if self.keeps().is_none() && !has_games {
            return Ok(None);
        }
        let former = named_like(&self.config, ".journal");
        if !path.exists() && former.exists() {
            note(&format!(
                "note: {} is of an earlier version and not read any more: finished searches are \
                 kept in {}",
                shown_path(&former),
                shown_path(&path)
            ));
        }
        let store = open_to_record(&path).with_context(|| {
            format!(
                "cannot record the study in {} (`--store FILE` names another record, \
                 `--no-resume` keeps no searches)",
                shown_path(&path)
            )
        })?;
        Ok(Some(store))
    }
}

/// The cells of a study in its record, by their numbers.
pub(crate) struct Kept<'s> {
    store: &'s Store,
    keys: Vec<CellKey>,
}

impl<'s> Kept<'s> {
    /// Hands to `put` what the record knows of the cells with these keys, as `read` reads
    /// it; forgets it first if that is asked for.
    pub(crate) fn recall<C: Clone>(
        arguments: &Arguments,
        store: &'s Store,
        keys: Vec<CellKey>,
        read: impl Fn(&str) -> Option<C>,
        mut put: impl FnMut(usize, C),
    ) -> Result<Self, Failure> {
        if arguments.kept.fresh {
            store.remove_cells(&keys)?;
        }
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
                Some(cell) => numbers.iter().for_each(|&at| put(at, cell.clone())),
                None => unreadable.push(key.to_vec()),
            }
        })?;
        damaged.append(&mut unreadable);
        if !damaged.is_empty() {
            let some = count(
                damaged.len() as u64,
                "finished search is not as it was written and is",
                "finished searches are not as they were written and are",
            );
            note(&format!(
                "warning: {}: {some} removed; what the study needs of that is searched again",
                shown_path(store.path())
            ));
            store.remove_cells(&damaged)?;
        }
        Ok(Self { store, keys })
    }

    /// Keeps a cell.
    pub(crate) fn add(&self, number: usize, content: &str) -> Result<(), Failure> {
        Ok(self.store.put_cell(&self.keys[number], content)?)
    }
}
