//! Compares verdicts with exact results: all positions that are reachable from a small target, with
//! the captures computed backwards from the positions where the target is gone.

use std::collections::HashMap;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::certify::Certify as _;
use crate::proof::{Claim, Effort, check};
use leitai_game::search::proof::Mode;
use leitai_game::search::proof::{SolveLimits, Solver, SolverKind, SolverParams};
use leitai_go::reading::CaptureParams;
use leitai_go::reading::{Captures, Kos, Proving, Width};
use leitai_go::{Board, CaptureVerdict, Colour, Goal, Point, Problem};

/// Maximum number of positions of a target; targets with more are skipped.
const MAX: usize = 4_000;

/// Everything except the stones that determines the legal plays.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Turn {
    attacks: bool,
    /// Points that ko forbids to the side to move, by the board and by the problem.
    banned: [Option<Point>; 2],
    /// The point that the problem forbids to the other side, which has not moved yet.
    later: Option<Point>,
    /// The remaining threats of the attacker and of the defender.
    threats: [u8; 2],
}

/// The reachable positions of a problem.
pub(super) struct Graph<'a> {
    board: Board,
    problem: &'a Problem,
    kos: Kos,
    liberties: u32,
    known: HashMap<(u128, Turn), usize>,
    /// For each position: true if the attacker moves, and the successors; `None` at the end of a
    /// game.
    nodes: Vec<(bool, Option<Vec<usize>>)>,
    captured: Vec<bool>,
}

/// A position whose moves are in progress.
struct Step {
    number: usize,
    turn: Turn,
    moves: Vec<Option<Point>>,
    next: usize,
    /// True if a move led here and must be undone.
    played: bool,
}

impl<'a> Graph<'a> {
    /// All positions, unless there are too many. Threats count if there is no master.
    pub(super) fn of(
        problem: &'a Problem,
        kos: Kos,
        threats: [u8; 2],
        liberties: u32,
    ) -> Option<Self> {
        let mut graph = Graph {
            board: problem.board.clone(),
            problem,
            kos,
            liberties,
            known: HashMap::new(),
            nodes: Vec::new(),
            captured: Vec::new(),
        };
        graph.board.set_ko(None);
        graph.fill(threats).then_some(graph)
    }

    fn fill(&mut self, threats: [u8; 2]) -> bool {
        let turn = Turn {
            attacks: self.problem.attacker_moves(),
            banned: [None, self.problem.board.ko()],
            later: self.problem.ko_of_other,
            threats,
        };
        let Some(root) = self.enter(turn, false).1 else {
            return true;
        };
        let mut stack = vec![root];
        while let Some(step) = stack.last_mut() {
            if self.nodes.len() > MAX {
                return false;
            }
            let Some(&mv) = step.moves.get(step.next) else {
                if step.played {
                    self.board.undo();
                }
                stack.pop();
                continue;
            };
            step.next += 1;
            let (number, mut turn) = (step.number, step.turn);
            let colour = self.colour(turn.attacks);
            if mv.is_some_and(|point| self.banned(turn).contains(&point)) {
                turn.threats[usize::from(!turn.attacks)] -= 1;
            }
            match mv {
                Some(point) => {
                    self.board.play(point, colour);
                }
                None => self.board.pass(),
            }
            if self.kos != Kos::Both {
                self.board.set_ko(None);
            }
            turn = Turn {
                attacks: !turn.attacks,
                banned: [self.board.ko(), turn.later],
                later: None,
                threats: turn.threats,
            };
            let (child, new) = self.enter(turn, true);
            if let Some(children) = &mut self.nodes[number].1 {
                children.push(child);
            }
            match new {
                Some(step) => stack.push(step),
                None => self.board.undo(),
            }
        }
        true
    }

    fn colour(&self, attacks: bool) -> Colour {
        if attacks {
            self.problem.attacker()
        } else {
            self.problem.defender()
        }
    }

    /// The ko captures that the side to move may play only with a threat.
    fn banned(&self, turn: Turn) -> Vec<Point> {
        let colour = self.colour(turn.attacks);
        let banned = turn.banned.into_iter().flatten();
        let takes = |&point: &Point| {
            self.kos.may_take(turn.attacks) && self.board.is_ko_capture(point, colour)
        };
        banned.filter(takes).collect()
    }

