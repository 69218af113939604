//! Events of a session for listeners.

use std::path::PathBuf;
use std::sync::Mutex;

use serde::Serialize;

use super::tune::{Figures, GateOutcome, Generation, LearningResult, Pool};
use leitai_base::threads::lock;
use leitai_config::Decimal;
use leitai_game::eval::Score;
use leitai_game::{Cause, Side};
use leitai_players::play::{Cancel, Evidence, GameRecord, PairRecord};
use leitai_players::player::{GameId, PvWarning};
use leitai_runs::figures::Summary;
use leitai_runs::figures::gate::GateSummary;
use leitai_runs::tournament::{Ending, Plan};

/// The version of the events. Readers of an event stream may reject a later version. Added fields
/// and kinds do not change the version.
pub const EVENT_VERSION: u32 = 1;

/// An event of a session. In JSON each event is an object whose `event` names its kind.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Event {
    /// The session begins. Only notices precede this event.
    SessionBegun {
        /// [`EVENT_VERSION`].
        version: u32,
        /// The version of the program.
        leitai: &'static str,
        /// The kind of session.
        verb: Verb,
        /// The config's name, as given.
        config: String,
        /// The record's file.
        store: String,
        /// Number of simultaneous games or searches.
        threads: usize,
    },
    /// A stage of games begins, after the record was read.
    StageBegun(Stage),
    /// A player has started, or has restarted after a failure. Like the next three kinds, sent only
    /// to listeners that request moves.
    PlayerStarted {
        /// Name of the variant.
        player: String,
    },
    /// A game has begun: the player to move at its opening has answered.
    GameBegun {
        /// The game.
        #[serde(flatten)]
        game: GameId,
        /// Name of the player to move.
        to_move: String,
        /// The position.
        fen: String,
    },
    /// A player has chosen a move. Simultaneous games are interleaved; the moves of one game are in
    /// order.
    Move {
        /// The game.
        #[serde(flatten)]
        game: GameId,
        /// The ply, from 1.
        ply: usize,
        /// Name of the variant.
        player: String,
        /// The move.
        #[serde(rename = "move")]
        mv: String,
        /// Score of the move in centipawns, or in the units of the evaluation, from the mover's
        /// point of view.
        score: Option<Score>,
        /// Plies to the end of the game according to the score, negative if the mover loses.
        mate: Option<i32>,
        /// Depth of the last finished iteration.
        depth: u32,
        /// Nodes searched.
        nodes: u64,
        /// The principal variation; absent if it is unknown.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pv: Vec<String>,
        /// Wall-clock time.
        seconds: f64,
        /// Time reported by the player itself, if any.
        #[serde(skip_serializing_if = "Option::is_none")]
        reported_seconds: Option<f64>,
        /// Clocks after the move in seconds, the mover's first; `None` without clocks.
        #[serde(skip_serializing_if = "Option::is_none")]
        clocks: Option<[f64; 2]>,
    },
    /// A player has failed to return a move.
    PlayerFailed {
        /// The game.
        #[serde(flatten)]
        game: GameId,
        /// The ply, from 1.
        ply: usize,
        /// Name of the variant.
        player: String,
        /// Cause of the failure.
        cause: Cause,
    },
    /// The next pair of the schedule counts; it was played or recorded in this session. The order
    /// of these events depends on the config alone.
    Pair(PairEnded),
    /// The estimate from the games so far, as often as a listener requests it, and at the end of
    /// each stage.
    Estimate {
        /// Number of pairs that count, including earlier recorded ones.
        counted: u64,
        /// The estimate from these pairs.
        #[serde(flatten)]
        estimate: Estimate,
    },
    /// Long work other than games begins, such as searches or the search for openings.
    WorkBegun {
        /// The unit of work.
        what: String,
        /// Number of units already done.
        done: u64,
        /// Total number of units.
        total: u64,
    },
    /// The work has progressed.
    Work {
        /// Number of units done.
        done: u64,
    },
    /// A search of a study has finished.
    Searched(StudySearch),
    /// The work has ended.
    WorkEnded,
    /// Progress of the stage or the work, once a second even if nothing has finished. Sent from a
    /// separate thread.
    Progress {
        /// Number of pairs that count, or of units done.
        done: u64,
        /// Total number; `None` for a sequential test, whose length is not known in advance.
        total: Option<u64>,
        /// Seconds since the stage or the work began in this session.
        seconds: f64,
        /// Number done in this session per second.
        per_second: f64,
        /// Remaining time at that rate in seconds; `None` if unknown.
        seconds_to_go: Option<f64>,
    },
    /// The workers of a run with remote workers, after a change, at most every few seconds.
    Workers {
        /// All present workers, by name.
        workers: Vec<WorkerState>,
    },
    /// An engine plays without an option of the config, which its variant allows. A notice says the
    /// same in words.
    OptionSkipped {
        /// Name of the variant.
        player: String,
        /// Name of the option.
        option: String,
        /// The value in the config.
        value: String,
        /// The reason that the engine would not accept the value; `None` if the engine has no such
        /// option.
        refused: Option<String>,
        /// True if the option takes a number, and the value is none.
        malformed: bool,
    },
    /// A message for the user.
    Notice(Notice),
    /// The result of a stage of a tune.
    Outcome(StageOutcome),
    /// A stage has ended, after its last estimate.
    StageEnded {
        /// The reason for the end.
        ending: StageEnding,
        /// Number of pairs that count, including earlier recorded ones.
        counted: u64,
    },
    /// The session has ended; the last event.
    SessionEnded {
        /// True if the session has done all requested work.
        complete: bool,
        /// The error that ended the session; a stage may then lack its end event.
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
}

