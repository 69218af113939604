//! Leitai: self-play tournaments, statistics and tuning for game engines.
//!
//! The rooms, in the order in which data flows through them:
//!
//! 1. [`settings`]: named numbers with their ranges, for the rooms below; numbers before nouns.
//! 2. [`foreign`]: words and files from outside, which all rooms meet; `threads`: pools of
//!    worker threads.
//! 3. [`numbers`]: the numbers of an evaluation, a table that each game gives.
//! 4. [`game`]: what a game is, and what its positions can do.
//! 5. [`eval`]: what a position is worth, with named parameters.
//! 6. [`search`]: the alpha-beta family, and proof-number search.
//! 7. [`card`]: all that a game is, as one object without its types.
//! 8. [`stats`]: what results mean.
//! 9. [`tune`]: numbers of a player, adjusted by its results.
//! 10. [`config`]: a TOML file becomes checked values.
//! 11. [`schedule`]: from a config to numbered pairs; the opening book.
//! 12. [`player`]: whoever chooses moves.
//! 13. [`serve`]: a variant plays for other programs.
//! 14. [`play`]: from a pair to its record, on many threads.
//! 15. [`openings`]: opening suites made by random play and search.
//! 16. [`store`]: records become durable.
//! 17. [`tournament`]: the plan, its driver, the standings, the replay.
//! 18. [`gate`]: candidates against a base, until a test knows enough.
//! 19. [`doctor`]: whether players are fit to play, and what helps them.
//! 20. [`study`]: how many nodes variants need to a depth.
//! 21. [`interchange`]: games and positions of other programs are read.
//! 22. [`texel`]: an evaluation is fitted to the results of games.
//! 23. [`results`]: anybody's games and counts become evidence for ratings.
//! 24. [`report`]: records become tables, PGN, JSON and plots.
//! 25. [`cli`]: the commands.
//! 26. [`games`]: the games themselves, a folder each: on top of all, like a stranger's own.
//!
//! A room uses only rooms above it in this list.

pub mod card;
pub mod cli;
pub mod config;
mod count;
pub mod doctor;
pub mod eval;
pub mod foreign;
pub mod game;
pub mod games;
pub mod gate;
pub mod interchange;
pub mod numbers;
pub mod openings;
pub mod play;
pub mod player;
pub mod report;
pub mod results;
pub mod schedule;
pub mod search;
pub mod serve;
pub mod settings;
pub mod stats;
pub mod store;
pub mod study;
pub mod texel;
mod threads;
pub mod tournament;
pub mod tune;

pub use cli::{Exit, main_with};