    /// The legal plays of the side to move.
    fn plays(&self, turn: Turn) -> Vec<Point> {
        let colour = self.colour(turn.attacks);
        let banned = self.banned(turn);
        let has_threat = turn.threats[usize::from(!turn.attacks)] > 0;
        let may_play = |&point: &Point| {
            let by_ko = if banned.contains(&point) {
                has_threat
            } else {
                self.kos.may_take(turn.attacks) || !self.board.is_ko_capture(point, colour)
            };
            by_ko && !self.board.is_suicide(point, colour)
        };
        self.board.empties().iter().filter(may_play).collect()
    }

    /// The number of the present position, and the step to follow if it is new.
    fn enter(&mut self, turn: Turn, played: bool) -> (usize, Option<Step>) {
        let attacks = turn.attacks;
        let key = (self.board.key(), turn);
        if let Some(&number) = self.known.get(&key) {
            return (number, None);
        }
        let number = self.nodes.len();
        self.known.insert(key, number);
        let end = self.end(attacks);
        self.captured.push(end == Some(true));
        if end.is_some() {
            self.nodes.push((attacks, None));
            return (number, None);
        }
        self.nodes.push((attacks, Some(Vec::new())));
        let mut moves: Vec<Option<Point>> = self.plays(turn).into_iter().map(Some).collect();
        if !attacks || !self.banned(turn).is_empty() {
            moves.push(None);
        }
        let step = Step {
            number,
            turn,
            moves,
            next: 0,
            played,
        };
        (number, Some(step))
    }

    /// Returns whether the attacker has reached the goal, if the game has ended.
    fn end(&self, attacks: bool) -> Option<bool> {
        let Problem { target, goal, .. } = *self.problem;
        let (attacker, defender) = (self.problem.attacker(), self.problem.defender());
        let gone = |block: Point, owner| self.board.at(block) != Some(owner);
        let escapes = || self.liberties > 0 && self.board.liberty_count(target) >= self.liberties;
        match goal {
            // The defender may retake after a ko capture of the target.
            Goal::Capture
                if self.kos == Kos::Both && !attacks && self.board.ko() == Some(target) =>
            {
                None
            }
            Goal::Capture | Goal::Semeai(_) if gone(target, defender) => Some(true),
            Goal::Capture => escapes().then_some(false),
            Goal::Semeai(stake) => (gone(stake, attacker) || escapes()).then_some(false),
            Goal::Connect(with) if gone(target, attacker) || gone(with, attacker) => Some(false),
            Goal::Connect(with) => {
                let is_one = self.board.block(target) == self.board.block(with);
                is_one.then_some(true)
            }
        }
    }

    /// Returns whether the attacker reaches the goal: the least fixed point of the captures.
    pub(super) fn captures(mut self) -> bool {
        loop {
            let before = self.captured.iter().filter(|&&it| it).count();
            for (number, (attacks, children)) in self.nodes.iter().enumerate().rev() {
                let Some(children) = children else { continue };
                let captured = |&child: &usize| self.captured[child];
                let now = if *attacks {
                    children.iter().any(captured)
                } else {
                    children.iter().all(captured)
                };
                self.captured[number] |= now;
            }
            if self.captured.iter().filter(|&&it| it).count() == before {
                return self.captured[0];
            }
        }
    }
}

/// A 5x5 board that a random game has filled except for a few points.
pub(super) fn filled(random: &mut ChaCha8Rng) -> Board {
    let mut below = |bound: usize| random.next_u32() as usize % bound.max(1);
    let mut board = Board::empty(5);
    let open = 2 + below(6) as u32;
    for ply in 0..200 {
        let colour = Colour::BOTH[ply % 2];
        let points = board.empties().iter();
        let legal: Vec<Point> = points.filter(|&it| board.is_legal(it, colour)).collect();
        if board.empties().len() <= open || legal.is_empty() {
            break;
        }
        board.play(legal[below(legal.len())], colour);
    }
    Board::from_rows(&board.to_rows()).expect("blocks with liberties")
}

/// A random small target.
pub(super) fn target(random: &mut ChaCha8Rng) -> Option<Problem> {
    let board = filled(random);
    let mut below = |bound: usize| random.next_u32() as usize % bound.max(1);
    let stones: Vec<Point> = (*board.all(Colour::Black) | *board.all(Colour::White))
        .iter()
        .collect();
    let stone = *stones.get(below(stones.len()))?;
    let to_move = Colour::BOTH[below(2)];
    let mut problem = Problem::new(board, stone, to_move).ok()?;
    problem.escape_liberties = Some([0, 3, 4, 5][below(4)]);
    Some(problem)
}

