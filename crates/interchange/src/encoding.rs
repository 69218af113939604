//! Detection of the encodings of files and lines.
//!
//! Every file can be read as Latin-1, and many files of western or Cyrillic letters as GB18030 or
//! Big5 (`Müller` would be `M黮ler`). The frequencies of letters decide, and the brackets: a
//! Chinese encoding may use `}` as the second byte of a character, and a comment must end all the
//! same.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, IBM866, ISO_8859_2, KOI8_U, SHIFT_JIS, UTF_8,
    WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254, WINDOWS_1255,
    WINDOWS_1256,
};

/// Evidence in a line about the encoding of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Evidence {
    /// Only ASCII letters.
    Nothing,
    /// UTF-8 for sure.
    Utf8,
    /// Valid as UTF-8 and as a Chinese encoding. 郑惟桐 is `D6A3 CEA9 CDA9`: as UTF-8 a Hebrew
    /// accent, an Omega and a combining mark, which sets `odd`.
    Either { odd: bool },
    /// No UTF-8.
    Other,
}

/// Smallest difference in evidence that separates GB18030 and Big5.
const CLEAR_LEAD: i32 = 4;

/// Smallest evidence for a Chinese line among lines in another encoding.
const CLEAR: i32 = 3;

/// Bytes that show the encoding of a file.
const SAMPLE: usize = 1 << 14;

/// Bytes beyond ASCII in a sample that is trusted with any encoding: short Chinese names look like
/// Korean, short Cyrillic words like Hebrew, and Icelandic names like Turkish.
const LONG_SAMPLE: usize = 64;

/// The encodings that a long sample may have, and those that a short one may have too.
const RARE: [&Encoding; 3] = [EUC_KR, WINDOWS_1254, WINDOWS_1255];
const USUAL: [&Encoding; 8] = [
    WINDOWS_1250,
    WINDOWS_1251,
    WINDOWS_1252,
    WINDOWS_1253,
    WINDOWS_1256,
    ISO_8859_2,
    KOI8_U,
    IBM866,
];

/// Those of Latin letters, which have no four letters beyond ASCII in a row.
const LATIN: [&Encoding; 4] = [WINDOWS_1250, WINDOWS_1252, WINDOWS_1254, ISO_8859_2];

/// Examines a line.
pub(crate) fn examine(line: &[u8]) -> Evidence {
    if line.is_ascii() {
        return Evidence::Nothing;
    }
    let Ok(text) = std::str::from_utf8(line) else {
        return Evidence::Other;
    };
    let both = Chinese::both(line);
    if !both.iter().any(|it| it.is_valid) || is_far_eastern(text) {
        return Evidence::Utf8;
    }
    let odd = both.iter().any(|it| it.is_run) && mixes_scripts(text);
    Evidence::Either { odd }
}

/// Returns whether this is one of the Chinese encodings, whose second bytes may be ASCII.
pub(crate) fn is_chinese(encoding: &Encoding) -> bool {
    encoding == GB18030 || encoding == BIG5
}

/// The text of a line; `None` if it is not of that encoding.
fn valid<'l>(line: &'l [u8], encoding: &'static Encoding) -> Option<Cow<'l, str>> {
    encoding.decode_without_bom_handling_and_without_replacement(line)
}

/// Decodes a line that is not UTF-8, in a file of that encoding. The encoding of the line is another
/// one if the line is not valid, looks western, or has brackets that fit to those of `later` lines
/// only as single bytes. `in_comment` is true if the line begins in a comment.
pub(crate) fn decode<'l>(
    line: &'l [u8],
    encoding: &'static Encoding,
    in_comment: bool,
    later: &[u8],
) -> (Cow<'l, str>, &'static Encoding) {
    if let Some(text) = valid(line, encoding)
        && !(is_chinese(encoding)
            && (Chinese::read(line, encoding).is_western()
                || loses_brackets(line, in_comment, later)))
    {
        return (text, encoding);
    }
    if let Ok(text) = std::str::from_utf8(line) {
        return (text.into(), UTF_8);
    }
    let own = detect_one_byte(line);
    (own.decode_without_bom_handling(line).0, own)
}

