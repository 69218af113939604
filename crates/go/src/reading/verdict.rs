//! Verdicts about a target: captured, escapes, or ko.

use super::tree::{Proving, Quick, Sure, Width};
use super::{CaptureParams, Fight, Kos};
use crate::{CaptureVerdict, Goal, PASS, Problem};
use leitai_game::Move;
use leitai_game::search::proof::{Effort, End, Event, Mode, SolveLimits, Solver, SolverParams};

/// One search: the master of the kos, and the possible proofs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// The side that may take kos.
    pub kos: Kos,
    /// The side whose moves are all searched; `None` for neither.
    pub width: Option<Width>,
    /// True if a semeai was searched for the other side ([`Problem::reversed`]).
    pub is_reversed: bool,
}

impl Task {
    /// A search with candidates of both sides.
    pub(super) const fn judged(kos: Kos) -> Self {
        Self {
            kos,
            width: None,
            is_reversed: false,
        }
    }

    /// The version of the problem that this task searches.
    pub fn problem(self, problem: &Problem) -> Problem {
        if self.is_reversed {
            problem.reversed()
        } else {
            problem.clone()
        }
    }
}

/// The result for a problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The verdict; `Unknown` if the limits were reached first.
    pub verdict: CaptureVerdict,
    /// The move with which the side to move reaches its part of the verdict; `None` if the verdict
    /// is against it, or unknown. The pass if it needs no move.
    pub best: Option<Move>,
    /// The total cost of all searches; the depth is the greatest.
    pub effort: Effort,
    /// The limit that was reached before a verdict; `Decided` also if all attempted proofs failed.
    pub end: End,
    /// The searches that decided the verdict: one, or two for a ko.
    pub decided_by: Vec<Task>,
}

/// The result of a finished search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) proved: Option<bool>,
    pub(super) best: Option<Move>,
    pub(super) end: End,
    /// The proof and the disproof number, if the solver has them.
    pub(super) numbers: Option<(u32, u32)>,
}

/// Finds verdicts about targets, with a memory that is reused between problems.
pub struct Captures {
    /// The settings of the reading.
    pub params: CaptureParams,
    solver: SolverParams,
    quick: Solver<Quick>,
    /// Created at first use.
    proving: Option<Solver<Proving>>,
    /// For semeais and connections; created at first use.
    fights: Option<Solver<Fight>>,
}

impl Captures {
    /// A solver with these parameters.
    pub fn new(params: CaptureParams, solver: SolverParams) -> Self {
        Self {
            quick: Solver::new(&solver),
            proving: None,
            fights: None,
            params,
            solver,
        }
    }

    /// The solver of heuristic verdicts.
    pub(super) fn quick(&mut self) -> &mut Solver<Quick> {
        &mut self.quick
    }

    /// The solver of proofs.
    pub fn proving(&mut self) -> &mut Solver<Proving> {
        let solver = &self.solver;
        self.proving.get_or_insert_with(|| Solver::new(solver))
    }

    /// The solver of semeais and connections.
    pub fn fights(&mut self) -> &mut Solver<Fight> {
        let solver = &self.solver;
        self.fights.get_or_insert_with(|| Solver::new(solver))
    }

    /// Finds the verdict about a target. The answer depends only on the problem, the mode and the
    /// node limit, unless `stop` interferes. It is the same, including the move, for the sixteen
    /// versions of a problem by symmetry and colour.
    ///
    /// `watch` receives the events of the first search of the problem, by the attacker against a
    /// defender who may take every ko.
    pub fn solve(
        &mut self,
        problem: &Problem,
        mode: Mode,
        limits: SolveLimits<'_>,
        watch: Option<&mut dyn FnMut(Event)>,
    ) -> Reading {
        let (version, symmetry) = problem.canonical_version();
        let mut work = Work {
            captures: self,
            problem: &version,
            limits,
            effort: Effort::default(),
            end: End::Decided,
        };
        let is_capture = version.goal == Goal::Capture;
        let (verdict, best, decided_by) = match mode {
            Mode::Fast if !is_capture => work.judge_goal(watch),
            Mode::Proved if !is_capture => work.prove_goal(watch),
            Mode::Fast => work.judge(watch),
            Mode::Proved => work.prove(watch),
        };
        let back = symmetry.inverse();
        Reading {
            verdict,
            best: best.map(|mv| back.apply_move(mv, version.board.size())),
            effort: work.effort,
            end: match verdict {
                CaptureVerdict::Unknown => work.end,
                _ => End::Decided,
            },
            decided_by,
        }
    }
}

