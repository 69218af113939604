//! `leitai calc sprt --stream`: runs the test over results in their order.

use std::io::{BufReader, Read};

use super::sprt::{Order, Tested};
use super::terms::{TestChoice, TestName};
use super::words;
use crate::cli::input::{LARGEST, open_input};
use crate::cli::prelude::*;
use leitai_base::count::rounded;
use leitai_interchange::Source;
use leitai_runs::gate::Test;
use leitai_stats::{Decision, ErrorRates, Hypotheses, Look, Pentanomial, SequentialTest, Strict};

/// The maximum number of rows per file: a quarter of a gigabyte of JSON.
const MAX_ROWS: u64 = 1_000_000;

/// A file's test as JSON.
#[derive(Serialize)]
struct StreamOutput<'a> {
    file: &'a str,
    pairs: u64,
    /// The pair after which the test stopped, from 1.
    stop: Option<u64>,
    verdict: &'static str,
    /// At the stop, or at the end if it did not stop.
    at: Row,
    checkpoints: Vec<Row>,
    #[serde(flatten)]
    tested: Tested,
    overshoot: bool,
    batch: u64,
}

/// The state of the test after a number of pairs.
#[derive(Clone, Debug, Serialize)]
struct Row {
    pairs: u64,
    llr: f64,
    lower: f64,
    upper: f64,
    o0: f64,
    o1: f64,
    /// The strict test's evidence against H0 and against H1.
    #[serde(skip_serializing_if = "Option::is_none")]
    ln_e0: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ln_e1: Option<f64>,
    /// The group-sequential test's looks so far; its `llr` is the score z.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    looks: Vec<Look>,
    pentanomial: [u64; 5],
}

/// A test with the pairs that it has counted.
struct Running {
    test: Test,
    counts: Pentanomial,
}

impl Running {
    fn new(hypotheses: Hypotheses, rates: ErrorRates, order: Order) -> Result<Self, Failure> {
        let which = TestChoice {
            test: order.test,
            max_pairs: order.max_pairs.map(NonZeroU64::get),
            looks: order.looks,
        };
        let gsprt = order.test == TestName::Gsprt;
        if !gsprt && order.batch.get() > 1 {
            bail!("`--batch` requires `--test gsprt`");
        }
        if which.max_pairs.is_some() && order.test != TestName::GroupSequential {
            bail!("`--max-pairs` requires `--test group-sequential`");
        }
        let test = match which.new_test(hypotheses, rates)? {
            Test::Gsprt(test) => {
                let test = test.in_batches_of(order.batch);
                Test::Gsprt(if order.overshoot {
                    test
                } else {
                    test.without_overshoot_correction()
                })
            }
            other => other,
        };
        Ok(Self {
            test,
            counts: Pentanomial::default(),
        })
    }

    fn record(&mut self, cell: usize) -> Result<(), Failure> {
        self.counts.record(cell)?;
        self.test.record(cell)?;
        Ok(())
    }

    fn row(&self) -> Row {
        let level = self.test.level();
        let (overshoot, evidence, looks) = match &self.test {
            Test::Gsprt(test) => (test.overshoot(), None, Vec::new()),
            Test::Games(_) => (None, None, Vec::new()),
            Test::Strict(test) => (None, Some(test), Vec::new()),
            Test::GroupSequential(test) => (None, None, test.looks().to_vec()),
        };
        let overshoot = overshoot.copied().unwrap_or_default();
        Row {
            pairs: self.counts.pairs(),
            llr: level.value,
            lower: level.lower,
            upper: level.upper,
            o0: overshoot.below(),
            o1: overshoot.above(),
            ln_e0: evidence.map(Strict::ln_evidence_against_h0),
            ln_e1: evidence.map(Strict::ln_evidence_against_h1),
            looks,
            pentanomial: self.counts.0,
        }
    }
}

/// The course of a test.
struct Course {
    pairs: u64,
    stop: Option<(Row, Decision)>,
    end: Row,
    checkpoints: Vec<Row>,
}