/// The encoding that a line shows for itself and the following ones, in a file of another encoding.
pub(crate) fn change(line: &[u8], file: &'static Encoding) -> Option<&'static Encoding> {
    // Japanese characters are frequent in Chinese.
    if file == EUC_JP || file == SHIFT_JIS {
        return None;
    }
    let [gb, big5] = Chinese::both(line);
    let evidence = |one: &Chinese| if one.is_plausible() { one.common } else { 0 };
    let encoding = match evidence(&gb) - evidence(&big5) {
        CLEAR_LEAD.. => GB18030,
        lead if lead <= -CLEAR_LEAD => BIG5,
        _ if gb.is_clear() && !big5.is_valid => GB18030,
        _ if big5.is_clear() && !gb.is_valid => BIG5,
        _ => return None,
    };
    (encoding != file && (is_chinese(file) || detect(line) == encoding)).then_some(encoding)
}

/// The most probable encoding of lines that are not UTF-8.
fn detect(sample: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    let first = sample.iter().position(|byte| !byte.is_ascii());
    let rest = &sample[first.unwrap_or_default()..];
    // The detector takes as long for some kilobytes as their reading.
    let part = &rest[..rest.len().min(SAMPLE)];
    detector.feed(part, part.len() == rest.len());
    let guess = detector.guess(None, Utf8Detection::Deny);
    let high = sample.iter().filter(|byte| **byte >= 0x80).count();
    let low = sample.iter().filter(|byte| (0x80..0xC0).contains(*byte));
    // Cyrillic, Greek and Arabic letters are from `C0` on.
    let has_low = 4 * low.count() >= high;
    // In short samples, EUC-JP could be Big5.
    let is_long = high >= LONG_SAMPLE;
    let mut japanese = [guess, EUC_JP]
        .into_iter()
        .filter(|it| is_long || *it == guess);
    if let Some(encoding) = japanese.find(|it| is_japanese(sample, it)) {
        return encoding;
    }
    let both = Chinese::both(sample);
    let is_chinese = |it: &Chinese| {
        let is_latin = LATIN.contains(&guess);
        // No western word is two letters beyond ASCII.
        let is_apart = it.common == it.count && usize::try_from(2 * it.count) == Ok(high);
        let is_long = it.longest > 1 || if is_latin { is_apart } else { it.common > 1 };
        it.is_dense() && is_long && (is_latin || has_low)
    };
    let is_trusted = USUAL.contains(&guess) || RARE.contains(&guess) && is_long;
    if is_long || !both.iter().any(is_chinese) {
        let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte >= 0x80;
        let mut words = sample.split(|byte| !is_letter(byte));
        // Signs such as `±`.
        let has_no_word = words.all(|word| word.len() == 1 || word.is_ascii());
        let text = |it: &'static Encoding| it.decode_without_bom_handling(sample).0;
        let is_trusted = is_trusted && !(guess == EUC_KR && has_moves(&text(GB18030)));
        if has_no_word || text(guess) == text(WINDOWS_1252) {
            return WINDOWS_1252;
        } else if is_trusted {
            return guess;
        }
    }
    let [gb, big5] = both;
    match (gb.is_plausible(), big5.is_plausible()) {
        (true, true) if gb.common == big5.common && guess == BIG5 => BIG5,
        (true, true) if gb.common < big5.common => BIG5,
        (true, _) => GB18030,
        (false, true) => BIG5,
        (false, false) if guess == GBK => GB18030,
        (false, false) if guess == BIG5 => BIG5,
        (false, false) => WINDOWS_1252,
    }
}

/// Returns whether a sample is Japanese text in this encoding. In `Shift_JIS` three quarters of the
/// characters beyond ASCII are punctuation, kana or common kanji (level 1 of JIS X 0208). In EUC-JP,
/// which resembles GB18030, an eighth are kana.
fn is_japanese(sample: &[u8], encoding: &'static Encoding) -> bool {
    let is_euc = encoding == EUC_JP;
    if !is_euc && encoding != SHIFT_JIS {
        return false;
    }
    let Some(text) = valid(sample, encoding) else {
        return false;
    };
    let letters = || text.chars().filter(|letter| !letter.is_ascii());
    let all = letters().count();
    if is_euc {
        let kana = letters().filter(|letter| matches!(letter, 'ぁ'..='ん' | 'ァ'..='ー'));
        return 8 * kana.count() >= all;
    }
    // The first bytes of signs and kana, and of level 1 of JIS X 0208.
    let common = letters().filter(|letter| {
        let mut utf8 = [0; 4];
        let (bytes, ..) = encoding.encode(letter.encode_utf8(&mut utf8));
        bytes.len() == 2 && matches!(bytes[0], 0x81..=0x83 | 0x88..=0x98)
    });
    all > 1 && 4 * common.count() >= 3 * all
}

/// Returns whether the verbs of Chinese moves are many of the characters beyond ASCII.
fn has_moves(text: &str) -> bool {
    let wide = text.chars().filter(|letter| !letter.is_ascii());
    let (mut all, mut verbs) = (0, 0);
    for letter in wide {
        all += 1;
        verbs += usize::from("进退平".contains(letter));
    }
    verbs > 0 && 8 * verbs >= all
}

/// The most probable encoding of lines whose brackets are no second bytes.
fn detect_one_byte(sample: &[u8]) -> &'static Encoding {
    let apart = sample.iter().flat_map(|byte| {
        let blank = is_bracket(*byte).then_some(b' ');
        blank.into_iter().chain([*byte])
    });
    let encoding = detect(&apart.collect::<Vec<u8>>());
    if is_chinese(encoding) {
        WINDOWS_1252
    } else {
        encoding
    }
}

