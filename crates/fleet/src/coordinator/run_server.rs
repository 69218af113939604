//! The tasks of a run on the server.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::Client;
use async_nats::connection::State;
use async_nats::jetstream::Context;
use async_nats::jetstream::consumer::{DeliverPolicy, pull};
use async_nats::jetstream::context::{PublishError, PublishErrorKind};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::publish::PublishAck;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch;
use tokio::time::sleep;

use super::waiting;
use crate::connect::unless_reconnected;
use crate::files::Files;
use crate::messages::{BUILD, Heartbeat, RunNote, UNIT};
use crate::pool::{Arrived, FleetPool, Task};
use crate::storage::{Storage, StreamTimes};
use crate::streams::{
    LONGEST_HEARTBEAT, RESULTS, RESULTS_AT_ONCE, ROOM, WORK, publish, purge, replays, short,
};
use crate::warnings::Warnings;
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

/// A run on the server.
pub(super) struct RunServer {
    pub(super) context: Context,
    pub(super) client: Client,
    pub(super) pool: Arc<FleetPool>,
    pub(super) lease: Duration,
    /// The note that leads workers to the run's description.
    pub(super) note: RunNote,
    pub(super) storage: Arc<Storage>,
    /// The streams that this run has used so far.
    pub(super) streams: watch::Sender<StreamTimes>,
    /// Distinguishes the units of this process from those of an earlier one.
    pub(super) nonce: String,
    pub(super) listener: Arc<dyn Listener>,
}

/// Waits until the stream of results is another one than `known`; returns its creation time.
async fn new_results(streams: &mut watch::Receiver<StreamTimes>, known: i128) -> i128 {
    let changed = streams.wait_for(|streams| streams.results != known);
    // At the end of the run, the sender is gone.
    changed.await.map_or(known, |streams| streams.results)
}

impl RunServer {
    /// The name of the run in subjects.
    fn run(&self) -> &str {
        short(&self.note.overview.run)
    }

    /// Executes the tasks in order.
    pub(super) async fn do_tasks(self: Arc<Self>, mut to_do: UnboundedReceiver<Task>) {
        let mut warnings = Warnings::new(&self.listener);
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
                    // Missing streams are created elsewhere.
                    if error.kind() != PublishErrorKind::StreamNotFound {
                        warnings.warn(|| {
                            format!(
                                "the server does not take units: {error}; the coordinator offers \
                                 them again\nhelp: {ROOM}"
                            )
                        });
                    }
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
                        Task::TakeBack(pair) | Task::Offer { pair, .. } => {
                            drop(failed.remove(pair));
                        }
                        Task::TakeAllBack => failed.clear(),
                        Task::Recorded(_) => {}
                    }
                }
                next.extend(std::mem::take(&mut failed).into_values());
                continue;
            }
            if let Some(task) = next.pop_front()
                && let Err(error) = self.change(&task).await
                && !matches!(task, Task::Recorded(_))
            {
                warnings.warn(|| format!("the server does not carry out a request: {error:#}"));
                next.push_front(task);
                sleep(RETRY_DELAY).await;
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

    /// Passes on all results of the run, from the first one that is kept; from the first one of a
    /// new stream if the server has lost the results.
    pub(super) async fn read_results(self: Arc<Self>) {
        let mut warnings = Warnings::new(&self.listener);
        let mut streams = self.streams.subscribe();
        let mut stream = streams.borrow().results;
        let mut last = 0;
        loop {
            tokio::select! {
                read = self.read_from(&mut last) => {
                    if let Err(error) = read {
                        warnings.warn(|| format!("results cannot be read for now: {error:#}"));
                    }
                    sleep(RETRY_DELAY).await;
                }
                new = new_results(&mut streams, stream) => {
                    stream = new;
                    last = 0;
                }
            }
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
            let header = |name| Some(headers?.get(name)?.as_str());
            self.pool.arrive(&Arrived {
                worker,
                unit: header(UNIT).unwrap_or_default(),
                build: header(BUILD).unwrap_or_default(),
                message: std::str::from_utf8(&message.payload).unwrap_or_default(),
                sequence,
            });
            *last = sequence;
        }
        Ok(())
    }

    /// Listens to heartbeats of workers.
    pub(super) async fn read_heartbeats(self: Arc<Self>) {
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
    /// the run has removed it at its end. With `marks_use`, marks a long run as current, and its
    /// files as used.
    async fn renew(&self, marks_use: bool) -> Result<(), Failure> {
        let files = Files::of(&self.context).await?;
        let subject = format!("run.{}", self.run());
        let mut note = self.note.clone();
        note.overview.done = self.pool.done();
        let note = serde_json::to_vec(&note)?;
        let last = files.last(&subject).await?;
        if marks_use || last.is_none() {
            self.storage.renew_files().await?;
        }
        if marks_use || last.as_ref() != Some(&note) {
            files.publish(subject, note).await?;
        }
        Ok(())
    }

    /// Looks for streams that the server has lost, and has their content sent again.
    async fn heal(&self) -> Result<(), Failure> {
        let found = self.storage.check().await?;
        let known = *self.streams.borrow();
        if found == known {
            return Ok(());
        }
        self.listener
            .info("the server has lost messages: the coordinator sends them again");
        // A worker needs the note to play a unit.
        self.renew(false).await?;
        if found.results != known.results {
            self.pool.forget_positions();
        }
        if found.work != known.work {
            self.pool.offer_again();
        }
        self.streams.send_replace(found);
        Ok(self.client.publish("ctl.heartbeat", "now".into()).await?)
    }

    /// Ends on `leitai fleet stop`.
    pub(super) async fn await_stop(self: Arc<Self>) {
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
    pub(super) async fn report_workers(self: Arc<Self>) {
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

    /// Checks for lost streams and units at intervals.
    pub(super) async fn keep(self: Arc<Self>) {
        let mut warnings = Warnings::new(&self.listener);
        let mut renewed = Instant::now();
        loop {
            sleep(self.lease / 4).await;
            let marks_use = renewed.elapsed() >= RENEW;
            let check = Box::pin(self.check(marks_use));
            match unless_reconnected(&self.client, check).await {
                Some(Ok(())) if marks_use => renewed = Instant::now(),
                Some(Err(error)) if self.client.connection_state() == State::Connected => {
                    warnings.warn(|| {
                        format!("the server does not keep the run's data: {error:#}\nhelp: {ROOM}")
                    });
                }
                _ => {}
            }
        }
    }

    async fn check(&self, marks_use: bool) -> Result<(), Failure> {
        self.heal().await?;
        self.renew(marks_use).await?;
        if self.pool.oldest().is_some_and(|age| age > self.lease) {
            let held = waiting(&self.context, self.run()).await?;
            let again = waiting(&self.context, &replays(self.run())).await?;
            self.pool.look_after(&held, &again);
        }
        Ok(())
    }
}
