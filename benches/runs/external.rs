//! Overhead of playing external programs: processor time of the manager per ply, time to restart a
//! program, and memory after many games.
//!
//! The program is this benchmark itself, started with an environment variable: it speaks UCI and
//! answers at once with a chariot move along a rank, without a board. `cargo bench --bench runs --
//! external` prints the figures.

#![expect(clippy::print_stdout, reason = "a benchmark tells its figures")]

use std::error::Error;
use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use leitai_config::{Adjudication, Config, FailurePolicies, PairForm, parse};
use leitai_game::Position;
use leitai_games::xiangqi::Xiangqi;
use leitai_players::play::{PairOutcome, Players, RepeatBudget, Terms, play_pair};
use leitai_players::player::{External, Player};
use leitai_players::schedule::PairSpec;
use rustix::time::{ClockId, clock_gettime};

const IS_PROGRAM: &str = "LEITAI_BENCH_IS_PROGRAM";
const ROUNDS: usize = 7;

/// The program counts the moves and has no board. The red chariot cycles through seven squares of
/// its second rank, the black one through nine, so that no position repeats within 120 plies.
fn program() -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut out = io::stdout().lock();
    let (mut line, mut plies) = (String::new(), 0);
    while input.read_line(&mut line)? > 0 {
        let command = line.trim_end();
        match command.split(' ').next() {
            Some("uci") => writeln!(out, "id name Walker\nuciok")?,
            Some("isready") => writeln!(out, "readyok")?,
            Some("position") => {
                let moves = command.split_once(" moves ");
                plies = moves.map_or(0, |(_, moves)| {
                    moves.bytes().filter(|&b| b == b' ').count() + 1
                });
            }
            Some("go") => {
                let (home, rank, squares) = [(0, 1, 7), (9, 8, 9)][plies % 2];
                let file = |turn: usize| char::from(b'a' + (turn % squares) as u8);
                match plies / 2 {
                    0 => writeln!(out, "bestmove a{home}a{rank}")?,
                    turn => writeln!(out, "bestmove {}{rank}{}{rank}", file(turn - 1), file(turn))?,
                }
            }
            Some("quit") => break,
            _ => {}
        }
        line.clear();
    }
    Ok(())
}

fn config(more: &str) -> Result<Config, Box<dyn Error>> {
    let path = std::env::current_exe()?;
    let path = path.to_str().ok_or("a path in UTF-8")?;
    let variant = |name: &str| {
        format!(
            "[[variant]]\nname = \"{name}\"\ncommand = [{path:?}]\nprotocol = \"uci\"\n\
             environment = {{ {IS_PROGRAM} = \"1\" }}\n{more}\n"
        )
    };
    let text = format!(
        "game = \"xiangqi\"\nlimits = {{ nodes = 1 }}\nopenings = {{ exhausted = \"repeat\" }}\n\
         tournament = {{ pairs = 1 }}\n{}{}",
        variant("a"),
        variant("b")
    );
    Ok(parse(&text, "bench", &leitai_games::all())?.config)
}

/// Plays pairs of games with a fixed number of plies.
struct Match<'a> {
    players: Players<'a>,
    terms: Terms,
}

impl Match<'_> {
    fn play(&mut self, pairs: u64) -> Result<u64, Box<dyn Error>> {
        let opening = Xiangqi::initial();
        let cancel = AtomicBool::new(false);
        let mut plies = 0;
        for index in 0..pairs {
            let spec = PairSpec {
                index,
                pairing: 0,
                variants: [0, 1],
                opening: 0,
                lap: 0,
                form: PairForm::default(),
            };
            let record = play_pair(
                &spec,
                &opening,
                &mut self.players,
                &self.terms,
                &FailurePolicies::default(),
                &cancel,
            );
            let games = record
                .and_then(PairOutcome::finished)
                .ok_or("cancelled")?
                .games;
            for game in games {
                let whole = self.terms.adjudication.max_plies == Some(game.plies.len() as u32);
                if !whole {
                    return Err(format!("a game ended: {:?}", game.verdict).into());
                }
                plies += game.plies.len() as u64;
            }
        }
        Ok(plies)
    }
}

