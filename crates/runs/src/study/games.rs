//! The games of a study: the first variant against each other one, at equal nodes, at equal time,
//! or with a clock.
//!
//! Each is a separate tournament. Its config is the study's text with the limits and the pairs
//! appended, so that the record can be read back from its stored text, like that of any other run.
//! `[openings]`, `[adjudication]` and `[rules]` are part of the study's text.

use std::fmt::Write as _;
use std::time::Duration;

use serde::Serialize;
use thiserror::Error;

use crate::tournament::{Plan, Standings};
use leitai_config::{Config, ConfigError, Games, Loaded, StudyGames, parse};
use leitai_game::Cause;
use leitai_stats::{Ranged, estimate_clustered};

/// The limit of both players on a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GameLimit {
    /// This number of nodes.
    Nodes(u64),
    /// The nodes that each searches in the time that the first variant needs for this number.
    EqualTime(u64),
    /// This number of milliseconds.
    Milliseconds(u64),
}

impl std::fmt::Display for GameLimit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            GameLimit::Nodes(nodes) => write!(f, "{nodes} nodes per move"),
            GameLimit::EqualTime(nodes) => {
                write!(f, "the time of {nodes} nodes of the first variant per move")
            }
            GameLimit::Milliseconds(time) => write!(f, "{time} ms per move"),
        }
    }
}

/// The reason why a study has no games.
#[derive(Debug, Error)]
pub enum GamesError {
    /// The config sets limits or a tournament in addition to `[study.games]`.
    #[error(
        "`[study.games]` sets the limits and the number of games: remove `[limits]` and \
         `[tournament]`"
    )]
    Twice,
    /// The extended text is not valid; not expected.
    #[error("the games of the study have no valid config")]
    Config(#[from] ConfigError),
}

/// The results of one tournament.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameFigures {
    /// The limit of both players on a move.
    pub terms: GameLimit,
    /// The run's identity in the record.
    pub run: String,
    /// Planned pairs per variant.
    pub pairs: u64,
    /// Finished pairs of all variants together: fewer than planned if the tournament was stopped.
    pub pairs_played: u64,
    /// Finished games.
    pub games: u64,
    /// Games lost on time. On a machine with other load they say nothing about strength, and pull
    /// every Elo towards 0.
    pub time_forfeits: u64,
    /// Each variant except the first, against the first.
    pub strengths: Vec<Strength>,
}

/// One variant against the first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Strength {
    /// The variant's name.
    pub name: String,
    /// The variant's nodes per move, if it has a node limit.
    pub nodes: Option<u64>,
    /// Elo difference from the first variant, with its 95 % interval.
    pub elo: Ranged,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

/// The tournaments of a study from the text and name of its config.
///
/// # Errors
/// The config has its own limits or tournament.
pub fn tournaments(
    config: &Config,
    games: &StudyGames,
    text: &str,
    name: &str,
) -> Result<Vec<(GameLimit, Loaded)>, GamesError> {
    let limited = config.limits != leitai_config::Limits::default();
    if limited || config.tournament.is_some() {
        return Err(GamesError::Twice);
    }
    let millis = |time: Duration| GameLimit::Milliseconds(time.as_millis() as u64);
    let terms = [
        games.nodes.map(GameLimit::Nodes),
        games.equal_time.map(GameLimit::EqualTime),
        games.movetime.map(millis),
    ];
    let terms = terms.into_iter().flatten();
    terms
        .map(|terms| {
            let text = with_tables(text, terms, games.pairs);
            let mut loaded = parse(&text, name, &Games::of(config.game.card))?;
            // The paths of these files are already resolved from the config's folder.
            loaded.config.openings = config.openings.clone();
            loaded.config.adjudication = config.adjudication.clone();
            Ok((terms, loaded))
        })
        .collect()
}

fn with_tables(text: &str, terms: GameLimit, pairs: u64) -> String {
    let mut text = text.to_owned();
    let limit = match terms {
        GameLimit::Nodes(nodes) => format!("nodes = {nodes}"),
        GameLimit::EqualTime(nodes) => format!("nodes = {nodes}\nequal_time = true"),
        GameLimit::Milliseconds(time) => format!("movetime = \"{time}ms\""),
    };
    let _ = write!(
        text,
        "\n\n# Added for the games of the study.\n[limits]\n{limit}\n\n\
         [tournament]\nformat = \"gauntlet\"\npairs = {pairs}\n"
    );
    text
}

/// The figures of such a tournament from its standings.
pub fn strengths(terms: GameLimit, plan: &Plan, standings: &Standings) -> GameFigures {
    let both = standings.tallies().zip(standings.effects());
    let strengths = both.map(|(([_, other], tally), effect)| {
        let own = tally.mirrored();
        Strength {
            name: plan.config.variants[other].name.clone(),
            nodes: plan.terms.limits[other].nodes,
            elo: estimate_clustered(own.pairs, effect).elo,
            wins: own.games.wins,
            draws: own.games.draws,
            losses: own.games.losses,
        }
    });
    let forfeits = standings.causes.get(&Cause::TimeForfeit);
    GameFigures {
        terms,
        run: plan.id().to_owned(),
        pairs: plan.schedule.rounds(),
        pairs_played: standings.played,
        games: standings.games(),
        time_forfeits: forfeits.copied().unwrap_or_default(),
        strengths: strengths.collect(),
    }
}
