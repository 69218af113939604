//! The cells of a study: one for each of its columns (variants, solvers) in each of its
//! rows (positions, problems).

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;

use sha2::{Digest, Sha256};

use crate::store::CellKey;
use leitai_players::play::{work, work_all};

/// Cells by row and then by column; `None` for cells that a stopped study did not reach.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid<C> {
    columns: usize,
    cells: Vec<Option<C>>,
}

impl<C> Grid<C> {
    /// Creates a grid from the cells of all `columns` of each row in turn.
    pub fn new(columns: usize, cells: Vec<Option<C>>) -> Self {
        Self { columns, cells }
    }

    /// Creates a grid of empty cells.
    pub fn empty([columns, rows]: [usize; 2]) -> Self {
        let cells = (0..columns * rows).map(|_| None);
        Self::new(columns, cells.collect())
    }

    /// Fills in a cell.
    pub fn put(&mut self, number: usize, cell: C) {
        if let Some(place) = self.cells.get_mut(number) {
            *place = Some(cell);
        }
    }

    /// The number of cells, and of those that are filled in.
    pub fn progress(&self) -> (usize, usize) {
        (self.cells.len(), self.cells.iter().flatten().count())
    }

    /// Returns whether no cell is missing.
    pub fn is_full(&self) -> bool {
        self.cells.iter().all(Option::is_some)
    }

    /// The cell of a column in a row.
    pub fn cell(&self, column: usize, row: usize) -> Option<&C> {
        self.cells.get(row * self.columns + column)?.as_ref()
    }

    /// The numbers of the rows in which every cell `fits`.
    pub(super) fn rows(&self, fits: impl Fn(Option<&C>) -> bool) -> Vec<usize> {
        let rows = self.cells.len().checked_div(self.columns).unwrap_or(0);
        let fit = |row: &usize| (0..self.columns).all(|column| fits(self.cell(column, *row)));
        (0..rows).filter(fit).collect()
    }

    /// Fills in the missing cells on `threads` threads; `finished` is called with each cell and its
    /// number on the calling thread. When `cancel` is set or `finished` fails, unfinished cells are
    /// left out.
    ///
    /// # Errors
    /// The error of `finished`.
    pub fn fill<E>(
        &mut self,
        measure: &impl Measure<Cell = C>,
        threads: NonZeroUsize,
        cancel: &AtomicBool,
        mut finished: impl FnMut(usize, &C) -> Result<(), E>,
    ) -> Result<(), E>
    where
        C: Send,
    {
        let columns = self.columns;
        let todo = (0..).zip(&self.cells).filter(|(_, cell)| cell.is_none());
        let todo: Vec<u64> = todo.map(|(number, _)| number).collect();
        let worker = || {
            let mut worker = measure.worker(cancel);
            move |number: u64| worker(number as usize % columns, number as usize / columns)
        };
        work(todo.into_iter(), threads, cancel, worker, |number, cell| {
            finished(number as usize, &cell)?;
            self.put(number as usize, cell);
            Ok(())
        })
    }
}

/// The measurement that a study makes of each column in each row.
pub trait Measure: Sync {
    /// The result of a column in a row.
    type Cell: Clone + Send;

    /// The numbers of columns and rows.
    fn size(&self) -> [usize; 2];

    /// The names of a column and a row.
    fn names(&self, column: usize, row: usize) -> [String; 2];

    /// Returns one thread's function from column and row to cell. It returns `None` when `cancel`
    /// is set.
    fn worker<'a>(
        &'a self,
        cancel: &'a AtomicBool,
    ) -> impl FnMut(usize, usize) -> Option<Self::Cell>;

    /// Returns one thread's function that describes everything that determines the cell of a column
    /// and a row, for its key in the record.
    fn describer(&self) -> impl FnMut(usize, usize) -> String;

    /// The nodes of a cell, if they are counted, and its time in seconds.
    fn cost(cell: &Self::Cell) -> (Option<u64>, f64);

    /// Formats a cell for the record; `None` if it is not recorded.
    fn write(cell: &Self::Cell) -> Option<String>;

    /// Parses a recorded cell; `None` if the text is invalid, for example by a number out of range.
    fn read(content: &str) -> Option<Self::Cell>;
}

/// Computes the keys of all cells in order on `threads` threads; `None` if `cancel` was set
/// meanwhile.
pub fn keys(
    measure: &impl Measure,
    threads: NonZeroUsize,
    cancel: &AtomicBool,
) -> Option<Vec<CellKey>> {
    let [columns, rows] = measure.size();
    let worker = || {
        let mut describe = measure.describer();
        move |number: u64| {
            let described = describe(number as usize % columns, number as usize / columns);
            Some(Sha256::digest(described).into())
        }
    };
    work_all((columns * rows) as u64, threads, cancel, worker, |_| {})
}
