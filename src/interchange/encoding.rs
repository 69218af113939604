//! Which letters bytes stand for.

use encoding_rs::GB18030;

/// What the bytes of a line were taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Letters {
    Utf8,
    Gb18030,
    Latin1,
}

/// Decodes a line. `chinese` says that an earlier line of the file was GB18030:
/// then any line that can be it is it.
///
/// Every file of GB18030 can be read as Latin-1, and many a Latin-1 file as
/// GB18030 (`Müller` would be `M黮ler`), so the first line decides by what it
/// looks like: see [`looks_chinese`].
pub(super) fn decode(line: &[u8], chinese: bool) -> (String, Letters) {
    if let Ok(text) = std::str::from_utf8(line) {
        return (text.to_owned(), Letters::Utf8);
    }
    if (chinese || looks_chinese(line))
        && let Some(text) = GB18030.decode_without_bom_handling_and_without_replacement(line)
    {
        return (text.into_owned(), Letters::Gb18030);
    }
    let text = line.iter().copied().map(char::from).collect();
    (text, Letters::Latin1)
}

/// Whether there is a run of characters of GB 2312 (both bytes from `A1` on)
/// that is no western word: two high bytes between letters, as in `Größe`, could
/// be one.
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
    fn chinese_is_told_from_western_letters() {
        for text in [
            "[Red \"许银川\"]",
            "炮二平五 马8进7",
            "[Event \"第1届\"]",
            "王",
        ] {
            let (bytes, _, _) = GB18030.encode(text);
            assert_eq!(decode(&bytes, false), (text.to_owned(), Letters::Gb18030));
        }
        for text in ["Müller", "[White \"Größe, Zoë\"]", "ü", "Señor Ñandú"] {
            let bytes: Vec<u8> = text.chars().map(|letter| letter as u8).collect();
            assert_eq!(decode(&bytes, false), (text.to_owned(), Letters::Latin1));
        }
        assert_eq!(
            decode("炮".as_bytes(), true),
            ("炮".to_owned(), Letters::Utf8)
        );
        // 镕 is in GBK only: its second byte is below A1.
        let (bytes, _, _) = GB18030.encode("朱镕基镕");
        assert_eq!(decode(&bytes[2..4], true).1, Letters::Gb18030);
        assert_eq!(
            decode(&[0xFF], true),
            ("\u{ff}".to_owned(), Letters::Latin1)
        );
    }
}
