//! The result of a game and its cause.

use std::borrow::Cow;
use std::fmt;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Side;

/// The cause of the end of a game. Records and reports use its [name](Cause::name).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Cause {
    /// The side to move is in check and has no legal move.
    Checkmate,
    /// The side to move is not in check and has no legal move: a loss in Xiangqi, and for the
    /// attacker in Go.
    Stalemate,
    /// One side alone gave check with every move of a repetition.
    PerpetualCheck,
    /// One side alone chased the same piece throughout a repetition.
    PerpetualChase,
    /// One side alone attacked with every move of a repetition: by check, threat of mate and
    /// chase in turn (the Chinese rules of Xiangqi).
    PerpetualAttack,
    /// A repetition without a guilty side.
    Repetition,
    /// Too many plies without a capture; in Go too many plies in total.
    MoveLimit,
    /// Neither side has the material to win.
    Material,
    /// No series of moves leads to a mate with the remaining material of either side (Chess).
    InsufficientMaterial,
    /// A hundred plies without a capture or a pawn move (Chess).
    FiftyMoves,
    /// A hundred and fifty plies without a capture or a pawn move (Chess).
    SeventyFiveMoves,
    /// The position occurred for the third time with the same side to move (Chess).
    ThreefoldRepetition,
    /// The position occurred for the fifth time with the same side to move (Chess).
    FivefoldRepetition,
    /// Neither side can move, the discs are counted (Othello).
    Counted,
    /// A side has reached the goal of the game, such as a line of its discs.
    Goal,
    /// The board is full, and neither side has won.
    BoardFull,
    /// The target was captured (Go block capture).
    Captured,
    /// The target has the number of liberties that the rules require (Go block capture).
    Escaped,
    /// The attacker can never capture the target (Go block capture).
    Alive,
    /// Adjudicated: both players agreed for enough plies that one has lost.
    ResignAdjudication,
    /// Adjudicated: both players agreed for enough plies that the game is level.
    DrawAdjudication,
    /// Adjudicated: the game reached the configured length.
    LengthAdjudication,
    /// Adjudicated: endgame tables have the result.
    TablebaseAdjudication,
    /// No game: two players searched one position, and one needed fewer nodes, or both the same
    /// number.
    NodeCount,
    /// A player exceeded its time.
    TimeForfeit,
    /// A player made an illegal move.
    IllegalMove,
    /// A player's program exited, or could not be restarted.
    Crash,
    /// A player's program closed its output but is still running.
    Disconnect,
    /// A player's program gave no answer and ignored `stop`, or exceeded its time for a move
    /// without a clock.
    Stall,
    /// A player's program sent output that its protocol does not allow.
    MalformedOutput,
    /// A player searched far more nodes than its limit.
    NodeOverrun,
    /// A player resigned.
    Resignation,
    /// The machine paused while a clock ran, without a player's fault: the pair was replayed. No
    /// counted game has this cause.
    Pause,
    /// The machine could not start a player's program for long, without the player's fault: the run
    /// stopped. No game has this cause.
    NoResources,
    /// A cause of one game, which the game names: `Cause::own("captured-all")`.
    Own(OwnCause),
}

/// The causes of all games and their names.
const NAMES: [(Cause, &str); 34] = [
    (Cause::Checkmate, "checkmate"),
    (Cause::Stalemate, "stalemate"),
    (Cause::PerpetualCheck, "perpetual-check"),
    (Cause::PerpetualChase, "perpetual-chase"),
    (Cause::PerpetualAttack, "perpetual-attack"),
    (Cause::Repetition, "repetition"),
    (Cause::MoveLimit, "move-limit"),
    (Cause::Material, "material"),
    (Cause::InsufficientMaterial, "insufficient-material"),
    (Cause::FiftyMoves, "fifty-moves"),
    (Cause::SeventyFiveMoves, "seventy-five-moves"),
    (Cause::ThreefoldRepetition, "threefold-repetition"),
    (Cause::FivefoldRepetition, "fivefold-repetition"),
    (Cause::Counted, "counted"),
    (Cause::Goal, "goal"),
    (Cause::BoardFull, "board-full"),
    (Cause::Captured, "captured"),
    (Cause::Escaped, "escaped"),
    (Cause::Alive, "alive"),
    (Cause::ResignAdjudication, "resign-adjudication"),
    (Cause::DrawAdjudication, "draw-adjudication"),
    (Cause::LengthAdjudication, "length-adjudication"),
    (Cause::TablebaseAdjudication, "tablebase-adjudication"),
    (Cause::NodeCount, "node-count"),
    (Cause::TimeForfeit, "time-forfeit"),
    (Cause::IllegalMove, "illegal-move"),
    (Cause::Crash, "crash"),
    (Cause::Disconnect, "disconnect"),
    (Cause::Stall, "stall"),
    (Cause::MalformedOutput, "malformed-output"),
    (Cause::NodeOverrun, "node-overrun"),
    (Cause::Resignation, "resignation"),
    (Cause::Pause, "pause"),
    (Cause::NoResources, "no-resources"),
];

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// The name of a cause of one game: 1 to 24 lowercase letters, digits and dashes, a letter first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OwnCause([u8; 24]);

impl OwnCause {
    /// A cause of this name; `None` if it is not a valid one.
    const fn new(name: &str) -> Option<Self> {
        let (name, mut bytes) = (name.as_bytes(), [0; 24]);
        if name.is_empty() || name.len() > bytes.len() || !name[0].is_ascii_lowercase() {
            return None;
        }
        let mut at = 0;
        while at < name.len() {
            if !matches!(name[at], b'a'..=b'z' | b'0'..=b'9' | b'-') {
                return None;
            }
            bytes[at] = name[at];
            at += 1;
        }
        Some(Self(bytes))
    }

