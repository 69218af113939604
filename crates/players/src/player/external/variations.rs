//! Checks of the principal variations that an engine reports about one move.
//!
//! For each depth only the last line is checked; a line whose score is a bound does not replace one
//! with a score. Most lines share a prefix with their predecessor, which is played only once.

use std::cmp::Ordering;

use super::notation::{Dialect, parse_engine_move};
use crate::player::pv::{PvFault, PvWarning};
use leitai_config::{Checks, Profile};
use leitai_game::card::{AnyLine, Rules};
use leitai_game::{Cause, Move};
use leitai_protocols::Info;

#[cfg(test)]
mod tests;

/// Largest number of kept lines: one for each depth, which few engines reach.
const MAX: usize = 128;

/// The lines about one move, in the order of arrival.
#[derive(Debug, Default)]
pub(crate) struct Variations {
    lines: Vec<Reported>,
    /// True if the last line was kept.
    is_last_kept: bool,
}

#[derive(Debug)]
struct Reported {
    info: Info,
    line: String,
}

impl Variations {
    /// Removes all lines.
    pub(crate) fn clear(&mut self) {
        self.lines.clear();
    }

    /// Adds a line in place of the last one of its depth, unless only the new score is a bound.
    pub(crate) fn add(&mut self, info: Info, line: String) {
        let same = self
            .lines
            .iter()
            .rposition(|it| it.info.depth == info.depth);
        self.is_last_kept = true;
        match same {
            Some(place) if info.is_bound && !self.lines[place].info.is_bound => {
                self.is_last_kept = false;
                return;
            }
            Some(place) => drop(self.lines.remove(place)),
            None if self.lines.len() == MAX => drop(self.lines.remove(0)),
            None => {}
        }
        self.lines.push(Reported { info, line });
    }

    /// Checks the kept lines at the end of `game`. `best` is the engine's move; `None` if its answer
    /// was not a legal move. Leaves the game unchanged.
    pub(crate) fn check(
        &self,
        game: &mut dyn AnyLine,
        (rules, profile): (&Rules, &Profile),
        best: Option<Move>,
        checks: Checks,
    ) -> Vec<PvWarning> {
        let mut walk = Walk {
            root: game.len(),
            game,
            rules,
            profile,
            played: Vec::new(),
            first: None,
        };
        let mut found = Vec::new();
        let mut last_word = None;
        for reported in &self.lines {
            let moves = reported.info.pv.of(&reported.line);
            last_word = moves.split_ascii_whitespace().next();
            let fault = match walk.play(moves) {
                Some(fault) if checks.pv => Some(fault),
                Some(_) => None,
                None => {
                    let mate = reported.info.mate.filter(|_| checks.mate);
                    mate.and_then(|mate| walk.mate(mate))
                }
            };
            found.extend(fault.map(|fault| (fault, &reported.line)));
        }
        let last = self
            .lines
            .last()
            .filter(|it| checks.pv && !it.info.is_bound);
        if let Some((last, best)) = last.filter(|_| self.is_last_kept).zip(best) {
            let other = walk.begins_otherwise(last_word, best);
            found.extend(other.map(|fault| (fault, &last.line)));
        }
        walk.go_back(0);
        if found.is_empty() {
            return Vec::new();
        }
        let (ply, position) = (game.len() as u32, game.position().to_fen());
        let warning = |((kind, cause, word), line): (Fault, &String)| PvWarning {
            kind,
            cause,
            word: PvWarning::shortened(&word),
            ply,
            position: position.clone(),
            line: PvWarning::shortened(line),
        };
        found.into_iter().map(warning).collect()
    }
}

/// A fault of a line, the cause of the end before it, and the move that it concerns.
type Fault = (PvFault, Option<Cause>, String);

/// A game extended by principal variations.
struct Walk<'a, 'l> {
    game: &'a mut dyn AnyLine,
    /// Number of moves of the game itself.
    root: usize,
    rules: &'a Rules,
    profile: &'a Profile,
    /// The moves played after them, in the engine's notation.
    played: Vec<&'l str>,
    /// The last legal first move.
    first: Option<(&'l str, Move)>,
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
    fn play(&mut self, moves: &'l str) -> Option<Fault> {
        let moves = moves.split_ascii_whitespace();
        let both = self.played.iter().zip(moves.clone());
        let common = both.take_while(|&(one, other)| *one == other).count();
        self.go_back(common);
        for word in moves.skip(common) {
            // The game itself is not over.
            let is_first = self.played.is_empty();
            if !is_first && let Some(cause) = self.end() {
                return Some((PvFault::BeyondTheEnd, Some(cause), word.to_owned()));
            }
            let Ok(mv) = parse_engine_move(self.profile, self.game.position(), word) else {
                return Some((PvFault::IllegalMove, None, word.to_owned()));
            };
            if is_first {
                self.first = Some((word, mv));
            }
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
        let fault = match (self.played.len() as u64).cmp(&plies) {
            Ordering::Less => PvFault::ShortMate,
            Ordering::Greater => PvFault::LongMate,
            Ordering::Equal => {
                let position = self.game.position();
                let winner = Some(position.side_to_move().other());
                let is_won = position.count_legal_moves() == 0
                    && position.verdict_without_moves().winner == winner;
                if is_won {
                    return None;
                }
                PvFault::NoMate
            }
        };
        Some((fault, None, String::new()))
    }

    /// The fault of a last line, with a score, that begins with another move than was played.
    fn begins_otherwise(&mut self, word: Option<&str>, best: Move) -> Option<Fault> {
        let (_, first) = self.first.filter(|(first, _)| word == Some(*first))?;
        if first == best {
            return None;
        }
        self.go_back(0);
        let dialect = Dialect::of(self.game.position().card(), self.profile);
        Some((PvFault::OtherMove, None, dialect.write(best)))
    }
}
