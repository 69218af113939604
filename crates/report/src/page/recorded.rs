//! The page of a recorded run.

use std::io;
use std::path::Path;

use super::course::Course;
use super::games::Viewer;
use super::run::RunPage;
use super::shell::Document;
use crate::game_selection::GameFilter;
use crate::gate::GateSummary;
use crate::{Export, ExportError, Summary, recorded_games};
use leitai_config::{config_words, path_word, run_name};
use leitai_runs::gate::Trials;
use leitai_runs::store::{RunEntry, Store};
use leitai_runs::tournament::{CountedPairs, Fold, Goal, Plan, RunError, Standings};

/// The page of a run or a gate as one HTML file, with the selected games; `commands` reproduce and
/// verify the run.
///
/// # Errors
/// The record cannot be read.
pub fn recorded_page(
    plan: &Plan,
    store: &Store,
    entry: &RunEntry,
    filter: GameFilter,
    commands: &[String],
) -> Result<String, ExportError> {
    let trials = plan.config.gate.as_ref();
    let trials = trials.and_then(|gate| Trials::of(gate, plan).ok());
    let (standings, reach, course, gate) = if let Some(trials) = trials {
        let (trials, reach, course) = recalled(trials, |it| &it.standings, plan, store, entry)?;
        let gate = GateSummary::new(plan, &trials);
        (trials.standings, reach, course, Some(gate))
    } else {
        let standings = Standings::of(plan);
        let (standings, reach, course) = recalled(standings, |it| it, plan, store, entry)?;
        (standings, reach, course, None)
    };
    let viewer = viewer(plan, store, entry, (&standings, &reach), filter)?;
    let viewer = viewer.filter(|viewer| !viewer.is_empty());
    let mut summary = Summary::new(plan, &standings);
    summary.play.add_times(plan, &standings);
    let page = RunPage {
        name: &run_name(&entry.meta.source_name, &entry.meta.variants),
        source: &entry.meta.source_name,
        summary: &summary,
        gate: gate.as_ref(),
        course: &course,
        has_viewer: viewer.is_some(),
        run: &entry.meta.id,
        config: &entry.meta.source_text,
        commands,
    };
    let mut body = page.heading();
    body.extend(page.results().into_iter().map(|(_, html)| html));
    body.extend(viewer.as_ref().map(Viewer::section));
    body.push_str(&page.origin());
    let games = viewer.as_ref().map(serde_json::to_string).transpose();
    let document = Document {
        title: &page.title(),
        style: "",
        body: &body,
        games: games.map_err(|error| ExportError::Write(io::Error::from(error)))?,
    };
    Ok(document.html())
}

/// The commands of `program` that reproduce and verify a recorded run.
pub fn commands(program: &str, plan: &Plan, entry: &RunEntry, record: &Path) -> Vec<String> {
    let verb = if plan.config.gate.is_some() {
        "gate"
    } else {
        "run"
    };
    let config = config_words(&entry.meta.source_name);
    let (record, id) = (path_word(record), &entry.meta.id);
    vec![
        format!("{program} {verb} {config} --store {record}"),
        format!(
            "{program} verify {record} --run {}",
            &id[..12.min(id.len())]
        ),
    ]
}

/// The result of a recorded run for `goal`, whose standings `standings` returns, and the course up
/// to it.
fn recalled<G: Goal>(
    goal: G,
    standings: impl Fn(&G) -> &Standings,
    plan: &Plan,
    store: &Store,
    entry: &RunEntry,
) -> Result<(G, CountedPairs, Course), RunError> {
    let mut course = Course::new(plan);
    let fold = Fold::of_record(goal, plan, store, &entry.handle, |goal, pair| {
        course.take(plan, standings(goal), pair);
    })?;
    let (goal, reach) = fold.into_goal(store, &entry.handle)?;
    let course = course.to(standings(&goal));
    Ok((goal, reach, course))
}

/// The viewer of a recorded run, with the selected games. `None` for a game that has no board view.
///
/// # Errors
/// The record cannot be read.
pub fn viewer(
    plan: &Plan,
    store: &Store,
    entry: &RunEntry,
    (standings, reach): (&Standings, &CountedPairs),
    mut filter: GameFilter,
) -> Result<Option<Viewer>, ExportError> {
    let config = &plan.config;
    filter.start(plan, standings.played);
    let players = config.variants.iter().map(|variant| variant.name.clone());
    let viewer = Viewer::new(config.game.card, players.collect(), filter);
    let Some(mut viewer) = viewer else {
        return Ok(None);
    };
    let parts = (standings, reach);
    let mut games = 0;
    recorded_games(
        plan,
        store,
        &entry.handle,
        parts,
        Export::default(),
        |game| {
            viewer.take(&game, games / 2);
            games += 1;
            Ok::<_, ExportError>(())
        },
    )?;
    Ok(Some(viewer))
}
