//! The checked config: every value in range, every name resolved.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

use super::program::{Identity, Program};
use super::{FailurePolicies, Gate, Tournament, Tune};
use crate::games::go::GoRules;
use crate::games::othello::OthelloRules;
use crate::games::xiangqi::XiangqiRules;
use crate::numbers::EvalParams;
use crate::search::SearchParams;
use crate::stats::Bets;

/// The game that a config is about, with those of its rules that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GameChoice {
    /// Xiangqi under these rules.
    Xiangqi(XiangqiRules),
    /// Othello, counted by these rules.
    Othello(OthelloRules),
    /// Go block capture, ended by these rules.
    Go(GoRules),
}

impl Serialize for GameChoice {
    /// Othello under its usual rules is written as the bare name: so it was
    /// before it had any, and the records of then must stay valid.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const NAME: &str = "GameChoice";
        match self {
            GameChoice::Xiangqi(rules) => {
                serializer.serialize_newtype_variant(NAME, 0, "xiangqi", rules)
            }
            GameChoice::Othello(rules) if *rules == OthelloRules::default() => {
                serializer.serialize_unit_variant(NAME, 1, "othello")
            }
            GameChoice::Othello(rules) => {
                serializer.serialize_newtype_variant(NAME, 1, "othello", rules)
            }
            GameChoice::Go(rules) => serializer.serialize_newtype_variant(NAME, 2, "go", rules),
        }
    }
}

impl GameChoice {
    /// The name that configs use.
    pub const fn name(self) -> &'static str {
        match self {
            GameChoice::Xiangqi(_) => "xiangqi",
            GameChoice::Othello(_) => "othello",
            GameChoice::Go(_) => "go",
        }
    }

    /// Whether it is Go.
    pub const fn is_go(self) -> bool {
        matches!(self, GameChoice::Go(_))
    }
}

/// A whole tournament, gate or tune, ready to run; or, in the config of a study, the
/// players of one.
///
/// Serialises in the order of the fields, and with floating-point numbers only
/// where each has one spelling (see [`Gate`]), so that equal configs give equal
/// bytes: see [`Config::resolved`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Config {
    /// The game and its rules.
    pub game: GameChoice,
    /// Seed of everything random, 0 to 2^63 - 1; 0 if the file names none.
    pub seed: u64,
    /// What a player may spend on a move unless its variant says otherwise.
    /// Nothing is said only where there is no tournament.
    pub limits: Limits,
    /// Where the games begin.
    pub openings: Openings,
    /// When a game is ended early.
    pub adjudication: Adjudication,
    /// Who plays whom, and how often; absent only in the config of a study, a
    /// gate or a tune.
    pub tournament: Option<Tournament>,
    /// What is tested; in the config of a gate only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<Gate>,
    /// What is tuned; in the config of a tune only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tune: Option<Tune>,
    /// What becomes of a pair in which a player failed. Part of the resolved
    /// form only where it is not the usual.
    #[serde(skip_serializing_if = "FailurePolicies::is_usual")]
    pub failures: FailurePolicies,
    /// The players, in the order of the file; names are unique.
    pub variants: Vec<Variant>,
}

impl Config {
    /// The resolved form as canonical JSON: every default and every inherited
    /// value written out, comments, spellings and paths gone. Two configs that
    /// play the same games from the same openings have the same resolved form;
    /// a run's identity is a hash over it.
    ///
    /// # Errors
    /// None in practice: nothing here can fail to be written as JSON.
    pub fn resolved(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }

    /// Whether playing a pair twice gives the same games: neither a clock nor
    /// another program, whose ways nobody here answers for, has a say.
    pub fn is_reproducible(&self) -> bool {
        !self.is_timed() && !self.has_programs()
    }

    /// Whether a clock limits the play of somebody.
    pub fn is_timed(&self) -> bool {
        self.limits_by_variant()
            .iter()
            .any(|own| own.time.is_some())
    }

    /// What each variant may spend on a move, in their order.
    pub fn limits_by_variant(&self) -> Vec<Limits> {
        let variants = self.variants.iter();
        variants
            .map(|variant| variant.limits.unwrap_or(self.limits))
            .collect()
    }

