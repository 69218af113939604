//! A program that plays Xiangqi by UCI, UCCI or CECP, or Othello by GTP or `NBoard`, correctly or
//! badly depending on its mode.

use std::fs::OpenOptions;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::{Command, Stdio, exit};
use std::thread::sleep;
use std::time::Duration;

use leitai_game::{Line, Move, Position, Side, legal_moves};
use leitai_games::xiangqi::Xiangqi;

use crate::words::{FIXED, MODE, PIDS, PROTOCOL};
use crate::{capture, cecp, cycle, exact, gtp, nboard, ponder};

/// Returns whether this is the first process of this working folder that calls it.
pub(crate) fn is_first() -> bool {
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open("asked");
    file.is_ok()
}

/// Returns whether the game began from one of about a third of the openings.
fn is_hard(line: &Line<Xiangqi>) -> bool {
    let fen = line.start().to_fen();
    fen.bytes().map(u32::from).sum::<u32>().is_multiple_of(3)
}

/// A number with two decimals.
fn rate(text: &str) -> f64 {
    let decimals = text.split_once('.').map(|(_, decimals)| decimals.len());
    assert_eq!(decimals, Some(2), "{text}");
    text.parse().expect("a number")
}

/// Starts a grandchild that has left the group, the session and the output.
fn start_runaway() {
    let script = "setsid sh -c 'echo $$ >> $LEITAI_MOCK_PIDS; sleep 600 & \
                  echo $! >> $LEITAI_MOCK_PIDS; wait' </dev/null >/dev/null 2>&1 &";
    let status = Command::new("sh").args(["-c", script]).status();
    assert!(status.expect("sh").success());
}

#[expect(clippy::exit, reason = "programs that crash are what is tested")]
pub(crate) fn play(mode: &str) {
    if mode == "asleep" {
        return sleep(Duration::from_mins(10));
    }
    note_process(std::process::id());
    if mode == "crash-in-handshake" {
        let _ = writeln!(io::stderr(), "cannot find my network");
        exit(3);
    }
    if mode == "orphan" {
        start_sleeping_child();
    }
    if mode == "runaway" {
        start_runaway();
    }
    match std::env::var(PROTOCOL).as_deref() {
        Ok("cecp") => return cecp::play(mode),
        Ok("gtp") => return gtp::play(mode),
        Ok("gtp-capture") => return capture::play(mode),
        Ok("nboard") => return nboard::play(mode),
        _ if mode.starts_with("ponder") => return ponder::play(mode),
        _ if mode == "exact" => return exact::play(),
        _ if mode.starts_with("cycle") => return cycle::play(mode),
        _ => {}
    }
    let mut line = Line::new(Xiangqi::initial());
    let (mut asked, mut hash, mut is_pressed) = (0, 16, false);
    for command in io::stdin().lock().lines() {
        let Ok(command) = command else { break };
        let words: Vec<&str> = command.split_whitespace().collect();
        match words.first().copied() {
            _ if mode == "silent" => {}
            Some("uci" | "ucci") if mode.starts_with("endless-") => flood(mode, &command),
            Some("isready") if mode == "never-ready" => flood("endless-talk", &command),
            Some("uci") if mode == "by-rate" => {
                print_line("id name Mock 1\noption name Rate type string default 1.0\nuciok");
            }
            Some("setoption") if words.get(2) == Some(&"Rate") => {
                hash = (16.0 * rate(words.last().expect("a value"))) as i32;
            }
            Some("uci") => print_line(
                "id name Mock 1\n\
                option name Hash type spin default 16 min 1 max 64\n\
                option name Clear Hash type button\n\
                option name Threads type spin default 1 min 1 max 4096\nuciok",
            ),
            Some("ucci") => print_line(
                "id name Mock 1\n\
                option usemillisec type check default false\nucciok",
            ),
            Some("setoption") if words[1..] == ["usemillisec", "true"] && mode == "seconds" => {
                panic!("told to count milliseconds");
            }
            Some("isready") => {
                // Ready the first time, and never again.
                asked += 1;
                if mode != "never-ready-again" || asked == 1 {
                    print_line("readyok");
                }
            }
            Some("position") => line = position(&command),
            Some("go") if mode == "seconds" && words[1..] != ["time", "2", "movestogo", "1"] => {
                panic!("not whole seconds: {command}");
            }
            Some("setoption") if words[1..] == ["name", "Clear", "Hash"] => {
                assert!(mode != "pressed" || hash == 4, "before its size is known");
                is_pressed = true;
            }
            Some("go") if mode == "pressed" => {
                assert!(is_pressed, "the button was not pressed");
                answer(&line);
            }
            Some("setoption") if words.get(2) == Some(&"Hash") => {
                hash = words
                    .last()
                    .and_then(|value| value.parse().ok())
                    .expect("a number");
            }
            // A broken shared library, or a value that crashes the program.
            Some("go") if Path::new("broken").exists() => exit(3),
            Some("go") if mode == "crash-above" && hash > 16 => exit(3),
            Some("go") if matches!(mode, "by-hash" | "by-rate") => {
                // A larger value gives a better score.
                print_line(&format!(
                    "info depth 1 nodes 9 score cp {}",
                    100 * (hash - 16)
                ));
                answer(&line);
            }
            Some("go") => go(mode, &line),
            Some("stop") if mode == "listens-to-stop" => answer(&line),
            Some("quit") if mode == "bye" => {
                print_line("bye");
                break;
            }
            Some("quit") if mode != "ignores-quit" => break,
            _ => {}
        }
    }
    if mode == "ignores-quit" {
        std::thread::park();
    }
}

