//! The streams of a fleet during a run: lost ones are created again, with the files of the run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::Context as _;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::context::{CreateStreamError, CreateStreamErrorKind};
use async_nats::jetstream::stream::{Config, ConsumerErrorKind, PurgeErrorKind};
use async_nats::jetstream::{Context, ErrorCode};

use super::connect::FleetError;
use super::files::{Files, digest};
use super::streams::{FILES, WORK, WORKERS, ensure_queue, is_not_found, stream_configs};
use super::warnings::Warnings;
use leitai_base::foreign::{shown, shown_path};
use leitai_base::threads::lock;
use leitai_session::{Failure, Listener};

/// The creation times of the streams, in nanoseconds. A stream with another time has lost its
/// messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct StreamTimes {
    pub(super) work: i128,
    pub(super) results: i128,
    pub(super) files: i128,
    pub(super) heartbeats: i128,
}

/// The origin of a file on the server.
#[derive(Clone, Debug)]
pub(super) enum Origin {
    /// A file of this machine.
    File(PathBuf),
    /// The description of a run.
    Text(Vec<u8>),
}

/// The streams, and the files that the runs of this process need.
pub(super) struct Storage {
    context: Context,
    lease: Duration,
    /// The needed files by SHA-256.
    needed: Mutex<BTreeMap<String, Origin>>,
    /// The rejected workers, with the run that is the reason.
    rejected: Mutex<BTreeMap<String, String>>,
    warnings: Mutex<Warnings>,
    /// The streams at the last check.
    known: tokio::sync::Mutex<StreamTimes>,
    /// The last sequence of an idle queue at the last check, if its stream holds units.
    stuck: Mutex<Option<u64>>,
}

impl Storage {
    pub(super) fn new(context: Context, lease: Duration, listener: &Arc<dyn Listener>) -> Self {
        Self {
            context,
            lease,
            needed: Mutex::default(),
            rejected: Mutex::default(),
            warnings: Mutex::new(Warnings::new(listener)),
            known: tokio::sync::Mutex::default(),
            stuck: Mutex::default(),
        }
    }

    /// Stores a file, now and whenever the server has lost it.
    pub(super) async fn store(&self, sha256: String, origin: Origin) -> Result<(), Failure> {
        put(&Files::of(&self.context).await?, &sha256, &origin).await?;
        lock(&self.needed).insert(sha256, origin);
        Ok(())
    }

    /// Stores the description of a run; returns its SHA-256.
    pub(super) async fn store_text(&self, text: Vec<u8>) -> Result<String, Failure> {
        let sha256 = digest(&text);
        self.store(sha256.clone(), Origin::Text(text)).await?;
        Ok(sha256)
    }

    /// Marks the files as used, and stores missing ones.
    pub(super) async fn renew_files(&self) -> Result<(), Failure> {
        let files = Files::of(&self.context).await?;
        let needed = lock(&self.needed).clone();
        for (sha256, origin) in &needed {
            put(&files, sha256, origin).await?;
        }
        Ok(())
    }

    /// The workers whose results are refused.
    pub(super) async fn rejected(&self) -> Result<BTreeSet<String>, Failure> {
        let rejected = Files::of(&self.context).await?.rejections().await?;
        lock(&self.rejected).clone_from(&rejected);
        Ok(rejected.into_keys().collect())
    }

    /// Rejects workers because of a run.
    pub(super) async fn reject(&self, workers: &[String], run: &str) -> Result<(), Failure> {
        let named = workers
            .iter()
            .map(|worker| (worker.clone(), run.to_owned()));
        let named: BTreeMap<String, String> = named.collect();
        self.store_rejections(&named).await?;
        lock(&self.rejected).extend(named);
        Ok(())
    }

    async fn store_rejections(&self, rejected: &BTreeMap<String, String>) -> Result<(), Failure> {
        let files = Files::of(&self.context).await?;
        for (worker, run) in rejected {
            let subject = format!("rejected.{worker}");
            files.publish(subject, run.clone().into_bytes()).await?;
        }
        Ok(())
    }

