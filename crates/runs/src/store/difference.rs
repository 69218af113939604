//! Compares two recordings of one pair.

use super::PairRow;

/// Describes the first relevant difference between a recorded pair and another one with the same
/// number; `None` if there is none. If play is not reproducible, the games may differ, but not
/// their place in the schedule.
pub fn difference(stored: &PairRow, given: &PairRow, reproducible: bool) -> Option<String> {
    let place = [
        ("pairing", vec![stored.pairing], vec![given.pairing]),
        (
            "variants",
            stored.variants.to_vec(),
            given.variants.to_vec(),
        ),
        ("opening", vec![stored.opening], vec![given.opening]),
    ];
    for (what, was, is) in place {
        if was != is {
            let words = |numbers: Vec<usize>| {
                let words: Vec<String> = numbers.iter().map(ToString::to_string).collect();
                words.join(" and ")
            };
            return Some(format!("{what} {}, now {}", words(was), words(is)));
        }
    }
    if !reproducible {
        return None;
    }
    for (number, (was, is)) in stored
        .record
        .games
        .iter()
        .zip(&given.record.games)
        .enumerate()
    {
        if (was.first, was.second) != (is.first, is.second) {
            return Some(format!("the players of game {number} differ"));
        }
        let plies = was.plies.iter().zip(&is.plies);
        if let Some(ply) = plies.clone().position(|(was, is)| was.mv != is.mv) {
            return Some(format!("game {number} plays another move at ply {ply}"));
        }
        if was.plies.len() != is.plies.len() {
            return Some(format!(
                "game {number} has {} plies, now {}",
                was.plies.len(),
                is.plies.len()
            ));
        }
        if let Some(ply) = plies.clone().position(|(was, is)| was != is) {
            return Some(format!(
                "game {number} has the same moves, but another score, depth or node count at ply \
                 {ply}"
            ));
        }
        if was.verdict != is.verdict {
            let text = |game: &leitai_players::play::GameRecord| {
                format!("{} by {}", game.verdict.result_text(), game.verdict.cause)
            };
            return Some(format!(
                "game {number} ended {}, now {}",
                text(was),
                text(is)
            ));
        }
    }
    if stored.record.spoilt != given.record.spoilt {
        return Some("other attempts at it failed".to_owned());
    }
    (stored.record.hashes != given.record.hashes)
        .then(|| "the same moves have other transcript hashes".to_owned())
}
