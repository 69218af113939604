//! The game of a human and a player, with moves that can be taken back.

use std::path::Path;

use leitai_game::card::{AnyLine, AnyPosition, Rules};
use leitai_game::{Cause, Move, Side, Verdict};
use leitai_interchange::pgn::{Game, MoveComment, Tags, pgn_text};
use leitai_runs::store::{Mode, Store, StoreError};

/// A game with moves by hand, on one side or on both.
#[derive(Debug)]
pub struct HumanGame {
    /// The game in the form of games that are read from files.
    pub game: Game,
    /// The side that the player plays; `None` if all moves are made by hand.
    opponent: Option<Side>,
}

impl HumanGame {
    /// Starts a game from `start`, an opening with that name, under these rules, with these player
    /// names, the first mover's first.
    pub fn new(
        start: &dyn AnyPosition,
        opening: &str,
        rules: Rules,
        names: [&str; 2],
        opponent: Option<Side>,
    ) -> Self {
        let style = &start.card().facts().pgn;
        let mut tags = Tags::of(start.card());
        tags.push("Game", style.game);
        tags.push("Event", "by hand");
        for (side, name) in style.players.iter().zip(names) {
            tags.push(side, name);
        }
        if !opening.is_empty() {
            tags.push("Opening", opening);
        }
        let mut game = Game::new(start, tags, rules);
        game.number = 1;
        Self { game, opponent }
    }

    /// Returns the line of moves.
    pub fn line(&self) -> &dyn AnyLine {
        &*self.game.play
    }

    /// Returns the result; `None` if the game is not over.
    pub fn verdict(&self) -> Option<Verdict> {
        self.game.verdict.map(|(_, verdict)| verdict)
    }

    /// Returns whether the player must choose the next move.
    pub fn is_opponents_turn(&self) -> bool {
        let to_move = self.line().position().side_to_move();
        self.verdict().is_none() && self.opponent == Some(to_move)
    }

    /// Plays a move with its player's search data. Returns false if the move is illegal or the game
    /// is over.
    pub fn play(&mut self, mv: Move, searched: Option<MoveComment>) -> bool {
        let may = self.verdict().is_none() && self.line().position().is_legal(mv);
        if may {
            self.game.play(mv);
            self.game.searched.push(searched.unwrap_or_default());
            self.game.adopt_verdict();
        }
        may
    }

    /// Takes back to the last position with the human to move: one move, or two with the reply.
    pub fn take_back(&mut self) {
        let mut moves = self.line().moves();
        let mut searched = std::mem::take(&mut self.game.searched);
        let start = self.line().start().boxed();
        let tags = self.game.tags.clone();
        moves.pop();
        let mut game = replayed(&*start, &tags, &self.game, &moves);
        let is_opponents = |game: &Game| self.opponent == Some(game.play.position().side_to_move());
        if is_opponents(&game) && !moves.is_empty() {
            moves.pop();
            game = replayed(&*start, &tags, &self.game, &moves);
        }
        searched.truncate(moves.len());
        game.searched = searched;
        self.game = game;
    }

    /// Ends the game: the side to move resigns.
    pub fn resign(&mut self) {
        let side = self.line().position().side_to_move();
        let verdict = Verdict::win(side.other(), Cause::Resignation);
        self.game
            .verdict
            .get_or_insert((self.game.play.len(), verdict));
        self.game.adopt_verdict();
    }

    /// Formats the game as PGN in that notation.
    pub fn pgn(&self, notation: usize) -> String {
        pgn_text(&self.game, notation)
    }
}

/// Saves a game in a record, which is created if necessary.
///
/// # Errors
/// The record cannot be written.
pub fn save(record: &Path, game: &HumanGame) -> Result<(), StoreError> {
    let store = Store::open(record, Mode::Write)?;
    let name = game.line().start().card().name();
    store.record_human_game(name, &game.pgn(0))?;
    store.close()
}

fn replayed(start: &dyn AnyPosition, tags: &Tags, of: &Game, moves: &[Move]) -> Game {
    let mut game = Game::new(start, tags.clone(), of.rules);
    game.number = of.number;
    for &mv in moves {
        game.play(mv);
    }
    game.adopt_verdict();
    game
}

#[cfg(test)]
mod tests {
    use super::*;
    use leitai_game::card::GameChoice;

    fn game(opponent: Option<Side>) -> HumanGame {
        let card = leitai_games::all().named("othello").expect("a game");
        let rules = GameChoice::usual(card).rules;
        let start = card.initial();
        HumanGame::new(&*start, "", rules, ["person", "program"], opponent)
    }

    fn play(game: &mut HumanGame, text: &str) -> bool {
        let mv = game.line().position().parse_move(text).expect("a move");
        game.play(mv, None)
    }

    #[test]
    fn a_move_is_taken_back_with_its_answer() {
        let mut against = game(Some(Side::Second));
        assert!(!against.is_opponents_turn());
        for text in ["d3", "c3", "c4"] {
            assert!(play(&mut against, text), "{text}");
        }
        assert!(against.is_opponents_turn());
        against.take_back();
        assert_eq!(against.line().len(), 2);
        against.take_back();
        assert_eq!(against.line().len(), 0);
        against.take_back();
        assert_eq!(against.line().len(), 0);
        let mut alone = game(None);
        play(&mut alone, "d3");
        play(&mut alone, "c3");
        alone.take_back();
        assert_eq!(alone.line().len(), 1);
        assert!(alone.pgn(0).contains("[Event \"by hand\"]"));
    }

    #[test]
    fn illegal_moves_are_not_played() {
        let mut game = game(None);
        let mv = game.line().position().parse_move("d3").expect("a move");
        assert!(game.play(mv, None));
        assert!(!game.play(mv, None));
        assert_eq!(game.line().len(), 1);
    }
}
