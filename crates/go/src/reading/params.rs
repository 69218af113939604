//! The settings of block capture: moves, tests and values.

use crate::{Goal, Problem};
use leitai_base::settings::{choice, settings};

choice! {
    /// The source of the moves to try.
    pub enum Candidates {
        /// Points near the target, ordered by weights that were fitted to decided positions.
        Near = "near",
        /// The best points related to five types of blocks (Zhang and Chen 2007, section 1.2).
        Related = "related",
    }
}

choice! {
    /// The definition of a second liberty of a block.
    pub enum Second {
        /// An empty neighbour of a first liberty that is no first liberty itself.
        Neighbours = "neighbours",
        /// A liberty of the augmented block: the block with all first liberties filled, and the
        /// friendly blocks that this joins (Chen and Zhang 2006).
        Augmented = "augmented",
    }
}

choice! {
    /// The colour of the stone that determines the value of a point, and the block whose liberties
    /// are counted after it.
    pub enum Stone {
        /// A stone of the owner of the related block, and the liberties of that block: the benefit
        /// for that block, or the harm to the enemy's.
        Related = "related",
        /// A stone of the owner of the related block, and the liberties of the stone's own block,
        /// wherever it is.
        Owner = "owner",
        /// A stone of the side to move, and the liberties of the stone's own block.
        Mover = "mover",
    }
}

settings! {
    /// The moves to try when a block is to be captured or to escape, and the value of undecided
    /// positions. docs/evaluation.md lists the numbers that Zhang and Chen (2007) leave open.
    pub struct CaptureParams {
        /// The source of the moves to try.
        candidates: Candidates = Candidates::Near;
        /// Maximum number of the attacker's moves near the target; half as many again in proofs.
        near_attack: u32 = 4, 1 to 16;
        /// Maximum number of the defender's moves near the target; half as many again in proofs.
        near_defend: u32 = 5, 1 to 16;
        /// The `fast` mode searches first for captures of targets that escape with 3 liberties,
        /// then 4, then 5; a capture under such a limit is final. A target that is still undecided
        /// at the end has escaped if one of these searches found an escape.
        steps: bool = true;
        /// A target that is undecided at the end is unknown if its proof number is below this
        /// percentage of its disproof number, because it may well be captured.
        doubt: u32 = 20, 0 to 1000;
        /// Weight of each first liberty in the value of a point (section 1.2).
        point_first: i32 = 4, 0 to 100;
        /// Weight of each second liberty in the value of a point (section 1.2).
        point_second: i32 = 1, 0 to 100;
        /// The colour of the stone on the point, and the block whose liberties count.
        point_stone: Stone = Stone::Related;
        /// The definition of a second liberty.
        second: Second = Second::Neighbours;
        /// Weight of each first liberty of the crucial chain (section 1.3).
        eval_first: i32 = 4, 0 to 100;
        /// Weight of each second liberty of the crucial chain (section 1.3).
        eval_second: i32 = 1, 0 to 100;
        /// Weight of each third liberty of the crucial chain, an empty neighbour of a second
        /// liberty (Chen and Zhang 2006).
        eval_third: i32 = 0, 0 to 100;
        /// Added if a ladder captures an adjacent block of the attacker.
        eval_ladder: i32 = 0, -1000 to 1000;
        /// Added if a ladder captures the target itself.
        eval_own_ladder: i32 = 0, -1000 to 1000;
        /// Added for each adjacent block of the attacker with at most two liberties.
        eval_short: i32 = 0, -1000 to 1000;
        /// The number of real eyes with which the crucial chain has the maximum value; 0 to ignore
        /// eyes.
        eval_eyes: u32 = 0, 0 to 9;
        /// The divisor of the evaluation, rounded down: it maps another scale to that of
        /// `escape_eval` and of the first proof numbers.
        eval_divisor: u32 = 1, 1 to 1000;
        /// The target has escaped when its evaluation is above this value (section 1.4, which gives
        /// no number); 0 means never. Only the `fast` mode uses it.
        escape_eval: u32 = 0, 0 to 10_000;
        /// The target has escaped when it has this many liberties; 0 means never. A convention that
        /// every claim of an escape states.
        escape_liberties: u32 = 5, 0 to 200;
        /// The target has also escaped if the defender is to move and one move onto a liberty gives
        /// it `escape_liberties`.
        escape_ahead: bool = true;
        /// Blocks that live unconditionally (Benson 1976) have escaped.
        escape_life: bool = true;
        /// A target that a ladder takes is captured.
        ladder: bool = true;
        /// Maximum depth of a ladder, in plies; a ladder on a 19x19 board needs about 120.
        ladder_depth: u32 = 200, 0 to 400;
        /// Maximum number of positions of a ladder before it counts as a failure.
        ladder_nodes: u32 = 1000, 1 to 1_000_000;
        /// The crucial chain joins blocks that share two liberties.
        chain_shared: bool = true;
        /// The crucial chain joins blocks that share a liberty where an attacking stone could be
        /// taken at once.
        chain_protected: bool = true;
        /// The crucial chain joins blocks that touch an attacking block that falls even if it moves
        /// first.
        chain_dead: bool = true;
        /// Liberties of adjacent enemy blocks are related points if the enemy block has at most
        /// this many (section 1.2).
        adjacent_liberties: u32 = 3, 0 to 20;
        /// Minimum number of candidates among the points related to the target.
        target_least: u32 = 2, 0 to 400;
        /// Maximum number of candidates among the points related to the target.
        target_most: u32 = 6, 0 to 400;
        /// Minimum number of candidates among the points related to the crucial chain.
        chain_least: u32 = 2, 0 to 400;
        /// Maximum number of candidates among the points related to the crucial chain.
        chain_most: u32 = 6, 0 to 400;
        /// Minimum number of candidates among the points related to the block of the last move.
        last_least: u32 = 2, 0 to 400;
        /// Maximum number of candidates among the points related to the block of the last move.
        last_most: u32 = 6, 0 to 400;
        /// Minimum number of candidates among the points related to the attacker's blocks next to
        /// the crucial chain.
        adjacent_least: u32 = 2, 0 to 400;
        /// Maximum number of candidates among the points related to the attacker's blocks next to
        /// the crucial chain.
        adjacent_most: u32 = 6, 0 to 400;
        /// Minimum number of candidates among the points related to the blocks next to the block of
        /// the last move.
        last_adjacent_least: u32 = 2, 0 to 400;
        /// Maximum number of candidates among the points related to the blocks next to the block of
        /// the last move.
        last_adjacent_most: u32 = 6, 0 to 400;
        /// The attacker also considers the two types of blocks about the last move; the defender
        /// always does.
        last_for_attack: bool = false;
        /// Maximum number of candidates of the attacker (section 1.2).
        attack_most: u32 = 15, 1 to 400;
        /// Maximum number of candidates of the defender (section 1.2).
        defend_most: u32 = 15, 1 to 400;
        /// Neither side fills a real eye of its own.
        eye_filter: bool = true;
        /// The defender tries no move after which a ladder captures the target.
        ladder_filter: bool = true;
    }
}

impl CaptureParams {
    /// The number of liberties with which the target of a problem has escaped, 0 for never: the
    /// problem's own limit, or else `escape_liberties`, which applies only to captures.
    pub fn escape_liberties_of(&self, problem: &Problem) -> u32 {
        let usual = match problem.goal {
            Goal::Capture => self.escape_liberties,
            Goal::Semeai(_) | Goal::Connect(_) => 0,
        };
        problem.escape_liberties.map_or(usual, u32::from)
    }
}
