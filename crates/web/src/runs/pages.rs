//! The list of runs, and the page of a run.

use std::fmt::Write as _;
use std::str::FromStr;

use axum::extract::{Path, Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use serde_json::Value;
use tokio::task::spawn_blocking;

use super::Records;
use crate::shell::page;
use crate::snapshots::Trouble;
use leitai_report::page::GamesShown;
use leitai_report::xml::escape;

/// A message for a person.
pub(super) fn trouble(trouble: Trouble) -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, trouble).into_response()
}

pub(super) fn no_run() -> Response {
    (StatusCode::NOT_FOUND, "There is no such run.").into_response()
}

/// The page of the only run, or the list of runs.
pub(super) async fn start(State(records): State<Records>) -> Response {
    let listed = match records.list.latest().await {
        Ok(listed) => serde_json::from_str::<Value>(&listed.json).unwrap_or_default(),
        Err(error) => return trouble(error),
    };
    match listed["runs"].as_array().map(Vec::as_slice) {
        Some([only]) => {
            let id = only["run"].as_str().unwrap_or_default();
            Redirect::to(&format!("/run/{id}")).into_response()
        }
        _ => Redirect::to("/runs").into_response(),
    }
}

pub(super) async fn runs() -> Response {
    let body = "<h1>Runs</h1>\n<div id=\"runs\" data-list=\"/runs/state\"></div>\n\
                <noscript><p>Runs are listed by a script of this page.</p></noscript>\n";
    page("Runs · Leitai", body, "live.js").into_response()
}

pub(super) async fn runs_state(State(records): State<Records>, headers: HeaderMap) -> Response {
    match records.list.latest().await {
        Ok(snapshot) => snapshot.answer(&headers),
        Err(error) => trouble(error),
    }
}

/// The parts of a run that are updated while it is played, and its title.
pub(super) fn live_parts(id: &str, state: &str, wanted: impl Fn(&str) -> bool) -> (String, String) {
    let state: Value = serde_json::from_str(state).unwrap_or_default();
    let title = state["title"].as_str().unwrap_or_default().to_owned();
    let mut html =
        format!("<div data-state=\"/run/{id}/state\">\n<p class=\"status\" role=\"status\"></p>\n");
    for part in state["parts"].as_array().into_iter().flatten() {
        let name = part[0].as_str().unwrap_or_default();
        let text = part[1].as_str().unwrap_or_default();
        if wanted(name) {
            let _ = writeln!(html, "<div data-part=\"{name}\">{text}</div>");
        }
    }
    html.push_str("</div>\n");
    (title, html)
}

pub(super) async fn run(State(records): State<Records>, Path(run): Path<String>) -> Response {
    let Some(followed) = records.run(run).await else {
        return no_run();
    };
    let state = match followed.state.latest().await {
        Ok(state) => state,
        Err(error) => return trouble(error),
    };
    let id = &followed.id;
    let (title, results) = live_parts(id, &state.json, |name| name != "origin");
    let (_, origin) = live_parts(id, &state.json, |name| name == "origin");
    let name = title.split(" · ").next().unwrap_or_default();
    let live = if records.live.is_some() {
        format!(
            "<details class=\"live\" data-live=\"/run/{id}/live\"><summary>In progress</summary>\
             </details>\n"
        )
    } else {
        String::new()
    };
    let control = if records.control.is_some() {
        "<p class=\"choice\" data-control=\"/control\"></p>\n"
    } else {
        ""
    };
    let has_games =
        serde_json::from_str::<Value>(&state.json).is_ok_and(|it| it["has_games"] == true);
    let dialogue = match records.dialogues {
        Some(_) => format!(" data-dialogue=\"/run/{id}/dialogue\""),
        None => String::new(),
    };
    let games = if has_games {
        format!(
            "<section>\n<h2>Games</h2>\n<div id=\"viewer\" data-games=\"/run/{id}/games\"{dialogue}></div>\n</section>\n"
        )
    } else {
        String::new()
    };
    let body = format!(
        "<nav><a href=\"/runs\">All runs</a></nav>\n<h1>{}</h1>\n{control}{live}{results}{games}{origin}",
        escape(name),
    );
    page(&title, &body, "live.js").into_response()
}

pub(super) async fn run_state(
    State(records): State<Records>,
    Path(run): Path<String>,
    headers: HeaderMap,
) -> Response {
    let Some(followed) = records.run(run).await else {
        return no_run();
    };
    match followed.state.latest().await {
        Ok(snapshot) => snapshot.answer(&headers),
        Err(error) => trouble(error),
    }
}

/// The watched game in progress.
#[derive(Deserialize)]
pub(super) struct Watch {
    pair: Option<u64>,
    game: Option<u64>,
}

pub(super) async fn run_live(
    State(records): State<Records>,
    Path(run): Path<String>,
    Query(watch): Query<Watch>,
) -> Response {
    match (records.run(run).await, &records.live) {
        (Some(followed), Some(live)) => {
            let watched = watch.pair.zip(watch.game);
            live.stream(followed.id.clone(), watched).into_response()
        }
        _ => no_run(),
    }
}

/// The most bytes of a dialogue that are shown.
const DIALOGUE: usize = 1 << 20;

/// The dialogues of a game, as names and texts.
pub(super) async fn run_dialogue(
    State(records): State<Records>,
    Path(run): Path<String>,
    Query(Watch { pair, game }): Query<Watch>,
) -> Response {
    let (Some(_), Some(dialogues)) = (records.run(run).await, records.dialogues) else {
        return no_run();
    };
    let (pair, game) = (pair.unwrap_or_default(), game.unwrap_or(1));
    let said = spawn_blocking(move || dialogues.of_game(pair, game, DIALOGUE));
    axum::Json(said.await.unwrap_or_default()).into_response()
}

/// The requested games.
#[derive(Deserialize)]
pub(super) struct Which {
    games: Option<String>,
}

pub(super) async fn run_games(
    State(records): State<Records>,
    Path(run): Path<String>,
    Query(which): Query<Which>,
) -> Response {
    let Some(followed) = records.run(run).await else {
        return no_run();
    };
    let asked = which.games.as_deref().map(GamesShown::from_str);
    let Ok(which) = asked.unwrap_or_else(|| Ok(GamesShown::default())) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    match spawn_blocking(move || followed.games(which)).await {
        Ok(Ok(json)) => ([(CONTENT_TYPE, "application/json")], json.to_string()).into_response(),
        Ok(Err(error)) => trouble(error),
        Err(error) => trouble(error.to_string()),
    }
}
