//! The coordinator of runs: connects the workers of each run with the server.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::fs::File;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use async_nats::Client;
use async_nats::jetstream::Context;
use async_nats::jetstream::consumer::{DeliverPolicy, pull};
use async_nats::jetstream::context::{PublishError, PublishErrorKind};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::publish::PublishAck;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::runtime::Runtime;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::sleep;

use super::access::Access;
use super::connect::{MAX_OUTAGE, connect, persist};
use super::files::{Files, digest};
use super::messages::{Heartbeat, RunNote, RunOverview, UNIT};
use super::pool::{Arrived, FleetPool, RunTerms, Task};
use super::streams::{
    FILES, LONGEST_HEARTBEAT, RESULTS, RESULTS_AT_ONCE, WORK, WORKERS, context, ensure, publish,
    purge, replays, short, subjects,
};
use leitai_base::count::count;
use leitai_base::foreign::shown_path;
use leitai_base::threads::lock;
use leitai_players::play::WorkerPool;
use leitai_runs::tournament::{PairReply, RemoteWorkers, RunDescription, WorkersUnreachable};
use leitai_session::{Event, Failure, Listener};

/// The maximum number of units that are being sent to the server.
const MAX_UNDERWAY: usize = 1_024;
/// Delay before a failed request is repeated.
const RETRY_DELAY: Duration = Duration::from_secs(1);
/// Minimum interval between reports of the workers.
const WORKERS_INTERVAL: Duration = Duration::from_secs(2);
/// The number of checks without a worker before a warning.
const ALONE: u32 = 3;
/// Interval at which files are marked as used.
const RENEW: Duration = Duration::from_hours(6);
/// Minimum interval between reports of errors.
const WARNINGS_INTERVAL: Duration = Duration::from_mins(1);

/// Options of a coordinator.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The share of units that a second worker repeats, from 0 to 1; for reproducible runs.
    pub replays: f64,
    /// A worker that has been silent for this long loses its units.
    pub lease: Duration,
    /// The time after which unused files on the server are removed.
    pub files_kept: Duration,
}

impl Default for Options {
    /// 1 % replays, a lease of 30 seconds, files kept for two weeks.
    fn default() -> Self {
        Self {
            replays: 0.01,
            lease: Duration::from_secs(30),
            files_kept: Duration::from_hours(14 * 24),
        }
    }
}

/// A coordinator's connection to a fleet.
pub struct Coordinator {
    runtime: Runtime,
    client: Client,
    context: Context,
    options: Options,
    listener: Arc<dyn Listener>,
    /// The files of its runs.
    needed: Mutex<BTreeSet<String>>,
}

impl fmt::Debug for Coordinator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Coordinator").finish_non_exhaustive()
    }
}

impl Coordinator {
    /// Connects, and creates the streams of a fleet.
    ///
    /// # Errors
    /// There is no connection, the server is too old, or it refuses.
    pub fn connect(
        access: &Access,
        options: Options,
        listener: Arc<dyn Listener>,
    ) -> Result<Self, Failure> {
        let runtime = runtime()?;
        let (client, context) = runtime.block_on(async {
            let client = connect(access, &listener, |waited| waited < MAX_OUTAGE).await?;
            let context = context(&client, access);
            let ensured = async || Ok(ensure(&context, options.lease).await?);
            persist(&client, ensured).await?;
            let clean = async || clean(&context, options).await;
            persist(&client, clean).await?;
            Ok::<_, Failure>((client, context))
        })?;
        Ok(Self {
            runtime,
            client,
            context,
            options,
            listener,
            needed: Mutex::default(),
        })
    }

    /// Asks the server, and tolerates a temporary outage.
    fn ask<T>(&self, ask: impl AsyncFn() -> Result<T, Failure>) -> Result<T, WorkersUnreachable> {
        let answer = self.runtime.block_on(persist(&self.client, ask));
        answer.map_err(unreachable)
    }

