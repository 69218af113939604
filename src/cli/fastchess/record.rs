//! The record of a match: the same command finds it again; the end of the match may remove or
//! rename it.

use sha2::{Digest, Sha256};

use super::config::{config, without_length};
use super::named_by_time;
use super::request::MatchRequest;
use crate::cli::prelude::*;
use leitai_players::schedule::hexadecimal;
use leitai_session::recorded::open_to_read;

/// The first words of the comments that name the files of a match in its config.
const PGN: &str = "# -pgnout ";
const EPD: &str = "# -epdout ";

/// The first words of the names of records in a test environment.
const TEST: &str = "fastchess-test-";
/// The age at which the record of a stopped match in a test environment is removed.
const LONGEST_PAUSE: Duration = Duration::from_hours(24);

/// The record of a match.
pub(super) struct MatchRecord {
    pub(super) path: PathBuf,
    /// The last run in the record; `None` if the record is missing, empty or unreadable.
    begun: Option<LastRun>,
    /// The fate of a record that the user did not name, at the end of the match.
    end: RecordEnd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RecordEnd {
    /// Keeps it: the same command reports the same match.
    Stays,
    /// Removes it.
    Removed,
    /// Adds the seed to its name: the same command plays another match.
    Renamed,
}

impl MatchRecord {
    /// The record in the current folder, named by a digest of the match without its length, so that
    /// the same command finds it; or the record that the user names.
    pub(super) fn find(request: &MatchRequest) -> Self {
        let mut hasher = Sha256::new();
        hasher.update(without_length(&config(request)));
        if request.seed.is_none() {
            hasher.update("a drawn seed");
        }
        let digest = hexadecimal(&hasher.finalize()[..6]);
        let stem = if request.output.test_env && request.run.store.is_none() {
            remove_old_records();
            format!("{TEST}{digest}")
        } else {
            format!("{}-{digest}", request.dialect.command())
        };
        let mut path = match &request.run.store {
            Some(store) => store.into(),
            None => PathBuf::from(format!("{stem}.sqlite")),
        };
        // Without a seed, each process with the same command plays its own match.
        let is_own = request.run.store.is_none() && request.seed.is_none();
        let mut begun = LastRun::of(&path);
        let mut number: u64 = 2;
        while is_own && begun.as_ref().is_some_and(|run| run.is_played) {
            path = PathBuf::from(format!("{stem}-process-{number}.sqlite"));
            begun = LastRun::of(&path);
            number += 1;
        }
        let end = match (&request.run.store, request.seed) {
            (None, _) if request.output.test_env => RecordEnd::Removed,
            (None, None) => RecordEnd::Renamed,
            _ => RecordEnd::Stays,
        };
        Self { path, begun, end }
    }

    /// Completes the request with the seed and the file names that the first start chose.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub(super) fn complete(&self, request: &mut MatchRequest) -> Result<(), Failure> {
        if request.seed.is_none() {
            let mut drawn = [0; 8];
            getrandom::fill(&mut drawn)
                .map_err(|error| anyhow!("cannot draw a seed: {error}\nhelp: give `-srand N`"))?;
            let drawn = u64::from_le_bytes(drawn) & (u64::MAX >> 1);
            let known = self.begun.as_ref().map(|run| run.seed);
            request.seed = Some(known.unwrap_or(drawn));
        }
        let named = |mark: &str, ending: &str| {
            let lines = self.begun.iter().flat_map(|run| run.config.lines());
            let mut names = lines.filter_map(|line| line.strip_prefix(mark));
            let known = names.next().map(str::to_owned);
            known.unwrap_or_else(|| named_by_time(ending))
        };
        if let Some(pgn) = &mut request.output.pgn
            && pgn.file.is_empty()
        {
            pgn.file = named(PGN, "pgn");
        }
        if let Some(epd) = &mut request.output.epd
            && epd.file.is_empty()
        {
            epd.file = named(EPD, "epd");
        }
        Ok(())
    }

    /// The config of a completed request.
    pub(super) fn config(request: &MatchRequest) -> String {
        let mut text = config(request);
        let (pgn, epd) = (&request.output.pgn, &request.output.epd);
        let files = [
            pgn.as_ref().map(|pgn| (PGN, &pgn.file)),
            epd.as_ref().map(|epd| (EPD, &epd.file)),
        ];
        for (mark, file) in files.into_iter().flatten() {
            let _ = writeln!(text, "{mark}{}", shown(file));
        }
        text
    }

    /// Removes or renames the record of a finished match.
    ///
    /// # Errors
    /// The file cannot be removed or renamed.
    pub(super) fn finish(&self, seed: u64) -> Result<(), Failure> {
        let place = shown_path(&self.path);
        match self.end {
            RecordEnd::Stays => {}
            RecordEnd::Removed => {
                std::fs::remove_file(&self.path)
                    .with_context(|| format!("cannot remove the record {place}"))?;
            }
            RecordEnd::Renamed => {
                let mut name = self.path.file_stem().unwrap_or_default().to_owned();
                name.push(format!("-{seed}.sqlite"));
                let path = self.path.with_file_name(name);
                if !path.exists() {
                    std::fs::rename(&self.path, &path)
                        .with_context(|| format!("cannot rename the record {place}"))?;
                    eprint(&format!(
                        "the record of this match is {}",
                        shown_path(&path)
                    ));
                }
            }
        }
        Ok(())
    }
}

/// Removes records of test environments that did not change for a day: clients restart a stopped
/// task with other options, and never remove its record.
fn remove_old_records() {
    let entries = Path::new(".").read_dir().into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let is_ours = name
            .to_str()
            .is_some_and(|name| name.starts_with(TEST) && name.contains(".sqlite"));
        let changed = entry.metadata().and_then(|found| found.modified()).ok();
        let age = changed.and_then(|changed| changed.elapsed().ok());
        if is_ours && age.is_some_and(|age| age > LONGEST_PAUSE) {
            // The next start tries again.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// The last run of a record.
struct LastRun {
    seed: u64,
    config: String,
    /// True if another process of this machine plays it.
    is_played: bool,
}

impl LastRun {
    /// Reads the last run of a record, if the record exists. A record that cannot be read is reported
    /// when the match begins.
    fn of(path: &Path) -> Option<Self> {
        if !path.exists() {
            return None;
        }
        let store = open_to_read(path).ok()?;
        let entry = store.run("latest").ok()?;
        Some(Self {
            is_played: store.is_played_here(&entry.handle).unwrap_or(false),
            seed: entry.meta.seed,
            config: entry.meta.source_text,
        })
    }
}
