//! Pairs games.

use std::collections::VecDeque;
use std::num::NonZeroU64;

use super::Game;
use super::repeated_games::GameKey;

/// Games sorted into pairs and others, each in the order of the files.
#[derive(Clone, Debug)]
pub(super) struct Paired {
    pub(super) pairs: Vec<[Game; 2]>,
    /// The places of the others.
    pub(super) alone: Vec<u32>,
}

/// Pairs the games. Two games form a pair if the same players met with colours swapped from the
/// same opening, or in the same round if openings are unknown. Games with the same opening *and*
/// round are paired first, then games of one file, then earlier games. Each game is in one pair at
/// most.
pub(super) fn pair(games: &[Game]) -> Paired {
    let mut free: Vec<bool> = vec![true; games.len()];
    let mut found: Vec<[u32; 2]> = Vec::new();
    let is_one_file = games.windows(2).all(|pair| pair[0].file == pair[1].file);
    let by_files = if is_one_file {
        &[false][..]
    } else {
        &[true, false]
    };
    for by_round in [true, false] {
        for &by_file in by_files {
            match_up(games, &mut free, &mut found, |game| {
                let round = game.round.filter(|_| by_round);
                let is_known = game.opening.is_some() || round.is_some();
                is_known.then_some((by_file.then_some(game.file), game.opening, round))
            });
        }
    }
    found.sort_unstable();
    let pairs = found.iter().map(|pair| pair.map(|at| games[at as usize]));
    let alone = (0..).zip(&free).filter(|(_, free)| **free);
    Paired {
        pairs: pairs.collect(),
        alone: alone.map(|(at, _)| at).collect(),
    }
}

/// File, opening and round, which must be equal in both games of a pair.
type Key = (Option<u32>, Option<u32>, Option<NonZeroU64>);

/// Pairs the free games with equal keys, earlier ones first.
fn match_up(
    games: &[Game],
    free: &mut [bool],
    found: &mut Vec<[u32; 2]>,
    key: impl Fn(&Game) -> Option<Key>,
) {
    // The free games in groups of the same players and key, each in the order of the files: the hash
    // before the number.
    let mut keyed: Vec<u128> = Vec::with_capacity(games.len());
    for (number, game) in (0_u32..).zip(games).filter(|(at, _)| free[*at as usize]) {
        let sorted = [game.first.min(game.second), game.first.max(game.second)];
        let key = key(game).map(|key| u128::from(GameKey::of((sorted, key)).number()));
        keyed.extend(key.map(|key| key << 32 | u128::from(number)));
    }
    keyed.sort_unstable();
    // Unpaired games, all with the same first mover.
    let mut waiting: VecDeque<u32> = VecDeque::new();
    for group in keyed.chunk_by(|one, two| one >> 32 == two >> 32) {
        waiting.clear();
        for at in group.iter().map(|key| *key as u32) {
            let is_other = |&other: &u32| games[other as usize].first == games[at as usize].second;
            if waiting.front().is_some_and(is_other)
                && let Some(other) = waiting.pop_front()
            {
                (free[at as usize], free[other as usize]) = (false, false);
                found.push([other, at]);
            } else {
                waiting.push_back(at);
            }
        }
    }
}
