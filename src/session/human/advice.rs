//! What the variants of a config say of positions, from a thread of its own.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::card::{AnyLine, Thinker};
use crate::config::{Config, Limits, TimeControl};
use crate::eval::Score;
use crate::game::Move;
use crate::interchange::pgn::Searched;
use crate::player::{Budget, GameId, Player, TimeBudget, thinker};
use crate::search::{Roots, SearchLimits, SearchReport};
use crate::tournament::player_of;

/// Nobody thinks longer about a move than this, nor about more nodes.
const LONGEST: Duration = Duration::from_mins(1);
const MOST_NODES: u64 = 20_000_000;
/// What is spent on a move where neither the config nor anybody else says.
const USUAL: Duration = Duration::from_secs(1);

/// A question: what does a variant say of a position?
pub struct Ask {
    /// Its number in the config.
    pub variant: usize,
    /// The position, and how it came about.
    pub line: Box<dyn AnyLine>,
    /// What may be spent on it.
    pub budget: Budget,
    /// How many of the best moves are wanted while it thinks; `None`: the one that it would
    /// play.
    pub lines: Option<usize>,
    /// Number of the game: of another one it begins anew.
    pub game: u64,
    /// Set by whoever does not want to know any more.
    pub cancel: Arc<AtomicBool>,
    /// Hears the answers.
    pub tell: Box<dyn FnMut(Advice) + Send>,
}

/// An answer; while it thinks, one of several.
#[derive(Clone, Debug)]
pub struct Advice {
    /// The best lines, best first; none if it failed.
    pub lines: Vec<Line>,
    /// Whether it is the last answer.
    pub is_last: bool,
}

/// A line of play, and what is said of it.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its moves, at least one.
    pub moves: Vec<Move>,
    /// From the point of view of who is to move.
    pub score: Option<Score>,
    /// Plies of the last finished iteration; 0 if unknown.
    pub depth: u32,
    /// Nodes searched; 0 if unknown.
    pub nodes: u64,
    /// Time spent.
    pub time: Duration,
}

impl Line {
    /// What is said of its first move, as games record it.
    pub fn searched(&self) -> Searched {
        let depth = u8::try_from(self.depth).unwrap_or(u8::MAX);
        let nodes = u32::try_from(self.nodes).unwrap_or(u32::MAX);
        Searched::new(self.score, depth, nodes, Some(self.time.as_secs_f64()))
    }
}

/// The variants of a config, ready to be asked.
#[derive(Clone, Debug)]
pub struct Adviser(Sender<Ask>);

/// The thread that answers has ended.
#[derive(Clone, Copy, Debug)]
pub struct AdviserGone;

impl Adviser {
    /// Begins a thread that answers, one question after the other.
    ///
    /// # Errors
    /// The system refuses a thread.
    pub fn begin(config: Config) -> std::io::Result<Self> {
        let (sender, asked) = channel();
        let thread = thread::Builder::new().name("adviser".to_owned());
        thread.spawn(move || answer_all(&config, &asked))?;
        Ok(Self(sender))
    }

    /// Asks; the answers come by themselves.
    ///
    /// # Errors
    /// Nobody answers any more.
    pub fn ask(&self, ask: Ask) -> Result<(), AdviserGone> {
        self.0.send(ask).map_err(|_| AdviserGone)
    }
}

/// What a variant may spend on a move by hand: what its limits say, and of a clock a fortieth
/// part.
pub(crate) fn budget_of(limits: &Limits) -> Budget {
    let time = limits.time.map(|time| match time {
        TimeControl::PerMove(time) => time,
        TimeControl::Clock(clock) => {
            clock.base / clock.moves.unwrap_or(40).max(1) + clock.increment
        }
    });
    let budget = time.map_or_else(Budget::default, Budget::of_time);
    Budget {
        nodes: limits.nodes,
        depth: limits.depth,
        ..budget
    }
}

