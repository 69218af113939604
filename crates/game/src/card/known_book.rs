//! Books of openings that everybody knows.

/// A book that is known by the digest of its text, and is not part of this program.
#[derive(Clone, Copy, Debug)]
pub struct KnownBook {
    /// The name of its file, without a folder.
    pub file: &'static str,
    /// How many openings it has; 0 if that is not known.
    pub openings: u64,
    /// Who made it, and how, in a few words; may be empty.
    pub about: &'static str,
    /// Digests of its text with line feeds as line ends: SHA-256 as 64 lowercase
    /// hexadecimal digits, or SHA-384 as 96. Any one of them will do.
    pub digests: &'static [&'static str],
}
