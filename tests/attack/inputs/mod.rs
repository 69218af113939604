//! Mutilated texts for every reader: each is read or refused in time, and texts that are read
//! survive a round trip.

mod arguments;
mod mutation;
mod targets;

use std::cell::Cell;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use rustix::time::{ClockId, clock_gettime};

use super::scale::{Dice, Scale};
use crate::common::project;
pub(crate) use arguments::attack as attack_arguments;
use mutation::{Mutation, mutilated};
use targets::{TARGETS, Target};

/// The most mutilations of one text.
const MAX: usize = 6;
/// Processor time limit for a text of at most [`mutation::LONGEST`] bytes in a build without
/// optimisation: it may contain thousands of games.
const PATIENCE: Duration = Duration::from_secs(8);
/// Wall-clock time after which a reader counts as hanging.
const HANG: Duration = Duration::from_mins(5);
/// Memory limit of all readers together, in kB.
const MEMORY: u64 = 2 << 20;

/// The text that a worker reads, and since when; kept in a file too, because a reader may end the
/// process.
struct Reading {
    now: Mutex<Option<(&'static str, Vec<u8>, Instant)>>,
    file: File,
}

impl Reading {
    fn new(worker: usize) -> Self {
        let folder = project("target/attack");
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join(format!("reading-{worker}"));
        let file = File::create(path).unwrap();
        Self {
            now: Mutex::new(None),
            file,
        }
    }

    fn begin(&self, name: &'static str, text: &[u8]) {
        let head = format!("{name} {}\n", text.len());
        self.file
            .write_all_at(&[head.as_bytes(), text].concat(), 0)
            .unwrap();
        *self.now.lock().unwrap() = Some((name, text.to_owned(), Instant::now()));
    }

    fn end(&self) {
        *self.now.lock().unwrap() = None;
    }
}

/// Reads as many mutilated texts as the scale requires; returns a summary.
pub(crate) fn attack(scale: &Scale) -> String {
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let total: usize = TARGETS.iter().map(|target| target.weight).sum();
    let readings: Vec<Reading> = (0..workers).map(Reading::new).collect();
    let done = AtomicBool::new(false);
    let counts: Vec<usize> = TARGETS
        .iter()
        .map(|target| (scale.inputs * target.weight).div_ceil(total * workers))
        .collect();
    for target in TARGETS {
        for seed in corpus(target.name) {
            (target.read)(&seed);
        }
    }
    let work = |(worker, reading): (usize, &Reading)| {
        for (target, &count) in TARGETS.iter().zip(&counts) {
            let part = format!("{} {worker}", target.name);
            read_mutilated(target, count, scale.dice(&part), reading);
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| watch(&readings, &done));
        let work = &work;
        let spawned = readings
            .iter()
            .enumerate()
            .map(|it| scope.spawn(move || work(it)));
        let spawned: Vec<_> = spawned.collect();
        let ended: Vec<_> = spawned
            .into_iter()
            .map(thread::ScopedJoinHandle::join)
            .collect();
        done.store(true, Ordering::Relaxed);
        for end in ended {
            end.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
    });
    let peak = peak_memory("self");
    assert!(peak < MEMORY, "the readers took {peak} kB");
    let total: usize = counts.iter().map(|count| count * workers).sum();
    let each = TARGETS.iter().zip(&counts);
    let each: Vec<String> = each
        .map(|(target, count)| format!("{} {}", target.name, count * workers))
        .collect();
    format!(
        "{total} inputs read or refused ({}), peak {} MB",
        each.join(", "),
        peak >> 10
    )
}

/// The largest resident memory of a process so far, in kB.
pub(crate) fn peak_memory(process: &str) -> u64 {
    memory("VmHWM:", process)
}

/// A size of a process in kB, by its name in `/proc/PID/status`; 0 if unknown.
pub(crate) fn memory(name: &str, process: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.unwrap_or(0)
}

/// The texts to mutilate: those of the corpus, and those of the project.
pub(crate) fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = project("tests/attack/corpus").join(name);
    let entries = fs::read_dir(&folder).unwrap_or_else(|_| panic!("no corpus for {name}"));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut texts: Vec<_> = paths.iter().map(|path| fs::read(path).unwrap()).collect();
    if name == "config" {
        let entries = fs::read_dir(project("configs")).unwrap();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        texts.extend(paths.iter().map(|path| fs::read(path).unwrap()));
    }
    assert!(!texts.is_empty(), "{name}");
    texts
}

