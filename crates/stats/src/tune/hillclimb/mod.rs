//! Hill climbing in blocks: moves the incumbent by steps with a positive expected gain.
//!
//! A *round* has three parts:
//!
//! 1. *Probe.* Every block of one kind gets a random sign, and two players on opposite sides of the
//!    incumbent play each other. Their difference is twice that of one player to the incumbent, so
//!    a quarter of the games suffices. The posterior of the regression estimates each block's slope
//!    from all probes of the kind so far ([`level`]).
//! 2. *Race.* Two mutants, one and two proposed steps away, meet the incumbent.
//! 3. *Step.* The incumbent becomes the better mutant if the model and the race together expect a
//!    gain.
//!
//! Steps rest on estimates; only the proof after the tune shows a gain. Batches that are under
//! way when a round ends count as probes of their own kind, so no game is lost.

mod level;
mod settings;

use level::{Level, Step};
pub use settings::{Blocks, HillClimb};

use super::method::BadMethod;
use super::played::{coordinates, games, lead};
use super::{ELO_PER_LEAD, Plan, Players, Proposal, Space, Strategy};
use crate::Pentanomial;
use crate::RandomNumbers;

/// Shortest round in pairs, and the length of a round as a share of its kind's pairs so far.
const SHORTEST: f64 = 16.0;
const GROWTH: f64 = 0.1;
/// Lengths of the racing mutants in proposed steps.
const LENGTHS: [f64; 2] = [1.0, 2.0];
/// Share of the expected gain that the last pass gives up to return numbers to their start.
const RESTORED: f64 = 0.005;
/// Trial of races; probes have trial 0.
const RACE: u64 = 1;

/// Mutants against the incumbent, alternately.
#[derive(Clone, Debug)]
struct Race {
    level: usize,
    /// Numbers of the first batch, and of the first one after the race.
    from: u64,
    until: u64,
    step: Step,
    /// Games, and wins minus losses, of each mutant.
    results: [(f64, f64); LENGTHS.len()],
}

impl Race {
    fn mutant(&self, number: u64) -> usize {
        (number - self.from) as usize % LENGTHS.len()
    }

    /// Returns the length of the best mutant and its expected gain in Elo, if it is above 0.
    ///
    /// The error of the model's gain is assumed to be the gain of the proposed step.
    fn winner(&self) -> Option<(f64, f64)> {
        let gain = self.step.gain(1.0).max(f64::MIN_POSITIVE);
        let expected = LENGTHS.iter().zip(&self.results).map(|(length, result)| {
            let (games, lead) = *result;
            let model = self.step.gain(*length);
            let trust = (gain * length).powi(2);
            let noise = ELO_PER_LEAD * ELO_PER_LEAD * self.step.variance;
            let elo = ELO_PER_LEAD * lead;
            // Each of two estimates counts by the reciprocal of its variance.
            (
                *length,
                (noise * model + trust * elo) / (noise + trust * games),
            )
        });
        let best = expected.max_by(|a, b| a.1.total_cmp(&b.1));
        best.filter(|(_, gain)| *gain > 0.0)
    }
}

/// The hill climber as a tuner.
#[derive(Clone, Debug)]
pub(super) struct Climber {
    race: f64,
    window: u64,
    /// Pairs of a batch.
    batch: f64,
    /// In steps from the start, within the bounds.
    incumbent: Vec<f64>,
    /// All kinds of blocks; single dimensions last.
    levels: Vec<Level>,
    /// First batch and level of each round.
    rounds: Vec<(u64, usize)>,
    /// Number of the last probe of the round.
    last_probe: u64,
    racing: Option<Race>,
    /// Number of steps taken.
    steps: u64,
    /// True for dimensions that a kind of larger blocks has moved.
    moved: Vec<bool>,
}

