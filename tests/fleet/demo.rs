//! A killed demo leaves nothing.

use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use super::hub::{Owned, PATIENCE, has_server, tournament};
use crate::common::{Sandbox, leitai};

/// The processes with this text in their environment.
fn processes(text: &str) -> Vec<String> {
    let ids = fs::read_dir("/proc").unwrap().flatten();
    let paths = ids.map(|entry| entry.path()).filter(|path| {
        let environment = fs::read(path.join("environ")).unwrap_or_default();
        String::from_utf8_lossy(&environment).contains(text)
    });
    let line = |path: &Path| fs::read_to_string(path.join("cmdline")).unwrap_or_default();
    paths.map(|path| line(&path).replace('\0', " ")).collect()
}

/// Waits until there is a match.
fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "not within a minute: {what}");
        thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_killed_demo_leaves_no_process_and_no_folder() {
    if !has_server() {
        return;
    }
    // The moments of the kill: at once, or when a process has this argument, or there is this file.
    let moments = [
        ("", false),
        ("demo-server", false),
        ("server.conf", true),
        ("nats-server -c", false),
        ("jetstream", true),
        ("worker --tethered", false),
        ("led.sqlite", true),
    ];
    for (number, (moment, is_file)) in moments.into_iter().enumerate() {
        for whole_group in [false, true] {
            let sandbox = Sandbox::new();
            let config = sandbox.write("t.toml", &tournament(1_000, 3_000));
            let temporary = sandbox.path("tmp");
            fs::create_dir(&temporary).unwrap();
            let mut demo = leitai();
            demo.args(["fleet", "demo", &config, "--workers", "2", "--store"]);
            demo.arg(sandbox.path("led.sqlite"));
            demo.env("TMPDIR", &temporary).process_group(0);
            let mut demo = Owned::start(demo.stderr(Stdio::null()));
            let folder = format!("{temporary}/leitai-fleet-{}", demo.0.id());
            let files = [format!("{folder}/{moment}"), sandbox.path(moment)];
            wait_for(moment, || {
                let is_there = is_file && files.iter().any(|it| Path::new(it).exists());
                is_there || !is_file && processes(&temporary).iter().any(|it| it.contains(moment))
            });
            if whole_group {
                let group = Pid::from_child(&demo.0);
                kill_process_group(group, Signal::KILL).unwrap();
            }
            demo.kill();
            let begun = Instant::now();
            loop {
                let running = processes(&temporary);
                let left = fs::read_dir(&temporary).unwrap().count();
                if running.is_empty() && left == 0 {
                    break;
                }
                assert!(
                    begun.elapsed() < PATIENCE,
                    "killed at {number}: {running:?}, {left} folders"
                );
                thread::sleep(Duration::from_millis(20));
            }
        }
    }
}