    /// The name.
    pub fn name(&self) -> &str {
        let end = self.0.iter().position(|byte| *byte == 0);
        let name = &self.0[..end.unwrap_or(self.0.len())];
        std::str::from_utf8(name).unwrap_or_default()
    }
}

impl fmt::Display for OwnCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for OwnCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Cause {
    /// A cause of one game, with a name of 1 to 24 lowercase letters, digits and dashes, a letter
    /// first.
    ///
    /// ```
    /// # mod leitai { pub use leitai_game as game; }
    /// use leitai::game::Cause;
    ///
    /// const CAPTURED_ALL: Cause = Cause::own("captured-all");
    /// assert_eq!(CAPTURED_ALL.to_string(), "captured-all");
    /// ```
    ///
    /// # Panics
    /// The name is not valid, or that of a cause of all games, such as `goal`. In a `const`, this is
    /// an error of the compiler.
    pub const fn own(name: &str) -> Self {
        let mut at = 0;
        while at < NAMES.len() {
            assert!(
                !is_same(NAMES[at].1.as_bytes(), name.as_bytes()),
                "a cause of this name is known to all games: use the variant of `Cause`"
            );
            at += 1;
        }
        match OwnCause::new(name) {
            Some(own) => Self::Own(own),
            None => {
                panic!("a cause has 1 to 24 lowercase letters, digits and dashes, a letter first")
            }
        }
    }

    /// All causes except `Own`.
    pub fn all() -> impl Iterator<Item = Self> {
        NAMES.into_iter().map(|(cause, _)| cause)
    }

    /// The name, such as `perpetual-check`.
    pub fn name(&self) -> &str {
        if let Cause::Own(own) = self {
            return own.name();
        }
        let known = NAMES.iter().find(|(cause, _)| cause == self);
        known.map_or("", |(_, name)| name)
    }

    /// The cause with this name: a known one, or else `Own`. `None` if the name is not valid.
    pub fn from_name(name: &str) -> Option<Self> {
        let known = NAMES.iter().find(|(_, known)| *known == name);
        let known = known.map(|(cause, _)| *cause);
        known.or_else(|| OwnCause::new(name).map(Self::Own))
    }

    /// The causes that are failures of a player.
    pub const FAILURES: [Cause; 7] = [
        Cause::Crash,
        Cause::Disconnect,
        Cause::Stall,
        Cause::MalformedOutput,
        Cause::IllegalMove,
        Cause::NodeOverrun,
        Cause::TimeForfeit,
    ];

    /// Returns whether the game was lost off the board, by a failure of the loser's program or
    /// machine.
    pub fn is_failure(self) -> bool {
        Cause::FAILURES.contains(&self)
    }
}

impl Serialize for Cause {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Cause {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        Self::from_name(&name)
            .ok_or_else(|| Error::custom(format_args!("`{name}` is not the name of a cause")))
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The end of a game: the winner and the cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Verdict {
    /// The winner, or `None` for a draw.
    pub winner: Option<Side>,
    /// The cause of the end.
    pub cause: Cause,
}

impl Verdict {
    /// A win for `side`.
    pub const fn win(side: Side, cause: Cause) -> Self {
        Self {
            winner: Some(side),
            cause,
        }
    }

    /// A draw.
    pub const fn draw(cause: Cause) -> Self {
        Self {
            winner: None,
            cause,
        }
    }

    /// `1-0`, `0-1` or `1/2-1/2`, the first mover's result first.
    pub const fn result_text(self) -> &'static str {
        match self.winner {
            Some(Side::First) => "1-0",
            Some(Side::Second) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// Half points for `side`: 2 for a win, 1 for a draw, 0 for a loss.
    pub fn half_points(self, side: Side) -> u8 {
        match self.winner {
            None => 1,
            Some(winner) if winner == side => 2,
            Some(_) => 0,
        }
    }
}

impl fmt::Display for Verdict {
    /// `1-0 by checkmate`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} by {}", self.result_text(), self.cause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cause_is_found_by_its_name_and_by_serde() {
        let own = Cause::own("a-cause-of-24-characters");
        for cause in Cause::all().chain([own]) {
            assert_eq!(Cause::from_name(cause.name()), Some(cause));
            let text = serde_json::to_string(&cause).unwrap();
            assert_eq!(text, format!("\"{}\"", cause.name()));
            assert_eq!(serde_json::from_str::<Cause>(&text).unwrap(), cause);
        }
        for wrong in [
            "",
            "a-cause-of-25-characters-",
            "-a",
            "1st",
            "No",
            "bored\0",
            "gelangweilt\u{fc}",
        ] {
            assert_eq!(Cause::from_name(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    #[should_panic(expected = "a cause of this name is known to all games")]
    fn an_own_cause_has_a_name_of_its_own() {
        let _ = Cause::own("crash");
    }

    #[test]
    fn half_points_of_both_sides_sum_to_two() {
        for winner in [None, Some(Side::First), Some(Side::Second)] {
            let verdict = Verdict {
                winner,
                cause: Cause::Material,
            };
            let sum: u8 = Side::BOTH
                .iter()
                .map(|&side| verdict.half_points(side))
                .sum();
            assert_eq!(sum, 2);
        }
    }
}
