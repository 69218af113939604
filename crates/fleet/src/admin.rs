//! Status and administration of a fleet.

use std::sync::Arc;
use std::time::SystemTime;

use anyhow::{Context as _, bail};
use async_nats::Client;
use async_nats::jetstream::Context;
use async_nats::jetstream::context::GetStreamErrorKind;
use serde::Serialize;
use tokio::runtime::Runtime;

use super::access::{Access, is_name};
use super::connect::{FleetError, connect};
use super::coordinator::runtime;
use super::files::Files;
use super::messages::{Heartbeat, RunNote, RunOverview};
use super::streams::{
    FILES, HEARTBEATS, RESULTS, WORK, WORKERS, context, is_not_found, purge, short, subjects,
};
use leitai_base::foreign::shown;
use leitai_session::{Failure, Listener};

/// The current state of a fleet.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Overview {
    /// The address of the server.
    pub server: String,
    /// The version of the server.
    pub version: String,
    /// Units in the queue.
    pub waiting: u64,
    /// Units that workers are playing.
    pub playing: u64,
    /// Results that are not recorded yet, kept for two weeks at most.
    pub results: u64,
    /// Bytes of files on the server.
    pub file_bytes: u64,
    /// The runs with a coordinator.
    pub runs: Vec<RunOverview>,
    /// The known workers.
    pub workers: Vec<WorkerOverview>,
}

/// A worker.
#[derive(Clone, Debug, Serialize)]
pub struct WorkerOverview {
    /// The worker's name.
    pub name: String,
    /// True if the worker's results are refused.
    pub rejected: bool,
    /// Its last heartbeat; `None` if it is not connected.
    pub heartbeat: Option<Heartbeat>,
    /// Seconds since the heartbeat, in local time.
    pub silent_s: u64,
}

/// A connection for the administration of a fleet.
pub struct Admin {
    runtime: Runtime,
    access: Access,
    client: Client,
    context: Context,
}

impl Admin {
    /// Connects.
    ///
    /// # Errors
    /// There is no connection, or the server is too old.
    pub fn connect(access: &Access, listener: &Arc<dyn Listener>) -> Result<Self, Failure> {
        let runtime = runtime()?;
        let (client, context) = runtime.block_on(async {
            let client = connect(access, listener, |_| false).await?;
            let context = context(&client, access);
            Ok::<_, FleetError>((client, context))
        })?;
        Ok(Self {
            runtime,
            access: access.clone(),
            client,
            context,
        })
    }

    /// Returns the state of the fleet.
    ///
    /// # Errors
    /// The server does not answer, or has no fleet.
    pub fn overview(&self) -> Result<Overview, Failure> {
        self.runtime.block_on(async {
            let no_fleet = "the server has no fleet, or does not show it to this key\n\
                            help: `leitai run CONFIG --fleet` creates one, with the coordinator's \
                            credentials";
            let queue = match self.context.get_stream(WORK).await {
                Err(error)
                    if matches!(error.kind(), GetStreamErrorKind::JetStream(reason)
                        if is_not_found(&reason)) =>
                {
                    return Ok(self.empty_overview());
                }
                queue => queue.context(no_fleet)?,
            };
            let workers = queue.consumer_info(WORKERS).await.context(no_fleet)?;
            let results = self.context.get_stream(RESULTS).await.context(no_fleet)?;
            let stream = self.context.get_stream(FILES).await.context(no_fleet)?;
            let files = Files::of(&self.context).await?;
            let mut runs = Vec::new();
            for subject in subjects(&self.context, FILES, "run.*").await? {
                let note = files.last(&subject).await?.unwrap_or_default();
                let note = serde_json::from_slice::<RunNote>(&note);
                runs.extend(note.ok().map(|note| note.overview));
            }
            let mut rejected = files.rejections().await?;
            let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
            let now = now.as_secs();
            let mut all = Vec::new();
            let heartbeats = self.context.get_stream_no_info(HEARTBEATS).await?;
            for subject in subjects(&self.context, HEARTBEATS, "heartbeat.*.*").await? {
                let name = subject.split('.').nth(1).unwrap_or_default().to_owned();
                let message = heartbeats.get_last_raw_message_by_subject(&subject).await;
                let Some((time, heartbeat)) = message.ok().and_then(|it| {
                    let heartbeat = serde_json::from_slice::<Heartbeat>(&it.payload).ok()?;
                    Some((it.time.unix_timestamp(), heartbeat))
                }) else {
                    continue;
                };
                if heartbeat.leaving && heartbeat.playing == 0 {
                    continue;
                }
                all.push(WorkerOverview {
                    rejected: rejected.contains_key(&name),
                    name,
                    heartbeat: Some(heartbeat),
                    silent_s: now.saturating_sub_signed(time),
                });
            }
            rejected.retain(|name, _| !all.iter().any(|worker| worker.name == *name));
            all.extend(rejected.into_keys().map(|name| WorkerOverview {
                name,
                rejected: true,
                heartbeat: None,
                silent_s: 0,
            }));
            all.sort_by(|one, other| one.name.cmp(&other.name));
            let playing = workers.num_ack_pending as u64;
            Ok(Overview {
                waiting: queue.cached_info().state.messages.saturating_sub(playing),
                playing,
                results: results.cached_info().state.messages,
                file_bytes: stream.cached_info().state.bytes,
                runs,
                workers: all,
                ..self.empty_overview()
            })
        })
    }

