//! A lexer that takes PGN text apart into games: tags, moves, results, and comments on moves. It
//! skips variations, numbers and annotations.

use leitai_game::has_promotion_sign;
use std::borrow::Cow;

use memchr::{memchr, memchr_iter, memchr3, memrchr};

use super::result::{glued_result, result_at};
use super::{RawGame, Tally};

/// Reads a text game by game, in linear time.
#[derive(Debug)]
pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
    line: u64,
    /// True if the last line was blank, or there was none.
    after_blank: bool,
    /// True if nothing of the present line was read.
    is_line_start: bool,
    end: TextEnd,
    /// Open parentheses of variations.
    variations: u32,
    /// True if movetext of the current game has begun.
    in_moves: bool,
    /// The tags since a blank line or a comment.
    group: Group,
    /// No tag begins before this place: a value on its line is not closed.
    tagless: usize,
    /// The result of the game before.
    last_result: Option<&'static str>,
    pub(super) oddities: Oddities,
}

/// Text that was passed over.
#[derive(Clone, Debug, Default)]
pub(super) struct Oddities {
    /// Lines that begin like a tag and are none.
    pub(super) malformed: Tally,
    /// Comments with an opening brace in them.
    pub(super) nested: Tally,
    /// The beginning of a comment that is open at the end of the text, and its line.
    pub(super) open_comment: Option<(u64, String)>,
}

impl Oddities {
    /// Adds those of later text.
    pub(super) fn join(&mut self, later: Self) {
        self.malformed.join(later.malformed);
        self.nested.join(later.nested);
        self.open_comment = later.open_comment;
    }
}

/// Tags that follow each other.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    /// Number of tags before.
    before: usize,
    /// Place of the first tag, and its line.
    at: usize,
    line: u64,
    /// True if the next tag begins another group.
    is_over: bool,
}

/// The kinds of bytes. Other signs are 0.
const KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            0x80.. => HIGH,
            ..=b' ' | b'{' | b'}' | b'(' | b')' | b';' | b'[' | b',' => STOP,
            b'A'..=b'Z' | b'a'..=b'z' => LETTER,
            b'0'..=b'9' => DIGIT,
            b'.' => POINT,
            b'!' | b'?' | b'+' | b'#' => MARK,
            b'=' => EQUALS,
            _ => 0,
        };
        byte += 1;
    }
    kinds
};

/// White space and signs that end words.
const STOP: u8 = 1;
/// Parts of letters beyond ASCII.
const HIGH: u8 = 2;
const LETTER: u8 = 4;
const DIGIT: u8 = 8;
const POINT: u8 = 16;
/// Marks behind moves.
const MARK: u8 = 32;
/// The sign before a promotion.
const EQUALS: u8 = 64;
const LETTER_AND_DIGIT: u8 = LETTER | DIGIT;
const DIGIT_AND_POINT: u8 = DIGIT | POINT;

/// Stops beyond ASCII that are no white space: a wide comma, and marks of direction.
const STOPS: [char; 3] = ['，', '\u{200e}', '\u{200f}'];

/// Tags that occur once in a game, so that a second one begins the next.
const ONCE: [&str; 7] = ["Game", "Red", "White", "Black", "Result", "Event", "FEN"];

const VARIATION: &str = "a variation, opened by `(`, is never closed";
const COMMENT: &str = "a comment, opened by `{`, is never closed";

impl<'t> Lexer<'t> {
    /// A lexer of a text whose first line has that number, at the beginning of a game.
    pub(super) fn new(text: &'t str, line: u64, end: TextEnd) -> Self {
        Self {
            text,
            at: 0,
            line,
            after_blank: true,
            is_line_start: true,
            end,
            variations: 0,
            in_moves: false,
            group: Group::default(),
            tagless: 0,
            last_result: None,
            oddities: Oddities::default(),
        }
    }

    /// The place of the next game in the text, in bytes, and its line.
    pub(super) fn place(&self) -> (usize, u64) {
        (self.at, self.line)
    }

