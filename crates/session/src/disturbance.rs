//! Measurement of the slowdown of searches by other searches on this machine.
//!
//! Every thread has two copies of one player. They search the same positions in turn, as in a game,
//! with the same number of nodes. Each round measures every number of threads: a change of
//! the machine's speed affects all of them. Intervals are computed over rounds.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail};
use serde::Serialize;

use super::books::book_of;
use super::{Failure, Session, memory};
use leitai_base::foreign::shown;
use leitai_base::threads::{lock, pool};
use leitai_config::{Limits, Loaded};
use leitai_game::card::AnyLine;
use leitai_players::play::{Cancel, Cores};
use leitai_players::player::{Budget, GameId, Player};
use leitai_protocols::Limit;
use leitai_runs::study::draws;
use leitai_runs::tournament::player_of;
use leitai_stats::Ranged;
use leitai_stats::bootstrap::{bootstrap, geometric_ratio};

/// Number of rounds.
const ROUNDS: u64 = 10;
/// Number of positions.
const POSITIONS: usize = 8;
/// Duration of an undisturbed search; the node limit follows from it.
const SEARCH: Duration = Duration::from_millis(20);
/// Minimum node limit, for players that report few nodes.
const MIN_NODES: u64 = 100;
/// Maximum number of threads for which all lower numbers are measured; above it, powers of two.
const EACH: usize = 8;
/// Number of bootstrap resamples of an interval, and their seed.
const RESAMPLES: (u32, u64) = (2_000, 1);
/// Share of the moves with at most the reported delay.
const USUAL: f64 = 0.99;

/// Options of the measurement.
#[derive(Clone, Copy, Debug)]
pub struct DisturbanceOptions {
    /// Duration for each number of threads, in seconds.
    pub seconds: f64,
    /// Acceptable loss of speed, as a fraction.
    pub max_loss: f64,
}

/// The disturbance among equal players.
#[derive(Debug, Serialize)]
pub struct Disturbance {
    /// Name of the variant.
    pub player: String,
    /// Node limit of each search.
    pub nodes: u64,
    /// The results by number of threads.
    pub levels: Vec<DisturbanceLevel>,
    /// Acceptable loss of speed, as a fraction.
    pub max_loss: f64,
    /// The most threads for which the upper limit of the loss is acceptable.
    pub most_threads: usize,
}

/// The disturbance at a number of threads.
#[derive(Debug, Serialize)]
pub struct DisturbanceLevel {
    /// The number of threads.
    pub threads: usize,
    /// Searches of each copy.
    pub searches: usize,
    /// Nodes per second of a thread in relation to those of one thread.
    pub speed: Ranged,
    /// Standard deviation of the difference of the copies' times for the same search, in relation to
    /// their mean.
    pub spread: f64,
    /// Largest mean of this difference over the searches of a thread: one copy is always slower.
    pub lasting: f64,
    /// The 99th percentile of the time of a search beyond the median of the same search at the same
    /// number of threads.
    pub delay_ms: f64,
}

/// The same search by both copies of a thread.
#[derive(Clone, Copy, Debug)]
struct Sample {
    round: u64,
    threads: usize,
    thread: usize,
    position: usize,
    /// Duration in seconds.
    seconds: [f64; 2],
    nodes: [u64; 2],
}

impl Sample {
    /// Seconds per node of both copies together.
    fn cost(&self) -> f64 {
        self.seconds.iter().sum::<f64>() / self.nodes.iter().sum::<u64>().max(1) as f64
    }

    /// The difference of the copies' times in relation to their mean.
    fn difference(&self) -> f64 {
        let [first, second] = self.seconds;
        2.0 * (first - second) / (first + second)
    }
}