    /// The state before the first run.
    fn empty_overview(&self) -> Overview {
        Overview {
            server: shown(&self.access.server).to_string(),
            version: self.client.server_info().version,
            ..Overview::default()
        }
    }

    /// Lets a worker leave after its current pairs; all workers if none is named.
    ///
    /// # Errors
    /// There is no such worker, or the server refuses.
    pub fn drain(&self, worker: Option<&str>) -> Result<(), Failure> {
        let subject = match worker {
            None => "ctl.drain".to_owned(),
            Some(name) => {
                let workers = self.overview()?.workers;
                if !workers.iter().any(|worker| worker.name == name) {
                    bail!(
                        "no worker is called `{}`\nhelp: `leitai fleet workers` lists them",
                        shown(name)
                    );
                }
                format!("ctl.worker.{name}")
            }
        };
        self.send(subject, "drain")
    }

    /// Ends a run, which is named by the first letters of its identity; its coordinator stops.
    ///
    /// # Errors
    /// No current run has this name, or several have it.
    pub fn stop(&self, run: &str) -> Result<String, Failure> {
        let runs = self.overview()?.runs;
        let mut found = runs.into_iter().filter(|it| it.run.starts_with(run));
        let Some(first) = found.next() else {
            bail!(
                "no current run has an identity that begins with `{}`\nhelp: `leitai fleet status` \
                 lists them",
                shown(run)
            );
        };
        if found.next().is_some() {
            bail!("more than one run begins with `{}`", shown(run));
        }
        self.send(format!("ctl.run.{}", short(&first.run)), "end")?;
        Ok(first.run)
    }

    /// Accepts the results of a rejected worker again.
    ///
    /// # Errors
    /// The worker was not rejected, or the server refuses.
    pub fn readmit(&self, worker: &str) -> Result<(), Failure> {
        if !is_name(worker) {
            bail!("`{}` is not the name of a worker", shown(worker));
        }
        self.runtime.block_on(async {
            if purge(&self.context, FILES, format!("rejected.{worker}")).await? == 0 {
                bail!("worker `{worker}` is not rejected");
            }
            // Its earlier results remain without effect.
            purge(&self.context, RESULTS, format!("res.*.{worker}")).await?;
            Ok(())
        })
    }

    fn send(&self, subject: String, order: &'static str) -> Result<(), Failure> {
        self.runtime.block_on(async {
            self.client.publish(subject, order.into()).await?;
            self.client.flush().await?;
            Ok(())
        })
    }
}
