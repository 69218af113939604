//! Leitai: self-play tournaments, statistics and tuning for game engines.
//!
//! The rooms, in the order in which data flows through them:
//!
//! 1. [`settings`]: named numbers with their ranges, for the rooms below; numbers before nouns.
//! 2. [`foreign`]: words and files from outside, which all rooms meet; `threads`: pools of
//!    worker threads; [`numbers`]: the numbers of an evaluation, a table that each game gives.
//! 3. [`game`]: what a game is, and what its positions can do.
//! 4. [`eval`]: what a position is worth, with named parameters.
//! 5. [`search`]: the alpha-beta family, and proof-number search.
//! 6. [`card`]: all that a game is, as one object without its types.
//! 7. [`stats`]: what results mean.
//! 8. [`tune`]: numbers of a player, adjusted by its results.
//! 9. [`config`]: a TOML file becomes checked values.
//! 10. [`schedule`]: from a config to numbered pairs; the opening book.
//! 11. [`player`]: whoever chooses moves.
//! 12. [`serve`]: a variant plays for other programs.
//! 13. [`play`]: from a pair to its record, on many threads.
//! 14. [`openings`]: opening suites made by random play and search.
//! 15. [`store`]: records become durable.
//! 16. [`tournament`]: the plan, its driver, the standings, the replay.
//! 17. [`gate`]: candidates against a base, until a test knows enough.
//! 18. [`doctor`]: whether players are fit to play, and what helps them.
//! 19. [`study`]: how many nodes variants need to a depth.
//! 20. [`interchange`]: games and positions of other programs are read.
//! 21. [`texel`]: an evaluation is fitted to the results of games.
//! 22. [`results`]: anybody's games and counts become evidence for ratings.
//! 23. [`report`]: records become tables, PGN, JSON and plots.
//! 24. [`cli`]: the commands.
//! 25. [`games`]: the games themselves, a folder each: on top of all, like a stranger's own.
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

pub use cli::{Entry, Exit, main_with};
