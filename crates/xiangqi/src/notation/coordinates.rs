//! Squares: `h2e2` as in engine protocols (UCI, UCCI), `H2-E2` as in the Internet Chinese Chess
//! Server and game files.

use super::super::{Square, Xiangqi};
use leitai_game::Move;

/// `H2-E2`.
pub(super) fn iccs(mv: Move) -> String {
    Xiangqi::squares_of(mv).map_or_else(
        || "00-00".to_owned(),
        |(from, to)| format!("{from}-{to}").to_ascii_uppercase(),
    )
}

/// Reads both forms, in either case. The squares are on the board, but the move may be illegal.
pub(super) fn parse(text: &str) -> Option<Move> {
    let (from, rest) = text.split_at_checked(2)?;
    let to = rest.strip_prefix('-').unwrap_or(rest);
    Some(Xiangqi::move_between(
        Square::parse(from)?,
        Square::parse(to)?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_dresses_and_cases_name_the_same_squares() {
        let mv = parse("h2e2").unwrap();
        assert_eq!(iccs(mv), "H2-E2");
        for text in ["H2E2", "H2-E2", "h2-e2"] {
            assert_eq!(parse(text), Some(mv), "{text}");
        }
        for text in [
            "",
            "h2",
            "h2e",
            "h2--e2",
            "h2e2e",
            "h10e2",
            "炮二平五",
            "C2=5",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
