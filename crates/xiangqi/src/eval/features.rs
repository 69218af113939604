//! The contribution of each number to the value of a position: its gradient.

use super::count;
use super::numbers::{self, NUMBERS, TEMPO};
use super::params::Phase;
use super::taper::{PHASES, phase};
use super::terms::Wanted;
use crate::{Kind, Square, Xiangqi};
use leitai_game::{Position, Side};

/// The numbers that contribute to `position`, in the order of their indices in the
/// [table](numbers::TABLE), each with its coefficient in units of 1 / [`PHASES`].
///
/// The sum of all numbers times their coefficients, divided by [`PHASES`], is the value for the
/// side to move before it is limited, within 1 for rounding. The coefficient of a square counts the
/// pieces on it; a table that is its own mirror image shares each number between two squares.
pub fn features(position: &Xiangqi) -> Vec<(usize, i32)> {
    let phase = phase(position);
    let turn = position.side_to_move();
    let mut coefficients = vec![0; NUMBERS];
    coefficients[TEMPO] = PHASES;
    for (at, weight) in [(Phase::Middle, phase), (Phase::End, PHASES - phase)] {
        let mut add = |index: usize, number: i32| {
            coefficients[index] += number * weight;
        };
        for side in Side::BOTH {
            let sign = if side == turn { 1 } else { -1 };
            for &kind in Kind::ALL {
                for square in position.pieces(side, kind) {
                    add(numbers::material(at, kind), sign);
                    add(numbers::square(at, kind, place(side, square)), sign);
                }
            }
        }
        let sign = if turn == Side::First { 1 } else { -1 };
        for (place, red) in count::balance(position, &Wanted::ALL).iter().enumerate() {
            add(numbers::term(at, place), sign * red);
        }
    }
    let coefficients = coefficients.into_iter().enumerate();
    coefficients
        .filter(|(_, coefficient)| *coefficient != 0)
        .collect()
}

/// The index of a square in the tables, from the point of view of `side`.
fn place(side: Side, square: Square) -> usize {
    let seen = match side {
        Side::First => square,
        Side::Second => square.rotated(),
    };
    9 * (9 - seen.rank()) + seen.file()
}
