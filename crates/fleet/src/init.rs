//! The config of a fleet's server, and the credentials of its users.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use async_nats::rustls::pki_types::CertificateDer;
use async_nats::rustls::pki_types::pem::PemObject as _;
use nkeys::KeyPair;
use serde::{Deserialize, Serialize};

use super::access::{Access, is_name};
use leitai_base::foreign::{read_text, shown, shown_path};
use leitai_session::Failure;
use leitai_session::output::{CommandFiles, prepare_folder};

/// The first line of a server config.
const HEADER: &str = "# Of a nats-server (2.14.3 or later, or 2.12.12) for a fleet of leitai";
/// The maximum size of a certificate file in bytes.
const LARGEST: u64 = 1 << 20;
/// Prefix under which workers use the stream API of the coordinator's account: under `$JS.API` the
/// server answers for the worker's own account.
pub(super) const WORKER_API: &str = "leitai.API";
/// The file of the server's settings.
const SETTINGS: &str = "server.settings";
/// The file of the server's administrator, and his name.
const ADMIN_FILE: &str = "server.admin";
const ADMIN: &str = "server-admin";
/// The name of the coordinator.
pub const COORDINATOR: &str = "coordinator";

/// The requested settings of a server: absent values stay as in the folder, or get their defaults.
#[derive(Clone, Debug, Default)]
pub struct FleetPlan {
    /// The folder for all files.
    pub folder: PathBuf,
    /// Names and addresses of the server; the first is written into credentials.
    pub hosts: Vec<String>,
    /// The port.
    pub port: Option<u16>,
    /// Names of workers, in addition to those with credentials in the folder.
    pub workers: Vec<String>,
    /// True if connections are encrypted.
    pub tls: Option<bool>,
    /// Disk space of the server in the syntax of its config, such as `20GB`.
    pub max_file_store: Option<String>,
}

/// The settings of a server; stored in the folder of its config.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    hosts: Vec<String>,
    port: u16,
    tls: bool,
    max_file_store: String,
}

impl Settings {
    /// The settings of the plan, else the stored ones, else the defaults.
    fn of(plan: &FleetPlan, folder: &Path) -> Result<Self, Failure> {
        let path = folder.join(SETTINGS);
        let mut settings = Self {
            hosts: Vec::new(),
            port: 4222,
            tls: true,
            max_file_store: "20GB".to_owned(),
        };
        if path.exists() {
            let text = read_text(&path, LARGEST)?;
            settings = toml::from_str(&text).with_context(|| shown_path(&path).to_string())?;
        }
        if !plan.hosts.is_empty() {
            settings.hosts.clone_from(&plan.hosts);
        }
        settings.port = plan.port.unwrap_or(settings.port);
        settings.tls = plan.tls.unwrap_or(settings.tls);
        if let Some(size) = &plan.max_file_store {
            settings.max_file_store.clone_from(size);
        }
        if settings.hosts.is_empty() {
            bail!(
                "the server needs a name or an address\n\
                 help: `--host hub.example`, or an address"
            );
        }
        let is_host = |it: &String| {
            let mut bytes = it.bytes();
            !it.is_empty() && bytes.all(|it| it.is_ascii_alphanumeric() || b".-:".contains(&it))
        };
        if let Some(wrong) = settings.hosts.iter().find(|it| !is_host(it)) {
            bail!("`{}` is not a host name", shown(wrong));
        }
        Ok(settings)
    }

    fn server(&self) -> String {
        let scheme = if self.tls { "tls" } else { "nats" };
        match &self.hosts[0] {
            address if address.contains(':') => format!("{scheme}://[{address}]:{}", self.port),
            host => format!("{scheme}://{host}:{}", self.port),
        }
    }
}

/// The written files.
#[derive(Clone, Debug, Serialize)]
pub struct FleetFiles {
    /// The config of the server.
    pub config: PathBuf,
    /// The credentials of the coordinator.
    pub coordinator: PathBuf,
    /// Access to a server that runs with the previous config.
    #[serde(skip)]
    pub(super) running: Access,
    /// The credentials of new workers.
    pub new: Vec<PathBuf>,
    /// The number of workers.
    pub workers: usize,
    /// True if the server has another name or a new certificate: earlier credentials do not find
    /// it.
    pub must_copy: bool,
}

