//! A lexer that turns PGN text into events: tags, moves, results, and the beginnings of comments on
//! moves. It skips variations, numbers and annotations.

use super::{half_points, result_text};

/// A token of PGN text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event<'t> {
    /// A tag pair: name, unescaped value.
    Tag(&'t str, &'t str),
    /// A line among tags that begins like a tag pair and is none.
    Malformed,
    /// A move of the main line, or another word of movetext.
    Move(&'t str),
    /// The beginning of a comment on the main line.
    Comment(&'t str),
    /// The result at the end of movetext.
    Result(&'static str),
    /// The missing closing mark, without which the game is incomplete.
    Unclosed(&'static str),
    /// End of the game.
    End,
}

/// Largest number of characters kept of a comment: engine output in comments is short.
const LONGEST_COMMENT: usize = 120;

/// Characters that end a word of movetext and are not part of it.
const STOPS: &str = "{}();[,，";

/// Marks after a move: `!?` and similar, and those of check and mate.
const MARKS: [char; 6] = ['!', '?', '！', '？', '+', '#'];

/// Reads a file line by line, in linear time.
#[derive(Debug, Default)]
pub(super) struct Lexer {
    /// The line in which the open comment began.
    comment: Option<String>,
    /// The beginning of that comment, or of the last one.
    comment_text: String,
    /// Open parentheses of variations.
    variations: u32,
    /// True if movetext of the current game has begun.
    in_moves: bool,
    /// True if the last line was blank.
    after_blank: bool,
}

impl Lexer {
    /// The line in which the open comment began, if there is one.
    pub(super) fn open_comment(&self) -> Option<&str> {
        self.comment.as_deref()
    }

    /// Reports open comments and games at the end of the file.
    pub(super) fn finish(&mut self, emit: &mut impl FnMut(Event<'_>)) {
        if self.comment.is_some() {
            emit(Event::Unclosed(COMMENT));
        }
        self.end(emit);
    }

    pub(super) fn line(&mut self, line: &str, mut emit: impl FnMut(Event<'_>)) {
        let after_blank = std::mem::replace(&mut self.after_blank, line.trim().is_empty());
        if self.comment.is_some() && after_blank && begins_a_game(line) {
            // The closing brace is missing; the following games are still valid.
            self.comment = None;
            emit(Event::Unclosed(COMMENT));
            self.end(&mut emit);
        }
        // An escape: the line is for other programs.
        if self.comment.is_none() && line.starts_with('%') {
            return;
        }
        // If a value is not closed on its line, no later one on that line is, so that they need no
        // further checks.
        let mut tags_are_possible = true;
        let mut rest = line;
        loop {
            if self.comment.is_some() {
                let end = rest.find('}');
                let room = LONGEST_COMMENT.saturating_sub(self.comment_text.len());
                let text = &rest[..end.unwrap_or(rest.len())];
                self.comment_text
                    .extend(text.chars().chain([' ']).take(room));
                let Some(end) = end else {
                    return;
                };
                self.comment = None;
                rest = &rest[end + 1..];
                if self.in_moves && self.variations == 0 {
                    emit(Event::Comment(&self.comment_text));
                }
            }
            rest = rest.trim_start();
            let Some(letter) = rest.chars().next() else {
                return;
            };
            let after = &rest[letter.len_utf8()..];
            let mut next = after;
            match letter {
                ';' => return,
                '{' => {
                    // Enough of the line for a message.
                    self.comment = Some(line.chars().take(200).collect());
                    self.comment_text.clear();
                }
                '(' => self.variations = self.variations.saturating_add(1),
                ')' => self.variations = self.variations.saturating_sub(1),
                '[' => match tags_are_possible.then(|| tag(after)) {
                    Some(Tag::Pair(name, value, behind)) => {
                        if self.in_moves {
                            self.end(&mut emit);
                        }
                        emit(Event::Tag(name, &value));
                        next = behind;
                    }
                    _ if !self.in_moves => {
                        emit(Event::Malformed);
                        return;
                    }
                    other => tags_are_possible &= !matches!(other, Some(Tag::Unclosed)),
                },
                _ => {
                    let stop = |c: char| c.is_whitespace() || STOPS.contains(c);
                    // Skip a character that ends a word and is none of the above.
                    let end = rest.find(stop).unwrap_or(rest.len());
                    let (word, behind) = rest.split_at(end.max(letter.len_utf8()));
                    self.word(word, &mut emit);
                    next = behind;
                }
            }
            rest = next;
        }
    }

    fn word(&mut self, word: &str, emit: &mut impl FnMut(Event<'_>)) {
        self.in_moves = true;
        if self.variations > 0 {
            return;
        }
        if let Some(result) = result(word) {
            emit(Event::Result(result));
            self.end(emit);
        } else if let Some(mv) = bare_move(word) {
            emit(Event::Move(mv));
        }
    }

    fn end(&mut self, emit: &mut impl FnMut(Event<'_>)) {
        if self.variations > 0 {
            emit(Event::Unclosed(VARIATION));
        }
        self.in_moves = false;
        self.variations = 0;
        emit(Event::End);
    }
}

const VARIATION: &str = "a variation, opened by `(`, is never closed";
const COMMENT: &str = "a comment, opened by `{`, is never closed";

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
    } else if behind.is_empty() {
        ""
    } else {
        word
    };
    let mv = mv.split('$').next().unwrap_or_default();
    let mv = mv.trim_end_matches(MARKS);
    // Words such as `+-` are assessments; `--` is a pass.
    (mv == "--" || mv.contains(char::is_alphanumeric)).then_some(mv)
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

/// The result in a word, in the form of PGN.
fn result(word: &str) -> Option<&'static str> {
    let points = half_points(word);
    (word == "*" || points.is_some()).then(|| result_text(points))
}

/// Returns whether a line consists of one tag pair that typically begins a game.
fn begins_a_game(line: &str) -> bool {
    let starts = [
        "Game", "Event", "Site", "Date", "Round", "Red", "White", "Black",
    ];
    let tag = line.trim().strip_prefix('[').map(tag);
    matches!(tag, Some(Tag::Pair(name, _, "")) if starts.contains(&name))
}

/// The text after an opening bracket.
enum Tag<'t> {
    /// Name, value, and the text after the closing bracket.
    Pair(&'t str, String, &'t str),
    /// A name, and a value that is not closed on the line.
    Unclosed,
    /// No tag pair.
    None,
}

/// Reads a tag pair after its opening bracket. A missing bracket at the end of the line is
/// tolerated.
fn tag(text: &str) -> Tag<'_> {
    let text = text.trim_start();
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let (name, rest) = text.split_at(text.find(|c| !is_name(c)).unwrap_or(text.len()));
    let Some(rest) = rest.trim_start().strip_prefix('"') else {
        return Tag::None;
    };
    if name.is_empty() {
        return Tag::None;
    }
    let mut value = String::new();
    let mut letters = rest.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some((_, escaped @ ('"' | '\\'))) => value.push(escaped),
                Some((_, other)) => value.extend(['\\', other]),
                None => return Tag::Unclosed,
            },
            // Unescaped quotes within a value: the last quote closes it.
            '"' if closes(&rest[at + 1..]) => {
                let behind = rest[at + 1..].trim_start();
                let behind = behind.strip_prefix(']').unwrap_or(behind);
                return Tag::Pair(name, value, behind);
            }
            _ => value.push(letter),
        }
    }
    Tag::Unclosed
}

