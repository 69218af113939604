//! Symmetric positive definite systems, dense, for a few hundred unknowns.

/// A square matrix, row by row.
#[derive(Clone, Debug)]
pub(super) struct Matrix {
    pub(super) size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    pub(super) fn zero(size: usize) -> Self {
        let cells = vec![0.0; size * size];
        Self { size, cells }
    }

    pub(super) fn new(size: usize, cell: impl Fn(usize, usize) -> f64) -> Self {
        let row = |i: usize| (0..size).map(move |j| (i, j));
        let cells = (0..size).flat_map(row).map(|(i, j)| cell(i, j));
        let cells = cells.collect();
        Self { size, cells }
    }

    pub(super) fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    pub(super) fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.size..(row + 1) * self.size]
    }

    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    /// Adds `weight · v vᵀ`, with v given by its nonzero entries.
    pub(super) fn add_square(
        &mut self,
        entries: &(impl Iterator<Item = (usize, f64)> + Clone),
        weight: f64,
    ) {
        for (row, one) in entries.clone() {
            for (column, other) in entries.clone() {
                self.add(row, column, weight * one * other);
            }
        }
    }

    pub(super) fn product(&self, other: &Self) -> Self {
        let mut result = Self::zero(self.size);
        for row in 0..self.size {
            for k in 0..self.size {
                let factor = self.at(row, k);
                for column in 0..self.size {
                    result.add(row, column, factor * other.at(k, column));
                }
            }
        }
        result
    }

    /// The inverse by Cholesky; `None` if a pivot is not above zero (the matrix is not positive
    /// definite to working precision).
    pub(super) fn inverse(&self) -> Option<Self> {
        let factor = self.cholesky()?;
        let columns = (0..self.size).map(|k| {
            let mut column = vec![0.0; self.size];
            column[k] = 1.0;
            factor.solve_factored(&mut column);
            column
        });
        let columns: Vec<_> = columns.collect();
        Some(Self::new(self.size, |row, k| columns[k][row]))
    }

    /// Solves `self · x = b` in place; `None` as for [`Matrix::inverse`].
    pub(super) fn solve(&self, b: &mut [f64]) -> Option<()> {
        self.cholesky()?.solve_factored(b);
        Some(())
    }

    /// Lower triangular L with L·Lᵀ = self.
    fn cholesky(&self) -> Option<Self> {
        let mut factor = Self::zero(self.size);
        for row in 0..self.size {
            for column in 0..=row {
                let dot: f64 = (0..column)
                    .map(|k| factor.at(row, k) * factor.at(column, k))
                    .sum();
                let rest = self.at(row, column) - dot;
                if row > column {
                    factor.add(row, column, rest / factor.at(column, column));
                } else if rest > 0.0 && rest.is_finite() {
                    factor.add(row, row, rest.sqrt());
                } else {
                    return None;
                }
            }
        }
        Some(factor)
    }

    /// Solves L·Lᵀ·x = b in place.
    fn solve_factored(&self, b: &mut [f64]) {
        for row in 0..self.size {
            let dot: f64 = (0..row).map(|k| self.at(row, k) * b[k]).sum();
            b[row] = (b[row] - dot) / self.at(row, row);
        }
        for row in (0..self.size).rev() {
            let dot: f64 = (row + 1..self.size).map(|k| self.at(k, row) * b[k]).sum();
            b[row] = (b[row] - dot) / self.at(row, row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_times_matrix_is_one() {
        let size = 30;
        let mut matrix = Matrix::zero(size);
        for i in 0..size {
            matrix.add(i, i, 0.5);
            for j in 0..i {
                let weight = ((i * 7 + j * 3) % 11) as f64 + 0.1;
                matrix.add_square(&[(i, 1.0), (j, -1.0)].into_iter(), weight);
            }
        }
        let one = matrix.inverse().expect("definite").product(&matrix);
        for i in 0..size {
            for j in 0..size {
                assert!((one.at(i, j) - f64::from(u8::from(i == j))).abs() < 1e-11);
            }
        }
    }

    #[test]
    fn not_definite() {
        let mut matrix = Matrix::zero(2);
        assert!(matrix.inverse().is_none());
        matrix.add_square(&[(0, 1.0), (1, -1.0)].into_iter(), 1.0);
        assert!(matrix.inverse().is_none());
        matrix.add(0, 0, f64::NAN);
        assert!(matrix.inverse().is_none());
    }
}
