//! The config of a server for a fleet, and the credentials of all who come to it.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use nkeys::KeyPair;

use super::access::{Access, is_name};
use super::connect::inbox_of;
use crate::foreign::{read_text, shown, shown_path};
use crate::output::{Replacement, prepare_folder};
use crate::session::Failure;

/// How the config of a server begins.
const HEADER: &str = "# Of a nats-server (2.14.3 or later, or 2.12.12) for a fleet of leitai";
/// Bytes of the largest file of a certificate.
const LARGEST: u64 = 1 << 20;
/// The name of the coordinator.
pub const COORDINATOR: &str = "coordinator";

/// What a server is to be like.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The folder of all files.
    pub folder: PathBuf,
    /// Names and addresses by which it is reached; the first is written into credentials.
    pub hosts: Vec<String>,
    /// Its port.
    pub port: u16,
    /// Names of workers, besides those that have credentials in the folder.
    pub workers: Vec<String>,
    /// Whether connections are encrypted.
    pub tls: bool,
    /// What it may keep on its disk, as its config writes it, such as `20GB`.
    pub max_file_store: String,
}

/// What was written.
#[derive(Clone, Debug)]
pub struct Initialised {
    /// The config of the server.
    pub config: PathBuf,
    /// The credentials of the coordinator.
    pub coordinator: PathBuf,
    /// Those of workers that are new.
    pub new: Vec<PathBuf>,
    /// How many workers there are.
    pub workers: usize,
}

/// Writes what is missing: keys that are there stay, so that those who have them still can
/// come, and a worker whose file was removed cannot any more.
///
/// # Errors
/// A name is none, a file cannot be read or written, or the folder holds something else.
pub fn initialise(plan: &Plan) -> Result<Initialised, Failure> {
    prepare_folder(&plan.folder)?;
    let folder = fs::canonicalize(&plan.folder)?;
    let Some(host) = plan.hosts.first() else {
        bail!("the server needs a name by which it is reached");
    };
    let is_host = |it: &String| {
        !it.is_empty()
            && it
                .bytes()
                .all(|it| it.is_ascii_alphanumeric() || b".-:".contains(&it))
    };
    if let Some(wrong) = plan.hosts.iter().find(|it| !is_host(it)) {
        bail!("`{}` is no name of a host", shown(wrong));
    }
    let scheme = if plan.tls { "tls" } else { "nats" };
    let address = if host.contains(':') {
        format!("[{host}]")
    } else {
        host.clone()
    };
    let server = format!("{scheme}://{address}:{}", plan.port);
    let mut all = known(&folder)?;
    let config = folder.join("server.conf");
    if config.exists() && !read_text(&config, LARGEST)?.starts_with(HEADER) {
        bail!(
            "{} is not of a fleet\nhelp: name a folder of its own",
            shown_path(&config)
        );
    }
    let mut new = Vec::new();
    let names = plan.workers.iter().map(String::as_str);
    for name in [COORDINATOR].into_iter().chain(names) {
        if !is_name(name) {
            bail!(
                "`{}` is no name: it takes letters, digits, `-` and `_`",
                shown(name)
            );
        }
        if all.iter().any(|access| access.name == name) {
            continue;
        }
        let seed = KeyPair::new_user()
            .seed()
            .map_err(|error| anyhow!("{error}"))?;
        let mut access = Access::open("", name);
        access.seed = Some(seed);
        if name != COORDINATOR {
            new.push(file_of(&folder, name));
        }
        all.push(access);
    }
    let ca = plan
        .tls
        .then(|| certificate(&folder, &plan.hosts))
        .transpose()?;
    for access in &mut all {
        access.server.clone_from(&server);
        access.ca.clone_from(&ca);
        let text = toml::to_string(access)?;
        let text = format!(
            "# Credentials of `{}` for a fleet of leitai. Whoever has this file can come as it.\n\
             {text}",
            access.name
        );
        write_secret(&file_of(&folder, &access.name), &text)?;
    }
    write_secret(&config, &server_config(plan, &folder, &all)?)?;
    Ok(Initialised {
        config,
        coordinator: file_of(&folder, COORDINATOR),
        new,
        workers: all.len() - 1,
    })
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
                    "{} is not of this folder: it holds what `leitai fleet init` wrote, and \
                     nothing else",
                    shown_path(&path)
                );
            }
            known.push(access);
        }
    }
    known.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(known)
}

