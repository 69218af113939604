//! How a game ended.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Side;

/// Why a game ended. The text form (kebab case) is what records and reports
/// carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// The side to move is in check and has no legal move.
    Checkmate,
    /// The side to move is not in check and has no legal move: in Xiangqi a
    /// loss, and for the attacker in Go.
    Stalemate,
    /// One side alone gave check with every move of a repetition.
    PerpetualCheck,
    /// One side alone chased the same piece throughout a repetition.
    PerpetualChase,
    /// A repetition that is nobody's fault.
    Repetition,
    /// Too many plies without a capture; in Go too many altogether.
    MoveLimit,
    /// Neither side has the material to win.
    Material,
    /// No series of moves leads to a mate with what either side has left (Chess).
    InsufficientMaterial,
    /// A hundred plies without a capture or a move of a pawn (Chess).
    FiftyMoves,
    /// A hundred and fifty plies without a capture or a move of a pawn (Chess).
    SeventyFiveMoves,
    /// The position stands for the third time with the same side to move (Chess).
    ThreefoldRepetition,
    /// The position stands for the fifth time with the same side to move (Chess).
    FivefoldRepetition,
    /// Neither side can move, the discs are counted (Othello).
    Counted,
    /// A side has reached what the game is about, such as a line of its discs.
    Goal,
    /// There is no room for another move, and nobody has won.
    BoardFull,
    /// The target has been taken (Go block capture).
    Captured,
    /// The target has as many liberties as the rules ask for (Go block capture).
    Escaped,
    /// The target can never be taken, whatever the attacker plays (Go block capture).
    Alive,
    /// Adjudicated: both players agreed for long enough that one is lost.
    ResignAdjudication,
    /// Adjudicated: both players agreed for long enough that it is level.
    DrawAdjudication,
    /// Adjudicated: the game reached the configured length.
    LengthAdjudication,
    /// Adjudicated: tables of endgames tell how the game ends.
    TablebaseAdjudication,
    /// A player overstepped its time.
    TimeForfeit,
    /// A player made an illegal move.
    IllegalMove,
    /// A player's program ended, or could not be started again.
    Crash,
    /// A player's program closed its output, though it goes on.
    Disconnect,
    /// A player's program gave no answer, and did not listen to `stop` either; or
    /// it took longer than its limit where no clock runs.
    Stall,
    /// A player's program said what its protocol does not know.
    MalformedOutput,
    /// A player searched far more nodes than its limit.
    NodeOverrun,
    /// A player gave the game up.
    Resignation,
    /// The machine paused while a clock ran, which is nobody's fault: the pair was played
    /// again. No game that counts ends so.
    Pause,
}

impl Cause {
    /// Every cause.
    pub const ALL: [Cause; 31] = [
        Cause::Checkmate,
        Cause::Stalemate,
        Cause::PerpetualCheck,
        Cause::PerpetualChase,
        Cause::Repetition,
        Cause::MoveLimit,
        Cause::Material,
        Cause::InsufficientMaterial,
        Cause::FiftyMoves,
        Cause::SeventyFiveMoves,
        Cause::ThreefoldRepetition,
        Cause::FivefoldRepetition,
        Cause::Counted,
        Cause::Goal,
        Cause::BoardFull,
        Cause::Captured,
        Cause::Escaped,
        Cause::Alive,
        Cause::ResignAdjudication,
        Cause::DrawAdjudication,
        Cause::LengthAdjudication,
        Cause::TablebaseAdjudication,
        Cause::TimeForfeit,
        Cause::IllegalMove,
        Cause::Crash,
        Cause::Disconnect,
        Cause::Stall,
        Cause::MalformedOutput,
        Cause::NodeOverrun,
        Cause::Resignation,
        Cause::Pause,
    ];

    /// The causes that are failures.
    pub const FAILURES: [Cause; 7] = [
        Cause::Crash,
        Cause::Disconnect,
        Cause::Stall,
        Cause::MalformedOutput,
        Cause::IllegalMove,
        Cause::NodeOverrun,
        Cause::TimeForfeit,
    ];

    /// Whether the game was not lost on the board: the loser's program, or the
    /// machine under it, did not do what a player must.
    pub fn is_failure(self) -> bool {
        Cause::FAILURES.contains(&self)
    }

    /// The kebab-case name.
    pub const fn name(self) -> &'static str {
        match self {
            Cause::Checkmate => "checkmate",
            Cause::Stalemate => "stalemate",
            Cause::PerpetualCheck => "perpetual-check",
            Cause::PerpetualChase => "perpetual-chase",
            Cause::Repetition => "repetition",
            Cause::MoveLimit => "move-limit",
            Cause::Material => "material",
            Cause::InsufficientMaterial => "insufficient-material",
            Cause::FiftyMoves => "fifty-moves",
            Cause::SeventyFiveMoves => "seventy-five-moves",
            Cause::ThreefoldRepetition => "threefold-repetition",
            Cause::FivefoldRepetition => "fivefold-repetition",
            Cause::Counted => "counted",
            Cause::Goal => "goal",
            Cause::BoardFull => "board-full",
            Cause::Captured => "captured",
            Cause::Escaped => "escaped",
            Cause::Alive => "alive",
            Cause::ResignAdjudication => "resign-adjudication",
            Cause::DrawAdjudication => "draw-adjudication",
            Cause::LengthAdjudication => "length-adjudication",
            Cause::TablebaseAdjudication => "tablebase-adjudication",
            Cause::TimeForfeit => "time-forfeit",
            Cause::IllegalMove => "illegal-move",
            Cause::Crash => "crash",
            Cause::Disconnect => "disconnect",
            Cause::Stall => "stall",
            Cause::MalformedOutput => "malformed-output",
            Cause::NodeOverrun => "node-overrun",
            Cause::Resignation => "resignation",
            Cause::Pause => "pause",
        }
    }

    /// The cause of that name.
    pub fn from_name(name: &str) -> Option<Cause> {
        Cause::ALL.into_iter().find(|cause| cause.name() == name)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The end of a game: who won and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Verdict {
    /// The winner, or `None` for a draw.
    pub winner: Option<Side>,
    /// Why the game ended.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cause_is_found_by_its_name_and_by_serde() {
        for cause in Cause::ALL {
            assert_eq!(Cause::from_name(cause.name()), Some(cause));
            assert_eq!(
                serde_json::to_string(&cause).unwrap(),
                format!("\"{}\"", cause.name())
            );
        }
        assert_eq!(Cause::from_name("boredom"), None);
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