impl Session<'_> {
    /// Measures the disturbance among copies of a variant for numbers of threads up to that of the
    /// session; `None` if cancelled.
    ///
    /// # Errors
    /// The player cannot be started, fails or has no node limit, the openings are unreadable, or
    /// memory or processors are insufficient.
    pub fn measure_disturbance(
        &self,
        mut loaded: Loaded,
        variant: &str,
        options: DisturbanceOptions,
    ) -> Result<Option<Disturbance>, Failure> {
        let config = &mut loaded.config;
        (config.gate, config.tune) = (None, None);
        config.variants.retain(|it| it.name == variant);
        self.meet(&mut loaded, || ())?;
        let config = &loaded.config;
        let Some(variant) = config.variants.first() else {
            bail!("there is no variant `{}`", shown(variant));
        };
        let protocol = variant.program.as_ref().map(|it| it.profile.protocol);
        if let Some(protocol) = protocol.filter(|it| !it.has(Limit::Nodes)) {
            bail!(
                "the protocol `{protocol}` has no node limit\nhelp: measure a variant with UCI or \
                 UCCI"
            );
        }
        let cores = self.cores(config)?;
        memory::check_players(&[variant.clone(), variant.clone()], u64::MAX, self.threads)?;
        let book = book_of(&loaded, self.reader())?;
        let count = book.len().min(POSITIONS);
        let lines = (0..count).map(|index| {
            let opening = book.opening(index * book.len() / count)?;
            Ok(config.game.card.line(&*opening.position()))
        });
        let lines = lines.collect::<Result<Vec<_>, Failure>>()?;
        let new = || {
            let player = player_of(variant, &Limits::default(), &config.game);
            player.ok_or_else(|| anyhow!("`{}` is no player of this game", shown(&variant.name)))
        };
        let workers = (0..self.threads.get()).map(|_| {
            Ok(Mutex::new(Worker {
                copies: [new()?, new()?],
                lines: lines.clone(),
                next: BTreeMap::new(),
                cancel: self.cancel,
            }))
        });
        let workers = workers.collect::<Result<Vec<_>, Failure>>()?;
        let (nodes, samples) = self.search_in_rounds(&workers, cores.as_ref(), options)?;
        if self.cancel.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let levels = results(&samples, &levels(self.threads));
        let least = 1.0 - options.max_loss;
        let holds = |level: &&DisturbanceLevel| level.speed.low.is_some_and(|low| low >= least);
        let most_threads = levels.iter().skip(1).take_while(holds).last();
        Ok(Some(Disturbance {
            player: variant.name.clone(),
            nodes,
            most_threads: most_threads.map_or(1, |level| level.threads),
            max_loss: options.max_loss,
            levels,
        }))
    }

    /// Returns the node limit and all searches; a cancelled measurement has fewer searches.
    fn search_in_rounds(
        &self,
        workers: &[Mutex<Worker<'_>>],
        cores: Option<&Cores>,
        options: DisturbanceOptions,
    ) -> Result<(u64, Vec<Sample>), Failure> {
        // The first search also starts the players on their processors; the second shows their usual speed.
        for _ in 0..2 {
            search(workers, cores, &Budget::of_time(SEARCH), Duration::ZERO)?;
        }
        let timed = lock(&workers[0]).search(0, 0, &Budget::of_time(SEARCH))?;
        let nodes = timed.1.max(MIN_NODES);
        let (levels, mut samples, mut done) = (levels(self.threads), Vec::new(), 0);
        let slice = Duration::from_secs_f64(options.seconds / ROUNDS as f64);
        let budget = Budget::of_nodes(nodes);
        let work = self.work("measurements", ROUNDS * levels.len() as u64);
        for round in 0..ROUNDS {
            for &threads in &levels {
                let searched = search(&workers[..threads], cores, &budget, slice)?;
                if self.cancel.load(Ordering::Relaxed) {
                    return Ok((nodes, samples));
                }
                samples.extend(searched.into_iter().map(|it| Sample { round, ..it }));
                done += 1;
                work.set(done);
            }
        }
        Ok((nodes, samples))
    }
}

/// The measured numbers of threads.
fn levels(threads: NonZeroUsize) -> Vec<usize> {
    let most = threads.get();
    let is_measured = |&level: &usize| most <= EACH || level.is_power_of_two() || level == most;
    (1..=most).filter(is_measured).collect()
}