pub(super) fn run(
    files: &[String],
    hypotheses: Hypotheses,
    rates: ErrorRates,
    tested: &Tested,
    order: Order,
    mut json: Json,
) -> Result<(), Failure> {
    // Reads all files before printing, so that an invalid file is reported first.
    let mut all = Vec::with_capacity(files.len());
    for file in files {
        all.push(read(file)?);
    }
    json.print(|| tested.to_string())?;
    for (file, results) in files.iter().zip(&all) {
        let test = Running::new(hypotheses, rates, order)?;
        // The text output has no row per pair.
        let every = order.checkpoint.get();
        let rows = json.to.is_some() || every > 1;
        if rows && results.len() as u64 / every > MAX_ROWS {
            bail!(
                "{file}: {} give a row after every {every}, more than {MAX_ROWS}\n\
                 help: ask for fewer rows, such as `--checkpoint 1000`",
                count(results.len() as u64, "pair", "pairs"),
            );
        }
        let course = follow(test, results, rows.then_some(every))?;
        if !json.is_printed() {
            show(file, &course, order.checkpoint.get() > 1)?;
        }
        let (at, decision) = match course.stop {
            Some((row, decision)) => (row, Some(decision)),
            None => (course.end, None),
        };
        json.write_line(&StreamOutput {
            file,
            pairs: course.pairs,
            stop: decision.map(|_| at.pairs),
            verdict: words::verdict(decision),
            at,
            checkpoints: course.checkpoints,
            tested: *tested,
            overshoot: order.test == TestName::Gsprt && order.overshoot,
            batch: order.batch.get(),
        })?;
    }
    json.finish()
}

/// Runs the test over all results. The first crossing is its stop; the level is computed to the
/// end. Keeps a row after each `every` pairs.
fn follow(mut test: Running, results: &[u8], every: Option<u64>) -> Result<Course, Failure> {
    let mut checkpoints = Vec::new();
    let mut stop = None;
    for (&cell, pair) in results.iter().zip(1_u64..) {
        test.record(cell.into())?;
        if stop.is_none() {
            stop = test.test.decision().map(|decision| (test.row(), decision));
        }
        if every.is_some_and(|every| pair.is_multiple_of(every)) {
            checkpoints.push(test.row());
        }
    }
    Ok(Course {
        pairs: results.len() as u64,
        stop,
        end: test.row(),
        checkpoints,
    })
}

fn show(file: &str, course: &Course, rows: bool) -> Result<(), Failure> {
    print(&format!("{file}: {}", count(course.pairs, "pair", "pairs")))?;
    if rows {
        for row in &course.checkpoints {
            print(&format!("  {}", sentence(row)))?;
        }
    }
    match &course.stop {
        Some((row, decision)) => print(&format!(
            "  stopped at pair {}: {} {}",
            row.pairs,
            words::sentence(Some(*decision)),
            sentence(row)
        )),
        None => print(&format!(
            "  {} {}",
            words::sentence(None),
            sentence(&course.end)
        )),
    }
}

fn sentence(row: &Row) -> String {
    let [ll, ld, level, wd, ww] = row.pentanomial;
    let name = match (row.ln_e0, row.looks.last()) {
        (Some(_), _) => "ln e",
        (None, Some(_)) => "z",
        (None, None) => "LLR",
    };
    format!(
        "after {} {name} {} between {:.4} and {:.4} (LL {ll}, LD {ld}, level {level}, WD {wd}, WW {ww})",
        count(row.pairs, "pair", "pairs"),
        rounded(row.llr, 4),
        row.lower,
        row.upper
    )
}

fn read(file: &str) -> Result<Vec<u8>, Failure> {
    let name = shown(file);
    match open_input(Path::new(file))? {
        Source::Text(text) => parse(text, file, LARGEST),
        Source::Record => bail!(
            "{name} is a record of games, not a list of results\n\
             help: `leitai report --json {name}` has the test of a recorded gate"
        ),
        Source::Own(..) => bail!("{name} holds games, not a list of results"),
    }
}

/// Parses one digit per pair from a text of at most `most` bytes and ignores blanks. Each byte is
/// checked as it arrives, so that a file or stream of another kind is not read to its end.
fn parse(text: impl Read, file: &str, most: u64) -> Result<Vec<u8>, Failure> {
    let mut results = Vec::new();
    let (mut line, mut column) = (1, 0);
    let mut bytes = BufReader::new(text.take(most + 1)).bytes();
    let mut number = 0;
    while let Some(byte) = bytes.next() {
        let byte = byte.with_context(|| format!("cannot read {}", shown(file)))?;
        column += 1;
        match byte {
            b'0'..=b'4' => results.push(byte - b'0'),
            b'\n' => (line, column) = (line + 1, 0),
            blank if blank.is_ascii_whitespace() => {}
            other => {
                // The remaining bytes of a UTF-8 character.
                let rest = bytes.take(if other.is_ascii() { 0 } else { 3 });
                let rest = rest.map_while(Result::ok);
                let letter: Vec<u8> = std::iter::once(other).chain(rest).collect();
                let letter: String = String::from_utf8_lossy(&letter).chars().take(1).collect();
                bail!(
                    "{}, line {line}, column {column}: `{}` is not a pair result; a digit from 0 \
                     (both games lost) to 4 (both won) stands for each pair",
                    shown(file),
                    shown(&letter)
                )
            }
        }
        number += 1;
        if number > most {
            bail!(
                "{}: it has more than {} MiB, the most that is read",
                shown(file),
                most >> 20
            );
        }
    }
    Ok(results)
}
