//! The page of a recorded run.

use std::io;

use super::choice::GamesShown;
use super::course::recalled_with_course;
use super::games::Viewer;
use super::run::{RunPage, run_page};
use crate::gate::Trials;
use crate::report::gate::GateSummary;
use crate::report::{Export, ExportError, Latency, Summary, recorded_games};
use crate::store::{RunEntry, Store};
use crate::tournament::{Plan, Standings};

/// The page of a run or a gate as one HTML file, with these of its games; `commands` play
/// and check the same again.
///
/// # Errors
/// The record cannot be read.
pub fn recorded_page(
    plan: &Plan,
    store: &Store,
    entry: &RunEntry,
    shown: GamesShown,
    commands: &[String],
) -> Result<String, ExportError> {
    let config = &plan.config;
    let run = &entry.handle;
    let trials = config.gate.as_ref();
    let trials = trials.and_then(|gate| Trials::new(gate, &plan.schedule).ok());
    let (standings, reach, course, gate) = if let Some(trials) = trials {
        let (trials, reach, course) =
            recalled_with_course(trials, |it| &it.standings, plan, store, run)?;
        let gate = GateSummary::new(plan, &trials);
        (trials.standings, reach, course, Some(gate))
    } else {
        let standings = Standings::new(plan.schedule.pairings());
        let (standings, reach, course) =
            recalled_with_course(standings, |it| it, plan, store, run)?;
        (standings, reach, course, None)
    };
    let mut summary = Summary::new(plan, &standings);
    summary.latencies = Latency::all(config, &standings);
    let players = config.variants.iter().map(|variant| variant.name.clone());
    let looked_at = config.gate.as_ref().map(|gate| gate.candidates.clone());
    let looked_at = looked_at.unwrap_or_else(|| vec![0]);
    let mut viewer = Viewer::new(config.game.card, players.collect(), shown, looked_at);
    if let Some(viewer) = &mut viewer {
        let counted = standings.played;
        let parts = (&standings, &reach);
        let mut pairs = 0;
        recorded_games(plan, store, run, parts, Export::default(), |game| {
            // Two games are a pair, whatever was left out before it.
            viewer.take(&game, pairs / 2, counted);
            pairs += 1;
            Ok::<_, ExportError>(())
        })?;
    }
    let page = RunPage {
        name: &entry.meta.source_name,
        summary: &summary,
        gate: gate.as_ref(),
        course: &course,
        viewer: viewer.as_ref(),
        run: &entry.meta.id,
        config: &entry.meta.source_text,
        commands,
    };
    run_page(&page).map_err(|error| ExportError::Write(io::Error::from(error)))
}
