//! Scripts and styles: a few files that are part of the program.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

use leitai_report::page::{BOARD_SCRIPT, PAGE_STYLE, VIEWER_SCRIPT, VIEWER_STYLE};
use leitai_report::tune::style;

const FILES: [(&str, &str); 8] = [
    ("board.js", BOARD_SCRIPT),
    ("viewer.js", VIEWER_SCRIPT),
    ("live.js", include_str!("live.js")),
    ("play.js", include_str!("play.js")),
    ("page.css", PAGE_STYLE),
    ("viewer.css", VIEWER_STYLE),
    ("live.css", include_str!("live.css")),
    ("play.css", include_str!("play.css")),
];

pub(super) async fn file(Path(name): Path<String>) -> Response {
    if name == "numbers.css" {
        return ([(CONTENT_TYPE, "text/css; charset=utf-8")], style()).into_response();
    }
    let Some((name, text)) = FILES.iter().find(|(known, _)| *known == name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let kind = match name.strip_suffix(".js") {
        Some(_) => "text/javascript; charset=utf-8",
        None => "text/css; charset=utf-8",
    };
    ([(CONTENT_TYPE, kind)], *text).into_response()
}
