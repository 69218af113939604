//! Candidates: a position with a question, and its verdict.

use super::game::game;
use super::self_play::self_play;
use super::{CaptureRecipe, Difficulty, Keep, Made, OPEN, VERDICTS};
use crate::certify::Certify as _;
use crate::proof::{Effort, check};
use leitai_game::Move;
use leitai_game::search::proof::{Mode, SolveLimits, SolverKind, SolverParams};
use leitai_go::reading::{CaptureParams, Captures, Reading};
use leitai_go::{Board, CaptureVerdict, Colour, Play, Point, PointSet, Problem};
use leitai_players::schedule::{Stream, below, generator};

/// Node limit of the first search of a question.
const GLANCE: u64 = 2_000;

/// With `Hard` and `All`, a question that a search of this depth answers is not a problem.
const PLIES: u32 = 4;

/// The maximum number of positions in the check of a certificate; on large boards one in hundreds
/// takes millions, and minutes.
const CHECKED: u64 = 500_000;

/// The solvers of a thread, with reusable memory.
pub(super) struct Readers {
    captures: Captures,
    /// Reads a few plies, without ladders.
    shallow: Captures,
}

impl Readers {
    pub(super) fn new() -> Self {
        let params = CaptureParams::default();
        let shallow = CaptureParams {
            steps: false,
            ladder: false,
            ..params.clone()
        };
        let plies = SolverParams {
            kind: SolverKind::AlphaBeta,
            table: 12,
            max_depth: PLIES,
            ..SolverParams::default()
        };
        Self {
            captures: Captures::new(params, SolverParams::default()),
            shallow: Captures::new(shallow, plies),
        }
    }

    /// Candidate `number` of a recipe; `None` if it is rejected.
    pub(super) fn candidate(
        &mut self,
        recipe: &CaptureRecipe,
        number: u64,
        stop: &dyn Fn() -> bool,
    ) -> Option<Made> {
        let mut random = generator(
            recipe.seed,
            Stream::Pair {
                index: number,
                purpose: 0,
            },
        );
        let (least, most) = (*recipe.sizes.start(), *recipe.sizes.end());
        let size = least + below(&mut random, u64::from(most.saturating_sub(least)) + 1) as u8;
        let board = match recipe.keep {
            Keep::Proved => self_play(size, &mut random),
            Keep::Hard | Keep::All => game(size, &mut random),
        };
        let request = Request::of(number);
        let mut questions = questions(&board);
        let mut problem = loop {
            let place = below(&mut random, questions.len() as u64) as usize;
            if stop() || place >= questions.len() {
                return None;
            }
            let (target, to_move) = questions.swap_remove(place);
            let problem = Problem::new(board.clone(), target, to_move).ok()?;
            let is_chosen = match recipe.keep {
                Keep::Proved => self.fits(request, &problem, stop),
                Keep::Hard | Keep::All => self.is_to_be_read(&problem, stop),
            };
            if is_chosen {
                break problem;
            }
        };
        problem.id = format!("{}-{number:06}", recipe.prefix);
        let limits = SolveLimits {
            nodes: Some(recipe.nodes),
            stop,
        };
        let answer = self.captures.solve(&problem, Mode::Proved, limits, None);
        let is_kept = match (recipe.keep, self.is_certified(&problem, &answer, limits)) {
            (Keep::All, false) => return Some(open(problem, &answer)),
            (_, false) => false,
            (Keep::All, true) => true,
            (Keep::Hard, true) => Difficulty::of(answer.effort.visited) == Difficulty::Hard,
            (Keep::Proved, true) => self.needs_a_move(&problem, &answer, limits),
        };
        is_kept.then(|| proved(problem, &answer))?
    }

    /// Returns whether a first search gives the wanted verdict.
    fn fits(&mut self, request: Request, problem: &Problem, stop: &dyn Fn() -> bool) -> bool {
        let limits = SolveLimits {
            nodes: Some(GLANCE),
            stop,
        };
        let glance = self.captures.solve(problem, Mode::Fast, limits, None);
        request.fits(problem, glance.verdict)
    }