#[expect(clippy::exit, reason = "programs that crash are what is tested")]
fn go(mode: &str, line: &Line<Xiangqi>) {
    match mode {
        "crash" | "orphan" => exit(3),
        _ if mode.ends_with("-orphan") => crash_beside_child(mode),
        "crash-later" if line.len() >= 4 => exit(3),
        "crash-once" if is_first() => exit(3),
        "late-once" if is_first() => {
            sleep(Duration::from_millis(300));
            answer(line);
        }
        // Its last words differ by process, and one line is not terminated.
        "crash-aloud" if line.len() >= 4 => {
            let id = std::process::id();
            let words = format!("network {id}\n\n</script> }} \u{1b}[31mred\nSegmentation fault");
            let _ = io::stderr().write_all(words.as_bytes());
            exit(139);
        }
        "crash-in-a-flood" => {
            for number in 0..3_000 {
                let _ = writeln!(io::stderr(), "{number} {}", "\u{1b}".repeat(400));
            }
            exit(3);
        }
        "aborts" => std::process::abort(),
        "crash-until-fixed" if is_hard(line) && !Path::new(FIXED).exists() => exit(3),
        "stall" | "listens-to-stop" => {}
        "flood" => loop {
            print_line("info depth 1 nodes 1 score cp 0 pv h2e2");
        },
        "rubbish" => {
            let _ = io::stdout().write_all(b"\x00\x01\xfe\xff\x1b[2J\n\n");
            answer(line);
        }
        "half-a-line" => {
            let _ = io::stdout().write_all(b"bestmove h2");
            let _ = io::stdout().flush();
        }
        "half-a-line-and-out" => {
            let _ = io::stdout().write_all(b"bestmove h2e2");
            let _ = io::stdout().flush();
            exit(0);
        }
        "illegal" => print_line("bestmove a0a9"),
        // A move of the side that has just moved.
        "wrong-side" => match line.position().side_to_move() {
            Side::First => print_line("bestmove a9a8"),
            Side::Second => print_line("bestmove a0a1"),
        },
        "gives-up" if line.len() >= 4 => print_line("nobestmove"),
        "refuses" => print_line("nobestmove"),
        "two-moves" => {
            answer(line);
            print_line("bestmove a0a0");
        }
        // The same again a little later, possibly after the next question.
        "twice" => {
            answer(line);
            sleep(Duration::from_millis(3));
            answer(line);
        }
        "slow" => {
            sleep(Duration::from_millis(300));
            answer(line);
        }
        "very-slow" => {
            sleep(Duration::from_millis(2_200));
            answer(line);
        }
        "no-move" => print_line("bestmove (none)"),
        "no-move-later" if line.len() >= 4 => print_line("bestmove (none)"),
        // Only in games from openings other than the usual start.
        "no-move-from-openings"
            if line.len() >= 6 && line.start().to_fen() != Xiangqi::initial().to_fen() =>
        {
            print_line("bestmove (none)");
        }
        "prompt" => print_line("mock> bestmove h2e2"),
        "nul" => print_line("bestmove h2e2\u{0}"),
        "huge" => {
            print_line(&format!("info string {}", "x".repeat(1 << 20)));
            answer(line);
        }
        "overrun" => {
            print_line("info depth 3 nodes 1000000 score cp 5");
            answer(line);
        }
        "closes-output" => {
            close_output();
            std::thread::park();
        }
        _ => {
            let mv = Xiangqi::move_text(chosen(line));
            let (score, pv) = match mode {
                "illegal-pv" => ("cp -7", format!("{mv} a0a9")),
                "short-mate" => ("mate 3", mv),
                "other-pv" => ("cp -7", Xiangqi::move_text(other(line))),
                _ => ("cp -7", mv),
            };
            let time = if mode == "illegal-pv" { "time 3 " } else { "" };
            print_line(&format!(
                "info depth 2 nodes 40 score {score} {time}pv {pv}"
            ));
            answer(line);
        }
    }
}

