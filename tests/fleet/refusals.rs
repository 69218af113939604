//! Impossible requests are refused with a reason.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::process::Stdio;
use std::thread;

use super::hub::{Hub, Owned, tournament};
use crate::common::{Sandbox, leitai, run, stderr, stdout};

/// The message of a refused worker.
fn refused(line: &[&str]) -> String {
    let output = run(line);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    stderr(&output)
}

#[test]
fn a_server_that_is_too_old_is_refused() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let old = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let info = "INFO {\"server_id\":\"x\",\"version\":\"2.9.10\",\"go\":\"go1.19\",\
                    \"host\":\"127.0.0.1\",\"port\":1,\"max_payload\":1048576,\"proto\":1,\
                    \"headers\":true}\r\n";
        stream.write_all(info.as_bytes()).unwrap();
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
        while let Some(Ok(line)) = lines.next() {
            if line.starts_with("PING") {
                stream.write_all(b"PONG\r\n").unwrap();
            }
        }
    });
    let said = refused(&["worker", "--server", &format!("nats://{address}")]);
    assert!(said.contains("nats-server 2.9.10"), "{said}");
    assert!(said.contains("help: use 2.14.3 or later"), "{said}");
    old.join().unwrap();
}

#[test]
fn key_files_are_not_overwritten_by_reports() {
    let sandbox = Sandbox::new();
    let folder = sandbox.path("fleet");
    let words = ["fleet", "init", &folder, "--host", "127.0.0.1"];
    let said = refused(&[&words[..], &["--json"]].concat());
    assert!(said.contains("there are no workers"), "{said}");
    let init = |json: &str| run(&[&words[..], &["--workers", "1", json]].concat());
    assert!(init("--json").status.success());
    let key = format!("{folder}/coordinator.toml");
    let before = fs::read(&key).unwrap();
    for name in ["coordinator.toml", "server.conf", "new.json"] {
        let said = refused(&["fleet", "init", &folder, &format!("--json={folder}/{name}")]);
        assert!(
            said.contains("the folder of a fleet holds its keys"),
            "{said}"
        );
    }
    assert!(fs::read(&key).unwrap() == before);
    let told = sandbox.path("told.json");
    assert!(init(&format!("--json={told}")).status.success());
    assert!(fs::read_to_string(told).unwrap().contains("coordinator"));
}

#[test]
fn no_worker_connects_without_a_key_or_server() {
    let Some(hub) = Hub::start(1) else { return };
    let creds = fs::read_to_string(hub.creds("worker-1")).unwrap();
    let server = creds
        .lines()
        .find_map(|line| line.strip_prefix("server = "));
    let server = server.unwrap().trim_matches('"').to_owned();
    let said = refused(&["worker", "--server", &server]);
    assert!(said.contains("the server does not know this key"), "{said}");

    // A key of another fleet.
    let Some(other) = Hub::start(1) else { return };
    let said = refused(&[
        "worker",
        "--server",
        &server,
        "--creds",
        &other.creds("worker-1"),
    ]);
    assert!(said.contains("the server does not know this key"), "{said}");

    let said = refused(&["fleet", "status", "--server", "nats://127.0.0.1:1"]);
    assert!(
        said.contains("no connection to nats://127.0.0.1:1"),
        "{said}"
    );
    let said = refused(&["worker", "--server", "http://127.0.0.1"]);
    assert!(said.contains("is not the address of a server"), "{said}");
    let file = hub.sandbox.write("bad.toml", "server = 7\n");
    let said = refused(&["worker", "--creds", &file]);
    assert!(said.contains("bad.toml"), "{said}");
}

#[test]
fn a_worker_leads_nothing() {
    let Some(hub) = Hub::start(1) else { return };
    let config = hub.sandbox.write("t.toml", &tournament(2, 20));
    let output = leitai()
        .args(["run", &config, "--store", &hub.path("t.sqlite"), "--quiet"])
        .args(["--fleet", &hub.creds("worker-1")])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("use the coordinator's credentials"), "{said}");
}

#[test]
fn a_removed_worker_cannot_come_any_more_and_others_can() {
    let Some(mut hub) = Hub::start(2) else { return };
    let before = fs::read_to_string(hub.creds("worker-1")).unwrap();
    let config = hub.sandbox.write("t.toml", &tournament(1, 20));
    let mut there = hub.worker(2);
    let led = hub.lead("run", &config, "t.sqlite").output().unwrap();
    assert!(led.status.success(), "{}", stderr(&led));
    let removed = hub.path("removed.toml");
    fs::rename(hub.creds("worker-2"), &removed).unwrap();
    // Ends the processes in progress; host and port stay.
    let mut init_again = |words: &[&str]| {
        let folder = hub.path("hub");
        let output = run(&[&["fleet", "init", &folder], words].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        hub.kill_server();
        hub.start_server();
        stdout(&output)
    };
    init_again(&[]);
    assert_eq!(there.end(), Some(2));
    // The other workers keep their keys; the certificate is new.
    let said = init_again(&["--tls"]);
    assert!(
        said.contains("copy all files of credentials to the workers again"),
        "{said}"
    );
    let key = |text: &str| {
        text.lines()
            .find(|line| line.starts_with("seed"))
            .map(str::to_owned)
    };
    let after = fs::read_to_string(hub.creds("worker-1")).unwrap();
    assert_eq!(key(&before), key(&after));
    let creds = fs::read_to_string(&removed).unwrap();
    let server = |text: &str| {
        text.lines()
            .find(|it| it.starts_with("server"))
            .unwrap()
            .to_owned()
    };
    fs::write(&removed, creds.replace(&server(&creds), &server(&after))).unwrap();
    let said = refused(&["worker", "--creds", &removed]);
    assert!(said.contains("help:"), "{said}");
    // With TLS, and a worker that connected before.
    let _worker = hub.worker(1);
    let led = hub.lead("run", &config, "tls.sqlite").output().unwrap();
    assert!(led.status.success(), "{}", stderr(&led));
}

#[test]
fn a_server_without_room_is_reported_and_retried() {
    let Some(hub) = Hub::start_with(1, &[]) else {
        return;
    };
    let config = hub.path("hub/server.conf");
    let text = fs::read_to_string(&config).unwrap();
    assert!(text.contains("max_file_store: 1GB"), "{text}");
    let mut hub = hub;
    hub.kill_server();
    // Space for the streams, and for a few results.
    fs::write(
        &config,
        text.replace("max_file_store: 1GB", "max_file_store: 96KB"),
    )
    .unwrap();
    hub.start_server();
    let tournament = hub.sandbox.write("t.toml", &tournament(60, 20));
    let mut lead = hub.lead("run", &tournament, "t.sqlite");
    let log = fs::File::create(hub.path("log")).unwrap();
    let _leader = Owned::start(lead.stderr(Stdio::from(log)));
    let worker_log = fs::File::create(hub.path("worker-log")).unwrap();
    let mut worker = hub.worker_command(1);
    let _worker = Owned::start(worker.stderr(Stdio::from(worker_log)));
    let begun = std::time::Instant::now();
    loop {
        let said = ["log", "worker-log"].map(|it| fs::read_to_string(hub.path(it)).unwrap());
        if said.concat().contains("(`leitai fleet status`") {
            break;
        }
        assert!(begun.elapsed() < super::hub::PATIENCE, "{said:?}");
        thread::sleep(std::time::Duration::from_millis(50));
    }
}