    /// Returns whether the target touches an enemy, and a search of a few plies does not decide its
    /// fate.
    fn is_to_be_read(&mut self, problem: &Problem, stop: &dyn Fn() -> bool) -> bool {
        let around = problem.board.stones(problem.target).grown();
        if !around.meets(problem.board.all(problem.attacker())) {
            return false;
        }
        let limits = SolveLimits { nodes: None, stop };
        let glance = self.shallow.solve(problem, Mode::Fast, limits, None);
        glance.verdict == CaptureVerdict::Unknown
    }

    /// Returns whether the verdict is proved, and its certificates pass the independent check.
    fn is_certified(
        &mut self,
        problem: &Problem,
        answer: &Reading,
        limits: SolveLimits<'_>,
    ) -> bool {
        // Without a verdict there is no certificate.
        let certificates = self.captures.certify(problem, answer, limits);
        let certificates = certificates.unwrap_or_default();
        let effort = Effort {
            positions: CHECKED,
            ..Effort::default()
        };
        let is_sound = |certificate| check(certificate, effort).is_ok();
        !certificates.is_empty() && certificates.iter().all(is_sound)
    }

    /// Returns whether the successful side needs its first move.
    fn needs_a_move(
        &mut self,
        problem: &Problem,
        answer: &Reading,
        limits: SolveLimits<'_>,
    ) -> bool {
        if !has_its_way(problem, answer.verdict) {
            return true;
        }
        let other = Problem {
            to_move: problem.to_move.other(),
            ..problem.clone()
        };
        let waiting = self.captures.solve(&other, Mode::Proved, limits, None);
        waiting.verdict != answer.verdict && waiting.verdict != CaptureVerdict::Unknown
    }
}

/// The number of liberties with which a target has escaped.
fn escape_liberties() -> Option<u8> {
    u8::try_from(CaptureParams::default().escape_liberties).ok()
}

/// The problem with its proved verdict.
fn proved(mut problem: Problem, answer: &Reading) -> Option<Made> {
    let solution = answer.best.map(|mv: Move| Play::of(mv));
    problem.set_solutions(solution.into_iter().collect()).ok()?;
    problem.expected = Some(answer.verdict);
    problem.proved = true;
    if answer.verdict != CaptureVerdict::Captured {
        // An escape may be by liberties: the proof has their number.
        problem.escape_liberties = escape_liberties();
    }
    let nodes = answer.effort.visited;
    problem.category = Some(Difficulty::of(nodes).name().to_owned());
    problem.nodes = Some(nodes);
    Some(Made { problem, nodes })
}

/// The problem without a verdict.
fn open(mut problem: Problem, answer: &Reading) -> Made {
    problem.escape_liberties = escape_liberties();
    problem.category = Some(OPEN.to_owned());
    Made {
        problem,
        nodes: answer.effort.visited,
    }
}

/// The wanted properties of a candidate, if its position has such a question: each verdict in turn,
/// and every other time the successful side plays first.
#[derive(Clone, Copy, Debug)]
struct Request {
    verdict: CaptureVerdict,
    has_its_way: bool,
}

impl Request {
    fn of(number: u64) -> Self {
        Self {
            verdict: VERDICTS[(number % 3) as usize],
            has_its_way: (number / 3).is_multiple_of(2),
        }
    }

    fn fits(self, problem: &Problem, verdict: CaptureVerdict) -> bool {
        let indifferent = !self.has_its_way || verdict == CaptureVerdict::Ko;
        verdict == self.verdict && (indifferent || has_its_way(problem, verdict))
    }
}

/// Returns whether the verdict is the goal of the side to move.
fn has_its_way(problem: &Problem, verdict: CaptureVerdict) -> bool {
    match verdict {
        CaptureVerdict::Captured => problem.attacker_moves(),
        CaptureVerdict::Escapes => !problem.attacker_moves(),
        _ => false,
    }
}

/// The questions of a position: blocks with few liberties, each with the side to move. Leaves out
/// trivial ones: a block in atari with the attacker to move, and one with four liberties with the
/// defender to move.
fn questions(board: &Board) -> Vec<(Point, Colour)> {
    let mut questions = Vec::new();
    for defender in Colour::BOTH {
        let mut left: PointSet = *board.all(defender);
        while let Some(target) = left.first() {
            left -= board.stones(target);
            let liberties = board.liberty_count(target);
            if (2..=4).contains(&liberties) {
                questions.push((target, defender.other()));
            }
            if (1..=3).contains(&liberties) {
                questions.push((target, defender));
            }
        }
    }
    questions
}
