//! The outcomes of games by player and colour, as cutechess-cli counts them.

use std::collections::BTreeMap;

use crate::cli::prelude::*;
use leitai_game::Side;
use leitai_stats::Trinomial;

/// The outcomes of the games of a match.
#[derive(Debug, Default)]
pub(super) struct Outcomes {
    /// The games of the first player with White.
    pub(super) white: Trinomial,
    /// Numbers of games by player and outcome.
    counts: BTreeMap<(usize, String), u64>,
}

impl Outcomes {
    /// Counts a game of White and Black that ended for that reason.
    pub(super) fn record(&mut self, players: [usize; 2], winner: Option<Side>, reason: &str) {
        if players[0] == 0 {
            self.white.record(half_points(Side::First, winner));
        }
        for (player, side) in players.into_iter().zip([Side::First, Side::Second]) {
            let word = ["Loss: ", "", "Win: "][usize::from(half_points(side, winner))];
            let outcome = (player, format!("{word}{reason}"));
            *self.counts.entry(outcome).or_default() += 1;
        }
    }

    /// The numbers of each player, under its name.
    pub(super) fn text(&self, names: &[String]) -> String {
        let mut text = String::new();
        for (player, name) in names.iter().enumerate() {
            let _ = write!(text, "\nPlayer: {name}");
            for ((_, outcome), count) in self.counts.iter().filter(|it| it.0.0 == player) {
                let _ = write!(text, "\n   \"{outcome}\": {count}");
            }
        }
        text + "\n"
    }
}

/// Half points of a side, 0 to 2.
pub(super) fn half_points(side: Side, winner: Option<Side>) -> u8 {
    match winner {
        None => 1,
        Some(winner) => 2 * u8::from(winner == side),
    }
}
