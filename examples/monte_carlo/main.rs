//! A player of any game that does not use Leitai's searches: flat Monte Carlo, which plays random
//! games from the position and distributes them among the moves by upper confidence bounds (UCB1;
//! Auer, Cesa-Bianchi & Fischer 2002, figure 1). Here it plays Connect Four, against the alpha-beta
//! searches of that example:
//!
//!     cargo run --release --example monte_carlo -- run examples/monte_carlo/tournament.toml

use std::process::ExitCode;

use leitai::Entry;
use leitai::card::OwnPlayer;
use leitai::game::{Line, Move, Position, legal_moves};
use leitai::search::{MoveChooser, SearchLimits, SearchReport};

#[path = "../connect_four/game.rs"]
mod game;
use game::ConnectFour;

static MONTE_CARLO: OwnPlayer<ConnectFour> = OwnPlayer {
    name: "monte-carlo",
    about: "random games from the position (UCB1)",
    new: |rules| Box::new(MonteCarlo { rules }),
};

fn main() -> ExitCode {
    let entry = Entry::new::<ConnectFour>().with_player(&MONTE_CARLO);
    leitai::main_with([entry]).into()
}

/// Number of random games for each ply of a depth limit, if nodes are not limited.
const PER_PLY: u64 = 100;

struct MonteCarlo<P: Position> {
    rules: P::Rules,
}

/// A legal move, with number and points of the games that began with it.
struct Arm {
    mv: Move,
    games: f64,
    points: f64,
}

impl<P: Position> MoveChooser<P> for MonteCarlo<P> {
    /// Does nothing, because no move uses results of earlier ones.
    fn new_game(&mut self) {}

    fn run(
        &mut self,
        line: &Line<P>,
        limits: &SearchLimits,
        stop: &dyn Fn() -> bool,
    ) -> SearchReport {
        let (mut line, root, side) = (line.clone(), line.len(), line.position().side_to_move());
        let (games, points) = (0.0, 0.0);
        let arms = legal_moves(line.position()).into_iter();
        let mut arms: Vec<Arm> = arms.map(|mv| Arm { mv, games, points }).collect();
        // The same position gives the same random numbers on any thread.
        let mut lots = line.position().key();
        let most = match (limits.nodes, limits.depth) {
            (None, Some(plies)) => u64::from(plies) * PER_PLY,
            _ => u64::MAX,
        };
        let (mut nodes, mut played) = (0, 0);
        'games: while played < most && !stop() {
            let doubt = 2.0 * libm::log(played.max(1) as f64);
            let arm = best(&arms, |arm| match arm.games {
                0.0 => f64::INFINITY,
                games => arm.points / games + (doubt / games).sqrt(),
            });
            let mut next = arms[arm].mv;
            let verdict = loop {
                if limits.nodes == Some(nodes) {
                    break 'games;
                }
                line.play(next);
                nodes += 1;
                if let Some(verdict) = line.verdict(self.rules) {
                    break verdict;
                }
                let moves = legal_moves(line.position());
                lots = mix(lots);
                next = moves[(lots % moves.len() as u64) as usize];
            };
            arms[arm].games += 1.0;
            arms[arm].points += f64::from(verdict.half_points(side)) / 2.0;
            while line.len() > root {
                line.undo();
            }
            played += 1;
        }
        let Arm { mv, games, points } = arms[best(&arms, |arm| arm.games)];
        SearchReport {
            best: Some(mv),
            score: (2000.0 * (points / games.max(1.0) - 0.5)) as i32,
            depth: 1,
            nodes,
            pv: vec![mv],
            ..SearchReport::default()
        }
    }
}

/// Returns the next number of a generator similar to `SplitMix64`.
fn mix(lots: u64) -> u64 {
    let lots = lots.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let lots = (lots ^ lots >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (lots ^ lots >> 27).wrapping_mul(0x94d0_49bb_1331_11eb) ^ lots >> 31
}

/// Returns the index of the arm with the largest worth, the first of equals.
fn best(arms: &[Arm], worth: impl Fn(&Arm) -> f64) -> usize {
    let all = (0..arms.len()).rev();
    let best = all.max_by(|one, other| worth(&arms[*one]).total_cmp(&worth(&arms[*other])));
    best.unwrap_or_default()
}
