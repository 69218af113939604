//! One game as PGN, the text that game viewers read.
//!
//! The tags, and in Xiangqi their order, are those of `XQWizard` (`cchess/pgnfile.cpp` in
//! <https://github.com/xqbase/eleeye>), and the seven tags that the PGN standard requires are
//! always included. The text depends on the game alone, not on the current time.

use std::fmt;

use super::{MoveComment, result_text};
use leitai_game::card::AnyPosition;
use leitai_game::{Move, Side, Verdict};

/// Width of movetext in columns.
const WIDTH: usize = 80;

/// Known data of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PgnPlayer<'a> {
    /// The name.
    pub name: Option<&'a str>,
    /// Team or club.
    pub team: Option<&'a str>,
    /// The rating.
    pub elo: Option<i32>,
}

/// Known data of a game other than the moves. If unknown, tags that the standard requires are
/// written with a question mark, and others are omitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PgnTags<'a> {
    /// The tournament.
    pub event: Option<&'a str>,
    /// The round, or the game's number within the event.
    pub round: Option<&'a str>,
    /// The day, `YYYY.MM.DD`.
    pub date: Option<&'a str>,
    /// The place.
    pub site: Option<&'a str>,
    /// The players, first mover first.
    pub players: [PgnPlayer<'a>; 2],
    /// The opening's number in a classification (Xiangqi: ECCO).
    pub opening_code: Option<&'a str>,
    /// The opening's name.
    pub opening: Option<&'a str>,
    /// The name of the opening's variation.
    pub variation: Option<&'a str>,
    /// Additional tags, name and value, after all others.
    pub extra: &'a [(&'a str, &'a str)],
}

/// The recorded end of a game: `*` if it has not ended, or the result is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PgnEnding<'a> {
    /// Half points of the first mover, 0 to 2.
    pub points: Option<u8>,
    /// The reason of the end.
    pub termination: Option<&'a str>,
}

impl<'a> From<&'a Verdict> for PgnEnding<'a> {
    fn from(verdict: &'a Verdict) -> Self {
        Self {
            points: Some(verdict.half_points(Side::First)),
            termination: Some(verdict.cause.name()),
        }
    }
}

/// One game. Its [`Display`](fmt::Display) is the PGN text with a line break at the end; games in a
/// file are separated by a blank line.
#[derive(Clone, Copy, Debug)]
pub struct WrittenGame<'a> {
    /// Names, place, time.
    pub tags: PgnTags<'a>,
    /// The position before the first move.
    pub start: &'a dyn AnyPosition,
    /// The moves, each legal in its position.
    pub moves: &'a [Move],
    /// Search data of the moves, from the first on.
    pub searched: &'a [MoveComment],
    /// The end of the game.
    pub ending: PgnEnding<'a>,
    /// The notation of the moves: its index in the [`PgnStyle`](leitai_game::card::PgnStyle).
    pub notation: usize,
}

impl fmt::Display for WrittenGame<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_tags(f)?;
        writeln!(f)?;
        self.write_moves(f)
    }
}

