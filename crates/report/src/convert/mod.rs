//! Conversion of games and positions to other formats.

mod csv;
mod json;
mod positions;
mod summary;
mod training;

pub use csv::{CSV_HEADER, csv_row};
pub use json::{GameRow, PositionRow, VerdictRow};
pub use positions::{GamePoint, epd_line, is_opening};
pub use summary::ConvertSummary;
pub use training::{
    ParallelResults, TRAINING_HEADER, TrainingFilter, TrainingPosition, binary, binary_header,
    pair_of_own_game, training, training_row,
};
