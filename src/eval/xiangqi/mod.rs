//! Evaluation of Xiangqi: material and square tables.

mod params;
mod piece_square;

pub use params::XiangqiParams;
pub use piece_square::XiangqiEvaluation;
