//! A board as text and as a picture.

mod outlines;
mod svg;
mod text;

#[cfg(test)]
mod tests;

pub(crate) use outlines::{Outline, outline};
pub use svg::board_svg;
pub use text::{BoardStyle, board_caption, board_rows, board_text};
