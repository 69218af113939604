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
    // The moves of a line and the positions after them; the next one begins alike.
    let mut played: Vec<(&str, Box<dyn AnyPosition>)> = Vec::new();
    let named = lines.filter_map(|line| {
        let mut fields = line.split('\t');
        let [code, name, moves] = [fields.next()?, fields.next()?, fields.next()?];
        let both = played.iter().zip(moves.split(' '));
        let common = both.take_while(|((one, _), other)| one == other).count();
        played.truncate(common);
        for word in moves.split(' ').skip(common) {
            let last = played.last();
            let mut position = last.map_or_else(|| card.initial(), |(_, it)| it.clone());
            position.play(position.parse_move(word).ok()?);
            played.push((word, position));
        }
        Some((played.last()?.1.key(), [code, name]))
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chess() -> &'static dyn GameCard {
        leitai_games::all().named("chess").unwrap()
    }

    #[test]
    fn every_line_of_the_list_is_a_name() {
        let lines = chess().facts().opening_names.lines();
        let lines = lines.filter(|line| !line.starts_with('#')).count();
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
