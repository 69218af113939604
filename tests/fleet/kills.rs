//! Workers, their coordinator and the server are killed at any moment: the result is that of a
//! single undisturbed process.

use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::hub::{Hub, Owned, PATIENCE, assert_same, tournament};
use crate::common::stderr;
use leitai_stats::RandomNumbers;

/// The number of kills by kind of process.
#[derive(Debug, Default)]
struct Killed {
    workers: u32,
    leaders: u32,
    servers: u32,
}

impl Killed {
    fn total(&self) -> u32 {
        self.workers + self.leaders + self.servers
    }
}

/// Kills this number of processes while `workers` play `pairs` of a tournament; without workers,
/// the threads of the recording process play.
fn storm(kills: u32, workers: u16, pairs: u32, seed: u64) {
    let Some(mut hub) = Hub::start(workers.max(1)) else {
        return;
    };
    let config = hub.sandbox.write("t.toml", &tournament(pairs, 200));
    hub.play_alone(&config);

    let mut dice = RandomNumbers::new(seed, 0);
    let mut killed = Killed::default();
    let lead = |hub: &Hub| {
        let mut lead = match workers {
            0 => hub.command("run", &config, "led.sqlite"),
            _ => hub.lead("run", &config, "led.sqlite"),
        };
        let log = std::fs::File::create(hub.path("log")).unwrap();
        Owned::start(lead.stderr(Stdio::from(log)))
    };
    let mut leader = lead(&hub);
    let mut all: Vec<Owned> = (1..=workers).map(|number| hub.worker(number)).collect();
    let mut begun = Instant::now();
    loop {
        if killed.total() < kills {
            thread::sleep(Duration::from_millis(30 + dice.below(250) as u64));
            let victim = if workers == 0 { 1 } else { dice.below(10) };
            match victim {
                0 => {
                    hub.kill_server();
                    thread::sleep(Duration::from_millis(dice.below(300) as u64));
                    hub.start_server();
                    killed.servers += 1;
                }
                1..=3 => {
                    leader.kill();
                    leader = lead(&hub);
                    killed.leaders += 1;
                }
                _ => {
                    let number = dice.below(workers.into());
                    all[number].kill();
                    all[number] = hub.worker(number as u16 + 1);
                    killed.workers += 1;
                }
            }
            begun = Instant::now();
        } else {
            assert!(begun.elapsed() < PATIENCE, "it does not end: {killed:?}");
            thread::sleep(Duration::from_millis(20));
        }
        if !leader.is_running() {
            // The run may end before the number of kills is reached; then another one begins.
            let log = std::fs::read_to_string(hub.path("log")).unwrap();
            assert_eq!(leader.end(), Some(0), "{killed:?}: {log}");
            if killed.total() >= kills {
                break;
            }
            let number = killed.total();
            let done = hub.path("led.sqlite");
            assert_same(&done, &hub.path("alone.sqlite"), &format!("{killed:?}"));
            for ending in ["", "-wal", "-shm"] {
                let _ = std::fs::rename(
                    format!("{done}{ending}"),
                    format!("{done}-{number}{ending}"),
                );
            }
            leader = lead(&hub);
        }
    }
    assert_same(
        &hub.path("led.sqlite"),
        &hub.path("alone.sqlite"),
        "at the end",
    );
}

#[test]
fn whatever_is_killed_the_bytes_are_those_of_one_process() {
    storm(5, 2, 16, 1);
}

/// With local threads or remote workers, the pairs recorded before the disk was full are there when
/// it has space again.
#[test]
fn a_full_disk_where_it_is_recorded_loses_nothing() {
    let Some(hub) = Hub::start(2) else { return };
    let config = hub.sandbox.write("t.toml", &tournament(100, 20));
    hub.play_alone(&config);
    let _workers = [hub.worker(1), hub.worker(2)];
    for store in ["threads.sqlite", "workers.sqlite"] {
        let command = || match store {
            "threads.sqlite" => hub.command("run", &config, store),
            _ => hub.lead("run", &config, store),
        };
        let without_room = command();
        let mut limited = Command::new("sh");
        limited.args(["-c", "trap '' XFSZ; ulimit -f 400; exec \"$0\" \"$@\""]);
        limited.arg(without_room.get_program());
        let output = limited.args(without_room.get_args()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        let output = command().output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        assert_same(&hub.path(store), &hub.path("alone.sqlite"), store);
    }
}

#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn two_hundred_kills_change_nothing() {
    storm(200, 5, 400, 2);
    // Without workers: local threads.
    storm(40, 0, 600, 1);
}

