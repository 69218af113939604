//! Verdicts from several searches.
//!
//! For each side of a semeai, searches ask whether it takes the other's block first, under either
//! master of the kos; for a connection only for its owner. A side that succeeds although the other
//! is master has won. A side that succeeds only as master itself is in a ko. If neither side
//! succeeds even as master, the verdict is seki, or a cut.

use super::fight::Fight;
use crate::reading::Kos;
use crate::reading::tree::Width;
use crate::reading::verdict::{Captures, Decision, Found, GROWTH, Task, Work};
use crate::{CaptureVerdict, Goal, PASS, Problem};
use leitai_game::search::proof::{End, Event};

/// Node limit of each guessing search.
const GUESS: u64 = 2_000;

/// Node limit of each proof in the first round.
const FIRST_ROUND: u64 = 2_000;

/// The masters under which a side may succeed.
const MASTERS: [Kos; 2] = [Kos::Defender, Kos::Attacker];

/// The results for a problem, by the side in question and by the master of the kos.
#[derive(Default)]
struct Facts([[Option<(Task, Found)>; 2]; 2]);

/// The index of a task in the facts.
fn place(task: Task) -> (usize, usize) {
    let master = usize::from(task.kos != Kos::Defender);
    (usize::from(task.is_reversed), master)
}

impl Facts {
    fn learn(&mut self, task: Task, found: Found) {
        let (side, master) = place(task);
        self.0[side][master] = Some((task, found));
    }

    /// The result for a side under a master.
    fn proved(&self, side: usize, master: usize) -> Option<bool> {
        self.0[side][master].and_then(|(_, found)| found.proved)
    }

    /// Returns whether the result of a task could change the verdict. A side that fails as master
    /// also fails otherwise, and if one side succeeds as master, the other does not under the same
    /// master.
    fn is_wanted(&self, task: Task) -> bool {
        let (side, master) = place(task);
        let known = self.proved(side, master).is_some();
        let fails = self.proved(side, 1) == Some(false);
        let others = self.proved(1 - side, 1) == Some(true);
        !known && !fails && !others
    }

    /// The searches that decide the verdict, if it is decided.
    fn deciding(&self, goal: Goal) -> Option<(CaptureVerdict, Vec<(Task, Found)>)> {
        let is_race = matches!(goal, Goal::Semeai(_));
        let sides = if is_race { 0..2 } else { 0..1 };
        let all = |places: &[(usize, usize)]| {
            let facts = places
                .iter()
                .filter_map(|&(side, master)| self.0[side][master]);
            facts.collect::<Vec<_>>()
        };
        for side in sides.clone() {
            let verdict = match (is_race, side) {
                (true, 0) => CaptureVerdict::Wins,
                (true, _) => CaptureVerdict::Loses,
                (false, _) => CaptureVerdict::Connected,
            };
            match [0, 1].map(|master| self.proved(side, master)) {
                [Some(true), _] => return Some((verdict, all(&[(side, 0)]))),
                [Some(false), Some(true)] => {
                    return Some((CaptureVerdict::Ko, all(&[(side, 0), (side, 1)])));
                }
                _ => {}
            }
        }
        let masters: Vec<_> = sides.map(|side| (side, 1)).collect();
        let fails = |&(side, master): &(usize, usize)| self.proved(side, master) == Some(false);
        let verdict = if is_race {
            CaptureVerdict::Seki
        } else {
            CaptureVerdict::Cut
        };
        let all_fail = masters.iter().all(fails);
        all_fail.then(|| (verdict, all(&masters)))
    }
}

/// A possible proof.
#[derive(Clone, Copy)]
struct Attempt {
    task: Task,
    width: Width,
    /// True if the search ended without a proof, so that more nodes change nothing.
    failed: bool,
}

