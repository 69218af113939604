//! Commands and replies of the Go Text Protocol (Farneback, version 2) for any game: a command
//! carries a number; its reply begins with `=` or `?` and that number, continues over any number of
//! lines and ends with an empty one.

use std::collections::VecDeque;

/// Number of the first command. Replies of engines that omit the number begin with a small number
/// at most.
const FIRST: u32 = 101;

/// Pending commands, oldest first.
#[derive(Debug)]
pub struct Exchange<T> {
    next: u32,
    asked: VecDeque<Command<T>>,
    /// True inside a reply.
    within: bool,
}

/// A pending command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command<T> {
    number: u32,
    /// The purpose of the command.
    pub purpose: T,
    /// The text without the number.
    pub(crate) text: String,
}

/// The contents of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part<T> {
    /// Start of a reply: its command, whether it succeeded, and the rest of the line.
    Begins(Command<T>, bool, String),
    /// The reply continues.
    Continues,
    /// The reply ends.
    Ends,
    /// A line outside of replies to pending commands.
    Stray,
}

impl<T> Default for Exchange<T> {
    fn default() -> Self {
        Self {
            next: FIRST,
            asked: VecDeque::new(),
            within: false,
        }
    }
}

impl<T> Exchange<T> {
    /// Registers a command and returns its text with the number.
    pub fn ask(&mut self, purpose: T, text: impl Into<String>) -> String {
        let (number, text) = (self.next, text.into());
        self.next = self.next.checked_add(1).unwrap_or(FIRST);
        let line = format!("{number} {text}");
        self.asked.push_back(Command {
            number,
            purpose,
            text,
        });
        line
    }

    /// Parses a line of the engine.
    pub fn parse_line(&mut self, line: &str) -> Part<T> {
        let line = line.trim_end();
        let (obeyed, rest) = match (line.strip_prefix('='), line.strip_prefix('?')) {
            (Some(rest), _) => (true, rest),
            (_, Some(rest)) => (false, rest),
            // A line outside of replies, such as a log line.
            (None, None) => {
                let (within, ends) = (self.within, line.is_empty());
                self.within = within && !ends;
                return match (within, ends) {
                    (true, true) => Part::Ends,
                    (true, false) => Part::Continues,
                    (false, _) => Part::Stray,
                };
            }
        };
        let found = self.command(rest, obeyed);
        self.within = found.is_some();
        found.map_or(Part::Stray, |(command, text)| {
            Part::Begins(command, obeyed, text.trim().to_owned())
        })
    }

    /// The command of a reply, and the reply's text. Engines reply in order: older commands have
    /// got no reply.
    fn command<'l>(&mut self, rest: &'l str, obeyed: bool) -> Option<(Command<T>, &'l str)> {
        // Edax writes a blank before the number; others leave the number out.
        let text = rest.trim_start();
        let is_numbered = rest.starts_with(|c: char| c.is_ascii_digit());
        let end = text.find(|c: char| !c.is_ascii_digit());
        let (digits, behind) = text.split_at(end.unwrap_or(text.len()));
        let number = digits.parse::<u32>().ok();
        let under_way = |number| self.asked.iter().position(|it| it.number == number);
        if let Some(place) = number.and_then(under_way) {
            self.asked.drain(..place);
            return Some((self.asked.pop_front()?, behind));
        }
        if is_numbered && obeyed {
            return None;
        }
        // Edax numbers some refusals wrongly.
        let is_number = number.is_some() && !obeyed;
        let command = self.asked.pop_front()?;
        Some((command, if is_number { behind } else { text }))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn begun(part: Part<char>) -> (char, bool, String) {
        match part {
            Part::Begins(command, obeyed, text) => (command.purpose, obeyed, text),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn answers_find_their_commands() {
        let mut exchange = Exchange::default();
        let sent: Vec<String> = "abcdefg"
            .chars()
            .map(|it| exchange.ask(it, "x y"))
            .collect();
        assert_eq!((sent[0].as_str(), sent[6].as_str()), ("101 x y", "107 x y"));
        let mut parse = |line: &str| begun(exchange.parse_line(line));
        assert_eq!(parse("=101 D3"), ('a', true, "D3".to_owned()));
        assert_eq!(
            parse("?102 illegal move"),
            ('b', false, "illegal move".to_owned())
        );
        // The forms of Edax and of engines that omit numbers.
        assert_eq!(parse("= 103 f6"), ('c', true, "f6".to_owned()));
        assert_eq!(parse("= 4.6"), ('d', true, "4.6".to_owned()));
        assert_eq!(parse("= 2"), ('e', true, "2".to_owned()));
        assert_eq!(
            parse("? 1 wrong color"),
            ('f', false, "wrong color".to_owned())
        );
        assert_eq!(parse("=107"), ('g', true, String::new()));
        assert_eq!(exchange.parse_line("= D3"), Part::Stray);
    }

    #[test]
    fn a_second_answer_is_ignored_and_a_missing_one_is_skipped() {
        let mut exchange = Exchange::default();
        for purpose in ['a', 'b', 'c'] {
            exchange.ask(purpose, "x");
        }
        assert_eq!(begun(exchange.parse_line("=101 D3")).0, 'a');
        assert_eq!(exchange.parse_line(""), Part::Ends);
        assert_eq!(exchange.parse_line("=101 E3"), Part::Stray);
        assert_eq!(exchange.parse_line(""), Part::Stray);
        assert_eq!(begun(exchange.parse_line("=103 F3")).0, 'c');
        assert_eq!(
            exchange.parse_line("?102 late"),
            Part::Stray,
            "nothing is under way"
        );
    }

    #[test]
    fn an_answer_of_many_lines_ends_with_an_empty_one() {
        let mut exchange = Exchange::default();
        exchange.ask('a', "list_commands");
        assert_eq!(exchange.parse_line("Welcome"), Part::Stray);
        assert_eq!(begun(exchange.parse_line("=101 play")).2, "play");
        assert_eq!(exchange.parse_line("genmove"), Part::Continues);
        assert_eq!(exchange.parse_line("  "), Part::Ends);
        assert_eq!(exchange.parse_line(""), Part::Stray);
    }

    proptest! {
        #[test]
        fn no_line_panics(lines in prop::collection::vec("[=? ]{0,2}[0-9]{0,12}.{0,8}", 0..8)) {
            let mut exchange = Exchange::default();
            exchange.ask('a', "x");
            exchange.ask('b', "x");
            for line in lines {
                exchange.parse_line(&line);
            }
        }
    }
}
