//! `[tune.texel]`: a fit of numbers of the evaluation to games or positions, before the tune by games.

use std::fmt;
use std::path::PathBuf;

use serde::Serialize;

use super::entry::{Named, Purpose};
use super::raw::RawTexel;
use super::select::select;
use super::{Frozen, Proof, TunedDimension, terms};
use crate::Variant;
use crate::files::{Find, found_file};
use crate::glob::Glob;
use crate::problem::{Problem, Problems};
use crate::values::{Of, Spanned, ranged_or, real};
use leitai_base::count::quoted;
use leitai_base::foreign::shown_path;

const DEFAULT_PULL: f64 = 1.0;
const DEFAULT_EPOCHS: u32 = 2000;
const DEFAULT_PATIENCE: u32 = 50;
const DEFAULT_VISITS: u64 = 1;
const DEFAULT_POSITIONS: u32 = 10;

/// The games or positions of a fit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FitSource {
    /// Number of games of the start, even, 2 to 10^7.
    Games(u64),
    /// Files of positions with results, at least one.
    Positions(Vec<PathBuf>),
}

impl fmt::Display for FitSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Games(games) => write!(f, "{games} games of its own"),
            Self::Positions(files) => {
                let files = files.iter().map(|file| shown_path(file));
                write!(f, "the positions in {}", quoted(files))
            }
        }
    }
}

/// The preceding fit: games of the unchanged variant or foreign positions, and numbers of its
/// evaluation that are fitted to their results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TexelStage {
    /// The games or positions to fit to.
    #[serde(flatten)]
    pub source: FitSource,
    /// Maximum number of positions of one game, 1 to 1000.
    pub positions_per_game: u32,
    /// Share of the search's score in the result to fit to, 0 to 1; the result of the game has the
    /// rest.
    pub score_share: f64,
    /// Elo per evaluation unit, 10^-4 to 10^4; `None` for the best predictor of the results from
    /// the start's evaluation.
    pub k: Option<f64>,
    /// Strength of the pull of values to their start, 0 to 10^6: a distance of one step costs as
    /// much as this number of completely wrong predictions.
    pub pull: f64,
    /// Maximum number of passes over the positions, 1 to 10^6.
    pub epochs: u32,
    /// The fit ends after this number of passes in which the validation error falls by less than a
    /// ten-thousandth of itself, 1 to 10^6.
    pub patience: u32,
    /// A dimension that counts in fewer positions than this stays at its start, 1 to 10^9.
    pub least_visits: u64,
    /// The test of the fitted variant against the start.
    pub gate: Proof,
    /// The fitted dimensions, not empty, all of the evaluation; names are unique, and no number is
    /// in two dimensions. A number may be fitted and then tuned by games too.
    pub dimensions: Vec<TunedDimension>,
    /// Numbers that an entry names but that do not move, with the reasons.
    pub frozen: Vec<Frozen>,
}

impl TexelStage {
    /// The number of games of the start to fit to; 0 for positions.
    pub fn games(&self) -> u64 {
        match self.source {
            FitSource::Games(games) => games,
            FitSource::Positions(_) => 0,
        }
    }

    /// The files of positions to fit to; empty for games.
    pub fn files(&self) -> &[PathBuf] {
        match &self.source {
            FitSource::Games(_) => &[],
            FitSource::Positions(files) => files,
        }
    }

    /// The variant with these values of the dimensions, in their order. Values beyond the bounds
    /// are clamped, and missing values are the start's.
    #[must_use]
    pub fn apply(&self, variant: &Variant, values: &[i64]) -> Variant {
        super::apply(&self.dimensions, variant, values)
    }
}

