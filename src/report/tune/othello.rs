//! The classes of squares on the whole board of Othello.

use super::tables::Board;
use crate::games::othello::{SQUARE_CLASS, square_name};
use crate::report::plot::{Anchor, Svg};

const SIDE: f64 = 44.0;
const LEFT: f64 = 32.0;
const TOP: f64 = 26.0;
const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 422.0;

/// What a disc is worth on each square, a1, b1, .. h8.
pub(super) fn values(squares: &[i32; 10]) -> Vec<Option<i64>> {
    let value = |class: usize| squares.get(class).map(|&value| i64::from(value));
    SQUARE_CLASS.into_iter().map(value).collect()
}

pub(super) fn draw(board: &Board<'_>) -> String {
    let mut svg = Svg::new(WIDTH, HEIGHT, board.title);
    for (file, letter) in ('a'..='h').enumerate() {
        let above = [LEFT + SIDE * (file as f64 + 0.5), TOP - 8.0];
        svg.label(above, Anchor::Middle, "tick", &letter.to_string());
        let beside = [LEFT - 12.0, TOP + SIDE * (file as f64 + 0.5) + 4.0];
        svg.label(beside, Anchor::Middle, "tick", &(file + 1).to_string());
    }
    for (square, value) in board.values.iter().enumerate().take(64) {
        let Some(value) = *value else { continue };
        let [row, file] = [square / 8, square % 8].map(|place| place as f64);
        let corner = [LEFT + SIDE * file, TOP + SIDE * row];
        let tip = format!("{}: {}", square_name(square), (board.tip)(square));
        let text = (board.write)(value);
        svg.group(&board.scale.class(value), &tip, |svg| {
            svg.cell("square", corner, [SIDE; 2]);
            let middle = [corner[0] + 0.5 * SIDE, corner[1] + 0.5 * SIDE + 4.5];
            svg.label(middle, Anchor::Middle, "value", &text);
        });
    }
    let below = [LEFT + 4.0 * SIDE, HEIGHT - 24.0];
    board.scale.draw(&mut svg, below, board.write);
    svg.finish_in_page("board")
}
