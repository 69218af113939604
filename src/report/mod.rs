//! Tables, PGN, JSON and plots from records.

mod blocks;
mod board;
mod clocks;
mod columns;
pub mod convert;
pub(crate) mod csv;
mod doctor;
mod failures;
mod games;
pub mod gate;
mod history;
mod latency;
mod lines_warned;
mod live_pgn;
mod markdown;
pub mod page;
pub mod pgn;
pub(crate) mod plot;
mod rating;
mod starts;
pub mod study;
mod summary;
mod terminal;
pub mod tune;
mod workers;
pub(crate) mod xml;

pub use blocks::{
    BlockStyle, Counts, cutechess_test_line, difference_line, gate_blocks, match_block, ranking,
    score_line, setting, test_line,
};
pub use board::{BoardStyle, board_caption, board_rows, board_svg, board_text};
pub use clocks::{ClockScale, NodeBudget, at_equal_time, clock_scales, node_budgets, uneven};
pub use columns::aligned;
pub use doctor::{Marks, render_player};
pub use failures::{
    FailingVariant, FailureCount, FailureEvidence, FailureShare, FailureSummary, FirstFailure,
    Lateness,
};
pub use games::{Export, ExportError, recorded_games, tune_games, write_games};
pub(crate) use games::{minute, utc};
pub use history::{
    HistoryRow, HistorySum, UnreadGate, history_csv, history_markdown, history_text,
};
pub use latency::Latency;
pub use lines_warned::PvSummary;
pub use live_pgn::LivePgn;
pub use pgn::{PgnEnding, PgnGame, PgnPlayer, PgnTags};
pub use rating::{
    Anchor, BootstrapRow, OneSidedRow, RatingList, RatingRow, ratings_csv, render_ratings,
    render_ratings_markdown,
};
pub use starts::{LapSummary, LapsSummary, StartPly};
pub use summary::{CauseCount, RatedAs, Results, Row, Summary, Versus};
pub use terminal::{failed, interval, render, render_live_table, sentence, signed};
pub use workers::{OfTheseWorkers, WorkerRow, WorkersSummary};
