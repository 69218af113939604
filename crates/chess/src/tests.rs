//! Tests of the rules of Chess.

mod perft;