    /// Reads the next game into `game`; returns false if there is none, or if it goes on beyond an
    /// open text. Every game has at least a tag, a word or a result.
    pub(super) fn next(&mut self, game: &mut RawGame<'t>) -> bool {
        loop {
            let number = game.number;
            game.clear();
            let (at, line, oddities) = (self.at, self.line, self.oddities.clone());
            (self.variations, self.in_moves) = (0, false);
            self.group = Group::default();
            if !self.read(game) {
                // Read again with more text.
                (self.at, self.line, self.oddities) = (at, line, oddities);
                (self.after_blank, self.is_line_start) = (true, true);
                game.number = number;
                return false;
            }
            if self.variations > 0 {
                game.damage(VARIATION);
            }
            game.number = number;
            // A result may be there twice.
            let is_again = game.is_result() && game.result == self.last_result;
            if !game.is_nothing() && !is_again {
                game.number += 1;
                self.last_result = game.result;
                return true;
            }
            if self.at >= self.text.len() {
                return false;
            }
        }
    }

    /// Reads up to the end of a game; returns false if the text ends before.
    fn read(&mut self, game: &mut RawGame<'t>) -> bool {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            let is_line_start = self.is_line_start;
            match byte {
                b'\n' => {
                    self.after_blank = is_line_start;
                    self.is_line_start = true;
                    self.line += 1;
                    self.at += 1;
                    continue;
                }
                0..=b' ' => {
                    self.at += 1;
                    continue;
                }
                _ => self.is_line_start = false,
            }
            if game.line == 0 {
                game.line = self.line;
            }
            match byte {
                // An escape, in the first column only.
                b'%' if self.at == 0 || bytes[self.at - 1] == b'\n' => self.skip_line(),
                b';' => self.skip_line(),
                b'{' => match self.comment(game) {
                    CommentEnd::Closed => {}
                    CommentEnd::NextGame => return true,
                    CommentEnd::OutOfText => return false,
                },
                b'(' if self.promotion(game) => {}
                b'(' => {
                    self.variations = self.variations.saturating_add(1);
                    self.at += 1;
                }
                b')' => {
                    self.variations = self.variations.saturating_sub(1);
                    self.at += 1;
                }
                b'[' => {
                    if self.bracket(game, is_line_start && self.after_blank) {
                        self.is_line_start = true;
                        return true;
                    }
                }
                b'}' | b',' => self.at += 1,
                _ => {
                    if is_line_start && self.begins_again(game) {
                        self.is_line_start = true;
                        return true;
                    }
                    if !self.plain_words(game) && self.word(game) {
                        return true;
                    }
                }
            }
        }
        if self.end == TextEnd::TooLong {
            game.damage("it is longer than 16 MiB");
        }
        self.end != TextEnd::Open
    }

    /// Reads moves of ASCII letters and digits with their numbers and marks, which almost all words
    /// of a game with tags are, up to another word or the end of the line. Returns false if there
    /// is none.
    fn plain_words(&mut self, game: &mut RawGame<'t>) -> bool {
        if self.variations > 0 || game.tags.is_empty() {
            return false;
        }
        let begun = self.at;
        let bytes = self.text.as_bytes();
        loop {
            let (mut end, mut seen) = (self.at, 0);
            let stop = loop {
                let kind = bytes
                    .get(end)
                    .map_or(STOP, |byte| KINDS[usize::from(*byte)]);
                if kind & (LETTER | DIGIT | POINT | MARK | EQUALS) == 0 {
                    break kind;
                }
                seen |= kind;
                end += 1;
            };
            if stop != STOP || end == self.at {
                break;
            }
            let word = &self.text[self.at..end];
            let mv = match seen {
                LETTER | LETTER_AND_DIGIT => Some(word).filter(|word| begins_with_letter(word)),
                DIGIT_AND_POINT if is_number(word) => Some(""),
                _ => plain_move(word),
            };
            match mv {
                None => break,
                Some("") => {}
                Some(mv) => game.word(mv, self.line),
            }
            self.at = past_blanks(bytes, end);
        }
        let is_any = self.at > begun;
        self.in_moves |= is_any;
        is_any
    }

    /// Returns whether a game without tags begins here, behind the moves of another one: with the
    /// number of White's first move in any style. `1. ... e5` goes on.
    fn begins_again(&self, game: &RawGame<'_>) -> bool {
        if self.variations > 0 || game.words.len() < 2 {
            return false;
        }
        let number = self.text[self.at..].trim_start_matches(['0', '０']);
        let Some(behind) = number.strip_prefix(['1', '１']) else {
            return false;
        };
        let is_between = |letter: char| " \n.):．）：、".contains(letter);
        let mv = behind.trim_start_matches(is_between);
        let between = &behind[..behind.len() - mv.len()];
        let points = between.matches(['.', '．']).count();
        let is_digit = mv.starts_with(|letter: char| letter.is_numeric());
        let is_move = mv.starts_with(is_of_a_move) && (!is_digit || !between.trim().is_empty());
        !between.is_empty() && points < 2 && is_move
    }

    /// Adds a piece in parentheses to the move right before it: `exd8(Q)`; or a square of two digits
    /// to a move in kanji that ends in no number and is no drop: `７六歩(77)`. Elsewhere digits are a time.
    fn promotion(&mut self, game: &mut RawGame<'t>) -> bool {
        let Some((_, word)) = game.words.last_mut() else {
            return false;
        };
        let start = word.as_ptr().addr() - self.text.as_ptr().addr();
        let ends_in_piece = word.ends_with(|letter: char| {
            ('一'..='龥').contains(&letter) && !"一二三四五六七八九打".contains(letter)
        });
        let length = match self.text.as_bytes()[self.at..] {
            _ if start + word.len() != self.at => return false,
            [_, b'A'..=b'Z', b')', ..] => 3,
            [_, b'1'..=b'9', b'1'..=b'9', b')', ..] if ends_in_piece => 4,
            _ => return false,
        };
        self.at += length;
        *word = &self.text[start..self.at];
        true
    }

    /// The rest of the line.
    fn line_rest(&self) -> &'t str {
        let rest = &self.text[self.at..];
        &rest[..memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len())]
    }

    fn skip_line(&mut self) {
        self.group.is_over = true;
        self.at += self.line_rest().len();
    }

    /// Reads a comment.
    fn comment(&mut self, game: &mut RawGame<'t>) -> CommentEnd {
        self.group.is_over = true;
        let rest = &self.text[self.at + 1..];
        let end = memchr(b'}', rest.as_bytes());
        let text = &rest[..end.unwrap_or(rest.len())];
        let is_cut = end.is_none() && self.end == TextEnd::Open;
        let brace = memrchr(b'{', text.as_bytes());
        // Braces do not nest: before a second one, the closing brace may be missing.
        let doubtful = match end {
            None if !is_cut => text.len(),
            _ => brace.unwrap_or(0),
        };
        if let Some(next) = next_game(text, doubtful) {
            // The following games are still valid.
            game.damage(COMMENT);
            self.line += memchr_iter(b'\n', &text.as_bytes()[..next]).count() as u64;
            self.at += 1 + next;
            (self.after_blank, self.is_line_start) = (true, true);
            return CommentEnd::NextGame;
        }
        if is_cut {
            return CommentEnd::OutOfText;
        }
        if brace.is_some() {
            self.oddities.nested.add(self.line);
        }
        if end.is_none() {
            game.damage(COMMENT);
            let before = &self.text[..self.at];
            let start = before.rfind('\n').map_or(0, |end| end + 1);
            let line = self.text[start..].lines().next().unwrap_or_default();
            self.oddities.open_comment = Some((self.line, line.to_owned()));
        }
        self.line += memchr_iter(b'\n', text.as_bytes()).count() as u64;
        if end.is_none() {
            self.at = self.text.len();
            return CommentEnd::Closed;
        }
        self.at += text.len() + 2;
        if self.in_moves && self.variations == 0 {
            game.comment(text);
        }
        CommentEnd::Closed
    }

    /// Reads a tag pair, if there is one. Returns true, without reading it, if it belongs to the
    /// next game. `opens`: it is the first on its line, behind a blank one.
    fn bracket(&mut self, game: &mut RawGame<'t>, opens: bool) -> bool {
        let read = match plain_tag(&self.text[self.at + 1..]) {
            Some(read) => read,
            None if self.at < self.tagless => Tag::None,
            None => tag(&self.text[self.at + 1..]),
        };
        match read {
            Tag::Pair(name, value, behind) => {
                let begins = opens && !game.is_nothing() && is_safe_cut(self.line_rest());
                if self.in_moves || begins {
                    return true;
                }
                if std::mem::take(&mut self.group.is_over) || opens {
                    self.group = Group {
                        before: game.tags.len(),
                        at: self.at,
                        line: self.line,
                        is_over: false,
                    };
                }
                if let Some(place) = game.tags.place(name) {
                    if place < self.group.before {
                        // The whole group belongs to the next game.
                        game.tags.truncate(self.group.before);
                        (self.at, self.line) = (self.group.at, self.group.line);
                        return true;
                    }
                    // A tag may be there twice; records without blank lines begin with the same one.
                    let is_again = place > 0 && game.tags.get(name) == Some(value.trim());
                    if !is_again && ONCE.iter().any(|it| it.eq_ignore_ascii_case(name)) {
                        return true;
                    }
                }
                game.tag(name, &value);
                self.at = behind.as_ptr().addr() - self.text.as_ptr().addr();
                self.after_blank = false;
            }
            _ if !self.in_moves => {
                self.oddities.malformed.add(self.line);
                self.skip_line();
            }
            other => {
                if matches!(other, Tag::Unclosed) {
                    self.tagless = self.at + self.line_rest().len();
                }
                self.at += 1;
            }
        }
        false
    }

    /// Reads a word; returns true if it ends the game.
    fn word(&mut self, game: &mut RawGame<'t>) -> bool {
        let rest = &self.text[self.at..];
        let bytes = rest.as_bytes();
        let kind = |byte: u8| KINDS[usize::from(byte)];
        let ends = |byte: &u8| kind(*byte) & (STOP | HIGH) != 0;
        let mut end = bytes.iter().position(ends);
        if end.is_some_and(|end| kind(bytes[end]) == HIGH) {
            let stop = |letter: char| {
                letter.is_whitespace()
                    || STOPS.contains(&letter)
                    || u8::try_from(letter).is_ok_and(|byte| kind(byte) == STOP)
            };
            end = rest.find(stop);
            if end == Some(0) {
                // A stop beyond ASCII.
                self.at += rest.chars().next().map_or(1, char::len_utf8);
                return false;
            }
        }
        let word = &rest[..end.unwrap_or(rest.len())];
        self.at += word.len();
        let is_fresh = !self.in_moves && game.tags.is_empty();
        if self.variations > 0 || is_number(word) {
            self.in_moves |= self.variations > 0 || !is_fresh;
            return false;
        }
        if let Some((result, behind)) = result_at(word, &rest[word.len()..]) {
            self.at += behind;
            self.in_moves = false;
            game.result = Some(result);
            return true;
        }
        if let Some(mv) = bare_move(word)
            // An annotation after a result, such as `ff`, begins no game.
            && !(is_fresh && is_annotation(mv))
        {
            self.in_moves = true;
            if let Some((mv, result)) = glued_result(mv) {
                game.word(mv, self.line);
                game.result = Some(result);
                self.in_moves = false;
                return true;
            }
            game.word(mv, self.line);
        } else if !is_fresh {
            self.in_moves = true;
        }
        false
    }
}

