//! HTML elements of pages.

use std::fmt::Write as _;

use super::words::sentence;
use crate::xml::escape;

/// Sentences as items of a list.
pub(crate) fn items(sentences: &[String]) -> String {
    sentences.iter().fold(String::new(), |mut text, it| {
        let _ = writeln!(text, "<li>{}</li>", sentence(it));
        text
    })
}

/// A section below its title.
pub(crate) fn section(title: &str, body: &str) -> String {
    format!("<section>\n<h2>{title}</h2>\n{body}</section>\n")
}

/// A table; columns whose names begin with `#` hold numbers.
pub(crate) fn table(class: &str, header: &[&str], rows: &[Vec<String>]) -> String {
    let kind = |name: &str| {
        if name.starts_with('#') {
            " class=\"number\""
        } else {
            ""
        }
    };
    let mut text = format!("<div class=\"wide\">\n<table class=\"{class}\">\n<thead><tr>");
    for name in header {
        let kind = kind(name);
        let _ = write!(
            text,
            "<th scope=\"col\"{kind}>{}</th>",
            name.trim_start_matches('#')
        );
    }
    text.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        text.push_str("<tr>");
        for (place, (cell, name)) in row.iter().zip(header).enumerate() {
            let kind = kind(name);
            let _ = match place {
                0 => write!(text, "<th scope=\"row\"{kind}>{cell}</th>"),
                _ => write!(text, "<td{kind}>{cell}</td>"),
            };
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody>\n</table>\n</div>\n");
    text
}

/// Text of several lines.
pub(crate) fn escape_lines(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(escape).collect();
    lines.join("\n")
}
