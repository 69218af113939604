//! The warm start of a tune: numbers of the start's evaluation are fitted to the results of its
//! games against a twin with slightly smaller limits, or of positions from files.

mod book;
mod figures;
mod positions;

use std::ops::ControlFlow;
use std::path::Path;

use anyhow::Context;

pub use self::figures::Figures;
use super::files::{Origin, replace};
use super::{Halt, ensure_complete};
use crate::{Failure, PlayerFails, Session};
use leitai_base::foreign::raw_path;
use leitai_config::{FitSource, TexelStage, Tune, Variant, load, with_partner};
use leitai_runs::store::Store;
use leitai_runs::texel::{Dataset, FitEnd, FitPlan, Fitted, Game, Layout, Selection, fit_watched};
use leitai_runs::tournament::{Ending, Plan, Standings};

/// A tune with the environment of its stages.
pub(super) struct Stage<'a> {
    /// Path of the tune's config; the files of its stages are in the same directory.
    pub(super) file: &'a Path,
    /// The config of the tune.
    pub(super) origin: &'a Origin<'a>,
    /// The record of all stages.
    pub(super) store: &'a Store,
    pub(super) session: &'a Session<'a>,
}

/// The result of the fit.
pub(super) struct Fit {
    /// The tuned variant with the fitted values, under its own name; equal to the start if no
    /// values predicted better.
    pub(super) variant: Variant,
    /// The figures of the fit.
    pub(super) figures: Figures,
}

/// Plays the missing games and fits the numbers of `texel` to their results, or fits the numbers to
/// the results of positions.
///
/// Games and values depend on the config and the files alone, and not on the number of threads or
/// interruptions.
///
/// # Errors
/// A [`Halt`], or the error of the fit.
pub(super) fn warm_start(
    stage: &Stage<'_>,
    tune: &Tune,
    texel: &TexelStage,
) -> Result<Fit, Failure> {
    let start = &stage.origin.loaded.config.variants[tune.variant];
    let (run, dataset, files) = match texel.source {
        FitSource::Games(games) => {
            let plan = play(stage, tune, games / 2)?;
            let dataset = dataset(&plan, stage.store, start, texel)?;
            (plan.id().to_owned(), dataset, Vec::new())
        }
        FitSource::Positions(_) => {
            let Some((dataset, files)) = positions::dataset(stage, start, texel)? else {
                return Err(interrupted("while positions were read", stage));
            };
            (positions::identity(start, texel, &files), dataset, files)
        }
    };
    let Some(fitted) = fit(&dataset, texel, stage)? else {
        return Err(interrupted("during the fit", stage));
    };
    let figures = Figures::new(run, texel, &dataset, &fitted, files);
    let variant = texel.apply(start, &figures.values());
    Ok(Fit { variant, figures })
}

/// Plays the missing games of the start, and returns their plan.
fn play(stage: &Stage<'_>, tune: &Tune, pairs: u64) -> Result<Plan, Failure> {
    let config = &stage.origin.loaded.config;
    let config_file = stage.file.with_extension("baseline.toml");
    let openings = stage.file.with_extension("baseline.epd");
    if !book::write(stage, &openings, config, pairs)? {
        return Err(interrupted("during the generation of openings", stage));
    }
    let book_name = raw_path(Path::new(openings.file_name().unwrap_or_default()));
    let text = stage.origin.text_for(&config_file)?;
    let text = with_partner(&text, config, tune, pairs, &book_name)?;
    replace(&config_file, &text)?;
    let loaded = load(&config_file, &[], &stage.session.games.cards)?;
    let mut plan = stage.session.prepare(loaded)?;
    stage.session.scale_clocks(&mut plan, Some(stage.store))?;
    let store = stage.store;
    let (ending, standings) = stage.session.play(&plan, &Standings::of(&plan), store)?;
    if let Some(fails) = PlayerFails::of(&plan, &standings) {
        return Err(Halt::Failing(Box::new(fails)).into());
    }
    if ending == Ending::Cancelled && !stage.session.cancel.is_time_up() {
        let played = standings.played;
        let when = format!("after {played} of {pairs} pairs to learn from");
        return Err(interrupted(&when, stage));
    }
    ensure_complete(&plan, &ending, stage.session.cancel)?;
    Ok(plan)
}

fn interrupted(when: &str, stage: &Stage<'_>) -> Failure {
    Halt::cancelled(stage.session.cancel, &format!(" {when}")).into()
}

/// Collects the quiet positions of the recorded games.
fn dataset(
    plan: &Plan,
    store: &Store,
    start: &Variant,
    texel: &TexelStage,
) -> Result<Dataset, Failure> {
    let layout = Layout::of(start, &texel.dimensions)?;
    let selection = Selection {
        seed: plan.config.seed,
        most: texel.positions_per_game as usize,
        ..Selection::default()
    };
    let mut builder = Dataset::builder(plan.config.game.card, layout, selection)?;
    let entry = store.run(plan.id())?;
    for row in store.pairs(&entry.handle) {
        let row = row?;
        let opening = plan.book.opening(row.opening)?.position();
        for game in &row.record.games {
            builder.add(&Game::from_record(&*opening, game));
        }
    }
    let dataset = builder.build(texel.score_share);
    dataset.context("`[tune.texel]`")
}

/// Fits the values; `None` if cancelled.
fn fit(
    dataset: &Dataset,
    texel: &TexelStage,
    stage: &Stage<'_>,
) -> Result<Option<Fitted>, Failure> {
    let plan = FitPlan {
        k: texel.k,
        epochs: texel.epochs,
        patience: texel.patience,
        pull: texel.pull,
        least_visits: texel.least_visits,
        threads: stage.session.threads.get(),
        ..FitPlan::default()
    };
    let bar = stage.session.work("epochs at most", texel.epochs.into());
    let fitted = fit_watched(dataset, &plan, |epoch| {
        bar.set(epoch.number.into());
        if stage.session.cancel.is_draining() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    drop(bar);
    let source = &texel.source;
    let fitted = fitted.with_context(|| format!("`[tune.texel]` cannot be fitted to {source}"))?;
    Ok((fitted.stop != FitEnd::Requested).then_some(fitted))
}
