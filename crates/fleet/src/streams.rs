//! The streams of a fleet on its server.

use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::context::{PublishError, PublishErrorKind};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::publish::PublishAck;
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy};
use async_nats::jetstream::{self, Context, ErrorCode};
use futures_util::TryStreamExt;

use super::access::Access;
use super::connect::{FleetError, REQUEST_TIMEOUT, unless_reconnected};
use leitai_session::Failure;

/// Units to play.
pub(super) const WORK: &str = "WORK";
/// The workers' consumer of the queue.
pub(super) const WORKERS: &str = "workers";
/// Answers to units.
pub(super) const RESULTS: &str = "RESULTS";
/// Files, descriptions of runs, and workers that were rejected.
pub(super) const FILES: &str = "FILES";
/// The last heartbeats of workers.
pub(super) const HEARTBEATS: &str = "HEARTBEATS";

/// Interval of a worker's heartbeats.
pub(super) const HEARTBEAT: Duration = Duration::from_secs(10);
/// A worker with an older heartbeat counts as gone.
pub(super) const LONGEST_SILENCE: Duration = Duration::from_secs(35);

/// The time for which unrecorded results are kept.
const RESULTS_KEPT: Duration = Duration::from_hours(14 * 24);
/// The number of processes whose last heartbeat is kept, the most recent ones.
const HEARTBEATS_KEPT: i64 = 20_000;
/// The maximum number of workers that wait for units at once.
const MAX_WAITING: i64 = 100_000;
/// The maximum size of an answer in bytes: two games of some 25,000 plies.
const LONGEST_RESULT: i32 = 1 << 20;
/// The maximum number of results in transit to the coordinator: even the longest ones stay below
/// the 64 MiB that a server buffers for a connection.
pub(super) const RESULTS_AT_ONCE: i64 = 50;
/// The maximum size of a heartbeat in bytes.
pub(super) const LONGEST_HEARTBEAT: usize = 16 << 10;

/// The remedy for a server that stores nothing.
pub(super) const ROOM: &str = "check that the server runs and has free disk space (`leitai fleet \
                               status`, `max_file_store` of its config); if it still stores \
                               nothing with free space, restart it";

/// The stream API for these credentials.
pub(super) fn context(client: &Client, access: &Access) -> Context {
    let mut context = match &access.api {
        None => jetstream::new(client.clone()),
        Some(api) => jetstream::with_prefix(client.clone(), api),
    };
    context.set_timeout(REQUEST_TIMEOUT);
    context
}

/// The configs of the streams.
pub(super) fn stream_configs() -> [Config; 4] {
    let base = |name: &str, subjects: &[&str]| Config {
        name: name.to_owned(),
        subjects: subjects.iter().map(|&it| it.to_owned()).collect(),
        discard: DiscardPolicy::New,
        max_messages: -1,
        max_bytes: -1,
        max_messages_per_subject: -1,
        max_consumers: -1,
        num_replicas: 1,
        ..Config::default()
    };
    [
        Config {
            retention: RetentionPolicy::WorkQueue,
            duplicate_window: Duration::from_mins(2),
            ..base(WORK, &["work.>"])
        },
        Config {
            max_age: RESULTS_KEPT,
            max_message_size: LONGEST_RESULT,
            ..base(RESULTS, &["res.>"])
        },
        Config {
            max_messages_per_subject: 1,
            discard: DiscardPolicy::Old,
            allow_direct: true,
            ..base(FILES, &["file.>", "run.*", "rejected.*"])
        },
        Config {
            max_messages_per_subject: 1,
            discard: DiscardPolicy::Old,
            max_age: LONGEST_SILENCE,
            max_message_size: LONGEST_HEARTBEAT as i32,
            max_messages: HEARTBEATS_KEPT,
            ..base(HEARTBEATS, &["heartbeat.*.*"])
        },
    ]
}

/// Creates the queue of the workers, or updates it: a unit goes to another worker if its worker has
/// been silent for `lease`.
pub(super) async fn ensure_queue(context: &Context, lease: Duration) -> Result<(), FleetError> {
    let workers = pull::Config {
        durable_name: Some(WORKERS.to_owned()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: lease,
        max_deliver: -1,
        max_ack_pending: -1,
        max_waiting: MAX_WAITING,
        max_batch: 1,
        ..pull::Config::default()
    };
    let made = context.create_consumer_on_stream(workers, WORK).await;
    made.map_err(|error| {
        FleetError::refused(
            "the queue of the workers",
            error,
            "use the coordinator's credentials",
        )
    })?;
    Ok(())
}

/// Sends a message and waits until a stream has stored it.
pub(super) async fn publish(
    context: &Context,
    subject: String,
    message: PublishMessage,
) -> Result<PublishAck, PublishError> {
    let stored = context.send_publish(subject, message).await?;
    let client = context.client();
    let stored = unless_reconnected(&client, stored.into_future()).await;
    stored.unwrap_or_else(|| Err(PublishError::new(PublishErrorKind::TimedOut)))
}

/// Removes the messages of a stream under the subjects of `filter`; returns their number.
pub(super) async fn purge(context: &Context, stream: &str, filter: String) -> Result<u64, Failure> {
    let stream = context.get_stream_no_info(stream).await?;
    Ok(stream.purge().filter(filter).await?.purged)
}

/// Returns whether the requested object does not exist, as before the first run.
pub(super) fn is_not_found(reason: &jetstream::Error) -> bool {
    [ErrorCode::STREAM_NOT_FOUND, ErrorCode::CONSUMER_NOT_FOUND].contains(&reason.error_code())
}

/// The subjects with messages in a stream.
pub(super) async fn subjects(
    context: &Context,
    stream: &str,
    filter: &str,
) -> Result<Vec<String>, Failure> {
    let stream = context.get_stream_no_info(stream).await?;
    let found = stream.info_with_subjects(filter).await?;
    let found: Vec<(String, usize)> = found.try_collect().await?;
    Ok(found.into_iter().map(|(subject, _)| subject).collect())
}

/// The number of letters of a run's identity in subjects.
const SHORT: usize = 32;

/// The name of a run in subjects: the first half of its identity.
pub(super) fn short(run: &str) -> &str {
    run.get(..SHORT).unwrap_or(run)
}

/// The name of a run in subjects of units that a second worker repeats.
pub(super) fn replays(run: &str) -> String {
    format!("{}-again", short(run))
}

/// The run and the coordinator's process in the subject of a unit.
pub(super) fn origin_of(subject: &str) -> Option<(String, String)> {
    let (process, _) = subject.split('.').nth(3)?.split_once('-')?;
    Some((run_of(subject)?.to_owned(), process.to_owned()))
}

/// The run in the subject of a unit, by its name in subjects.
pub(super) fn run_of(subject: &str) -> Option<&str> {
    subject.split('.').nth(1)?.get(..SHORT)
}
