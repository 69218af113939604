//! A square table on the board of Xiangqi.

use super::tables::Board;
use crate::games::xiangqi::Kind;
use crate::games::xiangqi::eval::{Phase, XiangqiParams};
use crate::report::plot::{Anchor, Svg};

const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 500.0;
/// From one line to the next.
const STEP: f64 = 41.0;
/// The river is that much wider, so that its name can be read.
const RIVER: f64 = 19.0;
const LEFT: f64 = 44.0;
const TOP: f64 = 24.0;
const RADIUS: f64 = 17.5;

/// The table of a kind in a phase, as the board is read: from a9 to i0. Squares
/// that the kind cannot reach have no number.
pub(super) fn values(params: &XiangqiParams, phase: Phase, kind: Kind) -> Vec<Option<i64>> {
    let mut reached = [false; 90];
    for square in kind.reach() {
        // Tables begin with rank 9, squares with rank 0.
        let place = 9 * (9 - square.rank()) + square.file();
        if let Some(reached) = reached.get_mut(place) {
            *reached = true;
        }
    }
    let table = params.phase(phase).pst[kind.index()].as_flattened();
    let numbers = table.iter().zip(reached);
    numbers
        .map(|(&value, reached)| reached.then_some(i64::from(value)))
        .collect()
}

fn x(file: usize) -> f64 {
    LEFT + STEP * file as f64
}

fn y(row: usize) -> f64 {
    TOP + STEP * row as f64 + if row > 4 { RIVER } else { 0.0 }
}

pub(super) fn draw(board: &Board<'_>) -> String {
    let mut svg = Svg::new(WIDTH, HEIGHT, board.title);
    lines(&mut svg);
    for row in 0..10 {
        let rank = (9 - row).to_string();
        svg.label([14.0, y(row) + 4.0], Anchor::Middle, "tick", &rank);
    }
    for (file, letter) in ('a'..='i').enumerate() {
        let below = [x(file), y(9) + 34.0];
        svg.label(below, Anchor::Middle, "tick", &letter.to_string());
    }
    for (place, value) in board.values.iter().enumerate().take(90) {
        let Some(value) = *value else { continue };
        let (row, file) = (place / 9, place % 9);
        let at = [x(file), y(row)];
        let name = char::from(b'a' + file as u8);
        let tip = format!("{name}{}: {}", 9 - row, (board.tip)(place));
        let text = (board.write)(value);
        svg.group(&board.scale.class(value), &tip, |svg| {
            svg.disc("disc", at, RADIUS);
            let class = if text.chars().count() > 4 {
                "long"
            } else {
                "value"
            };
            svg.label([at[0], at[1] + 4.5], Anchor::Middle, class, &text);
        });
    }
    board
        .scale
        .draw(&mut svg, [x(4), HEIGHT - 22.0], board.write);
    svg.finish_in_page("board")
}

/// The lines of the board: files that end at the river, ranks, palaces.
fn lines(svg: &mut Svg) {
    let corner = [x(0) - 5.0, y(0) - 5.0];
    svg.cell("rim", corner, [x(8) - x(0) + 10.0, y(9) - y(0) + 10.0]);
    for row in 0..10 {
        svg.curve("wood", &[[x(0), y(row)], [x(8), y(row)]]);
    }
    for file in 0..9 {
        if file == 0 || file == 8 {
            svg.curve("wood", &[[x(file), y(0)], [x(file), y(9)]]);
        } else {
            svg.curve("wood", &[[x(file), y(0)], [x(file), y(4)]]);
            svg.curve("wood", &[[x(file), y(5)], [x(file), y(9)]]);
        }
    }
    for [top, bottom] in [[0, 2], [7, 9]] {
        svg.curve("wood", &[[x(3), y(top)], [x(5), y(bottom)]]);
        svg.curve("wood", &[[x(5), y(top)], [x(3), y(bottom)]]);
    }
    let middle = f64::midpoint(y(4), y(5)) + 6.0;
    for (at, words) in [(x(2), "楚 河"), (x(6), "漢 界")] {
        svg.label([at, middle], Anchor::Middle, "river", words);
    }
}
