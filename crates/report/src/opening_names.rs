//! Names of openings.

use std::sync::{Mutex, PoisonError};

use leitai_game::Move;
use leitai_game::card::{AnyPosition, GameCard};

/// The code and the name of an opening.
pub(super) type OpeningName = [&'static str; 2];

/// Names by position key, sorted.
type Names = Vec<(u64, OpeningName)>;

/// The names of each game, read at their first use.
static NAMES: Mutex<Vec<(&'static str, &'static Names)>> = Mutex::new(Vec::new());

/// Returns the name of the last position that has one.
pub(super) fn name_of(
    start: &dyn AnyPosition,
    moves: impl IntoIterator<Item = Move>,
) -> Option<OpeningName> {
    let names = names(start.card());
    if names.is_empty() {
        return None;
    }
    let find = |key| {
        let place = names.binary_search_by_key(&key, |&(key, _)| key);
        place.ok().map(|place| names[place].1)
    };
    let mut position = start.boxed();
    let mut found = find(position.key());
    for mv in moves {
        position.play(mv);
        found = find(position.key()).or(found);
    }
    found
}

/// Returns the names of a game; reads them at the first use.
fn names(card: &'static dyn GameCard) -> &'static Names {
    let mut all = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, known)) = all.iter().find(|(name, _)| *name == card.name()) {
        return known;
    }
    let read: &'static Names = Box::leak(Box::new(read(card)));
    all.push((card.name(), read));
    read
}

fn read(card: &'static dyn GameCard) -> Names {
    let lines = card.facts().opening_names.lines();
    let named = lines.filter_map(|line| {
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

    /// `UPDATE_DOCS=1` makes the names from the list of moves.
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
        assert!(shipped.eq(written.lines()), "run with UPDATE_DOCS=1");
        assert_eq!(names(chess()).len(), named.len());
    }

    #[test]
    fn the_last_named_position_counts() {
        let of = |words: &str| {
            let mut position = chess().initial();
            let moves = words.split_whitespace().map(|word| {
                let mv = position.parse_move(word).unwrap();
                position.play(mv);
                mv
            });
            let moves: Vec<Move> = moves.collect();
            name_of(&*chess().initial(), moves)
        };
        assert_eq!(of(""), None);
        assert_eq!(of("e2e4 c7c5"), Some(["B20", "Sicilian Defense"]));
        let [_, longer] = of("e2e4 c7c5 f2f3 h7h6 h2h3 a7a6").unwrap();
        assert!(longer.starts_with("Sicilian Defense"), "{longer}");
        let spanish = Some(["C60", "Ruy Lopez"]);
        assert_eq!(of("e2e4 e7e5 g1f3 b8c6 f1b5"), spanish);
        // Another order of the moves.
        assert_eq!(of("g1f3 b8c6 e2e4 e7e5 f1b5"), spanish);
    }
}
