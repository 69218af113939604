//! Well-known books of openings.

/// A book identified by the digest of its text, and not included in this program.
#[derive(Clone, Copy, Debug)]
pub struct KnownBook {
    /// Its file name, without a folder.
    pub file: &'static str,
    /// The number of openings; 0 if unknown.
    pub openings: u64,
    /// Its author and method, in a few words; may be empty.
    pub about: &'static str,
    /// The digest of its text with line feeds as line ends: SHA-256 as 64 lowercase hexadecimal
    /// digits, or SHA-384 as 96.
    pub digest: &'static str,
}

impl KnownBook {
    /// Reads a table of books, one a line: digest, number of openings, file name, description.
    /// Other lines are skipped.
    pub fn read_all(table: &'static str) -> impl Iterator<Item = Self> {
        table.lines().filter_map(|line| {
            let mut words = line.splitn(4, ' ');
            Some(Self {
                digest: words.next()?,
                openings: words.next()?.parse().ok()?,
                file: words.next()?,
                about: words.next().unwrap_or_default(),
            })
        })
    }
}
