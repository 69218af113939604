//! JSON output of commands.

use std::io;

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter};

use super::failure::Failure;
use leitai_base::foreign::is_misleading;

/// A value as one line of JSON, without control characters.
pub(super) fn json(value: &impl Serialize) -> Result<String, Failure> {
    let mut text = Vec::new();
    value.serialize(&mut serde_json::Serializer::with_formatter(
        &mut text, Readable,
    ))?;
    Ok(String::from_utf8(text)?)
}

/// A JSON formatter. A float within rounding error of a number of at most twelve digits is written
/// as that number (not 59.99999999999999); all others are exact. Zero has no sign. Escapes
/// characters that [mislead](is_misleading).
struct Readable;

impl Formatter for Readable {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        for part in fragment.split_inclusive(is_misleading) {
            let letter = part.chars().next_back().filter(|&it| is_misleading(it));
            let plain = part.len() - letter.map_or(0, char::len_utf8);
            CompactFormatter.write_string_fragment(writer, &part[..plain])?;
            for unit in letter
                .iter()
                .flat_map(|it| it.encode_utf16(&mut [0; 2]).to_vec())
            {
                write!(writer, "\\u{unit:04x}")?;
            }
        }
        Ok(())
    }

    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        let short: f64 = format!("{value:.11e}").parse().unwrap_or(value);
        let near = (short - value).abs() <= 1e-14 * value.abs();
        // Adding 0 removes the sign of a zero.
        CompactFormatter.write_f64(writer, if near { short } else { value } + 0.0)
    }
}
