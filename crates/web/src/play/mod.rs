//! A game against a variant.

mod game_state;
mod room;

use std::time::Duration;

use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use tokio::task::{JoinError, spawn_blocking};
use tokio::time::timeout;

use self::room::Order;
pub use self::room::{GameSetting, PlayRoom};
use super::files::{file, page};
use leitai_report::xml::escape;

/// The longest wait for a new state.
const WAIT: Duration = Duration::from_secs(6);

impl PlayRoom {
    /// The pages of the game.
    pub fn router(self) -> Router {
        Router::new()
            .route("/", get(|| async { Redirect::to("/play") }))
            .route("/play", get(play))
            .route("/play/setup", get(setup))
            .route("/play/state", get(state))
            .route("/play/order", post(order))
            .route("/app/{name}", get(file))
            .with_state(self)
    }
}

fn json(text: String) -> Response {
    ([(CONTENT_TYPE, "application/json")], text).into_response()
}

async fn play(State(room): State<PlayRoom>) -> Response {
    let title = room.title();
    let body = format!(
        "<h1>{}</h1>\n<div id=\"play\" class=\"play\"></div>\n\
         <noscript><p>The board is drawn by a script of this page; <code>--terminal</code> plays \
         in text.</p></noscript>\n",
        escape(&title)
    );
    page(&title, &body, "play.js").into_response()
}

async fn setup(State(room): State<PlayRoom>) -> Response {
    json(room.setup())
}

#[derive(Deserialize)]
struct After {
    #[serde(default)]
    after: u64,
}

/// Returns the state when it differs from the known version, or the unchanged state after a
/// timeout.
async fn state(State(room): State<PlayRoom>, Query(After { after }): Query<After>) -> Response {
    let mut news = room.news();
    let _ = timeout(WAIT, news.wait_for(|version| *version > after)).await;
    respond(spawn_blocking(move || Ok(room.state())).await)
}

async fn order(State(room): State<PlayRoom>, Json(order): Json<Order>) -> Response {
    // Another process may lock the record for a while.
    respond(spawn_blocking(move || room.execute(order).map(|()| room.state())).await)
}

fn respond(state: Result<Result<String, String>, JoinError>) -> Response {
    match state {
        Ok(Ok(state)) => json(state),
        Ok(Err(reason)) => (StatusCode::UNPROCESSABLE_ENTITY, reason).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