/// Writes missing files. Existing keys stay, so that their owners can still connect; a worker whose
/// file was removed cannot.
///
/// # Errors
/// A name is invalid, a file cannot be read or written, or the folder holds other files.
pub fn initialise(plan: &FleetPlan) -> Result<FleetFiles, Failure> {
    prepare_folder(&plan.folder)?;
    let folder = fs::canonicalize(&plan.folder)?;
    let settings = Settings::of(plan, &folder)?;
    let server = settings.server();
    let mut all = known(&folder)?;
    let config = folder.join("server.conf");
    if config.exists() && !read_text(&config, LARGEST)?.starts_with(HEADER) {
        bail!(
            "{} is not the config of a fleet\nhelp: name an empty folder",
            shown_path(&config)
        );
    }
    let mut new = Vec::new();
    let names = plan.workers.iter().map(String::as_str);
    for name in [COORDINATOR].into_iter().chain(names) {
        if !is_name(name) {
            bail!(
                "`{}` is not a name: use letters, digits, `-` and `_`",
                shown(name)
            );
        }
        if all.iter().any(|access| access.name == name) {
            continue;
        }
        let access = new_access(name)?;
        if name != COORDINATOR {
            new.push(file_of(&folder, name));
        }
        all.push(access);
    }
    let certificate = settings.tls.then(|| certificate(&folder, &settings.hosts));
    let ca = certificate.transpose()?;
    let is_known = |it: &Access| it.server.is_empty() || (&it.server, &it.ca) == (&server, &ca);
    let must_copy = !all.iter().all(is_known);
    for access in &mut all {
        access.server.clone_from(&server);
        access.ca.clone_from(&ca);
        access.api = (access.name != COORDINATOR).then(|| WORKER_API.to_owned());
        let text = toml::to_string(access)?;
        let text = format!(
            "# Credentials of `{}` for a fleet of leitai. This file lets any machine work under that name.\n\
             {text}",
            access.name
        );
        write_secret(&file_of(&folder, &access.name), &text)?;
    }
    let admin = folder.join(ADMIN_FILE);
    let mut access = if admin.exists() {
        Access::read(&admin)?
    } else {
        new_access(ADMIN)?
    };
    let mut running = access.clone();
    (access.server, access.ca) = (server, ca);
    if running.server.is_empty() {
        running.clone_from(&access);
    }
    write_secret(&admin, &toml::to_string(&access)?)?;
    write_secret(&config, &server_config(&settings, &folder, &all, &access)?)?;
    write_secret(&folder.join(SETTINGS), &toml::to_string(&settings)?)?;
    Ok(FleetFiles {
        config,
        coordinator: file_of(&folder, COORDINATOR),
        running,
        new,
        workers: all.len() - 1,
        must_copy,
    })
}

/// Access with a new key.
fn new_access(name: &str) -> Result<Access, Failure> {
    let seed = KeyPair::new_user().seed();
    Ok(Access {
        seed: Some(seed.map_err(|error| anyhow!("{error}"))?),
        ..Access::open("", name)
    })
}

/// The public key of the user with this access.
fn public_key(access: &Access) -> Result<String, Failure> {
    let pair = KeyPair::from_seed(access.seed.as_deref().unwrap_or_default());
    let pair = pair.map_err(|error| anyhow!("the seed of `{}`: {error}", access.name))?;
    Ok(pair.public_key())
}

fn file_of(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.toml"))
}

/// The credentials in the folder.
fn known(folder: &Path) -> Result<Vec<Access>, Failure> {
    let mut known = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|it| it == "toml") {
            let access = Access::read(&path)?;
            if file_of(folder, &access.name) != path || access.seed.is_none() {
                bail!(
                    "{} does not belong to this folder, which holds only files of `leitai fleet \
                     init`",
                    shown_path(&path)
                );
            }
            known.push(access);
        }
    }
    known.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(known)
}

/// The server's certificate; created unless the folder has one for these hosts with its key. The
/// certificate is self-signed, and part of all credentials.
fn certificate(folder: &Path, hosts: &[String]) -> Result<String, Failure> {
    let path = |name: &str| folder.join(name);
    let read = |name: &str| read_text(&path(name), LARGEST).ok();
    let wanted = hosts.join("\n");
    let is_known = read("server.hosts").is_some_and(|known| known == wanted);
    if let (Some(text), Some(key), true) = (read("server.pem"), read("server-key.pem"), is_known)
        && let (Ok(certificate), Ok(key)) = (
            CertificateDer::from_pem_slice(text.as_bytes()),
            rcgen::KeyPair::from_pem(&key),
        )
        && certificate
            .windows(key.public_key_raw().len())
            .any(|part| part == key.public_key_raw())
    {
        return Ok(text);
    }
    let made = rcgen::generate_simple_self_signed(hosts.to_vec())
        .context("a certificate cannot be made for these hosts")?;
    let text = made.cert.pem();
    write_secret(&path("server-key.pem"), &made.signing_key.serialize_pem())?;
    write_secret(&path("server.pem"), &text)?;
    write_secret(&path("server.hosts"), &wanted)?;
    Ok(text)
}