    async fn describe(&self, run: &RunDescription) -> Result<RunNote, Failure> {
        let text = serde_json::to_vec(run)?;
        let description = digest(&text);
        let files = Files::of(&self.context).await?;
        files.put(&description, text.as_slice()).await?;
        lock(&self.needed).insert(description.clone());
        let meta = &run.meta;
        let overview = RunOverview {
            run: meta.id.clone(),
            name: meta.source_name.clone(),
            game: meta.game.clone(),
            pairs: meta.pairs,
            done: 0,
        };
        let note = RunNote {
            description,
            overview,
        };
        let subject = format!("run.{}", short(&meta.id));
        files.publish(subject, serde_json::to_vec(&note)?).await?;
        Ok(note)
    }

    /// Rejects workers because of a run: their results no longer count.
    async fn reject(&self, run: &str, workers: &[String]) -> Result<(), Failure> {
        let files = Files::of(&self.context).await?;
        for worker in workers {
            let subject = format!("rejected.{worker}");
            files.publish(subject, run.to_owned().into()).await?;
            let subject = format!("ctl.worker.{worker}");
            self.client.publish(subject, "rejected".into()).await?;
            purge(&self.context, RESULTS, format!("res.*.{worker}")).await?;
        }
        Ok(())
    }

    /// Stops all workers of a run.
    async fn end(&self, run: &str) -> Result<(), Failure> {
        let short = short(run);
        for run in [short.to_owned(), replays(run)] {
            purge(&self.context, WORK, format!("work.{run}.>")).await?;
        }
        let control = format!("ctl.run.{short}");
        self.client.publish(control, "stop".into()).await?;
        purge(&self.context, FILES, format!("run.{short}")).await?;
        self.client.flush().await?;
        Ok(())
    }
}

/// The threads that communicate with the server.
pub(super) fn runtime() -> Result<Runtime, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_name("nats")
        .enable_all()
        .build();
    runtime.context("the system starts no more threads")
}

/// The pairs of a run's units that no worker has taken off the queue; `run` is the name in
/// subjects.
async fn waiting(context: &Context, run: &str) -> Result<BTreeSet<u64>, Failure> {
    let subjects = subjects(context, WORK, &format!("work.{run}.>")).await?;
    let pair = |subject: &String| subject.split('.').nth(2)?.parse().ok();
    Ok(subjects.iter().filter_map(pair).collect())
}

/// Removes files that were unused for long. If there is no current run, also removes the units and
/// results of earlier ones, and the requests for units, since the server keeps those of workers
/// that are gone.
async fn clean(context: &Context, options: Options) -> Result<(), Failure> {
    let files = Files::of(context).await?;
    files.remove_unused(options.files_kept).await?;
    if subjects(context, FILES, "run.*").await?.is_empty() {
        for name in [WORK, RESULTS] {
            context.get_stream_no_info(name).await?.purge().await?;
        }
        // A repeated call may find it gone.
        let _ = context.delete_consumer_from_stream(WORKERS, WORK).await;
        ensure(context, options.lease).await?;
    }
    Ok(())
}

fn unreachable(error: impl Into<Failure>) -> WorkersUnreachable {
    WorkersUnreachable(format!("{:#}", error.into()))
}

