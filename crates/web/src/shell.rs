//! The document around a page.

use axum::response::Html;

use leitai_report::xml::escape;

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
