//! PGN text as events: tags, moves, results. Comments, variations' results and
//! numbers are passed over.

/// What a scanner finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event<'t> {
    /// A tag pair: name, value without escapes.
    Tag(&'t str, &'t str),
    /// A line that begins like a tag pair among tags and is none.
    Malformed,
    /// A move or another word of movetext.
    Move(&'t str),
    /// A result within movetext.
    Result(&'static str),
    /// The game is over.
    End,
}

/// Reads a file line by line.
#[derive(Debug, Default)]
pub(super) struct Scanner {
    /// The line in which the comment began that is open.
    comment: Option<String>,
    /// Open parentheses of variations.
    variations: u32,
    /// Whether movetext of the present game has begun.
    in_moves: bool,
}

impl Scanner {
    /// The beginning of a comment that was not closed.
    pub(super) fn open_comment(&self) -> Option<&str> {
        self.comment.as_deref()
    }

    /// Reads a line.
    pub(super) fn line(&mut self, line: &str, mut tell: impl FnMut(Event<'_>)) {
        // An escape: the line is for other programs.
        if self.comment.is_none() && line.starts_with('%') {
            return;
        }
        let mut rest = line;
        loop {
            if self.comment.is_some() {
                let Some(end) = rest.find('}') else {
                    return;
                };
                self.comment = None;
                rest = &rest[end + 1..];
            }
            rest = rest.trim_start();
            let Some(letter) = rest.chars().next() else {
                return;
            };
            let after = &rest[letter.len_utf8()..];
            match letter {
                ';' => return,
                '{' => {
                    self.comment = Some(line.to_owned());
                    rest = after;
                }
                '(' => {
                    self.variations = self.variations.saturating_add(1);
                    rest = after;
                }
                ')' => {
                    self.variations = self.variations.saturating_sub(1);
                    rest = after;
                }
                '[' => {
                    if let Some((name, value, behind)) = tag(after) {
                        if self.in_moves {
                            self.end(&mut tell);
                        }
                        tell(Event::Tag(name, &value));
                        rest = behind;
                    } else if self.in_moves {
                        rest = after;
                    } else {
                        tell(Event::Malformed);
                        return;
                    }
                }
                _ => {
                    let stop = |c: char| c.is_whitespace() || "{}();[".contains(c);
                    // A letter that stops a word and is none of the above is
                    // stepped over by itself.
                    let end = rest.find(stop).unwrap_or(rest.len());
                    let (word, behind) = rest.split_at(end.max(letter.len_utf8()));
                    self.word(word, &mut tell);
                    rest = behind;
                }
            }
        }
    }

    fn word(&mut self, word: &str, tell: &mut impl FnMut(Event<'_>)) {
        self.in_moves = true;
        let result = ["1-0", "0-1", "1/2-1/2", "*"].into_iter();
        let result = result.chain(["½-½"]).find(|result| *result == word);
        match result {
            Some(result) if self.variations == 0 => {
                tell(Event::Result(result));
                self.end(tell);
            }
            Some(_) => {}
            None => {
                // `12.e4`: the number is no part of the move.
                let mv = word.trim_start_matches(|c: char| c.is_ascii_digit());
                let mv = if mv.len() < word.len() && mv.starts_with('.') {
                    mv.trim_start_matches('.')
                } else {
                    word
                };
                if !mv.is_empty() && !mv.starts_with('$') {
                    tell(Event::Move(mv));
                }
            }
        }
    }

    fn end(&mut self, tell: &mut impl FnMut(Event<'_>)) {
        self.in_moves = false;
        self.variations = 0;
        tell(Event::End);
    }
}

/// A tag pair after its opening bracket: name, value, and what stands behind
/// the closing bracket. A bracket that is missing at the end of the line is not
/// missed.
fn tag(text: &str) -> Option<(&str, String, &str)> {
    let text = text.trim_start();
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
    let (name, rest) = text.split_at(end);
    let rest = rest.trim_start().strip_prefix('"')?;
    if name.is_empty() {
        return None;
    }
    let mut value = String::new();
    let mut letters = rest.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some((_, escaped @ ('"' | '\\'))) => value.push(escaped),
                Some((_, other)) => value.extend(['\\', other]),
                None => return None,
            },
            // Quotes within a value that nobody escaped: the last one closes.
            '"' if closes(&rest[at + 1..]) => {
                let behind = rest[at + 1..].trim_start();
                return Some((name, value, behind.strip_prefix(']').unwrap_or(behind)));
            }
            _ => value.push(letter),
        }
    }
    None
}

/// Whether a quote before `rest` closes its value.
fn closes(rest: &str) -> bool {
    let rest = rest.trim_start();
    rest.is_empty() || rest.starts_with(']')
}