impl Climber {
    pub(super) fn new(space: &Space, options: &HillClimb, plan: &Plan) -> Result<Self, BadMethod> {
        options.check(space)?;
        let kinds = options.blocks.iter().cloned();
        let kinds = kinds.chain([Blocks::single(space.len())]);
        let mut climber = Self {
            race: options.race,
            window: u64::from(plan.window.max(1)),
            batch: f64::from(plan.batch.max(1)),
            incumbent: vec![0.0; space.len()],
            levels: kinds.filter_map(|kind| Level::new(space, kind)).collect(),
            rounds: Vec::new(),
            last_probe: 0,
            racing: None,
            steps: 0,
            moved: vec![false; space.len()],
        };
        climber.begin_round(0);
        Ok(climber)
    }

    /// The level of the probe with this number.
    fn level(&self, number: u64) -> usize {
        let later = self.rounds.partition_point(|(from, _)| *from <= number);
        self.rounds[later.saturating_sub(1)].1
    }

    /// Ends the probes of a round: proposes a step, and begins its race and the next round.
    fn end_probes(&mut self, space: &Space) {
        let begin = self.rounds.last().map_or(0, |round| round.0);
        let probes = self.last_probe + 1 - begin;
        let from = self.last_probe + self.window;
        let level = self.level(self.last_probe);
        let step = self.levels[level].propose(&self.incumbent, from);
        self.levels[level].rate = step.gain(1.0) / (probes as f64 * self.batch);
        let race = Race {
            level,
            from,
            until: from + (self.race * probes as f64).round() as u64,
            step,
            results: Default::default(),
        };
        self.begin_round(race.until);
        if race.until == from {
            self.end_race(space, &race);
        } else {
            self.racing = Some(race);
        }
    }

    /// Moves the incumbent to the winner of a race, if there is one.
    fn end_race(&mut self, space: &Space, race: &Race) {
        let winner = race.winner();
        self.levels[race.level].end_round(winner.is_some());
        let Some((length, _)) = winner else { return };
        self.steps += 1;
        let before = self.incumbent.clone();
        move_by(space, &mut self.incumbent, &race.step, length);
        let places = self.incumbent.iter().zip(&before);
        let moves: Vec<f64> = places.map(|(now, before)| now - before).collect();
        let singles = self.levels.len() - 1;
        for (i, level) in self.levels.iter_mut().enumerate() {
            if i != race.level {
                level.follow(&moves);
            }
        }
        if race.level != singles {
            for (moved, x) in self.moved.iter_mut().zip(&moves) {
                *moved |= *x != 0.0;
            }
        }
    }

    /// Begins the next round with batch `from`, on the level with the best rate of gain. A bonus
    /// for waiting raises the rate of levels that are not probed.
    fn begin_round(&mut self, from: u64) {
        let pairs: f64 = self.levels.iter().map(|level| level.pairs).sum();
        let mut best = (0, f64::NEG_INFINITY);
        for (i, level) in self.levels.iter().enumerate() {
            let promise = level.rate * (1.0 + pairs / level.pairs.max(1.0)).sqrt();
            if promise > best.1 {
                best = (i, promise);
            }
        }
        self.rounds.push((from, best.0));
        let length = SHORTEST.max(GROWTH * self.levels[best.0].pairs) / self.batch;
        self.last_probe = from + (length as u64).max(1) - 1;
    }

    /// Returns the incumbent after the step of the unfinished round, and whether there is one.
    fn unfinished(&self, space: &Space) -> (Vec<f64>, bool) {
        let mut point = self.incumbent.clone();
        let has_games = |race: &&Race| race.results.iter().any(|(games, _)| *games > 0.0);
        let step = if let Some(race) = self.racing.as_ref().filter(has_games) {
            race.winner().map(|(length, _)| (race.step.clone(), length))
        } else {
            let racing = self.racing.as_ref().map(|race| race.level);
            let level = racing.unwrap_or_else(|| self.level(self.last_probe));
            let step = self.levels[level].unfinished_step(&point);
            step.map(|step| (step, 1.0))
        };
        if let Some((step, length)) = &step {
            move_by(space, &mut point, step, *length);
        }
        (point, step.is_some())
    }