/// The move in a word of ASCII letters, digits, points and marks, without number and marks; `None`
/// if the word may be something else.
fn plain_move(word: &str) -> Option<&str> {
    let behind = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let mv = behind.trim_start_matches('.');
    let has_number = behind.len() < word.len();
    let has_points = mv.len() < behind.len();
    let mv = mv.trim_end_matches(['!', '?', '+', '#']);
    let is_of_it = |byte: u8| KINDS[usize::from(byte)] & (LETTER | DIGIT | EQUALS) != 0;
    let is_move = begins_with_letter(mv) && mv.bytes().all(is_of_it);
    (is_move && has_number == has_points).then_some(mv)
}

fn begins_with_letter(word: &str) -> bool {
    word.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
}

/// The place of the first byte from `at` on that is not a blank.
fn past_blanks(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at) == Some(&b' ') {
        at += 1;
    }
    at
}

/// Returns whether a word is the number of a move and points: `12.`, `12...`.
fn is_number(word: &str) -> bool {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    digits < word.len() && word.bytes().skip(digits).all(|byte| byte == b'.')
}

/// The end of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextEnd {
    /// The text ends with a whole game.
    Whole,
    /// It ends within a game, which has to be read again with more text.
    Open,
    /// It ends within a game that is too long to be read.
    TooLong,
}

