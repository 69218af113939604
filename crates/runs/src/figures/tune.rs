//! The data of a tune's report.

mod directions;

pub use directions::{FailureDirections, ParameterFailures};

use serde::Serialize;

use leitai_config::{Decimal, TunedDimension, Variant};
use leitai_stats::Ranged;
use leitai_stats::tune::{Correlation, Reading, Trajectory};

/// Greatest number of names in a sentence.
const MAX_NAMES: usize = 12;

/// A tune from its start to its present state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TuneReport {
    /// The page's title, such as the tuned variant's name.
    pub title: String,
    /// The config's path.
    pub config: String,
    /// The run's identity.
    pub run: String,
    /// The command that repeats the whole tune.
    pub command: String,
    /// The algorithm's name in configs.
    pub algorithm: String,
    /// Games from which the algorithm has learned.
    pub games: u64,
    /// Greatest number of games from which the algorithm may learn; at least `games`.
    pub budget: u64,
    /// The config's seed.
    pub seed: u64,
    /// The tuned dimensions in the order of the config; empty if no stage with single dimensions
    /// was played.
    pub dimensions: Vec<DimensionRow>,
    /// The strongest correlations of the errors of two dimensions.
    pub correlations: Vec<Correlation>,
    /// Values of the dimensions over games.
    pub trajectory: Trajectory,
    /// The tuned variant with the values of the config.
    pub before: Variant,
    /// The tuned variant with its final values.
    pub after: Variant,
    /// Strength of values along the trajectory, by games; empty if it was not measured.
    pub ratings: Vec<Checkpoint>,
    /// Strength of the reference players that the checkpoints met.
    pub references: Vec<Reference>,
    /// The stages in their order.
    pub stages: Vec<StageRow>,
    /// Further notes.
    pub notes: Vec<String>,
}

/// A dimension and its tuning result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DimensionRow {
    /// The path of its first number, or the group's name.
    pub name: String,
    /// Initial value.
    pub start: Decimal,
    /// Least permitted value.
    pub min: Decimal,
    /// Greatest permitted value.
    pub max: Decimal,
    /// Final value.
    pub value: Decimal,
    /// One standard error; `None` if the algorithm computes none.
    pub error: Option<f64>,
    /// The 95 % interval of the best value; an end at a bound comes from the bound and not from the
    /// games. `None` if the algorithm computes none, as for the next two fields.
    pub interval: Option<[f64; 2]>,
    /// True if the games show, at 95 %, that the dimension matters.
    pub effect_seen: Option<bool>,
    /// Upper 95 % limit for the Elo of one step at the start.
    pub most_elo_per_step: Option<f64>,
    /// True if the results agree with a parabola, which the error assumes; `None` if the algorithm
    /// does not test this, or has too few games.
    pub parabola: Option<bool>,
    /// True if the value lies at a bound, beyond which better values may exist.
    pub at_bound: bool,
}

impl DimensionRow {
    /// Builds the rows of a tune's dimensions from values, which are rounded, and the games'
    /// `readings`. A missing value is the start value.
    pub fn all(
        dimensions: &[TunedDimension],
        values: &[f64],
        readings: Option<&[Reading]>,
    ) -> Vec<Self> {
        let rows = dimensions.iter().enumerate().map(|(index, dimension)| {
            let value = values.get(index);
            let value = value.map_or(dimension.start, |&value| dimension.nearest_units(value));
            let reading = readings.and_then(|readings| readings.get(index));
            Self {
                name: dimension.name.clone(),
                start: dimension.decimal(dimension.start),
                min: dimension.decimal(dimension.min),
                max: dimension.decimal(dimension.max),
                value: dimension.decimal(value),
                error: reading.map(|reading| reading.error),
                interval: reading.map(|reading| [reading.low, reading.high]),
                effect_seen: reading.map(|reading| reading.is_seen),
                parabola: reading.and_then(|reading| reading.is_parabola),
                most_elo_per_step: reading.and_then(|reading| reading.steepest),
                at_bound: value == dimension.min || value == dimension.max,
            }
        });
        rows.collect()
    }

    /// A note if the games do not show that the dimension matters.
    pub fn flat(&self) -> Option<String> {
        if self.effect_seen != Some(false) {
            return None;
        }
        let effect = if self.difference().units == 0 {
            "no effect seen"
        } else {
            "no effect seen by itself, moved with the others"
        };
        let most = self.most_elo_per_step.filter(|elo| elo.is_finite());
        let most = most.map(|elo| format!("; 95 %: at most {elo:.1} Elo per step"));
        Some(effect.to_owned() + &most.unwrap_or_default())
    }

    /// A note if the error is unreliable.
    pub fn doubtful(&self) -> Option<&'static str> {
        let words = "no parabola: do not rely on the error";
        (self.parabola == Some(false)).then_some(words)
    }

    /// Describes the changed rows in a sentence.
    pub fn changed(rows: &[Self]) -> String {
        let changed = rows.iter().filter(|row| row.difference().units != 0);
        let names: Vec<&str> = changed.map(|row| row.name.as_str()).collect();
        let (count, all) = (names.len(), rows.len());
        match count {
            0 if all == 1 => "Unchanged".to_owned(),
            0 => format!("None of {all} has changed"),
            _ => {
                let more = match count.saturating_sub(MAX_NAMES) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                let names = names[..count.min(MAX_NAMES)].join(", ");
                format!("Changed, {count} of {all}: {names}{more}")
            }
        }
    }

    /// Returns the change from the start.
    pub fn difference(&self) -> Decimal {
        Decimal {
            units: self.value.units.saturating_sub(self.start.units),
            ..self.value
        }
    }
}

/// Strength of the values at one moment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Checkpoint {
    /// Games from which the algorithm had learned: 0 for the start.
    pub games: u64,
    /// Elo with its 95 % interval: on the scale of [`TuneReport::references`], or against all of
    /// them together, whose Elo is then 0.
    pub elo: Ranged,
}

/// Strength of another player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reference {
    /// Name of the player.
    pub name: String,
    /// Elo; `None` if the games do not determine it.
    pub elo: Option<f64>,
}

/// The result of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Played, without anything to decide.
    Done,
    /// The test accepted the candidate.
    Accepted,
    /// The test rejected the candidate.
    Rejected,
    /// The test was inconclusive.
    Undecided,
    /// Not played, or not completely.
    Unfinished,
}

/// A stage of the tune.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StageRow {
    /// Name of the stage.
    pub name: String,
    /// Number of its games.
    pub games: u64,
    /// Total time of its games, in seconds; `None` if unknown.
    pub seconds: Option<f64>,
    /// Result of the stage.
    pub outcome: Outcome,
    /// The result in a sentence.
    pub words: String,
    /// The command that plays the stage again.
    pub command: Option<String>,
}

/// The texts of a tune's report.
#[derive(Clone, Debug)]
pub struct RenderedTune {
    /// The page, as HTML.
    pub page: String,
    /// The values over games, as CSV.
    pub trajectory: String,
}
