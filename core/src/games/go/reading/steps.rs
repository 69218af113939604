//! The `fast` mode in steps: with few liberties for an escape first.
//!
//! A target that is taken though it needs only three liberties to escape is taken though
//! it needs five, and is found so in a tree that is a fraction of the other. If it is not
//! taken so, that says much for its escape, too: searches for an escape in the open come
//! to no end.

use super::tree::Quick;
use super::verdict::{Decision, Found, Task, Work, run};
use super::{CaptureParams, Kos};
use crate::game::Move;
use crate::games::go::CaptureVerdict;
use crate::search::proof::{End, Event, SolveLimits};

/// The liberties of the first steps, as far as they are fewer than the problem's own.
const FEW: [u32; 3] = [3, 4, 5];

/// The nodes that are left are divided by this for each step that is still to come.
const SHARE: u64 = 4;

impl Work<'_> {
    /// Captured if the attacker succeeds in a step though the defender is master of the
    /// kos; ko if he does not, but would as master himself; else it escapes, if the last
    /// step says so, or an earlier one and the numbers of the last do not speak against
    /// it.
    pub(super) fn judge_in_steps(&mut self, mut watch: Option<&mut dyn FnMut(Event)>) -> Decision {
        let task = |kos| Task { kos, width: None };
        let params = self.captures.params.clone();
        let enough = params.escape_liberties_of(self.problem);
        let mut tree = Quick::new(self.problem, &params, Kos::Defender);
        let mut escape = None;
        let mut last = None;
        let steps = steps(enough);
        for (place, &liberties) in steps.iter().enumerate() {
            tree.begin(Kos::Defender, liberties);
            let later = (steps.len() - 1 - place) as u32;
            let found = self.step(&mut tree, SHARE.pow(later), watch.take());
            match found.proved {
                Some(true) => {
                    let best = self.of_attacker(found);
                    return (CaptureVerdict::Captured, best, vec![task(Kos::Defender)]);
                }
                Some(false) => escape = Some(found),
                None if found.end == End::Stopped => return unknown(found.best),
                None => {}
            }
            last = Some(found);
        }
        let (Some(last), Some(escape)) = (last, escape) else {
            return unknown(None);
        };
        if last.proved.is_none() {
            if is_doubtful(last, &params) {
                return unknown(last.best);
            }
            return (
                CaptureVerdict::Escapes,
                self.of_defender(escape),
                Vec::new(),
            );
        }
        tree.begin(Kos::Attacker, enough);
        let with = self.step(&mut tree, 1, None);
        match with.proved {
            Some(true) => {
                let best = self.of_attacker(with).or(self.of_defender(last));
                let both = vec![task(Kos::Defender), task(Kos::Attacker)];
                (CaptureVerdict::Ko, best, both)
            }
            Some(false) => {
                let best = self.of_defender(with);
                (CaptureVerdict::Escapes, best, vec![task(Kos::Attacker)])
            }
            None if with.end == End::Stopped => unknown(with.best),
            None => (CaptureVerdict::Escapes, self.of_defender(last), Vec::new()),
        }
    }

    /// One search, with one part in `parts` of the nodes that are left.
    fn step(
        &mut self,
        tree: &mut Quick,
        parts: u64,
        watch: Option<&mut dyn FnMut(Event)>,
    ) -> Found {
        let limits = SolveLimits {
            nodes: self.left().map(|left| left.div_ceil(parts)),
            stop: self.limits.stop,
        };
        // Of a lifetime that suits the limits too.
        let watch = watch.map(|watch| watch as &mut dyn FnMut(Event));
        let mut found = run(
            &mut self.captures.quick,
            tree,
            limits,
            watch,
            &mut self.effort,
        );
        found.best = found.best.or(tree.terminal_move());
        if found.proved.is_none() {
            self.end = found.end;
        }
        found
    }
}

const fn unknown(best: Option<Move>) -> Decision {
    (CaptureVerdict::Unknown, best, Vec::new())
}

/// The liberties with which the target escapes, step by step; 0 stands for never.
fn steps(enough: u32) -> Vec<u32> {
    let few = FEW.into_iter();
    let few = few.filter(|&liberties| enough == 0 || liberties < enough);
    few.chain([enough]).collect()
}

/// Whether a search that was not decided speaks for a capture.
fn is_doubtful(found: Found, params: &CaptureParams) -> bool {
    found.numbers.is_some_and(|(proof, disproof)| {
        u64::from(proof) * 100 < u64::from(params.doubt) * u64::from(disproof)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_lead_to_the_limit() {
        assert_eq!(steps(5), [3, 4, 5]);
        assert_eq!(steps(3), [3]);
        assert_eq!(steps(2), [2]);
        assert_eq!(steps(9), [3, 4, 5, 9]);
        assert_eq!(steps(0), [3, 4, 5, 0]);
    }
}
