//! The names of the file formats of Chess, and their detection.

use leitai_game::card::{Begins, GameFormat};

/// Bytes of an entry of a book of `PolyGlot`.
pub(super) const ENTRY: usize = 16;

/// The names of the formats, and their detection.
pub const FORMATS: [GameFormat; 1] = [GameFormat {
    name: "polyglot",
    title: "a book of PolyGlot",
    manner: "in a book of PolyGlot",
    about: "Openings of Chess in a book of PolyGlot (.bin)",
    begins: Begins::Bytes(is_polyglot),
    is_usual: false,
}];

/// Returns whether a file begins with entries of a book, each with a move that could be one. Text
/// has no zeros, and its letters are no moves. The reader reports entries that are not sorted.
fn is_polyglot(start: &[u8]) -> bool {
    let mut entries = start.chunks_exact(ENTRY);
    let is_move = |entry: &[u8]| {
        let bits = u16::from_be_bytes([entry[8], entry[9]]);
        let (from, to) = (bits >> 6 & 63, bits & 63);
        let promotes = matches!((from >> 3, to >> 3), (1, 0) | (6, 7));
        from != to && (bits >> 12 == 0 || bits >> 12 < 5 && promotes)
    };
    start.len() >= ENTRY && start.contains(&0) && entries.all(is_move)
}
