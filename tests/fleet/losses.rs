//! The server loses its storage, all or a part: the run ends as if nothing had happened.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::hub::{Hub, Owned, PATIENCE, assert_same, gate, tournament};
use super::same::tune;
use super::trust::Rogue;

const STREAMS: [&str; 4] = ["WORK", "RESULTS", "FILES", "HEARTBEATS"];

/// Waits for something of the hub's run.
fn wait_for(hub: &Hub, what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        let log = || fs::read_to_string(hub.path("log")).unwrap();
        assert!(
            begun.elapsed() < PATIENCE,
            "not within a minute: {what}: {}",
            log()
        );
        thread::sleep(Duration::from_millis(20));
    }
}

/// A run whose units wait for workers.
struct Waiting {
    hub: Hub,
    leader: Owned,
}

impl Waiting {
    fn start(hub: Hub, lead: &mut Command) -> Self {
        let log = fs::File::create(hub.path("log")).unwrap();
        let leader = Owned::start(lead.stderr(Stdio::from(log)));
        let waiting = Self { hub, leader };
        waiting.wait_for_units();
        waiting
    }

    fn log(&self) -> String {
        fs::read_to_string(self.hub.path("log")).unwrap()
    }

    /// Waits until the server has units.
    fn wait_for_units(&self) {
        wait_for(&self.hub, "units", || {
            let status = self.hub.admin(&["status", "--json"]);
            let status: serde_json::Value =
                serde_json::from_slice(&status.stdout).unwrap_or_default();
            status["waiting"].as_u64().is_some_and(|it| it > 0)
                && status["runs"].as_array().is_some_and(|it| !it.is_empty())
        });
    }

    fn lose_storage(&mut self) {
        self.hub.kill_server();
        fs::remove_dir_all(self.hub.path("hub/jetstream")).unwrap();
        self.hub.start_server();
    }

    fn ends(&mut self) -> Option<i32> {
        let _workers = [self.hub.worker(1), self.hub.worker(2)];
        self.leader.end()
    }

    fn ends_the_same(&mut self) {
        let code = self.ends();
        assert_eq!(code, Some(0), "{}", self.log());
        let (led, alone) = (self.hub.path("led.sqlite"), self.hub.path("alone.sqlite"));
        assert_same(&led, &alone, &self.log());
    }
}

/// A tournament of this many pairs, all of whose units wait.
fn waiting(pairs: u32) -> Option<Waiting> {
    let hub = Hub::start(2)?;
    let config = hub.sandbox.write("t.toml", &tournament(pairs, 60));
    hub.play_alone(&config);
    let mut lead = hub.lead("run", &config, "led.sqlite");
    Some(Waiting::start(hub, lead.args(["--replay", "1"])))
}

#[test]
fn a_lost_storage_is_filled_again() {
    let Some(mut run) = waiting(12) else { return };
    run.lose_storage();
    run.wait_for_units();
    run.ends_the_same();
}

#[test]
fn a_storage_lost_during_play_is_filled_again_for_gates_and_tunes() {
    for (command, config) in [("gate", gate(300)), ("tune", tune())] {
        let Some(hub) = Hub::start(2) else { return };
        let config = hub.sandbox.write("t.toml", &config);
        let mut alone = hub.command(command, &config, "alone.sqlite");
        let code = Owned::start(alone.stderr(Stdio::null())).end();
        let mut lead = hub.lead(command, &config, "led.sqlite");
        let mut run = Waiting::start(hub, &mut lead);
        let _workers = [run.hub.worker(1), run.hub.worker(2)];
        let results = Rogue::come(&run.hub, "coordinator");
        // A unit at least has been played.
        wait_for(&run.hub, "results", || {
            let stream = results.stream("RESULTS");
            stream.is_some_and(|it| it.cached_info().state.last_sequence > 0)
        });
        run.lose_storage();
        assert_eq!(run.leader.end(), code, "{}", run.log());
        let (led, alone) = (run.hub.path("led.sqlite"), run.hub.path("alone.sqlite"));
        assert_same(&led, &alone, &run.log());
    }
}

#[test]
fn each_lost_stream_is_filled_again() {
    let Some(mut run) = waiting(150) else { return };
    let admin = Rogue::come(&run.hub, "coordinator");
    let lose_each = |run: &mut Waiting| {
        for name in STREAMS {
            let Some(stream) = admin.stream(name) else {
                break;
            };
            let before = stream.cached_info().created;
            admin.delete(name);
            wait_for(&run.hub, name, || {
                let stream = admin.stream(name);
                let is_new = stream.is_some_and(|it| it.cached_info().created != before);
                is_new || !run.leader.is_running()
            });
        }
        admin.delete_consumer();
        wait_for(&run.hub, "the consumer", || {
            admin.has_consumer() || !run.leader.is_running()
        });
    };
    // While all units wait, and while workers play.
    lose_each(&mut run);
    run.wait_for_units();
    let _workers = [run.hub.worker(1), run.hub.worker(2)];
    lose_each(&mut run);
    run.ends_the_same();
}

/// After a full disk, nats-server refuses all messages to a stream until it restarts.
#[test]
fn a_stream_that_refuses_messages_for_ever_is_replaced() {
    replaces_streams(|folder, admin, name| {
        let messages = folder.join("msgs");
        fs::rename(&messages, folder.join("away")).unwrap();
        fs::write(&messages, "not a folder: no file can be created here").unwrap();
        admin.purge(name);
    });
}

/// nats-server loses the folder of a stream that it deletes and creates at once.
#[test]
fn a_stream_without_its_folder_is_replaced() {
    // The server may write into the folder meanwhile.
    replaces_streams(|folder, _, _| fs::rename(folder, folder.with_extension("gone")).unwrap());
}

/// Lets a run wait, spoils each stream by its folder and name, and lets workers play.
fn replaces_streams(spoil: impl Fn(&Path, &Rogue, &str)) {
    let Some(mut run) = waiting(12) else { return };
    let admin = Rogue::come(&run.hub, "coordinator");
    for name in STREAMS {
        let before = admin.stream(name).unwrap().cached_info().created;
        let folder = run.hub.path("hub/jetstream/jetstream/coordinator/streams");
        spoil(&Path::new(&folder).join(name), &admin, name);
        wait_for(&run.hub, name, || {
            let stream = admin.stream(name);
            stream.is_some_and(|it| it.cached_info().created != before)
        });
    }
    let log = run.log();
    assert!(log.contains("the server cannot write its stream"), "{log}");
    run.ends_the_same();
}