#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn fifty_workers_that_come_and_go_change_nothing() {
    storm(60, 50, 600, 3);
}

#[test]
fn a_leaving_worker_returns_its_units() {
    let Some(hub) = Hub::start(3) else { return };
    // A pair outlasts this test, and so does the lease of a silent worker.
    let config = hub.sandbox.write("t.toml", &tournament(1, 2_000_000));
    let mut lead = hub.command("run", &config, "led.sqlite");
    lead.args(["--fleet", &hub.creds("coordinator"), "--lease", "10min"]);
    let mut leader = Owned::start(lead.stderr(Stdio::null()));
    let mut worker = hub.worker(1);
    let begun = Instant::now();
    let waits = |hub: &Hub, words: &str| {
        while !String::from_utf8(hub.admin(&["status"]).stdout)
            .unwrap()
            .contains(words)
        {
            assert!(begun.elapsed() < PATIENCE, "not so: {words}");
            thread::sleep(Duration::from_millis(100));
        }
    };
    waits(&hub, "2 pairs wait, 1 are handed out");
    worker.terminate();
    assert_eq!(worker.end(), Some(130));
    // Three workers take all three pairs: the returned one is available at once.
    let _others = [hub.worker(1), hub.worker(2), hub.worker(3)];
    waits(&hub, "0 pairs wait, 3 are handed out");
    assert!(leader.is_running());
}

#[test]
fn a_fleet_is_looked_at_drained_and_stopped() {
    let Some(hub) = Hub::start(2) else { return };
    let config = hub.sandbox.write("t.toml", &tournament(200, 20_000));
    let mut lead = hub.lead("run", &config, "led.sqlite");
    let mut leader = Owned::start(lead.stderr(Stdio::null()));
    let mut workers = [hub.worker(1), hub.worker(2)];
    let begun = Instant::now();
    let status = loop {
        let status = hub.admin(&["status", "--json"]);
        let status: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap_or_default();
        if status["workers"].as_array().is_some_and(|it| it.len() == 2) && status["playing"] == 2 {
            break status;
        }
        assert!(begun.elapsed() < PATIENCE, "{status}");
        thread::sleep(Duration::from_millis(100));
    };
    assert_eq!(status["runs"][0]["name"], config.as_str());
    assert_eq!(status["workers"][0]["heartbeat"]["threads"], 1);
    let drained = hub.admin(&["drain", "worker-1"]);
    assert!(drained.status.success(), "{}", stderr(&drained));
    assert_eq!(workers[0].end(), Some(0));
    assert!(workers[1].is_running());
    let run = status["runs"][0]["run"].as_str().unwrap();
    let stopped = hub.admin(&["stop", &run[..8]]);
    assert!(stopped.status.success(), "{}", stderr(&stopped));
    assert_eq!(leader.end(), Some(130));
    let status = String::from_utf8(hub.admin(&["status"]).stdout).unwrap();
    assert!(status.contains("no run is led"), "{status}");
    assert!(workers[1].is_running());
    hub.admin(&["drain"]);
    assert_eq!(workers[1].end(), Some(0));
}

#[test]
fn a_worker_without_work_leaves() {
    let Some(hub) = Hub::start(1) else { return };
    let config = hub.sandbox.write("t.toml", &tournament(1, 20));
    let mut lead = hub.lead("run", &config, "led.sqlite");
    let mut leader = Owned::start(lead.stderr(Stdio::null()));
    let mut worker = hub.worker_command(1);
    let output = worker
        .args(["--idle-exit", "1s", "--json"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["played"], 3, "{answer}");
    assert_eq!(leader.end(), Some(0));
}