/// A remote worker's report on itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WorkerState {
    /// Name of the worker.
    pub name: String,
    /// Name of the machine.
    pub machine: String,
    /// Number of pairs that it plays simultaneously.
    pub threads: u64,
    /// Number of pairs in progress, of any run.
    pub playing: u64,
    /// Number of pairs played since its start.
    pub played: u64,
    /// True if it takes part; false if it leaves, refuses this run, or was rejected.
    pub takes_part: bool,
}

/// The kind of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verb {
    /// A tournament.
    Run,
    /// A test of candidates against a baseline.
    Gate,
    /// Tuning of numbers.
    Tune,
    /// Comparison of searches.
    Study,
}

/// Games played for one purpose, in one run of the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stage {
    /// Purpose of the games.
    pub purpose: Purpose,
    /// The run's identity in the record.
    pub run: String,
    /// Name of the game.
    pub game: &'static str,
    /// Names of the variants, in the order of the config.
    pub variants: Vec<String>,
    /// Openings in the book.
    pub openings: usize,
    /// Pairs of the whole schedule; for a gate, the maximum for each test.
    pub pairs: u64,
    /// Number of pairs already recorded.
    pub recorded: u64,
    /// Number of recorded pairs that count so far.
    pub counted: u64,
}

/// The purpose of games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// Rating of players.
    Ratings,
    /// Tests of candidates against a baseline.
    Test {
        /// Name of the baseline.
        base: String,
        /// Number of candidates.
        candidates: usize,
    },
    /// Tuning of values.
    Values,
}

/// A pair of games that counts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairEnded {
    /// Number of the pair in the schedule, from 0.
    pub pair: u64,
    /// Id of the opening.
    pub opening: String,
    /// The games; the players change sides in the second one.
    pub games: Vec<GameEnded>,
    /// Failures of players, beginning with attempts that do not count.
    pub failures: Vec<PlayerFailure>,
    /// Warnings about the principal variations that players report; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pv_warnings: Vec<WarnedLines>,
}

