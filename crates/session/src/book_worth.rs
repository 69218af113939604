//! Measures the value of a book by pairs of nearly equal players.

use std::num::{NonZeroU64, NonZeroUsize};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};
use serde::Serialize;

use super::Failure;
use leitai_base::count::count;
use leitai_config::{
    Adjudication, Checks, Config, Exhausted, FailurePolicies, Format, GameChoice, Kept, Limits,
    OpeningOrder, Openings, PairForm, Tournament, default_variant,
};
use leitai_game::card::GameCard;
use leitai_players::schedule::Book;
use leitai_runs::tournament::{Plan, play_unrecorded};
use leitai_stats::{BadPlan, ErrorRates, GameVariance, Hypotheses, Information, Model, TestPlan};

/// Returns the opponent's node limit, a quarter more: the opponent is a little stronger and plays
/// other moves. Shuffled move order alone would change a move only between equal scores.
pub fn more_nodes(nodes: u64) -> u64 {
    nodes + (nodes / 4).max(1)
}

/// The error rates of both kinds of the planned gate.
const ERROR_RATE: f64 = 0.05;

/// The planned change of strength, in Elo.
const CHANGE: f64 = 5.0;

/// The measured value of a book.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct BookWorth {
    /// Nodes per move of the first player; the other has a quarter more.
    pub nodes: u64,
    /// Seed of the order of the openings and of the opponent's choice among equal moves.
    pub seed: u64,
    /// Number of pairs played. Pairs whose two games are identical are excluded from the figures
    /// below.
    pub played: u64,
    /// Information per pair.
    #[serde(flatten)]
    pub information: Information,
    /// The effect in this book of a difference of 5 Elo in level decisive games.
    pub five_elo_seen: f64,
    /// Mean number of pairs that a gate needs to distinguish such a change from none, if one of the
    /// two is true.
    pub pairs_for_five_elo: f64,
}

/// Plays `pairs` pairs from the book without recording them; `None` if cancelled.
///
/// # Errors
/// The book has fewer openings, or the results determine nothing.
pub fn book_worth(
    card: &'static dyn GameCard,
    book: Book,
    (pairs, nodes, seed): (NonZeroU64, u64, u64),
    threads: NonZeroUsize,
    cancel: &AtomicBool,
) -> Result<Option<BookWorth>, Failure> {
    let choice = GameChoice::usual(card);
    let mut one = default_variant(choice)?;
    one.search.table_mb = 1;
    let mut other = one.clone();
    "more nodes".clone_into(&mut other.name);
    other.search.shuffle_seed = (seed as u32).wrapping_add(1);
    let limits = |nodes| Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    other.limits = Some(limits(more_nodes(nodes)));
    let config = Config {
        game: choice,
        seed,
        limits: limits(nodes),
        openings: Openings {
            order: OpeningOrder::Random,
            exhausted: Exhausted::Error,
            ..Openings::default()
        },
        adjudication: Adjudication::default(),
        tournament: Some(Tournament {
            format: Format::Duel,
            pairs: pairs.get(),
            sides: None,
        }),
        gate: None,
        tune: None,
        failures: FailurePolicies::default(),
        checks: Checks::default(),
        kept: Kept::default(),
        pairs: PairForm::default(),
        variants: vec![one, other],
    };
    let have = book.len();
    if pairs.get() > have as u64 {
        bail!(
            "--play {pairs}: the book has {}, and each is played once",
            count(have as u64, "opening", "openings")
        );
    }
    let plan = Plan::new(config, book)?;
    let standings = play_unrecorded(&plan, threads, cancel);
    if cancel.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let tally = standings.tallies().next().map(|(_, tally)| *tally);
    let tally = tally.unwrap_or_default();
    let information = tally
        .information()
        .context("the two played identical games in every pair: give more nodes")?;
    let five_elo_seen = information.expected_difference(CHANGE);
    let variance = GameVariance::from_pilot(tally.pairs).map_err(|_: BadPlan| {
        anyhow::anyhow!("all pairs had the same result: the book and players give no information")
    })?;
    let hypotheses = Hypotheses::new(0.0, five_elo_seen, Model::Logistic)?;
    let rates = ErrorRates::new(ERROR_RATE, ERROR_RATE)?;
    let plan = TestPlan::new(hypotheses, rates, variance)?;
    Ok(Some(BookWorth {
        nodes,
        seed,
        played: pairs.get(),
        information,
        five_elo_seen,
        pairs_for_five_elo: plan.sequential(0.0).expected_games / 2.0,
    }))
}
