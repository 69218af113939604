//! Processes rows of a record on all threads while the next are read.

use std::ops::ControlFlow;

use leitai_base::threads::shared_pool;
use rayon::prelude::*;

/// Rows read at a time.
const BLOCK: usize = 128;

/// Passes each row, in order, with the result of `make` to `take`, until `take` has enough. Later
/// rows may have been read and processed in vain.
///
/// # Errors
/// A row that `take` needs cannot be read, or `take` fails.
pub fn for_each_row<R: Send + Sync, T: Send, D, E: From<D>>(
    mut rows: impl Iterator<Item = Result<R, D>>,
    make: impl Fn(&R) -> T + Sync,
    mut take: impl FnMut(R, T) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let mut read = || {
        let (mut block, mut error) = (Vec::new(), None);
        for row in rows.by_ref().take(BLOCK) {
            match row {
                Ok(row) => block.push(row),
                Err(damage) => {
                    error = Some(damage);
                    break;
                }
            }
        }
        (block, error)
    };
    let (mut block, mut error) = read();
    while !block.is_empty() {
        let mut made = Vec::new();
        let next = shared_pool().in_place_scope(|scope| {
            scope.spawn(|_| made = block.par_iter().map(&make).collect());
            // Nothing is read beyond damage.
            error.is_none().then(&mut read).unwrap_or_default()
        });
        for (row, made) in block.into_iter().zip(made) {
            if take(row, made)?.is_break() {
                return Ok(());
            }
        }
        if error.is_some() {
            break;
        }
        (block, error) = next;
    }
    error.map_or(Ok(()), |error| Err(error.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers taken, with damage at one of them, until there are `enough`.
    fn taken(rows: usize, damage: usize, enough: usize) -> (Vec<usize>, Result<(), usize>) {
        let rows = (0..rows).map(|row| if row == damage { Err(row) } else { Ok(row) });
        let mut all = Vec::new();
        let ended = for_each_row(
            rows,
            |row| 2 * row,
            |row, double| {
                assert_eq!(double, 2 * row);
                all.push(row);
                Ok(if all.len() == enough {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                })
            },
        );
        (all, ended)
    }

    #[test]
    fn rows_come_in_their_order_up_to_damage_or_enough() {
        for rows in [0, 1, BLOCK, BLOCK + 1, 5 * BLOCK] {
            let all: Vec<usize> = (0..rows).collect();
            assert_eq!(taken(rows, usize::MAX, usize::MAX), (all.clone(), Ok(())));
            for at in [0, 1, BLOCK - 1, BLOCK, 3 * BLOCK + 7] {
                if at < rows {
                    assert_eq!(taken(rows, at, usize::MAX), (all[..at].to_vec(), Err(at)));
                    // Damage beyond the needed rows does not matter.
                    assert_eq!(taken(rows, at + 1, at + 1), (all[..=at].to_vec(), Ok(())));
                }
            }
        }
    }
}
