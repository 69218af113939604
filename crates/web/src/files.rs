//! The document around a page, and the files of its scripts and styles, which are part of the
//! program.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{Html, IntoResponse, Response};

use leitai_report::page::{BOARD_SCRIPT, PAGE_STYLE, VIEWER_SCRIPT, VIEWER_STYLE};
use leitai_report::tune::style;
use leitai_report::xml::escape;

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

/// A page with a title; `script` updates it.
pub(super) fn page(title: &str, body: &str, script: &str) -> Html<String> {
    let title = escape(title);
    Html(format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <link rel=\"icon\" href=\"data:,\">\n\
         <link rel=\"stylesheet\" href=\"/app/page.css\">\n\
         <link rel=\"stylesheet\" href=\"/app/viewer.css\">\n\
         <link rel=\"stylesheet\" href=\"/app/live.css\">\n\
         <link rel=\"stylesheet\" href=\"/app/play.css\">\n\
         <link rel=\"stylesheet\" href=\"/app/numbers.css\">\n\
         <script type=\"module\" src=\"/app/{script}\"></script>\n</head>\n<body>\n<main>\n{body}</main>\n\
         </body>\n</html>\n"
    ))
}