    /// Creates streams that are missing or cannot be written, and stores the files again if theirs
    /// is new.
    pub(super) async fn check(&self) -> Result<StreamTimes, Failure> {
        let mut known = self.known.lock().await;
        let mut times = [0; 4];
        for (config, time) in stream_configs().into_iter().zip(&mut times) {
            *time = self.keep(config).await?;
        }
        let queue = self.context.get_consumer_from_stream(WORKERS, WORK).await;
        match queue {
            Ok(queue) => self.free_units(&queue).await?,
            Err(error) => match error.kind() {
                ConsumerErrorKind::JetStream(reason) if is_not_found(&reason) => {
                    ensure_queue(&self.context, self.lease).await?;
                }
                _ => return Err(error.into()),
            },
        }
        let [work, results, files, heartbeats] = times;
        let found = StreamTimes {
            work,
            results,
            files,
            heartbeats,
        };
        if known.files != found.files {
            self.renew_files().await?;
            let rejected = lock(&self.rejected).clone();
            self.store_rejections(&rejected).await?;
        }
        *known = found;
        Ok(found)
    }

    /// Creates the queue again if it skips units in two checks: a killed server may have stored that
    /// it handed out a unit, and lost to which request.
    async fn free_units(&self, queue: &PullConsumer) -> Result<(), Failure> {
        let info = queue.cached_info();
        let is_idle = info.num_pending == 0 && info.num_ack_pending == 0;
        let work = self.context.get_stream(WORK).await?;
        let holds_units = work.cached_info().state.messages > 0;
        let stuck = (is_idle && holds_units).then_some(info.delivered.consumer_sequence);
        let before = std::mem::replace(&mut *lock(&self.stuck), stuck);
        if stuck.is_some() && before == stuck {
            self.context
                .delete_consumer_from_stream(WORKERS, WORK)
                .await?;
            ensure_queue(&self.context, self.lease).await?;
        }
        Ok(())
    }

    /// Creates a stream, unless there is one that can be written; returns its creation time.
    async fn keep(&self, config: Config) -> Result<i128, Failure> {
        let updated = self.context.create_or_update_stream(config.clone()).await;
        let problem = match updated {
            Ok(stream) => match self.write_error(&config.name).await? {
                None => return Ok(stream.created.unix_timestamp_nanos()),
                Some(problem) => problem,
            },
            Err(error) => match error.kind() {
                // Without its folder, which the server loses if it deletes a stream while it
                // creates one of that name, or if another program removes it.
                CreateStreamErrorKind::JetStream(reason)
                    if reason.error_code() == ErrorCode::STREAM_UPDATE
                        && !reason.to_string().contains("space") =>
                {
                    reason.to_string()
                }
                _ => return Err(refused(&config.name, error)),
            },
        };
        lock(&self.warnings).warn(|| {
            format!(
                "the server cannot write its stream {}: {}; the coordinator creates it again\n\
                 help: free disk space there",
                config.name,
                shown(&problem)
            )
        });
        if config.name == FILES
            && let Ok(rejected) = Files::of(&self.context).await?.rejections().await
        {
            lock(&self.rejected).extend(rejected);
        }
        self.context.delete_stream(&config.name).await?;
        let name = config.name.clone();
        let created = self.context.create_stream(config).await;
        let created = created.map_err(|error| refused(&name, error))?;
        Ok(created.cached_info().created.unix_timestamp_nanos())
    }

    /// The earlier error of a stream that refuses all messages: nats-server 2.15 does so after one
    /// that a full disk did not take, until it restarts or the stream is another one.
    async fn write_error(&self, name: &str) -> Result<Option<String>, Failure> {
        let stream = self.context.get_stream_no_info(name).await?;
        // There is no such subject.
        let Err(error) = stream.purge().filter("none").await else {
            return Ok(None);
        };
        match error.kind() {
            PurgeErrorKind::JetStream(reason)
                if reason.error_code() == ErrorCode::STREAM_GENERALOR =>
            {
                Ok(Some(reason.to_string()))
            }
            _ => Err(error.into()),
        }
    }
}

fn refused(name: &str, error: CreateStreamError) -> Failure {
    let help = "use the coordinator's credentials, and a server with `jetstream` and free disk space \
                (`max_file_store`)";
    FleetError::refused(format!("the stream {name}"), error, help).into()
}

async fn put(files: &Files, sha256: &str, origin: &Origin) -> Result<(), Failure> {
    match origin {
        Origin::Text(text) => files.put(sha256, text.as_slice()).await,
        Origin::File(path) => {
            let file = File::open(path);
            let file = file.with_context(|| format!("cannot read {}", shown_path(path)))?;
            files.put(sha256, file).await
        }
    }
}