/// The verdict, the move, and the searches that decided.
pub(super) type Decision = (CaptureVerdict, Option<Move>, Vec<Task>);

/// A problem in progress.
pub(super) struct Work<'a> {
    pub(super) captures: &'a mut Captures,
    pub(super) problem: &'a Problem,
    pub(super) limits: SolveLimits<'a>,
    pub(super) effort: Effort,
    /// The reason why the last search without a result ended.
    pub(super) end: End,
}

impl Work<'_> {
    /// The move of a search that the attacker has won, with the attacker to move.
    pub(super) fn of_attacker(&self, found: Found) -> Option<Move> {
        self.problem.attacker_moves().then_some(found.best)?
    }

    /// The move of a search that the defender has won, with the defender to move: the pass if no
    /// move is needed.
    pub(super) fn of_defender(&self, found: Found) -> Option<Move> {
        (!self.problem.attacker_moves()).then(|| found.best.unwrap_or(PASS))
    }

    /// The remaining nodes of the limit.
    pub(super) fn left(&self) -> Option<u64> {
        self.limits
            .nodes
            .map(|nodes| nodes.saturating_sub(self.effort.visited))
    }

    /// Runs one search, with at most `nodes` nodes.
    pub(super) fn search<G: Sure>(
        &mut self,
        solver: fn(&mut Captures) -> &mut Solver<G>,
        tree: &mut G,
        nodes: Option<u64>,
        watch: Option<&mut dyn FnMut(Event)>,
    ) -> Found {
        let nodes = match (nodes, self.left()) {
            (Some(nodes), Some(left)) => Some(nodes.min(left)),
            (nodes, left) => nodes.or(left),
        };
        let limits = SolveLimits {
            nodes,
            stop: self.limits.stop,
        };
        let solver = solver(self.captures);
        solver.new_problem();
        // With a lifetime that fits the limits too.
        let watch = watch.map(|watch| watch as &mut dyn FnMut(Event));
        let solution = solver.solve(tree, limits, watch);
        self.effort.add(&solution.effort);
        let proved = solution.verdict.is_proved();
        if proved.is_none() {
            self.end = solution.end;
        }
        Found {
            proved,
            best: solution.best.or_else(|| tree.sure_move()),
            end: solution.end,
            numbers: solution.pn.zip(solution.dn),
        }
    }

    /// A part of the work with its own limits.
    pub(super) fn part<T>(
        &mut self,
        limits: SolveLimits<'_>,
        run: impl FnOnce(&mut Work<'_>) -> T,
    ) -> T {
        let mut part = Work {
            captures: &mut *self.captures,
            problem: self.problem,
            limits,
            effort: Effort::default(),
            end: self.end,
        };
        let result = run(&mut part);
        let Work { effort, end, .. } = part;
        self.effort.add(&effort);
        self.end = end;
        result
    }

    /// Tries one proof after another, with increasing node limits; proofs that agree with the guess
    /// get the most nodes.
    fn prove(&mut self, watch: Option<&mut dyn FnMut(Event)>) -> Decision {
        let mut plan = Plan::new(self.guess(watch));
        let mut nodes = FIRST_ROUND;
        loop {
            for place in 0..plan.attempts.len() {
                let Attempt {
                    kos, width, likely, ..
                } = plan.attempts[place];
                if !plan.is_wanted(place) {
                    continue;
                }
                let task = Task {
                    kos,
                    width: Some(width),
                    is_reversed: false,
                };
                let nodes = if likely { nodes } else { nodes / UNLIKELY };
                let mut tree = Proving::new(self.problem, &self.captures.params, kos, width);
                let found = self.search(Captures::proving, &mut tree, Some(nodes), None);
                plan.learn(place, task, found);
                if let Some(decision) = self.decision(&plan) {
                    return decision;
                }
                if self.left() == Some(0) || (self.limits.stop)() {
                    return (CaptureVerdict::Unknown, None, Vec::new());
                }
            }
            if !plan.is_open() {
                return (CaptureVerdict::Unknown, None, Vec::new());
            }
            nodes = nodes.saturating_mul(GROWTH);
        }
    }

    /// A quick guess with candidates.
    fn guess(&mut self, watch: Option<&mut dyn FnMut(Event)>) -> CaptureVerdict {
        let nodes = self.left().map_or(GUESS, |left| GUESS.min(left / 4));
        let limits = SolveLimits {
            nodes: Some(nodes),
            stop: self.limits.stop,
        };
        let (verdict, ..) = self.part(limits, |work| work.judge(watch));
        verdict
    }

    fn decision(&self, plan: &Plan) -> Option<Decision> {
        match &plan.known {
            [Some((task, found)), _] if found.proved == Some(true) => {
                let best = self.of_attacker(*found);
                Some((CaptureVerdict::Captured, best, vec![*task]))
            }
            [_, Some((task, found))] if found.proved == Some(false) => {
                let best = self.of_defender(*found);
                Some((CaptureVerdict::Escapes, best, vec![*task]))
            }
            [Some((one, saved)), Some((other, taken))] => {
                let best = self.of_attacker(*taken).or(self.of_defender(*saved));
                Some((CaptureVerdict::Ko, best, vec![*one, *other]))
            }
            _ => None,
        }
    }
}

