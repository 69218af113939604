//! Games of Othello in GGF, the generic game format of the server GGS and of `NBoard` (M. Buro,
//! <https://skatgame.net/mburo/ggsa/ggf>):
//!
//! ```text
//! 2 (;GM[Othello]PB[a]PW[b]RE[+6.000]TY[8]BO[8 ...]B[F5/0.5/1.2]W[D6];)(;...;)
//! ```
//!
//! Several games may be joined, after their number. Unknown properties become tags.

mod game;
mod reader;

pub(crate) use game::TAGS;
pub use game::read_ggf;
pub use reader::{GgfReader, RawGgf};
