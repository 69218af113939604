//! What the examination of a program knows of the game that it plays.

use super::places::{GO, OTHELLO, Place, XIANGQI};
use crate::games::go::Capture;
use crate::games::othello::Othello;
use crate::games::xiangqi::Xiangqi;
use crate::player::Playable;

/// A game whose programs can be examined.
pub trait Examinable: Playable {
    /// The positions that a program is asked about.
    const PLACES: &'static [Place; 5];
    /// Of the places, those with much to think about.
    const RICH: [usize; 3];
    /// The most plies of the game that it plays against itself: thoroughly, and
    /// quickly.
    const PLIES: [u32; 2];
    /// The keys of a config by which programs of the game are spoken to otherwise.
    const OTHER_WAYS: &'static str;
}

impl Examinable for Xiangqi {
    const PLACES: &'static [Place; 5] = &XIANGQI;
    const RICH: [usize; 3] = [0, 1, 4];
    const PLIES: [u32; 2] = [40, 16];
    const OTHER_WAYS: &'static str = "`rank_base`, `fen_fields` or `letters`";
}

impl Examinable for Othello {
    const PLACES: &'static [Place; 5] = &OTHELLO;
    /// Not the usual start: its four moves are the same, and programs draw lots.
    const RICH: [usize; 3] = [1, 3, 4];
    /// Passes come late: a whole game, which is never longer.
    const PLIES: [u32; 2] = [120, 120];
    const OTHER_WAYS: &'static str = "`passes`";
}

/// No other program plays it: only searches of this process are examined.
impl Examinable for Capture {
    const PLACES: &'static [Place; 5] = &GO;
    const RICH: [usize; 3] = [0, 1, 4];
    const PLIES: [u32; 2] = [40, 16];
    const OTHER_WAYS: &'static str = "nothing";
}
