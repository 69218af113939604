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
    /// Digests of its text with line feeds as line ends: SHA-256 as 64 lowercase hexadecimal
    /// digits, or SHA-384 as 96. One match is enough.
    pub digests: &'static [&'static str],
}
