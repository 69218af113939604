//! A position as one line of text.

use super::Capture;
use crate::{Colour, PROBLEM_SIZES, Point, Setup, SetupError, view};
use leitai_game::view::{MarkKind, View};
use leitai_game::{PositionError, Side};

/// Reads the output of [`write`]. The ko may be omitted.
pub(super) fn read(text: &str) -> Result<Capture, PositionError> {
    let wrong = |reason: String| PositionError::new(text, reason);
    let mut fields: Vec<&str> = text.split_whitespace().collect();
    if fields.len() == 3 {
        fields.push("-");
    }
    // The colour of a captured target's stones.
    let mut owner = None;
    if let Some(target) = fields.get_mut(2)
        && let Some((point, letter)) = target.split_once(':')
    {
        let colour = Colour::read(letter);
        owner = Some(colour.ok_or_else(|| wrong(format!("no side `{letter}` (X or O)")))?);
        *target = point;
    }
    let setup = Setup::read(&fields.join(" "))
        .map_err(|error| wrong(error.to_string()).showing(board_of(&fields, &error)))?;
    let Setup {
        board,
        ko_of_other,
        to_move,
        target,
    } = setup;
    let size = board.size();
    if let Some(ko) = ko_of_other {
        let (ko, other) = (ko.name(size), to_move.other());
        return Err(wrong(format!(
            "a ko that {} may not take at {ko}, who is not to move (only problems have that)",
            other.name()
        )));
    }
    if !PROBLEM_SIZES.contains(&size) {
        let (least, most) = PROBLEM_SIZES.into_inner();
        return Err(wrong(format!("{size} rows, not {least} to {most},")));
    }
    let name = target.name(size);
    let refused = |reason: String| {
        let shown = marked(&board.to_rows(), to_move, Some(target));
        Err(wrong(reason).showing(Some(shown)))
    };
    let (owner, taken) = match (owner, board.at(target)) {
        (None, Some(owner)) => (owner, false),
        (Some(owner), None) => (owner, true),
        (None, None) => return refused(format!("no stone on the target {name}")),
        (Some(_), Some(_)) => {
            return refused(format!("a stone on the target {name} that was taken"));
        }
    };
    Ok(Capture {
        board,
        target,
        attacker: owner.other(),
        side: if to_move == owner {
            Side::Second
        } else {
            Side::First
        },
        taken,
        reversible: 0,
    })
}

/// The board of a text that is no position, if the text describes an illegal arrangement of stones.
fn board_of(fields: &[&str], error: &SetupError) -> Option<View> {
    let point = match error {
        SetupError::Board(error) => Some(error.point?),
        SetupError::Ko(_) => None,
        _ => return None,
    };
    let rows: Vec<&str> = fields.first()?.split('/').collect();
    let to_move = Colour::read(fields.get(1)?).unwrap_or(Colour::Black);
    Some(marked(&rows, to_move, point))
}

/// A board whose attacker is unknown.
fn marked(rows: &[impl AsRef<str>], to_move: Colour, point: Option<Point>) -> View {
    let mut board = view::of_rows(rows, to_move, Side::First);
    if let Some(point) = point {
        board.mark(view::place(point), MarkKind::Point);
    }
    board
}

/// Writes rows, side, target and ko.
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
