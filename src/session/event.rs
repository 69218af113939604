//! What happens in a session, for whoever listens.

use std::path::PathBuf;

use serde::Serialize;

use super::tune::{Figures, Judgement, Learnt, Pool};
use crate::eval::Score;
use crate::game::Cause;
use crate::play::{Cancel, Evidence, PairRecord};
use crate::player::PvWarning;
use crate::report::Summary;
use crate::report::gate::GateSummary;
use crate::tournament::{Ending, Plan};

/// The version of the events: readers of an event stream need not know a later one.
/// Fields and kinds that are added do not change it.
pub const EVENT_VERSION: u32 = 1;

/// What happens in a session. In JSON each event is an object whose `event` says its kind.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Event {
    /// A session begins: only notices come before.
    SessionBegun {
        /// [`EVENT_VERSION`].
        version: u32,
        /// The version of the program.
        leitai: &'static str,
        /// What is done.
        verb: Verb,
        /// The config's name, as given.
        config: String,
        /// The record.
        store: String,
        /// Games, or searches, at once.
        threads: usize,
    },
    /// Games are going to be played for something: the record has been read.
    StageBegun(Stage),
    /// A player is there: at first, and again after a failure for which it was made anew.
    /// Told to those alone who want moves, like the next three.
    PlayerStarted {
        /// Name of the variant.
        player: String,
    },
    /// A game has begun: whoever is to move at its opening has answered.
    GameBegun {
        /// The game.
        #[serde(flatten)]
        game: GameOf,
        /// Name of who was to move.
        to_move: String,
        /// The position.
        fen: String,
    },
    /// A player has chosen a move. Games go on at once: those of one game come in order.
    Move {
        /// The game.
        #[serde(flatten)]
        game: GameOf,
        /// The ply, from 1.
        ply: usize,
        /// Name of the variant.
        player: String,
        /// The move.
        #[serde(rename = "move")]
        mv: String,
        /// Its score in centipawns, or whatever the evaluation counts in, from the mover's
        /// point of view.
        score: Option<Score>,
        /// Plies to the end that the score promises, negative if the mover loses.
        mate: Option<i32>,
        /// Depth of the last finished iteration.
        depth: u32,
        /// Nodes searched.
        nodes: u64,
        /// Wall-clock time.
        seconds: f64,
        /// The same as the player says itself; `None` if it does not.
        #[serde(skip_serializing_if = "Option::is_none")]
        reported_seconds: Option<f64>,
        /// What the clock shows after the move, that of the mover first, in seconds; `None`
        /// where it has none.
        #[serde(skip_serializing_if = "Option::is_none")]
        clocks: Option<[f64; 2]>,
    },
    /// A player has no move to offer.
    PlayerFailed {
        /// The game.
        #[serde(flatten)]
        game: GameOf,
        /// The ply, from 1.
        ply: usize,
        /// Name of the variant.
        player: String,
        /// Why.
        cause: Cause,
    },
    /// The next pair in the order of the schedule has been counted, when it was played or
    /// recorded in this session. The order of these events depends on the config alone.
    Pair(PairEnded),
    /// What the games so far add up to, as often as a listener wants it, and at the end of
    /// each stage.
    Estimate {
        /// Pairs that count, those that were recorded before included.
        counted: u64,
        /// What they add up to.
        #[serde(flatten)]
        estimate: Estimate,
    },
    /// Long work begins that is no game, such as searches or the look for openings.
    WorkBegun {
        /// What is counted.
        what: String,
        /// How many are done already.
        done: u64,
        /// How many there are.
        total: u64,
    },
    /// The work goes on.
    Work {
        /// How many are done.
        done: u64,
    },
    /// Of the work of a study: a search that is finished.
    Searched(Searched),
    /// The work has ended.
    WorkEnded,
    /// How far the stage or the work is, once a second whether anything ends or not. It
    /// comes from a thread of its own.
    Progress {
        /// Pairs that count, or what the work has done.
        done: u64,
        /// All there is; `None` of a test, which ends when it knows enough.
        total: Option<u64>,
        /// Since the stage or the work began in this session.
        seconds: f64,
        /// Done in this session, by the second.
        per_second: f64,
        /// What is left takes as long at that rate; `None` before that is known.
        seconds_to_go: Option<f64>,
    },
    /// Who plays the pairs, where workers elsewhere do: when that has changed, every few
    /// seconds at most.
    Workers {
        /// All who are there, by name.
        workers: Vec<WorkerSeen>,
    },
    /// Something a person should know.
    Notice(Notice),
    /// What came of a stage of a tune.
    Outcome(StageOutcome),
    /// A stage has ended, after its last estimate.
    StageEnded {
        /// How.
        ending: StageEnding,
        /// Pairs that count, those recorded before included.
        counted: u64,
    },
    /// The session has ended; the last event.
    SessionEnded {
        /// Whether all that was asked for is done.
        complete: bool,
        /// Why it could not go on; then a stage may have ended without a word.
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
}