    /// Whether the variants of these indices are one player under two names: all that
    /// they resolve to is the same.
    pub fn are_same_player(&self, one: usize, other: usize) -> bool {
        let limits = self.limits_by_variant();
        let is_same = |one: &Variant, other: &Variant| {
            one.program == other.program
                && (one.program.is_some()
                    || (&one.search, &one.eval) == (&other.search, &other.eval))
        };
        let both = self.variants.get(one).zip(self.variants.get(other));
        both.is_some_and(|(one, other)| is_same(one, other)) && limits[one] == limits[other]
    }

    /// Whether a player is another program.
    pub fn has_programs(&self) -> bool {
        self.variants
            .iter()
            .any(|variant| variant.program.is_some())
    }

    /// Takes over from the resolved form of a recorded run what its text does not say:
    /// which programs answered to the commands then, so that the record can be read
    /// without starting them; what happened when the openings were played, for the
    /// usual thing has changed since the first records; and how the book has grown.
    pub fn recall(&mut self, resolved: &str) {
        let recorded: serde_json::Value = serde_json::from_str(resolved).unwrap_or_default();
        self.openings.recall(&recorded["openings"]);
        for (index, variant) in self.variants.iter_mut().enumerate() {
            if let Some(program) = &mut variant.program {
                let found = &recorded["variants"][index]["program"]["found"];
                program.found = Identity::deserialize(found).ok();
            }
        }
    }

    /// Takes the bets of a strict gate from the resolved form that a run was recorded
    /// with, so that its verdict stays what it was when other bets have become usual.
    pub fn recall_bets(&mut self, resolved: &str) {
        let recorded: serde_json::Value = serde_json::from_str(resolved).unwrap_or_default();
        if let Some(gate) = &mut self.gate {
            gate.bets = Bets::deserialize(&recorded["gate"]["bets"]).unwrap_or_default();
        }
    }
}

/// What a player may spend on a move. At least one is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// Nodes per move, never overrun; 1 to 2^32 - 1.
    pub nodes: Option<u64>,
    /// Depth per move, in plies; 1 to 64.
    pub depth: Option<u32>,
    /// Wall-clock time.
    pub time: Option<TimeControl>,
    /// How far a player may overstep its time, at least 1 ms; `None` for the
    /// usual margin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<Duration>,
    /// The speed, in nodes per second of `leitai bench`, of the machine that the
    /// times are meant for; on another one they are scaled. `None`: they are
    /// taken as they stand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference_nps: Option<u64>,
}

impl Limits {
    /// Whether all times, if any, are whole seconds.
    pub fn has_whole_seconds(&self) -> bool {
        let is_whole = |time: Duration| time.subsec_nanos() == 0;
        match self.time {
            None => true,
            Some(TimeControl::PerMove(time)) => is_whole(time),
            Some(TimeControl::Clock { base, increment }) => is_whole(base) && is_whole(increment),
        }
    }

    /// The same with times for a machine that makes so many nodes per second;
    /// unchanged without a [`reference_nps`](Limits::reference_nps).
    #[must_use]
    pub fn scaled(mut self, nps: f64) -> Self {
        if let Some(reference) = self.reference_nps {
            let factor = reference as f64 / nps.max(1.0);
            self.time = self.time.map(|time| time.scaled(factor));
        }
        self
    }
}

/// Wall-clock limits: the only ones under which play in this process is not
/// reproducible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimeControl {
    /// So much per move.
    PerMove(Duration),
    /// A clock per game with an increment per move.
    Clock {
        /// Time at the start.
        base: Duration,
        /// Added after every move.
        increment: Duration,
    },
}

impl TimeControl {
    /// So many times as long; at least a millisecond where there was any time.
    fn scaled(self, factor: f64) -> Self {
        let scale = |time: Duration| {
            if time.is_zero() {
                return time;
            }
            let scaled = Duration::try_from_secs_f64(time.as_secs_f64() * factor);
            scaled.unwrap_or(time).max(Duration::from_millis(1))
        };
        match self {
            TimeControl::PerMove(time) => TimeControl::PerMove(scale(time)),
            TimeControl::Clock { base, increment } => TimeControl::Clock {
                base: scale(base),
                increment: scale(increment),
            },
        }
    }
}

