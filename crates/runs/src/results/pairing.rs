//! Pairs games.

use std::collections::VecDeque;

use super::Game;
use super::repeated_games::GameKey;

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
    let is_one_file = games.windows(2).all(|pair| pair[0].0 == pair[1].0);
    let by_files = if is_one_file {
        &[false][..]
    } else {
        &[true, false]
    };
    for by_round in [true, false] {
        for &by_file in by_files {
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

/// Pairs the free games with equal keys, earlier ones first.
fn match_up(
    games: &[Filed],
    free: &mut [bool],
    found: &mut Vec<[usize; 2]>,
    key: impl Fn(&Filed) -> Option<Key>,
) {
    // The free games in groups of the same players and key, each in the order of the files.
    let mut keyed = Vec::new();
    for (at, filed) in games.iter().enumerate().filter(|(at, _)| free[*at]) {
        let players = [filed.1.first, filed.1.second];
        let sorted = [players[0].min(players[1]), players[0].max(players[1])];
        keyed.extend(key(filed).map(|key| (GameKey::of((sorted, key)), at)));
    }
    keyed.sort_unstable();
    for group in keyed.chunk_by(|one, two| one.0 == two.0) {
        // Unpaired games, all with the same first mover.
        let mut waiting: VecDeque<usize> = VecDeque::new();
        for &(_, at) in group {
            let is_other = |&other: &usize| games[other].1.first == games[at].1.second;
            if waiting.front().is_some_and(is_other)
                && let Some(other) = waiting.pop_front()
            {
                (free[at], free[other]) = (false, false);
                found.push([other, at]);
            } else {
                waiting.push_back(at);
            }
        }
    }
}
