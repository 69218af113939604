//! Ko fights: the number of external threats that each side needs.
//!
//! A ko verdict means that either side succeeds if it may take every ko at once. Here neither side
//! may: simple ko forbids immediate recapture, and each external threat, a play elsewhere that
//! needs an answer, lifts one such ban. Wolf's `GoTools` counts threats in this way ("Forward
//! pruning and other heuristic search techniques in tsume go", Information Sciences 122, 2000).

use super::strategic::Strategic;
use super::tree::{ExternalThreats, Proving, Sure, Width};
use super::verdict::Captures;
use crate::{PASS, Problem};
use leitai_game::search::proof::{AndOr, Effort, Mode, SolveLimits};
use leitai_game::{Move, Side};

/// Maximum number of threats that a search tries.
pub const MAX_THREATS: u8 = 3;

/// The number of external threats that a side needs if the other has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// This number, at most [`MAX_THREATS`].
    Threats(u8),
    /// More than [`MAX_THREATS`].
    Many,
    /// Unknown: the limits were reached first.
    Unknown,
}

/// The result of a ko fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KoFight {
    /// The side that takes a ko first if both play so that the threats matter; `None` if no such
    /// capture was found.
    pub first: Option<Side>,
    /// The attacker's need: 0 if the attacker wins without threats.
    pub attacker: Need,
    /// The defender's need. One of the two needs is 0, if any is known.
    pub defender: Need,
    /// The first move of that play: it wins for the side to move, or costs the opponent the threats
    /// that it needs.
    pub best: Option<Move>,
    /// True if the needs are proved: found with all moves that could matter on both sides. `best`
    /// and `first` are always heuristic.
    pub is_proved: bool,
    /// The total cost of all searches.
    pub effort: Effort,
}

/// Candidates only, for both sides.
const NARROW: Width = Width {
    attacker: false,
    defender: false,
};

/// The number of plies within which a side must take a ko.
const LONGEST: usize = 30;

impl Captures {
    /// Finds the effect of external threats, by new searches from the root: with candidates, or in
    /// the mode `proved` with every move that could matter, and with candidates if that does not
    /// finish. Equal for the sixteen versions of a problem. All searches share the node limit.
    pub fn fight(&mut self, problem: &Problem, mode: Mode, limits: SolveLimits<'_>) -> KoFight {
        let (version, symmetry) = problem.canonical_version();
        let mut fight = Fight {
            captures: self,
            problem: &version,
            width: NARROW,
            most: NODES,
            limits,
            effort: Effort::default(),
        };
        let mut known = None;
        if mode == Mode::Proved {
            (fight.width, fight.most) = (Width::FULL, NODES_OF_PROOFS);
            known = fight.needs().filter(|&(_, need)| need != Need::Unknown);
        }
        let is_proved = known.is_some();
        if !is_proved {
            let most = match mode {
                Mode::Fast => NODES,
                Mode::Proved => NODES_AFTER_PROOFS,
            };
            (fight.width, fight.most) = (NARROW, most);
            known = fight.needs();
        }
        let (mut best, mut first) = (None, None);
        if let Some((winner, need)) = known {
            (best, first) = fight.line(winner, need);
        }
        let back = symmetry.inverse();
        let need = |side| match known {
            None => Need::Unknown,
            Some((winner, _)) if winner == side => Need::Threats(0),
            Some((_, need)) => need,
        };
        KoFight {
            first,
            attacker: need(Side::First),
            defender: need(Side::Second),
            best: best.map(|mv| back.apply_move(mv, version.board.size())),
            is_proved,
            effort: fight.effort,
        }
    }
}

/// Node limit of a search among candidates.
const NODES: u64 = 4_000;

/// The same after failed proofs, when time is available.
const NODES_AFTER_PROOFS: u64 = 50_000;

/// Node limit of a search with every move that could matter.
const NODES_OF_PROOFS: u64 = 200_000;

struct Fight<'a> {
    captures: &'a mut Captures,
    problem: &'a Problem,
    width: Width,
    /// Node limit of each search.
    most: u64,
    limits: SolveLimits<'a>,
    effort: Effort,
}

impl Fight<'_> {
    /// The winner without threats, and the need of the other side.
    fn needs(&mut self) -> Option<(Side, Need)> {
        self.captures.proving().new_problem();
        let winner = self.winner(ExternalThreats::default())?;
        for count in 1..=MAX_THREATS {
            match self.winner(threats(winner.other(), count)) {
                None => return Some((winner, Need::Unknown)),
                Some(side) if side != winner => return Some((winner, Need::Threats(count))),
                Some(_) => {}
            }
        }
        Some((winner, Need::Many))
    }

    fn tree(&self, threats: ExternalThreats) -> Proving {
        Proving::fight(self.problem, &self.captures.params, threats, self.width)
    }

    /// The winner with these threats.
    fn winner(&mut self, threats: ExternalThreats) -> Option<Side> {
        let mut tree = self.tree(threats);
        let (winner, _) = self.search(&mut tree);
        winner
    }

    /// The winner from here, and the best move if known.
    fn search(&mut self, tree: &mut Proving) -> (Option<Side>, Option<Move>) {
        let left = self.limits.nodes.unwrap_or(u64::MAX);
        let left = left.saturating_sub(self.effort.visited);
        let limits = SolveLimits {
            nodes: Some(left.min(self.most)),
            stop: self.limits.stop,
        };
        let solution = self.captures.proving().solve(tree, limits, None);
        self.effort.add(&solution.effort);
        let winner = solution.verdict.is_proved().map(|is_captured| {
            if is_captured {
                Side::First
            } else {
                Side::Second
            }
        });
        (winner, solution.best.or_else(|| tree.sure_move()))
    }

    /// The first move, and the side that takes a ko first. The winner plays as if the other side
    /// had one threat fewer than it needs, the other with all that it needs.
    fn line(&mut self, winner: Side, need: Need) -> (Option<Move>, Option<Side>) {
        let loser = winner.other();
        let (few, enough) = match need {
            Need::Threats(count) => (count - 1, count),
            Need::Many => (MAX_THREATS, MAX_THREATS),
            Need::Unknown => (0, 0),
        };
        let mut few = self.tree(threats(loser, few));
        let mut enough = self.tree(threats(loser, enough));
        let mut begins = None;
        for _ in 0..LONGEST {
            if few.is_reached() {
                break;
            }
            let side = if few.is_or() {
                Side::First
            } else {
                Side::Second
            };
            let tree = if side == winner {
                &mut few
            } else {
                &mut enough
            };
            let (known, mv) = self.search(tree);
            // The defender may pass if nothing threatens.
            let pass = (known.is_some() && side == Side::Second).then_some(PASS);
            let Some(mv) = mv.or(pass) else { break };
            begins = begins.or(Some(mv));
            if tree.takes_ko(mv) {
                return (begins, Some(side));
            }
            few.play(mv);
            enough.play(mv);
        }
        (begins, None)
    }
}

/// This number of threats for one side, none for the other.
fn threats(side: Side, count: u8) -> ExternalThreats {
    let none = ExternalThreats::default();
    match side {
        Side::First => ExternalThreats {
            attacker: count,
            ..none
        },
        Side::Second => ExternalThreats {
            defender: count,
            ..none
        },
    }
}
