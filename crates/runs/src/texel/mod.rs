//! Texel tuning: fits an evaluation that is linear in its parameters to the results of games,
//! without playing any.
//!
//! ```text
//! layout    which parameters are free, tied or fixed, and their bounds
//! game      games of any source, one form
//! quiet     which positions a static evaluation can judge
//! dataset   from games to sparse rows, split by game
//! labelled  lines of a file: a position with the result of its game
//! positions from files of such lines to rows, on all threads
//! repeats   repeated positions of files
//! rows      the rows: indices and coefficients, result, constant part
//! stored    rows in a file, for more positions than the memory holds
//! pass      loss and gradient over many rows, on many threads
//! scale     the constant between evaluation units and results
//! fit       Adam until the validation loss stops falling
//! ```
//!
//! The method is Peter Österlund's ("Texel's tuning method", Chess Programming Wiki, 2014): it
//! minimises the mean squared difference between a game's result and a logistic function of the
//! evaluation over many quiet positions. The minimum is an error of prediction, not strength: test
//! the values in games before use.
//!
//! Results do not depend on the number of threads. Only `stored` writes a file, a temporary one.

mod adam;
mod dataset;
mod fit;
mod game;
mod labelled;
mod layout;
mod pass;
mod plan;
mod positions;
mod quiet;
mod repeats;
mod rows;
mod scale;
mod stored;
mod tally;

#[cfg(test)]
mod tests;

pub use dataset::{Dataset, DatasetBuilder, Part, Selection};
pub use fit::{Epoch, FitEnd, Fitted, fit, fit_watched};
pub use game::Game;
pub use layout::{BadLayout, Dimension, Layout};
pub use plan::{FitError, FitPlan};
pub use positions::{FileTally, LineFault, PositionsBuilder, PositionsError};
pub use tally::{AddedGame, LeftOutReason, Tally};
