//! Plays block capture with a solver.

use super::steps::{Step, steps};
use super::tree::Sure;
use super::{CaptureParams, Kos, Quick, score_of_evaluation, score_of_numbers};
use crate::{Capture, GoRules, PASS, Problem, point_of};
use leitai_game::eval::{MAX_EVAL, Score};
use leitai_game::search::proof::{Effort, Solution, SolveLimits, Solver, SolverParams};
use leitai_game::search::{
    Counters, MoveChooser, OrderValues, SearchLimits, SearchReport, Tactics,
};
use leitai_game::{Line, Move, MoveList, Position, Side};

/// The score of a won game of unknown length: above every static value, below every mate.
const WON: Score = MAX_EVAL + 500;

/// The node limit of a solver that has neither a node limit nor a time limit.
const MAX_NODES: u64 = 1_000_000;

/// Plays by solving each position as a separate problem. In a solved position it plays the winning
/// or the longest-lasting move, in an unsolved one the best move so far. Like the `fast` mode it
/// considers candidates of both sides and the simple ko of the game.
pub struct BlockProver {
    params: CaptureParams,
    rules: GoRules,
    solver: Solver<Quick>,
}

impl BlockProver {
    /// A solver with these parameters, for games with these rules, which set the number of
    /// liberties of an escape.
    pub fn new(solver: &SolverParams, params: &CaptureParams, rules: GoRules) -> Self {
        Self {
            params: CaptureParams {
                escape_liberties: rules.escape_liberties,
                ..params.clone()
            },
            rules,
            solver: Solver::new(solver),
        }
    }

    /// The problem of a position.
    fn problem(&self, position: &Capture) -> Option<Problem> {
        let mut board = position.board().clone();
        let to_move = position.colour_to_move();
        if board
            .ko()
            .is_some_and(|ko| !board.is_ko_capture(ko, to_move))
        {
            board.set_ko(None);
        }
        let mut problem = Problem::new(board, position.target(), to_move).ok()?;
        problem.escape_liberties = u8::try_from(self.rules.escape_liberties).ok();
        Some(problem)
    }

    /// The solver's result for a problem within a node limit, in steps as in the `fast` mode.
    fn solve(&mut self, problem: &Problem, nodes: u64, stop: &dyn Fn() -> bool) -> Found {
        let mut tree = Quick::new(problem, &self.params, Kos::Both);
        let mut effort = Effort::default();
        let mut escape = None;
        let mut found = Found::default();
        for Step { liberties, parts } in steps(self.rules.escape_liberties, &self.params) {
            tree.begin(Kos::Both, liberties);
            let left = nodes - effort.visited;
            let limits = SolveLimits {
                nodes: Some(left.div_ceil(parts)),
                stop,
            };
            let solution = self.solver.solve(&mut tree, limits, None);
            effort.add(&solution.effort);
            found = Found {
                score: score(&solution),
                best: solution.best.or_else(|| tree.sure_move()),
                effort,
                pv: solution.pv,
            };
            match solution.verdict.is_proved() {
                Some(true) => return found,
                Some(false) => escape = found.best,
                None if !problem.attacker_moves() && escape.is_some() => {
                    // A target that escapes with few liberties most likely escapes with more.
                    found.best = escape;
                    found.pv.clear();
                }
                None => {}
            }
        }
        found
    }
}

/// The result of a solver.
#[derive(Default)]
struct Found {
    best: Option<Move>,
    /// From the defender's point of view.
    score: Score,
    effort: Effort,
    pv: Vec<Move>,
}

/// The value of a solution for the defender.
fn score(solution: &Solution<Quick>) -> Score {
    match (solution.verdict.is_proved(), solution.pn, solution.dn) {
        (Some(true), ..) => -WON,
        (Some(false), ..) => WON,
        (None, Some(proof), Some(disproof)) => score_of_numbers(proof.into(), disproof.into()),
        (None, ..) => match solution.value {
            // Values between 0 and the maximum are the evaluation plus one.
            Some(value) if (1..i32::MAX).contains(&value) => score_of_evaluation(value - 1),
            _ => 0,
        },
    }
}

impl MoveChooser<Capture> for BlockProver {
    fn new_game(&mut self) {
        self.solver.new_problem();
    }

    fn run(
        &mut self,
        line: &Line<Capture>,
        limits: &SearchLimits,
        stop: &dyn Fn() -> bool,
    ) -> SearchReport {
        let position = line.position();
        let budget = limits.nodes.unwrap_or(MAX_NODES);
        let Some(problem) = self.problem(position) else {
            return report(position, None);
        };
        let mut found = self.solve(&problem, budget, stop);
        if found
            .best
            .is_some_and(|mv| stood_before(line, on(position, mv)))
        {
            // Two proofs of one position can lead in a circle when the game follows each for a
            // while: solve again and follow the new proof to its end.
            self.solver.new_problem();
            let spent = found.effort;
            found = self.solve(&problem, budget.saturating_sub(spent.visited), stop);
            found.effort.add(&spent);
        }
        report(position, Some(found))
    }
}

