//! Evaluation of Othello.
