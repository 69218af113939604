//! Forecast of a tune's cost and result, reported before its first game.

use std::fmt::Write as _;
use std::time::Duration;

use super::TuneTask;
use super::stage_configs::StageConfigs;
use crate::gate::warn_if_short;
use crate::{Failure, Listener, Session};
use leitai_base::count::{count, rough_duration};
use leitai_config::Algorithm;
use leitai_players::schedule::GATE_PAIRS;
use leitai_runs::gate::Trials;
use leitai_runs::tournament::{Plan, pilot, tune_parts};
use leitai_stats::normal::Z95;
use leitai_stats::tune::{Assumptions, ELO_PER_LEAD, Expectation, GAME_VARIANCE, expectation};

/// A future stage.
struct PartOutlook {
    name: &'static str,
    /// Number of pairs; the maximum for a test.
    pairs: u64,
    is_test: bool,
    /// Duration of a pair relative to one at the limits of the tune; `None` if unknown.
    slower: Option<f64>,
    /// Number of times; the maximum for generations.
    times: u32,
    words: String,
}

/// Warns if the proof will most likely be inconclusive.
pub(super) fn warn_of_proof(proof: &Plan, listener: &dyn Listener) -> Result<(), Failure> {
    if let Some(gate) = &proof.config.gate {
        let trials = Trials::of(gate, proof)?.limited_to_starts(proof.different_starts());
        let (game, openings) = (&proof.config.game, proof.book.len());
        warn_if_short("the proof", &trials, game, openings, listener);
    }
    Ok(())
}

/// Reports all stages. Plays some pairs of `proof`, the plan of the proof, to time them, and does
/// not record them. With a time limit or external engines, nothing is timed.
///
/// # Errors
/// The algorithm does not accept these settings.
pub(super) fn report(
    configs: &StageConfigs<'_>,
    proof: &Plan,
    session: &Session<'_>,
    task: &TuneTask,
) -> Result<(), Failure> {
    let (proves, listener) = (task.proves, &*session.listener);
    let expected = expected(configs)?;
    if let Some(expected) = &expected {
        warn(expected, configs.tune.dimensions.len(), listener);
    }
    let config = &configs.origin.loaded.config;
    if proves {
        warn_of_proof(proof, listener)?;
    }
    if !task.previews {
        return Ok(());
    }
    let most = if config.game.card.facts().varies {
        GATE_PAIRS
    } else {
        proof.book.len() as u64
    };
    let stages = stages(configs, expected.as_ref(), most, proves);
    let has_pace = !config.is_timed() && !config.has_programs();
    let pilot = || pilot(proof, session.threads, session.cancel);
    let pace = has_pace.then(pilot).flatten();
    let mut text = format!(
        "`{}`, on {}:\n",
        configs.start().name,
        count(session.threads.get() as u64, "thread", "threads")
    );
    let mut total = Some(Duration::ZERO);
    for stage in &stages {
        let pairs = stage.slower.map(|slower| stage.pairs as f64 * slower);
        let time = pace.zip(pairs);
        let time = time.map(|(pace, pairs)| pace.time_for(pairs, session.threads));
        total = total
            .zip(time)
            .map(|(total, time)| total.saturating_add(time.saturating_mul(stage.times)));
        let most = if stage.is_test { "at most " } else { "" };
        let games = format!("{most}{} games", 2 * stage.pairs);
        let time = time.map_or_else(String::new, rough_duration);
        let row = format!(
            "  {:<12}  {games:<22}  {time:<8}  {}",
            stage.name, stage.words
        );
        let _ = writeln!(text, "{}", row.trim_end());
    }
    if let Some(limits) = &configs.tune.generations {
        let _ = writeln!(
            text,
            "  at most {}, ending after {} in a row without a winner",
            count(
                u64::from(configs.tune.most_generations()),
                "generation",
                "generations"
            ),
            limits.rejections
        );
    }
    if let Some(total) = total {
        let _ = writeln!(text, "  in total at most about {}", rough_duration(total));
    }
    listener.detail(text.trim_end());
    Ok(())
}

/// Returns the expected result of the games; `None` without games to learn from.
fn expected(configs: &StageConfigs<'_>) -> Result<Option<Expectation>, Failure> {
    if configs.tune.games == 0 || configs.tune.depth.is_some() {
        return Ok(None);
    }
    let seed = configs.origin.loaded.config.seed;
    let (space, method, plan) = tune_parts(configs.tune, seed)?;
    let expected = expectation(&space, &method, plan, &Assumptions::default())?;
    Ok(Some(expected))
}