/// Principal variations of one player in one game with the same problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WarnedLines {
    /// The game of the pair, 1 or 2.
    pub game: usize,
    /// Name of the variant.
    pub variant: String,
    /// Number of these lines.
    pub lines: u32,
    /// The first warning.
    #[serde(flatten)]
    pub first: PvWarning,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameEnded {
    /// Name of the variant that played the first side of the game (Red, Black in Othello),
    /// regardless of the side to move at the opening.
    pub first: String,
    /// Name of the other variant.
    pub second: String,
    /// Half points of the first side: 2 for a win, 1 for a draw, 0 for a loss.
    pub half_points: u8,
    /// Cause of the game's end.
    pub cause: Cause,
    /// Plies after the opening.
    pub plies: usize,
    /// Delay of the last move in seconds if the game was lost on time, without the margin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<f64>,
    /// The time margin in seconds, if `late` is present.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
}

/// One finished search of a study.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StudySearch {
    /// Name of the variant.
    pub variant: String,
    /// Id of the position.
    pub position: String,
    /// Nodes searched; `None` if the player does not count them.
    pub nodes: Option<u64>,
    /// Search time in seconds.
    pub seconds: f64,
}

/// A player's failure in an attempt at a pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlayerFailure {
    /// The game of the pair, 1 or 2.
    pub game: usize,
    /// Name of the variant.
    pub variant: String,
    /// Cause of the failure.
    pub cause: Cause,
    /// Evidence of the failure, if any.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
}

/// An estimate from games.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "of", rename_all = "kebab-case")]
pub enum Estimate {
    /// The table of a tournament, as in the final output of `leitai run --json`.
    Run(Box<Summary>),
    /// The tests of a gate, as in the final output of `leitai gate --json`.
    Gate(Box<GateSummary>),
    /// The current values of a tune.
    Tune {
        /// One value for each dimension.
        values: Vec<DimensionValue>,
    },
}

/// The result of a stage of a tune, as in `leitai tune --json`.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "of", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum StageOutcome {
    /// Numbers were fitted to games.
    Fit(Box<Figures>),
    /// Values were learned from games.
    Games(Box<LearningResult>),
    /// A variant was tested against the start.
    Gate {
        /// The test: `gate of the fit`, `proof`, `second proof`.
        what: String,
        /// The verdict of the test.
        #[serde(flatten)]
        judgement: Box<GateOutcome>,
    },
    /// A generation has ended.
    Generation(Box<Generation>),
    /// The start and the variants derived from it have played the pool.
    Pool(Box<Pool>),
    /// The tuned variant was written.
    Tuned {
        /// Path of the file.
        file: PathBuf,
    },
    /// The page about all finished stages was written.
    Page {
        /// Path of the file.
        file: PathBuf,
    },
}

/// The value of a dimension of a tune.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DimensionValue {
    /// Name of the dimension.
    pub dimension: String,
    /// Initial value.
    pub start: Decimal,
    /// Current value.
    pub value: Decimal,
}

/// The end of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StageEnding {
    /// Every required pair is recorded.
    Complete,
    /// The user cancelled it; the same command continues.
    Cancelled,
    /// The time limit was reached; the same command continues.
    TimeUp,
    /// A player's failure stopped the stage, as the config requires.
    Stopped,
    /// A warning about a player's principal variation stopped the stage, in strict mode.
    Warned,
    /// A player failed in all its first games, or in more than the tolerated share; no more games
    /// are played.
    Failing,
}

impl StageEnding {
    /// Converts an ending. `fails` is true if a player fails too often.
    pub(super) fn of(ending: &Ending, fails: bool, cancel: &Cancel) -> Self {
        match ending {
            _ if fails => StageEnding::Failing,
            Ending::Complete => StageEnding::Complete,
            Ending::Cancelled if cancel.is_time_up() => StageEnding::TimeUp,
            Ending::Cancelled => StageEnding::Cancelled,
            Ending::Stopped(_) => StageEnding::Stopped,
            Ending::Warned(_) => StageEnding::Warned,
        }
    }
}

