//! The permissions of a worker, and the handling of a worker that lies.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Stdio;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use leitai_fleet::async_nats::jetstream::consumer::pull;
use leitai_fleet::async_nats::jetstream::message::PublishMessage;
use leitai_fleet::async_nats::jetstream::stream::Stream;
use leitai_fleet::async_nats::jetstream::{self, Context, Message};
use leitai_fleet::async_nats::{Client, ConnectOptions};
use leitai_players::schedule::hexadecimal;
use leitai_runs::store::{Mode, Store};
use leitai_runs::tournament::reply_message;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::runtime::Runtime;

use super::hub::{Hub, Owned, PATIENCE, assert_same, tournament};
use crate::common::stderr;

/// An attacker with the credentials of a worker.
pub(crate) struct Rogue {
    runtime: Runtime,
    client: Client,
    context: Context,
    name: String,
}

impl Rogue {
    pub(crate) fn come(hub: &Hub, name: &str) -> Self {
        let creds = std::fs::read_to_string(hub.creds(name)).unwrap();
        let value = |key: &str| {
            let line = creds
                .lines()
                .find_map(|line| line.strip_prefix(&format!("{key} = ")));
            line.unwrap().trim_matches('"').to_owned()
        };
        let runtime = Runtime::new().unwrap();
        let options =
            ConnectOptions::with_nkey(value("seed")).custom_inbox_prefix(format!("_INBOX_{name}"));
        let client = runtime.block_on(options.connect(value("server"))).unwrap();
        let entered = runtime.enter();
        let api = if name == "coordinator" {
            "$JS.API".to_owned()
        } else {
            value("api")
        };
        let mut context = jetstream::with_prefix(client.clone(), &api);
        drop(entered);
        context.set_timeout(Duration::from_secs(5));
        Self {
            runtime,
            client,
            context,
            name: name.to_owned(),
        }
    }

    pub(crate) fn stream(&self, name: &str) -> Option<Stream> {
        self.runtime.block_on(self.context.get_stream(name)).ok()
    }

    pub(crate) fn delete(&self, name: &str) {
        let deleted = self.runtime.block_on(self.context.delete_stream(name));
        deleted.unwrap();
    }

    /// Removes all messages of a stream, as far as the server can.
    pub(crate) fn purge(&self, name: &str) {
        let stream = self.stream(name).unwrap();
        let _ = self
            .runtime
            .block_on(async { stream.purge().await.map(drop) });
    }

    pub(crate) fn delete_consumer(&self) {
        let deleted = self.context.delete_consumer_from_stream("workers", "WORK");
        // At the end of a run there may be none.
        let _ = self.runtime.block_on(deleted);
    }

    pub(crate) fn has_consumer(&self) -> bool {
        let found = self
            .context
            .get_consumer_from_stream::<pull::Config, _, _>("workers", "WORK");
        self.runtime.block_on(found).is_ok()
    }

    /// All messages that the attacker receives from now on: subjects and contents.
    fn subscribe_to_all(&self) -> Receiver<(String, Vec<u8>)> {
        let (to, heard) = channel();
        let mut messages = self.runtime.block_on(self.client.subscribe(">")).unwrap();
        self.runtime.block_on(self.client.flush()).unwrap();
        self.runtime.spawn(async move {
            while let Some(message) = messages.next().await {
                let _ = to.send((message.subject.to_string(), message.payload.to_vec()));
            }
        });
        heard
    }

    /// Waits until the server has processed the subscription.
    fn receive_own_message(&self, heard: &Receiver<(String, Vec<u8>)>) {
        self.runtime.block_on(async {
            let sent = self.client.publish("echo", "".into()).await;
            sent.unwrap();
            self.client.flush().await.unwrap();
        });
        while heard.recv_timeout(PATIENCE).unwrap().0 != "echo" {}
    }

    /// The numbers of units, results and files on the server.
    fn kept(&self) -> [u64; 3] {
        ["WORK", "RESULTS", "FILES"].map(|name| {
            let stream = self.runtime.block_on(self.context.get_stream(name));
            stream.unwrap().cached_info().state.messages
        })
    }

