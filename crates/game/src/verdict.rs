//! The result of a game and its cause.

use std::fmt;

use leitai_base::settings::choice;
use serde::{Deserialize, Serialize};

use super::Side;

choice! {
    /// The cause of the end of a game. Records and reports use its text form (kebab case).
    #[derive(PartialOrd, Ord, Deserialize)]
    pub enum Cause {
        /// The side to move is in check and has no legal move.
        Checkmate = "checkmate",
        /// The side to move is not in check and has no legal move: a loss in Xiangqi, and for the
        /// attacker in Go.
        Stalemate = "stalemate",
        /// One side alone gave check with every move of a repetition.
        PerpetualCheck = "perpetual-check",
        /// One side alone chased the same piece throughout a repetition.
        PerpetualChase = "perpetual-chase",
        /// One side alone attacked with every move of a repetition: by check, threat of mate and
        /// chase in turn (the Chinese rules of Xiangqi).
        PerpetualAttack = "perpetual-attack",
        /// A repetition without a guilty side.
        Repetition = "repetition",
        /// Too many plies without a capture; in Go too many plies in total.
        MoveLimit = "move-limit",
        /// Neither side has the material to win.
        Material = "material",
        /// No series of moves leads to a mate with the remaining material of either side (Chess).
        InsufficientMaterial = "insufficient-material",
        /// A hundred plies without a capture or a pawn move (Chess).
        FiftyMoves = "fifty-moves",
        /// A hundred and fifty plies without a capture or a pawn move (Chess).
        SeventyFiveMoves = "seventy-five-moves",
        /// The position occurred for the third time with the same side to move (Chess).
        ThreefoldRepetition = "threefold-repetition",
        /// The position occurred for the fifth time with the same side to move (Chess).
        FivefoldRepetition = "fivefold-repetition",
        /// Neither side can move, the discs are counted (Othello).
        Counted = "counted",
        /// A side has reached the goal of the game, such as a line of its discs.
        Goal = "goal",
        /// The board is full, and neither side has won.
        BoardFull = "board-full",
        /// The target was captured (Go block capture).
        Captured = "captured",
        /// The target has the number of liberties that the rules require (Go block capture).
        Escaped = "escaped",
        /// The attacker can never capture the target (Go block capture).
        Alive = "alive",
        /// Adjudicated: both players agreed for enough plies that one has lost.
        ResignAdjudication = "resign-adjudication",
        /// Adjudicated: both players agreed for enough plies that the game is level.
        DrawAdjudication = "draw-adjudication",
        /// Adjudicated: the game reached the configured length.
        LengthAdjudication = "length-adjudication",
        /// Adjudicated: endgame tables have the result.
        TablebaseAdjudication = "tablebase-adjudication",
        /// No game: two players searched one position, and one needed fewer nodes, or both the same
        /// number.
        NodeCount = "node-count",
        /// A player exceeded its time.
        TimeForfeit = "time-forfeit",
        /// A player made an illegal move.
        IllegalMove = "illegal-move",
        /// A player's program exited, or could not be restarted.
        Crash = "crash",
        /// A player's program closed its output but is still running.
        Disconnect = "disconnect",
        /// A player's program gave no answer and ignored `stop`, or exceeded its time for a move
        /// without a clock.
        Stall = "stall",
        /// A player's program sent output that its protocol does not allow.
        MalformedOutput = "malformed-output",
        /// A player searched far more nodes than its limit.
        NodeOverrun = "node-overrun",
        /// A player resigned.
        Resignation = "resignation",
        /// The machine paused while a clock ran, without a player's fault: the pair was replayed. No
        /// counted game has this cause.
        Pause = "pause",
    }
}

impl Cause {
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
        for &cause in Cause::ALL {
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
