//! The list of games.

pub use {
    leitai_chess as chess, leitai_go as go, leitai_othello as othello, leitai_shogi as shogi,
    leitai_xiangqi as xiangqi,
};

use leitai_game::card::Games;

/// All games, in the order in which they are shown.
pub fn all() -> Games {
    [
        xiangqi::card(),
        othello::card(),
        go::card(),
        chess::card(),
        shogi::card(),
    ]
    .into_iter()
    .collect()
}