/// The last legal move of the generator.
pub(crate) fn other(line: &Line<Xiangqi>) -> Move {
    let moves = legal_moves(line.position());
    moves.last().copied().unwrap_or(Move::NULL)
}

/// Prints endlessly.
fn flood(mode: &str, command: &str) {
    for number in 0_u64.. {
        match (mode, command) {
            ("endless-bytes", _) => print_line(&"x".repeat(16_000)),
            ("endless-talk", _) => print_line("loading my network"),
            (_, "ucci") => print_line(&format!("option o{number} type check default false")),
            _ => print_line(&format!("option name o{number} type check default false")),
        }
    }
}

/// Passes the output to a process that ends at once, as far as possible without touching
/// descriptors: the output is closed by its own device file.
#[cfg(unix)]
fn close_output() {
    let file = OpenOptions::new().write(true).open("/dev/null");
    let file = file.expect("/dev/null");
    rustix::stdio::dup2_stdout(file).expect("a descriptor");
}

#[cfg(not(unix))]
fn close_output() {
    panic!("closes its output on Unix only");
}

pub(crate) fn answer(line: &Line<Xiangqi>) {
    print_line(&format!("bestmove {}", Xiangqi::move_text(chosen(line))));
}

/// Starts a child that outlives its parent, and inherits its output.
fn start_sleeping_child() {
    let own = std::env::current_exe().expect("a program");
    let child = Command::new(own)
        .env(MODE, "asleep")
        .stdin(Stdio::null())
        .spawn();
    note_process(child.expect("a child").id());
}

/// Crashes while a child writes on to our output.
#[expect(clippy::exit, reason = "programs that crash are what is tested")]
fn crash_beside_child(mode: &str) -> ! {
    let script = match mode {
        "flooding-orphan" => "yes info depth 1",
        _ => "while :; do echo info string alive; sleep 0.002; done",
    };
    let child = Command::new("sh").args(["-c", script]).spawn();
    note_process(child.expect("sh").id());
    exit(3)
}

/// The first legal move of the generator.
pub(crate) fn chosen<P: Position>(line: &Line<P>) -> Move {
    let moves = legal_moves(line.position());
    moves.first().copied().unwrap_or(Move::NULL)
}

pub(crate) fn position(command: &str) -> Line<Xiangqi> {
    let rest = command.strip_prefix("position fen ").expect("a FEN");
    let (fen, moves) = rest.split_once(" moves ").unwrap_or((rest, ""));
    let mut line = Line::new(Xiangqi::from_fen(fen).expect("a position"));
    for text in moves.split_whitespace() {
        let mv = line.position().parse_move(text).expect("a legal move");
        line.play(mv);
    }
    line
}

/// Prints lines in one piece, since without a ping a later one could belong to the next game, and
/// exits if the pipe is closed: the parent may have been killed between its question and this answer.
#[expect(clippy::exit, reason = "a program without a listener ends")]
pub(crate) fn print_line(text: &str) {
    let mut out = io::stdout().lock();
    let lines = format!("{text}\n");
    if out
        .write_all(lines.as_bytes())
        .and_then(|()| out.flush())
        .is_err()
    {
        exit(0);
    }
}

fn note_process(number: u32) {
    let Some(path) = std::env::var_os(PIDS) else {
        return;
    };
    let file = OpenOptions::new().create(true).append(true).open(path);
    let written = file.and_then(|mut file| file.write_all(format!("{number}\n").as_bytes()));
    written.expect("a list of processes");
}
