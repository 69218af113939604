//! Names of openings.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use leitai_game::Move;
use leitai_game::card::{AnyPosition, GameCard};

/// The code and the name of an opening.
pub(super) type OpeningName = [&'static str; 2];

/// Names by position key.
type Names = HashMap<u64, OpeningName>;

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
    let mut position = start.boxed();
    let mut found = names.get(&position.key()).copied();
    for mv in moves {
        position.play(mv);
        found = names.get(&position.key()).copied().or(found);
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
    let lines = lines.filter(|line| !line.starts_with('#'));
    let named = lines.filter_map(|line| {
        let mut fields = line.split('\t');
        let [code, name, key] = [fields.next()?, fields.next()?, fields.next()?];
        Some((u64::from_str_radix(key, 16).ok()?, [code, name]))
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn chess() -> &'static dyn GameCard {
        leitai_games::all().named("chess").unwrap()
    }

    /// The keys are those of the positions after the moves; `UPDATE_DOCS=1` rewrites them.
    #[test]
    fn every_line_of_the_list_is_a_name() {
        let lines = || chess().facts().opening_names.lines();
        let with_key = |line: &'static str| {
            let fields: Vec<&str> = line.splitn(4, '\t').collect();
            let [code, name, _, moves] = fields[..] else {
                return format!("{line}\n");
            };
            let mut position = chess().initial();
            for word in moves.split(' ') {
                position.play(position.parse_move(word).unwrap());
            }
            format!("{code}\t{name}\t{:016x}\t{moves}\n", position.key())
        };
        let wanted: String = lines().map(with_key).collect();
        if std::env::var_os("UPDATE_DOCS").is_some() {
            let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
            let path = manifest.join("../chess/src/opening_names.tsv");
            std::fs::write(path, &wanted).unwrap();
        }
        assert!(lines().eq(wanted.lines()), "run with UPDATE_DOCS=1");
        let lines = lines().filter(|line| !line.starts_with('#')).count();
        // Some positions have two names.
        let names = names(chess()).len();
        assert!(names > 3_500 && lines - names < 50, "{names} of {lines}");
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
