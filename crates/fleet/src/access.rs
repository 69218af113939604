//! Access to the server: addresses and credentials.

use std::path::Path;

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};

use leitai_base::foreign::{read_text, shown, shown_path};
use leitai_platform::files::{is_private, private_command};
use leitai_runs::store::{WORKER_NAME_BYTES, WorkerName};
use leitai_session::Failure;

/// The maximum size of a credentials file in bytes.
const LARGEST: u64 = 1 << 20;

/// Credentials: one file with everything that a worker or a coordinator needs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Access {
    /// The server, such as `tls://hub:4222`.
    pub server: String,
    /// The name of the worker or coordinator: results are sent under it.
    pub name: String,
    /// The secret seed of the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
    /// CA certificates for the server's certificate, in PEM form; by default the system's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ca: Option<String>,
    /// Prefix of the subjects of the server's stream API; `$JS.API` by default. A worker with its
    /// own account uses the prefix of its imports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api: Option<String>,
}

impl Access {
    /// Access to a server without authentication.
    pub fn open(server: &str, name: &str) -> Self {
        Self {
            server: server.to_owned(),
            name: name.to_owned(),
            seed: None,
            ca: None,
            api: None,
        }
    }

    /// Reads a credentials file.
    ///
    /// # Errors
    /// The file cannot be read, does not hold credentials, or is open to other users.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let name = shown_path(path);
        if path.exists() && !path.is_file() {
            bail!("{name} is not a file of credentials");
        }
        let text = read_text(path, LARGEST)
            .with_context(|| format!("cannot read credentials `{name}`"))?;
        let access: Self = toml::from_str(&text).map_err(|error| {
            let line = error.span().map_or(1, |span| {
                text[..span.start].bytes().filter(|&it| it == b'\n').count() + 1
            });
            anyhow::anyhow!(
                "{name}:{line}: {}\nhelp: `leitai fleet init` writes files of credentials",
                shown(error.message())
            )
        })?;
        access.check().with_context(|| name.to_string())?;
        if access.seed.is_some() && !is_private(path)? {
            bail!(
                "{name} can be read or written by others, who can then connect under its name\n\
                 help: `{}`; new credentials if another user may have read it (remove the file, \
                 and `leitai fleet init` again)",
                private_command(&name.to_string())
            );
        }
        Ok(access)
    }

    /// Checks that the name is usable in a subject, and that the server is an address.
    ///
    /// # Errors
    /// The name or the address is invalid.
    pub fn check(&self) -> Result<(), Failure> {
        if !is_name(&self.name) {
            bail!(
                "`{}` is not a name: use 1 to {WORKER_NAME_BYTES} letters, digits, `-` and `_`",
                shown(&self.name)
            );
        }
        let help = "help: `leitai fleet init` writes files of credentials";
        let is_seed = |seed: &String| nkeys::KeyPair::from_seed(seed).is_ok();
        if !self.seed.as_ref().is_none_or(is_seed) {
            bail!("`seed` is not the seed of a key\n{help}");
        }
        let is_subject = |it: &String| {
            let mut tokens = it.split('.');
            tokens.all(|it| !it.is_empty() && it.bytes().all(|it| it.is_ascii_graphic()))
                && !it.contains(['*', '>'])
        };
        if !self.api.as_ref().is_none_or(is_subject) {
            bail!("`api` is not the prefix of a subject\n{help}");
        }
        let server = self.server.split_once("://");
        if !matches!(server, Some(("nats" | "tls", host)) if !host.is_empty()) {
            bail!(
                "`{}` is not the address of a server\nhelp: name one such as nats://localhost:4222 or tls://hub:4222",
                shown(&self.server)
            );
        }
        Ok(())
    }

    /// Returns whether the connection is encrypted.
    pub(super) fn is_secret(&self) -> bool {
        self.server.starts_with("tls://")
    }
}

/// Returns whether a text is a valid name of a worker.
pub(super) fn is_name(name: &str) -> bool {
    WorkerName::new(name).is_some()
}
