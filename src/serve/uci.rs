//! UCI (Kahlen and Meyer-Kahlen 2006): reading.

use std::time::Duration;

use super::command::{Command, Go, Thinking, count, duration, number, position, small_count};

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

/// Reads a line. Never fails: what is no command is [`Command::Wrong`].
pub(super) fn parse(line: &str) -> Command {
    let words: Vec<&str> = line.split_whitespace().collect();
    // Without the word, as Cyclone sends it.
    if let ["startpos" | "fen", ..] = words[..] {
        return position(&words);
    }
    // Words before a command that is known are skipped, as the protocol asks.
    let known = words.iter().position(|word| COMMANDS.contains(word));
    let Some((&first, rest)) = words[known.unwrap_or(0)..].split_first() else {
        return Command::Nothing;
    };
    match first {
        "uci" => Command::Hello,
        "isready" => Command::IsReady,
        "setoption" => option(rest),
        "ucinewgame" => Command::NewGame,
        "position" => position(rest),
        "go" => go(rest),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "quit" => Command::Quit,
        "debug" | "register" => Command::Nothing,
        other => Command::Wrong(format!("unknown command `{other}`")),
    }
}

/// `name N value V`; both may have blanks in them.
fn option(words: &[&str]) -> Command {
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

fn go(words: &[&str]) -> Command {
    let mut go = Go::default();
    let mut remaining = [None; 2];
    let mut increment = [Duration::ZERO; 2];
    let mut moves_to_go = None;
    let mut movetime = None;
    let mut problems = Vec::new();
    let milliseconds = |units| duration(units, 1);
    let mut rest = words;
    while let Some((&word, left)) = rest.split_first() {
        rest = left;
        let mut units = || number(&mut rest, word, count, &mut problems);
        match word {
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "wtime" => remaining[0] = units().map(milliseconds),
            "btime" => remaining[1] = units().map(milliseconds),
            "winc" => increment[0] = milliseconds(units().unwrap_or(0)),
            "binc" => increment[1] = milliseconds(units().unwrap_or(0)),
            "movetime" => movetime = units().map(milliseconds),
            "nodes" => go.nodes = units(),
            "depth" => go.depth = number(&mut rest, word, small_count, &mut problems),
            "mate" => go.mate = number(&mut rest, word, small_count, &mut problems),
            "movestogo" => {
                moves_to_go = number(&mut rest, word, small_count, &mut problems);
            }
            "searchmoves" => {
                let end = rest.iter().position(|word| WORDS.contains(word));
                let (moves, left) = rest.split_at(end.unwrap_or(rest.len()));
                go.only.extend(moves.iter().map(|&mv| mv.to_owned()));
                if moves.is_empty() {
                    problems.push("`searchmoves` without a move".to_owned());
                }
                rest = left;
            }
            other => problems.push(format!("unknown word `{other}` after `go`")),
        }
    }
    go.thinking = match movetime {
        Some(time) => Thinking::Move(time),
        None if remaining == [None; 2] => Thinking::Unlimited,
        None => Thinking::Clock {
            remaining,
            increment,
            moves_to_go: moves_to_go.map(|moves| moves.max(1)),
        },
    };
    go.problems = problems;
    Command::Go(Box::new(go))
}
