//! Numbers and failures as text.

use std::time::Duration;

use crate::player::external::engine;
use crate::player::{Failure, Reply, quoted_lines};
use leitai_base::count::{count, grouped};
use leitai_base::foreign::shown;

/// A time: milliseconds below a second, otherwise seconds.
pub(super) fn time(time: Duration) -> String {
    if time < Duration::from_millis(1) {
        format!("{:.1} ms", milliseconds(time))
    } else if time < Duration::from_secs(1) {
        format!("{} ms", time.as_millis())
    } else if time.subsec_millis() == 0 {
        format!("{} s", time.as_secs())
    } else {
        format!("{:.2} s", time.as_secs_f64())
    }
}

/// Milliseconds with one decimal, for figures.
pub(super) fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 10_000.0).round() / 10.0
}

/// A whole number with thousands separators.
pub(super) fn number(value: u64) -> String {
    grouped(value, ',')
}

/// Nodes per second, rounded to the precision of a short measurement.
pub(super) fn speed(nodes_per_second: u64) -> String {
    match nodes_per_second {
        0..10_000 => format!("{} nodes per second", number(nodes_per_second)),
        10_000..1_000_000 => format!("{} thousand nodes per second", nodes_per_second / 1_000),
        _ => format!(
            "{:.1} million nodes per second",
            nodes_per_second as f64 / 1e6
        ),
    }
}

/// Memory on all threads compared with the free memory.
pub(super) fn share(all: u64, threads: u64, free: Option<u64>) -> String {
    let free = free.map(|free| format!(" of {} free", number(free)));
    format!(
        "{} MiB{} on {}",
        number(all),
        free.unwrap_or_default(),
        count(threads, "thread", "threads")
    )
}

/// A description of a failure to answer.
pub(super) fn failure(failure: Failure, reply: &Reply) -> String {
    let symptoms = &reply.symptoms;
    let event = match failure {
        Failure::Crash => match &symptoms.exit {
            Some(exit) => format!("it ends: {exit}"),
            None => "it ends".to_owned(),
        },
        Failure::Disconnect => "it closes its output".to_owned(),
        Failure::Stall => format!("it does not answer within {}", time(reply.taken)),
        Failure::Malformed => match &symptoms.answer {
            Some(line) => format!("it says `{}`", shown(&shortened(line))),
            None => "its output is not text".to_owned(),
        },
        Failure::IllegalMove => "it names a move that is not legal".to_owned(),
        Failure::NodeOverrun => "it searches far more nodes than its limit".to_owned(),
        Failure::Resigned => "it gives up".to_owned(),
        Failure::NoResources => "the machine cannot start it".to_owned(),
    };
    let unread = match symptoms.unread.as_slice() {
        [] => String::new(),
        lines => format!(
            "; it printed {}, which Leitai cannot read as an answer",
            quoted_lines(lines)
        ),
    };
    event + &unread + &error_output(&symptoms.errors)
}

/// The last lines of standard error, as the end of a sentence.
pub(super) fn error_output(errors: &[String]) -> String {
    match errors {
        [] => String::new(),
        _ => engine::error_output_ending(&[shortened(&errors.join(" / "))]),
    }
}

/// A program's text, cut to a readable length.
pub(super) fn shortened(text: &str) -> String {
    const MAX: usize = 200;
    if text.chars().count() <= MAX {
        return text.to_owned();
    }
    let beginning: String = text.chars().take(MAX).collect();
    beginning + "..."
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_for_people() {
        assert_eq!(number(0), "0");
        assert_eq!(number(1_234_567), "1,234,567");
        assert_eq!(number(100_000), "100,000");
        assert_eq!(time(Duration::from_micros(1_700)), "1 ms");
        assert_eq!(time(Duration::from_millis(1_030)), "1.03 s");
        assert_eq!(time(Duration::from_secs(5)), "5 s");
        assert_eq!(speed(1_250_000), "1.2 million nodes per second");
        assert_eq!(speed(12_500), "12 thousand nodes per second");
        assert_eq!(shortened(&"é".repeat(300)).chars().count(), 203);
    }
}
