//! `leitai calc sprt --stream`: the test on results in their order.

use std::fs;
use std::io::{self, Read};

use anyhow::{Context, bail};
use serde::Serialize;

use super::sprt::{Order, Switch, Test, Tested};
use super::words;
use crate::cli::common::{Failure, say, say_json};
use crate::stats::{Decision, ErrorRates, Gsprt, Hypotheses, Level, SequentialTest};

/// A file's test as JSON.
#[derive(Serialize)]
struct Answer<'a> {
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

/// Where the test stood after some pairs.
#[derive(Clone, Copy, Debug, Serialize)]
struct Row {
    pairs: u64,
    llr: f64,
    lower: f64,
    upper: f64,
    o0: f64,
    o1: f64,
    pentanomial: [u64; 5],
}

impl Row {
    fn of(test: &Gsprt) -> Self {
        let Level {
            value,
            lower,
            upper,
        } = test.level();
        let overshoot = test.overshoot().copied().unwrap_or_default();
        Self {
            pairs: test.counts().pairs(),
            llr: value,
            lower,
            upper,
            o0: overshoot.below(),
            o1: overshoot.above(),
            pentanomial: test.counts().0,
        }
    }
}

/// How a test went.
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
    json: bool,
) -> Result<(), Failure> {
    // All are read before anything is said: a wrong file is told first.
    let mut all = Vec::with_capacity(files.len());
    for file in files {
        all.push(read(file)?);
    }
    if !json {
        say(&tested.to_string())?;
    }
    for (file, results) in files.iter().zip(&all) {
        let Test::Gsprt = order.test;
        let mut test = Gsprt::new(hypotheses, rates).in_batches_of(order.batch);
        if order.overshoot == Switch::Off {
            test = test.without_overshoot_correction();
        }
        let course = follow(test, results, order.checkpoint.get());
        let decision = course.stop.map(|(_, decision)| decision);
        let at = course.stop.map_or(course.end, |(row, _)| row);
        if json {
            say_json(&Answer {
                file,
                pairs: course.pairs,
                stop: course.stop.map(|(row, _)| row.pairs),
                verdict: words::verdict(decision),
                at,
                checkpoints: course.checkpoints,
                tested: *tested,
                overshoot: order.overshoot == Switch::On,
                batch: order.batch.get(),
            })?;
        } else {
            show(file, &course, order.checkpoint.get() > 1)?;
        }
    }
    Ok(())
}

/// Runs the test through all results: the first crossing is its stop, and the
/// level is followed to the end.
fn follow(mut test: Gsprt, results: &[usize], every: u64) -> Course {
    let mut checkpoints = Vec::new();
    let mut stop = None;
    for (&cell, pair) in results.iter().zip(1_u64..) {
        test.record(cell);
        if stop.is_none() {
            stop = test.decision().map(|decision| (Row::of(&test), decision));
        }
        if pair.is_multiple_of(every) {
            checkpoints.push(Row::of(&test));
        }
    }
    Course {
        pairs: results.len() as u64,
        stop,
        end: Row::of(&test),
        checkpoints,
    }
}

fn show(file: &str, course: &Course, rows: bool) -> Result<(), Failure> {
    say(&format!("{file}: {} pairs", course.pairs))?;
    if rows {
        for row in &course.checkpoints {
            say(&format!("  {}", sentence(row)))?;
        }
    }
    match &course.stop {
        Some((row, decision)) => say(&format!(
            "  stopped at pair {}: {} {}",
            row.pairs,
            words::sentence(Some(*decision)),
            sentence(row)
        )),
        None => say(&format!(
            "  {} {}",
            words::sentence(None),
            sentence(&course.end)
        )),
    }
}

fn sentence(row: &Row) -> String {
    let [ll, ld, level, wd, ww] = row.pentanomial;
    format!(
        "after {} pairs LLR {:.4} between {:.4} and {:.4} (LL {ll}, LD {ld}, level {level}, WD {wd}, WW {ww})",
        row.pairs, row.llr, row.lower, row.upper
    )
}

fn read(file: &str) -> Result<Vec<usize>, Failure> {
    let bytes = if file == "-" {
        let mut bytes = Vec::new();
        io::stdin()
            .read_to_end(&mut bytes)
            .context("cannot read standard input")?;
        bytes
    } else {
        fs::read(file).with_context(|| format!("cannot read {file}"))?
    };
    parse(&String::from_utf8_lossy(&bytes), file)
}

/// One digit per pair, blanks ignored.
fn parse(text: &str, file: &str) -> Result<Vec<usize>, Failure> {
    let mut results = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for (column, letter) in line.chars().enumerate() {
            match letter {
                '0'..='4' => results.push(letter as usize - '0' as usize),
                blank if blank.is_whitespace() => {}
                other => bail!(
                    "{file}, line {}, column {}: `{}` is no pair result; a digit from 0 (both \
                     games lost) to 4 (both won) stands for each pair",
                    number + 1,
                    column + 1,
                    other.escape_debug()
                ),
            }
        }
    }
    Ok(results)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_and_blanks() {
        let read = parse("01 2\t3\r\n\n4\n", "x").expect("good");
        assert_eq!(read, [0, 1, 2, 3, 4]);
        assert!(parse("", "x").expect("nothing").is_empty());
    }

    #[test]
    fn what_is_no_result_is_named_with_its_place() {
        for (text, part) in [
            ("0123\n0152", "f.txt, line 2, column 3: `5`"),
            ("0 W", "line 1, column 3: `W`"),
            ("\u{feff}01", "line 1, column 1: `\\u{feff}`"),
        ] {
            let message = parse(text, "f.txt").expect_err(text).to_string();
            assert!(message.contains(part), "{message}");
        }
    }
}