/// Writes a file that only its owner can read.
fn write_secret(path: &Path, text: &str) -> Result<(), Failure> {
    let mut file = CommandFiles::default().prepare(path)?.begin()?;
    file.keep_secret()?;
    file.write(text)?;
    file.finish()
}

/// The config of a server for these users.
fn server_config(
    settings: &Settings,
    folder: &Path,
    all: &[Access],
    admin: &Access,
) -> Result<String, Failure> {
    let path = |name: &str| {
        let path = folder.join(name);
        let text = path.to_str().map(|text| format!("{text:?}"));
        text.with_context(|| format!("{} is not valid UTF-8", shown_path(folder)))
    };
    let mut text = format!(
        "{HEADER}. Written by\n\
         # `leitai fleet init`, which overwrites it, and lets a running server read it again.\n\
         listen: \"0.0.0.0:{}\"\n\
         server_name: \"leitai\"\n\
         max_payload: 8MB\n\
         max_connections: 65536\n\
         # A server that thousands write to at once may be late.\n\
         write_deadline: \"30s\"\n\
         jetstream {{\n  \
         store_dir: {}\n  \
         max_file_store: {}\n  \
         max_memory_store: 256MB\n\
         }}\n",
        settings.port,
        path("jetstream")?,
        settings.max_file_store,
    );
    if settings.tls {
        write!(
            text,
            "tls {{\n  cert_file: {}\n  key_file: {}\n  min_version: \"1.3\"\n}}\n",
            path("server.pem")?,
            path("server-key.pem")?
        )?;
    }
    let mut leads = String::new();
    let mut exports = String::new();
    let mut accounts = String::new();
    for right in SHARED_RIGHTS {
        exports += &exported(right, None);
    }
    for access in all {
        let key = public_key(access)?;
        let name = access.name.as_str();
        if name == COORDINATOR {
            write!(
                leads,
                "  {COORDINATOR} {{\n    jetstream: enabled\n    users: [ {{ nkey: {key} }} ]\n"
            )?;
            continue;
        }
        write!(
            accounts,
            "  \"{name}\" {{\n    users: [ {{ nkey: {key} }} ]\n    imports: [\n"
        )?;
        // Results and heartbeats are sent under the worker's name.
        let own = [format!("res.*.{name}"), format!("heartbeat.{name}.*")];
        let own = own.each_ref().map(|subject| ("service", subject.as_str()));
        exports.extend(own.map(|right| exported(right, Some(name))));
        accounts.extend(SHARED_RIGHTS.into_iter().chain(own).map(imported));
        accounts += "    ]\n  }\n";
    }
    write!(
        text,
        "# Each worker has an account of its own, and the server answers it only there: a request\n\
         # whose answer would go to a subject of the coordinator has no effect.\n\
         accounts {{\n  \"$SYS\" {{ users: [ {{ nkey: {} }} ] }}\n\
         {leads}    exports: [\n{exports}    ]\n  }}\n{accounts}}}\n",
        public_key(admin)?
    )?;
    Ok(text)
}

/// A permission that the coordinator's account exports to workers: its kind and subject. A
/// `service` sends requests and receives answers, a `stream` receives messages.
type Right<'a> = (&'static str, &'a str);

fn exported((kind, subject): Right<'_>, worker: Option<&str>) -> String {
    let to = worker.map_or_else(String::new, |name| format!(", accounts: [{name:?}]"));
    format!("      {{ {kind}: {subject:?}{to} }}\n")
}

fn imported((kind, subject): Right<'_>) -> String {
    let api = subject.strip_prefix("$JS.API");
    let to = api.map_or_else(String::new, |it| format!(", to: \"{WORKER_API}{it}\""));
    format!("      {{ {kind}: {{ account: {COORDINATOR}, subject: {subject:?} }}{to} }}\n")
}

/// Permissions of every worker: request and acknowledge units, read files, and receive broadcasts.
const SHARED_RIGHTS: [Right<'_>; 5] = [
    ("service", "$JS.API.CONSUMER.INFO.WORK.workers"),
    ("service", "$JS.API.CONSUMER.MSG.NEXT.WORK.workers"),
    ("service", "$JS.ACK.WORK.workers.>"),
    ("service", "$JS.API.DIRECT.GET.FILES.>"),
    ("stream", "ctl.>"),
];
