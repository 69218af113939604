//! Positions as sparse rows.

use leitai_stats::logistic::score_from_elo;

/// The coefficient of a dimension in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) dimension: u16,
    /// The coefficient in the unit of the rows.
    pub(super) coefficient: i16,
}

/// Rows one after the other (compressed sparse rows): 4 bytes per entry and 32 per row.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Rows {
    entries: Vec<Entry>,
    labels: Vec<Label>,
}

/// The data of a row other than its entries.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Label {
    /// The end of the row in `entries`.
    end: u64,
    /// The contribution of the fixed parameters, in evaluation units.
    constant: f64,
    /// The result of the side that usually moves first, or its mixture with the score: 0 to 1.
    result: f32,
    /// The score of the search for that side, in evaluation units; `None` if unknown.
    score: Option<f32>,
}

/// A row of [`Rows`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Row<'a> {
    pub(super) entries: &'a [Entry],
    pub(super) constant: f64,
    pub(super) result: f64,
}

impl Rows {
    pub(super) fn push(&mut self, entries: &[Entry], constant: f64, result: f32) {
        self.entries.extend_from_slice(entries);
        self.label(entries.len() as u64, constant, result);
    }

    /// Replaces all entries, and removes the rows: a [`label`](Self::label) for each follows.
    pub(super) fn refill(&mut self, entries: impl Iterator<Item = Entry>) {
        self.labels.clear();
        self.entries.clear();
        self.entries.extend(entries);
    }

    /// Adds the row of the next `count` entries.
    pub(super) fn label(&mut self, count: u64, constant: f64, result: f32) {
        let before = self.labels.last().map_or(0, |label| label.end);
        self.labels.push(Label {
            end: before + count,
            constant,
            result,
            score: None,
        });
    }

    /// Adds the score of the search to the last row.
    pub(super) fn score_last(&mut self, score: f32) {
        if let Some(label) = self.labels.last_mut() {
            label.score = Some(score);
        }
    }

    /// The scores and results of all rows with a score.
    pub(super) fn scores(&self) -> impl Iterator<Item = (f64, f64)> {
        let scored = |label: &Label| Some((label.score?.into(), label.result.into()));
        self.labels.iter().filter_map(scored)
    }

    /// Replaces a share of each result by the expected result of its score, if it has one.
    pub(super) fn mix(&mut self, share: f64, k: f64) {
        for label in &mut self.labels {
            if let Some(score) = label.score {
                let expected = score_from_elo(k * f64::from(score));
                let result = (1.0 - share) * f64::from(label.result) + share * expected;
                label.result = result as f32;
            }
        }
    }

    /// Appends the rows of another.
    pub(super) fn append(&mut self, other: Rows) {
        let before = self.entries.len() as u64;
        self.entries.extend(other.entries);
        self.labels.extend(other.labels.iter().map(|label| Label {
            end: before + label.end,
            ..*label
        }));
    }

    pub(super) fn len(&self) -> usize {
        self.labels.len()
    }

    /// The number of nonzero entries.
    pub(super) fn nonzeros(&self) -> usize {
        self.entries.len()
    }

    /// The rows from `first` to before `end`, cut at the number of rows.
    pub(super) fn range(&self, first: usize, end: usize) -> impl Iterator<Item = Row<'_>> {
        let end = end.min(self.len());
        let first = first.min(end);
        let mut begin = first.checked_sub(1).map_or(0, |last| self.labels[last].end);
        let mut rest = &self.entries[begin as usize..];
        self.labels[first..end].iter().map(move |label| {
            let (entries, after) = rest.split_at((label.end - begin) as usize);
            (rest, begin) = (after, label.end);
            Row {
                entries,
                constant: label.constant,
                result: f64::from(label.result),
            }
        })
    }

    #[cfg(test)]
    pub(super) fn iter(&self) -> impl Iterator<Item = Row<'_>> {
        self.range(0, self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(dimension: u16, coefficient: i16) -> Entry {
        Entry {
            dimension,
            coefficient,
        }
    }

    #[test]
    fn rows_come_back() {
        let all = [
            (vec![entry(0, 3), entry(4, -1)], 1.5, 1.0),
            (vec![], -2.0, 0.0),
            (vec![entry(2, 7)], 0.0, 0.5),
            (vec![entry(1, 1), entry(2, 2), entry(3, 3)], 4.0, 0.5),
        ];
        let of = |some: &[(Vec<Entry>, f64, f32)]| {
            let mut rows = Rows::default();
            for (entries, constant, result) in some {
                rows.push(entries, *constant, *result);
            }
            rows
        };
        let mut rows = of(&all[..1]);
        rows.append(Rows::default());
        rows.append(of(&all[1..]));
        assert_eq!(rows, of(&all));
        assert_eq!((rows.len(), rows.nonzeros()), (4, 6));
        for first in 0..=5 {
            for end in 0..=5 {
                let found = rows
                    .range(first, end)
                    .map(|row| (row.entries.to_vec(), row.constant, row.result as f32));
                let expected = all.get(first..end.min(4)).unwrap_or_default();
                assert_eq!(found.collect::<Vec<_>>(), expected, "{first}..{end}");
            }
        }
    }
}
