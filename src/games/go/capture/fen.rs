//! A position as one line of text.

use super::Capture;
use crate::game::{PositionError, Side};
use crate::games::go::{Colour, PROBLEM_SIZES, Setup};

/// Reads what [`write`] writes. The ko may be left out.
pub(super) fn read(text: &str) -> Result<Capture, PositionError> {
    let wrong = |reason: String| PositionError::new(text, reason);
    let mut fields: Vec<&str> = text.split_whitespace().collect();
    if fields.len() == 3 {
        fields.push("-");
    }
    // Whose stones a target was that has been taken.
    let mut owner = None;
    if let Some(target) = fields.get_mut(2)
        && let Some((point, letter)) = target.split_once(':')
    {
        let colour = Colour::read(letter);
        owner = Some(colour.ok_or_else(|| wrong(format!("no side `{letter}` (X or O)")))?);
        *target = point;
    }
    let setup = Setup::read(&fields.join(" ")).map_err(|error| wrong(error.to_string()))?;
    let Setup {
        board,
        to_move,
        target,
    } = setup;
    let size = board.size();
    if !PROBLEM_SIZES.contains(&size) {
        let (least, most) = PROBLEM_SIZES.into_inner();
        return Err(wrong(format!("{size} rows, not {least} to {most},")));
    }
    let name = target.name(size);
    match owner {
        None => Capture::new(board, target, to_move)
            .ok_or_else(|| wrong(format!("no stone on the target {name}"))),
        Some(_) if board.at(target).is_some() => Err(wrong(format!(
            "a stone on the target {name} that was taken"
        ))),
        Some(owner) => Ok(Capture {
            board,
            target,
            attacker: owner.other(),
            side: if to_move == owner {
                Side::Second
            } else {
                Side::First
            },
            taken: true,
            reversible: 0,
        }),
    }
}

/// Rows, side, target and ko.
pub(super) fn write(position: &Capture) -> String {
    let size = position.board.size();
    let mut target = position.target.name(size);
    if position.taken {
        target.push(':');
        target.push(position.attacker.other().letter());
    }
    let rows = position.board.to_rows().join("/");
    let side = position.colour_to_move().letter();
    let ko = position.board.ko();
    let ko = ko.map_or_else(|| "-".to_owned(), |ko| ko.name(size));
    format!("{rows} {side} {target} {ko}")
}
