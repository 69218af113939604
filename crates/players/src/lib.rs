//! Players and their games: engines and in-process variants, clocks, the game loop, openings, and
//! files of games.

pub mod doctor;
pub mod interchange;
pub mod openings;
pub mod play;
pub mod player;
pub mod schedule;
pub mod serve;
