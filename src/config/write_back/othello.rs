//! What is to be said of the numbers of Othello.

use super::rows;
use crate::games::othello::eval::{OthelloParams, OthelloWeights, Parameter, Stage};

/// The parameter that stands for all that are said along with this one: those of the
/// same key, in all stages.
pub(super) fn subject(parameter: Parameter) -> Parameter {
    match parameter.in_stage(Stage::Opening) {
        Parameter::Squares(stage, _) => Parameter::Squares(stage, 0),
        Parameter::Tuple(stage, length, _) => Parameter::Tuple(stage, length, 0),
        other => other,
    }
}

/// What is to be said so that a parameter has its value: a key without a stage speaks of
/// all of them, so that each is said that differs from the first. A table and a line
/// for each.
pub(super) fn all_stages(parameter: Parameter, params: &OthelloParams) -> Vec<(String, String)> {
    let of = |stage| line(parameter.in_stage(stage), params);
    let first = of(Stage::Opening);
    let mut said = Vec::new();
    for stage in Stage::ALL {
        let (group, line) = of(stage);
        let Some(name) = stage.name() else {
            said.push((join("eval", group), line));
            continue;
        };
        if line != first.1 {
            said.push((join(&format!("eval.{name}"), group), line));
        }
    }
    said
}

/// The path of a table, with that of a group in it.
fn join(table: &str, group: Option<String>) -> String {
    group.map_or_else(|| table.to_owned(), |group| format!("{table}.{group}"))
}

/// The group of a parameter, if it is in one, and the line that says it.
fn line(parameter: Parameter, params: &OthelloParams) -> (Option<String>, String) {
    let weights: &OthelloWeights = params.stage(parameter.stage());
    match parameter {
        Parameter::Squares(..) => {
            let squares: Vec<String> = weights.squares.iter().map(i32::to_string).collect();
            (None, format!("squares = [{}]", squares.join(", ")))
        }
        Parameter::Discs(_) | Parameter::Term(..) => {
            let path = parameter.in_stage(Stage::Opening).to_string();
            let value = params.get(parameter);
            match path.split_once('.') {
                Some((group, name)) => (Some(group.to_owned()), format!("{name} = {value}")),
                None => (None, format!("{path} = {value}")),
            }
        }
        Parameter::Tuple(_, length, _) => {
            let table = rows(weights.tuples.of(length), length.patterns());
            (None, format!("{} = {table}", length.name()))
        }
    }
}
