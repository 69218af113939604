//! The openings of the games that a fit learns from.
//!
//! They are to be many and various rather than even: each is played once, and a fit
//! learns from who is ahead. So they are random plies from the usual start, kept where
//! the usual variant of the game sees no side far ahead after a short search. Neither
//! the variant that is tuned nor any number of its evaluation has a say.

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::atomic::Ordering;

use anyhow::{Context, bail};

use super::{Stage, replace};
use crate::cli::common::{Failure, note};
use crate::cli::display::Bar;
use crate::cli::input::LARGEST;
use crate::config::{Config, GameChoice, Variant, default_variant, eval_preset, number_table};
use crate::foreign::{read_text, shown_path};
use crate::openings::{Recipe, epd, generate};
use crate::player::{Budget, InProcess, Playable, Player};

/// Nodes per evaluation.
const NODES: u64 = 300;

/// Random plies, and scores that are kept in units of whoever judges, where a
/// rook of Xiangqi is worth 1000 and a corner of Othello 100.
fn terms(game: GameChoice) -> (RangeInclusive<u32>, RangeInclusive<i32>) {
    match game {
        GameChoice::Xiangqi(_) => (8..=20, -400..=400),
        GameChoice::Othello(_) => (6..=14, -100..=100),
        // Nothing is fitted there: the check of the config refuses it.
        GameChoice::Go(_) => (2..=6, -100..=100),
    }
}

/// Who judges openings: by numbers that no tune changes, or the same config would have
/// other openings once the default evaluation is another.
fn judge(game: GameChoice) -> Option<Variant> {
    let mut variant = default_variant(game)?;
    let preset = match game {
        GameChoice::Xiangqi(_) => "leitai-1",
        GameChoice::Othello(_) => "squares",
        GameChoice::Go(_) => "zhang-chen-2007",
    };
    variant.eval = eval_preset(number_table(game), preset)?;
    Some(variant)
}

/// Writes `count` openings, unless they are there; whether they are, for it can be
/// cancelled.
pub(super) fn write<P: Playable>(
    stage: &Stage<'_>,
    file: &Path,
    config: &Config,
    count: u64,
) -> Result<bool, Failure> {
    let (plies, window) = terms(config.game);
    let (least, most) = (plies.start(), plies.end());
    let head = format!(
        "# {count} openings by `leitai tune` (leitai {}): {least} to {most} random plies, seed \
         {}, score {} to {} at {NODES} nodes",
        env!("CARGO_PKG_VERSION"),
        config.seed,
        window.start(),
        window.end(),
    );
    if read_text(file, LARGEST).is_ok_and(|text| is_whole(&text, &head, count)) {
        return Ok(true);
    }
    let variant = judge(config.game).context("the game has no variant that judges openings")?;
    let rules = P::rules(config.game);
    let rules = rules.with_context(|| format!("the config is not about {}", P::NAME))?;
    let recipe = Recipe {
        count: usize::try_from(count)?,
        plies,
        window,
        budget: Budget {
            nodes: Some(NODES),
            ..Budget::default()
        },
        first_look: None,
        unrelated: false,
        seed: config.seed,
        most_candidates: 10_000 + 1_000 * count,
    };
    if InProcess::<P>::new(&variant, rules).is_none() {
        bail!("who judges openings does not play {}", P::NAME);
    }
    #[expect(clippy::expect_used, reason = "the same call has just succeeded")]
    let make = || -> Box<dyn Player<P>> {
        Box::new(InProcess::<P>::new(&variant, rules).expect("a variant of the game"))
    };
    let bar = Bar::new(count, "openings", stage.quiet);
    let suite = generate(&recipe, stage.threads, stage.cancel, make, |kept, _| {
        bar.set(kept as u64);
    });
    bar.finish();
    if stage.cancel.load(Ordering::Relaxed) {
        return Ok(false);
    }
    let kept = suite.openings.len();
    if (kept as u64) < count {
        bail!(
            "only {kept} of {count} openings found in {} random lines\n\
             help: give `games` under `[tune.texel]` at most {}",
            suite.candidates,
            2 * kept
        );
    }
    let mut text = head + "\n";
    for (number, opening) in (1..).zip(&suite.openings) {
        text.push_str(&epd(opening, &format!("baseline-{number:06}")));
        text.push('\n');
    }
    replace(file, &text)?;
    if !stage.quiet {
        note(&format!("{kept} openings written to {}", shown_path(file)));
    }
    Ok(true)
}

/// Whether the text holds these openings. Who changes one of them by hand plays other
/// games: the record notices.
fn is_whole(text: &str, head: &str, count: u64) -> bool {
    let mut lines = text.lines();
    lines.next() == Some(head) && text.ends_with('\n') && lines.count() as u64 == count
}
