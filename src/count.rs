//! Numbers before nouns.

/// A number with the right form of its noun.
pub fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn one_is_no_plural() {
        let told = [0, 1, 2].map(|number| count(number, "game", "games"));
        assert_eq!(told, ["0 games", "1 game", "2 games"]);
    }
}
