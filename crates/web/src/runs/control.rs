//! Requests of a browser that control a run in progress.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
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
) -> Result<StatusCode, (StatusCode, &'static str)> {
    let refusal = "Only `leitai run --serve --control` accepts such requests.";
    let control = records.control.ok_or((StatusCode::FORBIDDEN, refusal))?;
    control(wish);
    Ok(StatusCode::NO_CONTENT)
}