/// Node limit of the guess.
const GUESS: u64 = 12_000;

/// Node limit of each likely proof in the first round.
const FIRST_ROUND: u64 = 8_000;

/// Divisor of the node limit for other proofs.
const UNLIKELY: u64 = 8;

/// The factor of the node limit from one round to the next.
pub(super) const GROWTH: u64 = 4;

/// A possible proof.
#[derive(Clone, Copy, Debug)]
struct Attempt {
    kos: Kos,
    width: Width,
    /// True if the guess agrees with it.
    likely: bool,
    /// True if the search ended without a proof, so that more nodes change nothing.
    failed: bool,
}

/// The proofs to try, in this order, and the proved results.
#[derive(Debug)]
struct Plan {
    attempts: Vec<Attempt>,
    /// The results if the defender may take every ko, and if the attacker may, with the searches
    /// that proved them.
    known: [Option<(Task, Found)>; 2],
}

impl Plan {
    fn new(guess: CaptureVerdict) -> Self {
        let captured = (Kos::Defender, Width::CAPTURE);
        let escapes = (Kos::Attacker, Width::ESCAPE);
        let ko = [
            (Kos::Defender, Width::ESCAPE),
            (Kos::Attacker, Width::CAPTURE),
        ];
        let full = [(Kos::Defender, Width::FULL), (Kos::Attacker, Width::FULL)];
        let (order, likely) = match guess {
            CaptureVerdict::Captured => ([captured, escapes, ko[0], ko[1]], 1),
            CaptureVerdict::Escapes => ([escapes, captured, ko[0], ko[1]], 1),
            CaptureVerdict::Ko => ([ko[0], ko[1], captured, escapes], 2),
            _ => ([escapes, captured, ko[0], ko[1]], 2),
        };
        let attempts = order.into_iter().chain(full).enumerate();
        let attempt = |(place, (kos, width))| Attempt {
            kos,
            width,
            likely: place < likely,
            failed: false,
        };
        Self {
            attempts: attempts.map(attempt).collect(),
            known: [None; 2],
        }
    }

    /// Returns whether an attempt could find something new.
    fn is_wanted(&self, place: usize) -> bool {
        let Attempt { kos, failed, .. } = self.attempts[place];
        !failed && self.known[usize::from(kos != Kos::Defender)].is_none()
    }

    fn is_open(&self) -> bool {
        (0..self.attempts.len()).any(|place| self.is_wanted(place))
    }

    fn learn(&mut self, place: usize, task: Task, found: Found) {
        let Some(proved) = found.proved else {
            // After a full tree or the greatest depth, more nodes change nothing.
            self.attempts[place].failed = matches!(found.end, End::Memory | End::Depth);
            return;
        };
        let Attempt {
            kos, width, failed, ..
        } = &mut self.attempts[place];
        let is_proof = if proved {
            width.defender
        } else {
            width.attacker
        };
        if !is_proof {
            *failed = true;
            return;
        }
        self.known[usize::from(*kos != Kos::Defender)] = Some((task, found));
    }
}
