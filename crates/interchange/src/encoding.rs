//! Detection of the encodings of lines.

use std::borrow::Cow;

use encoding_rs::{BIG5, GB18030, WINDOWS_1252};

/// The encoding of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    Gb18030,
    Big5,
    /// Latin-1 with the letters that Windows adds (windows-1252).
    Latin1,
}

/// Evidence in a line about the encoding of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    /// Only ASCII letters, or Latin-1.
    Nothing,
    /// One encoding for sure.
    Sure(Encoding),
    /// Valid as UTF-8 and as a Chinese encoding. 郑惟桐 is `D6A3 CEA9 CDA9`: as UTF-8 a Hebrew
    /// accent, an Omega and a combining mark, which sets `odd`.
    Either { odd: bool },
    /// Chinese; `lead` is the evidence for GB18030 rather than Big5.
    Chinese { lead: i32 },
}

/// Smallest evidence that determines the encoding of a line in Chinese.
const CLEAR_LEAD: i32 = 4;

/// Examines a line.
pub(crate) fn sign(line: &[u8]) -> Sign {
    if line.is_ascii() {
        return Sign::Nothing;
    }
    let [gb, big5] = [Encoding::Gb18030, Encoding::Big5].map(|it| Chinese::read(line, it));
    if let Ok(text) = std::str::from_utf8(line) {
        let is_chinese = gb.is_valid || big5.is_valid;
        if !is_chinese || is_far_eastern(text) {
            return Sign::Sure(Encoding::Utf8);
        }
        let odd = (gb.is_run || big5.is_run) && mixes_scripts(text);
        return Sign::Either { odd };
    }
    match (gb.is_plausible(), big5.is_plausible()) {
        (false, false) => Sign::Nothing,
        (true, false) => Sign::Sure(Encoding::Gb18030),
        (false, true) => Sign::Sure(Encoding::Big5),
        (true, true) => match gb.common - big5.common {
            CLEAR_LEAD.. => Sign::Sure(Encoding::Gb18030),
            lead if lead <= -CLEAR_LEAD => Sign::Sure(Encoding::Big5),
            lead => Sign::Chinese { lead },
        },
    }
}

/// Decodes a line with that sign, of a file with the given Chinese encoding if it is known to have
/// one: then any line that is valid in it is decoded as such, unless it is Chinese as UTF-8.
///
/// Every file can be read as Latin-1, and many Latin-1 files as GB18030 (`Müller` would be
/// `M黮ler`), so the appearance of the line decides.
pub(crate) fn decode(
    line: &[u8],
    sign: Sign,
    chinese: Option<Encoding>,
) -> (Cow<'_, str>, Encoding) {
    if let Ok(text) = std::str::from_utf8(line)
        && !(chinese.is_some() && matches!(sign, Sign::Either { .. }))
    {
        return (text.into(), Encoding::Utf8);
    }
    let own = match sign {
        Sign::Sure(encoding) => Some(encoding),
        Sign::Chinese { lead: 0.. } => chinese.or(Some(Encoding::Gb18030)),
        Sign::Chinese { .. } => chinese.or(Some(Encoding::Big5)),
        _ => chinese,
    };
    for encoding in own.into_iter().chain(chinese) {
        let letters = if encoding == Encoding::Big5 {
            BIG5
        } else {
            GB18030
        };
        if let Some(text) = letters.decode_without_bom_handling_and_without_replacement(line) {
            return (text, encoding);
        }
    }
    (
        WINDOWS_1252.decode_without_bom_handling(line).0,
        Encoding::Latin1,
    )
}

/// A line read in a Chinese encoding of two bytes per character.
struct Chinese {
    is_valid: bool,
    /// Number of frequent characters minus twice that of improbable ones.
    common: i32,
    /// True if characters follow each other, or stand between other signs than letters: two high
    /// bytes between letters, as in `Größe`, could be western.
    is_run: bool,
}

