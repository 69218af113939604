//! From a search to a certificate: reads the winner's strategy from the solver's memory, and solves
//! forgotten positions again.

use std::collections::HashMap;

use crate::proof::{Ban, Certificate, Claim, Master, Node, Play, Spot, Statement, Stone};
use leitai_game::Move;
use leitai_game::search::proof::{Outcome, SolveLimits, Solver};
use leitai_go::reading::{CaptureParams, Captures, Fight, Kos, Proving, Reading, Strategic, Task};
use leitai_go::{CaptureVerdict, Colour, Goal, Point, PointSet, Problem, Symmetry, point_of};

/// The reason why no strategy was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Uncertified {
    /// The verdict was no proof.
    #[error("the verdict is not proved")]
    Unproved,
    /// The limits were reached.
    #[error("the limit was reached before the strategy was found again")]
    Limit,
    /// The strategy of a capture leads back to an earlier position.
    #[error("the strategy goes in circles")]
    Circle,
}

/// Certificates of proved verdicts.
pub trait Certify {
    /// The certificates of a verdict that [`solve`](Captures::solve) has proved: one, or two for a
    /// ko, which show that the target is taken if the attacker may take every ko, and saved if the
    /// defender may.
    ///
    /// # Errors
    /// The verdict is not proved, or no strategy was found again within the limits, which apply to
    /// each certificate.
    fn certify(
        &mut self,
        problem: &Problem,
        answer: &Reading,
        limits: SolveLimits<'_>,
    ) -> Result<Vec<Certificate>, Uncertified>;
}

impl Certify for Captures {
    fn certify(
        &mut self,
        problem: &Problem,
        answer: &Reading,
        limits: SolveLimits<'_>,
    ) -> Result<Vec<Certificate>, Uncertified> {
        let (version, symmetry) = problem.canonical_version();
        let tasks = answer.decided_by.iter();
        tasks
            .map(|&task| {
                let claim = claim(answer.verdict, problem.goal, task)?;
                let nodes = strategy(&task.problem(&version), task, claim, self, limits)?;
                let frame = Frame {
                    back: symmetry.inverse(),
                    size: problem.board.size(),
                };
                Ok(Certificate {
                    statement: statement(&task.problem(problem), task, claim, &self.params),
                    nodes: nodes.into_iter().map(|node| frame.node(node)).collect(),
                })
            })
            .collect()
    }
}

/// The claim that a task has proved.
fn claim(verdict: CaptureVerdict, goal: Goal, task: Task) -> Result<Claim, Uncertified> {
    task.width.ok_or(Uncertified::Unproved)?;
    let is_reached = match verdict {
        CaptureVerdict::Captured
        | CaptureVerdict::Wins
        | CaptureVerdict::Loses
        | CaptureVerdict::Connected => true,
        CaptureVerdict::Escapes | CaptureVerdict::Seki | CaptureVerdict::Cut => false,
        CaptureVerdict::Ko => task.kos == Kos::Attacker,
        CaptureVerdict::Unknown => return Err(Uncertified::Unproved),
    };
    Ok(match (goal, is_reached) {
        (Goal::Connect(_), true) => Claim::Connected,
        (Goal::Connect(_), false) => Claim::Cut,
        (Goal::Capture | Goal::Semeai(_), true) => Claim::Captured,
        (Goal::Capture | Goal::Semeai(_), false) => Claim::Escapes,
    })
}

fn statement(problem: &Problem, task: Task, claim: Claim, params: &CaptureParams) -> Statement {
    let liberties = params.escape_liberties_of(problem);
    Statement {
        id: (!problem.id.is_empty()).then(|| problem.id.clone()),
        rows: problem.board.to_rows(),
        target: spot(problem.target),
        to_move: stone(problem.to_move),
        ban: problem.ban().map(|(point, colour)| Ban {
            spot: spot(point),
            stone: stone(colour),
        }),
        other: problem.goal.other().map(spot),
        claim,
        master: match task.kos {
            Kos::Defender => Master::Defender,
            Kos::Attacker | Kos::Both => Master::Attacker,
        },
        escape_liberties: (claim == Claim::Escapes && liberties > 0).then_some(liberties as u8),
    }
}

const fn stone(colour: Colour) -> Stone {
    match colour {
        Colour::Black => Stone::Black,
        Colour::White => Stone::White,
    }
}

const fn spot(point: Point) -> Spot {
    Spot {
        col: point.col(),
        row: point.row(),
    }
}

/// Maps the solved version back to the original problem.
struct Frame {
    back: Symmetry,
    size: u8,
}

impl Frame {
    fn node(&self, node: Step) -> Node {
        Node {
            answer: node.answer.map(|mv| self.play(mv)),
            replies: node
                .replies
                .into_iter()
                .map(|(mv, to)| (self.play(mv), to))
                .collect(),
            otherwise: node.otherwise,
        }
    }

    fn play(&self, mv: Move) -> Play {
        point_of(mv).map_or(Play::Pass, |point| {
            Play::At(spot(self.back.apply(point, self.size)))
        })
    }
}

/// A node of the strategy in the solver's moves.
#[derive(Clone, Debug, Default)]
struct Step {
    answer: Option<Move>,
    replies: Vec<(Move, u32)>,
    otherwise: Option<u32>,
}

/// The nodes of the winner's strategy, the root first.
fn strategy(
    problem: &Problem,
    task: Task,
    claim: Claim,
    captures: &mut Captures,
    limits: SolveLimits<'_>,
) -> Result<Vec<Step>, Uncertified> {
    let width = task.width.ok_or(Uncertified::Unproved)?;
    let wins = claim.must_end();
    if problem.goal == Goal::Capture {
        let mut tree = Proving::new(problem, &captures.params, task.kos, width);
        read(&mut tree, captures.proving(), limits, wins)
    } else {
        let mut tree = Fight::new(problem, &captures.params, task.kos, Some(width));
        read(&mut tree, captures.fights(), limits, wins)
    }
}