/// Checks `[tune.texel]` for `variant`, whose numbers are `all`.
pub(super) fn texel(
    raw: &Spanned<RawTexel>,
    anchor: Option<&Glob>,
    variant: &Variant,
    all: &[Named],
    find: Find,
    problems: &mut Problems,
) -> Option<TexelStage> {
    let fields = raw.get_ref();
    if !variant.is_search() {
        let (kind, help) = match variant.program {
            Some(_) => ("program", "; tune its options by `[[tune.parameter]]`"),
            None => ("player", ""),
        };
        let message = format!("cannot fit the evaluation of a {kind}");
        return Problem::error(raw.span(), message)
            .label(format!("`{}` is a {kind}", variant.name))
            .help(format!("remove `[tune.texel]`{help}"))
            .refuse(problems);
    }
    let table = variant.eval.table();
    if !table.is_additive() {
        let subject = table.subject;
        return Problem::error(raw.span(), format!("{subject} cannot be fitted to results"))
            .label("its evaluation is not a sum of weighted terms")
            .help("remove `[tune.texel]`; tune numbers of `eval` by `[[tune.parameter]]`")
            .refuse(problems);
    }
    let source = source(raw, find, problems);
    let k = fields.k.as_ref();
    let k = k.map(|k| real(k, 0.0, "tune.texel.k", problems));
    let pull = real(&fields.pull, DEFAULT_PULL, "tune.texel.pull", problems);
    let share = real(&fields.score_share, 0.0, "tune.texel.score_share", problems);
    let patience = "tune.texel.patience";
    let visits = "tune.texel.least_visits";
    let gate = fields.gate.as_ref();
    let gate = terms::proof(gate, raw.span(), "tune.texel.gate", problems);
    let typed = fields.parameter.as_ref().map(Spanned::get_ref);
    let Some(typed) = typed.filter(|typed| !typed.is_empty()) else {
        return Problem::error(raw.span(), "a fit without parameters")
            .help(
                "add a `[[tune.texel.parameter]]` table with a `path`, such as \
                 `path = \"eval.pst.*[*][*]\"`",
            )
            .refuse(problems);
    };
    let selected = select(typed, Purpose::Fitted, anchor, variant, all, problems)?;
    Some(TexelStage {
        epochs: ranged_or(
            &fields.epochs,
            DEFAULT_EPOCHS,
            "tune.texel.epochs",
            problems,
        ),
        patience: ranged_or(&fields.patience, DEFAULT_PATIENCE, patience, problems),
        least_visits: ranged_or(&fields.least_visits, DEFAULT_VISITS, visits, problems),
        positions_per_game: ranged_or(
            &fields.positions_per_game,
            DEFAULT_POSITIONS,
            "tune.texel.positions_per_game",
            problems,
        ),
        score_share: share?,
        source: source?,
        k: k.map_or(Some(None), |k| k.map(Some))?,
        pull: pull?,
        gate: gate?,
        dimensions: selected.dimensions,
        frozen: selected.frozen,
    })
}

/// The games or the positions to fit to.
fn source(raw: &Spanned<RawTexel>, find: Find, problems: &mut Problems) -> Option<FitSource> {
    let fields = raw.get_ref();
    match (&fields.games, &fields.positions) {
        (Some(games), None) => {
            terms::even(games, "tune.texel.games", problems).map(FitSource::Games)
        }
        (None, Some(files)) if !files.get_ref().is_empty() => {
            let for_games = [
                fields.positions_per_game.as_ref().map(Of::span),
                fields.score_share.as_ref().map(Of::span),
            ];
            for place in for_games.into_iter().flatten() {
                Problem::error(place, "a key for games in a fit to positions")
                    .context(files.span(), "the positions")
                    .help("remove it, or set `games` instead of `positions`")
                    .report(problems);
            }
            let files = files.get_ref().iter();
            let found: Vec<_> = files.map(|file| found_file(file, find, problems)).collect();
            let found: Option<Vec<_>> = found.into_iter().collect();
            found.map(FitSource::Positions)
        }
        (Some(games), Some(files)) => {
            Problem::error(files.span(), "`positions` and `games` exclude each other")
                .context(games.span(), "the other one")
                .help("keep one of the two: a fit learns from its own games or from the positions")
                .refuse(problems)
        }
        _ => Problem::error(raw.span(), "a fit without games")
            .help("add `games = 20000` under `[tune.texel]`: the number of games to learn from")
            .help("or `positions = [\"my.epd\"]`: files of positions with results")
            .refuse(problems),
    }
}
