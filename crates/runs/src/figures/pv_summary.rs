//! Faults in the principal variations that players report, as data and in sentences.

use serde::Serialize;

use crate::tournament::PvTallies;
use leitai_base::count::count;
use leitai_base::foreign::shown;
use leitai_config::Config;
use leitai_players::player::{PvFault, PvWarning};

/// Principal variations of one player with the same fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PvSummary {
    /// The variant's name.
    pub name: String,
    /// The number of lines.
    pub lines: u64,
    /// The number of games.
    pub games: u64,
    /// Number of the first affected pair, from 0.
    pub pair: u64,
    /// The game of that pair, from 1.
    pub game: usize,
    /// The first line.
    #[serde(flatten)]
    pub first: PvWarning,
}

impl PvSummary {
    /// The summaries of all variants, in the order of the config, then by fault.
    pub fn all(config: &Config, warnings: &PvTallies) -> Vec<Self> {
        let variants = config.variants.iter().enumerate();
        let all = variants.flat_map(|(index, variant)| {
            warnings.of_variant(index).map(|(_, tally)| Self {
                name: variant.name.clone(),
                lines: tally.lines,
                games: tally.games,
                pair: tally.pair,
                game: tally.game + 1,
                first: tally.first.clone(),
            })
        });
        all.collect()
    }

    /// The number of lines, as a sentence.
    pub fn sentence(&self) -> String {
        let [one, more] = self.first.kind.words();
        format!(
            "`{}` reported {} in {}",
            self.name,
            count(self.lines, one, more),
            count(self.games, "game", "games")
        )
    }

    /// The first example: the game with its fault, the position and the line.
    pub fn example(&self) -> [String; 3] {
        let first = &self.first;
        let what = match (first.kind, first.cause) {
            (PvFault::BeyondTheEnd, Some(cause)) => format!(", {} after {cause}", first.word),
            (PvFault::OtherMove, _) => format!(", {} was played", first.word),
            _ if first.word.is_empty() => String::new(),
            _ => format!(", {}", first.word),
        };
        [
            format!(
                "first in pair {}, game {}, after {}{}",
                self.pair,
                self.game,
                count(first.ply.into(), "ply", "plies"),
                shown(&what)
            ),
            shown(&first.position).to_string(),
            shown(&first.line).to_string(),
        ]
    }
}
