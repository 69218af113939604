//! What one variant says itself, checked: to be laid over what it inherits.

use super::Variant;
use super::eval::EvalLayer;
use super::search::SearchLayer;

/// All that one variant says itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    pub(super) search: SearchLayer,
    pub(super) eval: Option<EvalLayer>,
}

impl Layer {
    /// Replaces what the layer speaks of.
    pub(super) fn apply(&self, variant: &mut Variant) {
        self.search.apply(&mut variant.search);
        if let Some(layer) = &self.eval {
            layer.apply(&mut variant.eval);
        }
    }
}
