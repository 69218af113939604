//! Leitai: self-play tournaments, statistics and tuning for game engines.
//!
//! The rooms, in the order in which data flows through them:
//!
//! 1. [`game`]: what a game is, and the rules of each game.
//! 2. [`eval`]: what a position is worth, with named parameters.
//! 3. [`search`]: the alpha-beta family.
//! 4. `player`: whoever chooses moves.
//! 5. [`stats`]: what results mean.
//! 6. `config`: a TOML file becomes checked values.
//! 7. `schedule`: from a config to numbered pairs.
//! 8. [`play`]: from a pair to its record, on many threads, in order.
//! 9. `store`: records become durable.
//! 10. `report`: records become tables, PGN and JSON.
//! 11. `cli`: the commands.
//!
//! A room uses only rooms above it in this list.

pub mod cli;
pub mod config;
pub mod eval;
pub mod game;
pub mod play;
pub mod player;
pub mod report;
pub mod schedule;
pub mod search;
pub mod stats;