/// The encoding of a file with these lines, which begin in a comment or not; and whether more lines
/// would change nothing.
pub(crate) fn survey(lines: &[u8], in_comment: bool) -> (&'static Encoding, bool) {
    // A few damaged lines, or lines of another encoding, decide nothing.
    let (mut all, mut chinese) = (Vec::new(), Vec::new());
    let (mut is_odd, mut at) = (false, 0);
    let mut brackets = Brackets::new(true, in_comment);
    for line in lines.split_inclusive(|byte| matches!(byte, b'\n' | b'\r')) {
        at += line.len();
        brackets.is_chinese = true;
        match examine(line) {
            Evidence::Nothing => {}
            Evidence::Utf8 if all.is_empty() => return (UTF_8, true),
            Evidence::Utf8 => brackets.is_chinese = false,
            Evidence::Either { odd } => is_odd |= odd,
            Evidence::Other => {
                all.extend_from_slice(line);
                brackets.is_chinese = Chinese::both(line).iter().any(|it| it.is_valid)
                    && !loses_brackets(line, brackets.in_comment, &lines[at..]);
                if brackets.is_chinese {
                    chinese.extend_from_slice(line);
                }
            }
        }
        brackets.read(line);
        if all.len() >= SAMPLE {
            break;
        }
    }
    let encoding = match (all.is_empty(), 2 * chinese.len() >= all.len()) {
        (true, _) if is_odd => GB18030,
        (true, _) => UTF_8,
        (false, true) => detect(&chinese),
        (false, false) => detect_one_byte(&all),
    };
    (encoding, all.len() >= SAMPLE)
}

/// The brackets of comments and properties in lines.
#[derive(Clone)]
struct Brackets {
    /// True if a high byte takes the following one.
    is_chinese: bool,
    in_comment: bool,
    /// Number of brackets that close or open nothing.
    faults: u32,
    /// Number of brackets within characters.
    taken: u32,
}

impl Brackets {
    fn new(is_chinese: bool, in_comment: bool) -> Self {
        Self {
            is_chinese,
            in_comment,
            faults: 0,
            taken: 0,
        }
    }

    /// Reads the next line.
    fn read(&mut self, line: &[u8]) {
        let line = line.trim_ascii();
        if line.starts_with(b"[") && line.ends_with(b"\"]") {
            // A tag ends an open comment.
            self.faults += u32::from(std::mem::take(&mut self.in_comment));
            return;
        }
        let (mut in_property, mut at) = (false, 0);
        while let Some(byte) = line.get(at) {
            at += 1;
            let (is_open, opens) = match byte {
                b'{' | b'}' => (&mut self.in_comment, *byte == b'{'),
                b'[' | b']' => (&mut in_property, *byte == b'['),
                0x81..=0xFE if self.is_chinese => {
                    if let Some(trail @ 0x40..) = line.get(at) {
                        self.taken += u32::from(is_bracket(*trail));
                        at += 1;
                    }
                    continue;
                }
                _ => continue,
            };
            self.faults += u32::from(*is_open == opens);
            *is_open = opens;
        }
        self.faults += u32::from(in_property);
    }

