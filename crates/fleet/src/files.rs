//! Files by their SHA-256: stored in pieces on the server, and in a folder of bounded size at a
//! worker.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, bail};
use async_nats::jetstream::Context;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{DirectGetErrorKind, Stream};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::runtime::Handle;

use super::streams::{FILES, publish, subjects};
use leitai_base::foreign::{read_bytes, shown_path};
use leitai_base::threads::lock;
use leitai_platform::files::make_executable;
use leitai_players::player::file_digest;
use leitai_players::schedule::hexadecimal;
use leitai_session::output::{CommandFiles, prepare_folder};
use leitai_session::{Failure, FileSource};

/// Bytes per piece: below the usual limit of a message, 1 MiB.
const PIECE: usize = 512 << 10;
/// The maximum size of a file in bytes: a network, an engine, a book.
const LARGEST: u64 = 4 << 30;
/// A file that was used this recently may be in use.
const IN_USE: Duration = Duration::from_hours(24);

/// The entry of a complete file.
#[derive(Default, Deserialize, Serialize)]
struct Manifest {
    pieces: u64,
    bytes: u64,
}

/// The files on the server.
pub(super) struct Files {
    context: Context,
    stream: Stream<()>,
}

impl Files {
    pub(super) async fn of(context: &Context) -> Result<Self, Failure> {
        let stream = context.get_stream_no_info(FILES).await;
        Ok(Self {
            context: context.clone(),
            stream: stream.context("the server has no files")?,
        })
    }

    /// Stores a file with the given digest, unless the server has it.
    pub(super) async fn put(&self, sha256: &str, mut from: impl Read) -> Result<(), Failure> {
        if self.renew(sha256).await? {
            return Ok(());
        }
        let mut hasher = Sha256::new();
        let mut whole = Manifest::default();
        loop {
            let mut piece = Vec::with_capacity(PIECE);
            from.by_ref().take(PIECE as u64).read_to_end(&mut piece)?;
            if piece.is_empty() {
                break;
            }
            whole.bytes += piece.len() as u64;
            hasher.update(&piece);
            self.publish(format!("file.{sha256}.{}", whole.pieces), piece)
                .await?;
            whole.pieces += 1;
        }
        if hexadecimal(&hasher.finalize()) != sha256 {
            bail!("the file {sha256} changed while it was sent: start again");
        }
        self.publish(whole_of(sha256), serde_json::to_vec(&whole)?)
            .await
    }

    /// Marks a file as used; returns whether it is complete.
    pub(super) async fn renew(&self, sha256: &str) -> Result<bool, Failure> {
        let Some(text) = self.last(&whole_of(sha256)).await? else {
            return Ok(false);
        };
        let pieces = subjects(&self.context, FILES, &format!("file.{sha256}.*")).await?;
        let whole: Option<Manifest> = serde_json::from_slice(&text).ok();
        let is_whole = whole.is_some_and(|whole| pieces.len() as u64 == whole.pieces + 1);
        if is_whole {
            self.publish(whole_of(sha256), text).await?;
        }
        Ok(is_whole)
    }

    /// Removes files that were unused for longer than `kept`, and notes of runs that had no
    /// coordinator for that time.
    pub(super) async fn remove_unused(&self, kept: Duration) -> Result<(), Failure> {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
        let since = now.saturating_sub(kept).as_secs() as i64;
        for filter in ["file.*.whole", "run.*"] {
            for subject in subjects(&self.context, FILES, filter).await? {
                let used = self.stream.direct_get_last_for_subject(&subject).await;
                if used.is_ok_and(|message| message.time.unix_timestamp() < since) {
                    let all = subject.strip_suffix("whole").map(|file| format!("{file}*"));
                    let purge = self.stream.purge().filter(all.unwrap_or(subject));
                    purge.await?;
                }
            }
        }
        Ok(())
    }

    /// The rejected workers: the message of each names the run that is the reason.
    pub(super) async fn rejected_workers(&self) -> Result<BTreeSet<String>, Failure> {
        let mut rejected = BTreeSet::new();
        for subject in subjects(&self.context, FILES, "rejected.*").await? {
            if is_rejection(&self.last(&subject).await?.unwrap_or_default()) {
                rejected.extend(subject.split('.').nth(1).map(str::to_owned));
            }
        }
        Ok(rejected)
    }

    /// Writes a file piece by piece.
    pub(super) async fn get(&self, sha256: &str, to: &mut dyn Write) -> Result<(), Failure> {
        let Some(whole) = self.last(&whole_of(sha256)).await? else {
            bail!("the server has no file {sha256}");
        };
        let whole: Manifest = serde_json::from_slice(&whole)?;
        if whole.bytes > LARGEST || whole.pieces > whole.bytes.div_ceil(1024) {
            bail!("the file {sha256} is larger than {LARGEST} bytes");
        }
        let mut hasher = Sha256::new();
        for number in 0..whole.pieces {
            let piece = self.last(&format!("file.{sha256}.{number}")).await?;
            let piece =
                piece.with_context(|| format!("a piece of the file {sha256} is missing"))?;
            hasher.update(&piece);
            to.write_all(&piece)?;
        }
        if hexadecimal(&hasher.finalize()) != sha256 {
            bail!("the server has other contents of the file {sha256} than were sent");
        }
        Ok(())
    }

