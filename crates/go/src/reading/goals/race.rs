//! The candidates of a semeai.

use super::super::Kos;
use super::super::near::{Near, Question};
use crate::{Board, Colour, Point, move_at};
use leitai_game::Move;

/// Maximum number of liberties of a block whose liberties are all tried.
const LIBERTIES: u32 = 6;

/// A position of a semeai.
pub(super) struct Race<'a> {
    pub(super) board: &'a Board,
    /// The block to take, and the one at stake.
    pub(super) blocks: [Point; 2],
    pub(super) to_move: Colour,
    pub(super) kos: Kos,
    pub(super) last: Option<Point>,
    /// Maximum number of moves near each block: for its attacker, and for its owner.
    pub(super) most: [u32; 2],
}

impl Race<'_> {
    /// Alternates moves that harm the one block and moves that help the other; then the liberties
    /// of both, which decide in the end.
    pub(super) fn moves(&self, near: &mut Near, moves: &mut Vec<Move>) {
        let Some(defender) = self.board.at(self.blocks[0]) else {
            return;
        };
        let [first, second] = [0, 1].map(|block| {
            let (owner, kos) = if block == 0 {
                (defender, self.kos)
            } else {
                (defender.other(), reversed(self.kos))
            };
            let asked = Question {
                target: self.blocks[block],
                defender: owner,
                to_move: self.to_move,
                kos,
                last: self.last,
                escape_liberties: 0,
                most: self.most[usize::from(owner == self.to_move)],
            };
            near.moves(self.board, &asked)
        });
        let mut add = |mv: Move| {
            if !moves.contains(&mv) {
                moves.push(mv);
            }
        };
        for place in 0..first.len().max(second.len()) {
            for moves in [&first, &second] {
                if let Some(&mv) = moves.get(place) {
                    add(mv);
                }
            }
        }
        for block in self.blocks {
            if self.board.liberty_count(block) > LIBERTIES {
                continue;
            }
            for point in self.board.liberties(block) {
                if self.kos.may_play(self.board, point, self.to_move, defender) {
                    add(move_at(point));
                }
            }
        }
    }

    /// The value for the owner of the target: the lead in liberties.
    pub(super) fn evaluate(&self) -> i32 {
        let [target, stake] = self
            .blocks
            .map(|block| self.board.liberty_count(block) as i32);
        let defends = self.board.at(self.blocks[0]) == Some(self.to_move);
        target - stake + 4 + i32::from(defends)
    }
}

/// The same master, for the question of the other side.
const fn reversed(kos: Kos) -> Kos {
    match kos {
        Kos::Attacker => Kos::Defender,
        Kos::Defender => Kos::Attacker,
        Kos::Both => Kos::Both,
    }
}
