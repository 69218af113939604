//! The one way to put words into Markdown, as `CommonMark` and GitHub read it: nothing
//! that comes from outside is markup, HTML or a link there.

use std::fmt::Write as _;

use crate::foreign::shown;

/// Words as they are, wherever they stand: in a table, too.
pub(super) fn escape(text: &str) -> String {
    let mut safe = String::new();
    for letter in shown(text).to_string().chars() {
        match letter {
            '`' | '*' | '_' | '[' | ']' | '~' => safe.extend(['\\', letter]),
            // A table ends a cell at a bar even within code, and HTML wherever it is.
            '&' | '<' | '>' | '|' | '\\' => {
                let _ = write!(safe, "&#{};", u32::from(letter));
            }
            _ => safe.push(letter),
        }
    }
    safe.replace("://", "&#58;//").replace("www.", "www&#46;")
}

/// A name as code; one with characters that code does not take is only escaped.
pub(super) fn code(name: &str) -> String {
    if !name.is_empty() && name.trim() == name && !name.contains(['`', '|', '\\', '<']) {
        format!("`{}`", shown(name))
    } else {
        escape(name)
    }
}

/// A sentence in which names stand between backticks. Where these do not say clearly what
/// is a name, there is no code in it.
pub(super) fn sentence(text: &str) -> String {
    let text = &text.replace('\n', " ");
    let pieces: Vec<&str> = text.split('`').collect();
    let is_clear = pieces.len() % 2 == 1 && {
        let within = pieces.iter().skip(1).take(pieces.len().saturating_sub(2));
        within.into_iter().all(|piece| !piece.is_empty())
    };
    // No paragraph becomes a heading or a list.
    let begins_other = text.starts_with(['#', '-', '+', '=']);
    let mut safe = String::from(if begins_other { "\\" } else { "" });
    if !is_clear {
        safe += &escape(text);
        return safe;
    }
    for (number, piece) in pieces.into_iter().enumerate() {
        safe += &if number % 2 == 1 {
            code(piece)
        } else {
            escape(piece)
        };
    }
    safe
}

/// Text as a block of code, whatever is in it.
pub(super) fn fenced(text: &str) -> String {
    let runs = text.split(|letter| letter != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or_default().max(2) + 1);
    format!("{fence}\n{}\n{fence}", shown(text))
}

/// A table; the first row is its header. `is_words` says of a column, from 0, that it
/// goes to the left.
pub(super) fn table(rows: &[Vec<String>], is_words: impl Fn(usize) -> bool) -> String {
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let columns = rows.first().map_or(0, Vec::len);
    let rule = |column: usize| if is_words(column) { "---" } else { "---:" }.to_owned();
    let mut lines: Vec<String> = rows
        .iter()
        .map(|row| line(row.iter().map(|cell| escape(cell)).collect()))
        .collect();
    lines.insert(1.min(lines.len()), line((0..columns).map(rule).collect()));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_no_markup() {
        for (text, wanted) in [
            ("plain 1.5 %", "plain 1.5 %"),
            ("<img src=x onerror=1>", "&#60;img src=x onerror=1&#62;"),
            (
                "[a](https://b) | *c* `d`",
                "\\[a\\](https&#58;//b) &#124; \\*c\\* \\`d\\`",
            ),
            ("a&lt;\\|", "a&#38;lt;&#92;&#124;"),
            ("a\u{1b}\nb\u{202e}", "a&#92;u{1b}&#92;nb&#92;u{202e}"),
        ] {
            assert_eq!(escape(text), wanted);
        }
        assert_eq!(code("new"), "`new`");
        assert_eq!(code("a`<b>"), "a\\`&#60;b&#62;");
        assert_eq!(code("a\\|b"), "a&#92;&#124;b");
    }

    #[test]
    fn names_in_sentences_stay_code() {
        for (text, wanted) in [
            ("`a` beats `b`.", "`a` beats `b`."),
            ("`<a>` is < b", "&#60;a&#62; is &#60; b"),
            // A name with a backtick cannot turn what follows into markup.
            ("`a`<img>` wins", "\\`a\\`&#60;img&#62;\\` wins"),
            ("`a``<b>` wins", "\\`a\\`\\`&#60;b&#62;\\` wins"),
            ("`` is `<b>`", "\\`\\` is \\`&#60;b&#62;\\`"),
            ("# `a`", "\\# `a`"),
        ] {
            assert_eq!(sentence(text), wanted, "{text}");
        }
        assert_eq!(fenced("x ``` y"), "````\nx ``` y\n````");
    }

    #[test]
    fn a_table_has_its_columns_whatever_is_in_it() {
        let rows = [
            vec!["name".to_owned(), "n".to_owned()],
            vec!["a|b".to_owned(), "1".to_owned()],
        ];
        let text = table(&rows, |column| column == 0);
        assert_eq!(text, "| name | n |\n| --- | ---: |\n| a&#124;b | 1 |");
    }
}
