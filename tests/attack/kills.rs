//! Commands that are killed or interrupted at any moment: run again, they give the same answer as
//! without the interruption.

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use super::jobs::{Answer, JOBS, Job, external, files, give, names};
use super::programs;
use super::scale::{Dice, Scale};
use crate::common;

/// The most kills of one job before it may finish.
const IN_A_ROW: usize = 4;
/// The number of jobs in progress at once.
const AT_ONCE: usize = 2;
/// The initial phase, in which most files are opened and created.
const BEGINNING: Duration = Duration::from_millis(60);
/// Time limit for stopping after a signal.
const STOPS: Duration = Duration::from_secs(20);
/// Time limit for installing signal handlers.
const CATCHES: Duration = Duration::from_secs(5);
/// The exit code of an interrupted command.
const INTERRUPTED: i32 = 130;

/// The result of an undisturbed job.
pub(super) struct Undisturbed {
    pub(super) job: &'static Job,
    pub(super) answer: Answer,
    read: Vec<(i32, String)>,
    duration: Duration,
}

impl Undisturbed {
    fn of(job: &'static Job) -> Self {
        let folder = job.folder();
        let begun = Instant::now();
        let answer = job.finish(folder.path());
        let duration = begun.elapsed();
        let code = &answer["exit code"];
        assert!(
            matches!(code.as_str(), "Some(0)" | "Some(1)" | "Some(3)"),
            "{}: {answer:?}",
            job.name
        );
        let read = job.read(folder.path());
        for (reader, (code, said)) in job.readers.iter().zip(&read) {
            assert_eq!(*code, 0, "{reader}: {said}");
        }
        Self {
            job,
            answer,
            read,
            duration,
        }
    }

    /// A random moment: in the initial phase or at any time, with equal probability.
    fn moment(&self, dice: &mut Dice) -> Duration {
        let longest = if dice.below(2) == 0 {
            BEGINNING
        } else {
            self.duration
        };
        let part = dice.below(1_000) as u32;
        longest * part / 1_000
    }

    fn start(&self, folder: &Path) -> Child {
        let mut command = give(folder, self.job.command);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.spawn().unwrap()
    }

    /// Every file has its old or its new content, never a mixture.
    pub(super) fn assert_whole(&self, folder: &Path, inputs: &Answer) {
        for (name, text) in files(folder) {
            let is_input = inputs.get(&name) == Some(&text);
            // Files being written have temporary names.
            let is_passing = name
                .rsplit('/')
                .next()
                .is_some_and(|name| name.starts_with(".leitai-"));
            assert!(
                is_input || is_passing || self.job.is_whole(&name, &text, &self.answer),
                "{}: {name} is neither as it was nor as it becomes: {text}",
                self.job.name
            );
        }
    }

    /// Run to its end, the command gives the same answer as without disturbance.
    pub(super) fn assert_same(&self, folder: &Path) {
        let answer = self.job.finish(folder);
        for (name, wanted) in &self.answer {
            assert_eq!(answer.get(name), Some(wanted), "{}: {name}", self.job.name);
        }
        for name in answer.keys() {
            assert!(
                self.answer.contains_key(name),
                "{}: {name} is left",
                self.job.name
            );
        }
        let read = self.job.read(folder);
        for ((reader, now), wanted) in self.job.readers.iter().zip(read).zip(&self.read) {
            assert_eq!(&now, wanted, "{}, then {reader}", self.job.name);
        }
        let left = programs::left(folder);
        assert_eq!(left, None, "{}: a program is left", self.job.name);
    }
}

/// The jobs in turn, from a random one; few for short attacks.
pub(super) fn chosen(rounds: usize, dice: &mut Dice) -> Vec<Undisturbed> {
    let count = JOBS.len().min(rounds.div_ceil(2 * IN_A_ROW).max(2));
    let first = dice.below(JOBS.len());
    let jobs = JOBS.iter().cycle().skip(first).take(count);
    jobs.map(Undisturbed::of).collect()
}

/// Kills commands; returns a summary.
pub(crate) fn attack(scale: &Scale) -> String {
    let mut dice = scale.dice("kills");
    let jobs = chosen(scale.kills, &mut dice);
    let killed = rounds(&jobs, scale.kills, dice, |undisturbed, dice| {
        let folder = undisturbed.job.folder();
        let inputs = files(folder.path());
        let mut kills = 0;
        for _ in 0..=dice.below(IN_A_ROW) {
            let mut child = undisturbed.start(folder.path());
            thread::sleep(undisturbed.moment(dice));
            let ended = child.try_wait().unwrap();
            child.kill().unwrap();
            child.wait().unwrap();
            undisturbed.assert_whole(folder.path(), &inputs);
            if ended.is_some() {
                break;
            }
            kills += 1;
        }
        undisturbed.assert_same(folder.path());
        kills
    });
    format!("{killed} kills of {} commands", jobs.len())
}