impl RemoteWorkers for Coordinator {
    fn direct(
        &self,
        run: &RunDescription,
        lead: &mut dyn FnMut(&dyn WorkerPool<PairReply>),
    ) -> Result<(), WorkersUnreachable> {
        let id = &run.meta.id;
        let prepared = self.ask(async || {
            let note = self.describe(run).await?;
            let held = waiting(&self.context, short(id)).await?;
            let files = Files::of(&self.context).await?;
            Ok((note, held, files.rejected_workers().await?))
        });
        let (note, held, rejected) = prepared?;
        let (tasks, to_do) = unbounded_channel();
        let listener = Arc::clone(&self.listener);
        let mut random = [0; 8];
        getrandom::fill(&mut random).map_err(unreachable)?;
        let seed = u64::from_le_bytes(random);
        let terms = RunTerms {
            run: id.clone(),
            reproducible: run.meta.reproducible,
            replays: self.options.replays,
            lease: self.options.lease,
        };
        let warn = Box::new(move |text| listener.warn(text));
        let pool = Arc::new(FleetPool::new(terms, seed, (held, rejected), tasks, warn));
        let server = Arc::new(RunServer {
            context: self.context.clone(),
            client: self.client.clone(),
            pool: Arc::clone(&pool),
            lease: self.options.lease,
            note,
            files: lock(&self.needed).clone(),
            nonce: format!("{:08x}", seed as u32),
            listener: Arc::clone(&self.listener),
        });
        let work = [
            self.runtime.spawn(Arc::clone(&server).do_tasks(to_do)),
            self.runtime.spawn(Arc::clone(&server).read_results()),
            self.runtime.spawn(Arc::clone(&server).read_heartbeats()),
            self.runtime.spawn(Arc::clone(&server).check_units()),
            self.runtime.spawn(Arc::clone(&server).await_stop()),
            self.runtime.spawn(Arc::clone(&server).report_workers()),
        ];
        lead(&*pool);
        for task in &work {
            task.abort();
        }
        let unchecked = pool.unchecked() as u64;
        if unchecked > 0 {
            let pairs = count(unchecked, "pair", "pairs");
            self.listener.warn(format!(
                "{pairs} without the second worker's result that should confirm the first"
            ));
        }
        let rejected = pool.newly_rejected();
        self.ask(async || self.reject(id, &rejected).await)?;
        if let Err(error) = self.runtime.block_on(self.end(id)) {
            let text = format!("workers may continue to play for a while: {error:#}");
            self.listener.warn(text);
        }
        Ok(())
    }

    fn provide_files(&self, files: &[(String, PathBuf)]) -> Result<(), WorkersUnreachable> {
        self.ask(async || {
            let kept = Files::of(&self.context).await?;
            for (sha256, path) in files {
                let file = File::open(path);
                let file = file.with_context(|| format!("cannot read {}", shown_path(path)))?;
                kept.put(sha256, file).await?;
                lock(&self.needed).insert(sha256.clone());
            }
            Ok(())
        })
    }

    fn rejected(&self) -> Result<Vec<String>, WorkersUnreachable> {
        let rejected = async || Files::of(&self.context).await?.rejected_workers().await;
        Ok(self.ask(rejected)?.into_iter().collect())
    }
}

/// A run on the server.
struct RunServer {
    context: Context,
    client: Client,
    pool: Arc<FleetPool>,
    lease: Duration,
    /// The note that leads workers to the run's description.
    note: RunNote,
    /// The files that workers need.
    files: BTreeSet<String>,
    /// Distinguishes the units of this process from those of an earlier one.
    nonce: String,
    listener: Arc<dyn Listener>,
}

/// Reports errors at a limited rate.
struct Warnings {
    listener: Arc<dyn Listener>,
    last: Option<Instant>,
}

impl Warnings {
    fn warn(&mut self, text: impl FnOnce() -> String) {
        if self
            .last
            .is_none_or(|last| last.elapsed() >= WARNINGS_INTERVAL)
        {
            self.last = Some(Instant::now());
            self.listener.warn(text());
        }
    }
}

impl RunServer {
    fn warnings(&self) -> Warnings {
        Warnings {
            listener: Arc::clone(&self.listener),
            last: None,
        }
    }

    /// The name of the run in subjects.
    fn run(&self) -> &str {
        short(&self.note.overview.run)
    }

