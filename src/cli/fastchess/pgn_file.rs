//! The PGN file that grows as games end, and can be continued.

use std::collections::HashSet;
use std::io::{self, BufRead, Read, Write};

use crate::cli::prelude::*;

/// The tag that identifies games of a run: `[Record "RUN NUMBER"]`.
pub(super) const TAG: &str = "Record";

/// Longer lines are read in parts.
const LINE: u64 = 1 << 16;

/// A PGN file.
pub(super) struct PgnFile {
    out: Box<dyn Write + Send>,
    name: String,
    /// The first letters of the run's identity.
    run: String,
    /// Numbers of the run's games in the file.
    written: HashSet<u64>,
    crc: crc32fast::Hasher,
}

impl PgnFile {
    /// Opens the file for the games of a run.
    ///
    /// # Errors
    /// The file cannot be opened, or holds other games and `append` is false.
    pub(super) fn resume(file: OutputFile, run: &str, append: bool) -> Result<Self, Failure> {
        let name = shown_path(file.name()).to_string();
        let run: String = run.chars().take(12).collect();
        let mut found = ExistingPgn::default();
        let out = file.continued(|input| {
            found = ExistingPgn::read(input, &run)?;
            if !append && found.written.is_empty() && found.length > 0 {
                let reason = "it is there already with other games, and `append=false`";
                return Ok(Err(reason.to_owned()));
            }
            Ok(Ok(found.length))
        })?;
        let mut file = Self {
            out,
            name,
            run,
            written: found.written,
            crc: found.crc,
        };
        if found.needs_break {
            file.put(b"\n\n")?;
        }
        Ok(file)
    }

    /// Returns whether the file contains a game of the run.
    pub(super) fn has(&self, number: u64) -> bool {
        self.written.contains(&number)
    }

    /// The value of a game's tag.
    pub(super) fn value(&self, number: u64) -> String {
        format!("{} {number}", self.run)
    }

    /// Adds a game.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn add(&mut self, number: u64, text: &str) -> io::Result<()> {
        // One call, so that a killed process leaves the whole game or nothing.
        self.put(text.as_bytes())?;
        self.written.insert(number);
        Ok(())
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.out.flush()?;
        self.crc.update(bytes);
        Ok(())
    }

    /// The line with the file's checksum.
    pub(super) fn crc_line(&self) -> String {
        format!(
            "File {} has CRC32: {:#x}\n",
            self.name,
            self.crc.clone().finalize()
        )
    }
}

/// The content of an existing file.
#[derive(Debug, Default)]
struct ExistingPgn {
    written: HashSet<u64>,
    /// Length of the whole games.
    length: u64,
    crc: crc32fast::Hasher,
    /// True if the file ends in an incomplete game of another run.
    needs_break: bool,
}

impl ExistingPgn {
    fn read(input: &mut dyn BufRead, run: &str) -> io::Result<Self> {
        let tag = format!("[{TAG} \"{run} ");
        let mut found = Self::default();
        // The current game: its offset and the checksum before it, its number, and whether its
        // result was read.
        let mut begun = (0, crc32fast::Hasher::new());
        let (mut number, mut has_result) = (None::<u64>, false);
        let mut is_open = false;
        let mut line = Vec::new();
        loop {
            line.clear();
            (&mut *input).take(LINE).read_until(b'\n', &mut line)?;
            if line.is_empty() {
                break;
            }
            let text = line.trim_ascii();
            if !text.is_empty() && !is_open || line.starts_with(b"[Event ") {
                begun = (found.length, found.crc.clone());
                (number, has_result, is_open) = (None, false, true);
            }
            found.length += line.len() as u64;
            found.crc.update(&line);
            if let Some(rest) = text.strip_prefix(tag.as_bytes()) {
                let digits = rest.strip_suffix(b"\"]").unwrap_or_default();
                number = std::str::from_utf8(digits)
                    .ok()
                    .and_then(|it| it.parse().ok());
            } else if text.is_empty() && has_result {
                found.written.extend(number.take());
                is_open = false;
            } else if !text.is_empty() {
                let results: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];
                let is_result = |result: &&[u8]| text.ends_with(result);
                has_result = !text.starts_with(b"[") && results.iter().any(is_result);
            }
        }
        if is_open && (number.is_some() || !found.written.is_empty()) {
            (found.length, found.crc) = begun;
        } else {
            found.needs_break = is_open;
        }
        Ok(found)
    }
}
