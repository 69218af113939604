//! Reading lines from whatever a program writes, without trusting it: no line
//! is longer than [`LONGEST`], and no more than that is ever kept.

use std::io::{self, BufRead};

/// Bytes of the longest line that is believed: a principal variation of some
/// hundred moves has a tenth of it.
pub(super) const LONGEST: usize = 1 << 14;

/// One line, or what stands in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line without its line break. What is no UTF-8 is replaced.
    Text(String),
    /// A line with control characters: no text.
    Binary,
    /// A line longer than [`LONGEST`].
    TooLong,
}

/// The next line; `None` at the end. A last line without its line break is half
/// a line, and dropped.
pub(super) fn next_line(input: &mut impl BufRead) -> Option<Line> {
    let mut bytes = Vec::new();
    let mut too_long = false;
    loop {
        let chunk = match input.fill_buf() {
            Ok([]) => return None,
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return None,
        };
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        too_long |= bytes.len() + part.len() > LONGEST;
        if !too_long {
            bytes.extend_from_slice(part);
        }
        let used = end.map_or(chunk.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            break;
        }
    }
    if too_long {
        return Some(Line::TooLong);
    }
    if bytes.last() == Some(&b'\r') {
        bytes.pop();
    }
    let is_control = |byte: &u8| byte.is_ascii_control() && *byte != b'\t';
    if bytes.iter().any(is_control) {
        return Some(Line::Binary);
    }
    Some(Line::Text(String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use proptest::prelude::*;

    use super::*;

    fn lines(bytes: &[u8], capacity: usize) -> Vec<Line> {
        let mut input = BufReader::with_capacity(capacity, bytes);
        std::iter::from_fn(|| next_line(&mut input)).collect()
    }

    #[test]
    fn lines_are_bounded_and_half_a_line_is_none() {
        let text = |text: &str| Line::Text(text.to_owned());
        assert_eq!(
            lines(b"uciok\r\n\nid \xff\nhalf", 3),
            [text("uciok"), text(""), text("id \u{fffd}")]
        );
        assert_eq!(lines(b"\x1b[0m\nok\n", 64), [Line::Binary, text("ok")]);
        let mut long = vec![b'x'; LONGEST + 1];
        long.extend(b"\nok\n");
        assert_eq!(lines(&long, 4096), [Line::TooLong, text("ok")]);
        assert_eq!(lines(&long[1..], 4096).len(), 2);
        assert!(matches!(&lines(&long[1..], 4096)[0], Line::Text(line) if line.len() == LONGEST));
    }

    proptest! {
        #[test]
        fn any_bytes_give_bounded_lines_whatever_the_chunks(
            bytes in proptest::collection::vec(any::<u8>(), 0..400),
            capacity in 1usize..50,
        ) {
            let read = lines(&bytes, capacity);
            prop_assert_eq!(read.len(), bytes.split(|&byte| byte == b'\n').count() - 1);
            prop_assert_eq!(read, lines(&bytes, 1024));
        }
    }
}
