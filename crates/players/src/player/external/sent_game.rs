//! The game so far in an engine's own notation.

use super::notation::Dialect;
use crate::player::Budget;
use leitai_game::card::{AnyLine, AnyPosition, Rules};
use leitai_game::{Move, Side};
use leitai_protocols::{MoveRequest, Protocol};

/// Name in games of the notation of moves such as `Nf3`, if they support it.
const SAN: &str = "san";

/// The game so far in the engine's own notation.
#[derive(Default)]
pub(crate) struct SentGame {
    /// Number of moves that are not sent, because the engine regarded the game as over there.
    pub(crate) begin_at: usize,
    /// The moves from the usual start to the start of the game; `None` if unknown.
    before: Option<Vec<String>>,
    /// Number of moves before the first that is sent.
    skipped: usize,
    /// Key of the position before the sent moves.
    key: u64,
    fen: String,
    /// Name of the game for engines that play several games.
    game: &'static str,
    usual: bool,
    /// The notation of sent moves, if the engine requests another than its form of ours.
    notation: Option<usize>,
    /// Index of standard algebraic notation among those of the game, if it supports it.
    san: Option<usize>,
    /// The position after the sent moves, if they are sent in a notation.
    board: Option<Box<dyn AnyPosition>>,
    made: Vec<Move>,
    moves: Vec<String>,
    banned: Vec<String>,
}

impl SentGame {
    /// A game from `start`, with the known moves to that position.
    pub(crate) fn new(start: &dyn AnyPosition, before: Option<&[Move]>, dialect: Dialect) -> Self {
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

    /// Selects standard algebraic notation for further moves, if the game supports it.
    pub(crate) fn use_san(&mut self, wanted: bool) {
        self.notation = self.san.filter(|_| wanted);
    }

    /// Returns whether the moves to the start of the game are unknown.
    pub(crate) fn has_unknown_origin(&self) -> bool {
        self.before.is_none()
    }

    /// The request for a move in this position.
    pub(crate) fn ask<'a>(&'a self, side: Side, budget: &'a Budget) -> MoveRequest<'a> {
        MoveRequest {
            game: self.game,
            fen: &self.fen,
            usual: self.usual,
            before: self.before.as_deref(),
            moves: &self.moves,
            banned: &self.banned,
            has_san: self.san.is_some(),
            side,
            budget,
        }
    }

    /// Excludes the moves that lose at once by the rules, until the next call.
    pub(crate) fn ban(&mut self, line: &dyn AnyLine, rules: &Rules, dialect: Dialect) {
        let losing = losing_moves(line, rules).into_iter();
        self.banned = losing.map(|mv| dialect.write(mv)).collect();
    }

    /// Updates the game in the engine's notation: if the protocol requires it, from
    /// the last irreversible move; otherwise from the move where the engine regarded the game as over, if it
    /// did. Earlier converted moves are kept.
    pub(crate) fn update(&mut self, line: &dyn AnyLine, dialect: Dialect, protocol: &Protocol) {
        let back = line.position().reversible_plies();
        let mut skipped = self.begin_at;
        if protocol.since_irreversible {
            skipped = skipped.max(line.len().saturating_sub(back));
        }
        let moves = line.moves();
        let continues = self.skipped == skipped
            && self.key == line.key_after(skipped)
            && !self.fen.is_empty()
            && line.len() - skipped >= self.made.len()
            && moves[skipped..].starts_with(&self.made);
        if !continues {
            let start = after(line, skipped);
            (self.skipped, self.key) = (skipped, line.key_after(skipped));
            self.fen = dialect.fen(&start.to_fen());
            self.usual = *start == *start.card().initial();
            self.board = self.notation.is_some().then_some(start);
            self.made.clear();
            self.moves.clear();
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

/// The legal moves that lose at once by the rules, such as those that complete a forbidden
/// repetition; none if every move does.
fn losing_moves(line: &dyn AnyLine, rules: &Rules) -> Vec<Move> {
    let side = line.position().side_to_move();
    let moves = line.position().moves();
    let mut line = line.boxed();
    let mut loses = |mv: &Move| {
        line.play(*mv);
        let verdict = line.verdict(rules);
        line.undo();
        verdict.is_some_and(|verdict| verdict.winner == Some(side.other()))
    };
    let losing: Vec<_> = moves.iter().copied().filter(|mv| loses(mv)).collect();
    if losing.len() == moves.len() {
        return Vec::new();
    }
    losing
}

/// The position after `count` moves of the line.
fn after(line: &dyn AnyLine, count: usize) -> Box<dyn AnyPosition> {
    let mut position = line.start().boxed();
    for mv in line.moves().into_iter().take(count) {
        position.play(mv);
    }
    position
}
