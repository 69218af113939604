//! The `fast` mode in steps: with few liberties for an escape first.
//!
//! A target that is taken though it needs only three liberties to escape is taken though
//! it needs five, and is found so in a tree that is a fraction of the other. If it is not
//! taken so, that says much for its escape, too: searches for an escape in the open come
//! to no end.

use std::cell::Cell;

use super::tree::Quick;
use super::verdict::{Captures, Decision, Found, Task, Work};
use super::{CaptureParams, Kos};
use crate::CaptureVerdict;
use leitai_game::Move;
use leitai_game::search::proof::{End, Event, SolveLimits};

/// The liberties of the first steps, as far as they are fewer than the problem's own.
const FEW: [u32; 3] = [3, 4, 5];

/// The nodes that are left are divided by this for each step that is still to come.
const SHARE: u64 = 4;

/// A search of the `fast` mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// The target escapes with so many liberties; 0 stands for never.
    pub(super) liberties: u32,
    /// One part in so many of the nodes that are left.
    pub(super) parts: u64,
}

/// The searches for a target that escapes with `enough` liberties, the last with as many.
pub(super) fn steps(enough: u32, params: &CaptureParams) -> Vec<Step> {
    let few = FEW.into_iter();
    let few = few.filter(|&few| params.steps && (enough == 0 || few < enough));
    let all: Vec<u32> = few.chain([enough]).collect();
    let later = (0..all.len() as u32).rev();
    let step = |(&liberties, later)| Step {
        liberties,
        parts: SHARE.pow(later),
    };
    all.iter().zip(later).map(step).collect()
}

/// One part in so many of the nodes is for the question whether there is a ko.
const SPARED: u64 = 8;

impl Work<'_> {
    /// By candidates: captured if the attacker succeeds in a step though the defender is
    /// master of the kos; else it escapes if the attacker fails in the last step even as
    /// master. Without that it takes that the last step of the first kind says so, or an
    /// earlier one, and the numbers of the last do not speak against it: then it is ko if the
    /// attacker succeeds as master, and more moves do not make it a capture, and otherwise an
    /// escape.
    pub(super) fn judge(&mut self, watch: Option<&mut dyn FnMut(Event)>) -> Decision {
        let task = |kos| Task::judged(kos);
        let params = self.captures.params.clone();
        let mut tree = Quick::new(self.problem, &params, Kos::Defender);
        // The rest is for the second question.
        let all = self.limits.nodes;
        self.limits.nodes = all.map(|all| all - all / SPARED);
        let (last, escape) = self.climb(&mut tree, &params, Kos::Defender, watch);
        self.limits.nodes = all;
        let Some(last) = last else {
            return unknown(None);
        };
        if last.proved == Some(true) {
            let best = self.of_attacker(last);
            return (CaptureVerdict::Captured, best, vec![task(Kos::Defender)]);
        }
        let (as_master, _) = self.climb(&mut tree, &params, Kos::Attacker, None);
        let as_master = as_master.and_then(|found| Some((found.proved?, found)));
        let escapes = CaptureVerdict::Escapes;
        if let Some((false, found)) = as_master {
            let best = self.of_defender(found);
            return (escapes, best, vec![task(Kos::Attacker)]);
        }
        let is_open = last.proved.is_none();
        let Some(escape) = escape.filter(|_| !is_open || !is_doubtful(last.numbers, &params))
        else {
            return unknown(last.best);
        };
        match as_master {
            Some((_, found)) => {
                if let Some(taken) = self.second_look(&params) {
                    let best = self.of_attacker(taken);
                    return (CaptureVerdict::Captured, best, Vec::new());
                }
                let best = self.of_attacker(found).or(self.of_defender(escape));
                let both = vec![task(Kos::Defender), task(Kos::Attacker)];
                let sure = if is_open { Vec::new() } else { both };
                (CaptureVerdict::Ko, best, sure)
            }
            None if params.steps => (escapes, self.of_defender(escape), Vec::new()),
            None => unknown(last.best),
        }
    }

    /// All steps with a master of the kos, up to one in which the target is taken: the last
    /// search, and the last one that found an escape.
    fn climb(
        &mut self,
        tree: &mut Quick,
        params: &CaptureParams,
        kos: Kos,
        mut watch: Option<&mut dyn FnMut(Event)>,
    ) -> (Option<Found>, Option<Found>) {
        let enough = params.escape_liberties_of(self.problem);
        let (mut last, mut escape) = (None, None);
        for Step { liberties, parts } in steps(enough, params) {
            tree.begin(kos, liberties);
            let nodes = self.left().map(|left| left.div_ceil(parts));
            let found = if params.steps && liberties == enough && escape.is_some() {
                self.search_in_doubt(tree, nodes, watch.take())
            } else {
                self.search(Captures::quick, tree, nodes, watch.take())
            };
            last = Some(found);
            match found.proved {
                Some(true) => break,
                Some(false) => escape = last,
                None if found.end == End::Stopped => break,
                None => {}
            }
        }
        (last, escape)
    }

    /// A search that gives up when its numbers speak for an escape: clearly at first, less and
    /// less so the more of its nodes are spent.
    fn search_in_doubt(
        &mut self,
        tree: &mut Quick,
        nodes: Option<u64>,
        mut watch: Option<&mut dyn FnMut(Event)>,
    ) -> Found {
        let clear = CLEAR.max(self.captures.params.doubt);
        let is_clear = Cell::new(false);
        let outer = self.limits.stop;
        let stop = || is_clear.get() || outer();
        let mut look = |event: Event| {
            if let Some([proof, disproof]) = event.numbers()
                && let Some(nodes) = nodes
            {
                let spent = event.visited();
                let (proof, disproof) = (u128::from(proof), u128::from(disproof));
                is_clear.set(
                    spent >= nodes / EARLY
                        && proof * 100 * u128::from(spent)
                            >= disproof * u128::from(clear) * u128::from(nodes),
                );
            }
            if let Some(watch) = &mut watch {
                watch(event);
            }
        };
        let limits = SolveLimits { nodes, stop: &stop };
        let end = self.end;
        let found = self.part(limits, |part| {
            part.search(Captures::quick, tree, None, Some(&mut look))
        });
        if is_clear.get() {
            self.end = end; // Nobody stopped it.
        }
        found
    }

    /// A ko may be a capture by a move that was not tried: kos are rare enough for half as many
    /// moves of the attacker again.
    fn second_look(&mut self, params: &CaptureParams) -> Option<Found> {
        if !params.steps {
            return None;
        }
        let mut wider = params.clone();
        wider.near_attack += wider.near_attack / 2;
        let mut tree = Quick::new(self.problem, &wider, Kos::Defender);
        let found = self.search(Captures::quick, &mut tree, None, None);
        (found.proved == Some(true)).then_some(found)
    }
}

