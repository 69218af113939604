//! All games of a run as PGN, in schedule order and without wall-clock data:
//! two exports of the same run are equal byte for byte.

use std::io::{self, Write};

use thiserror::Error;

use super::pgn::{PgnGame, PgnPlayer, PgnTags};
use crate::game::Move;
use crate::gate::recorded_standings;
use crate::interchange::pgn::{event_of, own_tags, round_of};
use crate::store::{RunHandle, Store};
use crate::tournament::{Beyond, Places, Plan, Reach, RunError};

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

/// Writes the recorded games of `run` that its results are made of; with `beyond` also
/// those that are not, each with a tag that says so. Gives which those are.
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
    let event = event_of(run.id());
    let (standings, reach) = recorded_standings(plan, store, run)?;
    let places = Places::of(plan, &standings);
    let is_gate = plan.config.gate.is_some();
    for row in store.pairs(run) {
        let row = row.map_err(RunError::from)?;
        let is_beyond = reach.of_pair(row.record.index);
        if is_beyond.is_some() && !beyond {
            continue;
        }
        let cluster = places
            .of_pair(row.record.index)
            .and_then(|place| place.cluster);
        let extra: Vec<_> =
            own_tags(cluster.as_deref(), is_gate, is_beyond.map(Beyond::name)).collect();
        let start = plan.start(&plan.schedule.pair(row.record.index));
        let opening = plan.book.openings.get(row.opening);
        let Some((opening, start)) = opening.zip(start) else {
            continue;
        };
        for (number, game) in row.record.games.iter().enumerate() {
            let player = |variant: usize| PgnPlayer {
                name: plan
                    .config
                    .variants
                    .get(variant)
                    .map(|variant| variant.name.as_str()),
                ..PgnPlayer::default()
            };
            let moves: Vec<Move> = game.plies.iter().map(|ply| ply.mv).collect();
            let round = round_of(row.record.index, number);
            let pgn = PgnGame {
                tags: PgnTags {
                    event: Some(&event),
                    round: Some(&round),
                    players: [player(game.first), player(game.second)],
                    opening: Some(&opening.id),
                    extra: &extra,
                    ..PgnTags::default()
                },
                start: &*start,
                moves: &moves,
                ending: game.verdict.into(),
                notation,
            };
            writeln!(out, "{pgn}")?;
        }
    }
    Ok(reach)
}