fn with_match<T>(
    more: &str,
    plies: u32,
    then: impl FnOnce(&mut Match) -> Result<T, Box<dyn Error>>,
) -> Result<T, Box<dyn Error>> {
    let config = config(more)?;
    let make = |index: usize| -> Box<dyn Player> {
        let program = config.variants[index].program.as_ref();
        Box::new(External::new(program.expect("a program"), &config.limits))
    };
    let terms = Terms {
        rules: config.game.rules,
        limits: config.limits_by_variant(),
        adjudication: Adjudication {
            max_plies: Some(plies),
            ..Adjudication::default()
        },
        spare: RepeatBudget::default(),
    };
    let players = Players::new(&make, 2);
    then(&mut Match { players, terms })
}

/// Processor time of all threads of this process, without its children.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Microseconds of processor time and of wall time per ply.
fn per_ply(plies: u32, pairs: u64) -> Result<(f64, f64), Box<dyn Error>> {
    with_match("", plies, |games| {
        games.play(1)?;
        let (wall, own) = (Instant::now(), processor_time());
        let played = games.play(pairs)? as f64;
        let own = processor_time().saturating_sub(own);
        Ok((micros(own) / played, micros(wall.elapsed()) / played))
    })
}

/// Milliseconds per game and player that a restart costs.
fn restarting(restart: bool) -> Result<f64, Box<dyn Error>> {
    const PAIRS: u64 = 25;
    with_match(&format!("restart = {restart}"), 2, |games| {
        games.play(1)?;
        let start = Instant::now();
        games.play(PAIRS)?;
        Ok(micros(start.elapsed()) / 1e3 / (4 * PAIRS) as f64)
    })
}

/// Milliseconds for the program to start, greet and exit.
fn bare() -> Result<f64, Box<dyn Error>> {
    const TIMES: u32 = 50;
    let start = Instant::now();
    for _ in 0..TIMES {
        let mut child = Command::new(std::env::current_exe()?)
            .env(IS_PROGRAM, "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut input = child.stdin.take().ok_or("a pipe")?;
        let mut output = BufReader::new(child.stdout.take().ok_or("a pipe")?).lines();
        input.write_all(b"uci\nisready\n")?;
        while output.next().ok_or("an end")?? != "readyok" {}
        input.write_all(b"quit\n")?;
        child.wait()?;
    }
    Ok(micros(start.elapsed()) / 1e3 / f64::from(TIMES))
}

/// Memory of this process, in KiB.
fn memory() -> Result<u64, Box<dyn Error>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let words = line.ok_or("no VmRSS")?.split_whitespace().next();
    Ok(words.ok_or("no figure")?.parse()?)
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

fn median(figures: impl Iterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Plays the program if this process was started as one; returns whether it was.
pub(crate) fn is_program() -> Result<bool, Box<dyn Error>> {
    let is_program = std::env::var_os(IS_PROGRAM).is_some();
    if is_program {
        program()?;
    }
    Ok(is_program)
}

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let rounds: Vec<_> = (0..ROUNDS)
        .map(|_| per_ply(100, 100))
        .collect::<Result<_, _>>()?;
    println!(
        "per ply       {:.1} microseconds of processor time, {:.1} of wall time (200 games of 100 plies, median of {ROUNDS})",
        median(rounds.iter().map(|round| round.0)),
        median(rounds.iter().map(|round| round.1)),
    );
    let mut starts = Vec::new();
    for _ in 0..ROUNDS {
        starts.push((bare()?, restarting(true)? - restarting(false)?));
    }
    println!(
        "starting anew {:.2} ms per game; the program alone {:.2} ms",
        median(starts.iter().map(|start| start.1)),
        median(starts.iter().map(|start| start.0)),
    );
    with_match("", 10, |games| {
        games.play(500)?;
        let early = memory()?;
        games.play(4_500)?;
        println!(
            "memory        {early} KiB after 1,000 games, {} KiB after 10,000",
            memory()?
        );
        Ok(())
    })
}
