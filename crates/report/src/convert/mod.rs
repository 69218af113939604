//! Conversion of games and positions to other formats.

mod csv;
mod json;
mod positions;
mod summary;
mod training;

pub use csv::{CSV_HEADER, csv_row};
pub use json::{GameRow, PositionRow, VerdictRow};
pub use positions::{Place, epd_line, is_opening};
pub use summary::ConvertSummary;
pub use training::{
    Making, TRAINING_HEADER, Trained, Wanted, binary, binary_head, own_pair, training, training_row,
};