/// A mutilated line of these texts, with its line end.
pub(crate) fn mutated_line(texts: &[Vec<u8>], dice: &mut Dice) -> Vec<u8> {
    let lines: Vec<Vec<u8>> = texts
        .iter()
        .flat_map(|text| text.split(|&byte| byte == b'\n'))
        .map(<[u8]>::to_vec)
        .collect();
    let mutations: Vec<Mutation> = (0..=dice.below(3))
        .map(|_| {
            let [a, b, c, d] = [dice.next(), dice.next(), dice.next(), dice.next()];
            Mutation::from((a as u8, b as u32, c as u32, d))
        })
        .collect();
    let line: &Vec<u8> = dice.of(&lines);
    let mut line = mutilated(line, &lines, &mutations);
    line.push(b'\n');
    line
}

fn read_mutilated(target: &Target, count: usize, mut dice: Dice, reading: &Reading) {
    let texts = corpus(target.name);
    let mut seed = [0; 32];
    for bytes in seed.chunks_mut(8) {
        bytes.copy_from_slice(&dice.next().to_le_bytes());
    }
    let config = Config {
        cases: u32::try_from(count).unwrap(),
        failure_persistence: None,
        max_shrink_iters: 10_000,
        ..Config::default()
    };
    let mut runner =
        TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
    let mutations = vec(
        any::<(u8, u32, u32, u64)>().prop_map(Mutation::from),
        0..=MAX,
    );
    let last = Cell::new(None);
    let result = runner.run(&(any::<Index>(), mutations), |(which, mutations)| {
        let text: &Vec<u8> = which.get(&texts);
        let text = mutilated(text, &texts, &mutations);
        reading.begin(target.name, &text);
        let begun = clock_gettime(ClockId::ThreadCPUTime);
        let read = std::panic::catch_unwind(AssertUnwindSafe(|| (target.read)(&text)));
        let now = clock_gettime(ClockId::ThreadCPUTime);
        reading.end();
        let fail = |reason: String| {
            last.set(Some(text.clone()));
            TestCaseError::fail(reason)
        };
        read.map_err(|panic| fail(words(&*panic)))?;
        let taken = Duration::from_secs((now.tv_sec - begun.tv_sec) as u64);
        if taken > PATIENCE {
            return Err(fail(format!("it took {taken:?}")));
        }
        Ok(())
    });
    if let Err(error) = result {
        let text = last.take().unwrap_or_default();
        let reason = match error {
            TestError::Fail(reason, _) | TestError::Abort(reason) => reason.to_string(),
        };
        panic!("{}: {reason}\n{}", target.name, kept(target.name, &text));
    }
}

/// The message of a panic.
fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
    format!("it panics: {}", text.unwrap_or_default())
}

/// Saves a text that fails and returns its path; it belongs into the corpus.
fn kept(name: &str, text: &[u8]) -> String {
    let file = format!("target/attack/{name}-{}", text.len());
    let place = match fs::write(project(&file), text) {
        Ok(()) => file,
        Err(error) => error.to_string(),
    };
    let shown: String = text.escape_ascii().take(2_000).map(char::from).collect();
    format!("the text is in {place}; move it to tests/attack/corpus/{name}/\n{shown}")
}

/// Ends the process when a reader hangs.
fn watch(readings: &[Reading], done: &AtomicBool) {
    while !done.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(50));
        for reading in readings {
            let reading = reading
                .now
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            if let Some((name, text, since)) = &*reading
                && since.elapsed() > HANG
            {
                let _ = fs::write(
                    "/dev/stderr",
                    format!("{name} hangs\n{}\n", kept(name, text)),
                );
                std::process::abort();
            }
        }
    }
}
