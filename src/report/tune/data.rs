//! What there is to tell of a tune.

use serde::Serialize;

use crate::config::{Tuned, Variant};
use crate::stats::Ranged;
use crate::tune::{Correlation, Reading, Trajectory};

/// Names in a sentence, at most.
const MOST_NAMES: usize = 12;

/// A tune from its start to its end, as far as it has come.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TuneReport {
    /// The page's title, such as the tuned variant's name.
    pub title: String,
    /// The config's path.
    pub config: String,
    /// The run's identity.
    pub run: String,
    /// The command that plays all of it again.
    pub command: String,
    /// The algorithm, as configs name it.
    pub algorithm: String,
    /// Games that the algorithm has learned from.
    pub games: u64,
    /// Games that it may learn from, at least `games`.
    pub budget: u64,
    /// The config's seed.
    pub seed: u64,
    /// What was tuned, in the order of the config; empty if no stage was played
    /// that moves single numbers.
    pub dimensions: Vec<DimensionRow>,
    /// The strongest correlations of the errors of two dimensions.
    pub correlations: Vec<Correlation>,
    /// Values of the dimensions over games.
    pub trajectory: Trajectory,
    /// The variant that was tuned, as the config has it.
    pub before: Variant,
    /// The tuned one.
    pub after: Variant,
    /// Strength of values from the trajectory, by games; empty where it was not
    /// measured.
    pub ratings: Vec<Checkpoint>,
    /// Strength of the others that they have met.
    pub references: Vec<Reference>,
    /// The stages in their order.
    pub stages: Vec<StageRow>,
    /// What else is to be known, in plain words.
    pub notes: Vec<String>,
}

/// A dimension and what has become of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DimensionRow {
    /// The path of its first number, or the group's name.
    pub name: String,
    /// Where it began.
    pub start: i64,
    /// The least that it may be.
    pub min: i64,
    /// The most that it may be.
    pub max: i64,
    /// What it is in the end.
    pub value: i64,
    /// One standard error; `None` where the algorithm has none.
    pub error: Option<f64>,
    /// The 95 % interval of the best value; an end at a bound is none that the games
    /// have set. `None` where the algorithm has none, as with the next two.
    pub interval: Option<[f64; 2]>,
    /// Whether the games show, at 95 %, that the dimension matters.
    pub effect_seen: Option<bool>,
    /// What a step at the start can make in strength, in Elo, at most (95 %).
    pub most_elo_per_step: Option<f64>,
    /// Whether the results agree with a parabola, which the error rests on; `None` where the
    /// algorithm does not test for one, or has too few games.
    pub parabola: Option<bool>,
    /// Whether it lies at a bound, which then keeps it from better values.
    pub at_bound: bool,
}

impl DimensionRow {
    /// A tune's dimensions with such values, which are rounded, and what the games show
    /// of them; a value that is missing is the start.
    pub fn all(dimensions: &[Tuned], values: &[f64], readings: Option<&[Reading]>) -> Vec<Self> {
        let rows = dimensions.iter().enumerate().map(|(index, dimension)| {
            let value = values.get(index).filter(|value| value.is_finite());
            let value = value.map_or(dimension.start, |value| value.round() as i64);
            let value = value.clamp(dimension.min, dimension.max);
            let reading = readings.and_then(|readings| readings.get(index));
            Self {
                name: dimension.name.clone(),
                start: dimension.start,
                min: dimension.min,
                max: dimension.max,
                value,
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

    /// Whether the games do not show that it matters, and in which words.
    pub fn flat(&self) -> Option<String> {
        if self.effect_seen != Some(false) {
            return None;
        }
        let what = if self.difference() == 0 {
            "no effect seen"
        } else {
            "no effect seen by itself, moved with the others"
        };
        let most = self.most_elo_per_step.filter(|elo| elo.is_finite());
        Some(match most {
            Some(elo) => format!("{what}; 95 %: at most {elo:.1} Elo per step"),
            None => what.to_owned(),
        })
    }

    /// Whether its error is not to be relied on, and in which words.
    pub fn doubtful(&self) -> Option<&'static str> {
        let words = "no parabola: do not rely on the error";
        (self.parabola == Some(false)).then_some(words)
    }

    /// The rows that have changed, in a sentence.
    pub fn changed(rows: &[Self]) -> String {
        let changed = rows.iter().filter(|row| row.difference() != 0);
        let names: Vec<&str> = changed.map(|row| row.name.as_str()).collect();
        let (count, all) = (names.len(), rows.len());
        match count {
            0 if all == 1 => "Unchanged".to_owned(),
            0 => format!("None of {all} has changed"),
            _ => {
                let more = count.saturating_sub(MOST_NAMES);
                let more = if more > 0 {
                    format!(" and {more} more")
                } else {
                    String::new()
                };
                let names = names[..count.min(MOST_NAMES)].join(", ");
                format!("Changed, {count} of {all}: {names}{more}")
            }
        }
    }

    /// How far it has moved.
    pub fn difference(&self) -> i64 {
        self.value.saturating_sub(self.start)
    }
}

/// How strong the values of a moment are.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Checkpoint {
    /// Games that the algorithm had learned from: 0 for the start.
    pub games: u64,
    /// Elo, with its 95 % interval: on the scale of [`TuneReport::references`], or
    /// against all of them together, who are 0 then.
    pub elo: Ranged,
}

/// How strong another player is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reference {
    /// Its name.
    pub name: String,
    /// Elo; `None` if the games do not tell.
    pub elo: Option<f64>,
}

/// How a stage ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It was played, and there was nothing to decide.
    Done,
    /// Its test has accepted the candidate.
    Accepted,
    /// Its test has rejected the candidate.
    Rejected,
    /// Its test has decided nothing.
    Undecided,
    /// It was not played, or not to its end.
    Unfinished,
}

/// A stage of the tune.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StageRow {
    /// What it is called.
    pub name: String,
    /// Games that were played in it.
    pub games: u64,
    /// How long its games have taken together, in seconds; `None` if that is not known.
    pub seconds: Option<f64>,
    /// How it ended.
    pub outcome: Outcome,
    /// The same in a sentence.
    pub words: String,
    /// The command that plays it again.
    pub command: Option<String>,
}
