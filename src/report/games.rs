//! All games of a run, in schedule order and without wall-clock data: two exports of the
//! same run are equal byte for byte.

use std::io::{self, Write};

use thiserror::Error;

use super::convert::pgn_text;
use crate::game::Side;
use crate::gate::recorded_standings;
use crate::interchange::pgn::{Game, Tags, event_of, own_tags, round_of};
use crate::store::{RunHandle, Store};
use crate::tournament::{Beyond, Places, Plan, Reach, RunError, Standings};

/// Why the games could not be written.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The record cannot be read.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The games cannot be written.
    #[error("cannot write the games")]
    Write(#[from] io::Error),
}

/// Writes the recorded games of `run` that its results are made of as PGN; with `beyond`
/// also those that are not, each with a tag that says so. Gives which those are.
///
/// # Errors
/// The record cannot be read, or `out` not be written.
pub fn write_games(
    plan: &Plan,
    store: &Store,
    run: &RunHandle,
    notation: usize,
    beyond: bool,
    out: &mut dyn Write,
) -> Result<Reach, ExportError> {
    let (standings, reach) = recorded_standings(plan, store, run)?;
    recorded_games(plan, store, run, (&standings, &reach), beyond, |game| {
        Ok::<_, ExportError>(writeln!(out, "{}", pgn_text(&game, notation))?)
    })?;
    Ok(reach)
}

/// Hands on the recorded games of `run`, numbered from 1, as if they had been read from its
/// export.
///
/// # Errors
/// The record cannot be read, or what `take` says.
pub fn recorded_games<E: From<RunError>>(
    plan: &Plan,
    store: &Store,
    run: &RunHandle,
    (standings, reach): (&Standings, &Reach),
    beyond: bool,
    mut take: impl FnMut(Game) -> Result<(), E>,
) -> Result<(), E> {
    let style = &plan.config.game.card.facts().pgn;
    let (event, is_gate) = (event_of(run.id()), plan.config.gate.is_some());
    let places = Places::of(plan, standings);
    let mut number = 0;
    for row in store.pairs(run) {
        let row = row.map_err(RunError::from)?;
        let index = row.record.index;
        let is_beyond = reach.of_pair(index);
        if is_beyond.is_some() && !beyond {
            continue;
        }
        let start = plan.start(&plan.schedule.pair(index));
        let opening = plan.book.openings.get(row.opening);
        let Some((opening, start)) = opening.zip(start) else {
            continue;
        };
        let cluster = places.of_pair(index).and_then(|place| place.cluster);
        for (game, recorded) in row.record.games.iter().enumerate() {
            let mut tags = Tags::of(plan.config.game.card);
            tags.push("Game", style.game);
            tags.push("Event", &event);
            tags.push("Round", &round_of(index, game));
            for (side, variant) in style.players.iter().zip([recorded.first, recorded.second]) {
                if let Some(variant) = plan.config.variants.get(variant) {
                    tags.push(side, &variant.name);
                }
            }
            tags.push("Result", recorded.verdict.result_text());
            tags.push("Opening", &opening.id);
            tags.push("Termination", recorded.verdict.cause.name());
            let own = own_tags(cluster.as_deref(), is_gate, is_beyond.map(Beyond::name));
            own.for_each(|(name, value)| tags.push(name, value));
            let mut game = Game::new(&*start, tags, plan.config.game.rules);
            for ply in &recorded.plies {
                game.play(ply.mv);
            }
            number += 1;
            game.number = number;
            game.points = Some(recorded.verdict.half_points(Side::First));
            take(game)?;
        }
    }
    Ok(())
}