/// The end of a comment.
enum CommentEnd {
    /// That of its brace, or of the text.
    Closed,
    /// The next game begins within it.
    NextGame,
    /// It is in the text that is still to come.
    OutOfText,
}

/// Returns whether a word is an annotation between moves: letters and points, without a digit, that are
/// no move of any game: `e.p.`, `mate`, `N` (a novelty), `ff` (a forfeit).
pub(super) fn is_annotation(word: &str) -> bool {
    const SHORT: [&str; 18] = [
        "ep", "e.p.", "e.p", "mate", "check", "ch", "ch.", "dbl", "dbl.ch", "dis", "N", "TN", "RR",
        "D", "ff", "resigns", "draw", "time",
    ];
    /// Letters of moves: pieces and files.
    const MOVES: &[u8] = b"abcdefghikxABCDEFHKNOPQR";
    if SHORT.iter().any(|it| it.eq_ignore_ascii_case(word)) {
        return word.len() > 1 || word != word.to_ascii_lowercase();
    }
    let is_text = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'.' | b'\'');
    // `ooo` is castling.
    let is_castling = word.trim_start_matches(['o', 'O']).is_empty();
    let is_own = |byte: &u8| byte.is_ascii_alphabetic() && !MOVES.contains(byte);
    word.len() > 2
        && !is_castling
        && word.as_bytes().iter().all(is_text)
        && word.bytes().any(|it| is_own(&it))
}

