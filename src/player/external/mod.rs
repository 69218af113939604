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
mod offer;
mod pipes;
mod probe;
mod process;
mod speech;
#[cfg(test)]
mod tests;
mod ucci;
mod uci;

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use dialect::Dialect;
use dialogue::{Dialogue, Shelf};
use engine::{Answer, Engine, Protest};
pub use identify::{ProgramError, identify};
pub use kin::adopt_orphans;
pub use offer::{Offer, OptionKind};
pub use probe::{Fault, Introduction, Located, Probe, Refusal, Reply, Said, read_move};
use speech::Ask;

use super::{Budget, Choice, Failure, GameId, MARGIN, Player, TimeBudget};
use crate::config::{Limits, Program, Protocol};
use crate::game::{Line, Move, Position};

/// Nodes that a program may search beyond its limit and a tenth of it: programs
/// look at their counters every few thousand nodes.
pub(crate) const NODE_MARGIN: u64 = 5_000;

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
    /// Moves that are kept from the program, which took the game for over there.
    begin_at: usize,
    /// Moves before those that are told.
    skipped: usize,
    /// Key of the position from which they are told.
    key: u64,
    fen: String,
    usual: bool,
    made: Vec<Move>,
    moves: Vec<String>,
}

impl Told {
    /// The whole game.
    fn of<P: Position>(line: &Line<P>, dialect: Dialect, protocol: Protocol) -> Self {
        let mut told = Self::default();
        told.tell(line, dialect, protocol);
        told
    }

    /// Puts the game into the program's words: for UCCI from the last move that
    /// cannot be taken back, as it wants it; from where it thought the game over, if
    /// it did. What was told before is kept.
    fn tell<P: Position>(&mut self, line: &Line<P>, dialect: Dialect, protocol: Protocol) {
        let back = line.position().reversible_plies();
        let skipped = match protocol {
            Protocol::Ucci => line.len().saturating_sub(back).max(self.begin_at),
            Protocol::Uci | Protocol::Cecp => self.begin_at,
        };
        let continues = self.skipped == skipped
            && self.key == line.key_after(skipped)
            && !self.fen.is_empty()
            && line.len() - skipped >= self.made.len()
            && line
                .moves()
                .skip(skipped)
                .zip(&self.made)
                .all(|(mv, told)| mv == *told);
        if !continues {
            let mut start = line.start().clone();
            for mv in line.moves().take(skipped) {
                start.make(mv);
            }
            *self = Told {
                begin_at: self.begin_at,
                skipped,
                key: line.key_after(skipped),
                fen: dialect.fen(&start.to_fen()),
                usual: start == P::initial(),
                ..Told::default()
            };
        }
        for mv in line.moves().skip(skipped + self.made.len()) {
            self.made.push(mv);
            self.moves.push(dialect.write(&P::move_text(mv)));
        }
    }
}

/// The answer in the words of the house, if it can be believed.
fn understand<P: Position>(
    answer: &Answer,
    dialect: Dialect,
    limits: &Limits,
    position: &P,
) -> Result<Choice, Failure> {
    let nodes = answer.info.nodes.unwrap_or_default();
    let most = limits.nodes.map(|most| most + most / 10 + NODE_MARGIN);
    if most.is_some_and(|most| nodes > most) {
        return Err(Failure::NodeOverrun);
    }
    let mv = dialect.read(&answer.mv).ok_or(Failure::Malformed)?;
    let mv = position.parse_move(&mv).map_err(|_| Failure::IllegalMove)?;
    Ok(Choice {
        mv: Some(mv),
        score: answer.info.score,
        depth: answer.info.depth.unwrap_or_default(),
        nodes,
    })
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

    /// Asks for a move.
    fn ask<P: Position>(
        &mut self,
        line: &Line<P>,
        budget: &Budget,
        cancel: &AtomicBool,
    ) -> Result<Choice, Failure> {
        let protocol = self.program.profile.protocol;
        self.told.tell(line, self.dialect, protocol);
        let engine = self.engine.as_mut().ok_or(Failure::Crash)?;
        let ask = Ask {
            fen: &self.told.fen,
            usual: self.told.usual,
            moves: &self.told.moves,
            side: line.position().side_to_move(),
            budget,
        };
        let margin = self.limits.margin.unwrap_or(MARGIN);
        let answer = engine.think(&ask, margin, cancel)?;
        understand(&answer, self.dialect, &self.limits, line.position())
    }

    /// The game is lost; the next is played by a fresh program.
    fn lost<T>(&mut self, failure: Failure) -> Result<T, Failure> {
        if let Some(mut engine) = self.engine.take() {
            let note = format!("loses the game: {}", failure.cause().name());
            engine.dialogue().note(&note);
        }
        Err(failure)
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
        let begun = Instant::now();
        let protest = self.engine.as_mut().and_then(Engine::protest);
        if protest == Some(Protest::Resigns) {
            return self.lost(Failure::Resigned);
        }
        if protest == Some(Protest::Over) {
            self.told.begin_at = line.len();
        }
        let mut choice = self.ask(line, budget, cancel);
        // What it says after a move is looked at when it is asked again.
        if choice.is_err() && self.told.begin_at < line.len() {
            let protest = self.engine.as_mut().and_then(Engine::protest);
            if protest == Some(Protest::Over) {
                self.told.begin_at = line.len();
                choice = self.ask(line, &without(budget, begun.elapsed()), cancel);
            }
        }
        choice.or_else(|failure| self.lost(failure))
    }
}

/// What is left of a budget after so much time.
fn without(budget: &Budget, spent: Duration) -> Budget {
    let time = budget.time.map(|time| match time {
        TimeBudget::Move(time) => TimeBudget::Move(time.saturating_sub(spent)),
        TimeBudget::Clock {
            remaining,
            opponent,
            increment,
        } => TimeBudget::Clock {
            remaining: remaining.saturating_sub(spent),
            opponent,
            increment,
        },
    });
    Budget { time, ..*budget }
}
