//! Lists of the moves of one position, on the stack.

use std::fmt::Debug;
use std::ops::DerefMut;

use arrayvec::ArrayVec;

use crate::{Move, Position};

/// The moves of one position; by default at most 384.
///
/// Xiangqi stays below 120 moves, Othello below 34, and Go has 361 points and a pass. The list is on
/// the stack and not initialised, so that a game pays only for its own number.
pub type MoveList<const N: usize = 384> = ArrayVec<Move, N>;

/// A list on the stack with a fixed capacity.
pub trait Buffer<T>: Clone + Default + Debug + DerefMut<Target = [T]> {
    /// Adds an item; does nothing if the list is full.
    fn add(&mut self, item: T);
    /// Removes all items.
    fn clear(&mut self);
    /// Keeps only some of the items, in their order.
    fn retain(&mut self, keep: impl FnMut(&mut T) -> bool);
}

impl<T: Clone + Debug, const N: usize> Buffer<T> for ArrayVec<T, N> {
    #[inline]
    fn add(&mut self, item: T) {
        let _ = self.try_push(item);
    }

    #[inline]
    fn clear(&mut self) {
        ArrayVec::clear(self);
    }

    #[inline]
    fn retain(&mut self, keep: impl FnMut(&mut T) -> bool) {
        ArrayVec::retain(self, keep);
    }
}

/// A list of moves with room for those of any position of a game: a [`MoveList`] of some size.
pub trait MoveBuffer:
    Buffer<Move> + Extend<Move> + FromIterator<Move> + IntoIterator<Item = Move>
{
    /// The largest number of moves.
    const CAPACITY: usize;
    /// A list with a rank for each move.
    type Ranks: Buffer<u64>;
}

impl<const N: usize> MoveBuffer for ArrayVec<Move, N> {
    const CAPACITY: usize = N;
    type Ranks = ArrayVec<u64, N>;
}

/// The legal moves of a position, in the generator's order.
pub fn legal_moves<P: Position>(position: &P) -> P::Moves {
    let mut moves = P::Moves::default();
    position.legal_moves(&mut moves);
    moves
}
