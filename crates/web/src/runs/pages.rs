//! The list of runs, the page of a run, two runs side by side, and control of a run.

use std::fmt::Write as _;
use std::str::FromStr;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Redirect, Response, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::task::spawn_blocking;

use super::Records;
use crate::files::page;
use leitai_report::GameSelection;
use leitai_report::xml::escape;

/// The response to a request for an unknown run.
pub(super) const NO_RUN: (StatusCode, &str) = (StatusCode::NOT_FOUND, "There is no such run.");

/// The response to a request for data that cannot be read, with a message for a person.
pub(super) fn unavailable(trouble: String) -> (StatusCode, String) {
    (StatusCode::SERVICE_UNAVAILABLE, trouble)
}

/// The page of the only run, or the list of runs.
pub(super) async fn start(State(records): State<Records>) -> Result<Redirect> {
    let listed = records.list.latest().await.map_err(unavailable)?;
    let listed = serde_json::from_slice::<Value>(&listed.json).unwrap_or_default();
    Ok(match listed["runs"].as_array().map(Vec::as_slice) {
        Some([only]) => {
            let id = only["run"].as_str().unwrap_or_default();
            Redirect::to(&format!("/run/{id}"))
        }
        _ => Redirect::to("/runs"),
    })
}

pub(super) async fn runs() -> Response {
    let body = "<h1>Runs</h1>\n<div id=\"runs\" data-list=\"/verdicts.json\"></div>\n\
                <noscript><p>Runs are listed by a script of this page.</p></noscript>\n";
    page("Runs · Leitai", body, "live.js").into_response()
}

/// The list of runs with their verdicts, also for dashboards.
pub(super) async fn verdicts(
    State(records): State<Records>,
    headers: HeaderMap,
) -> Result<Response> {
    let snapshot = records.list.latest().await.map_err(unavailable)?;
    Ok(snapshot.response(&headers))
}

/// The parts of a run that are updated while it is played.
pub(super) fn live_parts(id: &str, state: &Value, wanted: impl Fn(&str) -> bool) -> String {
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
    html
}

pub(super) async fn run(
    State(records): State<Records>,
    Path(run): Path<String>,
) -> Result<Response> {
    let followed = records.run(run).await?;
    let state = records.state(&followed).await?;
    let state: Value = serde_json::from_slice(&state.json).unwrap_or_default();
    let id = &followed.id;
    let results = live_parts(id, &state, |name| name != "origin");
    let origin = live_parts(id, &state, |name| name == "origin");
    let name = escape(state["name"].as_str().unwrap_or_default());
    let mut body = format!("<nav><a href=\"/runs\">All runs</a></nav>\n<h1>{name}</h1>\n");
    if records.live.is_some() {
        let _ = writeln!(
            body,
            "<details class=\"live\" open data-live=\"/run/{id}/live\"><summary><h2>Games in progress</h2></summary>\
             </details>"
        );
    }
    if records.control.is_some() {
        body += "<p class=\"choice\" data-control=\"/control\"></p>\n";
    }
    body += &results;
    if state["has_games"] == true {
        let dialogue = match records.dialogues {
            Some(_) => format!(" data-dialogue=\"/run/{id}/dialogue\""),
            None => String::new(),
        };
        let _ = writeln!(
            body,
            "<section>\n<h2>Games</h2>\n<div id=\"viewer\" data-games=\"/run/{id}/games\"{dialogue}></div>\n</section>"
        );
    }
    body += &origin;
    let title = state["title"].as_str().unwrap_or_default();
    Ok(page(title, &body, "live.js").into_response())
}

pub(super) async fn run_state(
    State(records): State<Records>,
    Path(run): Path<String>,
    headers: HeaderMap,
) -> Result<Response> {
    let followed = records.run(run).await?;
    let snapshot = records.state(&followed).await?;
    Ok(snapshot.response(&headers))
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
) -> Result<Response> {
    let followed = records.run(run).await?;
    let live = records.live.as_ref().ok_or(NO_RUN)?;
    let watched = watch.pair.zip(watch.game);
    let stream = live.stream(followed.id.clone(), watched);
    Ok(stream.into_response())
}

