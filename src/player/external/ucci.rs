//! The Universal Chinese Chess Protocol, version 3.0 (xqbase).

use std::time::Duration;

use super::codec::{Ask, Greeting, Heard, Info, ProtocolCodec};
use super::offer::{Offer, OptionKind};
use super::uci::{info, position};
use crate::player::TimeBudget;

pub(crate) struct Ucci {
    milliseconds: bool,
}

impl Ucci {
    pub(crate) fn new(milliseconds: bool) -> Self {
        Self { milliseconds }
    }

    fn time(&self, time: Duration) -> u128 {
        if self.milliseconds {
            time.as_millis()
        } else {
            time.as_secs().into()
        }
    }
}

impl ProtocolCodec for Ucci {
    fn hello(&mut self) -> Vec<String> {
        vec!["ucci".to_owned()]
    }

    fn welcome(&self) -> &'static str {
        "ucciok"
    }

    fn greeting(&mut self, line: &str) -> Vec<Greeting> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["id", "name", name @ ..] => vec![Greeting::Name(name.join(" "))],
            ["id", "author", author @ ..] => vec![Greeting::Author(author.join(" "))],
            ["option", rest @ ..] if !rest.is_empty() => {
                vec![Greeting::Offers(Offer::ucci(&rest.join(" ")))]
            }
            ["ucciok"] => vec![Greeting::Done],
            _ => Vec::new(),
        }
    }

    fn option(&mut self, kind: OptionKind, name: &str, value: &str) -> String {
        match kind {
            OptionKind::Button => format!("setoption {name}"),
            _ => format!("setoption {name} {value}"),
        }
    }

    fn required_options(&self) -> &'static [(&'static str, &'static str)] {
        if self.milliseconds {
            &[("usemillisec", "true")]
        } else {
            &[("usemillisec", "false")]
        }
    }

    fn learn(&mut self, offers: &[Offer]) {
        // Times are in seconds unless the program can be told otherwise.
        self.milliseconds &= offers.iter().any(|offer| offer.is_called("usemillisec"));
    }

    fn tells_seconds(&self) -> bool {
        !self.milliseconds
    }

    fn new_game(&mut self, _: &Ask) -> Vec<String> {
        Vec::new()
    }

    fn ping(&mut self) -> String {
        "isready".to_owned()
    }

    fn pong(&self) -> &'static str {
        "readyok"
    }

    fn go(&mut self, ask: &Ask) -> Vec<String> {
        // The protocol knows one kind of limit at a time; configs are held to it.
        let budget = ask.budget;
        let go = match (budget.time, budget.nodes, budget.depth) {
            (Some(TimeBudget::Move(time)), ..) => {
                format!("go time {} movestogo 1", self.time(time))
            }
            (
                Some(TimeBudget::Clock {
                    remaining,
                    opponent,
                    increment,
                }),
                ..,
            ) => {
                let (own, other) = (self.time(remaining), self.time(opponent));
                let more = self.time(increment);
                format!("go time {own} increment {more} opptime {other} oppincrement {more}")
            }
            (None, Some(nodes), _) => format!("go nodes {nodes}"),
            (None, None, Some(depth)) => format!("go depth {depth}"),
            (None, None, None) => "go infinite".to_owned(),
        };
        vec![position(ask), go]
    }

    fn stop(&mut self) -> Option<String> {
        Some("stop".to_owned())
    }

    fn hear(&mut self, line: &str) -> Heard {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["bestmove", _, rest @ ..] if rest.contains(&"resign") => Heard::Resigns,
            ["bestmove", mv, ..] => Heard::Move((*mv).to_owned(), Info::default()),
            ["bestmove"] => Heard::Malformed,
            ["nobestmove", ..] => Heard::Refuses,
            ["info", rest @ ..] => Heard::Info(info(rest)),
            _ => Heard::Nothing,
        }
    }
}