    /// The number of faults at the end of a text.
    fn all_faults(&self) -> u32 {
        self.faults + u32::from(self.in_comment)
    }
}

fn is_bracket(byte: u8) -> bool {
    b"{}[]".contains(&byte)
}

/// Returns whether a line has better brackets as single bytes than in a Chinese encoding: within the
/// line, or with those of the `later` lines in Chinese.
fn loses_brackets(line: &[u8], in_comment: bool, later: &[u8]) -> bool {
    let mut chinese = Brackets::new(true, in_comment);
    chinese.read(line);
    if chinese.taken == 0 {
        return false;
    }
    let mut single = Brackets::new(false, in_comment);
    single.read(line);
    single.is_chinese = true;
    let later = &later[..later.len().min(SAMPLE)];
    for line in later.split(|byte| *byte == b'\n') {
        if chinese.faults != single.faults || chinese.in_comment == single.in_comment {
            break;
        }
        chinese.read(line);
        single.read(line);
    }
    chinese.all_faults() > single.all_faults()
}

/// Lines read in a Chinese encoding of two bytes per character.
struct Chinese {
    is_valid: bool,
    /// Number of frequent characters minus twice that of improbable ones.
    common: i32,
    /// Number of characters, and the largest number of those that follow each other.
    count: i32,
    longest: i32,
    /// True if characters follow each other, or stand between other signs than letters: two high
    /// bytes between letters, as in `Größe`, could be western.
    is_run: bool,
}

impl Chinese {
    /// Reads lines in GB18030 and Big5.
    fn both(lines: &[u8]) -> [Self; 2] {
        [GB18030, BIG5].map(|encoding| Self::read(lines, encoding))
    }

