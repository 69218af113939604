//! `[study]`: a suite of positions and the search depth of each variant, or a suite of problems and
//! the limits of each solver.

mod solvers;

use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;

use super::files::{Find, found_file};
use super::limits::{MAX_DEPTH, MAX_NODES};
use super::problem::{Problem, Problems};
use super::values::{Name, Of, Spanned, Text, Time, Whole, ranged, ranged_or, time};

use leitai_game::search::proof::Mode;
pub use solvers::SolverStudy;
pub(super) use solvers::solvers;

/// A study of searches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Study {
    /// The file of the positions, resolved from the config's folder.
    pub suite: PathBuf,
    /// The last iteration, in plies; 1 to 64.
    pub depth: u32,
    /// Node limit per position.
    pub nodes: Option<u64>,
    /// Samples of the bootstrap, 100 to 10^6.
    pub resamples: u32,
    /// Games between the same variants.
    pub games: Option<StudyGames>,
}

/// The games of a study: every variant against the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudyGames {
    /// Pairs of games per variant, 1 to 10^6.
    pub pairs: u64,
    /// Nodes per move of the games at equal nodes; no such games if `None`.
    pub nodes: Option<u64>,
    /// Nodes per move of the first variant in games at equal time, where the others have as many as
    /// they search in the same time; no such games if `None`.
    pub equal_time: Option<u64>,
    /// Time per move of the games with a time limit; no such games if `None`.
    pub movetime: Option<Duration>,
}

const DEFAULT_RESAMPLES: u32 = 10_000;

/// `[study]` as typed.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "study")]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct RawStudy {
    /// The file of the positions, or of the Go problems.
    #[schemars(required)]
    suite: Option<Text>,
    /// The last iteration, in plies: every depth up to it is reported.
    depth: Option<Of<Whole<1, MAX_DEPTH>>>,
    /// Node limit per position.
    nodes: Option<Of<Whole<1, { i64::MAX }>>>,
    /// Samples of the bootstrap for each interval; 10,000 if absent.
    resamples: Option<Of<Whole<100, 1_000_000>>>,
    /// Games between the same variants: every variant against the first.
    games: Option<Spanned<RawGames>>,
    /// Go: time limit per problem.
    movetime: Option<Of<Time>>,
    /// Go: the required certainty of an answer; `proved` if absent.
    mode: Option<Of<Name<Mode>>>,
    /// Go: time limits for which solved problems are counted.
    within: Option<Spanned<Vec<Of<Time>>>>,
    /// Go: number of times each problem is solved, to measure its time; 1 if absent.
    repeats: Option<Of<Whole<1, 99>>>,
    /// Go: variants whose unanimous answer is the verdict of a problem without one; no variants if
    /// absent.
    judges: Option<Spanned<Vec<Text>>>,
}

/// `[study.games]` as typed. `openings` is read only to refuse it with a hint.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "study_games")]
#[serde(deny_unknown_fields, expecting = "a table")]
struct RawGames {
    /// Pairs of games per variant.
    #[schemars(required)]
    pairs: Option<Of<Whole<1, 1_000_000>>>,
    /// Nodes per move of the games at equal nodes.
    nodes: Option<Of<Whole<1, MAX_NODES>>>,
    /// Nodes per move of the first variant in games at equal time: the others have as many as they
    /// search in the same time.
    equal_time: Option<Of<Whole<1, MAX_NODES>>>,
    /// Time per move of the games with a time limit.
    movetime: Option<Of<Time>>,
    #[schemars(skip)]
    openings: Option<Text>,
}

/// Checks `[study]` of a config with this number of variants and `[openings]` at this position.
pub(super) fn study(
    raw: &Spanned<RawStudy>,
    variants: usize,
    openings: Option<&Range<usize>>,
    find: Find,
    problems: &mut Problems,
) -> Option<Study> {
    let fields = raw.get_ref();
    solvers::refuse(fields, problems);
    if fields.suite.is_none() {
        Problem::error(raw.span(), "a study without positions")
            .help("add `suite = \"positions.epd\"` under `[study]`")
            .report(problems);
    }
    if fields.depth.is_none() {
        Problem::error(raw.span(), "a study without a depth")
            .help("add `depth = 6` under `[study]`: every depth up to it is reported")
            .report(problems);
    }
    let suite = found_file(&fields.suite, find, problems);
    let depth = ranged(&fields.depth, "study.depth", problems);
    let raw_games = fields.games.as_ref();
    let games = raw_games.and_then(|raw| games(raw, variants, openings, problems));
    Some(Study {
        nodes: ranged(&fields.nodes, "study.nodes", problems),
        resamples: resamples(fields, problems),
        suite: suite?,
        depth: depth?,
        games,
    })
}

/// Number of samples for each interval.
fn resamples(raw: &RawStudy, problems: &mut Problems) -> u32 {
    ranged_or(
        &raw.resamples,
        DEFAULT_RESAMPLES,
        "study.resamples",
        problems,
    )
}

fn games(
    raw: &Spanned<RawGames>,
    variants: usize,
    table: Option<&Range<usize>>,
    problems: &mut Problems,
) -> Option<StudyGames> {
    let fields = raw.get_ref();
    let mut missing = |message: &str, help: &str| {
        problems.push(Problem::error(raw.span(), message).help(help));
    };
    if variants == 1 {
        missing(
            "games need an opponent: there is only one variant",
            "add a `[[variant]]`, or remove `[study.games]`",
        );
    }
    if fields.pairs.is_none() {
        missing(
            "the number of games is missing",
            "add `pairs = 100` under `[study.games]`: pairs of games for each variant",
        );
    }
    if fields.nodes.is_none() && fields.equal_time.is_none() && fields.movetime.is_none() {
        missing(
            "no limits: a player must know when to move",
            "give `nodes = 5000`, `equal_time = 5000`, `movetime = \"20ms\"` or several of them under \
             `[study.games]`",
        );
    }
    let movetime = time(&fields.movetime, "movetime", "\"20ms\"", problems);
    let nodes = ranged(&fields.nodes, "study.games.nodes", problems);
    let equal_time = ranged(&fields.equal_time, "study.games.equal_time", problems);
    let openings = fields.openings.as_ref();
    problems.extend(openings.map(|file| misplaced_openings(file, table)));
    let pairs: Option<u64> = ranged(&fields.pairs, "study.games.pairs", problems);
    Some(StudyGames {
        pairs: pairs?,
        nodes,
        equal_time,
        movetime,
    })
}

/// The error for openings under `[study.games]`: they belong in `[openings]`, as in every other
/// config, so that the record of the games names them.
fn misplaced_openings(file: &Text, table: Option<&Range<usize>>) -> Problem {
    match table {
        Some(table) => Problem::error(file.span(), "the openings of the games are given twice")
            .context(table.clone(), "the other place, and the one that counts")
            .help(
                "remove `openings` from `[study.games]`, and keep the right file in `[openings]`",
            ),
        None => Problem::error(
            file.span(),
            "the openings of the games are in the wrong table",
        )
        .label("not a key of `[study.games]`")
        .help(format!(
            "write `[openings]` and under it `file = {:?}`",
            file.get_ref()
        )),
    }
}
