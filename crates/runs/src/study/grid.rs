//! The cells of a study: one for each of its columns (variants, solvers) in each of its
//! rows (positions, problems).

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;

use leitai_players::play::work;

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
    pub fn empty(columns: usize, rows: usize) -> Self {
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

    /// Fills in the missing cells on `threads` threads. Each thread has its own worker, which
    /// receives the numbers of cells; `finished` is called with each cell on the calling thread.
    /// When `cancel` is set or `finished` fails, unfinished cells are left out.
    ///
    /// # Errors
    /// The error of `finished`.
    pub fn fill<W, E>(
        &mut self,
        threads: NonZeroUsize,
        cancel: &AtomicBool,
        make_worker: impl Fn() -> W + Sync,
        mut finished: impl FnMut(usize, &C) -> Result<(), E>,
    ) -> Result<(), E>
    where
        C: Send,
        W: FnMut(u64) -> Option<C>,
    {
        let todo: Vec<u64> = (0..)
            .zip(&self.cells)
            .filter_map(|(number, cell)| cell.is_none().then_some(number))
            .collect();
        work(
            todo.into_iter(),
            threads,
            cancel,
            make_worker,
            |number, cell| {
                finished(number as usize, &cell)?;
                self.put(number as usize, cell);
                Ok(())
            },
        )
    }
}
