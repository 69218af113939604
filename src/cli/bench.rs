//! `leitai bench`: the signature of the search, and its speed.

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::Context;
use clap::Args;
use serde::Serialize;

use super::Exit;
use super::failure::{Failure, Outcome};
use super::games::{self, Card};
use super::terminal::{say, say_json};
use crate::config::{GameChoice, Variant, default_variant, search_preset};
use crate::schedule::Book;
use crate::study::{Cell, Cells, Task, search};
use crate::threads::pool;

/// Search a fixed set of positions to a fixed depth with everything on: the
/// preset `full` and the usual evaluation.
///
/// The total of the nodes is the signature of the search: a change that is not
/// meant to change what is searched leaves it as it is. The speed is that of
/// one thread.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The game.
    #[arg(default_value = games::first(), value_parser = games::parser())]
    game: Card,
    /// Depth in plies; by default one that takes the game a second or so.
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    depth: Option<u32>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    game: &'static str,
    depth: u32,
    /// The signature.
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
    positions: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    id: String,
    nodes: u64,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    show(arguments, &measure(arguments.game, arguments.depth)?)
}

/// The nodes per second of `leitai bench` on this machine while as many threads
/// are searching: the median of theirs. Takes about half a second.
pub(super) fn speed(card: Card, threads: NonZeroUsize) -> Result<f64, Failure> {
    let one = || measure(card, None).map(|answer| answer.nodes_per_second);
    let speeds = pool(threads).broadcast(|_| one()).into_iter();
    let mut speeds = speeds.collect::<Result<Vec<f64>, Failure>>()?;
    speeds.sort_by(f64::total_cmp);
    Ok(speeds[speeds.len() / 2])
}

fn measure(card: Card, depth: Option<u32>) -> Result<Answer, Failure> {
    let (text, usual_depth) = card.facts().bench;
    let depth = depth.unwrap_or(usual_depth);
    let game = GameChoice::usual(card);
    let variant = Variant {
        search: search_preset("full").context("the preset `full` is broken")?,
        ..default_variant(game)?
    };
    let suite = match text {
        "" => Book::initial(card),
        text => Book::parse(card, text, "the positions of the bench")?,
    };
    let task = Task {
        game,
        variants: &[variant],
        suite: &suite,
        depth,
        nodes: None,
    };
    let began = Instant::now();
    let clock = || began.elapsed();
    let calm = AtomicBool::new(false);
    let mut cells = Cells::empty(task.variants.len(), task.suite.len());
    let ignore = |_, _: &Cell| Ok::<(), Failure>(());
    search(&task, &mut cells, NonZeroUsize::MIN, &calm, &clock, ignore)?;
    let mut answer = Answer {
        game: card.name(),
        depth,
        nodes: 0,
        seconds: 0.0,
        nodes_per_second: 0.0,
        positions: Vec::new(),
    };
    for (index, opening) in suite.openings.iter().enumerate() {
        let last = cells.iterations(0, index).last();
        let nodes = last.map_or(0, |last| last.total_nodes);
        answer.nodes += nodes;
        answer.seconds += last.map_or(0.0, |last| last.total_time.as_secs_f64());
        answer.positions.push(Row {
            id: opening.id.clone(),
            nodes,
        });
    }
    answer.nodes_per_second = answer.nodes as f64 / answer.seconds.max(1e-9);
    Ok(answer)
}

fn show(arguments: &Arguments, answer: &Answer) -> Outcome {
    if arguments.json {
        say_json(answer)?;
        return Ok(Exit::Success);
    }
    for row in &answer.positions {
        say(&format!("{:12} {:>12}", row.id, row.nodes))?;
    }
    say(&format!("depth        {:>12}", answer.depth))?;
    say(&format!("seconds      {:>12.3}", answer.seconds))?;
    say(&format!("nodes/second {:>12.0}", answer.nodes_per_second))?;
    say(&format!("nodes        {:>12}", answer.nodes))?;
    Ok(Exit::Success)
}