impl Work<'_> {
    /// Judges with candidates of both sides; the searches share the remaining nodes.
    pub(in crate::reading) fn judge_goal(
        &mut self,
        mut watch: Option<&mut dyn FnMut(Event)>,
    ) -> Decision {
        let mut facts = Facts::default();
        let tasks = self.tasks();
        for (done, &task) in tasks.iter().enumerate() {
            if !facts.is_wanted(task) {
                continue;
            }
            let parts = (tasks.len() - done) as u64;
            let nodes = self.left().map(|left| left.div_ceil(parts));
            let found = self.fight(task, nodes, watch.take());
            facts.learn(task, found);
            if let Some(decided) = self.decided(&facts) {
                return decided;
            }
            if (self.limits.stop)() {
                break;
            }
        }
        (CaptureVerdict::Unknown, None, Vec::new())
    }

    /// Tries one proof after another, the likeliest first, with increasing node limits.
    pub(in crate::reading) fn prove_goal(
        &mut self,
        mut watch: Option<&mut dyn FnMut(Event)>,
    ) -> Decision {
        let mut attempts: Vec<(u8, Attempt)> = Vec::new();
        for task in self.tasks() {
            let guess = self.fight(task, Some(GUESS), watch.take()).proved;
            for (place, width) in [Width::CAPTURE, Width::ESCAPE, Width::FULL]
                .into_iter()
                .enumerate()
            {
                // Likely and informative proofs first; proofs with every move of both sides last.
                let proves = width == Width::CAPTURE;
                let says_most = proves == (task.kos == Kos::Defender);
                let unlikely = guess.map_or(1, |guess| if guess == proves { 0 } else { 2 });
                let rank = if place == 2 {
                    8
                } else {
                    2 * unlikely + u8::from(!says_most)
                };
                let attempt = Attempt {
                    task,
                    width,
                    failed: false,
                };
                attempts.push((rank, attempt));
            }
        }
        attempts.sort_by_key(|&(rank, _)| rank);
        let mut attempts: Vec<Attempt> = attempts.into_iter().map(|it| it.1).collect();
        let mut facts = Facts::default();
        let mut nodes = FIRST_ROUND;
        loop {
            let mut is_open = false;
            for attempt in &mut attempts {
                if attempt.failed || !facts.is_wanted(attempt.task) {
                    continue;
                }
                is_open = true;
                let task = Task {
                    width: Some(attempt.width),
                    ..attempt.task
                };
                let found = self.fight(task, Some(nodes), None);
                let is_proof = match found.proved {
                    Some(true) => attempt.width.defender,
                    Some(false) => attempt.width.attacker,
                    None => false,
                };
                // After a full tree or the greatest depth, more nodes change nothing.
                let is_stuck = matches!(found.end, End::Memory | End::Depth);
                attempt.failed = !is_proof && (found.proved.is_some() || is_stuck);
                if is_proof {
                    facts.learn(task, found);
                    if let Some(decided) = self.decided(&facts) {
                        return decided;
                    }
                }
                if self.left() == Some(0) || (self.limits.stop)() {
                    return (CaptureVerdict::Unknown, None, Vec::new());
                }
            }
            if !is_open {
                return (CaptureVerdict::Unknown, None, Vec::new());
            }
            nodes = nodes.saturating_mul(GROWTH);
        }
    }

    /// The possible tasks: each side under each master.
    fn tasks(&self) -> Vec<Task> {
        let is_race = matches!(self.problem.goal, Goal::Semeai(_));
        let sides: &[bool] = if is_race { &[false, true] } else { &[false] };
        let tasks = MASTERS.into_iter().flat_map(|kos| {
            sides.iter().map(move |&is_reversed| Task {
                kos,
                width: None,
                is_reversed,
            })
        });
        tasks.collect()
    }

    fn asked(&self, task: Task) -> Problem {
        task.problem(self.problem)
    }

    fn fight(
        &mut self,
        task: Task,
        nodes: Option<u64>,
        watch: Option<&mut dyn FnMut(Event)>,
    ) -> Found {
        let problem = self.asked(task);
        let mut tree = Fight::new(&problem, &self.captures.params, task.kos, task.width);
        self.search(Captures::fights, &mut tree, nodes, watch)
    }

    fn decided(&self, facts: &Facts) -> Option<Decision> {
        let (verdict, by) = facts.deciding(self.problem.goal)?;
        let mut moves = by.iter().filter_map(|&(task, found)| {
            let attacks = self.asked(task).attacker_moves();
            if found.proved? {
                attacks.then_some(found.best)?
            } else {
                (!attacks).then(|| found.best.unwrap_or(PASS))
            }
        });
        let best = moves.next();
        Some((
            verdict,
            best,
            by.into_iter().map(|(task, _)| task).collect(),
        ))
    }
}
