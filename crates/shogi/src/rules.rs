//! The configurable rules of Shogi.

use leitai_base::settings::settings;

settings! {
    /// The configurable rules of Shogi.
    #[derive(Copy)]
    pub struct ShogiRules {
        /// A side to move wins by impasse (27-point rule): its king and ten more of its pieces are
        /// in the far three ranks, it is not in check, and rooks and bishops at 5 points and others
        /// at 1, there and in hand, give Black 28 points or White 27.
        impasse: bool = false;
    }
}
