//! Detection of text encodings.

use std::borrow::Cow;

use encoding_rs::GB18030;

/// The encoding that the bytes of a line were decoded with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Utf8,
    Gb18030,
    Latin1,
}

/// Evidence in a line about the encoding of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// Only ASCII letters, or Latin-1.
    Nothing,
    /// One encoding for sure.
    Sure(Encoding),
    /// Valid as UTF-8 and as GB18030. 郑惟桐 is `D6A3 CEA9 CDA9`: as UTF-8 a Hebrew accent, an Omega
    /// and a combining mark, which sets `odd`.
    Either { odd: bool },
}

/// Examines a line.
pub(super) fn sign(line: &[u8]) -> Sign {
    if line.is_ascii() {
        return Sign::Nothing;
    }
    let chinese = gb18030(line).is_some();
    match std::str::from_utf8(line) {
        Ok(text) if !chinese || is_far_eastern(text) => Sign::Sure(Encoding::Utf8),
        Ok(text) => Sign::Either {
            odd: looks_chinese(line) && mixes_scripts(text),
        },
        Err(_) if chinese && looks_chinese(line) => Sign::Sure(Encoding::Gb18030),
        Err(_) => Sign::Nothing,
    }
}

/// Decodes a line. `chinese` means that its file is GB18030: then any line that is valid GB18030 is
/// decoded as such, unless it is Chinese as UTF-8.
///
/// Every GB18030 file can be read as Latin-1, and many Latin-1 files as GB18030 (`Müller` would be
/// `M黮ler`), so the appearance of the line decides: see [`looks_chinese`].
pub(super) fn decode(line: &[u8], chinese: bool) -> (String, Encoding) {
    let sign = sign(line);
    if let Ok(text) = std::str::from_utf8(line)
        && !(chinese && matches!(sign, Sign::Either { .. }))
    {
        return (text.to_owned(), Encoding::Utf8);
    }
    if (chinese || sign == Sign::Sure(Encoding::Gb18030))
        && let Some(text) = gb18030(line)
    {
        return (text.into_owned(), Encoding::Gb18030);
    }
    let text = line.iter().copied().map(char::from).collect();
    (text, Encoding::Latin1)
}

fn gb18030(line: &[u8]) -> Option<Cow<'_, str>> {
    GB18030.decode_without_bom_handling_and_without_replacement(line)
}

/// Returns whether the letters beyond ASCII are Chinese or Japanese, possibly with punctuation.
/// GB18030 does not look so as UTF-8: of every three bytes one would have to be from `E3` to `E9`
/// and two below `C0`.
fn is_far_eastern(text: &str) -> bool {
    let high = || text.chars().filter(|letter| !letter.is_ascii());
    high().any(|letter| letter >= '\u{2E80}')
        && high().all(|letter| letter >= '\u{2000}' || letter == '·')
}

/// The last letters of consecutive scripts from U+0080 on: symbols, Latin, phonetic and combining
/// letters, Greek, Cyrillic, Armenian, Hebrew, and Arabic to N'Ko.
const SCRIPT_ENDS: [char; 8] = [
    '\u{BF}', '\u{24F}', '\u{36F}', '\u{3FF}', '\u{52F}', '\u{58F}', '\u{5FF}', '\u{7FF}',
];

/// Returns whether letters of several scripts, or letters and symbols other than punctuation, are
/// adjacent, as in no natural text.
fn mixes_scripts(text: &str) -> bool {
    let script = |letter: char| match letter {
        '«' | '»' | '¡' | '¿' | '·' | '°' | 'º' | 'ª' => None,
        letter if letter.is_ascii() => None,
        letter => SCRIPT_ENDS.iter().position(|end| letter <= *end),
    };
    let scripts: Vec<Option<usize>> = text.chars().map(script).collect();
    let mut neighbours = scripts.windows(2);
    neighbours.any(|pair| matches!(pair, [Some(one), Some(other)] if one != other))
}

/// Returns whether the line has a run of GB 2312 characters (both bytes from `A1` on) that is no
/// western word: two high bytes between letters, as in `Größe`, could be one.
fn looks_chinese(line: &[u8]) -> bool {
    let high = |byte: u8| (0xA1..=0xFE).contains(&byte);
    let mut from = 0;
    while let Some(start) = line[from..].iter().position(|&byte| byte >= 0x80) {
        let start = from + start;
        let run = line[start..].iter().take_while(|&&byte| high(byte)).count();
        let end = start + run;
        let letter_before = start > 0 && line[start - 1].is_ascii_alphabetic();
        let letter_after = line.get(end).is_some_and(u8::is_ascii_alphabetic);
        if run >= 4 || (run >= 2 && !letter_before && !letter_after) {
            return true;
        }
        from = end.max(start + 1);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ambiguous_positions_are_recognised_by_file_or_text() {
        for name in ["郑惟桐", "陆平"] {
            let (bytes, _, _) = GB18030.encode(name);
            assert_eq!(sign(&bytes), Sign::Either { odd: true }, "{name}");
            assert_eq!(decode(&bytes, true), (name.to_owned(), Encoding::Gb18030));
        }
        for text in ["Müller", "Δελτα", "«Ода»", "Señor Ñandú", "½-½"] {
            let sure = Sign::Sure(Encoding::Utf8);
            let told = sign(text.as_bytes());
            assert!(
                told == sure || told == Sign::Either { odd: false },
                "{text}"
            );
            assert_eq!(decode(text.as_bytes(), false).0, text);
        }
        for text in ["炮二平五", "“许银川”", "阿·布", "马８进７"] {
            assert_eq!(sign(text.as_bytes()), Sign::Sure(Encoding::Utf8), "{text}");
        }
        assert_eq!(sign(b"h2e2"), Sign::Nothing);
    }

    #[test]
    fn chinese_is_distinguished_from_western_letters() {
        for text in [
            "[Red \"许银川\"]",
            "炮二平五 马8进7",
            "[Event \"第1届\"]",
            "王",
        ] {
            let (bytes, _, _) = GB18030.encode(text);
            assert_eq!(decode(&bytes, false), (text.to_owned(), Encoding::Gb18030));
        }
        for text in ["Müller", "[White \"Größe, Zoë\"]", "ü", "Señor Ñandú"] {
            let bytes: Vec<u8> = text.chars().map(|letter| letter as u8).collect();
            assert_eq!(decode(&bytes, false), (text.to_owned(), Encoding::Latin1));
        }
        assert_eq!(
            decode("炮".as_bytes(), true),
            ("炮".to_owned(), Encoding::Utf8)
        );
        // 镕 is only in GBK: its second byte is below A1.
        let (bytes, _, _) = GB18030.encode("朱镕基镕");
        assert_eq!(decode(&bytes[2..4], true).1, Encoding::Gb18030);
        assert_eq!(
            decode(&[0xFF], true),
            ("\u{ff}".to_owned(), Encoding::Latin1)
        );
    }
}
