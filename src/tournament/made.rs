//! Recorded pairs, and what is made of each: on all threads, while the next are read.

use std::ops::ControlFlow;

use rayon::prelude::*;

use crate::store::PairRow;

/// So many pairs at a time.
const BLOCK: usize = 128;

/// Hands on each of the pairs, in their order, with what `make` makes of it, until `take` has
/// had enough. Of pairs behind that one some may have been read and made for nothing.
///
/// # Errors
/// A pair that `take` waits for cannot be read, or what `take` says.
pub(crate) fn each_made<T: Send, E: From<D>, D>(
    mut pairs: impl Iterator<Item = Result<PairRow, D>>,
    make: impl Fn(&PairRow) -> T + Sync,
    mut take: impl FnMut(PairRow, T) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let mut read = || {
        let (mut rows, mut error) = (Vec::new(), None);
        for row in pairs.by_ref().take(BLOCK) {
            match row {
                Ok(row) => rows.push(row),
                Err(damage) => {
                    error = Some(damage);
                    break;
                }
            }
        }
        (rows, error)
    };
    let (mut rows, mut error) = read();
    while !rows.is_empty() {
        let mut made = Vec::new();
        let next = rayon::in_place_scope(|scope| {
            scope.spawn(|_| made = rows.par_iter().map(&make).collect());
            // Nothing is read behind damage.
            error.is_none().then(&mut read).unwrap_or_default()
        });
        for (row, made) in rows.into_iter().zip(made) {
            if take(row, made)?.is_break() {
                return Ok(());
            }
        }
        if error.is_some() {
            break;
        }
        (rows, error) = next;
    }
    error.map_or(Ok(()), |error| Err(error.into()))
}
