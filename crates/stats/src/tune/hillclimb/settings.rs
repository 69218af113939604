//! Settings of the hill climber.

use serde::{Deserialize, Serialize};

use crate::tune::Space;
use crate::tune::method::BadMethod;

/// A kind of blocks: sets of dimensions that the climber moves together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocks {
    /// Name of the kind, such as `rows`.
    pub name: String,
    /// Block of each dimension, from 0 without gaps; `None` if this kind does not move it.
    pub block_of: Vec<Option<usize>>,
}

impl Blocks {
    /// Returns blocks of one dimension each.
    pub(super) fn single(dimensions: usize) -> Self {
        Self {
            name: "numbers".to_owned(),
            block_of: (0..dimensions).map(Some).collect(),
        }
    }

    /// Number of blocks.
    pub fn count(&self) -> usize {
        self.block_of
            .iter()
            .flatten()
            .max()
            .map_or(0, |last| last + 1)
    }
}

/// Settings of the hill climber.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HillClimb {
    /// Kinds of blocks in addition to single dimensions, which come last.
    pub blocks: Vec<Blocks>,
    /// Pairs of a race as a share of the pairs of its probes, 0 (no race) to 1.
    pub race: f64,
}

impl Default for HillClimb {
    fn default() -> Self {
        Self {
            blocks: Vec::new(),
            race: 0.2,
        }
    }
}

impl HillClimb {
    /// Refuses settings that do not fit the space.
    pub(super) fn check(&self, space: &Space) -> Result<(), BadMethod> {
        if !(0.0..=1.0).contains(&self.race) {
            let wrong = format!("the share of the races ({}) must be 0 to 1", self.race);
            return Err(BadMethod::Settings(wrong));
        }
        let want = space.len();
        let wrong = |blocks: &&Blocks| {
            let is_used = |block: usize| blocks.block_of.contains(&Some(block));
            blocks.block_of.len() != want || !(0..blocks.count()).all(is_used)
        };
        match self.blocks.iter().find(wrong) {
            Some(blocks) => Err(BadMethod::Settings(format!(
                "the blocks `{}` do not fit {want} dimensions: give each dimension one of the \
                 blocks 0, 1, 2, ... without gaps",
                blocks.name
            ))),
            None => Ok(()),
        }
    }
}
