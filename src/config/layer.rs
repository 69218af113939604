//! What one variant says itself, checked: to be laid over what it inherits.

use super::eval::{OthelloLayer, XiangqiLayer};
use super::problem::Problem;
use super::raw::{RawSearch, Text};
use super::value::{choice, ranged};
use super::{EvalParams, Variant};
use crate::search::{SearchParams, Stage};

/// One variant's own words on its search.
#[derive(Clone, Debug, Default)]
pub(super) struct SearchLayer {
    ordering: Option<Vec<Stage>>,
    quiescence: Option<bool>,
    table_mb: Option<u32>,
    rules: Option<bool>,
}

impl SearchLayer {
    pub(super) fn check(raw: &RawSearch, problems: &mut Vec<Problem>) -> Self {
        Self {
            ordering: raw.ordering.as_ref().map(|names| ordering(names, problems)),
            quiescence: raw.quiescence,
            table_mb: raw
                .table_mb
                .as_ref()
                .and_then(|size| ranged(size, "search.table_mb", 0..=4096, problems)),
            rules: raw.rules,
        }
    }

    fn apply(&self, params: &mut SearchParams) {
        if let Some(ordering) = &self.ordering {
            params.ordering.clone_from(ordering);
        }
        params.quiescence = self.quiescence.unwrap_or(params.quiescence);
        params.table_mb = self.table_mb.unwrap_or(params.table_mb);
        params.rules = self.rules.unwrap_or(params.rules);
    }
}

fn ordering(names: &[Text], problems: &mut Vec<Problem>) -> Vec<Stage> {
    let known = Stage::ALL.map(|stage| (stage.name(), stage));
    let mut stages: Vec<(Stage, &Text)> = Vec::new();
    for name in names {
        let Some(stage) = choice(name, "ordering stage", &known, problems) else {
            continue;
        };
        let takes_all = |stage| matches!(stage, Stage::History | Stage::ByPiece);
        if let Some((_, first)) = stages.iter().find(|(other, _)| *other == stage) {
            problems.push(
                Problem::error(
                    name.span(),
                    format!("the stage `{}` stands twice", stage.name()),
                )
                .context(first.span(), "first here")
                .help("the second one would never get a move"),
            );
            continue;
        }
        if let Some((before, first)) = stages.iter().find(|(other, _)| takes_all(*other)) {
            let message = format!("the stage `{}` never gets a move", stage.name());
            problems.push(
                Problem::warning(name.span(), message)
                    .context(first.span(), format!("`{}` takes all moves", before.name())),
            );
        }
        stages.push((stage, name));
    }
    stages.into_iter().map(|(stage, _)| stage).collect()
}

/// One variant's own words on its evaluation.
#[derive(Clone, Debug)]
pub(super) enum EvalLayer {
    Xiangqi(Box<XiangqiLayer>),
    Othello(OthelloLayer),
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
            // Layers are read by the game of the config, so that they fit.
            _ => {}
        }
    }
}
