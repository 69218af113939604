//! The faulty half of the mock: one misbehaviour at one moment.
//!
//! The test binary is the mock when it is started with [`MOCK`] in its environment.

use std::fs::{self, OpenOptions};
use std::io::{self, BufRead, Write};
use std::process::{Command, Stdio, exit};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use super::speaker::{Moment, Reply, Speaker, chatter, offer};
use crate::attack::inputs::{corpus, mutated_line};
use crate::attack::scale::Dice;

/// The variable that makes the test binary the mock: protocol, moment, behaviour.
pub(crate) const MOCK: &str = "LEITAI_ATTACK_MOCK";
/// The file for the IDs of all processes.
pub(crate) const PIDS: &str = "LEITAI_ATTACK_PIDS";
/// Bytes that are not valid text in any encoding.
const BINARY: &[u8] = b"\x00\x01\xfe\xff\x1b[2J\n\n";

struct Mock {
    protocol: String,
    moment: Option<Moment>,
    behaviour: String,
    speaker: Speaker,
}

/// Plays until the input ends.
#[expect(clippy::exit, reason = "the test harness has nothing more to say")]
pub(crate) fn play(orders: &str) {
    note_process(std::process::id());
    let [protocol, moment, behaviour] = orders.split(' ').collect::<Vec<_>>()[..] else {
        panic!("what is `{orders}`?");
    };
    let mut mock = Mock {
        protocol: protocol.to_owned(),
        moment: named(moment),
        behaviour: behaviour.to_owned(),
        speaker: Speaker::new(protocol),
    };
    // Ends the line that the test harness has begun to print.
    print_line("\n");
    if mock.moment.is_none() {
        mock.misbehave(None);
    }
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let Some(reply) = mock.speaker.answer(&line) else {
            continue;
        };
        let is_late = mock.moment == Some(Moment::Later) && reply.moment == Moment::Again;
        if mock.moment == Some(reply.moment) && !is_late {
            mock.misbehave(Some(&reply));
        } else {
            print_line(&format!("{}\n", reply.text));
        }
        if reply.moment == Moment::Quit && mock.behaviour != "ignore-quit" {
            break;
        }
    }
    if matches!(mock.behaviour.as_str(), "ignore-quit" | "ignore-term") {
        park();
    }
    exit(0);
}

fn named(moment: &str) -> Option<Moment> {
    match moment {
        "start" => None,
        "greeting" => Some(Moment::Greeting),
        "ready" => Some(Moment::Ready),
        "again" => Some(Moment::Again),
        "told" => Some(Moment::SentGame),
        "go" => Some(Moment::Go),
        "later" => Some(Moment::Later),
        "quit" => Some(Moment::Quit),
        other => panic!("when is `{other}`?"),
    }
}