    /// Reads a line in GB18030 or Big5. In both, frequent characters come first: level 1 of GB 2312
    /// has the first bytes B0 to D7 and second bytes from A1, that of Big5 A4 to C6.
    fn read(line: &[u8], encoding: &'static Encoding) -> Self {
        let is_big5 = encoding == BIG5;
        let valid = valid(line, encoding);
        let (mut common, mut is_run, mut at) = (0, false, 0);
        let (mut count, mut longest) = (0, 0);
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
                    | (false, 0x81..=0xA0 | 0xB0..=0xF7, _)
                    | (false, 0xAA..=0xAF, ..0xA1) => 0,
                    _ => -2,
                };
            }
            (count, longest) = (count + run, longest.max(run));
            if run == 0 {
                at += 1;
                continue;
            }
            let is_letter = |at: Option<usize>| {
                let byte = at.and_then(|at| line.get(at));
                byte.is_some_and(u8::is_ascii_alphabetic)
            };
            let is_apart = !is_letter(start.checked_sub(1)) && !is_letter(Some(at));
            is_run |= run > 1 || is_apart;
            // A sign of full width, such as `±`.
            common += i32::from(run == 1 && is_apart && (0xA1..=0xA3).contains(&line[start]));
        }
        Self {
            is_valid: valid.is_some(),
            common,
            count,
            longest,
            is_run,
        }
    }

    /// Returns whether lines that are not UTF-8 may be Chinese. Western letters would be improbable
    /// characters.
    fn is_plausible(&self) -> bool {
        self.is_valid && self.is_run && self.common > 0
    }

    /// Returns whether most characters are frequent ones.
    fn is_dense(&self) -> bool {
        self.is_plausible() && 2 * self.common >= self.count
    }

    /// Returns whether western letters are more probable even in a Chinese file.
    fn is_western(&self) -> bool {
        !self.is_run && self.common <= 0
    }

    /// Returns whether a line is Chinese for sure, if another encoding is not more probable.
    fn is_clear(&self) -> bool {
        self.is_plausible() && self.common >= CLEAR
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
    use encoding_rs::{KOI8_R, MACINTOSH};

    use crate::decoded;

    /// The bytes of a text in an encoding.
    fn bytes(text: &str, encoding: &'static Encoding) -> Vec<u8> {
        let (bytes, _, has_lost) = encoding.encode(text);
        assert!(!has_lost, "{text} in {}", encoding.name());
        bytes.into_owned()
    }

    #[test]
    fn ambiguous_positions_are_recognised_by_file_or_text() {
        for name in ["郑惟桐", "陆平"] {
            let bytes = bytes(name, GB18030);
            assert_eq!(examine(&bytes), Evidence::Either { odd: true }, "{name}");
            let decoded = decode(&bytes, GB18030, false, b"");
            assert_eq!(decoded, (name.into(), GB18030));
        }
        for text in ["Müller", "Δελτα", "«Ода»", "Señor Ñandú", "½-½"] {
            let told = examine(text.as_bytes());
            let is_utf8 = [Evidence::Utf8, Evidence::Either { odd: false }].contains(&told);
            assert!(is_utf8, "{text}");
            assert_eq!(decoded(text.as_bytes()), [text]);
        }
        for text in ["炮二平五", "“许银川”", "阿·布", "马８进７"] {
            assert_eq!(examine(text.as_bytes()), Evidence::Utf8, "{text}");
        }
        assert_eq!(examine(b"h2e2"), Evidence::Nothing);
    }

    #[test]
    fn letters_tell_the_encoding() {
        for (encoding, texts) in [
            (
                GB18030,
                &[
                    "[Red \"许银川\"]",
                    "炮二平五 马8进7",
                    "{胜} ±",
                    "[Event \"第1届\"]",
                    "{好棋}",
                ][..],
            ),
            (
                BIG5,
                &[
                    "[Red \"許銀川\"]",
                    "炮二平五 馬8進7",
                    "[Event \"第1屆象棋\"]",
                    "{好棋}",
                ],
            ),
            (
                WINDOWS_1252,
                &[
                    "Müller",
                    "[White \"Größe, Zoë\"]",
                    "ü",
                    "Señor Ñandú",
                    "1. e4 1–0 “ça”",
                    "Ángel",
                ],
            ),
            (
                WINDOWS_1251,
                &["{плохо}", "[White \"Карпов\"]", "{сильный ход}", "Иванов"],
            ),
            (
                KOI8_R,
                &["{плохо}", "[White \"Карпов\"]", "{сильный ход}", "Иванов"],
            ),
            (
                WINDOWS_1250,
                &[
                    "{źle}",
                    "Wojtaszek, Radosław",
                    "{lepší}",
                    "[Black \"Jiří Štoček\"]",
                ],
            ),
            (
                WINDOWS_1253,
                &["{κακό}", "[White \"Παπαϊωάννου\"]", "{καλύτερο}"],
            ),
            (
                SHIFT_JIS,
                &[
                    "先手：渡辺",
                    "*７六歩は角道を開ける手",
                    "まで60手で先手の勝ち",
                    "*ソフトの評価は互角",
                    "N+藤井 聡太",
                    "同　銀",
                ],
            ),
            (EUC_JP, &["まで60手で先手の勝ち", "*この手が敗着となった"]),
            (
                EUC_KR,
                &[
                    "{좋은 수입니다. 백이 유리한 상황입니다. 흑은 방어하기 어렵습니다. 다음 수는 포입니다}",
                ],
            ),
        ] {
            for text in texts {
                assert_eq!(
                    decoded(&bytes(text, encoding)),
                    [*text],
                    "{}",
                    encoding.name()
                );
            }
        }
        // 镕 is only in GBK: its second byte is below A1.
        let name = bytes("朱镕基镕", GB18030);
        assert_eq!(decode(&name[2..4], GB18030, false, b"").1, GB18030);
        assert_eq!(decode(&[0xFF], GB18030, false, b"").1, WINDOWS_1252);
    }

    #[test]
    fn no_encoding_takes_the_end_of_a_comment() {
        for (encoding, one, other) in [
            (WINDOWS_1252, "él está", "fin"),
            (WINDOWS_1252, "±", "x"),
            (WINDOWS_1252, "Zoé", "à"),
            (WINDOWS_1251, "плохо", "хорошо"),
            (WINDOWS_1251, "не", "да"),
            (KOI8_R, "плохо", "хорошо"),
            (WINDOWS_1250, "błą", "není dobré"),
            (WINDOWS_1253, "κακό", "καλό"),
            (WINDOWS_1256, "جيد", "سيئ"),
            (MACINTOSH, "él está", "café"),
        ] {
            for text in [
                format!("1. e4 {{{one}}} e5 2. Nf3 Nc6 {{{other}}} 1-0"),
                format!("1. e4 {{{one}}} e5 2. Nf3\nNc6 {{{other}}} 1-0"),
                format!("1. e4 {{{other}\n{one}}} e5 1-0\n\n[Event \"x\"]\n\n1. e4 {{{one}}} *"),
                format!("1. e4 e5 {{{one}}} 1-0"),
                format!("(;GM[Othello]PB[{one}]PW[{other}]BO[8];)"),
            ] {
                let bytes = bytes(&text, encoding);
                let ascii = bytes.iter().filter(|byte| byte.is_ascii());
                let ascii: String = ascii.map(|byte| char::from(*byte)).collect();
                let mut read = decoded(&bytes).join("\n");
                read.retain(|letter| letter.is_ascii());
                assert_eq!(read, ascii, "{} {text}", encoding.name());
            }
        }
    }

    #[test]
    fn chinese_characters_may_have_second_bytes_of_brackets() {
        let all = |encoding: &'static Encoding| {
            // Second bytes are `[`, `\`, `]`, `{`, `|` and `}`.
            let rows = if encoding == BIG5 {
                0xA4..=0xC5
            } else {
                0x81..=0xA0
            };
            let bytes = rows.flat_map(|lead: u8| b"[\\]{|}".map(|trail| [lead, trail]));
            let letters = bytes.filter_map(|pair| valid(&pair, encoding).map(Cow::into_owned));
            letters.collect::<Vec<String>>()
        };
        let head = |encoding| {
            let names = if encoding == BIG5 {
                ["許銀川", "呂欽"]
            } else {
                ["许银川", "吕钦"]
            };
            format!("[Red \"{}\"]\n[Black \"{}\"]\n\n", names[0], names[1])
        };
        for encoding in [GB18030, BIG5] {
            for letter in all(encoding) {
                let text = format!(
                    "{}1. h2e2 {{好{letter}棋{letter}}} h9g7 {{{letter}\n{letter}是}} 2. h0g2 *\n\n[Red \"{letter}\"]",
                    head(encoding)
                );
                let read = decoded(&bytes(&text, encoding)).join("\n");
                assert_eq!(read, text, "{}", encoding.name());
            }
        }
    }

    #[test]
    fn lines_of_several_encodings_keep_theirs() {
        for (file, line, other) in [
            (GB18030, "{Zoé} e5 {x}", WINDOWS_1252),
            (BIG5, "{Zoé} e5 {x}", WINDOWS_1252),
            (WINDOWS_1252, "1. 炮二平五 马8进7", GB18030),
            (WINDOWS_1251, "[Event \"世界象棋錦標賽\"]", BIG5),
        ] {
            let text = match file {
                file if file == GB18030 => "[Red \"许银川\"]\n1. 炮二平五 马8进7\n",
                file if file == BIG5 => "[Red \"許銀川\"]\n1. 炮二平五 馬8進7\n",
                file if file == WINDOWS_1251 => {
                    "[White \"Карпов\"]\n1. e4 {плохо} c5 {лучше было сразу играть конём}\n"
                }
                _ => "[White \"Müller\"]\n[Black \"Réti\"]\n1. e4 {für} c5\n",
            };
            let mixed = [bytes(text, file), bytes(line, other)].concat();
            assert_eq!(decoded(&mixed).join("\n"), format!("{text}{line}"));
        }
    }

    #[test]
    fn moves_in_chinese_are_not_korean() {
        let moves = bytes("1. 相七进五 车９平８ 2. 仕五进四 兵七进一\n", GB18030).repeat(8);
        assert_eq!(detect(&moves), GB18030);
        assert!(has_moves("1. 仕五进四 兵七进一"));
        assert!(!has_moves("조훈현 이창호"));
    }
}
