//! The choice of a notation.

use clap::ValueEnum;

use crate::games::go::Capture;
use crate::games::othello::Othello;
use crate::games::xiangqi::{self, Xiangqi};
use crate::report::{PgnStyle, Squares};

/// Notations of Xiangqi moves; games without several ignore it.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Notation {
    /// `H2-E2`
    Iccs,
    /// `C2=5`
    Wxf,
    /// 炮二平五
    Chinese,
    /// `h2e2`
    Uci,
}

/// A game whose moves can be written as the command line asks.
pub(super) trait Notated: PgnStyle {
    fn choose(notation: Notation) -> Self::Notation;
}

impl Notated for Xiangqi {
    fn choose(notation: Notation) -> xiangqi::Notation {
        match notation {
            Notation::Iccs => xiangqi::Notation::Iccs,
            Notation::Wxf => xiangqi::Notation::Wxf,
            Notation::Chinese => xiangqi::Notation::Chinese,
            Notation::Uci => xiangqi::Notation::Uci,
        }
    }
}

impl Notated for Othello {
    fn choose(_: Notation) -> Squares {
        Squares
    }
}

impl Notated for Capture {
    fn choose(_: Notation) -> Squares {
        Squares
    }
}
