//! Conversion of games to rows, split by game.

use std::collections::HashSet;
use std::io;

use serde::{Deserialize, Serialize};

use super::quiet::{Quietness, quietness};
use super::rows::{Entry, Rows};
use super::scale::Sample;
use super::stored::{RowSource, StoredRows};
use super::{AddedGame, BadLayout, FitError, Game, Layout, LeftOutReason, Tally};
use leitai_base::settings::choice;
use leitai_game::Side;
use leitai_game::card::{AnyPosition, GameCard};
use leitai_players::schedule::{below, numbered_generator};

/// The rules that select positions of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selection {
    /// Skipped plies at the start of a game.
    pub skip: usize,
    /// Maximum number of positions per game; more of the same game add little information.
    pub most: usize,
    /// Seed of the draw among a game's quiet positions.
    pub seed: u64,
}

impl Default for Selection {
    /// After 10 plies, 10 positions.
    fn default() -> Self {
        Self {
            skip: 10,
            most: 10,
            seed: 1,
        }
    }
}

choice! {
    /// The use of a game's positions.
    pub enum Part {
        /// To fit the values: nine games out of ten.
        Training = "training",
        /// To detect overfitting.
        Validation = "validation",
    }
}

/// One game out of this number is for validation.
const VALIDATION_EVERY: u64 = 10;

impl Part {
    /// The part of the game with that hash. Depends on the game alone, so that it does not change
    /// when other games are added.
    pub fn of(hash: u64) -> Part {
        if hash.is_multiple_of(VALIDATION_EVERY) {
            Part::Validation
        } else {
            Part::Training
        }
    }
}

/// Rows to fit a layout's dimensions to.
///
/// Depends on the set of games, not on the order in which they were added; of games with equal moves
/// only the first one counts.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// The mapping from the evaluation's parameters to the dimensions.
    pub layout: Layout,
    /// The unit of the rows' coefficients.
    pub(super) unit: f64,
    /// The rows of games by [`Part`].
    pub(super) rows: [Rows; 2],
    /// The rows of files of positions by [`Part`], which replace those of games.
    pub(super) stored: Option<[StoredRows; 2]>,
    /// The numbers of games by [`Part`].
    pub games: [u64; 2],
    /// The number of games and positions taken and left out.
    pub tally: Tally,
    /// Elo per unit of the scores of searches, if the results have a share of them.
    pub score_k: Option<f64>,
}

impl Dataset {
    /// Begins a dataset of games for the dimensions of `layout`.
    ///
    /// # Errors
    /// The layout's number of parameters differs from that of the game's evaluation.
    pub fn builder(
        card: &'static dyn GameCard,
        layout: Layout,
        selection: Selection,
    ) -> Result<DatasetBuilder, BadLayout> {
        layout.check_game(card)?;
        Ok(DatasetBuilder {
            coefficients: vec![0; layout.dimensions().len()],
            layout,
            selection,
            games: Vec::new(),
            seen: HashSet::new(),
            tally: Tally::default(),
            card,
        })
    }

    /// The number of positions of a part.
    pub fn positions(&self, part: Part) -> usize {
        self.source(part).len()
    }

    /// The number of nonzero coefficients of a part.
    pub fn nonzeros(&self, part: Part) -> usize {
        self.source(part).nonzeros()
    }

    /// The number of training positions in which each dimension has a coefficient.
    pub(super) fn visits(&self) -> io::Result<Vec<u64>> {
        let mut visits = vec![0; self.layout.dimensions().len()];
        let rows = self.source(Part::Training);
        rows.each(0..rows.len(), |row| {
            for entry in row.entries {
                visits[usize::from(entry.dimension)] += 1;
            }
        })?;
        Ok(visits)
    }

    /// A dataset of rows without games, for tests.
    #[cfg(test)]
    pub(super) fn of_rows(layout: Layout, unit: f64, rows: [Rows; 2]) -> Self {
        Self {
            layout,
            unit,
            rows,
            stored: None,
            games: [1; 2],
            tally: Tally::default(),
            score_k: None,
        }
    }

