//! Pairs games.

use std::collections::{BTreeMap, VecDeque};

use super::Game;

/// Games sorted into pairs and others, each in the order of the files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Paired {
    pub(super) pairs: Vec<[Game; 2]>,
    pub(super) alone: Vec<Game>,
}

/// Pairs the games. Two games form a pair if the same players met with colours swapped from the
/// same opening, or in the same round if openings are unknown. Games with the same opening *and*
/// round are paired first. Each game is in one pair at most, and earlier games are paired first.
pub(super) fn pair(games: &[Game]) -> Paired {
    let mut paired = Paired::default();
    let mut free: Vec<bool> = vec![true; games.len()];
    let mut found: Vec<[usize; 2]> = Vec::new();
    let in_round = |game: &Game| {
        let known = game.opening.is_some() || game.round.is_some();
        known.then_some((game.opening, game.round))
    };
    match_up(games, &mut free, &mut found, in_round);
    match_up(games, &mut free, &mut found, |game| {
        game.opening.map(|opening| (Some(opening), None))
    });
    found.sort_unstable();
    paired.pairs = found.iter().map(|pair| pair.map(|at| games[at])).collect();
    let alone = games.iter().zip(&free).filter(|(_, free)| **free);
    paired.alone = alone.map(|(game, _)| *game).collect();
    paired
}

/// Opening and round, which must be equal in both games of a pair.
type Key = (Option<usize>, Option<usize>);

/// Pairs the free games with equal keys.
fn match_up(
    games: &[Game],
    free: &mut [bool],
    found: &mut Vec<[usize; 2]>,
    key: impl Fn(&Game) -> Option<Key>,
) {
    // Unpaired games, by players (first mover first) and key.
    let mut waiting: BTreeMap<(usize, usize, Key), VecDeque<usize>> = BTreeMap::new();
    for (at, game) in games.iter().enumerate() {
        let Some(key) = key(game).filter(|_| free[at]) else {
            continue;
        };
        let other = waiting.get_mut(&(game.second, game.first, key));
        if let Some(other) = other.and_then(VecDeque::pop_front) {
            (free[at], free[other]) = (false, false);
            found.push([other, at]);
        } else {
            let queue = waiting.entry((game.first, game.second, key)).or_default();
            queue.push_back(at);
        }
    }
}
