//! Cost of the players' moves.

use maud::{Markup, PreEscaped};

use super::elements::code;
use super::number::grouped;
use leitai_config::Config;
use leitai_players::play::PairRecord;
use leitai_runs::tournament::Plan;

/// Sums over the moves of a player.
#[derive(Clone, Debug, Default)]
pub struct MoveCosts {
    name: String,
    /// The number of all moves.
    pub(super) moves: u64,
    nodes: u64,
    /// The number of moves with a known depth, and the sum of their depths.
    deep: u64,
    depth: u64,
    /// The number of moves with a known time, and the sum of their microseconds.
    timed: u64,
    micros: u64,
}

impl MoveCosts {
    /// Empty sums for each variant of a config.
    pub(super) fn none(config: &Config) -> Vec<Self> {
        let variants = config.variants.iter();
        let nothing = variants.map(|variant| Self {
            name: variant.name.clone(),
            ..Self::default()
        });
        nothing.collect()
    }

    /// Adds the moves of a pair, including their times if a clock limits play.
    pub(super) fn add_pair(costs: &mut [Self], plan: &Plan, pair: &PairRecord) {
        let times = plan.config.is_timed();
        let Some(start) = plan.start(&plan.schedule.pair(pair.index)) else {
            return;
        };
        for game in &pair.games {
            let mut mover = start.side_to_move();
            for (number, ply) in game.plies.iter().enumerate() {
                let micros = game.times.micros.get(number).filter(|_| times);
                if let Some(cost) = costs.get_mut(game.variant(mover)) {
                    cost.moves += 1;
                    cost.nodes += u64::from(ply.nodes);
                    cost.deep += u64::from(ply.depth > 0);
                    cost.depth += u64::from(ply.depth);
                    cost.timed += u64::from(micros.is_some());
                    cost.micros += micros.map_or(0, |&micros| u64::from(micros));
                }
                mover = mover.other();
            }
        }
    }

    /// The table row: name, moves, means per move of nodes, depth and milliseconds, nodes per
    /// second.
    pub(super) fn cells(&self) -> Vec<Markup> {
        let mean = |sum: f64, count: u64, decimals: usize| match count {
            0 => "-".to_owned(),
            _ => format!("{:.decimals$}", sum / count as f64),
        };
        let seconds = 1e-6 * self.micros as f64;
        let is_timed = self.micros > 0 && self.timed == self.moves;
        let speed = is_timed.then(|| grouped((self.nodes as f64 / seconds).round() as u64));
        let numbers = [
            grouped(self.moves),
            mean(self.nodes as f64, self.moves, 0),
            mean(self.depth as f64, self.deep, 1),
            mean(1e-3 * self.micros as f64, self.timed, 1),
            speed.unwrap_or_else(|| "-".to_owned()),
        ];
        std::iter::once(code(&self.name))
            .chain(numbers.map(PreEscaped))
            .collect()
    }
}