/// Warns if the games are too few to learn anything.
fn warn(expected: &Expectation, dimensions: usize, listener: &dyn Listener) {
    let (Some(needed), Some(left)) = (expected.too_small, expected.left.mean) else {
        return;
    };
    let would_do = needed.games.map_or_else(
        || "no sufficient number of games was found: tune fewer numbers".to_owned(),
        |games| format!("about {games} suffice"),
    );
    let numbers = count(dimensions as u64, "number", "numbers");
    listener.warn(format!(
        "{} games are too few to tune {numbers} of a start that is {:.0} Elo below the best values \
         (assumed): about {left:.0} would be left\n\
         help: {would_do}; `leitai tune CONFIG --simulate` compares budgets and algorithms",
        expected.games, expected.start_loss,
    ));
}

/// Returns the smallest slope, in Elo per step, that four of five tunes detect at the 95 % level:
/// 1.96 + 0.84 standard errors of the slope, with players one step to either side of their centre.
fn visible(games: u64) -> f64 {
    0.5 * ELO_PER_LEAD * (Z95 + 0.84) * (GAME_VARIANCE / games.max(1) as f64).sqrt()
}

fn stages(
    configs: &StageConfigs<'_>,
    expected: Option<&Expectation>,
    most: u64,
    proves: bool,
) -> Vec<PartOutlook> {
    let tune = configs.tune;
    let usual = Some(1.0);
    let played = |name, pairs, words| PartOutlook {
        name,
        pairs,
        is_test: false,
        slower: usual,
        times: tune.most_generations().max(1),
        words,
    };
    let test = |name, pairs: Option<u64>, slower| PartOutlook {
        is_test: true,
        slower,
        ..played(name, pairs.unwrap_or(most), String::new())
    };
    let mut stages = Vec::new();
    if let Some(texel) = &tune.texel {
        if let games @ 1.. = texel.games() {
            let words = format!("fits {} numbers", texel.dimensions.len());
            stages.push(played("fit", games / 2, words));
        }
        if tune.games > 0 {
            stages.push(test("gate", texel.gate.max_pairs, usual));
        }
    }
    if let Some(expected) = expected {
        let left = expected.left.mean.unwrap_or(f64::NAN);
        let error = expected.left.standard_error.unwrap_or(f64::NAN);
        let unseen = match tune.algorithm {
            Algorithm::Regression => format!(
                "; effects below about {:.1} Elo per step remain undetected",
                visible(tune.games)
            ),
            _ => String::new(),
        };
        let words = format!(
            "{} by {}: of {:.0} possible Elo, {left:.1} are left (error {error:.1}; \
             simulated){unseen}",
            count(tune.dimensions.len() as u64, "number", "numbers"),
            tune.algorithm.name(),
            expected.start_loss,
        );
        stages.push(played("games", tune.games / 2, words));
    }
    if let Some(depth) = tune.depth {
        let numbers = count(tune.dimensions.len() as u64, "number", "numbers");
        let words =
            format!("{numbers} by nodes of searches to depth {depth}, two searches per pair");
        let searches = played("searches", tune.games / 2, words);
        stages.push(PartOutlook {
            slower: None,
            ..searches
        });
    }
    if !proves {
        return stages;
    }
    stages.push(test("proof", configs.proof_terms().max_pairs, usual));
    if let Some(second) = &tune.second {
        let (ours, theirs) = (
            configs.origin.loaded.config.limits.nodes,
            second.limits.nodes,
        );
        let slower = ours.zip(theirs);
        let slower = slower.map(|(ours, theirs)| theirs as f64 / ours.max(1) as f64);
        stages.push(test("second proof", second.proof.max_pairs, slower));
    }
    let generations = tune.most_generations();
    if generations > 1 {
        let last = test("last gate", configs.proof_terms().max_pairs, usual);
        let words = "once, after the generations".to_owned();
        stages.push(PartOutlook {
            times: 1,
            words,
            ..last
        });
    }
    if let Some(pool) = &tune.pool {
        let derived = if generations > 0 {
            u64::from(generations)
        } else {
            let fitted = tune.texel.is_some() && tune.games > 0;
            1 + u64::from(fitted) + u64::from(pool.checkpoints)
        };
        let challengers = 1 + derived + pool.references.len() as u64;
        let pairings = challengers * pool.variants.len() as u64;
        let words = match generations {
            0 => format!("{pairings} pairings"),
            _ => format!("once, at most {pairings} pairings"),
        };
        let pool = played("pool", pairings * pool.pairs, words);
        stages.push(PartOutlook { times: 1, ..pool });
    }
    stages
}
