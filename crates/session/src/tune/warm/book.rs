//! The openings of the games for a fit.
//!
//! They should be numerous and varied rather than even: each is played once, and a fit learns from
//! the side that is ahead. They are random plies from the usual start, kept if the usual variant of
//! the game sees no side far ahead after a short search. Neither the tuned variant nor any number
//! of its evaluation affects them.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::bail;

use super::{Stage, replace};
use crate::Failure;
use crate::books::LARGEST;
use leitai_base::foreign::{read_text, shown_path};
use leitai_config::{Config, preset_variant};
use leitai_game::Side;
use leitai_players::openings::{Recipe, Viewpoint, epd, generate};
use leitai_players::player::{Budget, InProcess, Player};

/// Nodes per evaluation.
const NODES: u64 = 300;

/// Writes `count` openings, unless they exist. Returns false if cancelled.
pub(super) fn write(
    stage: &Stage<'_>,
    file: &Path,
    config: &Config,
    count: u64,
) -> Result<bool, Failure> {
    let wanted = config.game.card.facts().fit_openings;
    let (plies, window) = (
        wanted.plies.0..=wanted.plies.1,
        -wanted.window..=wanted.window,
    );
    let (least, most) = (plies.start(), plies.end());
    let head = format!(
        "# {count} openings by Leitai {}: {least} to {most} random plies, seed \
         {}, score {} to {} at {NODES} nodes",
        env!("CARGO_PKG_VERSION"),
        config.seed,
        window.start(),
        window.end(),
    );
    if read_text(file, LARGEST).is_ok_and(|text| is_whole(&text, &head, count)) {
        return Ok(true);
    }
    let game = &config.game;
    let variant = preset_variant(*game, wanted.judge)?;
    let recipe = Recipe {
        count: usize::try_from(count)?,
        starts: Vec::new(),
        plies,
        window,
        viewpoint: Viewpoint::Of(Side::First),
        budget: Budget {
            nodes: Some(NODES),
            ..Budget::default()
        },
        first_look: None,
        unrelated: false,
        seed: config.seed,
        most_candidates: 10_000 + 1_000 * count,
    };
    if InProcess::new(&variant, game).is_none() {
        bail!(
            "the variant that evaluates the openings does not play {}",
            game.name()
        );
    }
    #[expect(clippy::expect_used, reason = "the same call has just succeeded")]
    let make = || -> Box<dyn Player> {
        Box::new(InProcess::new(&variant, game).expect("a variant of the game"))
    };
    let (threads, cancel) = (stage.session.threads, stage.session.cancel);
    let bar = stage.session.work("openings", count);
    // Draining need not be handled here, since no pairs are in play.
    let stop = AtomicBool::new(false);
    let suite = generate(game.card, &recipe, threads, &stop, make, |kept, _| {
        bar.set(kept as u64);
        stop.fetch_or(cancel.is_draining(), Ordering::Relaxed);
    });
    drop(bar);
    if stop.into_inner() {
        return Ok(false);
    }
    let kept = suite.openings.len();
    if (kept as u64) < count {
        bail!(
            "only {kept} of {count} openings found in {} random lines\n\
             help: set `games` under `[tune.texel]` to at most {}",
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
    let listener = &*stage.session.listener;
    listener.detail(format!("{kept} openings written to {}", shown_path(file)));
    Ok(true)
}

/// Returns whether the text contains these openings. If a user edits one of them, the games differ,
/// and the record detects it.
fn is_whole(text: &str, head: &str, count: u64) -> bool {
    let mut lines = text.lines();
    lines.next() == Some(head) && text.ends_with('\n') && lines.count() as u64 == count
}
