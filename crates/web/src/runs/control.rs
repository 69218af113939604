//! Requests of a browser that control a run in progress.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

use super::Records;

/// A request to control a run, for servers that permit it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wish {
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
pub(super) struct Wished {
    wish: Wish,
}

pub(super) async fn control(
    State(records): State<Records>,
    Json(Wished { wish }): Json<Wished>,
) -> Response {
    match &records.control {
        Some(control) => {
            control(wish);
            StatusCode::NO_CONTENT.into_response()
        }
        None => (
            StatusCode::FORBIDDEN,
            "Only `leitai run --serve --control` may be told.",
        )
            .into_response(),
    }
}
