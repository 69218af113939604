//! Workers come and go without a restart of the server.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use leitai_runs::store::{Mode, Store};

use super::hub::{Hub, Owned, PATIENCE, assert_same, tournament};
use crate::common::{leitai, run, stderr, stdout};

/// Writes the config of a running server again; returns the output.
fn init(hub: &Hub, words: &[&str]) -> String {
    let folder = hub.path("hub");
    let output = run(&[&["fleet", "init", &folder], words].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

#[test]
fn a_running_server_takes_new_workers_and_drops_removed_ones() {
    let Some(hub) = Hub::start(2) else { return };
    let config = hub.sandbox.write("t.toml", &tournament(80, 400));
    hub.play_alone(&config);
    let mut lead = hub.lead("run", &config, "led.sqlite");
    let mut leader = Owned::start(lead.stderr(Stdio::null()));
    let mut removed = hub.worker(2);
    let record = hub.path("led.sqlite");
    let has_played = |name: &str| {
        let store = Store::open(Path::new(&record), Mode::Read).ok()?;
        let run = store.run("latest").ok()?;
        let mut rows = store.pairs(&run.handle).filter_map(Result::ok);
        rows.find(|row| row.worker.0.as_ref().is_some_and(|it| it.as_str() == name))
    };
    let plays = |name: &str| {
        let begun = Instant::now();
        while has_played(name).is_none() {
            assert!(begun.elapsed() < PATIENCE, "`{name}` does not play");
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    plays("worker-2");
    let said = init(&hub, &["--worker", "attic"]);
    assert!(said.contains("`attic` can connect"), "{said}");
    let mut attic = leitai();
    attic.args(["worker", "--threads", "1", "--creds", &hub.creds("attic")]);
    attic.args(["--cache", &hub.path("attic-cache")]);
    let mut attic = Owned::start(attic.stderr(Stdio::null()));
    plays("attic");
    assert!(removed.is_running());
    fs::remove_file(hub.creds("worker-2")).unwrap();
    let said = init(&hub, &[]);
    assert!(
        said.contains("The running server has read its config."),
        "{said}"
    );
    assert_eq!(removed.end(), Some(2));
    assert_eq!(leader.end(), Some(0));
    assert!(attic.is_running());
    assert_same(&record, &hub.path("alone.sqlite"), "workers came and went");
}

#[test]
fn a_server_that_cannot_take_its_config_must_be_restarted() {
    let Some(mut hub) = Hub::start(1) else { return };
    // The server does not know this administrator.
    fs::remove_file(hub.path("hub/server.admin")).unwrap();
    let said = init(&hub, &["--worker", "attic", "--json"]);
    assert!(said.contains("\"restart\""), "{said}");
    let said = init(&hub, &[]);
    assert!(said.contains("Restart it"), "{said}");
    hub.kill_server();
    let said = init(&hub, &[]);
    assert!(!said.contains("running server"), "{said}");
    hub.start_server();
    let said = init(&hub, &[]);
    assert!(said.contains("has read its config"), "{said}");
    let said = init(&hub, &["--port", "1"]);
    assert!(said.contains("Restart it"), "{said}");
}
