//! The game so far in a program's own form.

use super::codec::Ask;
use super::dialect::Dialect;
use crate::card::{AnyLine, AnyPosition};
use crate::config::Protocol;
use crate::game::{Move, Side};
use crate::player::Budget;

/// What games call the notation of moves such as `Nf3`, if they have it.
const SAN: &str = "san";

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
    /// The notation that moves are told in, if the program asks for another than its form
    /// of ours.
    notation: Option<usize>,
    /// The place of standard algebraic notation among those of the game, if it has it.
    san: Option<usize>,
    /// Where the moves that are told have led, if they are told in a notation.
    board: Option<Box<dyn AnyPosition>>,
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
            san: card.facts().pgn.known_notation(SAN),
            ..Self::default()
        }
    }

    /// Has moves told in standard algebraic notation from now on, if the game has it.
    pub(crate) fn tell_san(&mut self, wanted: bool) {
        self.notation = self.san.filter(|_| wanted);
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
            has_san: self.san.is_some(),
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
            let start = after(line, skipped);
            *self = SentGame {
                begin_at: self.begin_at,
                skipped,
                key: line.key_after(skipped),
                fen: dialect.fen(&start.to_fen()),
                usual: *start == *start.card().initial(),
                before: self.before.take(),
                game: self.game,
                notation: self.notation,
                san: self.san,
                board: self.notation.is_some().then_some(start),
                ..SentGame::default()
            };
        }
        let new = &moves[skipped + self.made.len()..];
        if let Some(notation) = self.notation {
            let from = skipped + self.made.len();
            let board = self.board.get_or_insert_with(|| after(line, from));
            for &mv in new {
                self.moves.push(board.written(mv, notation));
                board.play(mv);
            }
        } else {
            self.moves.extend(new.iter().map(|&mv| dialect.write(mv)));
        }
        self.made.extend(new);
    }
}

/// The position after so many moves of the line.
fn after(line: &dyn AnyLine, count: usize) -> Box<dyn AnyPosition> {
    let mut position = line.start().boxed();
    for mv in line.moves().into_iter().take(count) {
        position.play(mv);
    }
    position
}
