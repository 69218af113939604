//! The finished searches of a study in its record, so that it carries on by itself.
//!
//! Every cell stands there under a key over all that decides it, so that a study that
//! was changed takes from the record what is still true of it, and adds the rest.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;

use super::{Arguments, again};
use crate::cli::configs::named_like;
use crate::cli::failure::Failure;
use crate::cli::terminal::note;
use crate::count::count;
use crate::foreign::shown_path;
use crate::session::{Session, Work};
use crate::store::{CellKey, Store};
use crate::study::Grid;

impl Arguments {
    /// Where finished searches are kept, unless they are not.
    pub(crate) fn keeps(&self) -> Option<PathBuf> {
        (!self.kept.no_resume).then(|| self.record())
    }

    /// Opens the record, if there is anything to go into it.
    pub(crate) fn open_record(
        &self,
        session: &Session<'_>,
        has_games: bool,
    ) -> Result<Option<Store>, Failure> {
        let path = &session.store;
        if self.keeps().is_none() && !has_games {
            return Ok(None);
        }
        let former = named_like(&self.config, ".journal");
        if !path.exists() && former.exists() {
            note(&format!(
                "note: {} is of an earlier version and not read any more: finished searches are \
                 kept in {}",
                shown_path(&former),
                shown_path(path)
            ));
        }
        let store = session.open().with_context(|| {
            format!(
                "cannot record the study in {} (`--store FILE` names another record, \
                 `--no-resume` keeps no searches)",
                shown_path(path)
            )
        })?;
        Ok(Some(store))
    }
}

/// How the cells of a study are kept.
pub(crate) struct Form<'a, C> {
    /// The keys of all cells, in their order; `None` where that was interrupted.
    pub(crate) keys: &'a dyn Fn() -> Option<Vec<CellKey>>,
    /// The cell of a text, if it has one.
    pub(crate) read: fn(&str) -> Option<C>,
    /// A cell as text; `None` of one that is not kept.
    pub(crate) write: fn(&C) -> Option<String>,
}

/// Takes a cell and its number.
pub(crate) type Finished<'a, C> = &'a mut dyn FnMut(usize, &C) -> Result<(), Failure>;

/// Fills in the cells: from the record, as far as they are kept there, then by `work`,
/// whose cells are kept as they come. Whether all are filled in; says so if not.
pub(crate) fn fill<C: Clone>(
    arguments: &Arguments,
    session: &Session<'_>,
    store: Option<&Store>,
    cells: &mut Grid<C>,
    form: &Form<'_, C>,
    work: impl FnOnce(&mut Grid<C>, Finished<'_, C>) -> Result<(), Failure>,
) -> Result<bool, Failure> {
    let mut kept = None;
    if let Some(store) = store.filter(|_| arguments.keeps().is_some()) {
        let Some(keys) = (form.keys)() else {
            tell_stopped(arguments, cells.progress());
            return Ok(false);
        };
        kept = Some(Kept::recall(arguments, store, keys, form.read, cells)?);
    }
    let (all, mut done) = cells.progress();
    tell_known(arguments, done, all);
    let listener = Arc::clone(&session.listener);
    let bar = Work::begin("searches", done as u64, all as u64, listener);
    let mut finished = |number: usize, cell: &C| {
        done += 1;
        bar.set(done as u64);
        match (&kept, (form.write)(cell)) {
            (Some(kept), Some(content)) => kept.add(number, &content),
            _ => Ok(()),
        }
    };
    let working = || work(cells, &mut finished);
    match store {
        Some(store) => store.watched(session.cancel, working)??,
        None => working()?,
    }
    drop(bar);
    let is_whole = done == all;
    if !is_whole {
        tell_stopped(arguments, (all, done));
    }
    Ok(is_whole)
}

/// Says how much was done, whether it is kept, and how to carry on.
pub(crate) fn tell_stopped(arguments: &Arguments, (all, done): (usize, usize)) {
    let kept = match arguments.keeps() {
        Some(place) => format!(
            "they are kept in {}; carry on with\n  {}",
            shown_path(&place),
            again(arguments)
        ),
        None => "nothing is kept: `--no-resume` asked for that".to_owned(),
    };
    note(&format!("stopped after {done} of {all} searches; {kept}"));
}

/// Says how much of a study is recorded already.
fn tell_known(arguments: &Arguments, known: usize, all: usize) {
    if let Some(place) = arguments.keeps()
        && known > 0
        && !arguments.watching.quiet
    {
        note(&format!(
            "{known} of {all} searches are known from {}; `--fresh` searches all anew",
            shown_path(&place)
        ));
    }
}

/// The cells of a study in its record, by their numbers.
struct Kept<'s> {
    store: &'s Store,
    keys: Vec<CellKey>,
}

impl<'s> Kept<'s> {
    /// Puts what the record knows of the cells with these keys, as `read` reads it; forgets
    /// it first if that is asked for.
    fn recall<C: Clone>(
        arguments: &Arguments,
        store: &'s Store,
        keys: Vec<CellKey>,
        read: fn(&str) -> Option<C>,
        cells: &mut Grid<C>,
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
                Some(cell) => numbers.iter().for_each(|&at| cells.put(at, cell.clone())),
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
    fn add(&self, number: usize, content: &str) -> Result<(), Failure> {
        Ok(self.store.put_cell(&self.keys[number], content)?)
    }
}
