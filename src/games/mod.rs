//! The games: each is a folder that holds all of it, and a word here.

use crate::card::Games;
use crate::cli::Entry;

/// The games of Leitai.
macro_rules! games {
    ($($name:ident),+ $(,)?) => {
        $(pub mod $name;)+

        /// All of them with what they bring to the command line, in the order in which they
        /// are shown.
        pub fn entries() -> Vec<Entry> {
            vec![$($name::entry()),+]
        }
    };
}

games! { xiangqi, othello, go }

/// All of them.
pub fn all() -> Games {
    entries().iter().map(|entry| entry.card).collect()
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;
    use crate::config::eval_preset;
    use crate::schedule::hexadecimal;

    /// What was searched for a study is known again by these texts: they are those of the
    /// first records.
    #[test]
    fn numbers_stand_in_keys_of_studies_as_ever() {
        let of_game = |card: &'static dyn crate::card::GameCard| {
            let presets = card.numbers().presets.iter();
            let params = presets.map(|preset| eval_preset(card.numbers(), preset.name).unwrap());
            let texts: String = params.map(|params| card.debug_numbers(&params)).collect();
            (card.name(), hexadecimal(&Sha256::digest(texts)[..4]))
        };
        let found: Vec<_> = all().iter().map(of_game).collect();
        let found: Vec<_> = found
            .iter()
            .map(|(game, key)| (*game, key.as_str()))
            .collect();
        let want = [
            ("xiangqi", "0d5b4430"),
            ("othello", "94ce339a"),
            ("go", "8e6f7c59"),
        ];
        assert_eq!(found, want);
    }
}
