//! Workers of another build of the same version.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use leitai_runs::store::{Mode, Store};

use super::hub::{Hub, Owned, assert_same, tournament};
use crate::common::{leitai, wait_for};

/// A copy of the program with another digest that plays the same. Another process writes it: a
/// child of another test could hold it open, and the system would not start it.
fn other_build(hub: &Hub) -> String {
    let path = hub.path("leitai");
    let copy = "cp \"$0\" \"$1\" && echo >> \"$1\"";
    let mut shell = Command::new("sh");
    shell
        .args(["-c", copy])
        .arg(leitai().get_program())
        .arg(&path);
    assert!(shell.status().unwrap().success());
    path
}

/// The number of pairs of a record that a worker has played.
fn played(record: &str, worker: &str) -> usize {
    let store = Store::open(Path::new(record), Mode::Read).unwrap();
    let run = store.run("latest").unwrap();
    let rows = store.pairs(&run.handle).map(Result::unwrap);
    let named = rows.filter(|row| {
        row.worker
            .0
            .as_ref()
            .is_some_and(|it| it.as_str() == worker)
    });
    named.count()
}

#[test]
fn a_worker_of_another_build_plays_only_if_the_coordinator_lets_it_in() {
    let Some(hub) = Hub::start(2) else { return };
    let config = hub.sandbox.write("t.toml", &tournament(8, 40));
    hub.play_alone(&config);
    let program = other_build(&hub);
    let start_other = || {
        let mut other = Command::new(&program);
        other.args(hub.worker_command(1).get_args());
        let log = fs::File::create(hub.path("worker-log")).unwrap();
        Owned::start(other.stderr(Stdio::from(log)))
    };
    let other = start_other();
    let record = hub.path("led.sqlite");
    let lead = |words: &[&str]| {
        let mut lead = hub.lead("run", &config, "led.sqlite");
        let log = fs::File::create(hub.path("log")).unwrap();
        Owned::start(lead.args(words).stderr(Stdio::from(log)))
    };
    let mut leader = lead(&[]);
    wait_for(
        &hub.path("worker-log"),
        "help: install the coordinator's build",
        1,
    );
    wait_for(
        &hub.path("log"),
        "`worker-1` does not play this run: the coordinator is build",
        1,
    );
    let workers = String::from_utf8(hub.admin(&["workers"]).stdout).unwrap();
    assert!(workers.contains("does not play run"), "{workers}");
    assert!(workers.contains("file-"), "{workers}");
    let same = hub.worker(2);
    assert_eq!(leader.end(), Some(0));
    assert_eq!(played(&record, "worker-1"), 0);
    assert_same(
        &record,
        &hub.path("alone.sqlite"),
        "without the other build",
    );
    drop((same, other));
    fs::remove_file(&record).unwrap();
    let _other = start_other();
    let mut leader = lead(&["--other-builds"]);
    assert_eq!(leader.end(), Some(0));
    assert!(played(&record, "worker-1") > 0);
    assert_same(&record, &hub.path("alone.sqlite"), "with the other build");
}
