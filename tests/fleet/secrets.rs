//! Files that other users could read or write are refused.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};

use super::hub::{Hub, tournament};
use crate::common::{Sandbox, leitai, run, stderr};

fn set_mode(path: &str, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

#[test]
fn credentials_that_others_can_read_or_write_are_refused() {
    let sandbox = Sandbox::new();
    let (folder, config) = (
        sandbox.path("hub"),
        sandbox.write("t.toml", &tournament(1, 20)),
    );
    let init = [
        "fleet",
        "init",
        &folder,
        "--host",
        "127.0.0.1",
        "--workers",
        "1",
    ];
    assert!(run(&init).status.success());
    let (worker, lead) = (
        format!("{folder}/worker-1.toml"),
        format!("{folder}/coordinator.toml"),
    );
    let store = sandbox.path("t.sqlite");
    for mode in [0o640, 0o604, 0o602] {
        set_mode(&worker, mode);
        set_mode(&lead, mode);
        for line in [
            &["worker", "--creds", &worker][..],
            &["run", &config, "--store", &store, "--fleet", &lead],
            &["fleet", "status", "--creds", &lead],
            &init,
        ] {
            let output = run(line);
            let said = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{line:?}: {said}");
            assert!(said.contains("can be read or written by others"), "{said}");
            assert!(said.contains("help: `chmod 600 "), "{said}");
        }
    }
    set_mode(&worker, 0o600);
    set_mode(&lead, 0o600);
    assert!(run(&init).status.success());
}

/// The error of a worker with this cache.
fn refusal(cache: &str) -> String {
    let line = ["worker", "--server", "nats://127.0.0.1:1", "--cache", cache];
    let output = run(&line);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    stderr(&output)
}

#[test]
fn a_cache_that_others_may_write_to_is_refused() {
    let sandbox = Sandbox::new();
    let cache = sandbox.path("cache");
    fs::create_dir(&cache).unwrap();
    let reason = "belongs to another user, or others may write to it";
    for mode in [0o777, 0o775, 0o757] {
        set_mode(&cache, mode);
        let said = refusal(&cache);
        assert!(said.contains(reason), "{said}");
        assert!(said.contains("help: `chmod -R go-w "), "{said}");
    }
    set_mode(&cache, 0o700);
    // Only the administrator can give a folder away.
    if fs::metadata(&cache).unwrap().uid() == 0 {
        chown(&cache, Some(65_534), None).unwrap();
        let said = refusal(&cache);
        assert!(said.contains(reason), "{said}");
    }
}

#[test]
fn a_worker_without_a_home_asks_for_a_cache() {
    let sandbox = Sandbox::new();
    let mut worker = leitai();
    worker.args(["worker", "--server", "nats://127.0.0.1:1"]);
    for name in ["HOME", "XDG_CACHE_HOME", "LOCALAPPDATA"] {
        worker.env_remove(name);
    }
    worker.env("TMPDIR", sandbox.path("."));
    let output = worker.output().unwrap();
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("help: `--cache FOLDER`"), "{said}");
    assert!(!std::path::Path::new(&sandbox.path("leitai")).exists());
}

#[test]
fn cached_files_that_others_may_write_to_are_not_used() {
    let Some(hub) = Hub::start(1) else { return };
    let config = hub.sandbox.write("t.toml", &tournament(1, 20));
    let play = |store: &str| {
        let mut worker = hub.worker_command(1);
        let log = fs::File::create(hub.path("worker-log")).unwrap();
        let worker = super::hub::Owned::start(worker.stderr(log));
        (
            worker,
            super::hub::Owned::start(&mut hub.lead("run", &config, store)),
        )
    };
    let (worker, mut leader) = play("one.sqlite");
    assert_eq!(leader.end(), Some(0));
    drop(worker);
    let cache = hub.path("cache");
    assert_eq!(
        fs::metadata(&cache).unwrap().permissions().mode() & 0o777,
        0o700
    );
    // Written by others since.
    for folder in fs::read_dir(&cache).unwrap() {
        set_mode(folder.unwrap().path().to_str().unwrap(), 0o777);
    }
    let (_worker, mut leader) = play("two.sqlite");
    crate::common::wait_for(&hub.path("worker-log"), "others may write to it", 1);
    assert!(leader.is_running());
}