impl WrittenGame<'_> {
    fn result(&self) -> &'static str {
        result_text(self.ending.points)
    }

    fn write_tags(&self, out: &mut impl fmt::Write) -> fmt::Result {
        let style = &self.start.card().facts().pgn;
        let mut tags = self.list_tags();
        if !style.is_game_first {
            let [first, second] = style.players;
            let roster = ["Event", "Site", "Date", "Round", first, second, "Result"];
            let rank = |name: &str| roster.iter().position(|it| *it == name);
            tags.sort_by_key(|(name, _)| rank(name).unwrap_or(roster.len()));
        }
        let mut tags = tags.iter();
        tags.try_for_each(|(name, value)| write_tag(out, name, value))
    }

    /// The tags in the order of Xiangqi programs.
    fn list_tags(&self) -> Vec<(String, String)> {
        let tags = &self.tags;
        let style = &self.start.card().facts().pgn;
        let mut list = Vec::new();
        let mut add = |name: &str, value: Option<&str>| {
            list.extend(value.map(|value| (name.to_owned(), value.to_owned())));
        };
        add("Game", Some(style.game));
        add("Event", tags.event.or(Some("?")));
        add("Round", tags.round.or(Some("?")));
        add("Date", tags.date.or(Some("????.??.??")));
        add("Site", tags.site.or(Some("?")));
        for (player, side) in tags.players.iter().zip(style.players) {
            add(&format!("{side}Team"), player.team);
            add(side, player.name.or(Some("?")));
            let elo = player.elo.map(|elo| elo.to_string());
            add(&format!("{side}Elo"), elo.as_deref());
        }
        add("Result", Some(self.result()));
        add(style.opening_code, tags.opening_code);
        add("Opening", tags.opening);
        add("Variation", tags.variation);
        if *self.start != *self.start.card().initial() {
            for (name, value) in self.start.pgn_tags() {
                add(name, Some(value));
            }
            add("FEN", Some(&self.start.to_fen()));
        }
        add("Format", style.format(self.notation));
        add("Termination", self.ending.termination);
        add("PlyCount", Some(&self.moves.len().to_string()));
        for (name, value) in tags.extra {
            // A tag occurs once.
            if list
                .iter()
                .all(|(known, _)| !known.eq_ignore_ascii_case(name))
            {
                list.push(((*name).to_owned(), (*value).to_owned()));
            }
        }
        list
    }

    fn write_moves(&self, out: &mut impl fmt::Write) -> fmt::Result {
        let mut lines = Wrapped { out, column: 0 };
        let mut position = self.start.boxed();
        // Numbers continue those of the position (PGN standard, section 8.2.2).
        let mut number = self.start.first_number();
        for (ply, &mv) in self.moves.iter().enumerate() {
            let text = position.written(mv, self.notation);
            let is_first = position.side_to_move() == Side::First;
            match (is_first, ply) {
                (true, _) => lines.word(&format!("{number}. {text}"))?,
                (false, 0) => lines.word(&format!("{number}... {text}"))?,
                (false, _) => lines.word(&text)?,
            }
            number = number.saturating_add(u32::from(!is_first));
            position.play(mv);
            let comment = self.searched.get(ply).map(MoveComment::comment);
            if let Some(comment) = comment.filter(|it| !it.is_empty()) {
                let comment = format!("{{{comment}}}");
                comment.split(' ').try_for_each(|word| lines.word(word))?;
            }
        }
        lines.word(self.result())?;
        lines.out.write_char('\n')
    }
}

/// Writes one tag pair. Quotes and backslashes are escaped, control characters become blanks: a
/// value is one line.
fn write_tag(out: &mut impl fmt::Write, name: &str, value: &str) -> fmt::Result {
    write!(out, "[{name} \"")?;
    for letter in value.chars() {
        match letter {
            '"' | '\\' => write!(out, "\\{letter}")?,
            _ if letter.is_control() => out.write_char(' ')?,
            _ => out.write_char(letter)?,
        }
    }
    writeln!(out, "\"]")
}

/// Words wrapped into lines of [`WIDTH`] columns.
struct Wrapped<'a, W> {
    out: &'a mut W,
    column: usize,
}

impl<W: fmt::Write> Wrapped<'_, W> {
    fn word(&mut self, word: &str) -> fmt::Result {
        let columns = columns(word);
        if self.column > 0 {
            if self.column + 1 + columns > WIDTH {
                self.out.write_char('\n')?;
                self.column = 0;
            } else {
                self.out.write_char(' ')?;
                self.column += 1;
            }
        }
        self.column += columns;
        self.out.write_str(word)
    }
}

/// Columns of a word; a Chinese character takes two.
fn columns(word: &str) -> usize {
    let wide = word.chars().filter(|letter| !letter.is_ascii()).count();
    word.chars().count() + wide
}
