//! Checks of the principal variations that an engine reports about one move.
//!
//! For each depth only the last line is checked; a line whose score is a bound does not replace one
//! with a score. Most lines share a prefix with their predecessor, which is played only once.

use super::notation::{Dialect, parse_engine_move};
use super::uci::after_info;
use super::uci_info::thought;
use crate::player::pv::{PvFault, PvWarning};
use leitai_config::{Checks, Profile};
use leitai_game::card::{AnyLine, Rules};
use leitai_game::{Cause, Move};

#[cfg(test)]
mod tests;

/// Largest number of kept lines: one for each depth, which few engines reach.
const MOST: usize = 128;

/// The lines about one move, in the order of arrival.
#[derive(Debug, Default)]
pub(crate) struct Variations {
    lines: Vec<Reported>,
    /// True if the last line was kept.
    is_last_kept: bool,
}

#[derive(Debug)]
struct Reported {
    depth: Option<u32>,
    is_bound: bool,
    line: String,
}

impl Variations {
    /// Removes all lines.
    pub(crate) fn clear(&mut self) {
        self.lines.clear();
    }

    /// Adds a line with its depth; `is_bound` means that its score is a bound.
    pub(crate) fn add(&mut self, depth: Option<u32>, is_bound: bool, line: String) {
        let same = self.lines.iter().rposition(|it| it.depth == depth);
        self.is_last_kept = true;
        match same {
            Some(place) if is_bound && !self.lines[place].is_bound => {
                self.is_last_kept = false;
                return;
            }
            Some(place) => drop(self.lines.remove(place)),
            None if self.lines.len() == MOST => drop(self.lines.remove(0)),
            None => {}
        }
        self.lines.push(Reported {
            depth,
            is_bound,
            line,
        });
    }

    /// The faults of the lines at the end of `game`, where `best` was played. Leaves the game
    /// unchanged, and ignores malformed info lines.
    pub(crate) fn check(
        &self,
        game: &mut dyn AnyLine,
        (rules, profile): (&Rules, &Profile),
        best: Move,
        checks: Checks,
    ) -> Vec<PvWarning> {
        let mut walk = Walk {
            root: game.len(),
            game,
            rules,
            profile,
            played: Vec::new(),
        };
        let mut found = Vec::new();
        for reported in &self.lines {
            let thought = after_info(&reported.line).map(thought).unwrap_or_default();
            let moves: Vec<&str> = thought.pv.split_whitespace().collect();
            let fault = match walk.play(&moves) {
                Some(fault) if checks.pv => Some(fault),
                Some(_) => None,
                None => {
                    let mate = thought.mate.filter(|_| checks.mate);
                    mate.and_then(|mate| walk.mate(mate))
                }
            };
            found.extend(fault.map(|fault| (fault, &reported.line)));
        }
        if let Some(last) = self.lines.last().filter(|_| checks.pv) {
            let other = walk.begins_otherwise(last, best, self.is_last_kept);
            found.extend(other.map(|fault| (fault, &last.line)));
        }
        walk.go_back(0);
        if found.is_empty() {
            return Vec::new();
        }
        let (ply, position) = (game.len() as u32, game.position().to_fen());
        let warning = |(fault, line): (Fault, &String)| PvWarning {
            kind: fault.kind,
            cause: fault.cause,
            word: PvWarning::shortened(&fault.word),
            ply,
            position: position.clone(),
            line: PvWarning::shortened(line),
        };
        found.into_iter().map(warning).collect()
    }
}

/// A fault of a line, and the move that it concerns.
struct Fault {
    kind: PvFault,
    cause: Option<Cause>,
    word: String,
}

impl Fault {
    fn of(kind: PvFault) -> Self {
        Self {
            kind,
            cause: None,
            word: String::new(),
        }
    }
}

/// A game extended by principal variations.
struct Walk<'a, 'l> {
    game: &'a mut dyn AnyLine,
    /// Number of moves of the game itself.
    root: usize,
    rules: &'a Rules,
    profile: &'a Profile,
    /// The moves played after them, in the engine's notation.
    played: Vec<&'l str>,
}

impl<'l> Walk<'_, 'l> {
    /// Takes back all moves except `kept` after the game itself.
    fn go_back(&mut self, kept: usize) {
        while self.game.len() > self.root + kept {
            self.game.undo();
        }
        self.played.truncate(kept);
    }

    /// Plays a line to its end, or to its first fault.
    fn play(&mut self, moves: &[&'l str]) -> Option<Fault> {
        let both = self.played.iter().zip(moves);
        let common = both.take_while(|(one, other)| one == other).count();
        self.go_back(common);
        for &word in &moves[common..] {
            let about = |kind, cause| Fault {
                kind,
                cause,
                word: word.to_owned(),
            };
            // The game itself is not over.
            let is_first = self.played.is_empty();
            if let Some(cause) = self.end().filter(|_| !is_first) {
                return Some(about(PvFault::BeyondTheEnd, Some(cause)));
            }
            let Ok(mv) = parse_engine_move(self.profile, self.game.position(), word) else {
                return Some(about(PvFault::IllegalMove, None));
            };
            self.game.play(mv);
            self.played.push(word);
        }
        None
    }

    /// The cause of the end of the game; ignores dead positions, which only the referee judges.
    fn end(&self) -> Option<Cause> {
        if self.game.position().is_dead() {
            return None;
        }
        let cause = self.game.verdict(self.rules)?.cause;
        let is_dead = matches!(cause, Cause::InsufficientMaterial | Cause::Material);
        (!is_dead).then_some(cause)
    }

    /// The fault of a completely played line with a reported mate: the side to move mates in
    /// `moves`, or is mated if the number is 0 or negative.
    fn mate(&self, moves: i64) -> Option<Fault> {
        let plies = match moves.unsigned_abs().saturating_mul(2) {
            plies if moves > 0 => plies - 1,
            plies => plies,
        };
        match (self.played.len() as u64).cmp(&plies) {
            std::cmp::Ordering::Less => return Some(Fault::of(PvFault::ShortMate)),
            std::cmp::Ordering::Greater => return Some(Fault::of(PvFault::LongMate)),
            std::cmp::Ordering::Equal => {}
        }
        let position = self.game.position();
        let loser = position.side_to_move();
        let is_won = position.count_legal_moves() == 0
            && position.verdict_without_moves().winner == Some(loser.other());
        (!is_won).then(|| Fault::of(PvFault::NoMate))
    }

    /// The fault of a last line, with a score, that begins with another move than was played.
    fn begins_otherwise(&mut self, last: &Reported, best: Move, is_last: bool) -> Option<Fault> {
        if last.is_bound || !is_last {
            return None;
        }
        let thought = after_info(&last.line).map(thought)?;
        let word = thought.pv.split_whitespace().next()?;
        self.go_back(0);
        let position = self.game.position();
        let first = parse_engine_move(self.profile, position, word).ok()?;
        (first != best).then(|| {
            let card = position.card();
            let word = Dialect::of(card, self.profile).write(best);
            Fault {
                word,
                ..Fault::of(PvFault::OtherMove)
            }
        })
    }
}
