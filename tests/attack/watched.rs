//! Commands with limits on time and memory.

use std::io::{Read, Write};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::inputs::peak_memory;

/// Interval for polling a command.
const LOOK: Duration = Duration::from_millis(3);
/// The most output that is kept, more than any command prints; the rest is read and dropped.
const HEARD: u64 = 8 << 20;

/// The result of a command.
pub(crate) struct Watched {
    pub(crate) output: Output,
    /// The largest resident memory seen, in kB.
    pub(crate) peak: u64,
    /// True if it ended by itself.
    pub(crate) timely: bool,
}

/// Runs a command without input; kills it after `patience`.
pub(crate) fn watch(command: &mut Command, patience: Duration) -> Watched {
    watch_with(command, b"", patience)
}

/// Does the same with standard input.
pub(crate) fn watch_with(command: &mut Command, input: &[u8], patience: Duration) -> Watched {
    let begun = Instant::now();
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a program");
    // The command need not read its input.
    let _ = child.stdin.take().unwrap().write_all(input);
    let hear = |mut pipe: Box<dyn Read + Send>| {
        thread::spawn(move || {
            let mut heard = Vec::new();
            let _ = pipe.by_ref().take(HEARD).read_to_end(&mut heard);
            let _ = std::io::copy(&mut pipe, &mut std::io::sink());
            heard
        })
    };
    let out = hear(Box::new(child.stdout.take().unwrap()));
    let errors = hear(Box::new(child.stderr.take().unwrap()));
    let process = child.id().to_string();
    let (mut peak, mut timely) = (0, true);
    let status = loop {
        // A process that has ended no longer reports its memory.
        peak = peak_memory(&process).max(peak);
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if begun.elapsed() > patience {
            timely = false;
            child.kill().unwrap();
            break child.wait().unwrap();
        }
        thread::sleep(LOOK);
    };
    let output = Output {
        status,
        stdout: out.join().unwrap(),
        stderr: errors.join().unwrap(),
    };
    Watched {
        output,
        peak,
        timely,
    }
}

/// Returns whether a foreign character could affect a terminal or reverse text: C0 and C1 controls
/// except line feed and tab, and bidirectional controls.
pub(crate) fn is_harmful(c: char) -> bool {
    let is_bidi = matches!(c, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    (c.is_control() && !matches!(c, '\n' | '\t')) || is_bidi
}
