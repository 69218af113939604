//! Names of openings.

use std::sync::{Mutex, PoisonError};

use leitai_game::card::GameCard;

/// The code and the name of an opening.
pub(super) type OpeningName = [&'static str; 2];

/// The names of a game's openings by the key of their position, sorted.
#[derive(Clone, Copy)]
pub(super) struct OpeningNames(&'static [(u64, OpeningName)]);

/// The names of each game, read at their first use.
static ALL: Mutex<Vec<(&'static str, OpeningNames)>> = Mutex::new(Vec::new());

impl OpeningNames {
    /// The names of a game; reads them at the first use.
    pub(super) fn of(card: &'static dyn GameCard) -> Self {
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = all.iter().find(|(name, _)| *name == card.name()) {
            return *known;
        }
        let read = Self(Box::leak(read(card.facts().opening_names)));
        all.push((card.name(), read));
        read
    }

    /// The name of the position with that key.
    pub(super) fn at(self, key: u64) -> Option<OpeningName> {
        let place = self.0.binary_search_by_key(&key, |&(key, _)| key).ok()?;
        Some(self.0[place].1)
    }
}

fn read(text: &'static str) -> Box<[(u64, OpeningName)]> {
    let named = text.lines().filter_map(|line| {
        let (key, name) = line.split_once('\t')?;
        let (code, name) = name.split_once('\t')?;
        Some((u64::from_str_radix(key, 16).ok()?, [code, name]))
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;
    use std::path::Path;

    use super::*;

    fn chess() -> &'static dyn GameCard {
        leitai_games::all().named("chess").unwrap()
    }

    /// `UPDATE_DOCS=1` writes `opening_names.tsv` from `opening_moves.tsv`.
    #[test]
    fn names_stand_at_the_keys_of_their_positions() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../chess/src");
        let list = fs::read_to_string(source.join("opening_moves.tsv")).unwrap();
        let lines: Vec<&str> = list.lines().filter(|line| !line.starts_with('#')).collect();
        let named = lines.iter().map(|line| {
            let (name, moves) = line.rsplit_once('\t').unwrap();
            let mut position = chess().initial();
            for word in moves.split(' ') {
                position.play(position.parse_move(word).unwrap());
            }
            (position.key(), name)
        });
        // Some positions have two names: the last counts.
        let named: BTreeMap<u64, &str> = named.collect();
        assert!(named.len() > 3_500 && lines.len() - named.len() < 50);
        let written = named
            .iter()
            .map(|(key, name)| format!("{key:016x}\t{name}\n"));
        let written: String = written.collect();
        if std::env::var_os("UPDATE_DOCS").is_some() {
            fs::write(source.join("opening_names.tsv"), &written).unwrap();
        }
        let shipped = chess().facts().opening_names.lines();
        assert!(
            shipped.eq(written.lines()),
            "`opening_names.tsv` is out of date: run this test with `UPDATE_DOCS=1`"
        );
        assert_eq!(OpeningNames::of(chess()).0.len(), named.len());
    }

    #[test]
    fn positions_have_names_in_any_order_of_their_moves() {
        let at = |words: &str| {
            let mut position = chess().initial();
            for word in words.split_whitespace() {
                position.play(position.parse_move(word).unwrap());
            }
            OpeningNames::of(chess()).at(position.key())
        };
        assert_eq!(at(""), None);
        assert_eq!(at("e2e4 c7c5"), Some(["B20", "Sicilian Defense"]));
        assert_eq!(at("e2e4 c7c5 f2f3 h7h6 h2h3 a7a6"), None);
        let spanish = Some(["C60", "Ruy Lopez"]);
        assert_eq!(at("e2e4 e7e5 g1f3 b8c6 f1b5"), spanish);
        assert_eq!(at("g1f3 b8c6 e2e4 e7e5 f1b5"), spanish);
    }
}
