//! UCCI 3.0 (the protocol of Chinese programs, by the authors of ElephantEye):
//! reading.

use std::time::Duration;

use super::command::{Command, Go, Thinking, count, duration, number, position, small_count};

/// Reads a line; times are in units of so many `milliseconds`. Never fails:
/// what is no command is [`Command::Wrong`].
pub(super) fn parse(line: &str, milliseconds: u64) -> Command {
    let words: Vec<&str> = line.split_whitespace().collect();
    let Some((&first, rest)) = words.split_first() else {
        return Command::Nothing;
    };
    match first {
        "ucci" => Command::Hello,
        "isready" => Command::IsReady,
        "setoption" => match rest {
            [name, value @ ..] => Command::SetOption {
                name: (*name).to_owned(),
                value: value.join(" "),
            },
            [] => Command::Wrong("an option is set by `setoption NAME VALUE`".to_owned()),
        },
        "position" => position(rest),
        "banmoves" => Command::Ban(rest.iter().map(|&mv| mv.to_owned()).collect()),
        "go" => go(rest, milliseconds),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "quit" => Command::Quit,
        // There is nothing to tell of the hash table.
        "probe" => Command::Nothing,
        other => Command::Wrong(format!("unknown command `{other}`")),
    }
}

fn go(words: &[&str], milliseconds: u64) -> Command {
    let mut go = Go::default();
    let mut remaining = None;
    let mut increment = None;
    let mut moves_to_go = None;
    let mut problems = Vec::new();
    let mut rest = words;
    while let Some((&word, left)) = rest.split_first() {
        rest = left;
        let mut units = || number(&mut rest, word, count, &mut problems);
        match word {
            "ponder" => go.ponder = true,
            // An offer of a draw: never taken.
            "draw" => {}
            "infinite" => go.infinite = true,
            "depth" if left.first() == Some(&"infinite") => {}
            "depth" => go.depth = number(&mut rest, word, small_count, &mut problems),
            "nodes" => go.nodes = units(),
            "time" => remaining = units(),
            "increment" => increment = units(),
            "movestogo" => {
                moves_to_go = number(&mut rest, word, small_count, &mut problems);
            }
            // The other side's clock says nothing about ours.
            "opptime" | "oppmovestogo" | "oppincrement" => {
                units();
            }
            other => problems.push(format!("unknown word `{other}` after `go`")),
        }
    }
    let time = |units| duration(units, milliseconds);
    go.thinking = match remaining.map(time) {
        None => Thinking::Unlimited,
        Some(remaining) => Thinking::Clock {
            remaining: [Some(remaining); 2],
            increment: [increment.map_or(Duration::ZERO, time); 2],
            // Of a clock with neither, all is for this move.
            moves_to_go: match (moves_to_go, increment) {
                (None, None) => Some(1),
                _ => moves_to_go.map(|moves| moves.max(1)),
            },
        },
    };
    go.problems = problems;
    Command::Go(Box::new(go))
}
