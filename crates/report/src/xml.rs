//! XML for `JUnit` reports and SVG drawings.

use leitai_base::foreign::is_misleading;

/// Escapes text for an attribute or an element. Characters that XML 1.0 excludes, and those that
/// reverse or hide text, are written as code points.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            '\t' => escaped.push_str("&#9;"),
            '\n' => escaped.push_str("&#10;"),
            '\r' => escaped.push_str("&#13;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c if is_misleading(c) => escaped.extend(c.escape_unicode()),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) use tests::check_xml;
