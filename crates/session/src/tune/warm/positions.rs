//! Files of positions with results as the data of a fit.

use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Context;
use serde::Serialize;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::Stage;
use crate::{Failure, Listener};
use leitai_base::count::grouped;
use leitai_base::foreign::shown_path;
use leitai_config::{TexelStage, Variant};
use leitai_interchange::{Lines, unpacked};
use leitai_players::schedule::hexadecimal;
use leitai_runs::texel::{Dataset, FileTally, Layout, PositionsBuilder, PositionsError};

/// A file with a larger share of repeated positions, one in this number, gets a warning.
const MAX_REPEATED: u64 = 10;

/// A file of positions that a fit has learned from.
#[derive(Clone, Debug, Serialize)]
pub(super) struct PositionsFile {
    /// Path of the file.
    pub(super) file: PathBuf,
    /// SHA-256 of the file as it is stored, in hexadecimal digits.
    pub(super) sha256: String,
    /// Number of lines.
    #[serde(flatten)]
    pub(super) tally: FileTally,
}

/// Reads the files of a fit; `None` if cancelled.
///
/// # Errors
/// A file cannot be read, or most of its lines are no positions with results.
pub(super) fn dataset(
    stage: &Stage<'_>,
    start: &Variant,
    texel: &TexelStage,
) -> Result<Option<(Dataset, Vec<PositionsFile>)>, Failure> {
    let layout = Layout::of(start, &texel.dimensions)?;
    let folder = stage.file.parent().filter(|it| *it != Path::new(""));
    let folder = folder.unwrap_or(Path::new("."));
    let card = stage.origin.loaded.config.game.card;
    let mut builder = PositionsBuilder::new(card, layout, folder, stage.session.threads)?;
    let mut files = Vec::new();
    for file in texel.files() {
        let name = shown_path(file).to_string();
        let read = read(&mut builder, stage, file, &name);
        match read.with_context(|| format!("cannot learn from `{name}`"))? {
            Some(read) => files.push(read),
            None => return Ok(None),
        }
    }
    Ok(Some((builder.build()?, files)))
}

/// The identity of a fit to positions: all that determines its values.
pub(super) fn identity(start: &Variant, texel: &TexelStage, files: &[PositionsFile]) -> String {
    let digests: Vec<&str> = files.iter().map(|file| file.sha256.as_str()).collect();
    let TexelStage {
        k,
        pull,
        epochs,
        patience,
        least_visits,
        dimensions,
        ..
    } = texel;
    let terms = json!([k, pull, epochs, patience, least_visits, dimensions]);
    let of = json!(["fit", env!("CARGO_PKG_VERSION"), start, terms, digests]);
    hexadecimal(&Sha256::digest(of.to_string()))
}

/// Adds the positions of a file; `None` if cancelled.
fn read(
    builder: &mut PositionsBuilder,
    stage: &Stage<'_>,
    path: &Path,
    name: &str,
) -> Result<Option<PositionsFile>, Failure> {
    let session = stage.session;
    let file = File::open(path)?;
    let bar = session.work("bytes", file.metadata()?.len());
    let mut source = Hashed {
        file,
        hasher: Sha256::new(),
        count: Arc::default(),
    };
    let count = Arc::clone(&source.count);
    let watch = || {
        bar.set(count.load(Ordering::Relaxed));
        if session.cancel.is_draining() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let read = {
        let mut text = Lines::new(unpacked(&mut source, name)?, name);
        let read = builder.read(&mut text, watch);
        for note in text.notes() {
            session.listener.warn(note);
        }
        read
    };
    drop(bar);
    if let Err(PositionsError::Unreadable(tally)) = &read {
        warn(name, tally, &*session.listener);
    }
    let Some(tally) = read? else {
        return Ok(None);
    };
    warn(name, &tally, &*session.listener);
    // The digest covers bytes behind the text too.
    io::copy(&mut source, &mut io::sink())?;
    Ok(Some(PositionsFile {
        file: path.to_owned(),
        sha256: hexadecimal(&source.hasher.finalize()),
        tally,
    }))
}

/// Reports the first unreadable lines, the number of others, and many repeated positions.
fn warn(name: &str, tally: &FileTally, listener: &dyn Listener) {
    for fault in &tally.faults {
        listener.warn(format!("{name}:{}: {}; skipped", fault.line, fault.reason));
    }
    if let more @ 1.. = tally.unreadable - tally.faults.len() as u64 {
        listener.warn(format!("{name}: skipped {more} more unreadable lines"));
    }
    if tally.repeated > tally.lines / MAX_REPEATED {
        listener.warn(format!(
            "{name}: about {} of {} lines repeat a position of earlier lines, and each counts\n\
             help: keep one line of each position, unless the repetitions come from different games",
            grouped(tally.repeated, ','),
            grouped(tally.lines, ','),
        ));
    }
}

/// A file with the digest and the number of the bytes read so far.
struct Hashed {
    file: File,
    hasher: Sha256,
    count: Arc<AtomicU64>,
}

impl Read for Hashed {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(bytes)?;
        self.hasher.update(&bytes[..read]);
        self.count.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
