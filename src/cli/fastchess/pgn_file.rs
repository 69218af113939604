//! Files of games that grow as games end, and can be continued: PGN, and EPD with the last
//! position of each game.

use std::collections::HashSet;
use std::io::{self, BufRead, Read, Write};

use crate::cli::prelude::*;

/// The tag that identifies games of a run: `[Record "RUN NUMBER"]`; in EPD the operation `c0`.
pub(super) const TAG: &str = "Record";

/// Longer lines are read in parts.
const LINE: u64 = 1 << 16;

/// A file of games.
pub(super) struct GamesFile {
    out: Box<dyn Write + Send>,
    name: String,
    /// True if the games of another match were removed.
    pub(super) was_emptied: bool,
    /// The first letters of the run's identity.
    run: String,
    /// Numbers of the run's games in the file.
    written: HashSet<u64>,
    crc: crc32fast::Hasher,
}

impl GamesFile {
    /// Opens a PGN file for the games of a run. Without `append`, removes the games of other runs
    /// from a file without any of this run.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub(super) fn resume(file: OutputFile, run: &str, append: bool) -> Result<Self, Failure> {
        Self::open(file, run, append, ExistingGames::of_pgn)
    }

    /// Opens an EPD file likewise.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub(super) fn resume_epd(file: OutputFile, run: &str, append: bool) -> Result<Self, Failure> {
        Self::open(file, run, append, ExistingGames::of_epd)
    }

    fn open(
        file: OutputFile,
        run: &str,
        append: bool,
        read: impl FnOnce(&mut dyn BufRead, &str) -> io::Result<ExistingGames>,
    ) -> Result<Self, Failure> {
        let name = shown_path(file.name()).to_string();
        let run: String = run.chars().take(12).collect();
        let mut found = ExistingGames::default();
        let mut was_emptied = false;
        let out = file.continued(|input| {
            found = read(input, &run)?;
            if !append && found.written.is_empty() && found.length > 0 {
                found = ExistingGames::default();
                was_emptied = true;
            }
            Ok(Ok(found.length))
        })?;
        let mut file = Self {
            out,
            name,
            was_emptied,
            run,
            written: found.written,
            crc: found.crc,
        };
        file.put(found.needs.as_bytes())?;
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
struct ExistingGames {
    written: HashSet<u64>,
    /// Length of the complete games, in bytes.
    length: u64,
    crc: crc32fast::Hasher,
    /// Line breaks to add after an incomplete game of another run.
    needs: &'static str,
}

impl ExistingGames {
    /// Reads lines that end with `c0 "RUN NUMBER";`.
    fn of_epd(input: &mut dyn BufRead, run: &str) -> io::Result<Self> {
        let mark = format!("c0 \"{run} ");
        let mut found = Self::default();
        let mut line = Vec::new();
        loop {
            line.clear();
            (&mut *input).take(LINE).read_until(b'\n', &mut line)?;
            let text = String::from_utf8_lossy(&line);
            let rest = text.split_once(&mark).map(|(_, rest)| rest);
            let digits = rest.and_then(|rest| rest.split('"').next());
            let number = digits.and_then(|digits| digits.parse::<u64>().ok());
            match (line.last(), number) {
                (None, _) => return Ok(found),
                (Some(b'\n'), number) => found.written.extend(number),
                // The last line is incomplete: drop it.
                (Some(_), _) if !found.written.is_empty() => return Ok(found),
                (Some(_), _) => found.needs = "\n",
            }
            found.length += line.len() as u64;
            found.crc.update(&line);
        }
    }

    fn of_pgn(input: &mut dyn BufRead, run: &str) -> io::Result<Self> {
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
            found.needs = if is_open { "\n\n" } else { "" };
        }
        Ok(found)
    }
}
