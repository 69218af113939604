//! Parsers of UCI (Kahlen and Meyer-Kahlen 2006), and of UCCI 3.0 (the protocol of Chinese
//! programs, by the authors of `ElephantEye`).

use std::time::Duration;

use super::Protocol::{self, Ucci, Uci};
use super::command::{Command, Go, Thinking, count, duration, position};

/// The commands of UCI.
const COMMANDS: [&str; 11] = [
    "uci",
    "isready",
    "setoption",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "debug",
    "register",
];

/// Parses a line. UCCI times are in units of `milliseconds` milliseconds. Never fails: an invalid
/// command becomes [`Command::Wrong`].
pub(super) fn parse(protocol: Protocol, line: &str, milliseconds: u64) -> Command {
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut words = words.as_slice();
    if protocol == Uci {
        // Cyclone omits the word `position`.
        if let ["startpos" | "fen", ..] = words {
            return position(words);
        }
        // UCI requires engines to skip words before a known command.
        let known = words.iter().position(|word| COMMANDS.contains(word));
        words = &words[known.unwrap_or(0)..];
    }
    let Some((&first, rest)) = words.split_first() else {
        return Command::Nothing;
    };
    match (first, protocol) {
        ("uci", Uci) | ("ucci", Ucci) => Command::Hello,
        ("isready", _) => Command::IsReady,
        ("setoption", Uci) => named_option(rest),
        ("setoption", Ucci) => match rest {
            [name, value @ ..] => Command::SetOption {
                name: (*name).to_owned(),
                value: value.join(" "),
            },
            [] => Command::Wrong("an option is set by `setoption NAME VALUE`".to_owned()),
        },
        ("ucinewgame", Uci) => Command::NewGame,
        ("position", _) => position(rest),
        ("banmoves", Ucci) => Command::Ban(owned(rest)),
        ("go", _) => go(protocol, rest, milliseconds),
        ("stop", _) => Command::Stop,
        ("ponderhit", _) => Command::PonderHit,
        ("quit", _) => Command::Quit,
        // `probe` asks for hash table entries, which are not reported.
        ("debug" | "register", Uci) | ("probe", Ucci) => Command::Nothing,
        (other, _) => Command::Wrong(format!("unknown command `{other}`")),
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// Parses `name N value V`; both may contain blanks.
fn named_option(words: &[&str]) -> Command {
    let ["name", rest @ ..] = words else {
        return Command::Wrong("an option is set by `setoption name N value V`".to_owned());
    };
    let end = rest.iter().position(|word| *word == "value");
    let (name, value) = match end {
        Some(end) => (&rest[..end], &rest[end + 1..]),
        None => (rest, &[][..]),
    };
    Command::SetOption {
        name: name.join(" "),
        value: value.join(" "),
    }
}

/// The keywords after `go` in UCI.
const WORDS: [&str; 12] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
];

fn go(protocol: Protocol, words: &[&str], milliseconds: u64) -> Command {
    let mut go = Go::default();
    let (mut remaining, mut increment) = ([None; 2], [None; 2]);
    let (mut moves_to_go, mut movetime) = (None, None);
    let mut problems = Vec::new();
    let time = |units| duration(units, if protocol == Uci { 1 } else { milliseconds });
    let small = |number| u32::try_from(number).unwrap_or(u32::MAX);
    let mut rest = words;
    while let Some((&word, left)) = rest.split_first() {
        rest = left;
        let mut number = || number(&mut rest, word, &mut problems);
        match (word, protocol) {
            ("ponder", _) => go.ponder = true,
            ("infinite", _) => go.infinite = true,
            ("depth", Ucci) if left.first() == Some(&"infinite") => {}
            ("depth", _) => go.depth = number().map(small),
            ("nodes", _) => go.nodes = number(),
            ("movestogo", _) => moves_to_go = number().map(small),
            ("wtime", Uci) => remaining[0] = number().map(time),
            ("btime", Uci) => remaining[1] = number().map(time),
            ("winc", Uci) => increment[0] = number().map(time),
            ("binc", Uci) => increment[1] = number().map(time),
            ("movetime", Uci) => movetime = number().map(time),
            ("mate", Uci) => go.mate = number().map(small),
            ("searchmoves", Uci) => {
                let end = rest.iter().position(|word| WORDS.contains(word));
                let (moves, left) = rest.split_at(end.unwrap_or(rest.len()));
                go.only.extend(owned(moves));
                if moves.is_empty() {
                    problems.push("`searchmoves` without a move".to_owned());
                }
                rest = left;
            }
            // An offer of a draw: always ignored.
            ("draw", Ucci) => {}
            ("time", Ucci) => remaining = [number().map(time); 2],
            ("increment", Ucci) => increment = [number().map(time); 2],
            // The opponent's clock does not affect ours.
            ("opptime" | "oppmovestogo" | "oppincrement", Ucci) => {
                number();
            }
            (other, _) => problems.push(format!("unknown word `{other}` after `go`")),
        }
    }
    let moves_to_go = moves_to_go.map(|moves: u32| moves.max(1));
    // With neither moves to go nor an increment, or with one move to go, all time is for this move.
    let is_last =
        protocol == Ucci && increment == [None; 2] && moves_to_go.is_none_or(|moves| moves == 1);
    go.thinking = match movetime.or(remaining[0].filter(|_| is_last)) {
        Some(time) => Thinking::Move(time),
        None if remaining == [None; 2] => Thinking::Unlimited,
        None => Thinking::Clock {
            remaining,
            increment: increment.map(|time: Option<Duration>| time.unwrap_or_default()),
            moves_to_go,
        },
    };
    go.problems = problems;
    Command::Go(Box::new(go))
}

/// Takes the number after the word `name` from `rest`; an invalid one is added to `problems`.
fn number(rest: &mut &[&str], name: &str, problems: &mut Vec<String>) -> Option<u64> {
    let Some((word, left)) = rest.split_first() else {
        problems.push(format!("`{name}` without a number"));
        return None;
    };
    *rest = left;
    let number = count(word);
    if number.is_none() {
        problems.push(format!("`{name} {word}`: not a whole number"));
    }
    number
}
