//! The board against a model without memory: a grid that floods.

mod board;
mod model;
mod points;
pub(crate) mod problems;
