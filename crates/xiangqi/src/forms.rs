//! The names of the file formats of Xiangqi games, and their detection.

use leitai_game::card::{Begins, FileForm};

/// The names of the formats, and their detection.
pub const FORMS: [FileForm; 2] = [
    FileForm {
        name: "xqf",
        title: "XQF",
        manner: "in XQF",
        about: "A game of Xiangqi of the program XQStudio",
        begins: Begins::Bytes(is_xqf),
        is_usual: false,
    },
    FileForm {
        name: "dhtmlxq",
        title: "DhtmlXQ",
        manner: "in DhtmlXQ",
        about: "Games of Xiangqi in the tags of forums and web pages",
        begins: Begins::Bytes(is_dhtml),
        is_usual: false,
    },
];

/// Returns whether a file begins with the mark of XQF and a version.
fn is_xqf(start: &[u8]) -> bool {
    matches!(start, [b'X', b'Q', version, ..] if *version < b' ')
}

/// The beginning of every tag of DhtmlXQ.
const TAG: &[u8] = b"[dhtmlxq";

/// Returns whether a text, which may be a web page in any encoding, has a tag of DhtmlXQ.
fn is_dhtml(start: &[u8]) -> bool {
    let holds_tag = |text: &[u8]| {
        let mut places = text.windows(TAG.len() + 1);
        places.any(|place| {
            let (tag, behind) = place.split_at(TAG.len());
            tag.eq_ignore_ascii_case(TAG) && matches!(behind, b"]" | b"_")
        })
    };
    // UTF-16 has a zero before or behind each of these letters.
    let has_zeros = start.iter().take(64).any(|byte| *byte == 0);
    holds_tag(start)
        || has_zeros && {
            let narrow: Vec<u8> = start.iter().copied().filter(|byte| *byte != 0).collect();
            holds_tag(&narrow)
        }
}
