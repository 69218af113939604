//! Commands from the other program, and their parsers: of UCI (Kahlen and Meyer-Kahlen 2006), of
//! UCCI 3.0 (the protocol of Chinese programs, by the authors of `ElephantEye`), and of USI (Romstad
//! 2007, with the words of Shogidokoro).

use std::time::Duration;

use super::Protocol::{self, Ucci, Uci, Usi};

/// A parsed line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// An empty line, or one that needs no answer.
    Nothing,
    /// `uci`, `ucci`, `usi`: identify the engine and list its options.
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
    /// `ucinewgame`, `usinewgame`.
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
    /// A line with a fixed answer.
    Answer(&'static str),
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
        /// Time for each move after the clock is used up.
        byoyomi: Duration,
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
fn duration(units: u64, milliseconds: u64) -> Duration {
    Duration::from_millis(units.saturating_mul(milliseconds)).min(LONGEST)
}

/// Parses a whole number, clamped to the range: a negative one (an expired clock) becomes 0, and
/// one too large becomes the maximum.
fn count(text: &str) -> Option<u64> {
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

/// The commands of UCI.
const COMMANDS: &str =
    "uci isready setoption ucinewgame position go stop ponderhit quit debug register";

impl Command {
    /// Parses a line. UCCI times are in units of `milliseconds` milliseconds. Never fails: an invalid
    /// command becomes [`Command::Wrong`].
    pub(super) fn parse(protocol: Protocol, line: &str, milliseconds: u64) -> Self {
        let words: Vec<&str> = line.split_whitespace().collect();
        let mut words = words.as_slice();
        if protocol == Uci {
            // Cyclone omits the word `position`.
            if let ["startpos" | "fen", ..] = words {
                return position(words);
            }
            // UCI requires engines to skip words before a known command.
            let known = words
                .iter()
                .position(|word| COMMANDS.split(' ').any(|known| known == *word));
            words = &words[known.unwrap_or(0)..];
        }
        let Some((&first, rest)) = words.split_first() else {
            return Command::Nothing;
        };
        match (first, protocol) {
            ("uci", Uci) | ("ucci", Ucci) | ("usi", Usi) => Command::Hello,
            ("isready", _) => Command::IsReady,
            ("setoption", Uci | Usi) => named_option(rest),
            ("setoption", Ucci) => match rest {
                [name, value @ ..] => Command::SetOption {
                    name: (*name).to_owned(),
                    value: value.join(" "),
                },
                [] => Command::Wrong("an option is set by `setoption NAME VALUE`".to_owned()),
            },
            ("ucinewgame", Uci) | ("usinewgame", Usi) => Command::NewGame,
            ("position", _) => position(rest),
            ("banmoves", Ucci) => Command::Ban(owned(rest)),
            // Leitai has no search for mates by checks alone.
            ("go", Usi) if rest.first() == Some(&"mate") => {
                Command::Answer("checkmate notimplemented")
            }
            ("go", _) => go(protocol, rest, milliseconds),
            // `gameover` stops a running search.
            ("stop", _) | ("gameover", Usi) => Command::Stop,
            ("ponderhit", _) => Command::PonderHit,
            ("quit", _) => Command::Quit,
            // `probe` asks for hash table entries, which are not reported.
            ("debug" | "register", Uci) | ("probe", Ucci) => Command::Nothing,
            (other, _) => Command::Wrong(format!("unknown command `{other}`")),
        }
    }
}

/// Parses a position: `startpos`, `fen F` or `sfen F`, then `moves M...`. An invalid one must not leave the
/// old position in place, since the game has moved on.
fn position(words: &[&str]) -> Command {
    let (place, moves) = split_at(words, "moves");
    let fen = match place {
        ["startpos"] => None,
        ["fen" | "sfen", fen @ ..] if !fen.is_empty() => Some(fen.join(" ")),
        _ => {
            let form = "`startpos`, `fen F` or `sfen F`, and optionally `moves ...`";
            return Command::NoPosition(format!("position refused: it must be {form}"));
        }
    };
    Command::Position(PositionText {
        fen,
        moves: owned(moves),
    })
}

/// The words before the separator, and after it.
fn split_at<'w>(words: &'w [&'w str], separator: &str) -> (&'w [&'w str], &'w [&'w str]) {
    match words.iter().position(|word| *word == separator) {
        Some(end) => (&words[..end], &words[end + 1..]),
        None => (words, &[]),
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
    let (name, value) = split_at(rest, "value");
    Command::SetOption {
        name: name.join(" "),
        value: value.join(" "),
    }
}

/// The keywords after `go` in UCI.
const GO_WORDS: &str = "searchmoves ponder wtime btime winc binc movestogo depth nodes mate movetime \
                        byoyomi infinite";

fn go(protocol: Protocol, words: &[&str], milliseconds: u64) -> Command {
    let mut go = Go::default();
    let (mut remaining, mut increment) = ([None; 2], [None; 2]);
    let (mut moves_to_go, mut movetime) = (None, None);
    let mut byoyomi = None;
    let time = |units| duration(units, if protocol == Ucci { milliseconds } else { 1 });
    // The first side is Black in USI, White in UCI.
    let first = usize::from(protocol == Usi);
    let small = |number| u32::try_from(number).unwrap_or(u32::MAX);
    let mut rest = words;
    while let Some((&word, left)) = rest.split_first() {
        rest = left;
        let mut number = || number(&mut rest, word, &mut go.problems);
        match (word, protocol) {
            ("ponder", _) => go.ponder = true,
            ("infinite", _) => go.infinite = true,
            ("depth", Ucci) if left.first() == Some(&"infinite") => {}
            ("depth", _) => go.depth = number().map(small),
            ("nodes", _) => go.nodes = number(),
            ("movestogo", _) => moves_to_go = number().map(small),
            ("wtime", Uci | Usi) => remaining[first] = number().map(time),
            ("btime", Uci | Usi) => remaining[1 - first] = number().map(time),
            ("winc", Uci | Usi) => increment[first] = number().map(time),
            ("binc", Uci | Usi) => increment[1 - first] = number().map(time),
            ("byoyomi", Usi) => byoyomi = number().map(time),
            ("movetime", Uci | Usi) => movetime = number().map(time),
            ("mate", Uci) => go.mate = number().map(small),
            ("searchmoves", Uci | Usi) => {
                let is_keyword = |word: &&str| GO_WORDS.split(' ').any(|known| known == *word);
                let end = rest.iter().position(is_keyword);
                let (moves, left) = rest.split_at(end.unwrap_or(rest.len()));
                go.only.extend(owned(moves));
                if moves.is_empty() {
                    go.problems.push("`searchmoves` without a move".to_owned());
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
            (other, _) => go
                .problems
                .push(format!("unknown word `{other}` after `go`")),
        }
    }
    let moves_to_go = moves_to_go.map(|moves: u32| moves.max(1));
    // With neither moves to go nor an increment, or with one move to go, all time is for this move.
    let is_last =
        protocol == Ucci && increment == [None; 2] && moves_to_go.is_none_or(|moves| moves == 1);
    go.thinking = match movetime.or(remaining[0].filter(|_| is_last)) {
        Some(time) => Thinking::Move(time),
        None if remaining == [None; 2] && byoyomi.is_none() => Thinking::Unlimited,
        None => Thinking::Clock {
            remaining,
            increment: increment.map(|time: Option<Duration>| time.unwrap_or_default()),
            moves_to_go,
            byoyomi: byoyomi.unwrap_or_default(),
        },
    };
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
