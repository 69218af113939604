//! HTML elements of pages. Foreign text gets in by [`text`], [`code`] and [`sentence`] only, which
//! also escape control characters, unlike `maud`.

use maud::{Markup, PreEscaped, html};

use crate::xml::escape;

/// The name of an element that scrolls sideways, also by keyboard.
pub(crate) const WIDE: &str = "Wide content";

/// A text from outside.
pub(crate) fn text(text: &str) -> Markup {
    PreEscaped(escape(text))
}

/// A name.
pub(crate) fn code(name: &str) -> Markup {
    html! { code { (text(name)) } }
}

/// A drawing.
pub(crate) fn figure(svg: String, caption: &Markup) -> Markup {
    html! { figure { (PreEscaped(svg)) figcaption { (caption) } } }
}

/// A sentence with names between backticks.
pub(crate) fn sentence(sentence: &str) -> Markup {
    let parts: Vec<&str> = sentence.split('`').collect();
    if parts.len().is_multiple_of(2) {
        // An unpaired backtick.
        return text(sentence);
    }
    html! {
        @for (place, part) in parts.into_iter().enumerate() {
            @if place % 2 == 0 { (text(part)) } @else { (code(part)) }
        }
    }
}

/// Sentences as a list.
pub(crate) fn list(sentences: &[String]) -> Markup {
    html! { ul { @for item in sentences { li { (sentence(item)) } } } }
}

/// An explanation below a title.
pub(crate) fn hint(words: &str) -> Markup {
    html! { p.hint { (PreEscaped(words)) } }
}

/// A section below its title.
pub(crate) fn section(title: &str, body: &Markup) -> Markup {
    html! { section { h2 { (sentence(title)) } (body) } }
}

/// Names with their values, in large letters.
pub(crate) fn figures(figures: &[(&str, String)]) -> Markup {
    html! {
        dl.figures {
            @for (name, value) in figures { div { dt { (text(name)) } dd { (text(value)) } } }
        }
    }
}

/// A table; columns whose names begin with `#` hold numbers. The first cell of a row is its header.
pub(crate) fn table<'a>(
    class: &str,
    header: impl IntoIterator<Item = &'a str>,
    rows: impl IntoIterator<Item = Vec<Markup>>,
) -> Markup {
    let header: Vec<&str> = header.into_iter().collect();
    let kind = |name: &str| name.starts_with('#').then_some("number");
    html! {
        div.wide role="group" tabindex="0" aria-label=(WIDE) {
            table class=(class) {
                thead { tr {
                    @for name in &header {
                        @if name.is_empty() { td {} }
                        @else {
                            th scope="col" class=[kind(name)] {
                                (sentence(name.trim_start_matches('#')))
                            }
                        }
                    }
                } }
                tbody {
                    @for row in rows {
                        tr {
                            @for (place, (cell, name)) in row.iter().zip(&header).enumerate() {
                                @if place == 0 { th scope="row" class=[kind(name)] { (cell) } }
                                @else { td class=[kind(name)] { (cell) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sentence;

    #[test]
    fn names_are_set_apart() {
        for (text, html) in [
            (
                "`a<` beats `b`.",
                "<code>a&lt;</code> beats <code>b</code>.",
            ),
            ("it`s & b", "it`s &amp; b"),
            ("", ""),
        ] {
            assert_eq!(sentence(text).into_string(), html);
        }
    }
}
