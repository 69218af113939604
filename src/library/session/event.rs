//! The events of a session.

use std::sync::Arc;

use leitai_game::Cause;
use leitai_session as inner;
use leitai_session::Listener;

use super::result::json;

/// An event of a session.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A stage begins.
    Begun {
        /// Pairs in the schedule; in a gate, the maximum per candidate.
        pairs: u64,
        /// Pairs that are recorded.
        recorded: u64,
    },
    /// A pair was added to the result, in the order of the schedule.
    Pair(Pair),
    /// Once a second: the amount of work that is done.
    Progress {
        /// Pairs or searches done.
        done: u64,
        /// Their number; `None` if a test decides it.
        total: Option<u64>,
        /// Seconds since the beginning.
        seconds: f64,
    },
    /// A message for the user.
    Notice {
        /// True for a possible mistake.
        is_warning: bool,
        /// The message.
        text: String,
        /// A remedy, if there is one.
        help: Option<String>,
    },
}

/// A pair of games that counts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pair {
    /// Its number in the schedule, from 0.
    pub number: u64,
    /// The id of its opening.
    pub opening: String,
    /// The games, with exchanged sides.
    pub games: Vec<FinishedGame>,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FinishedGame {
    /// The variant that plays the first side, such as White in chess or Red in Xiangqi.
    pub first: String,
    /// The variant of the other side.
    pub second: String,
    /// Half points of `first`: 2 for a win, 1 for a draw, 0 for a loss.
    pub half_points: u8,
    /// The cause of the end.
    pub cause: Cause,
    /// Plies after the opening.
    pub plies: usize,
}

impl Event {
    /// The event for users; `None` for those that only [`Session::on_json`] has.
    fn of(event: &inner::Event) -> Option<Self> {
        Some(match event {
            inner::Event::StageBegun(stage) => Self::Begun {
                pairs: stage.pairs,
                recorded: stage.recorded,
            },
            inner::Event::Pair(pair) => Self::Pair(Pair {
                number: pair.pair,
                opening: pair.opening.clone(),
                games: pair.games.iter().map(FinishedGame::of).collect(),
            }),
            inner::Event::Progress {
                done,
                total,
                seconds,
                ..
            } => Self::Progress {
                done: *done,
                total: *total,
                seconds: *seconds,
            },
            inner::Event::Notice(notice) => Self::Notice {
                is_warning: notice.level == inner::Level::Warning,
                text: notice.text.clone(),
                help: notice.help.clone(),
            },
            _ => return None,
        })
    }
}

impl FinishedGame {
    fn of(game: &inner::GameEnded) -> Self {
        Self {
            first: game.first.clone(),
            second: game.second.clone(),
            half_points: game.half_points,
            cause: game.cause,
            plies: game.plies,
        }
    }
}

type Callback<T> = Arc<dyn Fn(&T) + Send + Sync>;

#[derive(Clone, Default)]
pub(super) struct Callbacks {
    pub(super) event: Option<Callback<Event>>,
    pub(super) json: Option<Callback<str>>,
}

impl Listener for Callbacks {
    fn notify(&self, event: &inner::Event) {
        if let Some(callback) = &self.event
            && let Some(event) = Event::of(event)
        {
            callback(&event);
        }
        if let Some(callback) = &self.json {
            callback(&json(event));
        }
    }
}
