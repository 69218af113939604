//! The checked settings of one variant, to be applied over inherited ones.

use super::Variant;
use super::eval::EvalLayer;
use super::search::SearchLayer;

/// The own settings of one variant.
#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    pub(super) search: SearchLayer,
    pub(super) eval: Option<EvalLayer>,
}

impl Layer {
    /// Replaces the values that the layer sets.
    pub(super) fn apply(&self, variant: &mut Variant) {
        self.search.apply(&mut variant.search);
        if let Some(layer) = &self.eval {
            layer.apply(&mut variant.eval);
        }
    }
}
