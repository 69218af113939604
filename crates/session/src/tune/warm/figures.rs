//! The figures of a fit.

use std::fmt::Write;

use serde::Serialize;

use super::positions::PositionsFile;
use leitai_base::foreign::shown_path;
use leitai_config::TexelStage;
use leitai_runs::texel::{Dataset, Epoch, FitEnd, Fitted, Part, Tally};

/// The figures of a fit.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    /// The run of the games for learning, or the identity of a fit to positions.
    run: String,
    /// Elo per evaluation unit in predictions.
    k: f64,
    /// The share of the searches' scores in the results; `None` without.
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<Scores>,
    /// Number of games with selected positions; 0 in a fit to positions.
    games: PerPart<u64>,
    /// The files of a fit to positions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<PositionsFile>,
    /// Number of quiet positions.
    positions: PerPart<usize>,
    /// Counts of used and discarded games and positions.
    tally: Tally,
    /// Mean squared error of the predictions before the fit.
    before: PerPart<f64>,
    /// Mean squared error with the fitted values, before rounding.
    after: PerPart<f64>,
    /// Number of epochs that gave the fitted values; 0 if none was better than the start.
    best_epoch: u32,
    /// Total number of epochs.
    epochs: usize,
    /// The reason for the end.
    stop: FitEnd,
    dimensions: Vec<Row>,
    /// Names of dimensions that end at a bound, beyond which better values may exist.
    at_bounds: Vec<String>,
    /// Names of dimensions with too few positions, which stay at their start values.
    unvisited: Vec<String>,
}

/// The scores of searches in the results to fit to.
#[derive(Clone, Copy, Debug, Serialize)]
struct Scores {
    /// Their share, above 0 to 1.
    share: f64,
    /// Elo per unit of the scores.
    k: f64,
}

/// A figure of the training games and of the validation games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct PerPart<T> {
    training: T,
    validation: T,
}

impl<T> PerPart<T> {
    fn of(figure: impl Fn(Part) -> T) -> Self {
        Self {
            training: figure(Part::Training),
            validation: figure(Part::Validation),
        }
    }
}

#[derive(Clone, Debug, Serialize)]
struct Row {
    name: String,
    start: i64,
    min: i64,
    max: i64,
    /// The fitted value rounded to a whole number within the bounds.
    value: i64,
    /// The fitted value before rounding.
    fitted: f64,
    /// Number of training positions that it affects.
    visits: u64,
    at_bound: bool,
}

impl Figures {
    pub(super) fn new(
        run: String,
        texel: &TexelStage,
        dataset: &Dataset,
        fitted: &Fitted,
        files: Vec<PositionsFile>,
    ) -> Self {
        let losses = |epoch: Option<&Epoch>| PerPart {
            training: epoch.map_or(0.0, |epoch| epoch.training),
            validation: epoch.map_or(0.0, |epoch| epoch.validation),
        };
        let rows = texel.dimensions.iter().enumerate().map(|(index, of)| {
            let exact = fitted.values.get(index).copied();
            let exact = exact.unwrap_or(of.start as f64);
            Row {
                name: of.name.clone(),
                start: of.start,
                min: of.min,
                max: of.max,
                value: (exact.round() as i64).clamp(of.min, of.max),
                fitted: exact,
                visits: fitted.visits.get(index).copied().unwrap_or(0),
                at_bound: fitted.at_bounds.contains(&index),
            }
        });
        let named = |indices: &[usize]| {
            let of = indices.iter().filter_map(|&at| texel.dimensions.get(at));
            of.map(|dimension| dimension.name.clone()).collect()
        };
        Self {
            run,
            files,
            k: fitted.k,
            scores: dataset.score_k.map(|k| Scores {
                share: texel.score_share,
                k,
            }),
            games: PerPart::of(|part| dataset.games[part as usize]),
            positions: PerPart::of(|part| dataset.positions(part)),
            tally: dataset.tally,
            before: losses(fitted.epochs.first()),
            after: losses(fitted.epochs.get(fitted.best as usize)),
            best_epoch: fitted.best,
            epochs: fitted.epochs.len().saturating_sub(1),
            stop: fitted.stop,
            dimensions: rows.collect(),
            at_bounds: named(&fitted.at_bounds),
            unvisited: named(&fitted.unvisited),
        }
    }