    /// The next unit, as a worker receives it.
    fn unit(&self) -> Option<Message> {
        self.runtime.block_on(async {
            let queue = self
                .context
                .get_consumer_from_stream::<pull::Config, _, _>("workers", "WORK");
            let queue = queue.await.ok()?;
            let fetch = queue
                .batch()
                .max_messages(1)
                .expires(Duration::from_millis(500));
            let mut messages = fetch.messages().await.ok()?;
            messages.next().await?.ok()
        })
    }

    fn acknowledge(&self, unit: &Message) {
        self.runtime.block_on(unit.double_ack()).unwrap();
    }

    /// The note of the coordinator of a run.
    fn note(&self, run: &str) -> Option<Value> {
        self.runtime.block_on(async {
            let files = self.context.get_stream_no_info("FILES").await.ok()?;
            let subject = format!("run.{}", &run[..32]);
            let note = files.direct_get_last_for_subject(subject).await.ok()?;
            serde_json::from_slice(&note.payload).ok()
        })
    }

    /// Sends an answer to a unit with this content, as a worker of the coordinator's build.
    fn send(&self, run: &str, unit: &[u8], answer: &Value) {
        let note = self.note(run).unwrap();
        self.send_of_build(note["build"].as_str().unwrap(), run, unit, answer);
    }

    fn send_of_build(&self, build: &str, run: &str, unit: &[u8], answer: &Value) {
        let digest = Sha256::digest(unit);
        let key = hexadecimal(&digest[..8]);
        let message = PublishMessage::build()
            .payload(answer.to_string().into())
            .header("Leitai-Unit", key)
            .header("Leitai-Build", build);
        let subject = format!("res.{}.{}", &run[..32], self.name);
        self.runtime.block_on(async {
            let sent = self.context.send_publish(subject, message).await.unwrap();
            sent.await.unwrap();
        });
    }
}

/// A tournament played by a single process, so that all answers are known.
struct Known {
    hub: Hub,
    config: String,
    run: String,
    answers: Vec<Value>,
}

impl Known {
    fn play(pairs: u32, nodes: u32) -> Option<Self> {
        let hub = Hub::start(3)?;
        let config = hub.sandbox.write("t.toml", &tournament(pairs, nodes));
        hub.play_alone(&config);
        let store = Store::open(Path::new(&hub.path("alone.sqlite")), Mode::Read).unwrap();
        let run = store.run("latest").unwrap();
        let rows = store.pairs(&run.handle).map(|row| {
            let text = reply_message(run.handle.id(), &Ok(row.unwrap())).unwrap();
            serde_json::from_str(&text).unwrap()
        });
        let answers = rows.collect();
        Some(Self {
            hub,
            config,
            run: run.handle.id().to_owned(),
            answers,
        })
    }

    /// Coordinates the run with these arguments and a log file.
    fn lead(&self, words: &[&str]) -> Owned {
        let mut lead = self.hub.lead("run", &self.config, "led.sqlite");
        let log = std::fs::File::create(self.hub.path("log")).unwrap();
        Owned::start(lead.args(words).stderr(Stdio::from(log)))
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.hub.path("log")).unwrap()
    }

    /// Lets the attacker take this number of units and treat each with `act`.
    fn mislead(&self, rogue: &Rogue, units: u32, mut act: impl FnMut(&Message, &Value)) {
        let begun = Instant::now();
        let mut had = 0;
        while had < units {
            assert!(begun.elapsed() < PATIENCE, "no unit comes: {}", self.log());
            let Some(unit) = rogue.unit() else { continue };
            let said: Value = serde_json::from_slice(&unit.payload).unwrap();
            let pair = said["pair"].as_u64().unwrap() as usize;
            act(&unit, &self.answers[pair]);
            had += 1;
        }
    }

    /// Checks that the run ends like that of a single process.
    fn ends_the_same(&self, leader: &mut Owned) {
        assert_eq!(leader.end(), Some(0), "{}", self.log());
        let (led, alone) = (self.hub.path("led.sqlite"), self.hub.path("alone.sqlite"));
        assert_same(&led, &alone, &self.log());
    }

    fn is_rejected(&self, name: &str) -> bool {
        let workers = self.hub.admin(&["workers", "--json"]);
        let workers: Value = serde_json::from_slice(&workers.stdout).unwrap();
        let mut workers = workers.as_array().unwrap().iter();
        workers.any(|it| it["name"] == name && it["rejected"] == true)
    }
}