    /// The last message under a subject.
    pub(super) async fn last(&self, subject: &str) -> Result<Option<Vec<u8>>, Failure> {
        match self.stream.direct_get_last_for_subject(subject).await {
            Ok(message) => Ok(Some(message.payload.to_vec())),
            Err(error) if error.kind() == DirectGetErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).context("the server does not send its files"),
        }
    }

    /// Stores a message under a subject.
    pub(super) async fn publish(&self, subject: String, payload: Vec<u8>) -> Result<(), Failure> {
        let message = PublishMessage::build().payload(payload.into());
        let stored = publish(&self.context, subject, message).await;
        stored.map(drop).context(
            "the server does not store a file\n\
             help: free disk space there (`leitai fleet status`, `max_file_store` of its config)",
        )
    }
}

/// Returns whether a message rejects a worker: it names the run that is the reason.
pub(super) fn is_rejection(message: &[u8]) -> bool {
    message.len() == 64 && message.iter().all(u8::is_ascii_hexdigit)
}

fn whole_of(sha256: &str) -> String {
    format!("file.{sha256}.whole")
}

/// The SHA-256 of bytes, in hexadecimal.
pub(super) fn digest(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// The files at a worker, in a folder of bounded size.
pub(super) struct Cache {
    pub(super) folder: PathBuf,
    pub(super) most_bytes: u64,
    pub(super) files: Files,
    pub(super) runtime: Handle,
    /// Files that were found in the folder.
    pub(super) used: Mutex<BTreeSet<PathBuf>>,
}

impl Cache {
    pub(super) fn read(&self, sha256: &str) -> Result<Vec<u8>, Failure> {
        Ok(read_bytes(&self.find(sha256, "run")?, LARGEST)?)
    }

    /// Marks the files that were found here as used.
    pub(super) fn touch(&self) {
        for path in &*lock(&self.used) {
            if let Ok(file) = File::open(path) {
                let _ = file.set_modified(SystemTime::now());
            }
        }
    }

    /// Removes the least recently used files until the folder is within its limit; files that were
    /// used within a day may be in use, and stay.
    fn make_room(&self) -> Result<(), Failure> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let (mut bytes, mut used) = (0, SystemTime::UNIX_EPOCH);
            for file in fs::read_dir(&path).into_iter().flatten().flatten() {
                let meta = file.metadata()?;
                bytes += meta.len();
                used = used.max(meta.modified()?);
            }
            entries.push((used, bytes, path));
        }
        entries.sort();
        let mut total: u64 = entries.iter().map(|(_, bytes, _)| bytes).sum();
        for (used, bytes, path) in entries {
            let is_unused = used.elapsed().is_ok_and(|unused| unused > IN_USE);
            if total > self.most_bytes && is_unused {
                fs::remove_dir_all(&path)?;
                total -= bytes;
            }
        }
        if total > self.most_bytes {
            bail!(
                "{} holds {} MB of files that were used within a day, and may hold {} MB\n\
                 help: `--cache-size` lets it hold more",
                shown_path(&self.folder),
                total >> 20,
                self.most_bytes >> 20
            );
        }
        Ok(())
    }
}

impl FileSource for Cache {
    fn find(&self, sha256: &str, name: &str) -> Result<PathBuf, Failure> {
        if sha256.len() != 64 || !sha256.bytes().all(|it| it.is_ascii_hexdigit()) {
            bail!("`{}` is not a SHA-256", leitai_base::foreign::shown(sha256));
        }
        let is_plain = |it: u8| it.is_ascii_alphanumeric() || b"-_.+".contains(&it);
        let name = match name {
            "" | "." | ".." => "file",
            name if name.bytes().all(is_plain) && name.len() <= 100 => name,
            _ => "file",
        };
        let folder = self.folder.join(sha256);
        let path = folder.join(name);
        let is_checked = !lock(&self.used).insert(path.clone());
        if path.is_file() {
            // The file may have been damaged since.
            if is_checked || file_digest(&path).is_ok_and(|digest| digest == sha256) {
                self.touch();
                return Ok(path);
            }
            fs::remove_file(&path)?;
        }
        prepare_folder(&folder)?;
        let mut output = CommandFiles::default().prepare(&path)?.begin()?;
        self.runtime
            .block_on(self.files.get(sha256, output.raw()))?;
        output.finish()?;
        make_executable(&path)?;
        self.make_room()?;
        Ok(path)
    }
}

/// The default folder for a worker's files.
pub(super) fn usual_folder() -> PathBuf {
    let home = |name: &str| std::env::var_os(name).filter(|it| !it.is_empty());
    let base = match (home("XDG_CACHE_HOME"), home("HOME")) {
        (Some(cache), _) => PathBuf::from(cache),
        (None, Some(home)) => Path::new(&home).join(".cache"),
        (None, None) => std::env::temp_dir(),
    };
    base.join("leitai")
}