/// A budget that ends.
fn bounded(budget: Budget) -> (Budget, Duration) {
    let is_open = budget == Budget::default();
    let time = match budget.time {
        Some(TimeBudget::Move(time)) => time.min(LONGEST),
        Some(TimeBudget::Clock { .. }) | None if is_open => USUAL,
        _ => LONGEST,
    };
    let nodes = budget.nodes.map(|nodes| nodes.min(MOST_NODES));
    let timed = Budget {
        nodes,
        depth: budget.depth,
        // Nodes and depth end by themselves, the same on every machine.
        time: (nodes.is_none()).then_some(TimeBudget::Move(time)),
    };
    (timed, time)
}

fn answer_all(config: &Config, asked: &Receiver<Ask>) {
    let limits = config.limits_by_variant();
    let mut players: HashMap<usize, (u64, Box<dyn Player>)> = HashMap::new();
    let mut thinkers: HashMap<usize, (u64, Box<dyn Thinker>)> = HashMap::new();
    for mut ask in asked {
        let Some((variant, limits)) = config
            .variants
            .get(ask.variant)
            .zip(limits.get(ask.variant))
        else {
            continue;
        };
        let (budget, longest) = bounded(ask.budget);
        if let Some(lines) = ask.lines
            && let Some((game, thinker)) = known(&mut thinkers, ask.variant, || {
                thinker(variant, &config.game)
            })
        {
            if std::mem::replace(game, ask.game) != ask.game {
                thinker.new_game();
            }
            analyse(&mut **thinker, &mut ask, lines, &budget, longest);
        } else if let Some((game, player)) = known(&mut players, ask.variant, || {
            player_of(variant, limits, &config.game)
        }) {
            if std::mem::replace(game, ask.game) != ask.game {
                let id = GameId {
                    pair: ask.game,
                    game: 1,
                    attempt: 1,
                };
                player.new_game(id, ask.line.start(), &ask.cancel);
            }
            choose(&mut **player, &mut ask, &budget);
        }
    }
}

/// What is kept of a variant, made at the first need, and the game that it knows.
fn known<T>(
    all: &mut HashMap<usize, (u64, T)>,
    variant: usize,
    make: impl FnOnce() -> Option<T>,
) -> Option<&mut (u64, T)> {
    match all.entry(variant) {
        Entry::Occupied(known) => Some(known.into_mut()),
        Entry::Vacant(unknown) => Some(unknown.insert((u64::MAX, make()?))),
    }
}

fn choose(player: &mut dyn Player, ask: &mut Ask, budget: &Budget) {
    let began = Instant::now();
    let choice = player.choose(&*ask.line, budget, &ask.cancel);
    let line = choice.ok().and_then(|choice| {
        Some(Line {
            moves: vec![choice.mv?],
            score: choice.score,
            depth: choice.depth,
            nodes: choice.nodes,
            time: began.elapsed(),
        })
    });
    (ask.tell)(Advice {
        lines: line.into_iter().collect(),
        is_last: true,
    });
}

fn analyse(
    thinker: &mut dyn Thinker,
    ask: &mut Ask,
    lines: usize,
    budget: &Budget,
    longest: Duration,
) {
    let began = Instant::now();
    let limits = SearchLimits {
        nodes: budget.nodes,
        depth: budget.depth,
    };
    let roots = Roots {
        lines,
        ..Roots::default()
    };
    let cancel = Arc::clone(&ask.cancel);
    let stop = || cancel.load(Ordering::Relaxed) || began.elapsed() >= longest;
    let told = |reports: &[SearchReport]| -> Vec<Line> {
        let lines = reports.iter().filter(|report| !report.pv.is_empty());
        let lines = lines.map(|report| Line {
            moves: report.pv.clone(),
            score: Some(report.score),
            depth: report.depth,
            nodes: report.nodes,
            time: began.elapsed(),
        });
        lines.collect()
    };
    let tell = &mut ask.tell;
    let last = thinker.run_lines(&*ask.line, &limits, &roots, &stop, &mut |reports| {
        tell(Advice {
            lines: told(reports),
            is_last: false,
        });
    });
    tell(Advice {
        lines: told(&last),
        is_last: true,
    });
}
