//! The numbers of block capture: what is looked at, and what it is worth.

use crate::{Goal, Problem};
use leitai_base::settings::{choice, settings};

choice! {
    /// Which moves are tried.
    pub enum Candidates {
        /// Points near the target, put in order by weights that were fitted to decided
        /// positions.
        Near = "near",
        /// The best points related to five types of blocks (Zhang and Chen 2007, section
        /// 1.2).
        Related = "related",
    }
}

choice! {
    /// What a second liberty of a block is.
    pub enum Second {
        /// An empty neighbour of a first liberty that is none itself.
        Neighbours = "neighbours",
        /// A liberty of the block that all first liberties would make if they were
        /// filled, with the friendly blocks that it would swallow (Chen and Zhang 2006,
        /// the augmented block).
        Augmented = "augmented",
    }
}

choice! {
    /// Whose stone is put on a point to find its value, and which block's liberties are
    /// counted then.
    pub enum Stone {
        /// The owner's of the block that the point is related to; the liberties of that
        /// block: what does it good, or would do the enemy's good.
        Related = "related",
        /// The owner's of the block that the point is related to; the liberties of the
        /// stone's own block, wherever it stands.
        Owner = "owner",
        /// The mover's; the liberties of the stone's own block.
        Mover = "mover",
    }
}

settings! {
    /// Which moves are tried when a block is to be captured or to escape, and what a
    /// position is worth meanwhile. Numbers that Zhang and Chen (2007) leave open are
    /// named as such in docs/evaluation.md.
    pub struct CaptureParams {
        /// Which moves are tried.
        candidates: Candidates = Candidates::Near;
        /// The most moves of the attacker, of those near the target; half as many again in
        /// proofs.
        near_attack: u32 = 4, 1 to 16;
        /// The most moves of the defender, of those near the target; half as many again in
        /// proofs.
        near_defend: u32 = 5, 1 to 16;
        /// The `fast` mode searches first for captures of targets that escape with 3
        /// liberties, then 4, then 5: who is captured then is captured. What it has not
        /// decided in the end has escaped if one of these searches says so.
        steps: bool = true;
        /// What is not decided in the end is unknown if its proof number is below this
        /// percentage of its disproof number: it may well be captured.
        doubt: u32 = 20, 0 to 1000;
        /// Worth of each first liberty in the value of a point (section 1.2).
        point_first: i32 = 4, 0 to 100;
        /// Worth of each second liberty in the value of a point (section 1.2).
        point_second: i32 = 1, 0 to 100;
        /// Whose stone is put on the point, and which block is looked at.
        point_stone: Stone = Stone::Related;
        /// What a second liberty is.
        second: Second = Second::Neighbours;
        /// Worth of each first liberty of the crucial chain (section 1.3).
        eval_first: i32 = 4, 0 to 100;
        /// Worth of each second liberty of the crucial chain (section 1.3).
        eval_second: i32 = 1, 0 to 100;
        /// Worth of each third liberty of the crucial chain, that is an empty neighbour
        /// of a second one (Chen and Zhang 2006).
        eval_third: i32 = 0, 0 to 100;
        /// Added if an adjacent block of the attacker falls to a ladder.
        eval_ladder: i32 = 0, -1000 to 1000;
        /// Added if the target itself falls to a ladder.
        eval_own_ladder: i32 = 0, -1000 to 1000;
        /// Added for each adjacent block of the attacker with at most two liberties.
        eval_short: i32 = 0, -1000 to 1000;
        /// The real eyes of the crucial chain with which it is worth the most there is;
        /// 0 does not count them.
        eval_eyes: u32 = 0, 0 to 9;
        /// The evaluation is divided by this, rounded down: it brings another scale to
        /// that of `escape_eval` and of the first proof numbers.
        eval_divisor: u32 = 1, 1 to 1000;
        /// The target has escaped when its evaluation is above this (section 1.4, which
        /// does not say the number); 0 never. Only the `fast` mode asks.
        escape_eval: u32 = 0, 0 to 10_000;
        /// The target has escaped when it has this many liberties; 0 never. A
        /// convention, which every claim of an escape states.
        escape_liberties: u32 = 5, 0 to 200;
        /// The target has also escaped if the defender is to move and one move onto a
        /// liberty gives it `escape_liberties`.
        escape_ahead: bool = true;
        /// Blocks that live unconditionally (Benson 1976) have escaped.
        escape_life: bool = true;
        /// A target that falls to a ladder is captured.
        ladder: bool = true;
        /// The deepest ladder that is read, in plies; one of a 19x19 board needs about
        /// 120.
        ladder_depth: u32 = 200, 0 to 400;
        /// The positions that one ladder may take before it is taken to fail.
        ladder_nodes: u32 = 1000, 1 to 1_000_000;
        /// The crucial chain joins blocks that share two liberties.
        chain_shared: bool = true;
        /// The crucial chain joins blocks that share a liberty on which a stone of the
        /// attacker could be taken at once.
        chain_protected: bool = true;
        /// The crucial chain joins blocks that touch a block of the attacker that is
        /// taken whoever moves first.
        chain_dead: bool = true;
        /// Liberties of adjacent enemy blocks are related points if the enemy block has
        /// at most this many (section 1.2).
        adjacent_liberties: u32 = 3, 0 to 20;
        /// The least of the best points related to the target that are candidates.
        target_least: u32 = 2, 0 to 400;
        /// The most of them.
        target_most: u32 = 6, 0 to 400;
        /// The least of the best points related to the crucial chain.
        chain_least: u32 = 2, 0 to 400;
        /// The most of them.
        chain_most: u32 = 6, 0 to 400;
        /// The least of the best points related to the block of the last move.
        last_least: u32 = 2, 0 to 400;
        /// The most of them.
        last_most: u32 = 6, 0 to 400;
        /// The least of the best points related to the attacker's blocks that touch the
        /// crucial chain.
        adjacent_least: u32 = 2, 0 to 400;
        /// The most of them.
        adjacent_most: u32 = 6, 0 to 400;
        /// The least of the best points related to the blocks that touch the block of
        /// the last move.
        last_adjacent_least: u32 = 2, 0 to 400;
        /// The most of them.
        last_adjacent_most: u32 = 6, 0 to 400;
        /// The attacker looks at the two types about the last move too; the defender
        /// always does.
        last_for_attack: bool = false;
        /// The most candidates of the attacker (section 1.2).
        attack_most: u32 = 15, 1 to 400;
        /// The most candidates of the defender (section 1.2).
        defend_most: u32 = 15, 1 to 400;
        /// Nobody fills an own real eye.
        eye_filter: bool = true;
        /// The defender tries no move after which the target falls to a ladder.
        ladder_filter: bool = true;
    }
}

impl CaptureParams {
    /// With how many liberties the target of a problem has escaped, 0 for never: by the
    /// problem's own word, or else by `escape_liberties`, which is for captures alone.
    pub fn escape_liberties_of(&self, problem: &Problem) -> u32 {
        let usual = match problem.goal {
            Goal::Capture => self.escape_liberties,
            Goal::Semeai(_) | Goal::Connect(_) => 0,
        };
        problem.escape_liberties.map_or(usual, u32::from)
    }
}