/// Where the games begin.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Openings {
    /// The EPD file, as found from the config's folder; `None` for the usual
    /// starting position only. Not part of the resolved form: what counts is
    /// what the file holds, not where it lies.
    #[serde(skip)]
    pub file: Option<PathBuf>,
    /// In which order lines are drawn.
    pub order: OpeningOrder,
    /// What happens when a pairing needs more openings than there are.
    pub exhausted: Exhausted,
    /// The shorter books that a recorded gate began with which goes on with this one:
    /// no key of a config, and in the resolved form only where there are any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub former: Vec<FormerBook>,
}

impl Openings {
    /// Takes over from the resolved form of a recorded run what happened behind its book,
    /// and how that had grown.
    pub fn recall(&mut self, resolved: &serde_json::Value) {
        let exhausted = Exhausted::deserialize(&resolved["exhausted"]);
        self.exhausted = exhausted.unwrap_or(self.exhausted);
        self.former = Vec::deserialize(&resolved["former"]).unwrap_or_default();
    }
}

/// The first openings of a book, which were the whole of it up to some round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormerBook {
    /// How many there were.
    pub openings: usize,
    /// Rounds of the gate that went by them.
    pub rounds: u64,
}

impl FromStr for FormerBook {
    type Err = String;

    /// `OPENINGS:ROUNDS`.
    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once(':').and_then(|(openings, rounds)| {
            let (openings, rounds) = (openings.parse().ok()?, rounds.parse().ok()?);
            Some(Self { openings, rounds })
        });
        let is_sound = |book: &Self| book.openings > 0 && book.rounds >= book.openings as u64;
        numbers.filter(is_sound).ok_or_else(|| {
            "not of the form OPENINGS:ROUNDS, such as 500:500, with at least a round for each \
             opening"
                .to_owned()
        })
    }
}

impl fmt::Display for FormerBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.openings, self.rounds)
    }
}

/// In which order opening lines are drawn, always without replacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningOrder {
    /// A permutation from the seed.
    #[default]
    Random,
    /// As in the file.
    Sequential,
}

/// What happens when a pairing needs more openings than there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exhausted {
    /// Refuse the config.
    #[default]
    Error,
    /// Begin again; games that repeat are reported and not counted.
    Repeat,
    /// Begin again, each opening followed by two random plies of its own: the games are
    /// new.
    Vary,
}

/// When a game is ended early. Scores are those of the players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Adjudication {
    /// Lost for the side that both players have seen so far behind for so long.
    pub resign: Option<ResignRule>,
    /// Drawn when both players have seen it level for so long.
    pub draw: Option<DrawRule>,
    /// Drawn after so many plies from the opening, at least 1.
    pub max_plies: Option<u32>,
}

/// Both players agree for `plies` consecutive plies that one side is ahead by
/// at least `score`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ResignRule {
    /// Evaluation units, above 0.
    pub score: i32,
    /// Consecutive plies of the game, both players' counted, at least 1.
    pub plies: u32,
}

/// Both players' scores stay within plus or minus `score` for `plies`
/// consecutive plies, from ply `after_ply` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct DrawRule {
    /// Evaluation units, at least 0.
    pub score: i32,
    /// Consecutive plies of the game, both players' counted, at least 1.
    pub plies: u32,
    /// Plies from the opening before which no draw is adjudicated.
    pub after_ply: u32,
}

/// One player: a search and an evaluation, with their numbers; or another
/// program.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// Unique, not empty.
    pub name: String,
    /// The search's switches; without meaning for another program.
    pub search: SearchParams,
    /// The evaluation's numbers; without meaning for another program.
    pub eval: EvalParams,
    /// The program that plays; `None` for a search of this process.
    pub program: Option<Box<Program>>,
    /// What it may spend on a move, in place of what all may; `None` for that.
    pub limits: Option<Limits>,
}

impl Serialize for Variant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = if self.program.is_some() { 2 } else { 3 };
        let fields = fields + usize::from(self.limits.is_some());
        let mut map = serializer.serialize_struct("Variant", fields)?;
        map.serialize_field("name", &self.name)?;
        if let Some(program) = &self.program {
            map.serialize_field("program", program)?;
        } else {
            map.serialize_field("search", &self.search)?;
            map.serialize_field("eval", &self.eval)?;
        }
        if let Some(limits) = &self.limits {
            map.serialize_field("limits", limits)?;
        }
        map.end()
    }
}
