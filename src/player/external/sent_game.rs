//! The game so far in a program's own form.

use super::codec::Ask;
use super::dialect::Dialect;
use crate::card::{AnyLine, AnyPosition};
use crate::config::Protocol;
use crate::game::{Move, Side};
use crate::player::Budget;

/// The game so far in the program's own form.
#[derive(Default)]
pub(crate) struct SentGame {
    /// Moves that are kept from the program, which took the game for over there.
    pub(crate) begin_at: usize,
    /// The moves that lead from the usual start to where the game began; `None` if
    /// nobody knows them.
    before: Option<Vec<String>>,
    /// Moves before those that are told.
    skipped: usize,
    /// Key of the position from which they are told.
    key: u64,
    fen: String,
    /// The game, as programs for several games call it.
    game: &'static str,
    usual: bool,
    made: Vec<Move>,
    moves: Vec<String>,
}

impl SentGame {
    /// A game that begins at `start`, where these moves lead if they are known.
    pub(crate) fn begun(
        start: &dyn AnyPosition,
        before: Option<&[Move]>,
        dialect: Dialect,
    ) -> Self {
        let card = start.card();
        let written = |moves: &[Move]| moves.iter().map(|&mv| dialect.write(mv)).collect();
        Self {
            before: before.map(written),
            key: start.key(),
            game: dialect.game(),
            fen: dialect.fen(&start.to_fen()),
            usual: *start == *card.initial(),
            ..Self::default()
        }
    }

    /// Whether nobody knows how the game came to where it began.
    pub(crate) fn is_of_unknown_origin(&self) -> bool {
        self.before.is_none()
    }

    /// What is asked for a move here.
    pub(crate) fn ask<'a>(&'a self, side: Side, budget: &'a Budget) -> Ask<'a> {
        Ask {
            game: self.game,
            fen: &self.fen,
            usual: self.usual,
            before: self.before.as_deref(),
            moves: &self.moves,
            side,
            budget,
        }
    }

    /// Puts the game into the program's words: for UCCI from the last move that
    /// cannot be taken back, as it wants it; from where it thought the game over, if
    /// it did. What was told before is kept.
    pub(crate) fn tell(&mut self, line: &dyn AnyLine, dialect: Dialect, protocol: Protocol) {
        let back = line.position().reversible_plies();
        let skipped = match protocol {
            Protocol::Ucci => line.len().saturating_sub(back).max(self.begin_at),
            _ => self.begin_at,
        };
        let moves = line.moves();
        let continues = self.skipped == skipped
            && self.key == line.key_after(skipped)
            && !self.fen.is_empty()
            && line.len() - skipped >= self.made.len()
            && moves[skipped..].starts_with(&self.made);
        if !continues {
            let mut start = line.start().boxed();
            for &mv in &moves[..skipped] {
                start.play(mv);
            }
            *self = SentGame {
                begin_at: self.begin_at,
                skipped,
                key: line.key_after(skipped),
                fen: dialect.fen(&start.to_fen()),
                usual: *start == *start.card().initial(),
                before: self.before.take(),
                ..SentGame::default()
            };
        }
        for &mv in &moves[skipped + self.made.len()..] {
            self.made.push(mv);
            self.moves.push(dialect.write(mv));
        }
    }
}