/// The winner's strategy from the position of a tree.
fn read<T: Strategic>(
    tree: &mut T,
    solver: &mut Solver<T>,
    limits: SolveLimits<'_>,
    wins: bool,
) -> Result<Vec<Step>, Uncertified> {
    solver.new_problem();
    let mut reader = Reader {
        tree,
        solver,
        limits,
        wins,
        nodes: Vec::new(),
        known: HashMap::new(),
        open: HashMap::new(),
    };
    if reader.is_winners_turn() {
        reader.answer(true)?;
    } else {
        reader.nodes.push(Step::default());
        reader.replies(0)?;
    }
    Ok(reader.nodes)
}

/// The result that a node returns to its predecessor: its number and its zone.
type Read = (u32, PointSet);

struct Reader<'a, T: Strategic> {
    tree: &'a mut T,
    solver: &'a mut Solver<T>,
    limits: SolveLimits<'a>,
    /// True if the attacker wins.
    wins: bool,
    nodes: Vec<Step>,
    /// Nodes by the key of their position, with the winner to move.
    known: HashMap<u128, Read>,
    /// Nodes of the current line.
    open: HashMap<u128, u32>,
}

impl<T: Strategic> Reader<'_, T> {
    fn is_winners_turn(&self) -> bool {
        self.tree.is_or() == self.wins
    }

    /// The node of a position with the winner to move. `again`: the position may be solved again if
    /// its strategy leads back to an earlier one.
    fn answer(&mut self, again: bool) -> Result<Read, Uncertified> {
        let key = self.tree.key();
        if let Some(&read) = self.known.get(&key) {
            return Ok(read);
        }
        if let Some(&number) = self.open.get(&key) {
            // Endless repetition is a success of the defender, as long as nothing at all changes.
            let zone = self.tree.everything();
            return if self.wins {
                Err(Uncertified::Circle)
            } else {
                Ok((number, zone))
            };
        }
        let number = self.nodes.len() as u32;
        self.open.insert(key, number);
        self.nodes.push(Step::default());
        let zone = match (self.step(number), again) {
            (Err(Uncertified::Circle), true) => {
                // Solve again with an empty memory: a new strategy cannot lead back.
                self.nodes[number as usize] = Step::default();
                self.solver.new_problem();
                self.step(number)
            }
            (step, _) => step,
        };
        self.open.remove(&key);
        let read = (number, zone?);
        self.known.insert(key, read);
        Ok(read)
    }

    /// Finds the winner's move and follows it.
    fn step(&mut self, number: u32) -> Result<PointSet, Uncertified> {
        let mv = match self.tree.outcome() {
            Outcome::Open => self.winning()?,
            Outcome::Proved(zone) | Outcome::Disproved(zone) => match self.tree.sure_move() {
                Some(mv) => mv,
                None => return Ok(zone),
            },
        };
        self.nodes[number as usize].answer = Some(mv);
        self.tree.play(mv);
        let zone = self.replies(number);
        self.tree.undo();
        let mut zone = zone?;
        self.tree.lift(mv, self.wins, &mut zone);
        Ok(zone)
    }

    /// The winner's move, from memory or from a search.
    fn winning(&mut self) -> Result<Move, Uncertified> {
        let known = self.solver.known(&*self.tree);
        let remembered = known.filter(|known| known.proved == self.wins);
        if let Some(mv) = remembered.and_then(|known| known.best) {
            return Ok(mv);
        }
        let solution = self.solver.solve(self.tree, self.limits, None);
        let is_won = solution.verdict.is_proved() == Some(self.wins);
        solution.best.filter(|_| is_won).ok_or(Uncertified::Limit)
    }

    /// Follows the loser's replies. Returns the zone of the position before them.
    fn replies(&mut self, number: u32) -> Result<PointSet, Uncertified> {
        let mut zone = PointSet::EMPTY;
        match self.tree.outcome() {
            // The target is gone, or has enough liberties.
            Outcome::Proved(zone) if self.wins && self.tree.is_reached() => return Ok(zone),
            Outcome::Disproved(zone) if !self.wins && self.tree.is_saved() => {
                if self.tree.pass().is_some() {
                    // A node without a play answers everything: the target lives.
                    self.nodes[number as usize].otherwise = Some(self.nodes.len() as u32);
                    self.nodes.push(Step::default());
                }
                return Ok(zone);
            }
            _ => {}
        }
        let mut passed = None;
        let mut tried = Vec::new();
        if let Some(pass) = self.tree.pass() {
            let (node, below) = self.reply(pass)?;
            self.nodes[number as usize].otherwise = Some(node);
            T::merge(&mut zone, &below);
            passed = Some(below);
            tried.push(pass);
        }
        loop {
            let mut moves = Vec::new();
            self.tree
                .widen_all(&tried, passed.as_ref(), &mut zone, &mut moves);
            if moves.is_empty() {
                return Ok(zone);
            }
            for mv in moves {
                let (node, below) = self.reply(mv)?;
                self.nodes[number as usize].replies.push((mv, node));
                T::merge(&mut zone, &below);
                tried.push(mv);
            }
        }
    }

    /// The node that answers a reply, and the zone before the reply.
    fn reply(&mut self, mv: Move) -> Result<Read, Uncertified> {
        self.tree.play(mv);
        let read = self.answer(true);
        self.tree.undo();
        let (node, mut zone) = read?;
        self.tree.lift(mv, self.wins, &mut zone);
        Ok((node, zone))
    }
}
