//! A player of any game that is no search of Leitai's: Monte Carlo tree search by upper
//! confidence bounds (UCT; Kocsis & Szepesvári 2006). Here it plays Connect Four, against the
//! alpha-beta searches of that example:
//!
//!     cargo run --release --example monte_carlo -- run examples/monte_carlo/tournament.toml

use std::ops::Range;
use std::process::ExitCode;

use leitai::Entry;
use leitai::card::OwnPlayer;
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
    let entry = Entry::of::<ConnectFour>().with_player(&MONTE_CARLO);
    leitai::main_with([entry]).into()
}

/// Random games for each ply of a limit on depth, where nodes are not limited.
const PER_PLY: f64 = 100.0;

struct MonteCarlo<P: Position> {
    rules: P::Rules,
}

/// A move of the tree.
struct Node {
    mv: Move,
    visits: f64,
    /// Half points of whoever played the move.
    points: f64,
    /// Where the answers stand; nowhere until they are looked for.
    answers: Range<usize>,
}

impl Node {
    fn new(mv: Move) -> Self {
        Self {
            mv,
            visits: 0.0,
            points: 0.0,
            answers: 0..0,
        }
    }

    fn share(&self) -> f64 {
        self.points / (2.0 * self.visits).max(1.0)
    }
}

impl<P: Position> MoveChooser<P> for MonteCarlo<P> {
    /// Every move is thought out anew.
    fn new_game(&mut self) {}

    fn run(
        &mut self,
        line: &Line<P>,
        limits: &SearchLimits,
        stop: &dyn Fn() -> bool,
    ) -> SearchReport {
        let (mut line, root, side) = (line.clone(), line.len(), line.position().side_to_move());
        // The same position draws the same lots, on any thread.
        let mut lots = line.position().key();
        let most = match (limits.nodes, limits.depth) {
            (None, Some(plies)) => f64::from(plies) * PER_PLY,
            _ => f64::INFINITY,
        };
        let mut tree = Vec::new();
        let start = expand(&mut tree, &line);
        let (mut nodes, mut played) = (0, 0.0);
        'games: while played < most && !stop() {
            // Down the tree to a move that was never tried, and from there on by lot.
            let (mut path, mut answers) = (Vec::new(), start.clone());
            let verdict = loop {
                if let Some(verdict) = line.verdict(self.rules) {
                    break verdict;
                }
                if limits.nodes == Some(nodes) {
                    break 'games;
                }
                nodes += 1;
                if answers.is_empty() {
                    let moves = moves(&line);
                    lots = mix(lots);
                    line.play(moves[(lots % moves.len() as u64) as usize]);
                    continue;
                }
                let visits: f64 = tree[answers.clone()]
                    .iter()
                    .map(|it: &Node| it.visits)
                    .sum();
                let at = best(&tree, &answers, |it| {
                    let doubt = 2.0 * visits.max(2.0).ln() / it.visits;
                    it.share() + doubt.sqrt()
                });
                path.push(at);
                line.play(tree[at].mv);
                if tree[at].visits > 0.0 && tree[at].answers.is_empty() {
                    tree[at].answers = expand(&mut tree, &line);
                }
                answers = tree[at].answers.clone();
            };
            for (ply, at) in path.into_iter().enumerate() {
                let mover = if ply % 2 == 0 { side } else { side.other() };
                tree[at].visits += 1.0;
                tree[at].points += f64::from(verdict.half_points(mover));
            }
            while line.len() > root {
                line.undo();
            }
            played += 1.0;
        }
        let best = &tree[best(&tree, &start, |it| it.visits)];
        SearchReport {
            best: Some(best.mv),
            score: (2000.0 * (best.share() - 0.5)) as i32,
            depth: 1,
            nodes,
            pv: vec![best.mv],
            ..SearchReport::default()
        }
    }
}

/// The next number of `SplitMix64`, near enough.
fn mix(lots: u64) -> u64 {
    let lots = lots.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let lots = (lots ^ lots >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (lots ^ lots >> 27).wrapping_mul(0x94d0_49bb_1331_11eb) ^ lots >> 31
}

fn moves<P: Position>(line: &Line<P>) -> MoveList {
    let mut moves = MoveList::new();
    line.position().legal_moves(&mut moves);
    moves
}

/// Adds the moves at the end of the line to the tree, and says where they stand.
fn expand<P: Position>(tree: &mut Vec<Node>, line: &Line<P>) -> Range<usize> {
    let first = tree.len();
    tree.extend(moves(line).into_iter().map(Node::new));
    first..tree.len()
}

/// The answer that is worth most, the first of equals.
fn best(tree: &[Node], answers: &Range<usize>, worth: impl Fn(&Node) -> f64) -> usize {
    let worth = |at: &usize| worth(&tree[*at]);
    let best = answers.clone().rev();
    let best = best.max_by(|one, other| worth(one).total_cmp(&worth(other)));
    best.unwrap_or(answers.start)
}
