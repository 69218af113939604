//! Remote workers and local threads give the same bytes.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use leitai_fleet::{Access, Coordinator, Options};
use leitai_session::{Listener, NullListener};

use super::hub::{Hub, Owned, assert_same, book, gate, said, tournament};
use crate::common::{json, leitai, run, stderr, wait_for};

/// A tune of Othello by SPSA, with a short verification match.
pub(super) fn tune() -> String {
    let book = book();
    format!(
        "game = \"othello\"\nseed = 3\nlimits = {{ nodes = 60 }}\n\
         openings = {{ file = {book:?} }}\n\
         [tune]\nvariant = \"start\"\nalgorithm = \"spsa\"\ngames = 160\nbatch = 4\n\
         handicap = \"off\"\nproof = {{ elo0 = 0, elo1 = 200, max_pairs = 20 }}\n\
         [[tune.parameter]]\npath = \"eval.squares[*]\"\nmin = -1500\nmax = 2500\nstep = 100\n\
         [[variant]]\nname = \"start\"\neval = {{ preset = \"discs\" }}\n"
    )
}

/// Plays a config with local threads and with remote workers, and compares the results.
fn compare(hub: &Hub, command: &str, name: &str, config: &str) {
    let config = hub.sandbox.write(&format!("{name}.toml"), config);
    let (ours, theirs) = (format!("{name}-1.sqlite"), format!("{name}-2.sqlite"));
    let mut alone = hub.command(command, &config, &ours);
    let alone = alone.args(["--threads", "2"]).output().unwrap();
    let led = hub.lead(command, &config, &theirs).output().unwrap();
    assert_eq!(led.status.code(), alone.status.code(), "{}", stderr(&led));
    assert_eq!(led.stdout, alone.stdout, "{}", stderr(&led));
    assert_same(&hub.path(&theirs), &hub.path(&ours), name);
}

#[test]
fn one_worker_and_three_give_the_bytes_of_one_process() {
    let Some(hub) = Hub::start(3) else { return };
    let _first = hub.worker(1);
    compare(&hub, "run", "one", &tournament(6, 60));
    let _others = [hub.worker(2), hub.worker(3)];
    compare(&hub, "run", "three", &tournament(30, 100));
    compare(&hub, "gate", "gate", &gate(300));
    let files = fs::read_dir(hub.path("cache")).unwrap();
    assert!(files.count() >= 3, "descriptions of runs are kept");
}

#[test]
fn workers_play_by_the_nodes_that_their_leader_has_measured() {
    let Some(hub) = Hub::start(1) else { return };
    let _worker = hub.worker(1);
    let config = tournament(3, 300).replace("nodes = 300 }", "nodes = 300, equal_time = true }");
    let config = hub.sandbox.write("t.toml", &config);
    let led = hub.lead("run", &config, "led.sqlite").output().unwrap();
    assert!(led.status.success(), "{}", stderr(&led));
    let record = hub.path("led.sqlite");
    let nodes = &json(&["report", &record, "--json"])["equal_time"];
    assert_eq!(nodes[0]["nodes"], 300);
    assert_ne!(
        nodes[1]["nodes"], 300,
        "another search is as fast to a node"
    );
    // A single process gives the same games.
    let verified = run(&["verify", &record]);
    assert!(verified.status.success(), "{}", stderr(&verified));
}

#[test]
fn an_early_worker_waits_for_the_server() {
    let Some(mut hub) = Hub::start(1) else { return };
    let config = hub.sandbox.write("t.toml", &tournament(2, 20));
    hub.play_alone(&config);
    hub.kill_server();
    let log = fs::File::create(hub.path("log")).unwrap();
    let _worker = Owned::start(hub.worker_command(1).stderr(Stdio::from(log)));
    let mut lead = hub.lead("run", &config, "led.sqlite");
    let mut leader = Owned::start(lead.stderr(Stdio::null()));
    for what in ["no connection to", "waiting"] {
        wait_for(&hub.path("log"), what, 1);
    }
    hub.start_server();
    assert_eq!(leader.end(), Some(0));
    let (led, alone) = (hub.path("led.sqlite"), hub.path("alone.sqlite"));
    assert_same(&led, &alone, "after the server came");
    // An idle worker leaves at once.
    hub.kill_server();
    let mut idle = Owned::start(hub.worker_command(1).stderr(Stdio::null()));
    std::thread::sleep(Duration::from_millis(300));
    idle.terminate();
    assert_eq!(idle.end(), Some(130));
}

