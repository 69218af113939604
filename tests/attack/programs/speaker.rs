//! The correct half of the mock: a player's answers in each protocol.

use std::fmt::Write as _;

use leitai_game::{Line, Move, Position, legal_moves};
use leitai_games::go::{Board, Colour, Point};
use leitai_games::othello::Othello;
use leitai_games::xiangqi::Xiangqi;

/// The moment of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    /// As the answer to the greeting.
    Greeting,
    /// As the answer to the first readiness query.
    Ready,
    /// As the answer to a later readiness query.
    Again,
    /// As the answer to a command that only passes information.
    SentGame,
    /// As the answer to the request for the first move of a game, or for the first solution.
    Go,
    /// As the answer to a later request.
    Later,
    /// At the end.
    Quit,
}

/// The correct reply.
pub(crate) struct Reply {
    pub(crate) moment: Moment,
    pub(crate) text: String,
    /// The move in the text.
    pub(crate) mv: String,
    /// A move of the other side, in the same form.
    pub(crate) others: String,
}

/// A player that speaks a protocol and plays the first legal move.
pub(crate) struct Speaker {
    protocol: String,
    xiangqi: Line<Xiangqi>,
    othello: Line<Othello>,
    go: Board,
    greeted: bool,
    asked: usize,
    moves: usize,
}

const GTP: &str = "protocol_version\nname\nversion\nlist_commands\nquit\nboardsize\nclear_board\nplay\n\
                   genmove\nset_game\nattack\ndefend";

impl Speaker {
    pub(crate) fn new(protocol: &str) -> Self {
        Self {
            protocol: protocol.to_owned(),
            xiangqi: Line::new(Xiangqi::initial()),
            othello: Line::new(Othello::initial()),
            go: Board::empty(19),
            greeted: false,
            asked: 0,
            moves: 0,
        }
    }

    /// The answer to a line, if there is one.
    pub(crate) fn answer(&mut self, line: &str) -> Option<Reply> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match self.protocol.as_str() {
            "uci" | "uci-cyclone" | "ucci" => self.uci(line, &words),
            "cecp" => self.cecp(line, &words),
            "nboard" => self.nboard(line, &words),
            _ => self.gtp(&words),
        }
    }

    #[expect(clippy::unnecessary_wraps, reason = "as every caller gives it on")]
    fn at(&mut self, moment: Moment, text: impl Into<String>) -> Option<Reply> {
        let moment = if moment == Moment::Ready {
            self.asked += 1;
            if self.asked == 1 {
                Moment::Ready
            } else {
                Moment::Again
            }
        } else {
            moment
        };
        let (mv, others) = Default::default();
        Some(Reply {
            moment,
            text: text.into(),
            mv,
            others,
        })
    }

    #[expect(clippy::unnecessary_wraps, reason = "as every caller gives it on")]
    /// The answer with a move in place of `{}`.
    fn moving(&mut self, text: &str, mv: String, others: String) -> Option<Reply> {
        self.moves += 1;
        let moment = if self.moves == 1 {
            Moment::Go
        } else {
            Moment::Later
        };
        let text = text.replace("{}", &mv);
        Some(Reply {
            moment,
            text,
            mv,
            others,
        })
    }

    fn uci(&mut self, line: &str, words: &[&str]) -> Option<Reply> {
        match words {
            ["uci"] => self.at(
                Moment::Greeting,
                "id name Mock 1\nid author Nobody\n\
                 option name Hash type spin default 16 min 1 max 64\nuciok",
            ),
            ["ucci"] => self.at(
                Moment::Greeting,
                "id name Mock 1\noption usemillisec type check default false\nucciok",
            ),
            ["isready"] => self.at(Moment::Ready, "readyok"),
            ["position" | "fen" | "startpos", ..] => {
                self.xiangqi = position(line);
                None
            }
            ["go", ..] => {
                let (mv, others) = both(&self.xiangqi);
                self.moving(
                    "info depth 2 nodes 40 score cp -7 pv h2e2\nbestmove {}",
                    mv,
                    others,
                )
            }
            ["quit"] if self.protocol == "ucci" => self.at(Moment::Quit, "bye"),
            ["quit"] => self.at(Moment::Quit, ""),
            _ => None,
        }
    }

    fn cecp(&mut self, line: &str, words: &[&str]) -> Option<Reply> {
        match words {
            ["protover", _] => self.at(Moment::Greeting, "feature ping=1 myname=\"Mock 1\" done=1"),
            ["ping", number] => self.at(Moment::Ready, format!("pong {number}")),
            ["new"] => {
                self.xiangqi = Line::new(Xiangqi::initial());
                None
            }
            ["setboard", ..] => {
                let fen = line.trim_start_matches("setboard ");
                self.xiangqi = Line::new(Xiangqi::from_fen(fen).unwrap());
                None
            }
            ["usermove", mv] => {
                let mv = self.xiangqi.position().parse_move(mv).unwrap();
                self.xiangqi.play(mv);
                None
            }
            ["go"] => {
                let (mv, others) = both(&self.xiangqi);
                self.xiangqi.play(first(&self.xiangqi));
                self.moving("2 -7 0 40 pv\nmove {}", mv, others)
            }
            ["quit"] => self.at(Moment::Quit, ""),
            _ => None,
        }
    }

    fn nboard(&mut self, line: &str, words: &[&str]) -> Option<Reply> {
        match words {
            ["ping", number] if !self.greeted => {
                self.greeted = true;
                let text = format!("set myname Mock\npong {number}");
                self.at(Moment::Greeting, text)
            }
            ["ping", number] => self.at(Moment::Ready, format!("pong {number}")),
            ["set", "game", ..] => {
                self.othello = game(line);
                None
            }
            ["move", mv] => {
                let mv = mv.split('/').next().unwrap_or_default();
                let mv = self.othello.position().parse_move(mv).unwrap();
                self.othello.play(mv);
                None
            }
            ["go"] => {
                let (mv, others) = both(&self.othello);
                let upper = |text: String| text.trim_end_matches("ss").to_uppercase();
                self.moving(
                    "status Thinking\nsearch {} +1.00 0   3\nnodestats 35 0.01\n=== {}/1.25/0.01\nstatus",
                    upper(mv),
                    upper(others),
                )
            }
            ["quit"] => self.at(Moment::Quit, ""),
            _ => None,
        }
    }

    fn gtp(&mut self, words: &[&str]) -> Option<Reply> {
        let (number, words) = words.split_first()?;
        let good = |text: &str| format!("={number} {text}\n");
        match words {
            ["name" | "version" | "protocol_version"] => self.at(Moment::SentGame, good("2")),
            ["list_commands"] => self.at(Moment::Greeting, good(GTP)),
            ["set_game", _] => self.at(Moment::SentGame, good("")),
            ["boardsize", size] => {
                self.go = Board::empty(size.parse().unwrap());
                self.at(Moment::SentGame, good(""))
            }
            ["clear_board"] => {
                self.othello = Line::new(Othello::initial());
                self.go = Board::empty(self.go.size());
                self.at(Moment::Again, good(""))
            }
            ["play", colour, mv] if self.protocol == "solver" => {
                let colour = if *colour == "black" {
                    Colour::Black
                } else {
                    Colour::White
                };
                self.go
                    .play(Point::from_name(mv, self.go.size()).unwrap(), colour);
                self.at(Moment::SentGame, good(""))
            }
            ["play", _, mv] => {
                let mv = self.othello.position().parse_move(mv).unwrap();
                self.othello.play(mv);
                self.at(Moment::SentGame, good(""))
            }
            ["genmove", _] => {
                let (mv, others) = both(&self.othello);
                self.othello.play(first(&self.othello));
                self.moving(&good("{}"), mv, others)
            }
            ["attack" | "defend", target] => {
                let target = Point::from_name(target, self.go.size()).unwrap();
                let liberties = self.go.liberties(target);
                let code = match liberties.len() {
                    1 => format!("1 {}", liberties.first().unwrap().name(self.go.size())),
                    _ => "0".to_owned(),
                };
                self.moving(&good("{}"), code, "1 Z9".to_owned())
            }
            ["quit"] => self.at(Moment::Quit, good("")),
            _ => self.at(Moment::SentGame, format!("?{number} unknown command\n")),
        }
    }
}