    /// Returns the result, and the number of dimensions that the last pass returned to their start.
    fn conclude(&self, space: &Space) -> (Vec<f64>, usize) {
        let (mut point, _) = self.unfinished(space);
        let gains = self.levels[self.levels.len() - 1].gains(&point);
        let mut order: Vec<usize> = (0..gains.len()).filter(|&i| !self.moved[i]).collect();
        order.sort_by(|&a, &b| gains[a].total_cmp(&gains[b]));
        let mut left = RESTORED * gains.iter().sum::<f64>();
        let mut restored = 0;
        for i in order {
            left -= gains[i];
            if left < 0.0 {
                break;
            }
            restored += usize::from(point[i] != 0.0);
            point[i] = 0.0;
        }
        (point, restored)
    }
}

/// Moves a point by `length` steps, within the bounds.
fn move_by(space: &Space, point: &mut [f64], step: &Step, length: f64) {
    for (i, (x, x_move)) in point.iter_mut().zip(&step.moves).enumerate() {
        let (low, high) = space.bounds_in_steps(i);
        *x = (*x + length * x_move).clamp(low, high);
    }
}

impl Strategy for Climber {
    fn propose(
        &self,
        space: &Space,
        number: u64,
        _: u64,
        mut random: RandomNumbers,
    ) -> (u64, Players) {
        let u = random.uniform();
        let race = self.racing.as_ref();
        let race = race.filter(|race| (race.from..race.until).contains(&number));
        if let Some(race) = race {
            let mut mutant = self.incumbent.clone();
            move_by(space, &mut mutant, &race.step, LENGTHS[race.mutant(number)]);
            let played = |point: &[f64]| -> Vec<f64> {
                let values = space.from_steps(point);
                let values = space.dimensions().iter().zip(values);
                values.map(|(d, value)| d.rounded(value, u)).collect()
            };
            return (RACE, (played(&mutant), played(&self.incumbent)));
        }
        let level = &self.levels[self.level(number)];
        let probe = level.probe(&random.signs(level.len()));
        let rows = space.dimensions().iter().zip(&self.incumbent).zip(probe);
        let sides = rows.map(|((d, z), reach)| d.sides(d.start + z * d.step, reach * d.step, u));
        (0, sides.unzip())
    }

    fn absorb(&mut self, space: &Space, proposal: &Proposal, result: &Pentanomial) {
        let (number, games, lead) = (proposal.number, games(proposal), lead(result));
        if proposal.trial != RACE {
            let level = self.level(number);
            let played: Vec<(f64, f64)> = coordinates(space, proposal).collect();
            self.levels[level].add(number, (games, lead / games), &played);
            if number == self.last_probe {
                self.end_probes(space);
            }
        } else if let Some(mut race) = self.racing.take() {
            let result = &mut race.results[race.mutant(number)];
            *result = (result.0 + games, result.1 + lead);
            if number + 1 == race.until {
                self.end_race(space, &race);
            } else {
                self.racing = Some(race);
            }
        }
    }

    fn estimate(&self, space: &Space) -> Vec<f64> {
        space.from_steps(&self.conclude(space).0)
    }

    fn notes(&self, space: &Space) -> Vec<String> {
        let rounds: u64 = self.levels.iter().map(|level| level.rounds).sum();
        let kinds = self.levels.iter().filter(|level| level.rounds > 0);
        let kinds = kinds.map(|level| format!(", {} of {}", level.rounds, level.name()));
        let unfinished = if self.unfinished(space).1 {
            "; the step of the last, unfinished round was not raced"
        } else {
            ""
        };
        let mut notes = vec![format!(
            "{} of {rounds} rounds took a step by estimates{}{unfinished}; only the proof shows a gain",
            self.steps,
            kinds.collect::<String>()
        )];
        let restored = self.conclude(space).1;
        if restored > 0 {
            notes.push(format!(
                "the last pass returned {restored} numbers to their start: together they \
                 are expected to gain less than {} %",
                100.0 * RESTORED
            ));
        }
        notes
    }
}

#[cfg(test)]
mod tests;
