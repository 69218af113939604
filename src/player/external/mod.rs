//! A variant that is another program.
//!
//! The house keeps one form of moves and positions. What differs between
//! programs is data ([`Profile`](crate::config::Profile)); [`dialect`] translates
//! moves and FENs, [`speech`] the protocols ([`uci`], [`ucci`], [`cecp`]), and
//! none of these touches a pipe. [`process`] owns the child process, [`lines`]
//! bounds what is read from it, [`engine`] waits for its answers.

mod cecp;
mod dialect;
mod engine;
mod identify;
mod lines;
mod offer;
mod probe;
mod process;
mod speech;
#[cfg(test)]
mod tests;
mod ucci;
mod uci;

use std::sync::atomic::AtomicBool;

use dialect::Dialect;
use engine::{Answer, Engine};
pub use identify::{ProgramError, identify};
pub use offer::{Offer, OptionKind};
pub use probe::{Fault, Introduction, Located, Probe, Refusal, Reply, Said, read_move};
use speech::Ask;

use super::{Budget, Choice, Failure, MARGIN, Player};
use crate::config::{Limits, Program, Protocol};
use crate::game::{Line, Position};

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
}

/// The game so far in the program's own form.
#[derive(Default)]
struct Told {
    fen: String,
    usual: bool,
    moves: Vec<String>,
}

impl Told {
    /// Puts the game into the program's words: for UCCI from the last move that
    /// cannot be taken back, as it wants it.
    fn of<P: Position>(line: &Line<P>, dialect: Dialect, protocol: Protocol) -> Self {
        let mut start = line.start().clone();
        let back = line.position().reversible_plies();
        let skipped = match protocol {
            Protocol::Ucci => line.len().saturating_sub(back),
            Protocol::Uci | Protocol::Cecp => 0,
        };
        for mv in line.moves().take(skipped) {
            start.make(mv);
        }
        let moves = line.moves().skip(skipped);
        Self {
            fen: dialect.fen(&start.to_fen()),
            usual: start == P::initial(),
            moves: moves.map(|mv| dialect.write(&P::move_text(mv))).collect(),
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
        }
    }

    fn fresh_engine(&self) -> Option<Engine> {
        let mut engine = Engine::start(&self.program).ok()?;
        engine.new_game().ok()?;
        Some(engine)
    }
}

impl<P: Position> Player<P> for External {
    fn new_game(&mut self) {
        if self.program.profile.restart {
            self.engine = None;
        }
        let kept = self.engine.take();
        // One that does not answer any more is started again.
        let kept = kept.and_then(|mut engine| engine.new_game().ok().map(|()| engine));
        self.engine = kept.or_else(|| self.fresh_engine());
    }

    fn choose(
        &mut self,
        line: &Line<P>,
        budget: &Budget,
        cancel: &AtomicBool,
    ) -> Result<Choice, Failure> {
        self.told = Told::of(line, self.dialect, self.program.profile.protocol);
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
            .and_then(|answer| understand(&answer, self.dialect, &self.limits, line.position()));
        if choice.is_err() {
            self.engine = None;
        }
        choice
    }
}
