//! Evaluation of Xiangqi.