/// A worker elsewhere, as it says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WorkerSeen {
    /// Its name.
    pub name: String,
    /// The machine.
    pub machine: String,
    /// Pairs that it plays at once.
    pub threads: u64,
    /// Pairs that it plays now, of any run.
    pub playing: u64,
    /// Pairs that it has played since it was started.
    pub played: u64,
    /// Whether it takes part: it does not if it leaves, plays otherwise, or was rejected.
    pub takes_part: bool,
}

/// Which game of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct GameOf {
    /// Number of its pair in the schedule, from 0.
    pub pair: u64,
    /// Game of the pair, from 1.
    pub game: u8,
    /// How often the pair has been begun, this time included.
    pub attempt: u32,
}

/// What a session does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verb {
    /// A tournament.
    Run,
    /// A test of candidates against a base.
    Gate,
    /// Numbers are adjusted.
    Tune,
    /// Searches are compared.
    Study,
}

/// Games that are played for one purpose, in one run of the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stage {
    /// What for.
    pub purpose: Purpose,
    /// The run's identity in the record.
    pub run: String,
    /// Name of the game.
    pub game: &'static str,
    /// Names of the variants, in the order of the config.
    pub variants: Vec<String>,
    /// Openings in the book.
    pub openings: usize,
    /// Pairs of the whole schedule: of a gate, the most that each test may take.
    pub pairs: u64,
    /// Pairs that the record has already.
    pub recorded: u64,
    /// Those among them that count so far.
    pub counted: u64,
}

/// What games are played for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// To rate players.
    Ratings,
    /// To test candidates against a base.
    Test {
        /// Name of the base.
        base: String,
        /// How many candidates.
        candidates: usize,
    },
    /// To learn values of numbers.
    Values,
}

/// A pair of games that counts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairEnded {
    /// Its number in the schedule, from 0.
    pub pair: u64,
    /// Id of its opening.
    pub opening: String,
    /// The games: in the second one the players have changed sides.
    pub games: [GameEnded; 2],
    /// Failures of players, those in attempts at the pair that do not count first.
    pub failures: Vec<Failed>,
    /// What players are warned of in the lines of play that they report; absent if there is
    /// nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pv_warnings: Vec<WarnedLines>,
}

/// Lines of play of one player in one game with the same thing wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WarnedLines {
    /// The game of the pair, 0 or 1.
    pub game: usize,
    /// Name of the variant.
    pub variant: String,
    /// How many lines.
    pub lines: u32,
    /// The first of them.
    #[serde(flatten)]
    pub first: PvWarning,
}

/// A game that has ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameEnded {
    /// Name of the variant that played the first side of the game (Red, Black in Othello),
    /// whoever is to move at the opening.
    pub first: String,
    /// Name of the other.
    pub second: String,
    /// Half points of the first side: 2 for a win, 1 for a draw, 0 for a loss.
    pub half_points: u8,
    /// Why the game ended.
    pub cause: Cause,
    /// Plies after the opening.
    pub plies: usize,
    /// Of a game that was lost on time, by how many seconds the last answer was late, the
    /// margin not included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<f64>,
    /// The margin, in seconds, beside `late`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
}

/// One finished search of a study.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Searched {
    /// Name of the variant.
    pub variant: String,
    /// Id of the position.
    pub position: String,
    /// Nodes that it took; `None` if nobody counts them.
    pub nodes: Option<u64>,
    /// How long it took.
    pub seconds: f64,
}

/// A player's failure in an attempt at a pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failed {
    /// The game of the pair, 0 or 1.
    pub game: usize,
    /// Name of the variant.
    pub variant: String,
    /// How it failed.
    pub cause: Cause,
    /// What is known of the failure.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
}

