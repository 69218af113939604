//! Numbers as text: before nouns, and with signs.

/// A number with the right form of its noun.
pub(crate) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// A number with its sign and so many decimals; what is rounded to zero is `+0`.
pub(crate) fn with_sign(number: f64, decimals: usize) -> String {
    let text = format!("{number:+.decimals$}");
    if text.bytes().any(|digit| (b'1'..=b'9').contains(&digit)) || !number.is_finite() {
        text
    } else {
        text.replacen('-', "+", 1)
    }
}

/// A number with so many decimals; what is rounded to zero has no sign.
pub(crate) fn rounded(number: f64, decimals: usize) -> String {
    let text = with_sign(number, decimals);
    text.strip_prefix('+').map(str::to_owned).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::{count, rounded, with_sign};

    #[test]
    fn zero_has_no_minus() {
        for (number, text) in [
            (-0.0, "+0.0"),
            (-0.04, "+0.0"),
            (-0.06, "-0.1"),
            (12.34, "+12.3"),
            (-10.0, "-10.0"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(with_sign(number, 1), text);
            assert_eq!(rounded(number, 1), text.trim_start_matches('+'));
        }
    }

    #[test]
    fn one_is_no_plural() {
        let told = [0, 1, 2].map(|number| count(number, "game", "games"));
        assert_eq!(told, ["0 games", "1 game", "2 games"]);
    }
}
