//! What one variant says itself, checked: to be laid over what it inherits.

use super::eval::{CaptureLayer, OthelloLayer, XiangqiLayer};
use super::search::SearchLayer;
use super::{EvalParams, Variant};

/// One variant's own words on its evaluation.
#[derive(Clone, Debug)]
pub(super) enum EvalLayer {
    Xiangqi(Box<XiangqiLayer>),
    Othello(Box<OthelloLayer>),
    Go(CaptureLayer),
}

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
        match (&self.eval, &mut variant.eval) {
            (Some(EvalLayer::Xiangqi(layer)), EvalParams::Xiangqi(params)) => layer.apply(params),
            (Some(EvalLayer::Othello(layer)), EvalParams::Othello(params)) => layer.apply(params),
            (Some(EvalLayer::Go(layer)), EvalParams::Go(params)) => layer.apply(params),
            // Layers are read by the game of the config, so that they fit.
            _ => {}
        }
    }
}
