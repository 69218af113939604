//! Reports on a run by several workers.

use leitai_runs::store::{Mode, PlayedBy, Store, WorkerName};
use rusqlite::Connection;
use serde_json::Value;

use crate::common::gates::gate;
use crate::common::{Sandbox, json, run, small_tournament, stderr, stdout};

/// Limits under which no player loses on time, even on a busy machine.
const BY_THE_CLOCK: &str = "movetime = \"1ms\"\nmargin = \"20s\"";

/// Assigns the pairs of a record to workers, by their numbers; `None` leaves them to the process.
fn share_out(store: &str, worker: impl Fn(u64) -> Option<&'static str>) {
    let shared = format!("{store}.shared");
    {
        let from = Store::open(store, Mode::Read).expect("a record");
        let entry = from.run("latest").expect("a run");
        let openings = from.openings(&entry.handle).expect("a book");
        let to = Store::open(&shared, Mode::Write).expect("a record");
        let run = to.begin_run(&entry.meta, &openings).expect("a run");
        for pair in from.pairs(&entry.handle) {
            let mut pair = pair.expect("a pair");
            let name = worker(pair.record.index).map(WorkerName::new);
            pair.worker = PlayedBy(name.map(|name| name.expect("a name")));
            to.append(&run, &pair).expect("written");
        }
    }
    std::fs::rename(shared, store).expect("renamed");
}

fn played(sandbox: &Sandbox, text: &str, command: &str) -> (String, String) {
    let config = sandbox.write("run.toml", text);
    let store = sandbox.path("run.sqlite");
    let played = run(&[command, &config, "--store", &store, "--quiet"]);
    assert_ne!(played.status.code(), Some(2), "{}", stderr(&played));
    (config, store)
}

#[test]
fn workers_change_nothing_where_games_do_not_depend_on_them() {
    let sandbox = Sandbox::new();
    let (config, store) = played(&sandbox, &small_tournament(10, 100), "run");
    let before = json(&["report", &store, "--json"]);
    let rated = json(&["rate", &store, "--json"]);
    let again = stdout(&run(&["run", &config, "--store", &store]));
    assert!(before.get("workers").is_none(), "{before}");
    share_out(&store, |index| {
        [None, Some("box-1"), Some("box-2")][index as usize % 3]
    });
    let after = json(&["report", &store, "--json"]);
    assert_eq!(after, before);
    let after = json(&["report", &store, "--json", "--times"]);
    let workers = &after["workers"];
    assert_eq!(workers["by_the_clock"], false);
    let names: Vec<_> = (0..3)
        .map(|row| workers["rows"][row]["name"].as_str())
        .collect();
    assert_eq!(names, [None, Some("box-1"), Some("box-2")]);
    let sum = |key: &str| -> u64 {
        let rows = workers["rows"].as_array().expect("rows").iter();
        rows.map(|row| row[key].as_u64().expect("a count")).sum()
    };
    assert_eq!(Some(sum("games")), after["games"].as_u64());
    assert_eq!(sum("wins") + sum("draws") + sum("losses"), sum("games"));
    let text = stdout(&run(&["report", &store, "--times"]));
    assert!(
        text.contains("\nWorkers:\n") && text.contains("(this process)"),
        "{text}"
    );
    let page = sandbox.path("page.html");
    let written = run(&["report", &store, &format!("--html={page}")]);
    assert!(written.status.success(), "{}", stderr(&written));
    let page = std::fs::read_to_string(page).expect("a page");
    assert!(page.contains("<h2>Workers</h2>") && page.contains("box-2"));
    assert_eq!(json(&["rate", &store, "--json"]), rated);
    assert_eq!(stdout(&run(&["run", &config, "--store", &store])), again);
}

#[test]
fn intervals_by_the_clock_rest_on_workers() {
    let sandbox = Sandbox::new();
    let text = small_tournament(8, 100).replace("nodes = 100", BY_THE_CLOCK);
    let (_, store) = played(&sandbox, &text, "run");
    let elo = |report: &Value| report["pairings"][0]["estimate"]["elo"].clone();
    let before = json(&["report", &store, "--json"]);
    share_out(&store, |_| Some("alone"));
    let one = json(&["report", &store, "--json"]);
    assert_eq!(elo(&one), elo(&before));
    assert!(one.get("workers").is_none(), "{one}");
    assert!(
        one["warnings"]
            .to_string()
            .contains("worker `alone` played all of it")
    );
    share_out(&store, |index| {
        [Some("box-1"), Some("box-2")][index as usize % 2]
    });
    let two = json(&["report", &store, "--json"]);
    assert_eq!(two["workers"]["by_the_clock"], true);
    assert_eq!(two["workers"]["pairings"][0]["elo"], elo(&before));
    assert_eq!(elo(&two)["value"], elo(&before)["value"]);
    let rated = json(&["rate", &store, "--json"]);
    assert_eq!(rated["workers"], 2, "{rated}");
    let alone = json(&["rate", &store, "--json", "--cluster", "opening"]);
    assert_eq!(alone["workers"], 0);
}

/// A gate whose workers disagree warns that its test ignores this; the verdict remains that of the
/// test.
#[test]
fn a_gate_warns_of_workers_that_disagree() {
    let sandbox = Sandbox::new();
    let text = gate("base = \"plain\"\ncandidate = \"full\"\nelo1 = 1\nmax_pairs = 26");
    // The nodes end every move, although a clock might: the games are the same in every run.
    let text = text.replace("nodes = 80", "nodes = 80\nmovetime = \"20s\"");
    let (_, store) = played(&sandbox, &text, "gate");
    let before = json(&["report", &store, "--json"]);
    // One worker has the better half of the pairs.
    let conn = Connection::open(&store).expect("a record");
    let won = "SELECT p.idx FROM pair p JOIN game g ON g.id = 2 * p.key \
               JOIN game h ON h.id = 2 * p.key + 1 \
               ORDER BY (g.winner IS 0) + (h.winner IS 1) - (g.winner IS 1) - (h.winner IS 0) \
               DESC, p.idx LIMIT (SELECT COUNT(*) / 2 FROM pair)";
    let won: Vec<i64> = {
        let mut rows = conn.prepare(won).expect("games");
        let rows = rows.query_map([], |row| row.get(0));
        rows.and_then(Iterator::collect).expect("games")
    };
    drop(conn);
    share_out(&store, |index| {
        Some(["lost", "won"][usize::from(won.contains(&(index as i64)))])
    });
    let after = json(&["report", &store, "--json"]);
    assert_eq!(after["verdict"], before["verdict"]);
    assert_eq!(
        after["candidates"][0]["level"],
        before["candidates"][0]["level"]
    );
    let low = |report: &Value| report["candidates"][0]["estimate"]["score"]["low"].as_f64();
    assert!(low(&after) < low(&before), "{after:#}");
    let warnings = after["warnings"].to_string();
    assert!(
        warnings.contains("differ between workers by more than pairs do"),
        "{after:#}"
    );
    assert!(!before["warnings"].to_string().contains("workers"));
}
