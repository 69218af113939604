//! A running server reads its config again.

use std::sync::Arc;

use anyhow::{Context as _, bail};
use async_nats::{Client, RequestErrorKind};
use serde::{Deserialize, Serialize};

use super::access::Access;
use super::connect::{FleetError, connect};
use super::coordinator::runtime;
use super::init::{FleetFiles, WORKER_API};
use leitai_base::foreign::shown;
use leitai_session::{Failure, Listener, NullListener};

/// The effect of new files on the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reload {
    /// No server runs.
    Absent,
    /// The server has read its config, and a new worker has connected.
    Done,
    /// The server must be restarted, for this reason.
    Restart(String),
}

/// The server's answer to a request of its administrator.
#[derive(Deserialize)]
struct AdminReply {
    error: Option<AdminError>,
}

#[derive(Deserialize)]
struct AdminError {
    description: String,
}

/// Lets a running server read its config again, and checks that the last new worker can ask for
/// units.
///
/// # Errors
/// The credentials cannot be read.
pub fn reload(files: &FleetFiles) -> Result<Reload, Failure> {
    let worker = files.new.last().map(|path| Access::read(path));
    let worker = worker.transpose()?;
    let reloaded = runtime()?.block_on(async {
        let client = open(&files.running).await?;
        // nats-server 2.15 connects a new account with the coordinator's at the second time only:
        // `configureAccounts` leaves that to the start for accounts that it creates.
        for _ in 0..2 {
            ask_for_reload(&client).await?;
        }
        match &worker {
            Some(worker) => check(worker).await,
            None => Ok(()),
        }
    });
    Ok(match reloaded {
        Ok(()) => Reload::Done,
        Err(error) => match error.downcast_ref::<FleetError>() {
            Some(FleetError::Connect { is_away: true, .. }) => Reload::Absent,
            Some(FleetError::Connect { reason, .. }) => Reload::Restart(reason.clone()),
            _ => Reload::Restart(format!("{error:#}")),
        },
    })
}

async fn open(access: &Access) -> Result<Client, Failure> {
    let silent: Arc<dyn Listener> = Arc::new(NullListener);
    Ok(connect(access, &silent, |_| false).await?)
}

async fn ask_for_reload(client: &Client) -> Result<(), Failure> {
    let subject = format!("$SYS.REQ.SERVER.{}.RELOAD", client.server_info().server_id);
    let reply = client.request(subject, "".into()).await;
    let reply = reply.context("the server does not answer its administrator")?;
    let reply: AdminReply = serde_json::from_slice(&reply.payload)?;
    match reply.error {
        Some(error) => bail!("{}", shown(&error.description)),
        None => Ok(()),
    }
}

/// Fails if the requests of a worker do not reach the coordinator's account.
async fn check(worker: &Access) -> Result<(), Failure> {
    let client = open(worker).await?;
    let queue = format!("{WORKER_API}.CONSUMER.INFO.WORK.workers");
    match client.request(queue, "".into()).await {
        Err(error) if error.kind() == RequestErrorKind::NoResponders => {
            bail!("the requests of worker `{}` have no effect", worker.name)
        }
        answered => Ok(answered.map(drop)?),
    }
}