/// What games add up to.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "of", rename_all = "kebab-case")]
pub enum Estimate {
    /// The table of a tournament: the same as `leitai run --json` has at its end.
    Run(Box<Summary>),
    /// The tests of a gate: the same as `leitai gate --json` has at its end.
    Gate(Box<GateSummary>),
    /// The values that a tune would end with now.
    Tune {
        /// One for each dimension.
        values: Vec<DimensionValue>,
    },
}

/// What came of a stage of a tune, as `leitai tune --json` has it.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "of", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum StageOutcome {
    /// Numbers were fitted to games.
    Fit(Box<Figures>),
    /// Values were learnt from games.
    Games(Box<Learnt>),
    /// A variant was tested against the start.
    Gate {
        /// Which test: `gate of the fit`, `proof`, `second proof`.
        what: String,
        /// Its verdict.
        #[serde(flatten)]
        judgement: Box<Judgement>,
    },
    /// Start and offspring have met the pool.
    Pool(Box<Pool>),
    /// The tuned variant was written.
    Tuned {
        /// Where.
        file: PathBuf,
    },
    /// The page about all stages that have ended was written.
    Page {
        /// Where.
        file: PathBuf,
    },
}

/// The value of a dimension of a tune.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DimensionValue {
    /// Name of the dimension.
    pub dimension: String,
    /// Where it began.
    pub start: i64,
    /// Where it is.
    pub value: i64,
}

/// How a stage ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StageEnding {
    /// Every pair that is wanted is recorded.
    Complete,
    /// It was cancelled; the same session carries on.
    Cancelled,
    /// Its time was up; the same session carries on.
    TimeUp,
    /// A player's failure stopped it, as the config asks.
    Stopped,
    /// A player was warned of its lines of play, and no such thing is to be.
    Warned,
    /// A player failed in all its first games, or in more than the tolerated share: no more are
    /// played.
    Failing,
}

impl StageEnding {
    /// How games ended; `fails` says that a player does nothing but fail.
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

/// Something a person should know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Notice {
    /// How much it matters.
    pub level: Level,
    /// What it is.
    pub text: String,
    /// What helps, if something does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

/// How much a notice matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// What is going on, and is not missed by those who want no progress.
    Detail,
    /// What is going on.
    Info,
    /// What may be a surprise.
    Note,
    /// What may be a mistake.
    Warning,
    /// What helps beyond one notice.
    Help,
}

/// Hears of what happens in a session, from any of its threads.
pub trait Listener: Send + Sync {
    /// Is told of each event, in their order. Games wait for it.
    fn hear(&self, event: &Event);

    /// Is told what is going to be played, before anything of it.
    fn planned(&self, _: &Plan) {}

    /// Is told of each pair that counts, with its moves, before its event.
    fn pair_counted(&self, _: &Plan, _: &PairRecord) {}

    /// Whether [`pair_counted`](Self::pair_counted) is wanted of pairs, too, that were
    /// recorded before: in their order, while the record is read.
    fn wants_recalled(&self) -> bool {
        false
    }

    /// Whether what players do is wanted, asked once for each stage. It costs nothing where
    /// nobody wants it.
    fn wants_moves(&self) -> bool {
        false
    }

    /// Whether an estimate is wanted now. They are made for those alone who want one.
    fn wants_estimate(&self) -> bool {
        false
    }
}

impl dyn Listener + '_ {
    /// Tells of something that goes on.
    pub(crate) fn info(&self, text: impl Into<String>) {
        self.notice(Level::Info, text.into());
    }

    /// Tells of something that goes on, to those who want progress.
    pub(crate) fn detail(&self, text: impl Into<String>) {
        self.notice(Level::Detail, text.into());
    }

    /// Tells of something that may be a surprise.
    pub(crate) fn note(&self, text: impl Into<String>) {
        self.notice(Level::Note, text.into());
    }

    /// Warns of what may be a mistake; after a line `help: ` the text says what helps.
    pub(crate) fn warn(&self, text: impl Into<String>) {
        self.notice(Level::Warning, text.into());
    }

    /// Says what helps beyond one notice.
    pub(crate) fn help(&self, text: impl Into<String>) {
        self.notice(Level::Help, text.into());
    }

    fn notice(&self, level: Level, text: String) {
        let (text, help) = match text.split_once("\nhelp: ") {
            Some((text, help)) => (text.to_owned(), Some(help.to_owned())),
            None => (text, None),
        };
        self.hear(&Event::Notice(Notice { level, text, help }));
    }
}

/// Hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Deaf;

impl Listener for Deaf {
    fn hear(&self, _: &Event) {}
}
