//! Wishes of a browser for the run that is played.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

use super::Records;

/// What a browser may wish of a run, if it is allowed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wish {
    /// Begin no further pair until it goes on.
    Pause,
    /// Go on.
    GoOn,
    /// End when the pairs that are being played have ended.
    Drain,
    /// Play one pair more at once.
    More,
    /// Play one pair fewer at once.
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
