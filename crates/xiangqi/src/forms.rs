//! The names of the file formats of Xiangqi games, and their detection.

use leitai_game::card::{Begins, GameFormat};

/// The names of the formats, and their detection.
pub const FORMATS: [GameFormat; 2] = [
    GameFormat {
        name: "xqf",
        title: "XQF",
        manner: "in XQF",
        about: "A game of Xiangqi of the program XQStudio",
        begins: Begins::Bytes(is_xqf),
        is_usual: false,
    },
    GameFormat {
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

/// The beginning of the end of every field.
const END: &[u8] = b"[/dhtmlxq_";

/// Returns whether a text, which may be a web page in any encoding, holds a game in tags of DhtmlXQ.
fn is_dhtml(start: &[u8]) -> bool {
    // UTF-16 has a zero before or behind each of these letters.
    let has_zeros = start.iter().take(64).any(|byte| *byte == 0);
    holds_game(start)
        || has_zeros && {
            let narrow: Vec<u8> = start.iter().copied().filter(|byte| *byte != 0).collect();
            holds_game(&narrow)
        }
}

/// Returns whether a text begins with a tag, or has a field with its end that PGN does not mention.
fn holds_game(text: &[u8]) -> bool {
    let is_tag = |place: &[u8]| {
        let (tag, behind) = place.split_at(TAG.len());
        tag.eq_ignore_ascii_case(TAG) && matches!(behind, b"]" | b"_")
    };
    let Some(at) = text.windows(TAG.len() + 1).position(is_tag) else {
        return false;
    };
    let (before, tags) = text.split_at(at);
    let is_mark = |byte: &&u8| b"\xEF\xBB\xBF\xFE\xFF".contains(byte);
    let before = &before[before.iter().take_while(is_mark).count()..];
    let mut ends = tags.windows(END.len());
    let is_closed = ends.any(|end| end.eq_ignore_ascii_case(END));
    before.trim_ascii().is_empty() || is_closed && !is_in_pgn(before)
}

/// Returns whether PGN goes on behind a text: it has a tag pair, or ends within a comment.
fn is_in_pgn(before: &[u8]) -> bool {
    let before = before.trim_ascii_start();
    if before.starts_with(b"<") {
        return false;
    }
    let lines = before.split(|byte| matches!(byte, b'\n' | b'\r'));
    let is_pair = |line: &[u8]| {
        let tag = line.trim_ascii_start().strip_prefix(b"[");
        let value = tag.map(<[u8]>::trim_ascii_start).and_then(|tag| {
            let end = tag.iter().position(|byte| !byte.is_ascii_alphanumeric())?;
            (end > 0).then(|| tag[end..].trim_ascii_start())
        });
        value.is_some_and(|value| value.starts_with(b"\""))
    };
    let last = lines.clone().next_back().unwrap_or_default();
    let is_comment = |word: &[u8]| word.starts_with(b";");
    let mut words = last.split(u8::is_ascii_whitespace);
    let place = |brace: u8| before.iter().rposition(|byte| *byte == brace);
    lines.clone().any(is_pair)
        || place(b'{') > place(b'}')
        || last.starts_with(b"%")
        || words.any(is_comment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pgn_that_mentions_a_tag_is_pgn() {
        let game = "[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]";
        for text in [
            "[Event \"x\"]\n\n1. h2e2 {see [DhtmlXQ]} *".to_owned(),
            format!("\u{feff}[Event \"x\"]\n\n1. h2e2 {{see {game}}} *"),
            format!("; made by hand\n[ Source \"{game}\"]\n\n1. h2e2 *"),
            format!("1. h2e2 {{a}} h9g7 {{b {game}}} *"),
            format!("1. h2e2 ; {game}\n *"),
            format!("% {game}\n1. h2e2 *"),
            "a text about [DhtmlXQ_title] tags".to_owned(),
        ] {
            assert!(!is_dhtml(text.as_bytes()), "{text}");
        }
        for text in [
            game.to_owned(),
            "\u{feff}[DhtmlXQ][DhtmlXQ_title".to_owned(),
            format!("1. my game; the best\n{game}"),
            format!("<p style=\"a\">{{ {game}</p>"),
            format!("[b]a post[/b] [url=\"x\"] {game}"),
        ] {
            assert!(is_dhtml(text.as_bytes()), "{text}");
            let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            assert!(is_dhtml(&wide), "{text}");
        }
    }
}