    /// Returns the number of examined games.
    pub(in crate::tune) fn games_played(&self) -> u64 {
        self.games.training + self.games.validation
    }

    /// Describes the fit in a sentence.
    pub(in crate::tune) fn sentence(&self) -> String {
        format!(
            "{} numbers fitted to {} positions; validation error {:.6}, before {:.6}",
            self.dimensions.len(),
            self.positions.training,
            self.after.validation,
            self.before.validation,
        )
    }

    /// Returns the values of the dimensions in order, as whole numbers within the bounds.
    pub(super) fn values(&self) -> Vec<i64> {
        self.dimensions.iter().map(|row| row.value).collect()
    }

    /// Formats the figures for the user.
    pub fn text(&self) -> String {
        let (positions, k) = (self.positions, self.k);
        let mut text = if self.files.is_empty() {
            format!(
                "{} training positions of {} games, {} validation positions of {} games; K = {k:.4} Elo per unit\n",
                positions.training,
                self.games.training,
                positions.validation,
                self.games.validation,
            )
        } else {
            format!(
                "{} training positions, {} validation positions; K = {k:.4} Elo per unit\n",
                positions.training, positions.validation,
            )
        };
        if let Some(Scores { share, k }) = self.scores {
            let _ = writeln!(
                text,
                "scores of searches: a share of {share}, with K = {k:.4} Elo per unit"
            );
        }
        for file in &self.files {
            let (name, lines) = (shown_path(&file.file), file.tally.lines);
            let repeated = match file.tally.repeated {
                0 => String::new(),
                some => format!(" (about {some} repeat a position)"),
            };
            let _ = writeln!(
                text,
                "{name}: {lines} lines{repeated}, SHA-256 {}",
                file.sha256
            );
        }
        let tally = &self.tally;
        let unreadable = self.files.iter().map(|file| file.tally.unreadable).sum();
        let positions = [
            (tally.in_check, "in check"),
            (tally.captures, "in which a capture wins material"),
            (unreadable, "unreadable"),
        ];
        let games = [
            (tally.repetitions, "ended by repetition"),
            (tally.failures, "ended by a failure"),
            (tally.duplicates, "duplicates"),
            (tally.damaged, "damaged"),
            (tally.empty, "without a quiet position"),
        ];
        let (what, reasons) = match self.files[..] {
            [] => ("games", &games[..]),
            _ => ("lines", &positions[..]),
        };
        let reasons = reasons.iter().filter(|(count, _)| *count > 0);
        let reasons = reasons.map(|(count, reason)| format!("{count} {reason}"));
        let reasons: Vec<String> = reasons.collect();
        if !reasons.is_empty() {
            let _ = writeln!(text, "{what} left out: {}", reasons.join(", "));
        }
        let ending = match self.stop {
            FitEnd::Epochs => ": more epochs might improve it further (`epochs`)",
            FitEnd::Patience | FitEnd::Requested => "",
        };
        let _ = writeln!(
            text,
            "training error {:.6} -> {:.6}, validation error {:.6} -> {:.6}, after {} of {} \
             epochs{ending}\n",
            self.before.training,
            self.after.training,
            self.before.validation,
            self.after.validation,
            self.best_epoch,
            self.epochs,
        );
        let names = self.dimensions.iter().map(|row| row.name.chars().count());
        let names = names.max().unwrap_or(0).max(9);
        let _ = writeln!(
            text,
            "  {:names$}  {:>7}  {:>7}  {:>9}",
            "dimension", "start", "fitted", "positions"
        );
        for row in &self.dimensions {
            let note = if row.at_bound {
                "  at its bound"
            } else if self.unvisited.contains(&row.name) {
                "  too few positions"
            } else {
                ""
            };
            let _ = writeln!(
                text,
                "  {:names$}  {:>7}  {:>7}  {:>9}{note}",
                row.name, row.start, row.value, row.visits
            );
        }
        if self.best_epoch == 0 {
            text.push_str("note: no values predict better than the start\n");
        }
        text.trim_end().to_owned()
    }
}
