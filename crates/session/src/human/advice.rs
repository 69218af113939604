//! Analysis of positions by the variants of a config, in a separate thread.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use leitai_base::threads::SEARCH_STACK;
use leitai_config::{Config, Limits, TimeControl};
use leitai_game::Move;
use leitai_game::card::{AnyLine, Thinker};
use leitai_game::eval::Score;
use leitai_game::search::{RootMoves, SearchLimits, SearchReport};
use leitai_interchange::pgn::MoveComment;
use leitai_players::player::{Budget, GameId, Player, TimeBudget, thinker};
use leitai_runs::tournament::player_of;

/// Limits of time and nodes for any move.
const LONGEST: Duration = Duration::from_mins(1);
const MAX_NODES: u64 = 20_000_000;
/// Default time for a move.
const DEFAULT: Duration = Duration::from_secs(1);

/// A request for a variant's analysis of a position.
pub struct AdviceRequest {
    /// Index of the variant in the config.
    pub variant: usize,
    /// The position, with the game up to it.
    pub line: Box<dyn AnyLine>,
    /// The search budget.
    pub budget: Budget,
    /// Number of best moves to report during the search; `None` for only the move that the variant
    /// would play.
    pub lines: Option<usize>,
    /// Number of the game. If it changes, the variant begins a new game.
    pub game: u64,
    /// Set by the caller to cancel the request.
    pub cancel: Arc<AtomicBool>,
    /// Receives the answers.
    pub reply: Box<dyn FnMut(Advice) + Send>,
}

/// An answer; during a search, one of several.
#[derive(Clone, Debug)]
pub struct Advice {
    /// The best lines, best first; empty after a failure.
    pub lines: Vec<Line>,
    /// True for the last answer.
    pub is_last: bool,
}

/// A line of play and its evaluation.
#[derive(Clone, Debug)]
pub struct Line {
    /// The moves, at least one.
    pub moves: Vec<Move>,
    /// Score from the point of view of the side to move.
    pub score: Option<Score>,
    /// Plies of the last finished iteration; 0 if unknown.
    pub depth: u32,
    /// Nodes searched; 0 if unknown.
    pub nodes: u64,
    /// Time spent.
    pub time: Duration,
}

impl Line {
    /// Returns the search data of the first move, as games record them.
    pub fn searched(&self) -> MoveComment {
        let depth = u8::try_from(self.depth).unwrap_or(u8::MAX);
        MoveComment::new(self.score, depth, self.nodes, Some(self.time.as_secs_f64()))
    }
}

/// Handle of a thread that answers requests to the variants of a config.
#[derive(Clone, Debug)]
pub struct Adviser(Sender<AdviceRequest>);

/// The answering thread has ended.
#[derive(Clone, Copy, Debug)]
pub struct AdviserGone;

impl Adviser {
    /// Starts the thread, which answers one request after the other.
    ///
    /// # Errors
    /// The system refuses a thread.
    pub fn begin(config: Config) -> std::io::Result<Self> {
        let (sender, requests) = channel();
        let thread = thread::Builder::new().name("adviser".to_owned());
        let thread = thread.stack_size(SEARCH_STACK);
        thread.spawn(move || answer_requests(&config, &requests))?;
        Ok(Self(sender))
    }

    /// Sends a request; answers arrive asynchronously.
    ///
    /// # Errors
    /// The answering thread has ended.
    pub fn ask(&self, ask: AdviceRequest) -> Result<(), AdviserGone> {
        self.0.send(ask).map_err(|_| AdviserGone)
    }
}

/// Returns a variant's budget for a move against a human: its limits, and for a clock the base time
/// divided by its moves (40 without any) plus the increment.
pub fn budget_of(limits: &Limits) -> Budget {
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

/// Returns the budget with finite limits.
fn bounded(budget: Budget) -> (Budget, Duration) {
    let is_open = budget == Budget::default();
    let time = match budget.time {
        Some(TimeBudget::Move(time)) => time.min(LONGEST),
        Some(TimeBudget::Clock(_)) | None if is_open => DEFAULT,
        _ => LONGEST,
    };
    let nodes = budget.nodes.map(|nodes| nodes.min(MAX_NODES));
    let timed = Budget {
        nodes,
        depth: budget.depth,
        // Nodes and depth limit the search reproducibly on every machine.
        time: (nodes.is_none()).then_some(TimeBudget::Move(time)),
    };
    (timed, time)
}

fn answer_requests(config: &Config, requests: &Receiver<AdviceRequest>) {
    let limits = config.limits_by_variant();
    let mut players: HashMap<usize, (u64, Box<dyn Player>)> = HashMap::new();
    let mut thinkers: HashMap<usize, (u64, Box<dyn Thinker>)> = HashMap::new();
    for mut ask in requests {
        let number = ask.variant;
        let (Some(variant), Some(limits)) = (config.variants.get(number), limits.get(number))
        else {
            continue;
        };
        let (budget, longest) = bounded(ask.budget);
        let make_thinker = || thinker(variant, &config.game);
        let make_player = || player_of(variant, limits, &config.game);
        if let Some(lines) = ask.lines
            && let Some((game, thinker)) = cached(&mut thinkers, number, make_thinker)
        {
            if std::mem::replace(game, ask.game) != ask.game {
                thinker.new_game();
            }
            analyse(&mut **thinker, &mut ask, lines, &budget, longest);
        } else if let Some((game, player)) = cached(&mut players, number, make_player) {
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

/// Returns the cached value of a variant with the number of its game, and creates the value if
/// necessary.
fn cached<T>(
    cache: &mut HashMap<usize, (u64, T)>,
    variant: usize,
    make: impl FnOnce() -> Option<T>,
) -> Option<&mut (u64, T)> {
    match cache.entry(variant) {
        Entry::Occupied(entry) => Some(entry.into_mut()),
        Entry::Vacant(entry) => Some(entry.insert((u64::MAX, make()?))),
    }
}

fn choose(player: &mut dyn Player, ask: &mut AdviceRequest, budget: &Budget) {
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
    (ask.reply)(Advice {
        lines: line.into_iter().collect(),
        is_last: true,
    });
}

fn analyse(
    thinker: &mut dyn Thinker,
    ask: &mut AdviceRequest,
    lines: usize,
    budget: &Budget,
    longest: Duration,
) {
    let began = Instant::now();
    let limits = SearchLimits {
        nodes: budget.nodes,
        depth: budget.depth,
    };
    let roots = RootMoves {
        lines,
        ..RootMoves::default()
    };
    let cancel = Arc::clone(&ask.cancel);
    let stop = || cancel.load(Ordering::Relaxed) || began.elapsed() >= longest;
    let lines_of = |reports: &[SearchReport]| -> Vec<Line> {
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
    let reply = &mut ask.reply;
    let last = thinker.run_lines(&*ask.line, &limits, &roots, &stop, &mut |reports| {
        reply(Advice {
            lines: lines_of(reports),
            is_last: false,
        });
    });
    reply(Advice {
        lines: lines_of(&last),
        is_last: true,
    });
}
