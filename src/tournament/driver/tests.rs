//! Which failure stops a run, and that none does which nobody waits for.

use super::*;
use crate::config::parse;
use crate::game::Cause;
use crate::games;
use crate::play::PairRecord;
use crate::schedule::{Book, PairSpec};
use crate::store::Mode;
use crate::tournament::Replay;

/// Two searches of ours, and a program that greets and ends when it is to move.
const CONFIG: &str = r#"
game = "xiangqi"
limits = { nodes = 300 }
openings = { file = "b.epd" }
adjudication = { max_plies = 20 }
tournament = { pairs = 3 }
failures = { crash = "stop" }

[[variant]]
name = "one"
search = { table_mb = 0 }

[[variant]]
name = "other"
search = { table_mb = 0 }
eval = { preset = "tutorial" }

[[variant]]
name = "frail"
protocol = "uci"
command = [
    "sh", "-c",
    "while read -r a b; do case $a in uci) echo uciok;; isready) echo readyok;; go) exit 3; esac; done",
]
"#;

/// Wants the first pairing to its end, and the others until it has had so many
/// pairs.
#[derive(Clone, Debug, PartialEq)]
struct Until {
    enough: u64,
    seen: Vec<u64>,
}

impl Goal for Until {
    fn wants(&self, pairing: usize) -> bool {
        pairing == 0 || (self.seen.len() as u64) < self.enough
    }

    fn take(&mut self, spec: &PairSpec, _: &PairRecord, _: &Replay) -> bool {
        self.seen.push(spec.index);
        true
    }
}

/// How a run ends on so many threads, and which pairs it has recorded.
fn played(enough: u64, threads: usize) -> (Ending, Vec<u64>, Vec<u64>) {
    let config = parse(CONFIG, "test.toml", &games::all()).unwrap().config;
    let book = include_str!("../../../openings/xiangqi.epd");
    let book = Book::parse(config.game.card, book, "book").unwrap();
    let plan = Plan::new(config, book).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path().join("games.sqlite"), Mode::Write).unwrap();
    let source = Source { name: "", text: "" };
    let goal = Until {
        enough,
        seen: Vec::new(),
    };
    let threads = NonZeroUsize::new(threads).unwrap();
    let calm = Cancel::new();
    let (ending, goal) = play_for(goal, &plan, source, &store, threads, &calm, |_| {}).unwrap();
    let run = store.run("latest").unwrap().handle;
    let recorded = store.recorded_indices(&run).unwrap();
    let recorded = recorded.ranges().iter().flat_map(Clone::clone).collect();
    (ending, goal.seen, recorded)
}

#[test]
fn the_first_failure_stops_a_run_whatever_the_threads() {
    for threads in 1..=4 {
        let (ending, seen, recorded) = played(99, threads);
        let Ending::Stopped(stop) = ending else {
            panic!("{threads} threads: {ending:?}");
        };
        assert_eq!((stop.pair, stop.fault.variant), (1, 2), "{threads} threads");
        assert_eq!((stop.fault.cause, stop.fault.game), (Cause::Crash, 0));
        assert_eq!(seen, [0]);
        // What other threads had begun is kept; the failed pairs are not.
        assert!(recorded.iter().all(|index| index % 3 == 0), "{recorded:?}");
    }
}

#[test]
fn a_failure_that_nobody_waits_for_stops_nothing() {
    for threads in 1..=4 {
        let (ending, seen, recorded) = played(1, threads);
        assert_eq!(ending, Ending::Complete, "{threads} threads");
        assert_eq!([seen, recorded], [[0, 3, 6]; 2]);
    }
}
