//! The tree of a heuristic verdict: candidates of both sides.

use super::super::terminal::Terminal;
use super::super::{Candidates, CaptureParams, Kos};
use super::Sure;
use super::state::{State, spread};
use crate::{PASS, Problem};
use leitai_game::Move;
use leitai_game::search::proof::{AndOr, Outcome};

/// Number of moves near the target that are tried before the others.
const FIRST_ATTACKS: usize = 4;
const FIRST_DEFENCES: usize = 3;

/// The tree with candidates of both sides: fast to search, but no proof.
#[derive(Clone, Debug)]
pub struct Quick(State);

impl Quick {
    /// The tree of a problem.
    pub fn new(problem: &Problem, params: &CaptureParams, kos: Kos) -> Self {
        Self(State::new(problem, params, kos, None))
    }

    /// Resets to the root of the same problem, with another master of the kos and another number of
    /// liberties for an escape.
    pub(in super::super) fn begin(&mut self, kos: Kos, escape_liberties: u32) {
        let state = &mut self.0;
        state.kos = kos;
        state.params.escape_liberties = escape_liberties;
        if state.params.steps {
            state.salt = spread(escape_liberties.into());
        }
        if kos != Kos::Both {
            state.board.set_ko(None);
        }
    }

    /// The status of the position without a search.
    pub fn terminal(&mut self) -> Terminal {
        self.0.terminal()
    }
}

impl Sure for Quick {
    fn sure_move(&mut self) -> Option<Move> {
        self.0.sure_move()
    }
}

impl AndOr for Quick {
    type Move = Move;
    type Zone = ();

    fn key(&self) -> u128 {
        self.0.key()
    }

    fn is_or(&self) -> bool {
        self.0.attacker_moves()
    }

    fn outcome(&mut self) -> Outcome<()> {
        match self.0.terminal() {
            Terminal::Gone | Terminal::Taken(_) | Terminal::Ladder(_) => Outcome::Proved(()),
            Terminal::Escaped(_) => Outcome::Disproved(()),
            Terminal::Open => Outcome::Open,
        }
    }

    /// The first few moves near the target; the others follow when these have failed.
    fn moves(&mut self, moves: &mut Vec<Move>) {
        if self.0.params.candidates == Candidates::Near {
            let first = if self.is_or() {
                FIRST_ATTACKS
            } else {
                FIRST_DEFENCES
            };
            moves.extend(self.0.near_moves().into_iter().take(first));
            if moves.is_empty() && self.0.may_pass() {
                moves.push(PASS);
            }
            return;
        }
        self.0.candidates(moves);
        if self.0.may_pass() {
            moves.push(PASS);
        }
    }

    fn widen(&mut self, tried: &[Move], _: Option<&()>, (): &mut (), moves: &mut Vec<Move>) {
        if self.0.params.candidates != Candidates::Near || tried.contains(&PASS) {
            return;
        }
        moves.extend(self.0.near_moves().into_iter().skip(tried.len()));
        if self.0.may_pass() {
            moves.push(PASS);
        }
    }

    fn play(&mut self, mv: Move) {
        self.0.play(mv);
    }

    fn undo(&mut self) {
        self.0.undo();
    }

    fn key_after(&self, mv: Move) -> Option<u128> {
        self.0.key_after(mv)
    }

    fn evaluate(&mut self) -> i32 {
        self.0.evaluate()
    }
}