/// Works on the jobs in turn until `wanted` is reached; returns the amount done.
pub(super) fn rounds<T: Sync>(
    jobs: &[T],
    wanted: usize,
    dice: Dice,
    round: impl Fn(&T, &mut Dice) -> usize + Sync,
) -> usize {
    let state = Mutex::new((dice, 0, 0));
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let (mut dice, number) = {
                        let mut state = state.lock().unwrap();
                        let (dice, number, done) = &mut *state;
                        if *done >= wanted {
                            break;
                        }
                        *number += 1;
                        (Dice(dice.next()), *number)
                    };
                    let done = round(&jobs[number % jobs.len()], &mut dice);
                    state.lock().unwrap().2 += done;
                }
            });
        }
    });
    state.into_inner().unwrap().2
}

const SIGNALS: [(&str, u32); 4] = [("INT", 2), ("TERM", 15), ("HUP", 1), ("QUIT", 3)];

/// Interrupts commands by signals; returns a summary.
pub(crate) fn attack_by_signals(scale: &Scale) -> String {
    let mut dice = scale.dice("signals");
    let jobs = chosen(scale.signals, &mut dice);
    let with_programs = scale.signals / 4;
    for number in 0..with_programs {
        stop_with_program(number, &mut dice);
    }
    let stopped = rounds(
        &jobs,
        scale.signals - with_programs,
        dice,
        |undisturbed, dice| {
            let job = undisturbed.job;
            let folder = job.folder();
            let inputs = files(folder.path());
            let (name, number) = *dice.of(&SIGNALS);
            let mut child = undisturbed.start(folder.path());
            await_handler(&child, number);
            thread::sleep(undisturbed.moment(dice));
            let code = stop(&mut child, name);
            let usual = undisturbed.answer["exit code"] == format!("{code:?}");
            assert!(
                usual || code == Some(INTERRUPTED),
                "{} ends with {code:?} at {name}",
                job.name
            );
            assert_eq!(
                programs::left(folder.path()),
                None,
                "{} leaves a program at {name}",
                job.name
            );
            if usual {
                undisturbed.assert_whole(folder.path(), &inputs);
            }
            // A job that was stopped by a signal may have saved its progress.
            let passing = names(folder.path());
            let passing = passing.iter().find(|name| name.contains(".leitai-"));
            assert_eq!(passing, None, "{} leaves a file at {name}", job.name);

            undisturbed.assert_same(folder.path());
            1
        },
    );
    format!(
        "{} commands asked to stop, {with_programs} of them with programs that do not listen",
        stopped + with_programs
    )
}

/// Interrupts a run with a program that hangs or ignores commands.
fn stop_with_program(number: usize, dice: &mut Dice) {
    const ORDERS: [&str; 9] = [
        "uci greeting silent",
        "uci ready silent",
        "uci go silent",
        "uci go spin",
        "uci go stop-itself",
        "uci quit ignore-quit",
        "uci go ignore-term",
        "uci go runaway",
        "uci go endless-lines",
    ];
    let orders = ORDERS[number % ORDERS.len()];
    // It may have finished before.
    let plays = ["ignore-quit", "ignore-term", "runaway"]
        .iter()
        .any(|how| orders.ends_with(how));
    let folder = tempfile::tempdir().unwrap();
    let book = common::project("tests/data/xiangqi-64.epd");
    fs::copy(book, folder.path().join("xiangqi.epd")).unwrap();
    fs::write(folder.path().join("external.toml"), external(orders, "")).unwrap();
    let mut command = give(folder.path(), "run external.toml --json -q -t2");
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let (name, bit) = *dice.of(&SIGNALS);
    await_handler(&child, bit);
    thread::sleep(Duration::from_millis(dice.below(800) as u64));
    let code = stop(&mut child, name);
    assert!(
        code == Some(INTERRUPTED) || (code == Some(0) && plays),
        "with `{orders}` it ends with {code:?} at {name}"
    );
    assert_eq!(
        programs::left(folder.path()),
        None,
        "`{orders}` is left at {name}"
    );
}

/// Waits until the process catches a signal, or until a timeout.
fn await_handler(child: &Child, number: u32) {
    let begun = Instant::now();
    while begun.elapsed() < CATCHES {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        if caught.is_none_or(|mask| mask >> (number - 1) & 1 == 1) || status.contains("State:\tZ") {
            break;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Sends a signal and waits for the end; returns the exit code.
pub(crate) fn stop(child: &mut Child, signal: &str) -> Option<i32> {
    let pid = child.id().to_string();
    let sent = std::process::Command::new("kill")
        .args(["-s", signal, &pid])
        .status();
    assert!(sent.unwrap().success());
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        if begun.elapsed() > STOPS {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("it does not stop at {signal}");
        }
        thread::sleep(Duration::from_millis(2));
    }
}
