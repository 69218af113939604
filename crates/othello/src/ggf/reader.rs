//! Reads the properties of games from lines.

use std::collections::VecDeque;

use super::read_ggf;
use leitai_game::card::Rules;
use leitai_interchange::pgn::Game;
use leitai_interchange::{Damage, GameReader, Lines, TextError};

/// The maximum number of bytes of one game's properties.
const MAX_TEXT: usize = 1 << 20;

/// The maximum number of letters of a property's name.
const LONGEST_NAME: usize = 32;

/// A property: a name and the value in its brackets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Property {
    /// The name, as written.
    pub name: String,
    /// The value; line ends are blanks.
    pub value: String,
    /// The line where it begins, from 1.
    pub line: u64,
}

/// A game as in its file, of bounded size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawGgf {
    /// Number of the game in its file, from 1.
    pub number: u64,
    /// The line where it begins.
    pub line: u64,
    /// Its properties in their order, moves among them.
    pub properties: Vec<Property>,
    /// The reason why it cannot be read completely.
    pub damage: Option<&'static str>,
    text: usize,
}

impl RawGgf {
    /// The value of the first property with that name.
    pub fn get(&self, name: &str) -> Option<&str> {
        let mut properties = self.properties.iter();
        let found = properties.find(|property| property.name == name);
        found.map(|property| property.value.as_str())
    }

    fn add(&mut self, bytes: usize) -> bool {
        self.text += bytes;
        let fits = self.text <= MAX_TEXT;
        if !fits {
            self.damage
                .get_or_insert("it is longer than 1 MiB: is its `;)` missing?");
        }
        fits
    }
}

/// The state of the reader.
#[derive(Debug, Default)]
enum State {
    /// Between games; true if the last letter was a `(`.
    #[default]
    Outside,
    /// After `(`.
    Bracket,
    /// In a game, between properties.
    Game,
    /// In the name of a property.
    Name(Property),
    /// In the value of a property.
    Value(Property),
}

/// Reads the games of a file one by one, in bounded memory.
#[derive(Debug)]
pub struct GgfReader<'r> {
    lines: Lines<'r>,
    state: State,
    open: RawGgf,
    finished: VecDeque<RawGgf>,
    games: u64,
}

impl<'r> GgfReader<'r> {
    /// The games in `lines`.
    pub fn new(lines: Lines<'r>) -> Self {
        Self {
            lines,
            state: State::default(),
            open: RawGgf::default(),
            finished: VecDeque::new(),
            games: 0,
        }
    }

    /// The next game; `None` at the end of the file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn next_game(&mut self) -> Result<Option<RawGgf>, TextError> {
        loop {
            if let Some(game) = self.finished.pop_front() {
                return Ok(Some(game));
            }
            let Some((number, line)) = self.lines.next_line()? else {
                if !matches!(self.state, State::Outside | State::Bracket) {
                    self.finish_damaged("the file ends before its `;)`");
                }
                return Ok(self.finished.pop_front());
            };
            for letter in line.chars() {
                self.read_letter(letter, number);
            }
            self.read_letter('\n', number);
        }
    }

    fn read_letter(&mut self, letter: char, line: u64) {
        self.state = match (std::mem::take(&mut self.state), letter) {
            (State::Outside | State::Bracket, '(') => State::Bracket,
            (State::Bracket, ';') => self.begin(line),
            (State::Bracket, letter) if letter.is_whitespace() => State::Bracket,
            (State::Outside | State::Bracket, _) => State::Outside,
            (State::Game | State::Name(_), ')') => {
                self.finish();
                State::Outside
            }
            (State::Game | State::Name(_), '(') => {
                self.finish_damaged("another game begins before its `;)`");
                State::Bracket
            }
            (State::Game, letter) if letter.is_alphanumeric() => State::Name(Property {
                name: letter.to_string(),
                value: String::new(),
                line,
            }),
            (State::Game, '[') => {
                self.open
                    .damage
                    .get_or_insert("a value has no name before its `[`");
                State::Value(Property::default())
            }
            (State::Name(property), '[') => State::Value(property),
            (State::Name(mut property), letter) if letter.is_alphanumeric() => {
                if property.name.len() < LONGEST_NAME {
                    property.name.push(letter);
                }
                State::Name(property)
            }
            (State::Name(property), letter) if letter.is_whitespace() => State::Name(property),
            (State::Game | State::Name(_), _) => State::Game,
            (State::Value(property), '[') if property.value.ends_with("(;GM") => {
                self.finish_damaged("a value is never closed by `]`");
                self.begin(line);
                State::Value(Property {
                    name: "GM".to_owned(),
                    value: String::new(),
                    line,
                })
            }
            (State::Value(property), ']') => {
                if self.open.add(property.name.len()) {
                    self.open.properties.push(property);
                }
                State::Game
            }
            (State::Value(mut property), letter) => {
                if self.open.add(letter.len_utf8()) {
                    property
                        .value
                        .push(if letter.is_control() { ' ' } else { letter });
                }
                State::Value(property)
            }
        };
    }

    fn begin(&mut self, line: u64) -> State {
        self.games += 1;
        self.open = RawGgf {
            number: self.games,
            line,
            ..RawGgf::default()
        };
        State::Game
    }

    fn finish(&mut self) {
        self.finished.push_back(std::mem::take(&mut self.open));
        self.state = State::Outside;
    }

    fn finish_damaged(&mut self, reason: &'static str) {
        self.open.damage.get_or_insert(reason);
        self.finish();
    }
}

impl GameReader for GgfReader<'_> {
    fn next_game(&mut self, rules: Rules) -> Result<Option<Result<Game, Damage>>, TextError> {
        let raw = self.next_game()?;
        Ok(raw.map(|raw| read_ggf(&raw, self.lines.name(), rules)))
    }

    fn name(&self) -> &str {
        self.lines.name()
    }

    fn notes(&self) -> Vec<String> {
        self.lines.notes()
    }
}
