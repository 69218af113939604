//! The `fast` mode in steps, which begin with few liberties for an escape.
//!
//! A target that is taken when three liberties are an escape is also taken when five are, and the
//! search for this needs a fraction of the nodes. If that search finds an escape, it is also
//! evidence for an escape with more liberties: searches for an escape into the open do not finish.

use std::cell::Cell;

use super::tree::Quick;
use super::verdict::{Captures, Decision, Found, Task, Work};
use super::{CaptureParams, Kos};
use crate::CaptureVerdict;
use leitai_game::Move;
use leitai_game::search::proof::{End, Event, SolveLimits};

/// The liberties of the first steps, if fewer than the problem's own limit.
const FEW: [u32; 3] = [3, 4, 5];

/// The remaining nodes are divided by this number for each later step.
const SHARE: u64 = 4;

/// A search of the `fast` mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// The number of liberties of an escape; 0 for never.
    pub(super) liberties: u32,
    /// The step gets one of this many parts of the remaining nodes.
    pub(super) parts: u64,
}

/// The searches for a target that escapes with `enough` liberties, which the last one uses.
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

/// One of this many parts of the nodes is reserved for the ko question.
const SPARED: u64 = 8;

impl Work<'_> {
    /// Judges with candidates. The target is captured if the attacker succeeds in a step although
    /// the defender is master of the kos, and escapes if the attacker fails in the last step even
    /// as master. Otherwise the last or an earlier step with the defender as master must have found
    /// an escape, and the numbers of the last step must not contradict it. Then the verdict is ko
    /// if the attacker succeeds as master and more moves do not make it a capture, else an escape.
    pub(super) fn judge(&mut self, watch: Option<&mut dyn FnMut(Event)>) -> Decision {
        let task = |kos| Task::judged(kos);
        let params = self.captures.params.clone();
        let mut tree = Quick::new(self.problem, &params, Kos::Defender);
        // The rest is for the search with the attacker as master.
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

    /// Runs all steps with a master of the kos, until one takes the target. Returns the last
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

    /// A search that stops when its numbers indicate an escape. The required clarity decreases as
    /// it spends its nodes.
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

    /// Searches again with half as many moves of the attacker more: an untried move may turn a ko
    /// into a capture. Kos are rare enough for this.
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

/// Returns whether the numbers of an undecided search indicate a capture.
fn is_doubtful(numbers: Option<(u32, u32)>, params: &CaptureParams) -> bool {
    numbers.is_some_and(|(proof, disproof)| {
        u64::from(proof) * 100 < u64::from(params.doubt) * u64::from(disproof)
    })
}

/// One of this many parts of the nodes is spent before the first look at the numbers.
const EARLY: u64 = 32;

/// The proof number in percent of the disproof number that indicates an escape when all nodes are
/// spent; twice as much after half of them.
const CLEAR: u32 = 35;

#[cfg(test)]
mod tests {
    use super::super::verdict::Captures;
    use super::*;
    use crate::{Problem, Setup};
    use leitai_game::search::proof::{Mode, SolverKind, SolverParams};

    /// White to move saves Q15: proved with 38,143 nodes.
    const SAVED: &str = "\
        .................../.................../.................../\
        ..OO....X.....X..../...O....X......X.../..OX..........OOO../\
        ..XX......XO.OO.X../.X........OO.XX..../............XO.O.../\
        ...X.........O...../..X.X............../..OOX............../\
        ....X...........XO./..O.O........O..XXO/.......O......OX.../\
        ......O...O......../.....XX...OX.XX..../......X.....OX...../\
        ...................";

    /// White attacks S11. White's 4 candidates all lead to a ko, the fifth takes it: proved with
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
