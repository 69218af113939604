//! What a fleet does, and what it is told to do.

use std::sync::Arc;
use std::time::SystemTime;

use anyhow::{Context as _, bail};
use async_nats::Client;
use async_nats::jetstream::Context;
use async_nats::jetstream::context::{GetStreamError, GetStreamErrorKind};
use serde::Serialize;
use tokio::runtime::Runtime;

use super::access::{Access, is_name};
use super::connect::{FleetError, connect};
use super::coordinator::runtime;
use super::files::Files;
use super::messages::{Heartbeat, RunNote};
use super::streams::{
    FILES, HEARTBEATS, RESULTS, WORK, WORKERS, context, is_not_found, short, subjects,
};
use crate::foreign::shown;
use crate::session::{Failure, Listener};

/// What a fleet does now.
#[derive(Clone, Debug, Serialize)]
pub struct Overview {
    /// Its server.
    pub server: String,
    /// The version of that.
    pub version: String,
    /// Units that wait, and those that somebody plays.
    pub waiting: u64,
    /// See `waiting`.
    pub playing: u64,
    /// Results that are kept until they are recorded, for two weeks at most.
    pub results: u64,
    /// Bytes that the server holds of files.
    pub file_bytes: u64,
    /// The runs that are led now.
    pub runs: Vec<RunOverview>,
    /// The workers that are there.
    pub workers: Vec<WorkerOverview>,
}

/// A run that is led now.
#[derive(Clone, Debug, Serialize)]
pub struct RunOverview {
    /// Its identity.
    pub run: String,
    /// The config's name.
    pub name: String,
    /// The game.
    pub game: String,
    /// Pairs of the whole schedule.
    pub pairs: u64,
    /// Pairs that were played when its coordinator last said so, some seconds ago.
    pub done: u64,
}

/// A worker.
#[derive(Clone, Debug, Serialize)]
pub struct WorkerOverview {
    /// Its name.
    pub name: String,
    /// Whether its answers are not taken any more.
    pub rejected: bool,
    /// What it says of itself; `None` if it is not there.
    pub heartbeat: Option<Heartbeat>,
    /// Seconds since it has said so, by the clock of this machine.
    pub silent_s: u64,
}

fn is_not_there(error: &GetStreamError) -> bool {
    let kind = error.kind();
    matches!(kind, GetStreamErrorKind::JetStream(reason) if is_not_found(&reason))
}

/// A connection to a fleet, to look at it and to tell it what to do.
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

    /// Looks.
    ///
    /// # Errors
    /// The server does not say, or has no fleet.
    pub fn overview(&self) -> Result<Overview, Failure> {
        self.runtime.block_on(async {
            let no_fleet = "the server has no fleet, or does not show it to this key\n\
                            help: `leitai run CONFIG --fleet` makes one, by the coordinator's \
                            credentials";
            let queue = match self.context.get_stream(WORK).await {
                Err(error) if is_not_there(&error) => return Ok(self.nothing()),
                queue => queue.context(no_fleet)?,
            };
            let workers = queue.consumer_info(WORKERS).await.context(no_fleet)?;
            let results = self.context.get_stream(RESULTS).await.context(no_fleet)?;
            let stream = self.context.get_stream(FILES).await.context(no_fleet)?;
            let files = Files::of(&self.context).await?;
            let mut runs = Vec::new();
            for subject in subjects(&self.context, FILES, "run.*").await? {
                let note = files.last(&subject).await?.unwrap_or_default();
                if let Ok(note) = serde_json::from_slice::<RunNote>(&note) {
                    runs.push(RunOverview {
                        run: note.run,
                        name: note.name,
                        game: note.game,
                        pairs: note.pairs,
                        done: note.done,
                    });
                }
            }
            let mut rejected = files.rejected_workers().await?;
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
                    rejected: rejected.contains(&name),
                    name,
                    heartbeat: Some(heartbeat),
                    silent_s: now.saturating_sub_signed(time),
                });
            }
            rejected.retain(|name| !all.iter().any(|worker| worker.name == *name));
            all.extend(rejected.into_iter().map(|name| WorkerOverview {
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
                ..self.nothing()
            })
        })
    }

    /// What there is before the first run.
    fn nothing(&self) -> Overview {
        Overview {
            server: shown(&self.access.server).to_string(),
            version: self.client.server_info().version,
            waiting: 0,
            playing: 0,
            results: 0,
            file_bytes: 0,
            runs: Vec::new(),
            workers: Vec::new(),
        }
    }

    /// Has a worker leave when it has played what it plays; all if none is named.
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
        self.say(subject, "drain")
    }

    /// Has nobody play a run any more, which is named by the first letters of its identity;
    /// the coordinator it ends.
    ///
    /// # Errors
    /// No run is led that is called so, or more than one.
    pub fn stop(&self, run: &str) -> Result<String, Failure> {
        let runs = self.overview()?.runs;
        let mut found = runs.into_iter().filter(|it| it.run.starts_with(run));
        let Some(first) = found.next() else {
            bail!(
                "no run is led whose identity begins with `{}`\nhelp: `leitai fleet status` lists \
                 them",
                shown(run)
            );
        };
        if found.next().is_some() {
            bail!("more than one run begins with `{}`", shown(run));
        }
        self.say(format!("ctl.run.{}", short(&first.run)), "end")?;
        Ok(first.run)
    }

    /// Takes the answers of a worker again.
    ///
    /// # Errors
    /// It was not rejected, or the server refuses.
    pub fn readmit(&self, worker: &str) -> Result<(), Failure> {
        if !is_name(worker) {
            bail!("`{}` is no name of a worker", shown(worker));
        }
        self.runtime.block_on(async {
            let stream = self.context.get_stream_no_info(FILES).await?;
            let purge = stream.purge().filter(format!("rejected.{worker}"));
            let purged = purge.await?.purged;
            if purged == 0 {
                bail!("worker `{worker}` is not rejected");
            }
            // What it has sent before counts no more than it did.
            let results = self.context.get_stream_no_info(RESULTS).await?;
            results.purge().filter(format!("res.*.{worker}")).await?;
            Ok(())
        })
    }

    fn say(&self, subject: String, what: &'static str) -> Result<(), Failure> {
        self.runtime.block_on(async {
            self.client.publish(subject, what.into()).await?;
            self.client.flush().await?;
            Ok(())
        })
    }
}
