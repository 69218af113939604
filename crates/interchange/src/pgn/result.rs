//! Results of games in words.

/// Half points of the side that wins with `1-0`, by the words of PGN, of pages (`1–0`, `½ : ½`) or
/// the Chinese ones (红胜, 红先负, 和; Red is that side). `None` for an unfinished game, and for
/// words that are no result.
pub fn half_points(result: &str) -> Option<u8> {
    match result {
        "1-0" | "红胜" | "紅勝" | "红先胜" | "紅先勝" | "红方胜" | "紅方勝" | "黑负" | "黑負"
        | "先胜" | "先勝" => Some(2),
        "0-1" | "黑胜" | "黑勝" | "黑方胜" | "黑方勝" | "红先负" | "紅先負" | "红负" | "紅負"
        | "先负" | "先負" => Some(0),
        "1/2-1/2" | "1/2" | "½" | "和" | "和棋" | "和局" | "平局" | "红先和" | "紅先和"
        | "先和" => Some(1),
        _ => {
            let (rest, points) = ending(result.trim(), true)?;
            rest.is_empty().then_some(points)
        }
    }
}

/// The results by half points.
const RESULTS: [&str; 3] = ["0-1", "1/2-1/2", "1-0"];

/// A result in the first mover's half points.
pub fn result_text(points: Option<u8>) -> &'static str {
    points.map_or("*", |points| RESULTS[usize::from(points.min(2))])
}

/// The scores of a side, with their half points.
const SCORES: [(&str, u8); 6] = [
    ("1/2", 1),
    ("½", 1),
    ("0.5", 1),
    ("0,5", 1),
    ("1", 2),
    ("0", 0),
];

/// Signs between the scores of the sides: hyphens and dashes.
const DASHES: [char; 8] = ['-', '‐', '‑', '‒', '–', '—', '−', '―'];

/// The result at the end of a text, in half points, and the text before it. With `is_free` there
/// may be blanks in it, or a colon instead of the dash.
fn ending(text: &str, is_free: bool) -> Option<(&str, u8)> {
    let (text, second) = last_score(text)?;
    let text = if is_free { text.trim_end() } else { text };
    let text = text.strip_suffix(|it| DASHES.contains(&it) || is_free && it == ':')?;
    let text = if is_free { text.trim_end() } else { text };
    let (text, first) = last_score(text)?;
    (first + second == 2).then_some((text, first))
}

/// The score at the end of a text, in half points, and the text before it.
fn last_score(text: &str) -> Option<(&str, u8)> {
    let mut scores = SCORES.iter();
    scores.find_map(|(score, points)| Some((text.strip_suffix(score)?, *points)))
}

/// Reads a result that is `word`, or begins with it and goes on behind it on the line (`1 - 0`).
/// Returns the result and its number of bytes behind the word.
pub(super) fn result_at(word: &str, behind: &str) -> Option<(&'static str, usize)> {
    let bytes = word.as_bytes();
    if word == "*" {
        return Some(("*", 0));
    }
    if bytes[0].is_ascii_alphabetic() || word.ends_with('.') {
        return None;
    }
    let spaced = || {
        let is_blank = |letter: char| letter.is_whitespace() && letter != '\n';
        let next = behind.trim_start_matches(is_blank);
        let second = next.strip_prefix(DASHES)?.trim_start_matches(is_blank);
        let end = second.find(|it: char| it.is_whitespace() || "{}();[]".contains(it));
        let second = &second[..end.unwrap_or(second.len())];
        let points = half_points(&format!("{word}-{second}"))?;
        let bytes = second.as_ptr().addr() + second.len() - behind.as_ptr().addr();
        Some((result_text(Some(points)), bytes))
    };
    let is_score = SCORES.iter().any(|(score, _)| *score == word);
    let whole = || Some((result_text(Some(half_points(word)?)), 0));
    is_score.then(spaced).flatten().or_else(whole)
}

/// A move and the result that follows it without a blank.
pub(super) fn glued_result(word: &str) -> Option<(&str, &'static str)> {
    if let Some(mv) = word.strip_suffix('*') {
        return (!mv.is_empty()).then_some((mv, "*"));
    }
    // Before the last letter of a result is a dash, `/`, a point, or a part of a letter.
    let [.., b'-' | b'/' | b'.' | b',' | 0x80.., _] = word.as_bytes() else {
        return None;
    };
    let (mv, points) = ending(word, false)?;
    let mv = mv.trim_end_matches(['+', '#', '!', '?']);
    (!mv.is_empty()).then_some((mv, result_text(Some(points))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_have_many_forms() {
        for (text, points) in [
            ("1-0", 2),
            ("0–1", 0),
            ("½-½", 1),
            ("1/2–1/2", 1),
            ("0.5-0.5", 1),
            ("1 : 0", 2),
            ("½—½", 1),
            ("红胜", 2),
            ("和棋", 1),
        ] {
            assert_eq!(half_points(text), Some(points), "{text}");
        }
        for text in ["*", "1", "0-0", "1-1", "?", "", "1/2-0", "0-0-0", "O-O"] {
            assert_eq!(half_points(text), None, "{text}");
        }
    }

    #[test]
    fn results_may_be_glued_or_spaced() {
        assert_eq!(glued_result("Qxf7#1-0"), Some(("Qxf7", "1-0")));
        assert_eq!(glued_result("e41/2–1/2"), Some(("e4", "1/2-1/2")));
        assert_eq!(glued_result("Kd2*"), Some(("Kd2", "*")));
        for word in ["O-O-O", "0-0", "H0-I0", "P1-1", "C5-1", "e2-e4", "f5d6c3"] {
            assert_eq!(glued_result(word), None, "{word}");
        }
        assert_eq!(result_at("1", " - 0 x"), Some(("1-0", 4)));
        assert_eq!(result_at("1/2", " – 1/2"), Some(("1/2-1/2", 8)));
        assert_eq!(result_at("1/2", "\n- 1/2"), Some(("1/2-1/2", 0)));
        assert_eq!(result_at("1", " e4"), None);
        assert_eq!(result_at("12.", " e4"), None);
    }
}
