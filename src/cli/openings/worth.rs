//! `leitai openings check --play`: what a book is worth.

use std::fmt::Write as _;
use std::num::NonZeroU64;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};
use serde::Serialize;

use crate::cli::failure::Failure;
use crate::cli::games::Card;
use crate::cli::threads::Threads;
use crate::config::{
    Adjudication, Config, Exhausted, FailurePolicies, Format, GameChoice, Limits, OpeningOrder,
    Openings, Tournament, default_variant,
};
use crate::count::{count, with_sign};
use crate::schedule::Book;
use crate::stats::{BadPlan, ErrorRates, GameVariance, Hypotheses, Information, Model, TestPlan};
use crate::tournament::{Plan, play_aside};

/// The opponent has a quarter more nodes: it is little stronger by that, and plays other
/// moves. A shuffled order of moves alone changes none where no two are worth the same.
fn more(nodes: u64) -> u64 {
    nodes + (nodes / 4).max(1)
}

/// Both error rates that a gate is planned for.
const ERROR_RATE: f64 = 0.05;

/// The change of strength, in Elo.
const CHANGE: f64 = 5.0;

/// What was measured.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Worth {
    /// Nodes per move of the one player; the other has a quarter more.
    nodes: u64,
    seed: u64,
    /// Pairs that were played; those whose two games went alike are left out below.
    played: u64,
    #[serde(flatten)]
    information: Information,
    /// What 5 Elo between players of level decisive games are here.
    five_elo_seen: f64,
    /// Pairs that a gate takes on the mean to tell such a change from none, if it is
    /// one of the two.
    pairs_for_five_elo: f64,
}

/// Plays `pairs` pairs from the book; `None` if it was cancelled.
pub(super) fn measure(
    card: Card,
    book: Book,
    (pairs, nodes, seed): (NonZeroU64, u64, u64),
    threads: Threads,
    cancel: &AtomicBool,
) -> Result<Option<Worth>, Failure> {
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
    other.limits = Some(limits(more(nodes)));
    let config = Config {
        game: choice,
        seed,
        limits: limits(nodes),
        openings: Openings {
            file: None,
            order: OpeningOrder::Random,
            exhausted: Exhausted::Error,
            former: Vec::new(),
        },
        adjudication: Adjudication::default(),
        tournament: Some(Tournament {
            format: Format::Duel,
            pairs: pairs.get(),
            camps: None,
        }),
        gate: None,
        tune: None,
        failures: FailurePolicies::default(),
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
    let standings = play_aside(&plan, threads.get(), cancel);
    if cancel.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let tally = standings.tallies().next().map(|(_, tally)| *tally);
    let tally = tally.unwrap_or_default();
    let information = tally
        .information()
        .context("the two played alike in every pair: give more nodes")?;
    let five_elo_seen = information.seen(CHANGE);
    let variance = GameVariance::from_pilot(tally.pairs).map_err(|_: BadPlan| {
        anyhow::anyhow!("all pairs ended alike: the players or the openings leave nothing to tell")
    })?;
    let hypotheses = Hypotheses::new(0.0, five_elo_seen, Model::Logistic)?;
    let plan = TestPlan::new(
        hypotheses,
        ErrorRates::new(ERROR_RATE, ERROR_RATE)?,
        variance,
    )?;
    Ok(Some(Worth {
        nodes,
        seed,
        played: pairs.get(),
        information,
        five_elo_seen,
        pairs_for_five_elo: plan.sequential(0.0).expected_games / 2.0,
    }))
}

/// For people.
pub(super) fn words(worth: &Worth) -> String {
    let Worth {
        nodes, information, ..
    } = worth;
    let mut text = format!(
        "played       {} at {nodes} nodes a move against {} (seed {}), {} of them not alike: \
         {}\n",
        count(worth.played, "pair", "pairs"),
        more(*nodes),
        worth.seed,
        information.pairs,
        information.elo.map_or_else(
            || "all lost or won".to_owned(),
            |elo| format!("{} Elo", with_sign(elo, 1))
        ),
    );
    let _ = write!(
        text,
        "draws        {:.1} %, {:.1} % +- {:.1} between equals by Davidson's model\n\
         information  {:.2}e-5 +- {:.2}e-5 per pair and square Elo; level openings without draws \
         have 1.66e-5\n\
         a change of 5 Elo in decisive games from level openings is one of {:.1} here: a gate that \
         tells it from none takes some {:.0} pairs",
        100.0 * information.draw_rate,
        100.0 * information.draw_rate_of_equals,
        100.0 * information.draw_rate_of_equals_error.unwrap_or(0.0),
        1e5 * information.per_pair,
        1e5 * information.standard_error,
        worth.five_elo_seen,
        worth.pairs_for_five_elo,
    );
    if !information.is_near {
        text.push_str(
            "\nwarning: the two are too unequal for this to say much of equals: give more nodes",
        );
    }
    text
}