/// Marks after a move: `!?` and similar, and those of check and mate.
const MARKS: [char; 8] = ['!', '?', '！', '？', '+', '#', '†', '‡'];

/// The move in a word without its number (`12.`, `12...`, `１２、`), annotation glyph (`$6`) and
/// marks; `None` if nothing else remains.
fn bare_move(word: &str) -> Option<&str> {
    let is_digit = |c: char| c.is_ascii_digit() || ('０'..='９').contains(&c);
    let is_point = |c: char| ".…。．、:：".contains(c);
    let behind = word.trim_start_matches(is_digit);
    // `15+1` begins with a digit and is a move; so is `15.4`, where the point means `=`.
    let mv = if is_pawn_move(word) {
        word
    } else if behind.starts_with(is_point) {
        behind.trim_start_matches(is_point)
    } else if behind.is_empty() && is_move_number(word) {
        ""
    } else {
        word
    };
    let mv = mv.split('$').next().unwrap_or_default();
    let bare = mv.trim_end_matches(MARKS);
    let promotion = mv.get(..=bare.len()).filter(|mv| has_promotion_sign(mv));
    let mv = promotion.unwrap_or(bare);
    // Words such as `+-` are assessments; `--` is a pass.
    (mv == "--" || mv.contains(is_of_a_move)).then_some(mv)
}

/// Returns whether digits alone can be the number of a move: `5254` and `00` are moves.
fn is_move_number(digits: &str) -> bool {
    digits.chars().count() < 4 && !digits.starts_with(['0', '０'])
}

/// Returns whether a character can be part of a move: a letter, a digit, or a picture of a piece.
fn is_of_a_move(letter: char) -> bool {
    letter.is_alphanumeric() || ('♔'..='♟').contains(&letter)
}

/// Returns whether a word is the move of a stacked pawn with a point: two digits, point, digit. No
/// number followed by a move looks so: a single digit is no move.
fn is_pawn_move(word: &str) -> bool {
    let word = word.split('$').next().unwrap_or_default();
    match word.trim_end_matches(MARKS).as_bytes() {
        [pawn, file, b'.', to] => [pawn, file, to].iter().all(|it| (b'1'..=b'9').contains(it)),
        _ => false,
    }
}

/// The place of the first line in a comment that begins a game: behind a blank line as
/// [`is_safe_cut`] has it, and up to the place `doubtful` with any tag.
fn next_game(comment: &str, doubtful: usize) -> Option<usize> {
    let bytes = comment.as_bytes();
    let mut before = 0;
    for end in memchr_iter(b'\n', bytes) {
        let start = past_blanks(bytes, end + 1);
        if bytes.get(start) == Some(&b'[') {
            let line = comment[end + 1..].lines().next().unwrap_or_default();
            let is_first = comment[before..end].trim().is_empty() && before > 0;
            let is_tag = || match tag(&comment[start + 1..]) {
                Tag::Pair(_, _, behind) => {
                    let behind = behind.lines().next().unwrap_or_default().trim_start();
                    behind.is_empty() || behind.starts_with('[')
                }
                _ => false,
            };
            if is_first && is_safe_cut(line) || start < doubtful && is_tag() {
                return Some(end + 1);
            }
        }
        before = end + 1;
    }
    None
}