impl Chinese {
    /// Reads a line in GB18030 or Big5. In both, frequent characters come first: level 1 of GB 2312
    /// has the first bytes B0 to D7 and second bytes from A1, that of Big5 A4 to C6.
    fn read(line: &[u8], encoding: Encoding) -> Self {
        let is_big5 = encoding == Encoding::Big5;
        let letters = if is_big5 { BIG5 } else { GB18030 };
        let valid = letters.decode_without_bom_handling_and_without_replacement(line);
        let (mut common, mut is_run, mut at) = (0, false, 0);
        while valid.is_some() && at < line.len() {
            let start = at;
            let mut run = 0;
            while let [lead @ 0x81..=0xFE, trail, ..] = line[at..] {
                run += 1;
                at += 2;
                common += match (is_big5, lead, trail) {
                    (false, 0xB0..=0xD7, 0xA1..) | (true, 0xA4..=0xC6, _) => 1,
                    // Punctuation, digits and letters of full width, characters of GBK.
                    (_, 0xA1..=0xA3, 0xA1..)
                    | (true, 0xA1..=0xA3, _)
                    | (false, 0x81..=0xA0 | 0xB0..=0xF7, _) => 0,
                    _ => -2,
                };
            }
            if run == 0 {
                at += 1;
                continue;
            }
            let is_letter = |at: Option<usize>| {
                let byte = at.and_then(|at| line.get(at));
                byte.is_some_and(u8::is_ascii_alphabetic)
            };
            is_run |= run > 1 || !is_letter(start.checked_sub(1)) && !is_letter(Some(at));
        }
        Self {
            is_valid: valid.is_some(),
            common,
            is_run,
        }
    }

    /// Returns whether a line that is not UTF-8 may be Chinese. Western letters would be improbable
    /// characters.
    fn is_plausible(&self) -> bool {
        self.is_valid && self.is_run && self.common >= 0
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(line: &[u8], chinese: Option<Encoding>) -> (Cow<'_, str>, Encoding) {
        super::decode(line, sign(line), chinese)
    }

    #[test]
    fn ambiguous_positions_are_recognised_by_file_or_text() {
        for name in ["郑惟桐", "陆平"] {
            let (bytes, _, _) = GB18030.encode(name);
            assert_eq!(sign(&bytes), Sign::Either { odd: true }, "{name}");
            let chinese = Some(Encoding::Gb18030);
            assert_eq!(decode(&bytes, chinese), (name.into(), Encoding::Gb18030));
        }
        for text in ["Müller", "Δελτα", "«Ода»", "Señor Ñandú", "½-½"] {
            let sure = Sign::Sure(Encoding::Utf8);
            let told = sign(text.as_bytes());
            assert!(
                told == sure || told == Sign::Either { odd: false },
                "{text}"
            );
            assert_eq!(decode(text.as_bytes(), None).0, text);
        }
        for text in ["炮二平五", "“许银川”", "阿·布", "马８进７"] {
            assert_eq!(sign(text.as_bytes()), Sign::Sure(Encoding::Utf8), "{text}");
        }
        assert_eq!(sign(b"h2e2"), Sign::Nothing);
    }

    #[test]
    fn chinese_is_distinguished_from_western_letters() {
        for (encoding, letters, texts) in [
            (
                Encoding::Gb18030,
                GB18030,
                ["[Red \"许银川\"]", "炮二平五 马8进7", "[Event \"第1届\"]"],
            ),
            (
                Encoding::Big5,
                BIG5,
                [
                    "[Red \"許銀川\"]",
                    "炮二平五 馬8進7",
                    "[Event \"第1屆象棋\"]",
                ],
            ),
        ] {
            for text in texts {
                let (bytes, _, _) = letters.encode(text);
                assert_eq!(decode(&bytes, None), (text.into(), encoding));
            }
        }
        for text in [
            "Müller",
            "[White \"Größe, Zoë\"]",
            "ü",
            "Señor Ñandú",
            "1. e4 1–0 “ça”",
            "Ángel Álvarez",
        ] {
            let (bytes, _, _) = WINDOWS_1252.encode(text);
            assert_eq!(decode(&bytes, None), (text.into(), Encoding::Latin1));
        }
        let gb = Some(Encoding::Gb18030);
        assert_eq!(decode("炮".as_bytes(), gb), ("炮".into(), Encoding::Utf8));
        // 镕 is only in GBK: its second byte is below A1.
        let (bytes, _, _) = GB18030.encode("朱镕基镕");
        assert_eq!(decode(&bytes[2..4], gb).1, Encoding::Gb18030);
        assert_eq!(decode(&[0xFF], gb), ("\u{ff}".into(), Encoding::Latin1));
    }
}
