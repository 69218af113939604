//! The coordinator of runs: connects the workers of each run with the server.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use async_nats::Client;
use async_nats::jetstream::Context;
use tokio::runtime::Runtime;
use tokio::sync::mpsc::unbounded_channel;
use tokio::sync::watch;

use self::run_server::RunServer;
use super::access::Access;
use super::connect::{MAX_OUTAGE, connect, persist};
use super::files::Files;
use super::messages::{RunNote, RunOverview};
use super::pool::{FleetPool, RunTerms};
use super::storage::{Origin, Storage};
use super::streams::{
    FILES, RESULTS, WORK, WORKERS, context, ensure_queue, purge, replays, short, subjects,
};
use leitai_base::count::count;
use leitai_players::play::WorkerPool;
use leitai_runs::tournament::{PairReply, RemoteWorkers, RunDescription, WorkersUnreachable};
use leitai_session::{Failure, Listener};

mod run_server;

/// Options of a coordinator.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The share of units that a second worker repeats, from 0 to 1; for reproducible runs.
    pub replays: f64,
    /// A worker that has been silent for this long loses its units.
    pub lease: Duration,
    /// The time after which unused files on the server are removed.
    pub files_kept: Duration,
    /// The build of this program: its commit, or the digest of its file.
    pub build: &'static str,
    /// True if workers of other builds may play; their first pairs are repeated here.
    pub other_builds: bool,
}

impl Default for Options {
    /// 1 % replays, a lease of 30 seconds, files kept for two weeks, an unknown build.
    fn default() -> Self {
        Self {
            replays: 0.01,
            lease: Duration::from_secs(30),
            files_kept: Duration::from_hours(14 * 24),
            build: "",
            other_builds: false,
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
    storage: Arc<Storage>,
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
        let (client, context, storage) = runtime.block_on(async {
            let client = connect(access, &listener, |waited| waited < MAX_OUTAGE).await?;
            let context = context(&client, access);
            let storage = Storage::new(context.clone(), options.lease, &listener);
            persist(&client, async || storage.check().await).await?;
            let ensured = async || Ok(ensure_queue(&context, options.lease).await?);
            persist(&client, ensured).await?;
            let clean = async || clean(&context, options).await;
            persist(&client, clean).await?;
            Ok::<_, Failure>((client, context, storage))
        })?;
        Ok(Self {
            runtime,
            client,
            context,
            options,
            listener,
            storage: Arc::new(storage),
        })
    }

    /// Asks the server, and tolerates a temporary outage and lost streams.
    fn ask<T>(&self, ask: impl AsyncFn() -> Result<T, Failure>) -> Result<T, WorkersUnreachable> {
        let ask = async || {
            if let Ok(answer) = ask().await {
                return Ok(answer);
            }
            self.storage.check().await?;
            ask().await
        };
        let answer = self.runtime.block_on(persist(&self.client, ask));
        answer.map_err(unreachable)
    }

    async fn describe(&self, run: &RunDescription) -> Result<RunNote, Failure> {
        let description = serde_json::to_vec(run)?;
        let description = self.storage.store_text(description).await?;
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
            build: self.options.build.to_owned(),
            other_builds: self.options.other_builds,
            overview,
        };
        let subject = format!("run.{}", short(&meta.id));
        let files = Files::of(&self.context).await?;
        files.publish(subject, serde_json::to_vec(&note)?).await?;
        Ok(note)
    }

    /// Rejects workers because of a run: their results no longer count.
    async fn reject(&self, run: &str, workers: &[String]) -> Result<(), Failure> {
        self.storage.reject(workers, run).await?;
        for worker in workers {
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
        ensure_queue(context, options.lease).await?;
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
            let streams = self.storage.check().await?;
            let note = self.describe(run).await?;
            let held = waiting(&self.context, short(id)).await?;
            Ok((streams, note, held, self.storage.rejected().await?))
        });
        let (streams, note, held, rejected) = prepared?;
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
            build: self.options.build,
            other_builds: self.options.other_builds,
        };
        let warn = Box::new(move |text| listener.warn(text));
        let pool = Arc::new(FleetPool::new(terms, seed, (held, rejected), tasks, warn));
        let server = Arc::new(RunServer {
            context: self.context.clone(),
            client: self.client.clone(),
            pool: Arc::clone(&pool),
            lease: self.options.lease,
            note,
            storage: Arc::clone(&self.storage),
            streams: watch::Sender::new(streams),
            nonce: format!("{:08x}", seed as u32),
            listener: Arc::clone(&self.listener),
        });
        let work = [
            self.runtime.spawn(Arc::clone(&server).do_tasks(to_do)),
            self.runtime.spawn(Arc::clone(&server).read_results()),
            self.runtime.spawn(Arc::clone(&server).read_heartbeats()),
            self.runtime.spawn(Arc::clone(&server).keep()),
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
            for (sha256, path) in files {
                let origin = Origin::File(path.clone());
                self.storage.store(sha256.clone(), origin).await?;
            }
            Ok(())
        })
    }

    fn rejected(&self) -> Result<Vec<String>, WorkersUnreachable> {
        let rejected = self.ask(async || self.storage.rejected().await)?;
        Ok(rejected.into_iter().collect())
    }
}
