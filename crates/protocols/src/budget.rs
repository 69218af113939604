//! The limits of one move.

use std::time::Duration;

/// The limits of one move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Node limit, never exceeded.
    pub nodes: Option<u64>,
    /// Depth limit in plies.
    pub depth: Option<u32>,
    /// Wall-clock time limit.
    pub time: Option<TimeBudget>,
}

impl Budget {
    /// A budget of nodes.
    pub fn of_nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::default()
        }
    }

    /// A budget of plies.
    pub fn of_depth(depth: u32) -> Self {
        Self {
            depth: Some(depth),
            ..Self::default()
        }
    }

    /// A budget of time for the move.
    pub fn of_time(time: Duration) -> Self {
        Self {
            time: Some(TimeBudget::Move(time)),
            ..Self::default()
        }
    }
}

/// Wall-clock time for one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeBudget {
    /// Time for this move alone.
    Move(Duration),
    /// The clock of the whole game.
    Clock(ClockTimes),
}

/// The clocks of both sides before a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockTimes {
    /// Remaining time.
    pub remaining: Duration,
    /// The opponent's remaining time.
    pub opponent: Duration,
    /// Time added after each own move.
    pub increment: Duration,
    /// Time added after each move of the opponent.
    pub opponent_increment: Duration,
    /// Time for each move once the remaining time is used up; unused byoyomi is lost.
    pub byoyomi: Duration,
    /// The opponent's byoyomi.
    pub opponent_byoyomi: Duration,
    /// The current period; `None` if one time is for the rest of the game.
    pub period: Option<Period>,
    /// True if the time that a player uses is added to the opponent's clock.
    pub hourglass: bool,
}

/// State of a clock with periods, which gets more time after a fixed number of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// Moves per period.
    pub moves: u32,
    /// Time of the period.
    pub time: Duration,
    /// Time added at its end.
    pub next: Duration,
    /// Moves to the end of the period, the next one included; 1 to `moves`.
    pub to_go: u32,
    /// The opponent's moves to the end of its period, if its clock has periods.
    pub opponent_to_go: Option<u32>,
}
