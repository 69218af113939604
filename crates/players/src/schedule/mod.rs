//! Maps a config to numbered pairs: a pure function, without storage.

mod book;
mod leads;
mod opening;
mod pairs;
mod random;
mod source;
mod vary;

pub use book::{
    BadLine, BadLines, Book, BookError, Duplicate, MOST_CHECKED, hexadecimal, line_ends,
    numbered_lines,
};
pub use book::{Keyed, Reading, check_start, in_order};

pub use leads::{Connected, OpeningConnections};
pub use opening::Opening;
pub use pairs::{GATE_PAIRS, PairSpec, Schedule, ScheduleError};
pub use random::{Stream, below, generator, numbered_generator, permutation};
pub use source::{Distinct, OpeningSource, each_line};
pub use vary::{OpeningVariations, VariedStart, different_starts};
