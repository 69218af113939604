//! Two runs side by side.

use std::fmt::Write as _;

use axum::extract::{Query, State};
use axum::response::{Html, Result};
use serde::Deserialize;

use super::Records;
use super::pages::{NO_RUN, live_parts, unavailable};
use crate::shell::page;
use leitai_report::xml::escape;

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
pub(super) struct Two {
    a: String,
    b: String,
}

pub(super) async fn compare(
    State(records): State<Records>,
    Query(two): Query<Two>,
) -> Result<Html<String>> {
    let mut body = String::from("<nav><a href=\"/runs\">All runs</a></nav>\n<div class=\"two\">\n");
    let mut titles = Vec::new();
    for id in [two.a, two.b] {
        let followed = records.run(id).await.ok_or(NO_RUN)?;
        let state = followed.state.latest().await.map_err(unavailable)?;
        let id = &followed.id;
        let (title, html) = live_parts(id, &state.json, |name| PARTS.contains(&name));
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
