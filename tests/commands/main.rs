//! The commands as a user runs them.

mod calc;
mod calc_plan;
mod check_proof;
mod cli;
#[path = "../common/mod.rs"]
mod common;
mod convert;
mod convert_othello;
mod ending;
mod engine;
mod engine_games;
mod events;
mod gate;
mod gate_again;
mod gate_evidence;
mod go_play;
mod growth;
mod judge_othello;
mod merge;
mod outputs;
mod perft_othello;
mod promises;
mod rate;
mod recovery;
mod referee;
mod shared;
mod solve;
mod solve_go;
mod store_versions;
mod study;
mod study_solvers;
mod tune;
mod tune_night;
mod tune_play;
mod tune_simulate;
mod tune_texel;
