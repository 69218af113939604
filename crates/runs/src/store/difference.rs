//! Compares two recordings of one pair.

use super::PairRow;
use leitai_game::Verdict;

/// Describes the first relevant difference between a recorded pair and another one with the same
/// number; `None` if there is none. If play is not reproducible, the games may differ, but not
/// their place in the schedule.
pub fn difference(stored: &PairRow, given: &PairRow, reproducible: bool) -> Option<String> {
    let places = |row: &PairRow| {
        let [a, b] = row.variants;
        [
            ("pairing", vec![row.pairing]),
            ("variants", vec![a, b]),
            ("opening", vec![row.opening]),
        ]
    };
    let mut both = places(stored).into_iter().zip(places(given));
    if let Some(((field, was), (_, is))) = both.find(|(was, is)| was != is) {
        let [was, is] = [was, is].map(|numbers| {
            let words: Vec<String> = numbers.iter().map(usize::to_string).collect();
            words.join(" and ")
        });
        return Some(format!("{field} {was}, now {is}"));
    }
    if !reproducible {
        return None;
    }
    let games = stored.record.games.iter().zip(&given.record.games);
    for (number, (was, is)) in (1..).zip(games) {
        if (was.first, was.second) != (is.first, is.second) {
            return Some(format!("the players of game {number} differ"));
        }
        let plies = || (1..).zip(was.plies.iter().zip(&is.plies));
        if let Some((ply, _)) = plies().find(|(_, (was, is))| was.mv != is.mv) {
            return Some(format!("game {number} has another move at ply {ply}"));
        }
        let [had, has] = [was.plies.len(), is.plies.len()];
        if had != has {
            return Some(format!("game {number} has {had} plies, now {has}"));
        }
        if let Some((ply, _)) = plies().find(|(_, (was, is))| was != is) {
            return Some(format!(
                "game {number} has the same moves, but another score, depth or node count at ply \
                 {ply}"
            ));
        }
        if was.verdict != is.verdict {
            let end = |verdict: Verdict| format!("{} by {}", verdict.result_text(), verdict.cause);
            let (was, is) = (end(was.verdict), end(is.verdict));
            return Some(format!("game {number} ended {was}, now {is}"));
        }
    }
    if stored.record.spoilt != given.record.spoilt {
        return Some("other attempts at it failed".to_owned());
    }
    (stored.record.hashes != given.record.hashes)
        .then(|| "the same moves have other transcript hashes".to_owned())
}