pub(super) fn limits<'a>() -> SolveLimits<'a> {
    SolveLimits {
        nodes: Some(400_000),
        stop: &|| false,
    }
}

pub(super) fn solver(kind: SolverKind, table: u32) -> SolverParams {
    SolverParams {
        kind,
        table,
        ..SolverParams::default()
    }
}

/// Tests this number of small targets: every solver that searches both sides in full finds the
/// exact result, a solver that searches one side in full is right about the results that this
/// proves, and the verdicts of both proof modes have certificates.
fn agree(seed: u64, targets: usize) {
    let params = CaptureParams::default();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let kinds = [
        (SolverKind::DfPnPlus, 16),
        (SolverKind::DfPn, 16),
        (SolverKind::DfPn, 6),
        (SolverKind::PnPlus, 18),
        (SolverKind::Pn, 18),
    ];
    let mut solvers = kinds.map(|(kind, table)| Solver::<Proving>::new(&solver(kind, table)));
    let mut captures = Captures::new(params.clone(), solver(SolverKind::DfPnPlus, 16));
    let (mut done, mut verdicts) = (0, [0_usize; 4]);
    while done < targets {
        let Some(problem) = target(&mut random) else {
            continue;
        };
        let liberties = params.escape_liberties_of(&problem);
        let truths: Vec<(Kos, bool)> = [Kos::Defender, Kos::Attacker]
            .into_iter()
            .filter_map(|kos| Some((kos, Graph::of(&problem, kos, [0; 2], liberties)?.captures())))
            .collect();
        if truths.len() < 2 {
            continue;
        }
        done += 1;
        let shown = || format!("{} escape {liberties}", problem.setup());
        for &(kos, captured) in &truths {
            for (solver, (kind, table)) in solvers.iter_mut().zip(kinds) {
                for width in [Width::FULL, Width::CAPTURE, Width::ESCAPE] {
                    solver.new_problem();
                    let mut tree = Proving::new(&problem, &params, kos, width);
                    let found = solver.solve(&mut tree, limits(), None).verdict.is_proved();
                    let is_proof = match found {
                        Some(true) => width.defender,
                        Some(false) => width.attacker,
                        None => false,
                    };
                    if is_proof || (width == Width::FULL && table > 10) {
                        let (kind, text) = (kind.name(), shown());
                        assert_eq!(found, Some(captured), "{kind} {width:?} {kos:?}: {text}");
                    }
                }
            }
        }
        let wanted = match (truths[0].1, truths[1].1) {
            (true, _) => CaptureVerdict::Captured,
            (false, true) => CaptureVerdict::Ko,
            (false, false) => CaptureVerdict::Escapes,
        };
        verdicts[wanted as usize] += 1;
        let answer = captures.solve(&problem, Mode::Proved, limits(), None);
        assert_eq!(answer.verdict, wanted, "{}", shown());
        let certificates = captures.certify(&problem, &answer, limits());
        let certificates = certificates.unwrap_or_else(|why| panic!("{why}: {}", shown()));
        assert_eq!(
            certificates.len(),
            1 + usize::from(wanted == CaptureVerdict::Ko)
        );
        for certificate in certificates {
            let is_capture = certificate.statement.claim == Claim::Captured;
            let captured = truths[usize::from(answer.decided_by[0].kos == Kos::Attacker)].1;
            assert!(wanted == CaptureVerdict::Ko || is_capture == captured);
            let checked = check(&certificate, Effort::default());
            assert!(checked.is_ok(), "{checked:?}: {}", shown());
        }
    }
    let [captured, escapes, ko, unknown] = verdicts;
    println!("{captured} captured, {escapes} escape, {ko} ko, {unknown} unknown");
    assert!(captured > 0 && escapes > 0, "the draw says nothing");
}

#[test]
fn solvers_agree_with_the_truth_on_small_targets() {
    agree(1, 50);
}

/// `cargo test --release --lib ten_thousand_small -- --ignored --nocapture`
#[test]
#[ignore = "minutes in a release build"]
fn ten_thousand_small_targets() {
    agree(2, 10_000);
}
