//! Damaged files: every command reports the damage, or gives the correct result nevertheless.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use super::jobs::{Answer, JOBS, Job, answer, give, is_record, names};
use super::kills::rounds;
use super::scale::{Dice, Scale};
use super::watched::{Watched, watch};

/// Time limit of a command on damaged files.
const PATIENCE: Duration = Duration::from_mins(1);
/// Memory limit of the command, in kB.
const MEMORY: u64 = 512 << 10;
/// The unit in which SQLite writes.
const PAGE: usize = 4096;

/// The files of a finished or killed job, and the answers of its commands there.
struct Left {
    job: &'static Job,
    /// After a killed job, only the command itself has one correct answer.
    commands: Vec<&'static str>,
    files: BTreeMap<String, Vec<u8>>,
    /// The input files: changed text in them may be valid.
    inputs: Vec<String>,
    answers: Vec<(Answer, String)>,
}

/// Further commands that read the record of a job. They report times, which differ when the job is
/// repeated, and are equal as long as its record is.
const OF_CLOCKS: [(&str, &[&str]); 2] = [
    (
        "run",
        &[
            "report run.sqlite --times --json",
            "report run.sqlite --times --html=page.html",
            "check run.sqlite --json",
            "backup run.sqlite -o copy.sqlite",
        ],
    ),
    (
        "gate",
        &[
            "report gate.sqlite --list --json",
            "history gate.sqlite --json",
            "check gate.sqlite --json",
        ],
    ),
];

impl Left {
    fn by(job: &'static Job, killed: bool) -> Self {
        let folder = job.folder();
        let inputs = names(folder.path());
        let mut commands = vec![job.command];
        if killed {
            let begun = Instant::now();
            job.finish(job.folder().path());
            let half = begun.elapsed() / 2;
            let mut command = give(folder.path(), job.command);
            let mut child = command
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            thread::sleep(half);
            child.kill().unwrap();
            child.wait().unwrap();
        } else {
            job.finish(folder.path());
            commands.extend(job.readers);
            let of_clocks = OF_CLOCKS.iter().filter(|(name, _)| *name == job.name);
            commands.extend(of_clocks.flat_map(|(_, readers)| *readers));
        }
        let files = contents(folder.path());
        let answers = commands.iter().map(|command| {
            let folder = tempfile::tempdir().unwrap();
            put(folder.path(), &files);
            said(folder.path(), command).unwrap_or_else(|what| panic!("{command}: {what}"))
        });
        let answers = answers.collect();
        Self {
            job,
            commands,
            files,
            inputs,
            answers,
        }
    }

    /// Damages a file and runs a command; reports both, and any wrong answer.
    fn damage(&self, dice: &mut Dice) -> Result<(), String> {
        let names: Vec<&String> = self.files.keys().collect();
        // Most durable data is in records.
        let records: Vec<&String> = names
            .iter()
            .copied()
            .filter(|name| is_record(name))
            .collect();
        let some_record = !records.is_empty() && dice.below(4) > 0;
        let name = *dice.of(if some_record { &records } else { &names });
        let mut files = self.files.clone();
        let how = damage(&mut files, name, dice);
        let at = dice.below(self.commands.len());
        let (command, (wanted, before)) = (self.commands[at], &self.answers[at]);
        let folder = tempfile::tempdir().unwrap();
        put(folder.path(), &files);
        let blame = |what: String| format!("{}: {name}: {how}: {command}: {what}", self.job.name);
        let (answer, said) = said(folder.path(), command).map_err(blame)?;
        let code = &answer["exit code"];
        let refused = *code == "Some(2)" && !said.is_empty();
        let told = said.matches("warning").count() > before.matches("warning").count();
        let is_text =
            !is_record(name) && (self.inputs.contains(name) || command.contains(name.as_str()));
        // Copies in other texts may contain the damage.
        let same = wanted
            .iter()
            .all(|(file, text)| file == name || answer.get(file) == Some(text));
        let denies = code != &wanted["exit code"] && code != "Some(0)" && !said.is_empty();
        if same || refused || told || is_text || denies {
            return Ok(());
        }
        let differs = wanted
            .iter()
            .find(|(file, text)| answer.get(*file) != Some(text));
        let (file, _) = differs.unwrap();
        Err(blame(format!(
            "{file} is silently another: {said}{:?}",
            answer.get(file)
        )))
    }
}

