//! Completes lines that announce a mate: the table may have cut them short.

use super::table::Bound;
use super::tactics::Tactics;
use super::tree::Tree;
use crate::eval::{Evaluation, Score, mate_plies};
use crate::{Move, legal_moves};

/// Largest number of moves that the search for the end of a mating line plays. This search ignores
/// the clock: the limit keeps it within two milliseconds.
const TRIES: u32 = 8_000;
/// Number of plies to a mate that are searched.
const SHORT: usize = 5;

impl<P: Tactics, E: Evaluation<P>> Tree<'_, P, E> {
    /// Extends the line `pv` from the root to the mate that `score` announces: by moves of the table,
    /// and at the end by a search of a few thousand moves, which counts no nodes. Leaves the line as it
    /// is if neither reaches the mate.
    pub(super) fn complete_mate(&mut self, pv: &mut Vec<Move>, score: Score) {
        let plies = mate_plies(score).map_or(0, |plies| plies as usize);
        let Some(mut left) = plies.checked_sub(pv.len()).filter(|&left| left > 0) else {
            return;
        };
        for &mv in &*pv {
            self.line.play(mv);
        }
        let reported = pv.len();
        let mut tries = TRIES;
        loop {
            let is_short = left <= SHORT;
            let rest = is_short.then(|| self.mating_line(left, &mut tries));
            if let Some(rest) = rest.flatten().filter(|rest| rest.len() == left) {
                pv.extend(rest);
                break;
            }
            let Some(mv) = self.known_move(left) else {
                pv.truncate(reported);
                break;
            };
            self.line.play(mv);
            pv.push(mv);
            left -= 1;
        }
        self.rewind();
    }

    /// The move after which the table knows a mate in one ply less than `plies`.
    fn known_move(&mut self, plies: usize) -> Option<Move> {
        let moves = legal_moves(self.line.position());
        // The side to move after it is mated at an even number of plies.
        let (sign, bound) = match plies % 2 {
            1 => (-1, Bound::Upper),
            _ => (1, Bound::Lower),
        };
        let mut moves = moves.into_iter();
        moves.find(|&mv| {
            self.line.play(mv);
            let known = self.table.probe(self.key(), 0).filter(|known| {
                let is_sure = known.bound == bound || known.bound == Bound::Exact;
                is_sure
                    && known.score * sign > 0
                    && mate_plies(known.score) == Some(plies as u32 - 1)
            });
            let is_open = known.is_some() && self.rule_value(0).is_none();
            self.line.undo();
            is_open
        })
    }

    /// The moves to a mate in at most `plies` plies against every defence, with the longest defence
    /// found. At an odd number of plies the side to move mates.
    fn mating_line(&mut self, plies: usize, tries: &mut u32) -> Option<Vec<Move>> {
        let position = self.line.position();
        let mut moves = legal_moves(position);
        let mates = plies % 2 == 1;
        if moves.is_empty() {
            let winner = position.verdict_without_moves().winner;
            let is_mated = winner == Some(position.side_to_move().other());
            return (is_mated && !mates).then(Vec::new);
        }
        if plies == 0 {
            return None;
        }
        let known = self.table.probe(self.key(), 0).and_then(|it| it.best);
        if let Some(place) = known.and_then(|known| moves.iter().position(|mv| *mv == known)) {
            moves.swap(0, place);
        }
        let mut longest: Option<Vec<Move>> = None;
        for &mv in moves.iter() {
            *tries = tries.checked_sub(1)?;
            self.line.play(mv);
            let is_open = self.rule_value(0).is_none();
            let rest = is_open
                .then(|| self.mating_line(plies - 1, tries))
                .flatten();
            self.line.undo();
            match rest {
                Some(mut rest) if longest.as_ref().is_none_or(|it| it.len() <= rest.len()) => {
                    rest.insert(0, mv);
                    let is_longest = rest.len() == plies;
                    longest = Some(rest);
                    if mates && is_longest {
                        break;
                    }
                }
                // A defence.
                None if !mates => return None,
                _ => {}
            }
        }
        longest
    }
}
