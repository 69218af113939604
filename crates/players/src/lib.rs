//! Players and their games: schedule, in-process variants, other programs, clocks, the game loop,
//! the doctor and the engine server.

pub mod doctor;

pub mod openings;
pub mod play;
pub mod player;
pub mod schedule;
pub mod serve;
