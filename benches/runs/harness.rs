//! Overhead of the tournament without the players: schedule, game loop, referee, record and
//! standings, on one thread.
//!
//! Players of depth 0 (a legal move picked by the position's hash) play games of two lengths. The
//! cost per ply and per game follows from the two times, minus the players' own time, which is
//! measured separately. `cargo bench --bench runs -- harness` prints the medians of several rounds.

#![expect(clippy::print_stdout, reason = "a benchmark tells its figures")]

use std::error::Error;
use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use leitai_config::{Adjudication, FailurePolicies, parse};
use leitai_game::Move;
use leitai_game::card::{AnyLine, AnyPosition};
use leitai_players::play::{PairOutcome, Players, RepeatBudget, Terms, play_pair};
use leitai_players::player::{Budget, Choice, Failure, GameId, Player};
use leitai_players::schedule::{Book, Schedule};
use leitai_runs::store::{Mode, Opening, PairRow, RunMeta, Store, StoredBook};
use leitai_runs::tournament::{Replay, Standings};

const PAIRS: u64 = 2_000;
const ROUNDS: usize = 7;
const CONFIG: &str = r#"
game = "xiangqi"
limits = { nodes = 1 }
openings = { exhausted = "repeat" }
tournament = { pairs = 1000000 }
[[variant]]
name = "a"
[[variant]]
name = "b"
"#;

/// Picks a legal move by the position's hash, so that games differ.
struct Hasher(u64);

fn pick(position: &dyn AnyPosition, salt: u64) -> Option<Move> {
    let moves = position.moves();
    let word = (position.key() ^ salt).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    let index = (word * moves.len() as u64) >> 32;
    moves.get(index as usize).copied()
}

impl Player for Hasher {
    fn new_game(&mut self, _: GameId, _: &dyn AnyPosition, _: &AtomicBool) {
        self.0 += 1;
    }

    fn choose(
        &mut self,
        line: &dyn AnyLine,
        _: &Budget,
        _: &AtomicBool,
    ) -> Result<Choice, Failure> {
        let mv = pick(line.position(), self.0);
        Ok(Choice {
            mv,
            score: Some(100),
            depth: 1,
            nodes: 1,
        })
    }
}

/// Seconds and plies for `PAIRS` pairs of games of at most `plies` plies.
fn play(plies: u32) -> Result<(f64, u64), Box<dyn Error>> {
    let config = parse(CONFIG, "bench", &leitai_games::all())?.config;
    let book = Book::initial(leitai_games::xiangqi::card());
    let schedule = Schedule::new(&config, book.len())?;
    let folder = tempfile::tempdir()?;
    let store = Store::open(folder.path().join("bench.sqlite"), Mode::Write)?;
    let meta = RunMeta {
        id: "be".to_owned(),
        game: "xiangqi".to_owned(),
        config: "{}".to_owned(),
        source_name: "bench".to_owned(),
        source_text: CONFIG.to_owned(),
        seed: 0,
        version: "bench".to_owned(),
        variants: vec!["a".to_owned(), "b".to_owned()],
        pairs: schedule.len(),
        reproducible: true,
    };
    let opening = Opening {
        id: "initial".to_owned(),
        fen: book.opening(0)?.fen().to_owned(),
        moves: Vec::new(),
    };
    let stored = StoredBook {
        digest: [0; 32],
        len: 1,
        held: vec![(0, opening)],
    };
    let run = store.begin_run(&meta, &stored)?;
    let terms = Terms {
        rules: config.game.rules,
        limits: config.limits_by_variant(),
        adjudication: Adjudication {
            max_plies: Some(plies),
            ..Adjudication::default()
        },
        spare: RepeatBudget::default(),
    };
    let make = |index: usize| -> Box<dyn Player> { Box::new(Hasher(index as u64 * 77)) };
    let mut players = Players::new(&make, 2);
    let mut standings = Standings::new(schedule.pairings());
    let cancel = AtomicBool::new(false);
    let policies = FailurePolicies::default();
    let start = Instant::now();
    for index in 0..PAIRS {
        let spec = schedule.pair(index);
        let position = book.opening(spec.opening)?.position();
        let record = play_pair(&spec, &*position, &mut players, &terms, &policies, &cancel)
            .and_then(PairOutcome::finished)
            .ok_or("cancelled")?;
        standings.add(&spec, &record, &Replay::default());
        let row = PairRow {
            record,
            pairing: spec.pairing,
            variants: spec.variants,
            opening: spec.opening,
            elapsed_us: 0,
            finished: leitai_runs::store::FinishedAt::default(),
            worker: leitai_runs::store::PlayedBy::default(),
        };
        store.append(&run, &row)?;
    }
    Ok((start.elapsed().as_secs_f64(), standings.plies))
}

/// Seconds that the players need for one move.
fn thinking() -> f64 {
    let position = leitai_games::xiangqi::card().initial();
    let start = Instant::now();
    for salt in 0..1_000_000 {
        black_box(pick(black_box(&*position), salt));
    }
    start.elapsed().as_secs_f64() / 1e6
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let (mut per_ply, mut per_game) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let think = thinking();
        let (short, few) = play(10)?;
        let (long, many) = play(110)?;
        let games = 2.0 * PAIRS as f64;
        let (few, many) = (few as f64 / games, many as f64 / games);
        let cost = (long - short) / games / (many - few);
        per_ply.push(1e6 * (cost - think));
        per_game.push(1e6 * (short / games - few * cost));
    }
    println!("per ply   {:.2} microseconds", median(per_ply));
    println!("per game  {:.1} microseconds", median(per_game));
    Ok(())
}
