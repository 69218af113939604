//! The switches of a search, as data.

use serde::{Deserialize, Serialize};

/// One step of the move picker. The moves of a position are handed out stage
/// by stage; each stage takes the moves that it claims from those that no
/// earlier stage has taken, and orders them. What no stage claims comes last,
/// in the order of the generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// The move that the transposition table remembers.
    Tt,
    /// Captures whose static gain is not negative, best first (Yue & Feng
    /// 2009, section 3.2): the victim's value, less the attacker's where the
    /// victim is protected.
    GoodCaptures,
    /// The quiet moves that cut off most recently at the same ply (two slots).
    Killers,
    /// All moves by history score (piece and target square; each cut-off or
    /// best move adds depth squared), highest first.
    History,
    /// All moves by the kind of the moving piece (Xiangqi: rook, cannon,
    /// horse, pawn, advisor, elephant, king), then by the generator's order.
    ByPiece,
}

impl Stage {
    /// Every stage.
    pub const ALL: [Stage; 5] = [
        Stage::Tt,
        Stage::GoodCaptures,
        Stage::Killers,
        Stage::History,
        Stage::ByPiece,
    ];

    /// The kebab-case name.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Tt => "tt",
            Stage::GoodCaptures => "good-captures",
            Stage::Killers => "killers",
            Stage::History => "history",
            Stage::ByPiece => "by-piece",
        }
    }

    /// The stage of that name.
    pub fn from_name(name: &str) -> Option<Stage> {
        Stage::ALL.into_iter().find(|stage| stage.name() == name)
    }
}

/// The parameters of one search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SearchParams {
    /// The ordering stages, first to last; no stage twice.
    pub ordering: Vec<Stage>,
    /// Whether captures (and evasions of check) are searched out beyond the
    /// nominal depth.
    pub quiescence: bool,
    /// Size of the transposition table in MiB, 0 to 4096; 0 is none. The number
    /// of entries is the largest power of two that fits.
    pub table_mb: u32,
    /// Whether the game's rules on repetition, move count and material are
    /// applied inside the tree.
    pub rules: bool,
}

impl Default for SearchParams {
    /// The ordering of Yue & Feng (figure 2) with everything on.
    fn default() -> Self {
        Self {
            ordering: vec![
                Stage::Tt,
                Stage::GoodCaptures,
                Stage::Killers,
                Stage::History,
            ],
            quiescence: true,
            table_mb: 4,
            rules: true,
        }
    }
}
