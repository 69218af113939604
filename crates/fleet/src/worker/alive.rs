//! Control messages and heartbeats of a worker.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use async_nats::connection::State;
use futures_util::StreamExt as _;
use tokio::time::{sleep, timeout};

use super::{Leave, POLL_INTERVAL, PreparedRun, Worker};
use crate::connect::{FleetError, connect};
use crate::messages::Heartbeat;
use crate::streams::HEARTBEAT;
use leitai_base::foreign::shown;
use leitai_base::threads::lock;
use leitai_platform::machine::host_name;
use leitai_session::{Listener, NullListener};

impl Worker<'_> {
    /// Handles broadcasts until the worker leaves.
    pub(super) async fn handle_controls(&self, mut controls: async_nats::Subscriber) {
        let own = format!("ctl.worker.{}", self.name());
        while !self.is_leaving() {
            let Ok(Some(message)) = timeout(POLL_INTERVAL * 4, controls.next()).await else {
                continue;
            };
            let subject = message.subject.as_str();
            match (subject, &*message.payload) {
                ("ctl.heartbeat", b"now") => self.send_heartbeat().await,
                ("ctl.drain", b"drain") => self.leave(Leave::Drained),
                (subject, b"drain") if subject == own => self.leave(Leave::Drained),
                (subject, b"rejected") if subject == own => self.leave(Leave::Rejected),
                (subject, b"stop") => {
                    if let Some(run) = subject.strip_prefix("ctl.run.") {
                        self.forget(run);
                    }
                }
                _ => {}
            }
        }
    }

    /// Ends the games of a run.
    fn forget(&self, run: &str) {
        if let Some(PreparedRun { run: Ok(run), .. }) = lock(&self.runs).remove(run) {
            run.cancel.store(true, Ordering::SeqCst);
        }
    }

    /// Sends heartbeats at intervals.
    pub(super) async fn send_heartbeats(&self) {
        let mut sent: Option<Instant> = None;
        let mut connected = Instant::now();
        while !self.is_leaving() {
            if self.client.connection_state() == State::Connected {
                connected = Instant::now();
            } else if connected.elapsed() >= HEARTBEAT {
                connected = Instant::now();
                self.check_server().await;
            }
            if sent.is_none_or(|sent| sent.elapsed() >= HEARTBEAT) {
                sent = Some(Instant::now());
                self.send_heartbeat().await;
                self.read_lease().await;
                self.cache.touch();
            }
            sleep(POLL_INTERVAL * 2).await;
        }
        self.send_heartbeat().await;
    }

    /// Leaves if the server is reachable and refuses this worker: the lost connection would
    /// reconnect for ever.
    async fn check_server(&self) {
        let silent: Arc<dyn Listener> = Arc::new(NullListener);
        let found = connect(&self.options.access, &silent, |_| false).await;
        if let Err(error) = found
            && !matches!(error, FleetError::Connect { is_away: true, .. })
        {
            lock(&self.state).refused = Some(error);
            self.leave(Leave::Refused);
        }
    }

    pub(super) async fn send_heartbeat(&self) {
        let refusal = |(run, prepared): (&String, &PreparedRun)| {
            let refusal = prepared.run.as_ref().err()?;
            Some((run.clone(), refusal.clone()))
        };
        let refused = lock(&self.runs).iter().filter_map(refusal).collect();
        let nps = self.nps.load(Ordering::SeqCst);
        let heartbeat = Heartbeat {
            leitai: env!("CARGO_PKG_VERSION").to_owned(),
            build: self.options.build.to_owned(),
            host: shown(&host_name()).to_string(),
            process: std::process::id(),
            threads: self.options.threads.get() as u64,
            playing: self.playing.load(Ordering::SeqCst),
            played: self.played.load(Ordering::SeqCst),
            nps: (nps > 0).then_some(nps),
            leaving: self.is_leaving(),
            refused,
        };
        if let Ok(text) = serde_json::to_vec(&heartbeat) {
            let subject = format!("heartbeat.{}.{}", self.name(), self.instance);
            let _ = self.client.publish(subject, text.into()).await;
        }
    }
}
