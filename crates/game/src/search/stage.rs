//! The stages of move ordering.

use super::Tactics;
use leitai_base::settings::choice;

choice! {
    /// One step of the move picker. The moves of a position are handed out
    /// stage by stage; each stage takes the moves that it claims from those
    /// that no earlier stage has taken, and orders them. What no stage claims
    /// comes last, in the order of the generator.
    pub enum Stage {
        /// The move that the transposition table remembers.
        Tt = "tt",
        /// Captures whose static gain is not negative, best first (Yue & Feng
        /// 2009, section 3.2): the victim's value, less the attacker's where
        /// the victim is protected.
        GoodCaptures = "good-captures",
        /// All captures by static gain, best first: after `good-captures`, the
        /// losing ones.
        LosingCaptures = "losing-captures",
        /// All captures by value of the victim, the least attacker first.
        MvvLva = "mvv-lva",
        /// Captures that lose nothing by static exchange, by value of the
        /// victim, the least attacker first: only whether they lose is asked,
        /// one by one, which is cheaper than how much they win.
        GoodExchanges = "good-exchanges",
        /// All captures by static exchange, best first: after
        /// `good-exchanges`, the losing ones.
        LosingExchanges = "losing-exchanges",
        /// The moves that cut off as quiet ones at the same ply before.
        Killers = "killers",
        /// The move that cut off last as a quiet one when the opponent had made
        /// the same move before, wherever that was in the game.
        CounterMove = "counter-move",
        /// Quiet moves that give check and lose nothing by static exchange.
        SafeChecks = "safe-checks",
        /// The corner beside the X- or C-square on which the opponent has just
        /// played, if it can be taken (Du & Cheng 2007, section 4; Othello
        /// alone).
        CornerResponse = "corner-response",
        /// All moves by the value that a shallower search gives them, highest
        /// first; `search.shallow_search` says how deep that is, and near the
        /// horizon, where it would save nothing, the stage takes no move (Du &
        /// Cheng 2007, section 4). The nodes that it takes are counted.
        ShallowSearch = "shallow-search",
        /// All moves by the number of replies that they leave the opponent, the
        /// fewest first; equal ones in the static order.
        FastestFirst = "fastest-first",
        /// All moves by history score, highest first.
        History = "history",
        /// All moves by the sum of the history score and those that the move
        /// has as an answer to each of the last two moves, highest first.
        ContinuationHistory = "continuation-history",
        /// Quiet moves by the kind of the moving piece, within a kind those
        /// forward first (Yue & Feng 2009, section 3.2; Xiangqi: rook, cannon,
        /// horse, pawn, advisor, elephant, king). Othello: as `by-piece`.
        StaticQuiets = "static-quiets",
        /// All moves by the kind of the moving piece, then by the generator's
        /// order. Othello: by a static table of the squares, corners first,
        /// C-squares and X-squares last.
        ByPiece = "by-piece",
        /// All moves in an order that depends on the position and on
        /// `shuffle_seed` alone: what an ordering without knowledge is worth.
        Shuffled = "shuffled",
    }
}

impl Stage {
    /// The stage of that name.
    pub fn from_name(name: &str) -> Option<Stage> {
        Stage::ALL
            .iter()
            .copied()
            .find(|stage| stage.name() == name)
    }

    /// Whether it leaves nothing to the stages after it.
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

    /// Why it never gets a move in the game `P`; none if it may.
    pub fn idle_in<P: Tactics>(self) -> Option<&'static str> {
        match self {
            Stage::GoodCaptures
            | Stage::LosingCaptures
            | Stage::MvvLva
            | Stage::GoodExchanges
            | Stage::LosingExchanges => (!P::HAS_CAPTURES).then_some("no move is a capture there"),
            Stage::SafeChecks => (!P::HAS_CHECKS).then_some("there is no check there"),
            Stage::CornerResponse => {
                (!P::HAS_RESPONSES).then_some("there are no corners to answer with")
            }
            _ => None,
        }
    }
}
