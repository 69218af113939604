//! Pairs games.

use std::collections::{BTreeMap, VecDeque};

use super::Game;

/// Games sorted into pairs and others, each in the order of the files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Paired {
    pub(super) pairs: Vec<[Game; 2]>,
    pub(super) alone: Vec<Game>,
}

/// A game, and the number of its file.
pub(super) type Filed = (usize, Game);

/// Pairs the games. Two games form a pair if the same players met with colours swapped from the
/// same opening, or in the same round if openings are unknown. Games with the same opening *and*
/// round are paired first, then games of one file, then earlier games. Each game is in one pair at
/// most.
pub(super) fn pair(games: &[Filed]) -> Paired {
    let mut paired = Paired::default();
    let mut free: Vec<bool> = vec![true; games.len()];
    let mut found: Vec<[usize; 2]> = Vec::new();
    for by_round in [true, false] {
        for by_file in [true, false] {
            match_up(games, &mut free, &mut found, |&(file, game)| {
                let round = game.round.filter(|_| by_round);
                let is_known = game.opening.is_some() || round.is_some();
                is_known.then_some((by_file.then_some(file), game.opening, round))
            });
        }
    }
    found.sort_unstable();
    let game = |at: usize| games[at].1;
    paired.pairs = found.iter().map(|pair| pair.map(game)).collect();
    paired.alone = (0..games.len()).filter(|&at| free[at]).map(game).collect();
    paired
}

/// File, opening and round, which must be equal in both games of a pair.
type Key = (Option<usize>, Option<usize>, Option<u64>);

/// Pairs the free games with equal keys.
fn match_up(
    games: &[Filed],
    free: &mut [bool],
    found: &mut Vec<[usize; 2]>,
    key: impl Fn(&Filed) -> Option<Key>,
) {
    // Unpaired games, by players (first mover first) and key.
    let mut waiting: BTreeMap<(usize, usize, Key), VecDeque<usize>> = BTreeMap::new();
    for (at, filed) in games.iter().enumerate() {
        let Some(key) = key(filed).filter(|_| free[at]) else {
            continue;
        };
        let game = &filed.1;
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
