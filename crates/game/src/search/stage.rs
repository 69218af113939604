//! The stages of move ordering.

use super::Tactics;
use leitai_base::settings::choice;

choice! {
    /// One step of the move picker. The picker returns the moves of a position stage by stage; each
    /// stage claims its moves from those that no earlier stage has claimed, and orders them. Moves
    /// that no stage claims come last, in the order of the generator.
    #[non_exhaustive]
    pub enum Stage {
        /// The move stored in the transposition table.
        Tt = "tt",
        /// Captures whose static gain is not negative, best first (Yue & Feng 2009, section 3.2):
        /// the victim's value, minus the attacker's if the victim is protected.
        GoodCaptures = "good-captures",
        /// All captures by static gain, best first; after `good-captures`, only the losing ones.
        LosingCaptures = "losing-captures",
        /// All captures by value of the victim, then least valuable attacker first.
        MvvLva = "mvv-lva",
        /// Captures that lose nothing by static exchange, by value of the victim, then least
        /// valuable attacker first. They are only tested for a loss, one by one, which is faster
        /// than computing the gain.
        GoodExchanges = "good-exchanges",
        /// All captures by static exchange, best first; after `good-exchanges`, only the losing
        /// ones.
        LosingExchanges = "losing-exchanges",
        /// Quiet moves that cut off earlier at the same ply.
        Killers = "killers",
        /// The quiet move that last cut off after the same move of the opponent, anywhere in the
        /// game.
        CounterMove = "counter-move",
        /// Quiet moves that give check and lose nothing by static exchange.
        SafeChecks = "safe-checks",
        /// The corner next to the X- or C-square on which the opponent has just played, if it can
        /// be taken (Du & Cheng 2007, section 4; only Othello).
        CornerResponse = "corner-response",
        /// All moves by their value in a shallower search, highest first; `search.shallow_search`
        /// sets its depth, and near the horizon, where it would save nothing, the stage claims no
        /// moves (Du & Cheng 2007, section 4). Its nodes are counted.
        ShallowSearch = "shallow-search",
        /// All moves by the number of the opponent's replies, fewest first; equal ones in the
        /// static order.
        FastestFirst = "fastest-first",
        /// All moves by history score, highest first.
        History = "history",
        /// All moves by the sum of the history score and the scores of the move as a reply to each
        /// of the last two moves, highest first.
        ContinuationHistory = "continuation-history",
        /// Quiet moves by the kind of the moving piece, within a kind forward moves first (Yue &
        /// Feng 2009, section 3.2; Xiangqi: rook, cannon, horse, pawn, advisor, elephant, king).
        /// Othello: as `by-piece`.
        StaticQuiets = "static-quiets",
        /// All moves by the kind of the moving piece, then by the generator's
        /// order. Othello: by a static table of the squares, corners first,
        /// C-squares and X-squares last.
        ByPiece = "by-piece",
        /// All moves in an order that depends only on the position and `shuffle_seed`: a reference
        /// without knowledge for other orderings.
        Shuffled = "shuffled",
    }
}

impl Stage {
    /// Returns whether it leaves no moves for later stages.
    pub const fn claims_all(self) -> bool {
        matches!(
            self,
            Stage::FastestFirst
                | Stage::History
                | Stage::ContinuationHistory
                | Stage::ByPiece
                | Stage::Shuffled
        )
    }

    /// The reason why it never gets a move in the game `P`; `None` if it may.
    pub fn idle_in<P: Tactics>(self) -> Option<&'static str> {
        let (applies, reason) = match self {
            Stage::GoodCaptures
            | Stage::LosingCaptures
            | Stage::MvvLva
            | Stage::GoodExchanges
            | Stage::LosingExchanges => (P::HAS_CAPTURES, "no move is a capture there"),
            Stage::SafeChecks => (P::HAS_CHECKS, "there is no check there"),
            Stage::CornerResponse => (P::HAS_RESPONSES, "there are no corners to answer with"),
            _ => return None,
        };
        (!applies).then_some(reason)
    }
}