    /// Executes the tasks in order.
    async fn do_tasks(self: Arc<Self>, mut to_do: UnboundedReceiver<Task>) {
        let mut warnings = self.warnings();
        let mut underway = FuturesUnordered::new();
        // Offers that the server refused, to be repeated.
        let mut failed: BTreeMap<u64, Task> = BTreeMap::new();
        let mut next: VecDeque<Task> = VecDeque::new();
        loop {
            if next.is_empty() && underway.is_empty() && failed.is_empty() {
                match to_do.recv().await {
                    Some(task) => next.push_back(task),
                    None => return,
                }
            }
            while let Ok(task) = to_do.try_recv() {
                next.push_back(task);
            }
            while underway.len() < MAX_UNDERWAY && matches!(next.front(), Some(Task::Offer { .. }))
            {
                if let Some(task) = next.pop_front() {
                    underway.push(self.offer(task));
                }
            }
            if let Some((task, offered)) = underway.next().await {
                if let Err(error) = offered {
                    if error.kind() == PublishErrorKind::StreamNotFound {
                        let _ = ensure(&self.context, self.lease).await;
                    }
                    warnings.warn(|| {
                        format!(
                            "the server does not take units: {error}; the coordinator offers them again\n\
                             help: check that it runs and has free disk space (`leitai fleet status`)"
                        )
                    });
                    if let Task::Offer { pair, .. } = &task {
                        failed.insert(*pair, task);
                    }
                }
                continue;
            }
            if !failed.is_empty() {
                sleep(RETRY_DELAY).await;
                // Do not repeat offers that were withdrawn meanwhile.
                while let Ok(task) = to_do.try_recv() {
                    next.push_back(task);
                }
                for task in &next {
                    match task {
                        Task::TakeBack(pair) => drop(failed.remove(pair)),
                        Task::TakeAllBack => failed.clear(),
                        _ => {}
                    }
                }
                next.extend(std::mem::take(&mut failed).into_values());
                continue;
            }
            if let Some(task) = next.pop_front()
                && let Err(error) = self.change(&task).await
            {
                warnings.warn(|| format!("the server does not carry out a request: {error:#}"));
                if !matches!(task, Task::Recorded(_)) {
                    next.push_front(task);
                    sleep(RETRY_DELAY).await;
                }
            }
        }
    }

    /// Offers a unit; returns the task with its outcome.
    async fn offer(&self, task: Task) -> (Task, Result<PublishAck, PublishError>) {
        let Task::Offer {
            pair,
            attempt,
            message,
            is_replay,
        } = &task
        else {
            return (task, Err(PublishError::new(PublishErrorKind::Other)));
        };
        let nonce = &self.nonce;
        let run = if *is_replay {
            replays(self.run())
        } else {
            self.run().to_owned()
        };
        let subject = format!("work.{run}.{pair}.{nonce}-{attempt}");
        // The server would discard a second offer with the same number as a duplicate.
        let number = format!("{run}:{pair}:{nonce}:{attempt}");
        let message = PublishMessage::build()
            .payload(message.clone().into())
            .message_id(number);
        let stored = publish(&self.context, subject, message).await;
        (task, stored)
    }

    async fn change(&self, task: &Task) -> Result<(), Failure> {
        let run = self.run();
        match task {
            Task::Offer { .. } => {}
            Task::TakeBack(pair) => {
                purge(&self.context, WORK, format!("work.{run}.{pair}.*")).await?;
            }
            Task::TakeAllBack => {
                purge(&self.context, WORK, format!("work.{run}.>")).await?;
            }
            Task::Recorded(sequence) => {
                let stream = self.context.get_stream_no_info(RESULTS).await?;
                let recorded = stream.purge().filter(format!("res.{run}.*"));
                recorded.sequence(sequence + 1).await?;
            }
        }
        Ok(())
    }

    /// Passes on all results of the run, from the first one that is kept.
    async fn read_results(self: Arc<Self>) {
        let mut warnings = self.warnings();
        let mut last = 0;
        loop {
            let read = self.read_from(&mut last).await;
            if let Err(error) = read {
                warnings.warn(|| format!("results cannot be read for now: {error:#}"));
            }
            sleep(RETRY_DELAY).await;
        }
    }