/// Searches for `time` with each worker in its own thread, on its processors.
fn search(
    workers: &[Mutex<Worker<'_>>],
    cores: Option<&Cores>,
    budget: &Budget,
    time: Duration,
) -> Result<Vec<Sample>, Failure> {
    let (threads, until) = (workers.len(), Instant::now() + time);
    let searched = pool(NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN)).broadcast(|it| {
        let thread = it.index();
        cores.map(|cores| cores.bind(thread)).transpose()?;
        lock(&workers[thread]).search_until([threads, thread], budget, until)
    });
    let searched = searched.into_iter().collect::<Result<Vec<_>, Failure>>()?;
    Ok(searched.concat())
}

/// Two copies of a player, with the positions that they search.
struct Worker<'a> {
    copies: [Box<dyn Player>; 2],
    lines: Vec<Box<dyn AnyLine>>,
    /// The index of the next search for each number of threads; positions take turns.
    next: BTreeMap<usize, usize>,
    cancel: &'a Cancel,
}

impl Worker<'_> {
    /// Searches by both copies in turn until that time, at least once.
    fn search_until(
        &mut self,
        [threads, thread]: [usize; 2],
        budget: &Budget,
        until: Instant,
    ) -> Result<Vec<Sample>, Failure> {
        let mut samples = Vec::new();
        loop {
            // Threads search different positions at the same time.
            let next = self.next.entry(threads).or_insert(thread);
            let (lap, position) = (*next / self.lines.len(), *next % self.lines.len());
            *next += 1;
            let mut sample = Sample {
                round: 0,
                threads,
                thread,
                position,
                seconds: [0.0; 2],
                nodes: [0; 2],
            };
            let first = (lap + position) % 2;
            for copy in [first, 1 - first] {
                (sample.seconds[copy], sample.nodes[copy]) = self.search(copy, position, budget)?;
            }
            if self.cancel.load(Ordering::Relaxed) {
                return Ok(samples);
            }
            samples.push(sample);
            if Instant::now() >= until {
                return Ok(samples);
            }
        }
    }

    /// The seconds and nodes of a search in a new game.
    fn search(
        &mut self,
        copy: usize,
        position: usize,
        budget: &Budget,
    ) -> Result<(f64, u64), Failure> {
        let (player, line) = (&mut self.copies[copy], &self.lines[position]);
        player.new_game(GameId::default(), line.start(), self.cancel);
        let began = Instant::now();
        let choice = player.choose(&**line, budget, self.cancel);
        let seconds = began.elapsed().as_secs_f64();
        match choice {
            Ok(choice) => Ok((seconds, choice.nodes)),
            Err(_) if self.cancel.load(Ordering::Relaxed) => Ok((seconds, 0)),
            Err(failure) => bail!(
                "a player failed in the measurement: {}\nhelp: examine it by `leitai doctor` without \
                 `--disturbance`",
                failure.cause().name()
            ),
        }
    }
}

