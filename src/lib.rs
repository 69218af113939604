//! Leitai: self-play tournaments, statistics and tuning for game engines.
//!
//! The rooms, in the order in which data flows through them:
//!
//! 0. [`settings`]: named numbers with their ranges, for the rooms below; numbers before
//!    nouns. [`foreign`]: words and files from outside, which all rooms meet.
//!    [`numbers`]: the numbers of an evaluation, a table that each game gives.
//! 1. [`game`]: what a game is, and the rules of each game.
//! 2. [`eval`]: what a position is worth, with named parameters.
//! 3. [`search`]: the alpha-beta family.
//! 4. [`proof`]: certificates of captures and escapes, checked by the rules alone.
//! 5. [`capture`]: what is known about blocks of Go that are to be taken.
//! 6. [`stats`]: what results mean.
//! 7. [`tune`]: numbers of a player, adjusted by its results.
//! 8. [`config`]: a TOML file becomes checked values.
//! 9. [`schedule`]: from a config to numbered pairs; the opening book.
//! 10. [`player`]: whoever chooses moves.
//! 11. [`serve`]: a variant plays for other programs, by UCI and UCCI.
//! 12. [`play`]: from a pair to its record, on many threads.
//! 13. [`openings`]: opening suites made by random play and search.
//! 14. [`store`]: records become durable.
//! 15. [`tournament`]: the plan, its driver, the standings, the replay.
//! 16. [`gate`]: candidates against a base, until a test knows enough.
//! 17. [`doctor`]: whether players are fit to play, and what fixes them.
//! 18. [`study`]: how many nodes variants need to a depth.
//! 19. [`interchange`]: games and positions of other programs are read.
//! 20. [`texel`]: an evaluation is fitted to the results of games.
//! 21. [`results`]: anybody's games and counts become evidence for ratings.
//! 22. [`report`]: records become tables, PGN, JSON and plots.
//! 23. [`cli`]: the commands.
//!
//! A room uses only rooms above it in this list.

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
pub mod tournament;
pub mod tune;