#[test]
fn a_worker_may_do_nothing_but_its_work() {
    let Some(known) = Known::play(1, 20) else {
        return;
    };
    let _leader = known.lead(&[]);
    let rogue = Rogue::come(&known.hub, "worker-1");
    known.mislead(&rogue, 1, |_, _| {});
    let run = &known.run[..32];
    let lead = Rogue::come(&known.hub, "coordinator");
    let kept = lead.kept();
    let other = Rogue::come(&known.hub, "worker-2");
    let (heard, overheard) = (lead.subscribe_to_all(), other.subscribe_to_all());
    lead.receive_own_message(&heard);

    let allowed = [
        "leitai.API.CONSUMER.INFO.WORK.workers".to_owned(),
        "leitai.API.CONSUMER.MSG.NEXT.WORK.workers".to_owned(),
        "leitai.API.DIRECT.GET.FILES.x".to_owned(),
        "$JS.ACK.WORK.workers.1.999999.1.1.1".to_owned(),
        "heartbeat.worker-1.x".to_owned(),
        format!("res.{run}.worker-1"),
    ];
    let forbidden = [
        format!("res.{run}.worker-2"),
        format!("work.{run}.0.0"),
        format!("ctl.run.{run}"),
        format!("run.{run}"),
        "ctl.drain".to_owned(),
        "ctl.worker.worker-2".to_owned(),
        "file.x.0".to_owned(),
        "rejected.worker-2".to_owned(),
        "heartbeat.worker-2.x".to_owned(),
        "$JS.API.CONSUMER.CREATE.RESULTS.mine".to_owned(),
        "$JS.API.CONSUMER.CREATE.WORK.mine".to_owned(),
        "$JS.API.CONSUMER.DELETE.WORK.workers".to_owned(),
        "$JS.API.CONSUMER.PAUSE.WORK.workers".to_owned(),
        "$JS.API.STREAM.INFO.RESULTS".to_owned(),
        "$JS.API.STREAM.PURGE.WORK".to_owned(),
        "$JS.API.STREAM.PURGE.RESULTS".to_owned(),
        "$JS.API.STREAM.DELETE.FILES".to_owned(),
        "$JS.API.STREAM.MSG.GET.RESULTS".to_owned(),
        "$JS.API.STREAM.MSG.DELETE.FILES".to_owned(),
        format!("$JS.API.DIRECT.GET.RESULTS.res.{run}.worker-2"),
        "_INBOX_coordinator.x".to_owned(),
        "$SYS.REQ.SERVER.PING".to_owned(),
    ];
    let api = forbidden.iter().filter_map(|it| it.strip_prefix("$JS.API"));
    let imported: Vec<String> = api.map(|it| format!("leitai.API{it}")).collect();
    rogue.runtime.block_on(async {
        let client = &rogue.client;
        for subject in forbidden.iter().chain(&imported) {
            let sent = client.publish(subject.clone(), "drain".into()).await;
            sent.unwrap();
            // The server must not send its answers there either.
            for question in &allowed {
                let (question, reply) = (question.clone(), subject.clone());
                let sent = client.publish_with_reply(question, reply, "{}".into());
                sent.await.unwrap();
            }
        }
        client.flush().await.unwrap();
    });
    // A permitted message of the attacker arrives after all of those.
    rogue.runtime.block_on(async {
        let sent = rogue.context.publish(allowed[5].clone(), "last".into());
        sent.await.unwrap().await.unwrap();
        let sent = rogue.client.publish(allowed[4].clone(), "last".into());
        sent.await.unwrap();
        rogue.client.flush().await.unwrap();
    });
    let mut subjects = BTreeSet::new();
    loop {
        let (subject, payload) = heard.recv_timeout(PATIENCE).unwrap();
        if subject == allowed[4] && payload == b"last" {
            break;
        }
        subjects.insert(subject);
    }
    let forbidden: BTreeSet<String> = forbidden.into_iter().collect();
    let reached: Vec<&String> = subjects.intersection(&forbidden).collect();
    assert!(reached.is_empty(), "{reached:?}");
    assert!(subjects.contains(&allowed[4]), "{subjects:?}");
    let foreign: Vec<_> = overheard.try_iter().collect();
    assert!(
        foreign
            .iter()
            .all(|(subject, _)| subject.starts_with("ctl.")),
        "{foreign:?}"
    );
    let grown = lead.kept();
    assert!(grown[0] >= kept[0], "units: {kept:?} {grown:?}");
    assert_eq!(
        grown[1],
        kept[1] + (forbidden.len() + imported.len()) as u64 + 1,
        "results"
    );
    assert_eq!(grown[2], kept[2], "files");
    // The attacker cannot inspect streams that it may not request.
    for name in ["RESULTS", "FILES", "HEARTBEATS"] {
        let info = rogue.runtime.block_on(rogue.context.get_stream(name));
        assert!(info.is_err(), "{name}");
    }
}

