//! A variant that is another program.
//!
//! The house keeps one form of moves and positions. What differs between
//! programs is data ([`Profile`](crate::config::Profile)); [`dialect`] translates
//! moves and FENs, [`speech`] the protocols ([`uci`], [`ucci`], [`cecp`]), and
//! none of these touches a pipe. [`process`] owns the child process, [`pipes`] its
//! pipes, [`lines`] bounds what is read from them, [`engine`] waits for answers,
//! [`dialogue`] writes down what was said, [`kin`] ends what a program leaves
//! behind.

mod cecp;
mod dialect;
mod dialogue;
mod engine;
mod identify;
mod kin;
mod lines;
mod pipes;
mod process;
mod speech;
#[cfg(test)]
mod tests;
mod ucci;
mod uci;

use std::path::Path;
use std::sync::atomic::AtomicBool;

use dialect::Dialect;
use dialogue::{Dialogue, Shelf};
use engine::{Answer, Engine};
pub use identify::{ProgramError, identify};
pub use kin::adopt_orphans;
use speech::Ask;

use super::{Budget, Choice, Failure, GameId, MARGIN, Player};
use crate::config::{Limits, Program, Protocol};
use crate::game::{Line, Move, Position};

/// Nodes that a program may search beyond its limit and a tenth of it: programs
/// look at their counters every few thousand nodes.
const NODE_MARGIN: u64 = 5_000;

/// A player that is another program. It is started for the first game, and again
/// for the game after a failure.
pub struct External {
    program: Program,
    dialect: Dialect,
    engine: Option<Engine>,
    /// What its moves are asked for, while the game goes on.
    told: Told,
    limits: Limits,
    /// Where dialogues are kept, if they are.
    shelf: Option<Shelf>,
}

/// The game so far in the program's own form.
#[derive(Default)]
struct Told {
    /// Moves before those that are told.
    skipped: usize,
    /// Key of the position from which they are told.
    key: u64,
    fen: String,
    usual: bool,
    made: Vec<Move>,
    moves: Vec<String>,
}

impl External {
    /// A player by this program under these limits. Nothing is started yet.
    pub fn new(program: &Program, limits: &Limits) -> Self {
        Self {
            dialect: Dialect::of(&program.profile),
            program: program.clone(),
            engine: None,
            told: Told::default(),
            limits: *limits,
            shelf: None,
        }
    }

    /// The same player; what is said in each game is written to a file of this
    /// folder, which names the variant.
    #[must_use]
    pub fn with_dialogues(mut self, folder: &Path, variant: &str) -> Self {
        self.shelf = Some(Shelf {
            folder: folder.to_owned(),
            name: variant.to_owned(),
        });
        self
    }

    fn fresh_engine(&self, dialogue: Dialogue) -> Option<Engine> {
        let mut engine = Engine::start_with(&self.program, dialogue).ok()?;
        engine.new_game().ok()?;
        Some(engine)
    }

    /// Puts the game into the program's words: for UCCI from the last move that
    /// cannot be taken back, as it wants it. What was told before is kept.
    fn tell<P: Position>(&mut self, line: &Line<P>) {
        let back = line.position().reversible_plies();
        let skipped = match self.program.profile.protocol {
            Protocol::Ucci => line.len().saturating_sub(back),
            Protocol::Uci | Protocol::Cecp => 0,
        };
        let told = &mut self.told;
        let continues = told.skipped == skipped
            && told.key == line.key_after(skipped)
            && !told.fen.is_empty()
            && line.len() - skipped >= told.made.len()
            && line
                .moves()
                .skip(skipped)
                .zip(&told.made)
                .all(|(mv, told)| mv == *told);
        if !continues {
            let mut start = line.start().clone();
            for mv in line.moves().take(skipped) {
                start.make(mv);
            }
            *told = Told {
                skipped,
                key: line.key_after(skipped),
                fen: self.dialect.fen(&start.to_fen()),
                usual: start == P::initial(),
                ..Told::default()
            };
        }
        for mv in line.moves().skip(skipped + told.made.len()) {
            told.made.push(mv);
            told.moves.push(self.dialect.write(&P::move_text(mv)));
        }
    }

    /// The answer in the words of the house, if it can be believed.
    fn understand<P: Position>(&self, answer: &Answer, position: &P) -> Result<Choice, Failure> {
        let nodes = answer.info.nodes.unwrap_or_default();
        let most = self.limits.nodes.map(|most| most + most / 10 + NODE_MARGIN);
        if most.is_some_and(|most| nodes > most) {
            return Err(Failure::NodeOverrun);
        }
        let mv = self.dialect.read(&answer.mv).ok_or(Failure::Malformed)?;
        let mv = position.parse_move(&mv).map_err(|_| Failure::IllegalMove)?;
        Ok(Choice {
            mv: Some(mv),
            score: answer.info.score,
            depth: answer.info.depth.unwrap_or_default(),
            nodes,
        })
    }
}

impl<P: Position> Player<P> for External {
    fn new_game(&mut self, game: GameId) {
        self.told = Told::default();
        if self.program.profile.restart {
            self.engine = None;
        }
        let shelf = self.shelf.as_ref();
        let mut dialogue = shelf.map(|shelf| Dialogue::begin(shelf, game));
        if let Some(mut engine) = self.engine.take() {
            *engine.dialogue() = dialogue.take().unwrap_or_default();
            match engine.new_game() {
                Ok(()) => self.engine = Some(engine),
                // One that does not answer any more is started again.
                Err(error) => {
                    engine.dialogue().note(&error.to_string());
                    dialogue = Some(std::mem::take(engine.dialogue()));
                }
            }
        }
        if self.engine.is_none() {
            self.engine = self.fresh_engine(dialogue.unwrap_or_default());
        }
    }

    fn choose(
        &mut self,
        line: &Line<P>,
        budget: &Budget,
        cancel: &AtomicBool,
    ) -> Result<Choice, Failure> {
        self.tell(line);
        let engine = self.engine.as_mut().ok_or(Failure::Crash)?;
        let ask = Ask {
            fen: &self.told.fen,
            usual: self.told.usual,
            moves: &self.told.moves,
            side: line.position().side_to_move(),
            budget,
        };
        let margin = self.limits.margin.unwrap_or(MARGIN);
        let choice = engine
            .think(&ask, margin, cancel)
            .and_then(|answer| self.understand(&answer, line.position()));
        if let Err(failure) = &choice {
            let note = format!("loses the game: {}", failure.cause().name());
            if let Some(mut engine) = self.engine.take() {
                engine.dialogue().note(&note);
            }
        }
        choice
    }
}