const fn unknown(best: Option<Move>) -> Decision {
    (CaptureVerdict::Unknown, best, Vec::new())
}

/// Whether a search that was not decided speaks for a capture.
fn is_doubtful(numbers: Option<(u32, u32)>, params: &CaptureParams) -> bool {
    numbers.is_some_and(|(proof, disproof)| {
        u64::from(proof) * 100 < u64::from(params.doubt) * u64::from(disproof)
    })
}

/// One part in so many of the nodes is spent before the numbers are looked at.
const EARLY: u64 = 32;

/// The proof number in percent of the disproof number that speaks for an escape when all
/// nodes are spent; twice as much after half of them.
const CLEAR: u32 = 35;

#[cfg(test)]
mod tests {
    use super::super::verdict::Captures;
    use super::*;
    use crate::{Problem, Setup};
    use leitai_game::search::proof::{Mode, SolverKind, SolverParams};

    /// White is to save Q15, and does: proved with 38,143 nodes.
    const SAVED: &str = "\
        .................../.................../.................../\
        ..OO....X.....X..../...O....X......X.../..OX..........OOO../\
        ..XX......XO.OO.X../.X........OO.XX..../............XO.O.../\
        ...X.........O...../..X.X............../..OOX............../\
        ....X...........XO./..O.O........O..XXO/.......O......OX.../\
        ......O...O......../.....XX...OX.XX..../......X.....OX...../\
        ...................";

    /// White attacks S11. All 4 moves of his come to a ko, the fifth takes it: proved with
    /// 53,579 nodes.
    const TAKEN: &str = "\
        ....XX.X.X..X....../..XX.XXOX.OOXX...../.OXX.XXOOOXX.XX..../\
        ..XOXXOO.OOXXXXX.../....XOO.O.XXXOOXO../..X.O...OO.OOOOOO../\
        ..X..OOOO.O.O.OXX../.X.X.X.OOOOOXOXX.../.XXO.X.O.OXOXX.XXO./\
        ...OOXXOOXXOXXX..X./.O..OOXO.OXXOOOX..X/.XXO..XXOXXOXX.XOOX/\
        .OOX..O.OX.OO.XOX../.O.OO...O.OO...OXO./..OXOX.XOX.O...OOO./\
        ..O...OXX.X......../.XXO.OX.XX...OXX.../...OOOOXOX........./\
        ...................";

    fn opinion(position: &str, rest: &str, params: CaptureParams) -> (CaptureVerdict, u64) {
        let line = format!("{position} {rest} -");
        let Setup {
            board,
            to_move,
            target,
            ..
        } = Setup::read(&line).unwrap();
        let problem = Problem::new(board, target, to_move).unwrap();
        let solver = SolverParams {
            kind: SolverKind::DfPnPlus,
            ..SolverParams::default()
        };
        let mut captures = Captures::new(params, solver);
        let limits = SolveLimits {
            nodes: Some(20_000),
            stop: &|| false,
        };
        let answer = captures.solve(&problem, Mode::Fast, limits, None);
        (answer.verdict, answer.effort.visited)
    }

    #[test]
    fn numbers_that_speak_clearly_end_an_opinion() {
        let (verdict, nodes) = opinion(SAVED, "O Q15", CaptureParams::default());
        assert_eq!(verdict, CaptureVerdict::Escapes);
        assert!(nodes < 5_000, "{nodes}");
        let at_once = CaptureParams {
            steps: false,
            ..CaptureParams::default()
        };
        assert_eq!(
            opinion(SAVED, "O Q15", at_once),
            (CaptureVerdict::Unknown, 20_000)
        );
    }

    #[test]
    fn a_ko_is_looked_at_twice() {
        let (verdict, _) = opinion(TAKEN, "O S11", CaptureParams::default());
        assert_eq!(verdict, CaptureVerdict::Captured);
    }

    #[test]
    fn steps_lead_to_the_limit() {
        let mut params = CaptureParams::default();
        let liberties = |enough, params: &CaptureParams| -> Vec<u32> {
            let steps = steps(enough, params).into_iter();
            steps.map(|step| step.liberties).collect()
        };
        assert_eq!(liberties(5, &params), [3, 4, 5]);
        assert_eq!(liberties(3, &params), [3]);
        assert_eq!(liberties(2, &params), [2]);
        assert_eq!(liberties(9, &params), [3, 4, 5, 9]);
        assert_eq!(liberties(0, &params), [3, 4, 5, 0]);
        let parts = steps(5, &params).into_iter().map(|step| step.parts);
        assert_eq!(parts.collect::<Vec<_>>(), [16, 4, 1]);
        params.steps = false;
        assert_eq!(liberties(5, &params), [5]);
    }
}
