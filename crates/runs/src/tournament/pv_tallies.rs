//! Counts of the warnings about reported lines of play.

use std::collections::BTreeMap;

use leitai_players::play::PairRecord;
use leitai_players::player::{PvFault, PvWarning};

/// Lines of one player with the same fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PvTally {
    /// The number of lines.
    pub lines: u64,
    /// The number of games with such lines.
    pub games: u64,
    /// The number of the first pair with one.
    pub pair: u64,
    /// The game of that pair, 0 or 1.
    pub game: usize,
    /// The first warning.
    pub first: PvWarning,
}

/// The warnings of a run: a fold over its pairs in schedule order, including pairs that do not
/// count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PvTallies(BTreeMap<(usize, PvFault), PvTally>);

impl PvTallies {
    /// Counts the next pair in schedule order.
    pub fn take(&mut self, record: &PairRecord) {
        for (number, game) in record.games.iter().enumerate() {
            for warnings in &game.pv_warnings {
                let key = (game.variant(warnings.side), warnings.first.kind);
                let tally = self.0.entry(key).or_insert_with(|| PvTally {
                    lines: 0,
                    games: 0,
                    pair: record.index,
                    game: number,
                    first: warnings.first.clone(),
                });
                tally.lines += u64::from(warnings.count);
                tally.games += 1;
            }
        }
    }

    /// The tallies of a variant, by fault.
    pub fn of_variant(&self, variant: usize) -> impl Iterator<Item = (PvFault, &PvTally)> {
        let all = self.0.iter();
        let own = all.filter(move |((index, _), _)| *index == variant);
        own.map(|(&(_, fault), tally)| (fault, tally))
    }
}