/// Returns whether a line behind a blank one begins a game in any context: it consists of
/// one tag `Event` or `Game`.
pub(super) fn is_safe_cut(line: &str) -> bool {
    let is_first = line.starts_with("[Event ") || line.starts_with("[Game ");
    is_first && matches!(tag(&line[1..]), Tag::Pair(_, _, behind) if behind.trim_end().is_empty())
}

/// The text after an opening bracket.
enum Tag<'t> {
    /// Name, value, and the text after the closing bracket.
    Pair(&'t str, Cow<'t, str>, &'t str),
    /// A name, and a value that is not closed on the line.
    Unclosed,
    /// No tag pair.
    None,
}

/// Reads a tag pair after its opening bracket if it fills its line and has neither escapes nor
/// unusual blanks, as almost all.
fn plain_tag(text: &str) -> Option<Tag<'_>> {
    let bytes = text.as_bytes();
    let name = bytes.iter().position(|byte| !is_of_a_name(*byte))?;
    let start = name + 2;
    if name == 0 || *bytes.get(name..start)? != *b" \"" {
        return None;
    }
    let is_end = |byte: &u8| matches!(byte, b'"' | b'\\' | b'\n');
    let end = start + bytes[start..].iter().position(is_end)?;
    let is_plain = matches!(bytes[end..], [b'"', b']'] | [b'"', b']', b'\n', ..]);
    is_plain.then(|| {
        let value = Cow::Borrowed(&text[start..end]);
        Tag::Pair(&text[..name], value, &text[end + 2..])
    })
}

/// Returns whether a byte can be part of the name of a tag.
fn is_of_a_name(byte: u8) -> bool {
    KINDS[usize::from(byte)] & (LETTER | DIGIT) != 0 || byte == b'_'
}

/// Reads a tag pair after its opening bracket. A missing bracket at the end of the line is
/// tolerated.
fn tag(text: &str) -> Tag<'_> {
    let text = trim_line(text);
    let length = text.bytes().take_while(|byte| is_of_a_name(*byte)).count();
    let (name, rest) = text.split_at(length);
    let Some(rest) = trim_line(rest).strip_prefix('"') else {
        return Tag::None;
    };
    if name.is_empty() {
        return Tag::None;
    }
    let bytes = rest.as_bytes();
    // The value up to `from` is in `value`, and is unescaped up to `at`.
    let (mut value, mut from, mut at) = (String::new(), 0, 0);
    while let Some(step) = memchr3(b'"', b'\\', b'\n', &bytes[at..]) {
        at += step;
        let after = &rest[at + 1..];
        if bytes[at] == b'\n' {
            break;
        } else if bytes[at] == b'\\' {
            match bytes.get(at + 1) {
                None => return Tag::Unclosed,
                Some(b'"' | b'\\') => {
                    value.push_str(&rest[from..at]);
                    from = at + 1;
                    at += 2;
                }
                Some(_) => at += 1,
            }
        } else if closes(after) {
            // Unescaped quotes within a value: the last quote closes it.
            let behind = trim_line(after);
            let behind = behind.strip_prefix(']').unwrap_or(behind);
            let rest = &rest[from..at];
            let value = if from == 0 {
                Cow::Borrowed(rest)
            } else {
                Cow::Owned(value + rest)
            };
            return Tag::Pair(name, value, behind);
        } else {
            at += 1;
        }
    }
    Tag::Unclosed
}

/// Returns whether a quote before `rest` closes its value.
fn closes(rest: &str) -> bool {
    let rest = trim_line(rest);
    rest.is_empty() || rest.starts_with([']', '\n'])
}

/// The text without the blanks before it on its line.
fn trim_line(text: &str) -> &str {
    text.trim_start_matches(|letter: char| letter.is_whitespace() && letter != '\n')
}
