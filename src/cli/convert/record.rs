//! The games of a recorded run, as if they had been read from its export.

use std::path::Path;

use super::conversion::Conversion;
use crate::cli::Exit;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::recorded::{open_recorded, recorded_plan, tell_reach};
use crate::foreign::shown;
use crate::game::Side;
use crate::gate::recorded_standings;
use crate::interchange::pgn::{Game, Tags, event_of, own_tags};
use crate::store::{RunEntry, Store};
use crate::tournament::{Beyond, Places};

/// Converts the games of a run in schedule order.
pub(super) fn convert_record(
    path: &Path,
    run: Option<&str>,
    name: &str,
    conversion: &mut Conversion<'_>,
) -> Result<(), Failure> {
    let _: Exit = convert_run(path, run, name, conversion)?;
    Ok(())
}

fn convert_run(
    path: &Path,
    run: Option<&str>,
    name: &str,
    conversion: &mut Conversion<'_>,
) -> Outcome {
    let (store, entry) = &open_recorded(path, run)?;
    games(conversion, name, store, entry)
}

fn games(conversion: &mut Conversion<'_>, name: &str, store: &Store, entry: &RunEntry) -> Outcome {
    let plan = &recorded_plan(store, entry)?;
    let style = &plan.config.game.card.facts().pgn;
    let event = event_of(entry.handle.id());
    let (standings, reach) = recorded_standings(plan, store, &entry.handle)?;
    tell_reach(&reach, conversion.takes_beyond());
    let places = Places::of(plan, &standings);
    let mut number = 0;
    for row in store.pairs(&entry.handle) {
        let row = row?;
        let beyond = reach.of_pair(row.record.index);
        if beyond.is_some() && !conversion.takes_beyond() {
            continue;
        }
        let start = plan.start(&plan.schedule.pair(row.record.index));
        let opening = plan.book.openings.get(row.opening);
        let Some((opening, start)) = opening.zip(start) else {
            continue;
        };
        let place = places.of_pair(row.record.index);
        let cluster = place.and_then(|place| place.cluster);
        for (index, recorded) in row.record.games.iter().enumerate() {
            let mut tags = Tags::of(plan.config.game.card);
            tags.push("Game", style.game);
            tags.push("Event", &event);
            tags.push("Round", &format!("{}.{}", row.record.index + 1, index + 1));
            for (side, variant) in style.players.iter().zip([recorded.first, recorded.second]) {
                if let Some(variant) = plan.config.variants.get(variant) {
                    tags.push(side, &variant.name);
                }
            }
            tags.push("Result", recorded.verdict.result_text());
            tags.push("Opening", &opening.id);
            tags.push("Termination", recorded.verdict.cause.name());
            let is_gate = plan.config.gate.is_some();
            for (name, value) in own_tags(cluster.as_deref(), is_gate, beyond.map(Beyond::name)) {
                tags.push(name, value);
            }
            let mut game = Game::new(&*start, tags, plan.config.game.rules);
            for ply in &recorded.plies {
                game.play(ply.mv);
            }
            number += 1;
            game.number = number;
            game.points = Some(recorded.verdict.half_points(Side::First));
            conversion.game(name, &game)?;
        }
    }
    if number == 0 {
        anyhow::bail!("{}: the run has no finished pair", shown(name));
    }
    Ok(Exit::Success)
}
