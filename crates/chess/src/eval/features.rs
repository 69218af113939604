//! The contribution of each number to the value of a position: its gradient.

use cozy_chess::{Color, Piece};

use super::count::{self, Sink};
use super::numbers::{self, OF_PHASE, TEMPO};
use super::taper::{PHASES, phase};
use super::terms::{COUNT, TermGroups};
use crate::Chess;

/// The count of each term.
struct Counts([i32; COUNT]);

impl Sink for Counts {
    fn add(&mut self, place: usize, count: i32) {
        self.0[place] += count;
    }
}

/// Calls `add` with the numbers that count in `position`, by their indices in the
/// [table](numbers::TABLE) and in order, each with its coefficient in units of 1 / [`PHASES`].
///
/// The sum of all numbers times their coefficients, divided by [`PHASES`], is the value for the
/// side to move before it is limited, within 1 for rounding.
pub fn features(position: &Chess, add: &mut impl FnMut(usize, i32)) {
    let board = &position.board;
    let mut counts = [0; OF_PHASE];
    for (color, sign) in [(Color::White, 1), (Color::Black, -1)] {
        for piece in Piece::ALL {
            for square in board.colored_pieces(color, piece) {
                counts[numbers::square(piece, square.relative_to(color))] += sign;
                if let Some(place) = numbers::material(piece) {
                    counts[place] += sign;
                }
            }
        }
    }
    let mut sinks = Color::ALL.map(|_| Counts([0; COUNT]));
    count::count(board, TermGroups::ALL, &mut sinks);
    let [white, black] = sinks;
    for (place, (white, black)) in white.0.into_iter().zip(black.0).enumerate() {
        counts[numbers::term(place)] = white - black;
    }
    let own = match board.side_to_move() {
        Color::White => 1,
        Color::Black => -1,
    };
    add(TEMPO, PHASES);
    let middle = phase(board);
    for (phase, parts) in [middle, PHASES - middle].into_iter().enumerate() {
        for (place, count) in counts.into_iter().enumerate() {
            let coefficient = own * count * parts;
            if coefficient != 0 {
                add(numbers::first(phase) + place, coefficient);
            }
        }
    }
}