    async fn read_from(&self, last: &mut u64) -> Result<(), Failure> {
        let stream = self.context.get_stream_no_info(RESULTS).await?;
        let consumer = stream.create_consumer(pull::OrderedConfig {
            filter_subject: format!("res.{}.*", self.run()),
            deliver_policy: DeliverPolicy::ByStartSequence {
                start_sequence: *last + 1,
            },
            max_batch: RESULTS_AT_ONCE,
            ..pull::OrderedConfig::default()
        });
        let mut messages = consumer.await?.messages().await?;
        while let Some(message) = messages.next().await {
            let message = message?;
            let info = message.info().map_err(|error| anyhow::anyhow!(error))?;
            let sequence = info.stream_sequence;
            let worker = message.subject.rsplit('.').next().unwrap_or_default();
            let headers = message.headers.as_ref();
            let unit = headers.and_then(|headers| headers.get(UNIT));
            self.pool.arrive(&Arrived {
                worker,
                unit: unit.map_or("", |unit| unit.as_str()),
                message: std::str::from_utf8(&message.payload).unwrap_or_default(),
                sequence,
            });
            *last = sequence;
        }
        Ok(())
    }

    /// Listens to heartbeats of workers.
    async fn read_heartbeats(self: Arc<Self>) {
        loop {
            let Ok(mut heartbeats) = self.client.subscribe("heartbeat.*.*").await else {
                sleep(RETRY_DELAY).await;
                continue;
            };
            // Ask connected workers for a heartbeat at once.
            let _ = self.client.publish("ctl.heartbeat", "now".into()).await;
            while let Some(message) = heartbeats.next().await {
                let mut words = message.subject.split('.').skip(1);
                if let (Some(worker), Some(instance)) = (words.next(), words.next())
                    && message.payload.len() <= LONGEST_HEARTBEAT
                    && let Ok(heartbeat) = serde_json::from_slice::<Heartbeat>(&message.payload)
                {
                    self.pool.heartbeat(worker, instance, heartbeat);
                }
            }
        }
    }

    /// Publishes the progress of the run. Restores the note for workers if another coordinator of
    /// the run has removed it at its end. With `marks_files`, marks a long run as current, and its
    /// files as used.
    async fn renew(&self, marks_files: bool) -> Result<(), Failure> {
        let files = Files::of(&self.context).await?;
        let subject = format!("run.{}", self.run());
        let mut note = self.note.clone();
        note.overview.done = self.pool.done();
        let note = serde_json::to_vec(&note)?;
        if marks_files || files.last(&subject).await?.as_ref() != Some(&note) {
            files.publish(subject, note).await?;
        }
        for sha256 in self.files.iter().filter(|_| marks_files) {
            files.renew(sha256).await?;
        }
        Ok(())
    }

    /// Ends on `leitai fleet stop`.
    async fn await_stop(self: Arc<Self>) {
        let subject = format!("ctl.run.{}", self.run());
        loop {
            let Ok(mut controls) = self.client.subscribe(subject.clone()).await else {
                sleep(RETRY_DELAY).await;
                continue;
            };
            while let Some(message) = controls.next().await {
                if &*message.payload == b"end" {
                    self.pool.end();
                }
            }
        }
    }

    /// Reports the workers when they change.
    async fn report_workers(self: Arc<Self>) {
        let mut reported = Vec::new();
        let mut alone = 0;
        loop {
            sleep(WORKERS_INTERVAL).await;
            let workers = self.pool.workers();
            let takes_part = workers.iter().any(|worker| worker.takes_part);
            alone = if takes_part { 0 } else { alone + 1 };
            if alone == ALONE {
                self.listener.warn(
                    "no worker takes part: pairs wait\n\
                     help: start `leitai worker --creds worker-1.toml`; `leitai fleet workers` lists \
                     the connected workers",
                );
            }
            if workers != reported {
                reported.clone_from(&workers);
                self.listener.notify(&Event::Workers { workers });
            }
        }
    }

    /// Checks for lost units at intervals.
    async fn check_units(self: Arc<Self>) {
        let mut renewed = Instant::now();
        loop {
            if renewed.elapsed() >= RENEW {
                renewed = Instant::now();
                let _ = self.renew(true).await;
            }
            sleep(self.lease / 4).await;
            let _ = self.renew(false).await;
            if self.pool.oldest().is_some_and(|age| age > self.lease)
                && let Ok(held) = waiting(&self.context, self.run()).await
                && let Ok(again) = waiting(&self.context, &replays(self.run())).await
            {
                self.pool.look_after(&held, &again);
            }
        }
    }
}
