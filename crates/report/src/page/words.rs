//! Sentences from other modules on a page.

use crate::xml::escape;

/// A sentence with names between backticks, as HTML.
pub(crate) fn sentence(text: &str) -> String {
    let parts: Vec<String> = text.split('`').map(escape).collect();
    if parts.len().is_multiple_of(2) {
        // An unpaired backtick.
        return escape(text);
    }
    let mut html = String::new();
    for (place, part) in parts.iter().enumerate() {
        if place.is_multiple_of(2) {
            html.push_str(part);
        } else {
            html.push_str("<code>");
            html.push_str(part);
            html.push_str("</code>");
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use super::sentence;

    #[test]
    fn names_are_set_apart() {
        assert_eq!(
            sentence("`a<` beats `b`."),
            "<code>a&lt;</code> beats <code>b</code>."
        );
        assert_eq!(sentence("it`s & b"), "it`s &amp; b");
        assert_eq!(sentence(""), "");
    }
}