/// Converts a move of the solver to a move of the game.
fn on(position: &Capture, mv: Move) -> Move {
    point_of(mv).map_or(PASS, |point| position.move_on(point))
}

/// Returns whether a move repeats a position of the line.
fn stood_before(line: &Line<Capture>, mv: Move) -> bool {
    let mut after = line.position().clone();
    if !after.is_legal(mv) {
        return false;
    }
    after.make(mv);
    let key = after.key();
    (0..line.len()).any(|ply| line.key_after(ply) == key)
}

/// The report about a position. If no move was found, because the position is decided without one,
/// the defender passes and the attacker plays next to the target.
fn report(position: &Capture, found: Option<Found>) -> SearchReport {
    let found = found.unwrap_or_default();
    let best = found.best.map(|mv| on(position, mv));
    let best = best.filter(|&mv| position.is_legal(mv));
    let mut pv: Vec<Move> = found.pv.iter().map(|&mv| on(position, mv)).collect();
    let best = best.or_else(|| {
        pv.clear();
        any_move(position)
    });
    if pv.is_empty() {
        pv.extend(best);
    }
    let effort = found.effort;
    SearchReport {
        best,
        score: match position.side_to_move() {
            Side::First => -found.score,
            Side::Second => found.score,
        },
        depth: effort.depth,
        nodes: effort.visited,
        counters: Counters {
            table_probes: effort.probes,
            table_hits: effort.hits,
            ..Counters::default()
        },
        reach: effort.depth,
        table_permille: 0,
        pv,
    }
}

/// The pass, or the move nearest to the target.
fn any_move(position: &Capture) -> Option<Move> {
    if position.is_legal(PASS) {
        return Some(PASS);
    }
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves
        .into_iter()
        .min_by_key(|&mv| position.piece_rank(mv, &OrderValues::NONE))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prover() -> BlockProver {
        let params = CaptureParams::default();
        BlockProver::new(&SolverParams::default(), &params, GoRules::default())
    }

    fn line(fen: &str) -> Line<Capture> {
        Line::new(Capture::from_fen(fen).unwrap())
    }

    fn ask(prover: &mut BlockProver, line: &Line<Capture>, nodes: u64) -> SearchReport {
        let limits = SearchLimits {
            nodes: Some(nodes),
            depth: None,
        };
        prover.run(line, &limits, &|| false)
    }

    /// Black holds White's stone in a net with D5 and C4.
    const NET: &str = "......./......./...X.../..XO.../...OX../..XX.../....... X D4 -";

    #[test]
    fn a_captured_target_is_captured_in_play() {
        let mut one = prover();
        let mut line = line("......./......./..X..../.XO..../.X...../......./....... X C4 -");
        let rules = GoRules::default();
        while line.verdict(rules).is_none() {
            let found = ask(&mut one, &line, 5_000);
            let side = line.position().side_to_move();
            let sure = if side == Side::First { WON } else { -WON };
            assert_eq!(found.score, sure, "{}", line.position().to_fen());
            assert!(found.nodes <= 5_000);
            line.play(found.best.unwrap());
        }
        assert_eq!(line.verdict(rules).unwrap().winner, Some(Side::First));
    }

    #[test]
    fn answers_are_legal_and_within_the_budget() {
        for nodes in [0, 1, 7, 100] {
            let mut one = prover();
            let mut line = line(NET);
            for _ in 0..12 {
                if line.verdict(GoRules::default()).is_some() {
                    break;
                }
                let found = ask(&mut one, &line, nodes);
                assert!(found.nodes <= nodes, "{nodes}");
                assert!(found.score.abs() <= WON);
                let best = found.best.unwrap();
                assert!(line.position().is_legal(best));
                assert_eq!(found.pv.first(), Some(&best));
                line.play(best);
            }
        }
    }

    #[test]
    fn a_new_game_begins_with_an_empty_mind() {
        let mut used = prover();
        let other = line(
            "........./...X...../..X.X..../..XO...../..X....../........./........./........./......... X D6 -",
        );
        ask(&mut used, &other, 3_000);
        used.new_game();
        let [one, two] = [&mut used, &mut prover()].map(|it| ask(it, &line(NET), 3_000));
        assert_eq!(one, two);
    }

    #[test]
    fn a_position_that_needs_no_move_gets_one_all_the_same() {
        let alive = ".O.OX/OOOOX/XXXXX/...../..... O A4 -";
        assert_eq!(ask(&mut prover(), &line(alive), 100).best, Some(PASS));
        let alive = ".O.OX/OOOOX/XXXXX/...../..... X A4 -";
        let found = ask(&mut prover(), &line(alive), 100);
        assert!(line(alive).position().is_legal(found.best.unwrap()));
        assert_eq!(found.score, -WON);
    }
}