    /// The rows of a part of games, for tests.
    #[cfg(test)]
    pub(super) fn rows(&self, part: Part) -> &Rows {
        &self.rows[part as usize]
    }

    pub(super) fn source(&self, part: Part) -> RowSource<'_> {
        match &self.stored {
            Some(stored) => RowSource::Stored(&stored[part as usize]),
            None => RowSource::Memory(&self.rows[part as usize]),
        }
    }
}

/// Builds a [`Dataset`] from games.
#[derive(Debug)]
pub struct DatasetBuilder {
    layout: Layout,
    selection: Selection,
    /// The rows of each game, by its hash.
    games: Vec<(u64, Rows)>,
    seen: HashSet<u64>,
    /// The number of games and positions taken and left out.
    pub tally: Tally,
    /// Buffer for the sums of tied parameters; all 0 between positions.
    coefficients: Vec<i32>,
    card: &'static dyn GameCard,
}

/// No K fits the scores of the searches.
const NO_SCORE_SCALE: &str = "no K fits the scores of the searches to the results: they predict no \
     result, or every result; play more games, or remove `score_share`";

impl DatasetBuilder {
    /// Adds the suitable positions of the game.
    pub fn add(&mut self, game: &Game) -> AddedGame {
        let added = match self.rows_of(game) {
            Err(reason) => AddedGame::Not(reason),
            Ok((hash, rows)) => {
                let number = rows.len();
                self.games.push((hash, rows));
                AddedGame::Positions(number)
            }
        };
        self.tally.count(added);
        added
    }

    /// Builds the dataset of all added games. Replaces a share of each result, from 0 to 1, by the
    /// result that the score of the search predicts, with the K that fits the scores to the results
    /// of the training positions. Positions without a score keep their results.
    ///
    /// # Errors
    /// A share above 0, and no such K.
    pub fn build(mut self, score_share: f64) -> Result<Dataset, FitError> {
        self.games.sort_unstable_by_key(|&(hash, _)| hash);
        let mut dataset = Dataset {
            layout: self.layout,
            unit: f64::from(self.card.unit()),
            rows: Default::default(),
            stored: None,
            games: [0; 2],
            tally: self.tally,
            score_k: None,
        };
        for (hash, rows) in self.games {
            let part = Part::of(hash) as usize;
            dataset.games[part] += 1;
            dataset.rows[part].append(rows);
        }
        let rows = &dataset.rows[Part::Training as usize];
        if score_share > 0.0 && rows.len() > 0 {
            let mut sample = Sample::of(rows.scores().count());
            for (score, result) in rows.scores() {
                sample.add(score, result);
            }
            let k = sample.best_k();
            let k = k.ok_or_else(|| FitError(NO_SCORE_SCALE.to_owned()))?;
            for rows in &mut dataset.rows {
                rows.mix(score_share, k);
            }
            dataset.score_k = Some(k);
        }
        Ok(dataset)
    }

    fn rows_of(&mut self, game: &Game) -> Result<(u64, Rows), LeftOutReason> {
        if let Some(reason) = game.cause.and_then(LeftOutReason::of) {
            return Err(reason);
        }
        let hash = game.hash();
        if self.seen.contains(&hash) {
            return Err(LeftOutReason::Duplicate);
        }
        let quiet = self.quiet_plies(game)?;
        // Only a sound game marks its moves as seen: a damaged game must not exclude a sound one
        // with the same moves.
        self.seen.insert(hash);
        let drawn = self.drawn(quiet, hash);
        let mut rows = Rows::default();
        let mut position = game.start.clone();
        let mut drawn = drawn.into_iter().peekable();
        for (ply, &mv) in game.moves.iter().enumerate() {
            if drawn.next_if_eq(&ply).is_some() {
                let result = f32::from(game.half_points) / 2.0;
                if self.push_row(&mut rows, &*position, result)
                    && let Some(score) = game.scores.get(ply).copied().flatten()
                {
                    rows.score_last(sign(&*position) as f32 * f32::from(score));
                }
            }
            position.play(mv);
        }
        if rows.len() == 0 {
            return Err(LeftOutReason::Nothing);
        }
        Ok((hash, rows))
    }

