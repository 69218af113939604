//! Lists of the moves of one position, on the stack.

use std::fmt::Debug;
use std::ops::{Deref, DerefMut};

use arrayvec::ArrayVec;

use crate::{Move, Position};

/// The moves of one position; by default at most 384.
///
/// Xiangqi stays below 120 moves, Othello below 34, and Go has 361 points and a pass. The list is on
/// the stack and not initialised, so that unused room costs no time. It dereferences to a slice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveList<const N: usize = 384>(ArrayVec<Move, N>);

impl<const N: usize> MoveList<N> {
    /// An empty list.
    #[inline]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a move.
    ///
    /// # Panics
    /// The list is full.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        if self.0.try_push(mv).is_err() {
            too_many(N);
        }
    }

    /// Removes and returns the last move.
    #[inline]
    pub fn pop(&mut self) -> Option<Move> {
        self.0.pop()
    }

    /// Removes all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Keeps the moves that `keep` accepts, in their order.
    #[inline]
    pub fn retain(&mut self, keep: impl FnMut(&mut Move) -> bool) {
        self.0.retain(keep);
    }
}

#[cold]
#[inline(never)]
fn too_many(most: usize) -> ! {
    panic!(
        "a position has more moves than `type Moves` holds ({most}): use a larger `MoveList<N>`"
    );
}

impl<const N: usize> Deref for MoveList<N> {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.0
    }
}

impl<const N: usize> DerefMut for MoveList<N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.0
    }
}

impl<const N: usize> Extend<Move> for MoveList<N> {
    #[inline]
    fn extend<I: IntoIterator<Item = Move>>(&mut self, moves: I) {
        moves.into_iter().for_each(|mv| self.push(mv));
    }
}

impl<const N: usize> FromIterator<Move> for MoveList<N> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> Self {
        let mut list = Self::new();
        list.extend(moves);
        list
    }
}

impl<const N: usize> IntoIterator for MoveList<N> {
    type Item = Move;
    type IntoIter = arrayvec::IntoIter<Move, N>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, const N: usize> IntoIterator for &'a MoveList<N> {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// A [`MoveList`] of any capacity; sealed.
pub trait MoveBuffer:
    Clone
    + Debug
    + Default
    + DerefMut<Target = [Move]>
    + Extend<Move>
    + FromIterator<Move>
    + IntoIterator<Item = Move>
    + private::Sealed
{
    /// The largest number of moves.
    const CAPACITY: usize;
    /// A list with a rank for each move.
    #[doc(hidden)]
    type Ranks: Ranks;

    /// Adds a move; does nothing if the list is full.
    #[doc(hidden)]
    fn add(&mut self, mv: Move);

    /// Keeps the moves that `keep` accepts, in their order.
    fn retain(&mut self, keep: impl FnMut(&mut Move) -> bool);
}

impl<const N: usize> MoveBuffer for MoveList<N> {
    const CAPACITY: usize = N;
    type Ranks = ArrayVec<u64, N>;

    #[inline]
    fn add(&mut self, mv: Move) {
        let _ = self.0.try_push(mv);
    }

    #[inline]
    fn retain(&mut self, keep: impl FnMut(&mut Move) -> bool) {
        MoveList::retain(self, keep);
    }
}

/// Ranks of moves, as many as a list has room for.
#[doc(hidden)]
pub trait Ranks: Debug + Default + DerefMut<Target = [u64]> {
    /// Adds a rank; does nothing if the list is full.
    fn add(&mut self, rank: u64);
    /// Removes all ranks.
    fn clear(&mut self);
    /// Keeps the ranks that `keep` accepts, in their order.
    fn retain(&mut self, keep: impl FnMut(&mut u64) -> bool);
}

impl<const N: usize> Ranks for ArrayVec<u64, N> {
    #[inline]
    fn add(&mut self, rank: u64) {
        let _ = self.try_push(rank);
    }

    #[inline]
    fn clear(&mut self) {
        ArrayVec::clear(self);
    }

    #[inline]
    fn retain(&mut self, keep: impl FnMut(&mut u64) -> bool) {
        ArrayVec::retain(self, keep);
    }
}

mod private {
    pub trait Sealed {}

    impl<const N: usize> Sealed for super::MoveList<N> {}
}

/// The legal moves of a position, in the generator's order.
pub fn legal_moves<P: Position>(position: &P) -> P::Moves {
    let mut moves = P::Moves::default();
    position.legal_moves(&mut moves);
    moves
}