/// The server's certificate, which is made if it is not there: it is signed by itself, and all
/// credentials name it.
fn certificate(folder: &Path, hosts: &[String]) -> Result<String, Failure> {
    let path = folder.join("server.pem");
    let names = folder.join("server.hosts");
    let wanted = hosts.join("\n");
    if let (Ok(text), Ok(known)) = (read_text(&path, LARGEST), read_text(&names, LARGEST))
        && known == wanted
    {
        return Ok(text);
    }
    let made = rcgen::generate_simple_self_signed(hosts.to_vec())
        .context("a certificate cannot be made for these hosts")?;
    let text = made.cert.pem();
    write_secret(
        &folder.join("server-key.pem"),
        &made.signing_key.serialize_pem(),
    )?;
    write_secret(&path, &text)?;
    write_secret(&names, &wanted)?;
    Ok(text)
}

/// Writes a file that only its owner may read.
fn write_secret(path: &Path, text: &str) -> Result<(), Failure> {
    use std::io::Write as _;
    let name = shown_path(path);
    let mut file = Replacement::of(path).with_context(|| format!("cannot write {name}"))?;
    file.keep_secret()?;
    file.write_all(text.as_bytes())?;
    file.finish()
        .with_context(|| format!("cannot write {name}"))
}

/// The config of a server that these may come to.
fn server_config(plan: &Plan, folder: &Path, all: &[Access]) -> Result<String, Failure> {
    let path = |name: &str| {
        let path = folder.join(name);
        let text = path.to_str().map(|text| format!("{text:?}"));
        text.with_context(|| format!("{} is no text", shown_path(folder)))
    };
    let mut text = format!(
        "{HEADER}. Written by\n\
         # `leitai fleet init`, and anew each time: `nats-server --signal reload` has a server\n\
         # read it again.\n\
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
        plan.port,
        path("jetstream")?,
        plan.max_file_store,
    );
    if plan.tls {
        write!(
            text,
            "tls {{\n  cert_file: {}\n  key_file: {}\n  min_version: \"1.3\"\n}}\n",
            path("server.pem")?,
            path("server-key.pem")?
        )?;
    }
    text += "authorization {\n  users = [\n";
    for access in all {
        let seed = access.seed.as_deref().unwrap_or_default();
        let pair = KeyPair::from_seed(seed);
        let pair = pair.map_err(|error| anyhow!("the seed of `{}`: {error}", access.name))?;
        let key = pair.public_key();
        let name = &access.name;
        if name == COORDINATOR {
            writeln!(text, "    # {name}\n    {{ nkey: {key} }}")?;
            continue;
        }
        let (publish, subscribe) = rights_of(name);
        writeln!(
            text,
            "    # {name}\n    {{ nkey: {key}, permissions: {{\n      publish: {publish:?}\n      \
             subscribe: {subscribe:?} }} }}"
        )?;
    }
    text += "  ]\n}\n";
    Ok(text)
}

/// What a worker may do, and no more: ask for units and say what became of them, send results
/// and signs of life under its name, read files.
fn rights_of(name: &str) -> ([String; 6], [String; 2]) {
    let publish = [
        "$JS.API.CONSUMER.INFO.WORK.workers".to_owned(),
        "$JS.API.CONSUMER.MSG.NEXT.WORK.workers".to_owned(),
        "$JS.ACK.WORK.workers.>".to_owned(),
        "$JS.API.DIRECT.GET.FILES.>".to_owned(),
        format!("res.*.{name}"),
        format!("heartbeat.{name}.*"),
    ];
    (
        publish,
        [format!("{}.>", inbox_of(name)), "ctl.>".to_owned()],
    )
}