    /// The plies with a quiet position before them, of a game with legal moves.
    fn quiet_plies(&mut self, game: &Game) -> Result<Vec<usize>, LeftOutReason> {
        if game.half_points > 2 {
            return Err(LeftOutReason::Damaged);
        }
        let mut tally = self.tally;
        let mut quiet = Vec::new();
        let mut position = game.start.clone();
        for (ply, &mv) in game.moves.iter().enumerate() {
            if !position.is_legal(mv) {
                return Err(LeftOutReason::Damaged);
            }
            if ply < self.selection.skip {
                tally.early += 1;
            } else {
                let score = game.scores.get(ply).copied().flatten();
                match quietness(&*position, Some(mv), score) {
                    Quietness::Quiet => quiet.push(ply),
                    Quietness::Check => tally.in_check += 1,
                    Quietness::Capture => tally.captures += 1,
                    Quietness::Mate => tally.mates += 1,
                }
            }
            position.play(mv);
        }
        self.tally = tally;
        Ok(quiet)
    }

    /// Draws at most the selected number of plies, each with equal probability, in order. Depends
    /// only on the seed and the game.
    fn drawn(&mut self, mut plies: Vec<usize>, hash: u64) -> Vec<usize> {
        let most = self.selection.most.min(plies.len());
        self.tally.surplus += (plies.len() - most) as u64;
        let mut generator = numbered_generator(self.selection.seed, hash);
        for place in 0..most {
            let rest = (plies.len() - place) as u64;
            plies.swap(place, place + below(&mut generator, rest) as usize);
        }
        plies.truncate(most);
        plies.sort_unstable();
        plies
    }

    /// Adds the position from the view of the side that usually moves first.
    /// Returns false if a number is too large for a row.
    pub(super) fn push_row(
        &mut self,
        rows: &mut Rows,
        position: &dyn AnyPosition,
        result: f32,
    ) -> bool {
        let buffer = &mut self.coefficients;
        let fits = self.layout.push_row(buffer, rows, position, result);
        self.tally.too_large += u64::from(!fits);
        fits
    }
}

/// 1 if the side that usually moves first is to move, or -1.
fn sign(position: &dyn AnyPosition) -> i32 {
    match position.side_to_move() {
        Side::First => 1,
        Side::Second => -1,
    }
}

impl Layout {
    /// Adds the position from the view of the side that usually moves first. `coefficients` is a
    /// buffer for the sums of tied parameters, all 0 before and after. Returns false if a number is
    /// too large for a row.
    pub(super) fn push_row(
        &self,
        coefficients: &mut [i32],
        rows: &mut Rows,
        position: &dyn AnyPosition,
        result: f32,
    ) -> bool {
        let sign = sign(position);
        let mut constant = 0.0;
        let mut touched = Vec::new();
        for (parameter, coefficient) in position.features() {
            constant += self.constant_of(parameter) * f64::from(sign * coefficient);
            if let Some(dimension) = self.dimension_of(parameter) {
                touched.push(dimension);
                coefficients[usize::from(dimension)] += sign * coefficient;
            }
        }
        touched.sort_unstable();
        touched.dedup();
        let mut entries = Vec::with_capacity(touched.len());
        let mut fits = true;
        for dimension in touched {
            let coefficient = std::mem::take(&mut coefficients[usize::from(dimension)]);
            match i16::try_from(coefficient) {
                Ok(0) => {}
                Ok(coefficient) => entries.push(Entry {
                    dimension,
                    coefficient,
                }),
                Err(_) => fits = false,
            }
        }
        if fits {
            let unit = f64::from(position.card().unit());
            rows.push(&entries, constant / unit, result);
        }
        fits
    }
}

#[cfg(test)]
mod tests;