fn first<P: Position>(line: &Line<P>) -> Move {
    legal_moves(line.position())
        .first()
        .copied()
        .unwrap_or(Move::NULL)
}

/// The first legal move, and one that only the other side could make.
fn both<P: Position>(line: &Line<P>) -> (String, String) {
    let mut other = line.position().clone();
    let mut moves = P::Moves::default();
    if !other.in_check() {
        other.make_null();
        other.legal_moves(&mut moves);
    }
    let foreign = moves.into_iter().find(|&mv| !line.position().is_legal(mv));
    let text = |mv| P::move_text(mv);
    (
        text(first(line)),
        foreign.map_or_else(|| "a1".to_owned(), text),
    )
}

fn position(line: &str) -> Line<Xiangqi> {
    let rest = line.trim_start_matches("position ");
    let (start, moves) = rest.split_once(" moves ").unwrap_or((rest, ""));
    let start = match start.strip_prefix("fen ") {
        Some(fen) => Xiangqi::from_fen(fen).unwrap(),
        None => Xiangqi::initial(),
    };
    let mut line = Line::new(start);
    for mv in moves.split_whitespace() {
        line.play(line.position().parse_move(mv).unwrap());
    }
    line
}

/// The game of a `set game` in GGF.
fn game(text: &str) -> Line<Othello> {
    let at = text.find("BO[8 ").unwrap();
    let end = at + text[at..].find(']').unwrap();
    let mut line = Line::new(Othello::from_fen(&text[at + 5..end]).unwrap());
    let moves = text[end + 1..].split(";)").next().unwrap();
    for item in moves.split_terminator(']') {
        let (_, mv) = item.split_once('[').unwrap();
        let mv = mv.split('/').next().unwrap();
        line.play(line.position().parse_move(mv).unwrap());
    }
    line
}

/// Lines that a program may print in this protocol at any time, without meaning.
pub(crate) fn chatter(protocol: &str, number: usize) -> String {
    let mut text = String::new();
    let _ = match protocol {
        "cecp" => writeln!(text, "# thinking {number}"),
        "nboard" => writeln!(text, "status Thinking {number}"),
        "gtp" | "solver" => writeln!(text, "thinking {number}"),
        _ => writeln!(text, "info depth 1 nodes {number} score cp 0 pv h2e2"),
    };
    text
}

/// An option, or a command, that the program offers.
pub(crate) fn offer(protocol: &str, number: usize) -> String {
    match protocol {
        "ucci" => format!("option o{number} type check default false\n"),
        "cecp" => format!("feature option=\"o{number} -check 0\"\n"),
        "gtp" | "solver" => format!("command_{number}\n"),
        "nboard" => format!("set myname Mock{number}\n"),
        _ => format!("option name o{number} type check default false\n"),
    }
}
