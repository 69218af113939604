//! Figures of runs as text, Markdown, `JUnit`, HTML, SVG and CSV; games as PGN.

mod blocks;
mod board;
mod columns;
pub mod convert;
pub mod csv;
mod doctor;
mod game_selection;
mod games;
pub mod gate;
mod history;
mod live_pgn;
mod markdown;
mod opening_names;
pub mod page;
pub mod plot;
mod rating;
pub mod study;
mod summary_markdown;
mod terminal;
pub mod tune;
pub mod xml;

pub use blocks::{
    BlockStyle, GameCounts, cutechess, difference_line, format_cutechess_test_line, gate_blocks,
    match_block, ranking, score_line, setting, test_line,
};
pub use board::{BoardStyle, board_caption, board_rows, board_svg, board_text};
pub use columns::{Room, aligned, fitted, header, prefix};
pub use doctor::{CheckMarks, render_player};
pub use game_selection::{GameFilter, GameSelection, PlayersError, find_player};
pub use games::{Export, ExportError, minute, recorded_games, tune_games, utc, write_games};
pub use history::{
    AcceptedSum, HistoryRow, UnreadGate, history_csv, history_markdown, history_text,
};
pub use leitai_runs::figures::number::{interval, signed};
pub use leitai_runs::figures::*;
pub use live_pgn::{EndedGame, LivePgn};
pub use markdown::fenced;
pub use rating::{
    Anchor, BootstrapRow, MeetingRow, OneSidedRow, RatingList, RatingRow, RatingTables,
    meetings_csv, ratings_csv, render_ratings, render_ratings_markdown,
};
pub use summary_markdown::render_markdown;
pub use terminal::{pairing_sentence, render, render_live_table};
