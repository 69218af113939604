//! Mutilation of texts.

/// The longest mutilated text, in bytes.
pub(crate) const LONGEST: usize = 1 << 16;

/// One mutilation: its kind, position, extent and material.
#[derive(Clone, Debug)]
pub(crate) struct Mutation {
    kind: u8,
    at: u32,
    length: u32,
    with: u64,
}

impl From<(u8, u32, u32, u64)> for Mutation {
    fn from((kind, at, length, with): (u8, u32, u32, u64)) -> Self {
        Self {
            kind,
            at,
            length,
            with,
        }
    }
}

/// Words that readers may mishandle.
const WORDS: &[&str] = &[
    "NaN",
    "inf",
    "-inf",
    "-0",
    "0",
    "-1",
    "1e308",
    "1e-308",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "99999999999999999999999999",
    "0x10",
    "1_000",
    "",
    " ",
    "\0",
    "\t",
    "\r",
    "\n",
    "\n\n",
    "\"",
    "'",
    "\\",
    "..",
    "/",
    "*",
    "#",
    ";",
    ",",
    "=",
    "{}",
    "[]",
    "()",
    "\u{feff}",
    "\u{202e}",
    "\u{9b}",
    "\u{1b}[2J",
    "é",
    "帅",
    "車",
    "\u{10ffff}",
    "\u{301}",
    "ß",
    "ﬀ",
    "１２",
    "٣",
];

/// Bytes that open, close or end something.
const MARKS: &[u8] = b"()[]{}<>\"'\\/;:,.=+-*#%$!?| \t\r\n\0\x1b\x7f\x80\xc3\xff";

/// The text with all mutations applied, one after the other.
pub(crate) fn mutilated(text: &[u8], others: &[Vec<u8>], mutations: &[Mutation]) -> Vec<u8> {
    let mut text = text.to_vec();
    for mutation in mutations {
        mutation.apply(&mut text, others);
        text.truncate(LONGEST);
    }
    text
}

/// A position below `bound`.
fn place(number: u32, bound: usize) -> usize {
    ((u64::from(number) * bound as u64) >> 32) as usize
}

impl Mutation {
    fn apply(&self, text: &mut Vec<u8>, others: &[Vec<u8>]) {
        let start = place(self.at, text.len() + 1);
        // Mostly short pieces.
        let longest = if self.with.is_multiple_of(4) {
            text.len()
        } else {
            12
        };
        let end = (start + place(self.length, longest + 1)).min(text.len());
        let word = WORDS[self.with as usize % WORDS.len()].as_bytes();
        let mark = MARKS[self.with as usize % MARKS.len()];
        match self.kind % 18 {
            0 => flip(text, start, 1 << (self.with % 8)),
            1 => flip(text, start, self.with as u8),
            2 => text.insert(start, mark),
            3 => drop(text.drain(start..end)),
            4 => repeat(text, start, end, 1 + self.with as usize % 4),
            5 => repeat(text, start, end, LONGEST / (end - start).max(1)),
            6 => replace(text, start..start, &vec![mark; self.with as usize % 3_000]),
            7 => {
                let other = &others[self.with as usize % others.len()];
                let from = place(self.length, other.len() + 1);
                text.truncate(start);
                text.extend_from_slice(&other[from..]);
            }
            8 => replace(text, start..end, word),
            9 => replace(text, token(text, start), word),
            10 => swap_tokens(text, start, place(self.length, text.len() + 1)),
            11 => replace(text, number(text, start), word),
            12 => replace(text, number(text, start), self.with.to_string().as_bytes()),
            13 => text.truncate(start),
            14 => {
                *text = text
                    .split(|&byte| byte == b'\n')
                    .collect::<Vec<_>>()
                    .join(&b"\r\n"[..]);
            }
            15 => replace(text, 0..0, b"\xef\xbb\xbf"),
            16 => swap_lines(text, self.at, self.length),
            _ => replace(text, start..end, &self.with.to_le_bytes()),
        }
    }
}

fn flip(text: &mut [u8], at: usize, bits: u8) {
    if let Some(byte) = text.get_mut(at) {
        *byte ^= bits;
    }
}

fn replace(text: &mut Vec<u8>, range: std::ops::Range<usize>, by: &[u8]) {
    drop(text.splice(range, by.iter().copied()));
}

fn repeat(text: &mut Vec<u8>, start: usize, end: usize, times: usize) {
    let piece = text[start..end].repeat(times);
    replace(text, end..end, &piece);
}

/// The piece around a position, up to bytes that `divides`.
fn piece(text: &[u8], at: usize, divides: impl Fn(u8) -> bool) -> std::ops::Range<usize> {
    let before = text[..at].iter().rposition(|&byte| divides(byte));
    let after = text[at..].iter().position(|&byte| divides(byte));
    before.map_or(0, |found| found + 1)..after.map_or(text.len(), |found| at + found)
}

fn token(text: &[u8], at: usize) -> std::ops::Range<usize> {
    piece(text, at, |byte| {
        !byte.is_ascii_alphanumeric() && byte < 0x80
    })
}

/// The first number after a position.
fn number(text: &[u8], at: usize) -> std::ops::Range<usize> {
    match text[at..].iter().position(u8::is_ascii_digit) {
        Some(found) => piece(text, at + found, |byte| !byte.is_ascii_digit()),
        None => at..at,
    }
}

fn swap_tokens(text: &mut Vec<u8>, one: usize, other: usize) {
    let (first, second) = (token(text, one.min(other)), token(text, one.max(other)));
    if first.end <= second.start {
        let (early, late) = (text[first.clone()].to_vec(), text[second.clone()].to_vec());
        replace(text, second, &early);
        replace(text, first, &late);
    }
}

fn swap_lines(text: &mut Vec<u8>, one: u32, other: u32) {
    let mut lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
    let count = lines.len();
    lines.swap(place(one, count), place(other, count));
    *text = lines.join(&b'\n');
}