#[test]
fn a_forger_is_rejected_and_its_pairs_are_replayed() {
    let Some(known) = Known::play(20, 60) else {
        return;
    };
    let mut leader = known.lead(&["--replay", "1"]);
    let rogue = Rogue::come(&known.hub, "worker-1");
    // All moves are legal, but not those of a search with this node limit.
    known.mislead(&rogue, 5, |unit, answer| {
        let mut answer = answer.clone();
        let nodes = &mut answer["reply"]["Ok"]["record"]["games"][0]["plies"][0][3];
        *nodes = json!(nodes.as_u64().unwrap() + 1);
        rogue.send(&known.run, &unit.payload, &answer);
        rogue.acknowledge(unit);
    });
    let _honest = [known.hub.worker(2), known.hub.worker(3)];
    known.ends_the_same(&mut leader);
    let log = known.log();
    assert!(
        log.contains("the games of worker `worker-1` do not replay"),
        "{log}"
    );
    assert!(!log.contains("`worker-2`"), "{log}");
    assert!(known.is_rejected("worker-1") && !known.is_rejected("worker-2"));
    // It cannot return until an administrator admits it.
    let mut again = known.hub.worker_command(1);
    let output = again.args(["--idle-exit", "1s"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("--readmit worker-1"),
        "{}",
        stderr(&output)
    );
    let readmitted = known.hub.admin(&["workers", "--readmit", "worker-1"]);
    assert!(readmitted.status.success(), "{}", stderr(&readmitted));
    let output = again.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

/// The attacker knows which units are replays, and keeps them from others.
#[test]
fn a_liar_that_holds_the_replays_is_rejected_all_the_same() {
    let Some(known) = Known::play(10, 60) else {
        return;
    };
    let mut leader = known.lead(&["--replay", "1"]);
    let rogue = Rogue::come(&known.hub, "worker-1");
    // Another worker must be present: this one takes part, and gets nothing.
    let other = Rogue::come(&known.hub, "worker-2");
    let there = json!({
        "leitai": "0", "host": "x", "process": 1, "threads": 1, "playing": 0, "played": 0
    });
    let mut held = Vec::new();
    known.mislead(&rogue, 45, |unit, answer| {
        other.runtime.block_on(async {
            let beat = there.to_string().into();
            let sent = other.client.publish("heartbeat.worker-2.x", beat).await;
            sent.unwrap();
            other.client.flush().await.unwrap();
        });
        if unit.subject.contains("-again.") {
            held.push(unit.clone());
            return;
        }
        let mut answer = answer.clone();
        let nodes = &mut answer["reply"]["Ok"]["record"]["games"][0]["plies"][0][3];
        *nodes = json!(nodes.as_u64().unwrap() + 1);
        rogue.send(&known.run, &unit.payload, &answer);
        rogue.acknowledge(unit);
    });
    assert!(!held.is_empty());
    let _honest = [known.hub.worker(2), known.hub.worker(3)];
    known.ends_the_same(&mut leader);
    assert!(known.is_rejected("worker-1"), "{}", known.log());
}

#[test]
fn answers_of_another_build_do_not_count_or_are_repeated_first() {
    let Some(known) = Known::play(10, 40) else {
        return;
    };
    for words in [&["--replay", "0"][..], &["--replay", "0", "--other-builds"]] {
        let mut leader = known.lead(words);
        let rogue = Rogue::come(&known.hub, "worker-1");
        known.mislead(&rogue, 5, |unit, answer| {
            let mut answer = answer.clone();
            let nodes = &mut answer["reply"]["Ok"]["record"]["games"][0]["plies"][0][3];
            *nodes = json!(nodes.as_u64().unwrap() + 1);
            rogue.send_of_build("0123456789", &known.run, &unit.payload, &answer);
            rogue.acknowledge(unit);
        });
        let honest = known.hub.worker(2);
        known.ends_the_same(&mut leader);
        let is_let_in = words.len() == 3;
        assert_eq!(known.is_rejected("worker-1"), is_let_in, "{}", known.log());
        assert_eq!(known.log().contains("results of another build"), !is_let_in);
        drop(honest);
        std::fs::remove_file(known.hub.path("led.sqlite")).unwrap();
    }
}

#[test]
fn forbidden_plays_are_seen_at_once() {
    let Some(known) = Known::play(4, 40) else {
        return;
    };
    let forge: [fn(&mut Value); 4] = [
        // Moves of another game.
        |answer| answer["reply"]["Ok"]["record"]["games"][0]["plies"][0][0] = json!(65_000),
        // Other players.
        |answer| answer["reply"]["Ok"]["record"]["games"][0]["first"] = json!(2),
        // The digest of other moves.
        |answer| answer["reply"]["Ok"]["record"]["hashes"][1] = json!(0x0123_4567_89ab_cdef_u64),
        // A failure that does not stop a run.
        |answer| {
            let row = &answer["reply"]["Ok"];
            let fault = json!({ "attempt": 1, "game": 0, "variant": 0, "cause": "crash" });
            let stop = json!({
                "pair": row["record"]["index"], "opening": row["opening"], "fault": fault, "late": null
            });
            *answer = json!({ "run": answer["run"], "reply": { "Err": stop } });
        },
    ];
    for forge in forge {
        let mut leader = known.lead(&["--replay", "0"]);
        let rogue = Rogue::come(&known.hub, "worker-1");
        known.mislead(&rogue, 1, |unit, answer| {
            let mut answer = answer.clone();
            forge(&mut answer);
            rogue.send(&known.run, &unit.payload, &answer);
            rogue.acknowledge(unit);
        });
        let honest = known.hub.worker(2);
        known.ends_the_same(&mut leader);
        assert!(known.is_rejected("worker-1"), "{}", known.log());
        drop(honest);
        known.hub.admin(&["workers", "--readmit", "worker-1"]);
        std::fs::remove_file(known.hub.path("led.sqlite")).unwrap();
    }
}

#[test]
fn correct_results_count_once() {
    let Some(known) = Known::play(8, 40) else {
        return;
    };
    let mut leader = known.lead(&[]);
    let rogue = Rogue::come(&known.hub, "worker-1");
    // Sends each answer twice, and another that was not requested. It never acknowledges a unit, so
    // that others receive it too.
    known.mislead(&rogue, 4, |unit, answer| {
        rogue.send(&known.run, &unit.payload, answer);
        rogue.send(&known.run, &unit.payload, answer);
        let other = &known.answers[known.answers.len() - 1];
        let text = json!({ "run": known.run, "pair": other["reply"]["Ok"]["record"]["index"] });
        let text = serde_json::to_string(&text).unwrap();
        rogue.send(&known.run, text.as_bytes(), other);
    });
    let _honest = known.hub.worker(2);
    known.ends_the_same(&mut leader);
    assert!(!known.is_rejected("worker-1"), "{}", known.log());
}

#[test]
fn units_that_are_taken_off_without_an_answer_are_offered_again() {
    let Some(known) = Known::play(3, 40) else {
        return;
    };
    let mut leader = known.lead(&[]);
    let rogue = Rogue::come(&known.hub, "worker-1");
    known.mislead(&rogue, 4, |unit, _| rogue.acknowledge(unit));
    let _honest = known.hub.worker(2);
    known.ends_the_same(&mut leader);
}

#[test]
fn a_worker_of_another_build_reports_the_difference() {
    let Some(known) = Known::play(2, 20) else {
        return;
    };
    let mut leader = known.lead(&[]);
    let begun = Instant::now();
    // A description of the same run by another build, as its coordinator would send it.
    let lead = Rogue::come(&known.hub, "coordinator");
    let note = loop {
        if let Some(note) = lead.note(&known.run) {
            break note;
        }
        assert!(begun.elapsed() < PATIENCE, "nobody leads: {}", known.log());
    };
    let file = |sha256: &str, part: &str| format!("file.{sha256}.{part}");
    let description = note["description"].as_str().unwrap().to_owned();
    let text = lead.runtime.block_on(async {
        let files = lead.context.get_stream("FILES").await.unwrap();
        let piece = files
            .direct_get_last_for_subject(file(&description, "0"))
            .await;
        String::from_utf8(piece.unwrap().payload.to_vec()).unwrap()
    });
    leader.kill();
    lead.runtime.block_on(async {
        let work = lead.context.get_stream("WORK").await.unwrap();
        work.purge().await.unwrap();
    });
    let own = env!("CARGO_PKG_VERSION");
    let cases = [
        (
            text.replace(&format!("\"version\":\"{own}\""), "\"version\":\"0.0.9\""),
            format!("leitai 0.0.9 plays the run, this is {own}"),
        ),
        (
            text.replace("nodes = 20", "nodes = 21"),
            "the config resolves differently here: `limits.nodes` is 21, and was 20".to_owned(),
        ),
        (
            // The identity of a run with another search.
            text.replace(
                &known.run,
                &known.run.replace(|it: char| it.is_ascii_digit(), "0"),
            ),
            "played differently here".to_owned(),
        ),
    ];
    for (number, (other, expected)) in cases.into_iter().enumerate() {
        assert_ne!(other, text, "{expected}");
        let described: Value = serde_json::from_str(&other).unwrap();
        let run = described["meta"]["id"].as_str().unwrap().to_owned();
        let digest = Sha256::digest(&other);
        let sha256 = hexadecimal(&digest);
        let mut note = note.clone();
        note["description"] = json!(sha256);
        note["run"] = json!(run);
        let whole = json!({ "pieces": 1, "bytes": other.len() }).to_string();
        let short = run[..32].to_owned();
        let unit = json!({ "run": run, "pair": 0 }).to_string();
        lead.runtime.block_on(async {
            for (subject, payload) in [
                (file(&sha256, "0"), other.clone()),
                (file(&sha256, "whole"), whole),
                (format!("run.{short}"), note.to_string()),
                (format!("work.{short}.0.test-{number}"), unit),
            ] {
                let sent = lead.context.publish(subject, payload.into()).await;
                sent.unwrap().await.unwrap();
            }
        });
        let log = known.hub.path("worker-log");
        let mut worker = known.hub.worker_command(3);
        let file = std::fs::File::create(&log).unwrap();
        let mut worker = Owned::start(worker.stderr(Stdio::from(file)));
        let begun = Instant::now();
        while !std::fs::read_to_string(&log).unwrap().contains(&expected) {
            let said = std::fs::read_to_string(&log).unwrap();
            assert!(begun.elapsed() < PATIENCE, "{expected}: {said}");
            std::thread::sleep(Duration::from_millis(20));
        }
        worker.kill();
        lead.runtime.block_on(async {
            let work = lead.context.get_stream("WORK").await.unwrap();
            work.purge()
                .filter(format!("work.{short}.0.test-{number}"))
                .await
                .unwrap();
        });
    }
}
