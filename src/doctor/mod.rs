//! Is a player fit to play? Each player of a config is started, asked and timed
//! as a run would do it, and what is wrong is said with the line that fixes it.
//!
//! What is asked of a program (`greeting`, `positions`, `game`, `repeats`,
//! `limits`, `resources`) is kept apart from what the answers mean
//! (`diagnosis`, `options`, `compare`): the latter is plain computation.
//! Every wait is bounded, and every program is ended.

mod check;
mod compare;
mod diagnosis;
mod game;
mod greeting;
mod in_process;
mod limits;
mod options;
mod positions;
mod processes;
mod program;
mod repeats;
mod resources;
mod words;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub use check::{Check, Examination, Health, Kind, Status};

use crate::card::Place;
use crate::config::{Config, GameChoice, Limits, Program, Variant};
use crate::player::{Budget, Probe, Refusal, Reply};
use crate::schedule::Book;

/// Under which circumstances players are examined.
#[derive(Clone, Copy, Debug)]
pub struct Circumstances<'a> {
    /// Whether fewer and shorter searches will do.
    pub quick: bool,
    /// Games that a run would play at once: each keeps a process of each program
    /// that it has met.
    pub threads: usize,
    /// Free memory in MiB; `None` if the system does not tell.
    pub available_mib: Option<u64>,
    /// The openings of the config, if they can be read.
    pub book: Option<&'a Book>,
    /// Whoever sets this wants the examination to end at once.
    pub cancel: &'a AtomicBool,
}

impl Circumstances<'_> {
    fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// One of two values: for a thorough or a quick examination.
    fn pick<T>(&self, thorough: T, quick: T) -> T {
        if self.quick { quick } else { thorough }
    }
}

impl Circumstances<'_> {
    /// What a player that takes so many MiB comes to on all threads. That it leaves less than
    /// half of what is free is `much`.
    fn memory(&self, taken: &str, each: u64, help: &str, much: Status) -> Check {
        let (threads, free) = (self.threads as u64, self.available_mib);
        let all = each.saturating_mul(threads);
        let text = format!("{taken}; {}", words::share(all, threads, free));
        let check = match free {
            Some(free) if all > free => Check::failure("memory", text).help(help.to_owned()),
            Some(free) if all > free / 2 => Check::new("memory", much, text),
            _ => Check::ok("memory", text),
        };
        check
            .figure("threads", threads)
            .figure("all_mib", all)
            .figure("available_mib", free)
    }
}

/// A program under examination, and what the config asks of it.
struct Patient<'a> {
    program: Program,
    limits: Limits,
    game: GameChoice,
    around: &'a Circumstances<'a>,
}

/// The longest wait for a move that no clock limits.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

impl Patient<'_> {
    /// What it is asked.
    fn questions(&self) -> &'static crate::card::Examination {
        &self.game.card.facts().examination
    }

    /// How long a move may take that no clock limits.
    fn patience(&self) -> Duration {
        self.program.stall.min(LONGEST_WAIT)
    }

    /// A fresh process.
    fn start(&self) -> Result<Probe, Refusal> {
        Probe::start(&self.program, self.around.cancel)
    }

    /// The places with much to think about.
    fn rich(&self) -> [&'static Place; 3] {
        let questions = self.questions();
        questions.rich.map(|index| &questions.places[index])
    }

    /// Begins a game in that place, and asks for a move there.
    fn ask(
        &self,
        probe: &mut Probe,
        place: &Place,
        budget: &Budget,
        patience: Duration,
    ) -> Result<Reply, Refusal> {
        let line = place.line(self.game.card);
        probe.new_game(line.start(), self.around.cancel)?;
        Ok(probe.ask(&*line, budget, patience, self.around.cancel))
    }
}

/// The variants that play: in a gate the base and the candidates, otherwise all.
pub fn players(config: &Config) -> Vec<&Variant> {
    let Some(gate) = &config.gate else {
        return config.variants.iter().collect();
    };
    let playing = std::iter::once(&gate.base).chain(&gate.candidates);
    playing
        .filter_map(|&index| config.variants.get(index))
        .collect()
}

/// Examines one variant of a config. If it is called off, what
/// has been found by then.
pub fn examine(config: &Config, variant: &Variant, around: &Circumstances) -> Examination {
    match &variant.program {
        Some(program) => program::examine(config, variant, program, around),
        None => in_process::examine(config, variant, around),
    }
}
