//! A player of any game that is no search of Leitai's: Monte Carlo tree search by upper
//! confidence bounds (UCT; Kocsis & Szepesvári 2006), here of Connect Four, beside the
//! alpha-beta searches of that example:
//!
//!     cargo run --release --example monte_carlo -- run examples/monte_carlo/tournament.toml

use std::ops::Range;
use std::process::ExitCode;

use leitai::card::{Games, OwnPlayer};
use leitai::game::{Line, Move, MoveList, Position};
use leitai::search::{MoveChooser, SearchLimits, SearchReport};

#[path = "../connect_four/game.rs"]
mod game;
use game::ConnectFour;

static MONTE_CARLO: OwnPlayer<ConnectFour> = OwnPlayer {
    name: "monte-carlo",
    about: "tree search by random games (UCT)",
    new: |rules| Box::new(MonteCarlo { rules }),
};

fn main() -> ExitCode {
    let games = Games::default().with::<ConnectFour>();
    leitai::main_with(games.with_player(&MONTE_CARLO)).into()
}

/// Games longer than this many plies beyond the root count as drawn.
const LONGEST: usize = 500;
/// Playouts for each ply of a limit on depth, where there is none on nodes.
const PER_PLY: u32 = 100;

struct MonteCarlo<P: Position> {
    rules: P::Rules,
}

/// A move of the tree.
struct Node {
    mv: Move,
    visits: u32,
    /// Half points of who played the move.
    points: u32,
    /// The places of the answers; empty until they are looked for.
    answers: Range<usize>,
}

impl Node {
    fn new(mv: Move) -> Self {
        let (visits, points, answers) = (0, 0, 0..0);
        Self {
            mv,
            visits,
            points,
            answers,
        }
    }

    fn share(&self) -> f64 {
        f64::from(self.points) / f64::from(2 * self.visits.max(1))
    }

    /// What makes it worth another visit, after so many of its parent.
    fn worth(&self, of_parent: u32) -> f64 {
        let doubt = 2.0 * f64::from(of_parent.max(1)).ln() / f64::from(self.visits.max(1));
        if self.visits == 0 {
            f64::INFINITY
        } else {
            self.share() + doubt.sqrt()
        }
    }
}

/// The generator `SplitMix64`: the same game draws the same lots.
struct Lots(u64);

impl Lots {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % end as u64) as usize
    }
}

impl<P: Position> MoveChooser<P> for MonteCarlo<P> {
    /// Each move is thought out anew.
    fn new_game(&mut self) {}

    fn run(
        &mut self,
        line: &Line<P>,
        limits: &SearchLimits,
        stop: &dyn Fn() -> bool,
    ) -> SearchReport {
        let (mut line, root, side) = (line.clone(), line.len(), line.position().side_to_move());
        let mut lots = Lots(line.position().key());
        let most = limits.nodes.unwrap_or(u64::MAX);
        let by_depth = limits.depth.filter(|_| limits.nodes.is_none());
        let playouts = by_depth.map_or(u32::MAX, |plies| plies.saturating_mul(PER_PLY));
        let mut tree = vec![Node::new(Move::NULL)];
        expand(&mut tree, 0, &line);
        let mut nodes = 0;
        'playouts: while tree[0].visits < playouts && !stop() {
            // Down the tree to a move that was never visited, and from there on by lot.
            let (mut path, mut at) = (vec![0], 0);
            let verdict = loop {
                let verdict = line.verdict(self.rules);
                if verdict.is_some() || line.len() > root + LONGEST {
                    break verdict;
                }
                if nodes == most {
                    break 'playouts;
                }
                nodes += 1;
                if at == 0 || tree[at].visits > 0 {
                    expand(&mut tree, at, &line);
                    at = best(&tree, at, |node| node.worth(tree[at].visits));
                    path.push(at);
                    line.play(tree[at].mv);
                } else {
                    let moves = moves(&line);
                    line.play(moves[lots.below(moves.len())]);
                }
            };
            for (ply, at) in path.into_iter().enumerate() {
                let mover = if ply % 2 == 1 { side } else { side.other() };
                tree[at].visits += 1;
                tree[at].points += verdict.map_or(1, |it| u32::from(it.half_points(mover)));
            }
            while line.len() > root {
                line.undo();
            }
        }
        let (mut at, mut pv) = (0, Vec::new());
        while !tree[at].answers.is_empty() {
            at = best(&tree, at, |node| f64::from(node.visits));
            pv.push(tree[at].mv);
        }
        let first = best(&tree, 0, |node| f64::from(node.visits));
        SearchReport {
            best: pv.first().copied(),
            score: (2000.0 * (tree[first].share() - 0.5)) as i32,
            depth: pv.len() as u32,
            nodes,
            pv,
            ..SearchReport::default()
        }
    }
}

fn moves<P: Position>(line: &Line<P>) -> MoveList {
    let mut moves = MoveList::new();
    line.position().legal_moves(&mut moves);
    moves
}

/// Adds the moves at the end of the line as answers to a move, unless they are there.
fn expand<P: Position>(tree: &mut Vec<Node>, at: usize, line: &Line<P>) {
    if tree[at].answers.is_empty() {
        let first = tree.len();
        tree.extend(moves(line).into_iter().map(Node::new));
        tree[at].answers = first..tree.len();
    }
}

/// The answer that is worth most, the first of equals.
fn best(tree: &[Node], at: usize, worth: impl Fn(&Node) -> f64) -> usize {
    let answers = tree[at].answers.clone().rev();
    let best = answers.max_by(|one, other| worth(&tree[*one]).total_cmp(&worth(&tree[*other])));
    best.unwrap_or(at)
}