#[test]
fn all_threads_of_a_worker_play_from_the_first_pair_on() {
    let Some(hub) = Hub::start(1) else { return };
    let config = hub.sandbox.write("t.toml", &tournament(10, 40));
    let creds = hub.creds("worker-1");
    let mut worker = leitai();
    worker.args(["worker", "--threads", "4", "--creds", &creds]);
    worker.args(["--cache", &hub.path("cache")]);
    let _worker = Owned::start(worker.stderr(Stdio::null()));
    for number in 0..2 {
        let mut lead = leitai();
        let store = hub.path(&format!("{number}.sqlite"));
        lead.args(["run", &config, "--store", &store, "--quiet"]);
        // With the usual lease, a pair held by a thread that does not play it would come too late.
        lead.args(["--fleet", &hub.creds("coordinator")]);
        let begun = Instant::now();
        assert_eq!(Owned::start(&mut lead).end(), Some(0));
        assert!(
            begun.elapsed() < Duration::from_secs(20),
            "{:?}",
            begun.elapsed()
        );
    }
}

#[test]
fn a_tune_by_workers_gives_the_values_of_one_process() {
    let Some(hub) = Hub::start(2) else { return };
    let _workers = [hub.worker(1), hub.worker(2)];
    let tuned = |name: &str| {
        let folder = hub.path(name);
        fs::create_dir(&folder).unwrap();
        fs::write(format!("{folder}/t.toml"), tune()).unwrap();
        let mut command = if name == "led" {
            hub.lead("tune", "t.toml", "led/t.sqlite")
        } else {
            let mut command = leitai();
            command.args(["tune", "t.toml", "--store", "t.sqlite", "--quiet"]);
            command
        };
        let output = command.current_dir(&folder).output().unwrap();
        let values = fs::read_to_string(format!("{folder}/t.tuned.toml"));
        let values = values.unwrap_or_else(|_| panic!("{}", stderr(&output)));
        (
            output.status.code(),
            values,
            said(&format!("{folder}/t.sqlite")),
        )
    };
    assert_eq!(tuned("led"), tuned("alone"));
}

#[test]
fn programs_and_their_files_are_sent_to_workers() {
    let Some(hub) = Hub::start(1) else { return };
    // Relative to the folder of the config: the worker runs in another folder and does not find it.
    let config = format!(
        "game = \"othello\"\nseed = 7\nlimits = {{ nodes = 50 }}\n\
         openings = {{ file = {:?} }}\n[tournament]\npairs = 3\n\
         [[variant]]\nname = \"inside\"\n\
         [[variant]]\nname = \"outside\"\nprotocol = \"uci\"\n\
         command = [\"./engine.sh\", \"weights\"]\n",
        book()
    );
    let engine = format!(
        "#!/bin/sh\n[ \"$(cat \"$1\")\" = weights ] || exit 1\nexec {:?} engine --game othello\n",
        env!("CARGO_BIN_EXE_leitai")
    );
    hub.sandbox.write("weights", "weights");
    let script = hub.sandbox.write("engine.sh", &engine);
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(script, mode).unwrap();
    hub.sandbox.write("p.toml", &config);
    let _worker = hub.worker(1);
    let led = hub.lead("run", "p.toml", "p.sqlite").output().unwrap();
    assert!(led.status.success(), "{}", stderr(&led));
    let text = String::from_utf8(led.stdout).unwrap();
    assert!(text.contains("6 games in 3 pairs"), "{text}");
    assert!(!text.contains("failed"), "{text}");
}

#[test]
fn unused_files_are_removed_and_sent_again_for_use() {
    let Some(hub) = Hub::start(1) else { return };
    let config = hub.sandbox.write("t.toml", &tournament(1, 20));
    let files = || {
        let status = hub.admin(&["status", "--json"]);
        let status: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap();
        status["file_bytes"].as_u64().unwrap()
    };
    for _ in 0..2 {
        let _ = fs::remove_file(hub.path("led.sqlite"));
        let _ = fs::remove_dir_all(hub.path("cache"));
        let _worker = hub.worker(1);
        let led = hub.lead("run", &config, "led.sqlite").output().unwrap();
        assert!(led.status.success(), "{}", stderr(&led));
        assert!(files() > 1_000);
        // The server's clock counts seconds here.
        std::thread::sleep(Duration::from_millis(1_100));
        let access = Access::read(Path::new(&hub.creds("coordinator"))).unwrap();
        let listener: Arc<dyn Listener> = Arc::new(NullListener);
        let options = Options {
            files_kept: Duration::ZERO,
            ..Options::default()
        };
        Coordinator::connect(&access, options, listener).unwrap();
        assert_eq!(files(), 0);
    }
}
