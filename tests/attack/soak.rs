//! A run of many games: memory, handles, threads and the log do not grow, and the record grows evenly.

use std::fmt::Write as _;
use std::fs;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::inputs::memory;
use super::scale::Scale;
use crate::common::{Sandbox, leitai, project};

/// Interval between samples.
const PERIOD: Duration = Duration::from_millis(20);
/// Fewest pairs between samples that are compared.
const FEWEST: u64 = 100;
/// Most memory of a run, in kB.
const MEMORY: u64 = 256 << 10;
/// Most memory that the second half of a run adds, in kB, apart from that for each game.
const GROWTH: u64 = 8 << 10;
/// Most memory that a game adds, in bytes: it distinguishes repeated games and openings.
const PER_GAME: u64 = 64;
/// Most bytes of the log.
const LOG: u64 = 8 << 20;
/// One in this number of the games is played with a program.
const WITH_PROGRAM: usize = 100;

/// A run at one moment.
#[derive(Clone, Copy, Debug)]
struct Sample {
    pairs: u64,
    /// In kB.
    memory: u64,
    handles: usize,
    threads: usize,
    /// Bytes of the record, and of its log.
    record: u64,
    log: u64,
}

pub(crate) fn attack(scale: &Scale) -> String {
    let own = soak(
        scale.games / 2,
        "[[variant]]\nname = \"b\"\neval = { preset = \"discs\" }\n",
    );
    let binary = env!("CARGO_BIN_EXE_leitai");
    let program = format!(
        "[[variant]]\nname = \"b\"\ncommand = [{binary:?}, \"engine\", \"--game\", \"othello\"]\n\
         protocol = \"uci\"\n"
    );
    let served = soak((scale.games / 2 / WITH_PROGRAM).max(1), &program);
    format!("{own}; with a program {served}")
}

/// Plays pairs of the first variant against another one.
fn soak(pairs: usize, other: &str) -> String {
    let sandbox = Sandbox::new();
    let book = project("openings/othello.txt");
    let book = book.to_str().expect("UTF-8");
    let config = format!(
        "game = \"othello\"\nseed = 3\nlimits = {{ depth = 1 }}\n\
         [openings]\nfile = {book:?}\nexhausted = \"vary\"\n[tournament]\npairs = {pairs}\n\
         [[variant]]\nname = \"a\"\n{other}"
    );
    let config = sandbox.write("soak.toml", &config);
    let record = sandbox.path("soak.sqlite");
    let mut child = leitai()
        .args([
            "run",
            &config,
            "--store",
            &record,
            "--quiet",
            "--threads",
            "2",
        ])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut samples = Vec::new();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        samples.extend(sample(&child, &record));
        sleep(PERIOD);
    };
    assert!(status.success(), "{status}");
    let pairs = pairs as u64;
    // The first and the last part of a run read and write other things.
    samples.retain(|it| it.pairs > pairs / 10 && it.pairs < pairs * 19 / 20);
    let half = samples.iter().position(|it| it.pairs > pairs / 2);
    let mut text = format!("{} games", 2 * pairs);
    let (Some(half), Some(last)) = (half, samples.last()) else {
        return text;
    };
    for sample in &samples {
        assert!(sample.log < LOG, "{sample:?}");
        assert!(sample.memory < MEMORY, "{sample:?}");
        assert!(sample.handles <= samples[0].handles + 4, "{sample:?}");
        assert!(sample.threads <= samples[0].threads + 2, "{sample:?}");
    }
    let (first, half) = (samples[0], samples[half]);
    let played = last.pairs - half.pairs;
    let grown = last.memory.saturating_sub(half.memory);
    assert!(
        grown < GROWTH + 2 * played * PER_GAME / 1024,
        "{half:?} {last:?}"
    );
    let per_pair = |from: Sample, to: &Sample| {
        let bytes = (to.record + to.log).saturating_sub(from.record + from.log);
        bytes as f64 / (to.pairs - from.pairs).max(1) as f64
    };
    if half.pairs - first.pairs >= FEWEST && played >= FEWEST {
        let [before, after] = [per_pair(first, &half), per_pair(half, last)];
        // The log is filled and emptied in between.
        let slack = LOG as f64 / played as f64;
        assert!(after < 1.2 * before + slack, "{before} {after}");
        let _ = write!(text, " with {:.0} bytes each", after / 2.0);
    }
    let Sample {
        memory, handles, ..
    } = last;
    text + &format!(", {memory} kB of memory (grown by {grown} kB), {handles} handles")
}

/// The state of a process and its record; `None` before the first pair, and after the end.
fn sample(child: &Child, record: &str) -> Option<Sample> {
    let process = child.id().to_string();
    let entries = |kind: &str| fs::read_dir(format!("/proc/{process}/{kind}")).map(Iterator::count);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let conn = Connection::open_with_flags(record, flags).ok()?;
    let pairs = "SELECT max(key) FROM pair";
    let pairs: i64 = conn.query_row(pairs, [], |row| row.get(0)).ok()?;
    let length = |path: &str| fs::metadata(path).map_or(0, |found| found.len());
    Some(Sample {
        pairs: pairs as u64,
        memory: memory("VmRSS:", &process),
        handles: entries("fd").ok()?,
        threads: entries("task").ok()?,
        record: length(record),
        log: length(&format!("{record}-wal")),
    })
}
