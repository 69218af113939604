//! The options of the rules.

use leitai_base::settings::settings;

settings! {
    /// The limits that end a game of attacker and defender early.
    #[derive(Copy)]
    pub struct GoRules {
        /// The defender has won when the target's block has this many liberties and the attacker is
        /// to move, 2 to 20; 0 for no limit. A convention, not a proof: GNU Go's reading ends at 5
        /// too (`engine/reading.c`).
        escape_liberties: u32 = 5, 0 to 20;
        /// The attacker has failed after this many plies from the opening, 1 to 1000. A ladder
        /// across the whole board takes about 80 plies.
        ply_limit: u32 = 120, 1 to 1000;
    }
}

impl GoRules {
    /// The values of [`escape_liberties`](Self::escape_liberties) except 0. With 1 every game would
    /// be over before it begins.
    pub const ESCAPE_LIBERTIES: std::ops::RangeInclusive<u32> = 2..=20;
}
