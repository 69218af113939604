//! Tests of the library's promises to its users.

mod ceilings;
mod chess_referee;
mod config_bad;
mod config_good;
pub(crate) mod dialects;
mod docs;
mod flaws;
mod formats_othello;
mod formats_shogi;
mod interchange;
mod layers;
mod modules;
mod notation_moves;
mod notation_pgn;
mod releases;
mod schema;
mod session;
mod shogi_referee;
mod store_append;
mod store_damage;
mod store_open;
mod store_runs;
mod tables;
mod verify;
mod wire;
mod xiangqi_referee;
