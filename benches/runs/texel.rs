//! Speed of a fit: `cargo bench --bench runs -- texel` prints the coefficients per second of a gradient
//! pass, by threads, in wall time and in processor time, and compares one thread with the bar of
//! 0.22 thousand millions.
//!
//! The positions are quiet ones from random games, and the evaluation is Xiangqi's. The time
//! includes the validation loss of every epoch, without counting its coefficients. Processor time
//! is meaningful on a busy machine too. With several threads it shows their overhead compared with
//! one thread, and wall time shows their gain.

#![expect(clippy::print_stdout, reason = "a benchmark tells its figures")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use leitai_config::parse;
use leitai_game::{MoveList, Position};
use leitai_games::xiangqi::Xiangqi;
use leitai_players::schedule::{Stream, below, generator};
use leitai_runs::texel::{Dataset, FitPlan, Game, Layout, Part, Selection, fit};
use rustix::time::{ClockId, clock_gettime};

/// Number of games; up to ten positions are taken from each.
const GAMES: u64 = 7000;
const PLIES: usize = 100;

/// Expected speed in thousand millions of coefficients per second and thread.
const BAR: f64 = 0.22;

const EPOCHS: u32 = 40;
const ROUNDS: usize = 5;

/// A game of random moves.
fn game(index: u64) -> Game {
    let purpose = 0;
    let mut dice = generator(1, Stream::Pair { index, purpose });
    let start = Xiangqi::initial();
    let mut position = start.clone();
    let mut moves = Vec::new();
    while moves.len() < PLIES {
        let mut list = MoveList::new();
        position.legal_moves(&mut list);
        let Some(&mv) = list.get(below(&mut dice, list.len() as u64) as usize) else {
            break;
        };
        moves.push(mv);
        position.make(mv);
    }
    Game {
        start: Box::new(start),
        moves,
        scores: Vec::new(),
        half_points: below(&mut dice, 3) as u8,
        cause: None,
    }
}

/// A data set for the numbers of the evaluation with these paths.
fn dataset(games: &[Game], paths: &[&str]) -> Dataset {
    let entries: Vec<String> = paths
        .iter()
        .map(|path| format!("[[tune.texel.parameter]]\npath = \"{path}\"\n"))
        .collect();
    let text = format!(
        "game = \"xiangqi\"\nlimits = {{ depth = 1 }}\nopenings = {{ file = \"b.epd\" }}\n\
         [[variant]]\nname = \"a\"\n[tune.texel]\ngames = 2\n{}",
        entries.concat()
    );
    let config = parse(&text, "bench.toml", &leitai_games::all())
        .expect("a config")
        .config;
    let texel = config.tune.and_then(|tune| tune.texel).expect("a fit");
    let layout = Layout::of(&config.variants[0], &texel.dimensions);
    let layout = layout.expect("a layout");
    let mut builder = Dataset::builder(leitai_games::xiangqi::card(), layout, Selection::default())
        .expect("of Xiangqi");
    for game in games {
        builder.add(game);
    }
    builder.build(0.0).expect("no share of scores")
}

/// Wall time and processor time.
#[derive(Clone, Copy)]
struct Seconds([f64; 2]);

impl Seconds {
    fn of(work: impl FnOnce()) -> Self {
        let processor = || {
            let now = clock_gettime(ClockId::ProcessCPUTime);
            now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
        };
        let (start, used) = (Instant::now(), processor());
        work();
        let wall: Duration = start.elapsed();
        Self([wall.as_secs_f64(), processor() - used])
    }
}

/// Seconds per epoch, the minimum over some rounds: the time of a fit of many epochs minus that of
/// one epoch.
fn per_epoch(dataset: &Dataset, threads: usize) -> Seconds {
    let run = |epochs: u32| {
        let plan = FitPlan {
            k: Some(0.5),
            epochs,
            patience: epochs,
            threads,
            ..FitPlan::default()
        };
        Seconds::of(|| {
            black_box(fit(dataset, &plan)).expect("a fit");
        })
    };
    let mut least = [f64::INFINITY; 2];
    for _ in 0..ROUNDS {
        let (Seconds(many), Seconds(one)) = (run(EPOCHS + 1), run(1));
        for (least, (many, one)) in least.iter_mut().zip(many.into_iter().zip(one)) {
            *least = least.min((many - one) / f64::from(EPOCHS));
        }
    }
    Seconds(least)
}

pub(crate) fn run() {
    let games: Vec<_> = (0..GAMES).map(game).collect();
    let both = ["eval.*.*", "eval.pst.*[*][*]", "eval.tempo"];
    let apart = [&both[..], &["eval.end.*.*", "eval.end.pst.*[*][*]"]].concat();
    for (name, paths) in [("phases together", &both[..]), ("phases apart", &apart)] {
        let dataset = dataset(&games, paths);
        let (training, validation) = (Part::Training, Part::Validation);
        let positions = dataset.positions(training) as f64;
        let nonzeros = dataset.nonzeros(training) as f64;
        println!(
            "{name}: {} dimensions, {positions} positions for training and {} for validation, \
             {:.1} coefficients each",
            dataset.layout.dimensions().len(),
            dataset.positions(validation),
            nonzeros / positions
        );
        let mut single = 0.0;
        for threads in [1, 2, 4] {
            let Seconds([wall, processor]) = per_epoch(&dataset, threads);
            let speed = nonzeros / processor / 1e9;
            if threads == 1 {
                single = speed;
            }
            println!(
                "  {threads} threads: {speed:.3} G coefficients/s of processor time, \
                 {:.3} of wall time, {:.2} M positions/s of processor time",
                nonzeros / wall / 1e9,
                positions / processor / 1e6
            );
        }
        let verdict = if single >= BAR { "met" } else { "MISSED" };
        println!(
            "  bar of {BAR} G coefficients/s and thread: {verdict}, {:.2} times as fast",
            single / BAR
        );
    }
}
