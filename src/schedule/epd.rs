//! One line of an opening file: a position and its operations.

use std::iter;

/// What an opening line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EpdLine {
    /// The position, in the form that games read.
    pub(super) position: String,
    /// The operation `id`.
    pub(super) id: Option<String>,
}

/// Reads an EPD line (four fields, then operations such as `hmvc 9; id "x";`),
/// a FEN line (six fields) or a board with a side, followed by nothing or by
/// operations. `hmvc` and `fmvn` become the fifth and sixth field; other
/// operations are passed over.
///
/// # Errors
/// Why the line cannot be read, as a lowercase fragment.
pub(super) fn parse_line(line: &str) -> Result<EpdLine, String> {
    let parts = split_operations(line)?;
    let (first, operations) = parts.split_first().ok_or("nothing there")?;
    // The board and the side, then whatever does not begin like a name.
    let words: Vec<&str> = first.split_whitespace().collect();
    let named = |word: &&str| word.starts_with(|c: char| c.is_ascii_alphabetic());
    let fields = words
        .iter()
        .skip(2)
        .position(named)
        .map_or(words.len(), |more| more + 2);
    let mut position: Vec<String> = words[..fields].iter().map(ToString::to_string).collect();
    let rest = words.get(fields).map(|word| &first[offset(first, word)..]);

    let (mut id, mut half_moves, mut full_move) = (None, None, None);
    for operation in rest.into_iter().chain(operations.iter().copied()) {
        let operation = operation.trim();
        let (name, operand) = operation
            .split_once(char::is_whitespace)
            .unwrap_or((operation, ""));
        match name {
            "id" => id = Some(unquoted(operand).to_owned()).filter(|id| !id.is_empty()),
            "hmvc" => half_moves = Some(counter(name, operand)?),
            "fmvn" => full_move = Some(counter(name, operand)?),
            _ => {}
        }
    }
    let counted = half_moves.is_some() || full_move.is_some();
    if position.len() == 4 || (position.len() < 4 && counted) {
        position.extend(iter::repeat_n("-".to_owned(), 4 - position.len()));
        position.push(half_moves.unwrap_or(0).to_string());
        position.push(full_move.unwrap_or(1).to_string());
    }
    Ok(EpdLine {
        position: position.join(" "),
        id,
    })
}

/// The line cut at its semicolons, those within quotes left alone.
fn split_operations(line: &str) -> Result<Vec<&str>, String> {
    let mut within = false;
    let parts = line
        .split(|c| {
            within ^= c == '"';
            c == ';' && !within
        })
        .collect();
    if within {
        return Err("a quotation mark is not closed".to_owned());
    }
    Ok(parts)
}

/// Where `word`, a part of `text`, begins in it.
fn offset(text: &str, word: &str) -> usize {
    word.as_ptr() as usize - text.as_ptr() as usize
}

fn counter(name: &str, operand: &str) -> Result<u32, String> {
    let operand = operand.trim();
    operand
        .parse()
        .map_err(|_| format!("`{name}` is followed by `{operand}`, not by a number"))
}

fn unquoted(operand: &str) -> &str {
    let operand = operand.trim();
    operand
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .unwrap_or(operand)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(line: &str) -> (String, Option<String>) {
        let line = parse_line(line).unwrap();
        (line.position, line.id)
    }

    #[test]
    fn epd_operations_become_fen_fields() {
        let line = r#"r8/9 b - - hmvc 9; fmvn 5; id "xq-op-0001"; ce -29; c0 "h2f2; a9a8";"#;
        assert_eq!(
            read(line),
            ("r8/9 b - - 9 5".into(), Some("xq-op-0001".into()))
        );
        assert_eq!(read("r8/9 b - -"), ("r8/9 b - - 0 1".into(), None));
        assert_eq!(read("r8/9 b - - id x y;").1, Some("x y".into()));
        assert_eq!(read("r8/9 b hmvc 3;").0, "r8/9 b - - 3 1");
    }

    #[test]
    fn fen_lines_stay_as_they_are() {
        assert_eq!(read("r8/9 b - - 9 5").0, "r8/9 b - - 9 5");
        assert_eq!(read("r8/9 b").0, "r8/9 b");
    }

    #[test]
    fn boards_with_a_side_may_carry_operations() {
        let line = r#"---XO--- X; id "ot-001"; c0 "f5d6";"#;
        assert_eq!(read(line), ("---XO--- X".into(), Some("ot-001".into())));
        assert_eq!(read("---XO--- X;").0, "---XO--- X");
    }

    #[test]
    fn what_cannot_be_read() {
        assert!(
            parse_line(r#"r8/9 b - - id "x"#)
                .unwrap_err()
                .contains("not closed")
        );
        assert!(
            parse_line("r8/9 b - - hmvc x;")
                .unwrap_err()
                .contains("`hmvc`")
        );
        assert!(
            parse_line("r8/9 b - - fmvn -1;")
                .unwrap_err()
                .contains("`fmvn`")
        );
    }

    proptest! {
        #[test]
        fn no_line_panics(line in "[-a-zé/0-9 ;\"]{0,60}") {
            let _ = parse_line(&line);
        }
    }
}
