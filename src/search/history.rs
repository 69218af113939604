//! What earlier parts of a search say about moves: history scores and killers.

use crate::game::Move;

/// How well moves have done, by history slot.
pub(super) struct History {
    scores: Vec<u32>,
}

/// When a score would pass this, all are halved: the order stays.
const LIMIT: u32 = 1 << 30;

impl History {
    pub(super) fn new(slots: usize) -> Self {
        Self {
            scores: vec![0; slots],
        }
    }

    pub(super) fn clear(&mut self) {
        self.scores.fill(0);
    }

    /// Halves all scores: what is old counts for less.
    pub(super) fn fade(&mut self) {
        for score in &mut self.scores {
            *score /= 2;
        }
    }

    #[inline]
    pub(super) fn score(&self, slot: usize) -> u32 {
        self.scores.get(slot).copied().unwrap_or(0)
    }

    /// Credits a move that was best in a search to `depth`.
    #[inline]
    pub(super) fn credit(&mut self, slot: usize, depth: u32) {
        if let Some(score) = self.scores.get_mut(slot) {
            *score += depth * depth;
            if *score > LIMIT {
                self.fade();
            }
        }
    }
}

/// The two quiet moves that cut off most recently at each ply, latest first.
pub(super) struct Killers {
    plies: Vec<[Option<Move>; 2]>,
}

impl Killers {
    pub(super) fn new(plies: usize) -> Self {
        Self {
            plies: vec![[None; 2]; plies],
        }
    }

    pub(super) fn clear(&mut self) {
        self.plies.fill([None; 2]);
    }

    #[inline]
    pub(super) fn at(&self, ply: usize) -> [Option<Move>; 2] {
        self.plies.get(ply).copied().unwrap_or_default()
    }

    #[inline]
    pub(super) fn remember(&mut self, ply: usize, mv: Move) {
        if let Some([first, second]) = self.plies.get_mut(ply)
            && *first != Some(mv)
        {
            *second = first.replace(mv);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_score_halves_all() {
        let mut history = History::new(2);
        history.credit(1, 64);
        while history.score(0) < LIMIT {
            let before = history.score(0);
            history.credit(0, 32_000);
            if history.score(0) < before {
                break;
            }
        }
        assert!(history.score(0) > LIMIT / 2 && history.score(0) < LIMIT);
        assert_eq!(history.score(1), 2048);
        assert_eq!(history.score(7), 0, "beyond the slots");
    }

    #[test]
    fn the_latest_two_killers_stay() {
        let mut killers = Killers::new(4);
        for mv in [1, 2, 2, 3, 2] {
            killers.remember(3, Move(mv));
        }
        assert_eq!(killers.at(3), [Some(Move(2)), Some(Move(3))]);
        assert_eq!(killers.at(2), [None, None]);
        killers.remember(4, Move(1));
        assert_eq!(killers.at(4), [None, None], "beyond the plies");
    }
}
