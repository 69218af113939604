//! The result of a game and its cause.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Side;

/// The cause of the end of a game. Records and reports use its text form (kebab case).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
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