/// Returns whether a quote before `rest` closes its value.
fn closes(rest: &str) -> bool {
    let rest = rest.trim_start();
    rest.is_empty() || rest.starts_with(']')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(text: &str) -> Vec<String> {
        let mut lexer = Lexer::default();
        let mut found = Vec::new();
        for line in text.lines() {
            lexer.line(line, |event| found.extend(told(event)));
        }
        lexer.finish(&mut |event| found.extend(told(event)));
        found
    }

    /// The text of all events except comments.
    fn told(event: Event<'_>) -> Option<String> {
        Some(match event {
            Event::Tag(name, value) => format!("{name}={value}"),
            Event::Move(mv) => mv.to_owned(),
            Event::Result(result) => result.to_owned(),
            Event::Unclosed(what) => format!("! {what}"),
            Event::Malformed => "malformed".to_owned(),
            Event::End => ".".to_owned(),
            Event::Comment(_) => return None,
        })
    }

    #[test]
    fn numbers_marks_and_glyphs_are_no_part_of_a_move() {
        for (word, mv) in [
            ("1.h2e2", "h2e2"),
            ("１２、炮二平五", "炮二平五"),
            ("3...H8+7!?", "H8+7"),
            ("…马８进７", "马８进７"),
            ("15+1", "15+1"),
            ("15.4", "15.4"),
            ("15.4!", "15.4"),
            ("3.15.4", "15.4"),
            ("15.C2.5", "C2.5"),
            ("++=4", "++=4"),
            ("C2=5$14", "C2=5"),
            ("C2=5+", "C2=5"),
            ("１卒平4", "１卒平4"),
            ("--", "--"),
        ] {
            assert_eq!(bare_move(word), Some(mv), "{word}");
        }
        for word in ["12", "12.", "１", "...", "…", "$3", "!!", "+-", "±", "="] {
            assert_eq!(bare_move(word), None, "{word}");
        }
    }

    #[test]
    fn side_lines_are_skipped() {
        assert_eq!(
            events("1. a 红胜 b 和棋 ½-½ 1/2"),
            [
                "a", "1-0", ".", "b", "1/2-1/2", ".", "1/2-1/2", ".", "1/2-1/2", ".", "."
            ]
        );
        assert_eq!(
            events("1. a {x 1-0 (} b (c (d 1-0) e) f ; g\n% h\n2. i,j 1-0 k"),
            ["a", "b", "f", "i", "j", "1-0", ".", "k", "."]
        );
    }

    #[test]
    fn unclosed_parts_end_with_their_game() {
        assert_eq!(
            events("a (b\n[Event \"x\"]\nc {d\n\n[Event \"y\"]\n\n{e\n[Event \"z\"]"),
            [
                "a",
                "! a variation, opened by `(`, is never closed",
                ".",
                "Event=x",
                "c",
                "! a comment, opened by `{`, is never closed",
                ".",
                "Event=y",
                "! a comment, opened by `{`, is never closed",
                "."
            ]
        );
    }

    #[test]
    fn a_long_line_of_unclosed_tags_takes_no_longer_than_others() {
        let text = "x ".to_owned() + &"[a \"".repeat(200_000);
        let start = std::time::Instant::now();
        assert_eq!(events(&text)[0], "x");
        assert!(start.elapsed().as_secs() < 5, "linear time");
    }
}