/// A message for the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Notice {
    /// Importance of the notice.
    pub level: Level,
    /// The message.
    pub text: String,
    /// A remedy, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

/// Importance of a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Progress information that is hidden without progress output.
    Detail,
    /// Progress information.
    Info,
    /// A possibly surprising fact.
    Note,
    /// A possible mistake.
    Warning,
    /// Help that applies beyond one notice.
    Help,
}

/// Receives the events of a session, from any of its threads.
pub trait Listener: Send + Sync {
    /// Receives each event, in order. Games wait until it returns.
    fn notify(&self, event: &Event);

    /// Receives the plan before its first game.
    fn planned(&self, _: &Plan) {}

    /// Receives each game as it ends, if [games are wanted](Self::wants_games), with the side to move
    /// at its start. Its pair is not recorded yet, may be played again, and may not count.
    fn game_ended(&self, _: GameId, _: Side, _: &GameRecord) {}

    /// Receives each pair that counts, with its moves, before its event.
    fn pair_counted(&self, _: &Plan, _: &PairRecord) {}

    /// Returns whether [`pair_counted`](Self::pair_counted) should also receive recorded pairs, in
    /// order, while the record is read.
    fn wants_recorded_pairs(&self) -> bool {
        false
    }

    /// Returns whether events of players should be sent; called once for each stage. Without
    /// listeners to moves, they cost nothing.
    fn wants_moves(&self) -> bool {
        false
    }

    /// Returns whether [`Event::GameBegun`] should be sent; called once for each stage.
    fn wants_games(&self) -> bool {
        self.wants_moves()
    }

    /// Returns whether moves should have their principal variations, which take time to read;
    /// called once for each stage.
    fn wants_variations(&self) -> bool {
        self.wants_moves()
    }

    /// Returns whether an estimate should be sent now. Estimates are computed only on request.
    fn wants_estimate(&self) -> bool {
        false
    }
}

impl dyn Listener + '_ {
    /// Reports progress information.
    pub fn info(&self, text: impl Into<String>) {
        self.notice(Level::Info, text.into());
    }

    /// Reports progress information that is hidden without progress output.
    pub fn detail(&self, text: impl Into<String>) {
        self.notice(Level::Detail, text.into());
    }

    /// Reports a possibly surprising fact.
    pub(crate) fn note(&self, text: impl Into<String>) {
        self.notice(Level::Note, text.into());
    }

    /// Warns of a possible mistake. Text after a line break and `help: ` is the remedy.
    pub fn warn(&self, text: impl Into<String>) {
        self.notice(Level::Warning, text.into());
    }

    /// Reports help that applies beyond one notice.
    pub(crate) fn help(&self, text: impl Into<String>) {
        self.notice(Level::Help, text.into());
    }

    fn notice(&self, level: Level, text: String) {
        let (text, help) = match text.split_once("\nhelp: ") {
            Some((text, help)) => (text.to_owned(), Some(help.to_owned())),
            None => (text, None),
        };
        self.notify(&Event::Notice(Notice { level, text, help }));
    }
}

/// Holds notices back until it is known whether they matter.
#[derive(Debug, Default)]
pub(crate) struct HeldNotices(Mutex<Vec<Notice>>);

impl HeldNotices {
    /// Sends the notices to their listener.
    pub(crate) fn release(&self, listener: &dyn Listener) {
        for notice in lock(&self.0).drain(..) {
            listener.notify(&Event::Notice(notice));
        }
    }
}

impl Listener for HeldNotices {
    fn notify(&self, event: &Event) {
        if let Event::Notice(notice) = event {
            lock(&self.0).push(notice.clone());
        }
    }
}

/// Ignores all events.
#[derive(Clone, Copy, Debug, Default)]
pub struct NullListener;

impl Listener for NullListener {
    fn notify(&self, _: &Event) {}
}