/// The most bytes of a dialogue that are shown.
const DIALOGUE: usize = 1 << 20;

/// The dialogues of a game, as names and texts.
pub(super) async fn run_dialogue(
    State(records): State<Records>,
    Path(run): Path<String>,
    Query(Watch { pair, game }): Query<Watch>,
) -> Result<Response> {
    records.run(run).await?;
    let dialogues = records.dialogues.ok_or(NO_RUN)?;
    let (pair, game) = (pair.unwrap_or_default(), game.unwrap_or(1));
    let texts = spawn_blocking(move || dialogues.of_game(pair, game, DIALOGUE));
    Ok(Json(texts.await.unwrap_or_default()).into_response())
}

/// The requested games.
#[derive(Deserialize)]
pub(super) struct GamesQuery {
    games: Option<String>,
}

pub(super) async fn run_games(
    State(records): State<Records>,
    Path(run): Path<String>,
    Query(which): Query<GamesQuery>,
) -> Result<Response> {
    let followed = records.run(run).await?;
    let which = match &which.games {
        Some(games) => GameSelection::from_str(games).map_err(|_| StatusCode::BAD_REQUEST)?,
        None => GameSelection::default(),
    };
    let games = spawn_blocking(move || followed.games(which)).await;
    let games = games.map_err(|error| unavailable(error.to_string()))?;
    let json = games.map_err(|error| unavailable(format!("{error:#}")))?;
    Ok(([(CONTENT_TYPE, "application/json")], json).into_response())
}

/// The parts that are compared.
const PARTS: [&str; 7] = [
    "verdict",
    "figures",
    "warnings",
    "standings",
    "course",
    "pairs",
    "endings",
];

#[derive(Deserialize)]
pub(super) struct ComparedRuns {
    a: String,
    b: String,
}

pub(super) async fn compare(
    State(records): State<Records>,
    Query(two): Query<ComparedRuns>,
) -> Result<Html<String>> {
    let mut body = String::from("<nav><a href=\"/runs\">All runs</a></nav>\n<div class=\"two\">\n");
    let mut titles = Vec::new();
    for id in [two.a, two.b] {
        let followed = records.run(id).await?;
        let state = records.state(&followed).await?;
        let state: Value = serde_json::from_slice(&state.json).unwrap_or_default();
        let id = &followed.id;
        let html = live_parts(id, &state, |name| PARTS.contains(&name));
        let title = state["name"].as_str().unwrap_or_default().to_owned();
        let name = escape(&title);
        let _ = writeln!(
            body,
            "<section>\n<h1><a href=\"/run/{id}\">{name}</a></h1>\n{html}</section>"
        );
        titles.push(title);
    }
    body.push_str("</div>\n");
    Ok(page(&titles.join(" / "), &body, "live.js"))
}

/// A request to control a run, for servers that permit it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunRequest {
    /// Begins no further pair until the run resumes.
    Pause,
    /// Resumes the run.
    GoOn,
    /// Ends the run after the pairs in progress.
    Drain,
    /// Plays one more pair at once.
    More,
    /// Plays one fewer pair at once.
    Fewer,
}

#[derive(Deserialize)]
pub(super) struct RequestBody {
    wish: RunRequest,
}

pub(super) async fn control(
    State(records): State<Records>,
    Json(RequestBody { wish }): Json<RequestBody>,
) -> Result<StatusCode, (StatusCode, &'static str)> {
    let refusal = "Only `leitai run --serve --control` accepts such requests.";
    let control = records.control.ok_or((StatusCode::FORBIDDEN, refusal))?;
    control(wish);
    Ok(StatusCode::NO_CONTENT)
}
