//! Files by their SHA-256, stored in pieces on the server.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, bail};
use async_nats::jetstream::Context;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{DirectGetErrorKind, Stream};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::streams::{FILES, ROOM, publish, subjects};
use leitai_players::schedule::hexadecimal;
use leitai_session::Failure;

/// Bytes per piece: below the usual limit of a message, 1 MiB.
const PIECE: usize = 512 << 10;
/// The maximum size of a file in bytes: a network, an engine, a book.
pub(super) const LARGEST: u64 = 4 << 30;

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

    /// The rejected workers, with the run that is the reason.
    pub(super) async fn rejections(&self) -> Result<BTreeMap<String, String>, Failure> {
        let mut rejected = BTreeMap::new();
        for subject in subjects(&self.context, FILES, "rejected.*").await? {
            let run = self.last(&subject).await?.unwrap_or_default();
            if let Some(worker) = subject.split('.').nth(1).filter(|_| is_rejection(&run)) {
                let run = String::from_utf8_lossy(&run).into_owned();
                rejected.insert(worker.to_owned(), run);
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
        stored
            .map(drop)
            .with_context(|| format!("the server does not store a file\nhelp: {ROOM}"))
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
