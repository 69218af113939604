//! What the other program can ask for, whatever the protocol.

use std::time::Duration;

/// One line, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// An empty line, or one that needs no answer.
    Nothing,
    /// `uci`, `ucci`: say who you are and what can be set.
    Hello,
    /// `isready`.
    IsReady,
    /// `setoption`.
    SetOption {
        /// The option's name, as it came.
        name: String,
        /// Its value; empty for a button.
        value: String,
    },
    /// `ucinewgame`.
    NewGame,
    /// `position`.
    Position(PositionText),
    /// A `position` that says none: why.
    NoPosition(String),
    /// `banmoves`: moves that may not be played, until the next position.
    Ban(Vec<String>),
    /// `go`.
    Go(Box<Go>),
    /// `stop`: answer at once.
    Stop,
    /// `ponderhit`: the expected move was played, the clock runs.
    PonderHit,
    /// `quit`.
    Quit,
    /// A line that cannot be obeyed: what is wrong with it.
    Wrong(String),
}

/// A position as it came: nothing is known to be right about it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PositionText {
    /// The FEN; none for the usual start.
    pub fen: Option<String>,
    /// The moves since.
    pub moves: Vec<String>,
}

/// How long a search may last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Thinking {
    /// Nothing is said of time.
    #[default]
    Unlimited,
    /// So long.
    Move(Duration),
    /// By the clocks of both sides, the first side's first; none if a side's
    /// clock was not told.
    Clock {
        /// Time left.
        remaining: [Option<Duration>; 2],
        /// Added after each move.
        increment: [Duration; 2],
        /// Moves until more time comes, at least 1; none if none comes.
        moves_to_go: Option<u32>,
    },
}

/// `go` and its limits.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Go {
    /// Search on the other side's time, until `ponderhit`.
    pub ponder: bool,
    /// Search until `stop`.
    pub infinite: bool,
    /// The last iteration, in plies.
    pub depth: Option<u32>,
    /// Nodes, never overrun.
    pub nodes: Option<u64>,
    /// Look for a mate in so many moves.
    pub mate: Option<u32>,
    /// Time.
    pub thinking: Thinking,
    /// The only moves to search, if there are any.
    pub only: Vec<String>,
    /// What could not be read, and is left out.
    pub problems: Vec<String>,
}

/// A time without end: more than any clock shows, and no overflow.
const LONGEST: Duration = Duration::from_secs(1_000_000_000);

/// Units of time, `milliseconds` each.
pub(super) fn duration(units: u64, milliseconds: u64) -> Duration {
    Duration::from_millis(units.saturating_mul(milliseconds)).min(LONGEST)
}

/// A whole number that cannot be negative: a negative one (a clock that has run
/// out) is 0, one too large is the largest.
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

/// Reads the words of a position: `startpos` or `fen F`, then `moves M...`. What
/// is none must not leave the old one standing: the game has gone on.
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
