//! Commands from the other program, independent of the protocol.

use std::time::Duration;

/// A parsed line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// An empty line, or one that needs no answer.
    Nothing,
    /// `uci`, `ucci`: identify the engine and list its options.
    Hello,
    /// `isready`.
    IsReady,
    /// `setoption`.
    SetOption {
        /// The option's name, verbatim.
        name: String,
        /// The option's value; empty for a button.
        value: String,
    },
    /// `ucinewgame`.
    NewGame,
    /// `position`.
    Position(PositionText),
    /// An invalid `position`, with the problem.
    NoPosition(String),
    /// `banmoves`: moves that are excluded until the next position.
    Ban(Vec<String>),
    /// `go`.
    Go(Box<Go>),
    /// `stop`: answer at once.
    Stop,
    /// `ponderhit`: the opponent played the expected move, and the clock starts.
    PonderHit,
    /// `quit`.
    Quit,
    /// A line that is not a valid command, with the problem.
    Wrong(String),
}

/// A position as received, without validation.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PositionText {
    /// The FEN; `None` for the usual start.
    pub fen: Option<String>,
    /// The moves after that position.
    pub moves: Vec<String>,
}

/// Time limit of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Thinking {
    /// No time limit.
    #[default]
    Unlimited,
    /// A fixed time.
    Move(Duration),
    /// The clocks of both sides, the first side's first; `None` if a side's clock is missing.
    Clock {
        /// Time left.
        remaining: [Option<Duration>; 2],
        /// Added after each move.
        increment: [Duration; 2],
        /// Moves until more time is added, at least 1; `None` if none is added.
        moves_to_go: Option<u32>,
    },
}

/// `go` and its limits.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Go {
    /// Search on the opponent's time until `ponderhit`.
    pub ponder: bool,
    /// Search until `stop`.
    pub infinite: bool,
    /// Depth limit, in plies.
    pub depth: Option<u32>,
    /// Node limit, never exceeded.
    pub nodes: Option<u64>,
    /// Search for a mate in this number of moves.
    pub mate: Option<u32>,
    /// Time limit.
    pub thinking: Thinking,
    /// The moves to search; empty for all.
    pub only: Vec<String>,
    /// Errors about unreadable parts, which are ignored.
    pub problems: Vec<String>,
}

/// Upper limit of times: longer than any clock, without overflow.
const LONGEST: Duration = Duration::from_secs(1_000_000_000);

/// Converts units of `milliseconds` each.
pub(super) fn duration(units: u64, milliseconds: u64) -> Duration {
    Duration::from_millis(units.saturating_mul(milliseconds)).min(LONGEST)
}

/// Parses a whole number, clamped to the range: a negative one (an expired clock) becomes 0, and
/// one too large becomes the maximum.
pub(super) fn count(text: &str) -> Option<u64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(if text.starts_with('-') {
        0
    } else {
        digits.parse().unwrap_or(u64::MAX)
    })
}

/// Parses a position: `startpos` or `fen F`, then `moves M...`. An invalid one must not leave the
/// old position in place, since the game has moved on.
pub(super) fn position(words: &[&str]) -> Command {
    let end = words.iter().position(|word| *word == "moves");
    let (place, moves) = match end {
        Some(end) => (&words[..end], &words[end + 1..]),
        None => (words, &[][..]),
    };
    let fen = match place {
        ["startpos"] => None,
        ["fen", fen @ ..] if !fen.is_empty() => Some(fen.join(" ")),
        _ => {
            return Command::NoPosition(
                "position refused: it is `startpos` or `fen F`, then perhaps `moves ...`"
                    .to_owned(),
            );
        }
    };
    Command::Position(PositionText {
        fen,
        moves: moves.iter().map(|&word| word.to_owned()).collect(),
    })
}
