//! Evaluation of Xiangqi: material and square tables.

mod params;

pub use params::XiangqiParams;