/// The answer of a command and its messages; an error if it does harm.
fn said(folder: &Path, command: &str) -> Result<(Answer, String), String> {
    let Watched {
        output,
        peak,
        timely,
    } = watch(&mut give(folder, command), PATIENCE);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let check = |holds: bool, what: &str| {
        if holds {
            Ok(())
        } else {
            Err(format!("{what}: {said}"))
        }
    };
    check(timely, "it hangs")?;
    check(
        matches!(output.status.code(), Some(0..=4)),
        &output.status.to_string(),
    )?;
    check(!said.contains("panicked"), "it panics")?;
    check(peak < MEMORY, &format!("it takes {peak} kB"))?;
    Ok((answer(folder, &output), said))
}

fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let names = names(folder).into_iter().filter(|name| name != "pids");
    names
        .map(|name| {
            let bytes = fs::read(folder.join(&name)).unwrap();
            (name, bytes)
        })
        .collect()
}

fn put(folder: &Path, files: &BTreeMap<String, Vec<u8>>) {
    for (name, bytes) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

/// Damages a file; returns a description.
fn damage(files: &mut BTreeMap<String, Vec<u8>>, name: &str, dice: &mut Dice) -> String {
    let bytes = files.get_mut(name).unwrap();
    let length = bytes.len();
    let place = dice.below(length.max(1));
    match dice.below(if length == 0 { 2 } else { 12 }) {
        0 => {
            files.remove(name);
            "removed".to_owned()
        }
        1 => {
            let more = dice.below(10_000);
            bytes.extend((0..more).map(|_| dice.next() as u8));
            format!("{more} bytes appended")
        }
        2 | 3 => {
            bytes.truncate(place);
            format!("cut to {place} of {length} bytes")
        }
        4..=6 => {
            let bit = dice.below(8);
            bytes[place] ^= 1 << bit;
            format!("bit {bit} of byte {place} turned")
        }
        7 | 8 => {
            let end = (place + 1 + dice.below(16)).min(length);
            bytes[place..end].fill_with(|| dice.next() as u8);
            format!("bytes {place} to {end} overwritten")
        }
        9 => {
            let start = place / 512 * 512;
            let end = (start + *dice.of(&[512, PAGE])).min(length);
            bytes[start..end].fill(0);
            format!("bytes {start} to {end} zeroed")
        }
        10 => {
            let other = dice.below(length);
            let [one, other] = [place, other].map(|place| place / PAGE * PAGE);
            for at in 0..PAGE {
                if one.max(other) + at < length {
                    bytes.swap(one + at, other + at);
                }
            }
            format!("pages at {one} and {other} swapped")
        }
        _ => {
            // Changes one digit of a text.
            let digit = (place..length).find(|&at| bytes[at].is_ascii_digit());
            let Some(at) = digit else {
                return "nothing".to_owned();
            };
            bytes[at] = b'0' + (bytes[at] - b'0' + 1 + dice.below(9) as u8) % 10;
            format!("digit at {at} changed")
        }
    }
}

/// Damages files; returns a summary.
pub(crate) fn attack(scale: &Scale) -> String {
    let mut dice = scale.dice("damages");
    let count = JOBS.len().min(scale.damages.div_ceil(25));
    let first = dice.below(JOBS.len());
    // The first jobs of the table are the most common ones.
    let few = count < JOBS.len();
    let jobs: Vec<&Job> = if few {
        JOBS.iter()
            .take(2)
            .chain(
                JOBS.iter()
                    .cycle()
                    .skip(first)
                    .take(count.saturating_sub(2)),
            )
            .collect()
    } else {
        JOBS.iter().collect()
    };
    let left: Vec<Left> = jobs
        .iter()
        .flat_map(|job| {
            let killed = job.works.then(|| Left::by(job, true));
            [Some(Left::by(job, false)), killed].into_iter().flatten()
        })
        .collect();
    let failures = Mutex::new(Vec::new());
    let done = rounds(&left, scale.damages, dice, |left, dice| {
        if let Err(what) = left.damage(dice) {
            failures.lock().unwrap().push(what);
        }
        1
    });
    let failures = failures.into_inner().unwrap();
    let shown: Vec<String> = failures
        .iter()
        .map(|line| line.chars().take(600).collect())
        .collect();
    assert!(
        failures.is_empty(),
        "{} of {done} damages:\n{}",
        failures.len(),
        shown.join("\n")
    );
    format!("{done} damages of what {} commands leave", jobs.len())
}