/// The results for each number of threads; the first one is the reference.
fn results(samples: &[Sample], levels: &[usize]) -> Vec<DisturbanceLevel> {
    let of_level = |threads: usize| samples.iter().filter(move |it| it.threads == threads);
    let positions = 1 + samples.iter().map(|it| it.position).max().unwrap_or(0);
    // Positions have different speeds, and rounds do not search all of them equally often.
    let usual: Vec<Option<f64>> = (0..positions)
        .map(|position| {
            let alone = of_level(1).filter(|it| it.position == position);
            median(alone.map(Sample::cost))
        })
        .collect();
    let speed = |threads: usize, round: u64| {
        let played = of_level(threads).filter(|it| it.round == round);
        let slowness = played.filter_map(|it| Some(it.cost() / usual[it.position]?));
        1.0 / mean(slowness)
    };
    let result = |&threads: &usize| {
        let played = || of_level(threads);
        let rounds = (0..ROUNDS).map(|round| [speed(1, round), speed(threads, round)]);
        let rounds: Vec<[f64; 2]> = rounds
            .filter(|it| it.iter().all(|it| it.is_finite()))
            .collect();
        let differences: Vec<f64> = played().map(Sample::difference).collect();
        let middle = mean(differences.iter().copied());
        let variance = mean(differences.iter().map(|it| (it - middle).powi(2)));
        let lasting = (0..threads).map(|thread| {
            let own = played().filter(|it| it.thread == thread);
            mean(own.map(Sample::difference)).abs()
        });
        let mut delays: Vec<f64> = (0..positions)
            .flat_map(|position| {
                let times = played().filter(move |it| it.position == position);
                let times: Vec<f64> = times.flat_map(|it| it.seconds).collect();
                let middle = median(times.iter().copied()).unwrap_or(0.0);
                times.into_iter().map(move |time| (time - middle).max(0.0))
            })
            .collect();
        delays.sort_by(f64::total_cmp);
        let rank = (delays.len() as f64 * USUAL).ceil() as usize;
        let (resamples, seed) = RESAMPLES;
        DisturbanceLevel {
            threads,
            searches: differences.len(),
            speed: bootstrap(&rounds, resamples, draws(seed), geometric_ratio),
            spread: variance.sqrt(),
            lasting: lasting.fold(0.0, f64::max),
            delay_ms: 1e3 * delays.get(rank.saturating_sub(1)).copied().unwrap_or(0.0),
        }
    };
    levels.iter().map(result).collect()
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), it| (sum + it, count + 1.0));
    sum / count
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_threads_are_measured_one_by_one() {
        let of = |most| levels(NonZeroUsize::new(most).unwrap());
        assert_eq!(of(3), [1, 2, 3]);
        assert_eq!(of(24), [1, 2, 4, 8, 16, 24]);
        assert_eq!(of(16), [1, 2, 4, 8, 16]);
    }

    /// Samples in which two threads are 20 % slower than one, and the second copy of the second
    /// thread is slower than the first by 5 %.
    fn samples() -> Vec<Sample> {
        let mut samples = Vec::new();
        for round in 0..ROUNDS {
            // The machine slows down.
            let machine = 1.0 + round as f64 / 10.0;
            for (threads, thread, slow) in [(1, 0, 1.0), (2, 0, 1.25), (2, 1, 1.25)] {
                for position in 0..3 {
                    let time = 0.01 * (1.0 + position as f64) * machine * slow;
                    let other = if thread == 1 { 1.05 * time } else { time };
                    samples.push(Sample {
                        round,
                        threads,
                        thread,
                        position,
                        seconds: [time, other],
                        nodes: [1_000 * (1 + position as u64); 2],
                    });
                }
            }
        }
        samples
    }

    #[test]
    fn speed_is_compared_within_a_round() {
        let [one, two]: [DisturbanceLevel; 2] = results(&samples(), &[1, 2]).try_into().unwrap();
        assert_eq!((one.threads, one.searches), (1, 30));
        assert_eq!(
            (one.speed.value, one.spread, one.lasting),
            (Some(1.0), 0.0, 0.0)
        );
        assert_eq!((two.threads, two.searches), (2, 60));
        let speed = two.speed.value.unwrap();
        // The mean cost of both threads; one has a slow copy.
        assert!((speed - 1.0 / (1.25 * 1.0125)).abs() < 1e-9, "{speed}");
        let width = two.speed.high.unwrap() - two.speed.low.unwrap();
        assert!(width < 1e-9, "all rounds agree: {width}");
        assert!((two.lasting - 0.05 / 1.025).abs() < 1e-9);
        assert!((two.spread - 0.025 / 1.025).abs() < 1e-9);
    }

    #[test]
    fn a_late_move_in_a_hundred_is_not_reported_and_two_are() {
        let alone = samples().into_iter().filter(|it| it.threads == 1);
        let alone: Vec<Sample> = alone
            .cycle()
            .take(50)
            .map(|it| Sample {
                seconds: [0.01; 2],
                ..it
            })
            .collect();
        let delay = |late: usize| {
            let mut samples = alone.clone();
            for sample in &mut samples[..late] {
                sample.seconds[0] = 0.05;
            }
            results(&samples, &[1])[0].delay_ms
        };
        assert!(delay(1) < 1e-9);
        assert!((delay(2) - 40.0).abs() < 1e-9);
    }
}
