//! Positions in EPD, one per line, with checks.
//!
//! [`parse_epd`] parses the line. This module also checks its operations: moves must be legal
//! moves, numbers must be numbers, and no operation may be repeated. The moves with scores of OBF
//! (`H5:+6`), Othello's relative of EPD, are operations too.

use std::collections::HashSet;

use crate::epd::{MOVES, NUMBERS, Operation, parse_epd};
use crate::{Damage, shown};
use leitai_game::Move;
use leitai_game::card::{AnyPosition, GameCard};

/// A position and the operations of its line.
#[derive(Clone, Debug, PartialEq)]
pub struct EpdPosition {
    /// Number of the line, from 1.
    pub line: u64,
    /// The position.
    pub position: Box<dyn AnyPosition>,
    /// Its operations except `hmvc` and `fmvn`, which are part of the position.
    pub operations: Vec<Operation>,
    /// Moves with their scores (OBF).
    pub scores: Vec<(Move, f64)>,
}

/// The problem with a line, and help.
type LineProblem = (String, String);

impl EpdPosition {
    /// Reads a line; `name` is the file name for messages.
    ///
    /// # Errors
    /// The line is not a legal position, or an operation is wrong.
    pub fn read(card: &dyn GameCard, text: &str, line: u64, name: &str) -> Result<Self, Damage> {
        let damage = |(problem, help): LineProblem| Damage {
            name: name.into(),
            line,
            game: None,
            ply: None,
            problem: problem.into(),
            help: help.into(),
        };
        let refused =
            |reason: String| damage((reason, format!("correct the line: `{}`", shown(text))));
        let read = parse_epd(text, card.facts()).map_err(refused)?;
        let position = read.line(card).map_err(refused)?.position().boxed();
        let operations = read.operations;
        let mut scores = Vec::new();
        let mut names = HashSet::new();
        for operation in &operations {
            let Operation { name, operand } = operation;
            match position.read_scored_move(&format!("{name} {operand}")) {
                Some(Ok(score)) => scores.push(score),
                Some(Err(problem)) => {
                    let word = name.split(':').next().unwrap_or_default();
                    return Err(damage((shown(&problem), position.suggest_moves(word))));
                }
                None => check(&*position, operation).map_err(damage)?,
            }
            if !names.insert(name) {
                let problem = format!("duplicate operation `{name}`");
                return Err(damage((problem, "remove one of them".to_owned())));
            }
        }
        Ok(Self {
            line,
            position,
            operations,
            scores,
        })
    }
}

fn check(position: &dyn AnyPosition, operation: &Operation) -> Result<(), LineProblem> {
    let Operation { name, operand } = operation;
    let well_formed = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.len() <= 15
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !well_formed {
        let help =
            "an operation is a name of up to 15 letters and its operands, such as `id \"x\";`";
        return Err((
            format!("invalid operation `{}`", shown(name)),
            help.to_owned(),
        ));
    }
    if NUMBERS.contains(&name.as_str()) && operand.parse::<i64>().is_err() {
        let operand = shown(operand);
        let problem = format!("`{name}` is followed by `{operand}`, not by a whole number");
        return Err((problem, format!("write it such as `{name} 12;`")));
    }
    let mut line = position.card().line(position);
    let in_turn = name == "pv";
    if !in_turn && !MOVES.contains(&name.as_str()) {
        return Ok(());
    }
    let operands = operation.operands();
    for word in operands.iter().flat_map(|text| text.split_whitespace()) {
        let here = line.position();
        let moves = here.read_word(word).map_err(|problem| {
            let problem = format!("`{name}`: {}", shown(&problem));
            (problem, here.suggest_moves(word))
        })?;
        if in_turn {
            for mv in moves {
                line.play(mv);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::epd::write_epd;

    const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - -";

    fn read(rest: &str) -> Result<EpdPosition, String> {
        let text = format!("{START} {rest}");
        EpdPosition::read(leitai_xiangqi::card(), &text, 7, "book.epd")
            .map_err(|damage| damage.to_string())
    }

    #[test]
    fn operations_survive() {
        let rest = "hmvc 3; fmvn 9; bm C2=5 炮八平五; id \"a; b\"; ce -12; pv h2e2 h9g7; c0 \"x\";";
        let read = read(rest).unwrap();
        assert_eq!(
            write_epd(&*read.position, &read.operations),
            format!("{START} {rest}")
        );
        let board = "---------------------------OX------XO--------------------------- X;";
        let read = EpdPosition::read(
            leitai_othello::card(),
            &format!("{board} bm d3; id \"o\";"),
            1,
            "x",
        );
        let read = read.unwrap();
        assert_eq!(
            write_epd(&*read.position, &read.operations),
            format!("{board} bm d3; id \"o\";")
        );
    }

    #[test]
    fn errors_are_reported_with_their_line() {
        for (rest, what) in [
            ("bm h2h8;", "`bm`: `h2h8` is not legal here"),
            ("pv h2e2 h2e2;", "`pv`: `h2e2` is not legal here"),
            ("ce good;", "`ce` is followed by `good`"),
            ("id \"x\"; id \"y\";", "duplicate operation `id`"),
            ("id \"x;", "quotation mark is not closed"),
            ("hmvc x;", "`hmvc` is followed by `x`"),
            ("a-b 1;", "invalid operation `a-b`"),
            ("0 1 2;", "unexpected field"),
        ] {
            let error = read(rest).unwrap_err();
            assert!(error.starts_with("book.epd, line 7: "), "{error}");
            assert!(
                error.contains(what) && error.contains("help: "),
                "{rest}: {error}"
            );
        }
    }
}
