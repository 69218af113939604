//! The queue of units, as a worker sees it.

use std::sync::atomic::Ordering;

use async_nats::jetstream::Context;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::stream::ConsumerErrorKind;
use tokio::time::sleep;

use super::{RETRY_DELAY, Worker};
use crate::connect::FleetError;
use crate::streams::{WORK, WORKERS, is_not_found};
use leitai_players::play::Cancel;
use leitai_session::{Failure, Listener};

/// The queue of units; waits for the first coordinator. `None` if cancelled meanwhile.
pub(super) async fn find_queue(
    context: &Context,
    cancel: &Cancel,
    listener: &dyn Listener,
) -> Result<Option<PullConsumer>, Failure> {
    let mut is_reported = false;
    let mut looks = 0;
    loop {
        looks = (looks + 5).min(100);
        let found = context.get_consumer_from_stream(WORKERS, WORK).await;
        let error = match found {
            Ok(queue) => return Ok(Some(queue)),
            Err(error) => error,
        };
        let kind = error.kind();
        let is_missing = matches!(&kind, ConsumerErrorKind::JetStream(it) if is_not_found(it));
        // After a timeout, the connection was lost, and the request with it.
        if !is_missing && kind != ConsumerErrorKind::TimedOut {
            let refused = "access to the queue of units";
            let help = "check that the credentials are a worker's of this server, and that it has \
                        `jetstream`";
            return Err(FleetError::refused(refused, error, help).into());
        }
        if is_missing && !is_reported {
            is_reported = true;
            listener.info("no coordinator has started a run on this server yet: waiting");
        }
        for _ in 0..looks {
            if cancel.is_draining() {
                return Ok(None);
            }
            sleep(RETRY_DELAY / 50).await;
        }
    }
}

/// The silence in milliseconds after which another worker gets a unit.
pub(super) fn millis_of_lease(queue: &PullConsumer) -> u64 {
    queue.cached_info().config.ack_wait.as_millis() as u64
}

impl Worker<'_> {
    /// Reads the lease of the queue, which another coordinator may have changed.
    pub(super) async fn read_lease(&self) {
        if let Ok(queue) = self.context.get_consumer_from_stream(WORKERS, WORK).await {
            self.lease_ms
                .store(millis_of_lease(&queue), Ordering::SeqCst);
        }
    }
}