impl Mock {
    #[expect(clippy::too_many_lines, reason = "a table, a line or two for each")]
    fn misbehave(&mut self, reply: Option<&Reply>) {
        let text = reply.map_or_else(String::new, |reply| format!("{}\n", reply.text));
        let with = |mv: &str| match reply {
            Some(reply) if !reply.mv.is_empty() => text.replace(&reply.mv, mv),
            _ => text.clone(),
        };
        let protocol = self.protocol.clone();
        match self.behaviour.as_str() {
            "good" | "ignore-quit" => print_line(&text),
            "silent" => {}
            "park" => park(),
            "exit0" => exit(0),
            "exit3" => exit(3),
            "abort" => std::process::abort(),
            "last-words" => {
                let _ = writeln!(io::stderr(), "cannot go on \u{9b}31m\u{202e}\x1b]0;x\x07");
                exit(3);
            }
            "binary" => bytes(BINARY),
            "binary-then" => {
                bytes(BINARY);
                print_line(&text);
            }
            "latin1" => {
                bytes(b"info string caf\xe9 \xb1\n");
                print_line(&text);
            }
            "nul" => print_line(&format!("info string a\0b\n{text}")),
            "foreign" => print_line(&format!(
                "info string \u{9b}31m\u{9d}0;x\u{202e}abc\n{text}"
            )),
            "controls" => print_line(&format!(
                "info string \u{9b}31m\u{9d}0;x\u{7}\u{202e}abc\u{1b}[2J\n{text}"
            )),
            "control-name" => print_line(&text.replace("Mock", "M\u{9b}31m\u{202e}k")),
            "huge-name" => print_line(&text.replace("Mock", &"M".repeat(1 << 20))),
            "endless-line" => loop {
                bytes(&[b'x'; 4096]);
            },
            "endless-lines" => endlessly(|number| chatter(&protocol, number)),
            "endless-offers" => {
                if matches!(protocol.as_str(), "gtp" | "solver") {
                    let number = text.split_whitespace().next().unwrap_or("=");
                    print_line(&format!("{number} "));
                }
                endlessly(|number| offer(&protocol, number));
            }
            "errors" => {
                errors(20 << 20);
                print_line(&text);
            }
            "endless-errors" => {
                drop(thread::spawn(|| errors(usize::MAX)));
                print_line(&text);
            }
            "illegal" => print_line(&with("a0a9")),
            "no-square" => print_line(&with("z99")),
            "null" => print_line(&with("0000")),
            "controls-move" => print_line(&with("\u{9b}31m\u{202e}")),
            "huge-move" => print_line(&with(&"h".repeat(1 << 20))),
            "others" => print_line(&with(
                &reply.map_or_else(String::new, |reply| reply.others.clone()),
            )),
            "empty" => print_line(&with("")),
            "twice" => print_line(&format!("{text}{text}")),
            // After the next question.
            "twice-later" => {
                print_line(&text);
                thread::sleep(Duration::from_millis(3));
                print_line(&text);
            }
            "late" => {
                thread::sleep(Duration::from_millis(2_500));
                print_line(&text);
            }
            "early" => {
                let mv = match protocol.as_str() {
                    "cecp" => "move h2e2",
                    "nboard" => "=== F5/0/0",
                    "gtp" | "solver" => "=77 f5\n",
                    _ => "bestmove h2e2",
                };
                print_line(&format!("{mv}\n{text}"));
            }
            "resign" => print_line(&match protocol.as_str() {
                "cecp" => "resign\n".to_owned(),
                "ucci" => "nobestmove\n".to_owned(),
                _ => with("resign"),
            }),
            "draw-claim" => print_line(&format!("1/2-1/2 {{3 repetitions}}\noffer draw\n{text}")),
            "wrong-id" => print_line(&text.replacen('=', "=9", 1)),
            "no-id" => {
                let rest = text.trim_start_matches(|c: char| c == '=' || c.is_ascii_digit());
                print_line(&format!("={rest}"));
            }
            "refusal" => print_line(&text.replacen('=', "?", 1)),
            "ignore-term" => {
                // A flag that is never read.
                for signal in [15, 1, 2, 3] {
                    let flag = Arc::new(AtomicBool::new(false));
                    let _ = signal_hook::flag::register(signal, flag);
                }
                print_line(&text);
            }
            "child" => {
                // Inherits the mock's output, and outlives it.
                let child = Command::new("sleep")
                    .arg("600")
                    .stdin(Stdio::null())
                    .spawn();
                note_process(child.unwrap().id());
                print_line(&text);
            }
            "child-and-exit" => {
                let child = Command::new("sleep")
                    .arg("600")
                    .stdin(Stdio::null())
                    .spawn();
                note_process(child.unwrap().id());
                exit(3);
            }
            "runaway" => {
                let script = format!(
                    "setsid sh -c 'echo $$ >> \"${PIDS}\"; sleep 600 & echo $! >> \"${PIDS}\"; \
                     wait' </dev/null >/dev/null 2>&1 &"
                );
                let status = Command::new("sh").args(["-c", &script]).status();
                assert!(status.unwrap().success());
                print_line(&text);
            }
            "close-out" => {
                let null = OpenOptions::new().write(true).open("/dev/null").unwrap();
                rustix::stdio::dup2_stdout(null).unwrap();
                park();
            }
            "close-in" => {
                let null = OpenOptions::new().read(true).open("/dev/null").unwrap();
                rustix::stdio::dup2_stdin(null).unwrap();
                print_line(&text);
                park();
            }
            "slow-bytes" => text.bytes().for_each(|byte| {
                bytes(&[byte]);
                thread::sleep(Duration::from_millis(1));
            }),
            "half-line" => {
                print_line(&text[..text.len() / 2]);
                park();
            }
            "half-line-exit" => {
                print_line(&text[..text.len() / 2]);
                exit(0);
            }
            "stop-itself" => {
                let own = std::process::id().to_string();
                let _ = Command::new("kill").args(["-STOP", &own]).status();
                // Another thread may receive the signal late: this one must not answer meanwhile.
                park();
            }
            "spin" => loop {
                std::hint::spin_loop();
            },
            "rename" => {
                let _ = fs::write("/proc/self/comm", "\u{1b}[31m) Z 1 1");
                print_line(&text);
            }
            "leave-group" => {
                // Joins the process group of its parent, which is in the same session.
                let parent = rustix::process::getppid();
                let group = parent.and_then(|parent| rustix::process::getpgid(Some(parent)).ok());
                let _ = rustix::process::setpgid(None, group);
                print_line(&text);
            }
            fuzz if fuzz.starts_with("fuzz-") => {
                let seed = fuzz.trim_start_matches("fuzz-").parse().unwrap();
                let mut dice = Dice(seed);
                let lines = corpus(&format!("answers/{protocol}"));
                for _ in 0..300 {
                    bytes(&mutated_line(&lines, &mut dice));
                }
                print_line(&text);
            }
            other => panic!("how is `{other}`?"),
        }
    }
}

/// Prints lines without end, many at once to outpace the reader.
fn endlessly(line: impl Fn(usize) -> String) -> ! {
    let mut number = 0;
    loop {
        print_line(&(number..number + 1_000).map(&line).collect::<String>());
        number += 1_000;
    }
}

fn park() -> ! {
    loop {
        thread::park();
    }
}

fn errors(bytes: usize) {
    let line = [
        b"an error \xff\x1b[31m of no consequence ",
        &[b'.'; 90][..],
        b"\n",
    ]
    .concat();
    for _ in 0..bytes / line.len() {
        if io::stderr().write_all(&line).is_err() {
            return;
        }
    }
}

fn print_line(text: &str) {
    bytes(text.as_bytes());
}

/// Prints bytes, and exits if the pipe is closed: the parent may have been killed between its
/// question and this answer.
#[expect(clippy::exit, reason = "a program without a listener ends")]
fn bytes(text: &[u8]) {
    let mut out = io::stdout().lock();
    if out.write_all(text).and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}

fn note_process(number: u32) {
    let Some(path) = std::env::var_os(PIDS) else {
        return;
    };
    let file = OpenOptions::new().create(true).append(true).open(path);
    let written = file.and_then(|mut file| file.write_all(format!("{number}\n").as_bytes()));
    written.unwrap();
}
