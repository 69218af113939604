//! Groups of comparable players.

use std::collections::BTreeMap;

use super::evidence::{Line, LineKey};

/// The relation "scored above zero against", by player: if i scored against j, j bounds how far i
/// can be below it.
pub(super) struct Scored {
    opponents: Vec<Vec<usize>>,
}

impl Scored {
    pub(super) fn of(players: usize, lines: &BTreeMap<LineKey, Line>) -> Self {
        let mut opponents = vec![Vec::new(); players];
        for (&(first, second, _), line) in lines {
            if line.won > 0 {
                opponents[first].push(second);
            }
            if line.lost > 0 {
                opponents[second].push(first);
            }
        }
        Self { opponents }
    }

    /// Returns the reverse relation, "lost points to".
    pub(super) fn turned(&self) -> Self {
        let mut opponents = vec![Vec::new(); self.opponents.len()];
        for (player, against) in self.opponents.iter().enumerate() {
            for &opponent in against {
                opponents[opponent].push(player);
            }
        }
        Self { opponents }
    }

    /// Returns true for the player and for all others that the relation reaches from it, directly
    /// or through others.
    pub(super) fn reached(&self, player: usize) -> Vec<bool> {
        let mut reached = vec![false; self.opponents.len()];
        reached[player] = true;
        let mut open = vec![player];
        while let Some(i) = open.pop() {
            for &opponent in &self.opponents[i] {
                if !std::mem::replace(&mut reached[opponent], true) {
                    open.push(opponent);
                }
            }
        }
        reached
    }

    /// The strongly connected components, each ascending, by lowest member. Finite
    /// maximum-likelihood ratings exist within a component and not across components (Ford,
    /// American Mathematical Monthly 64, 1957). In linear time, by Tarjan (SIAM Journal on
    /// Computing 1, 1972).
    pub(super) fn components(&self) -> Vec<Vec<usize>> {
        const UNSEEN: usize = usize::MAX;
        let size = self.opponents.len();
        let (mut number, mut lowest) = (vec![UNSEEN; size], vec![0; size]);
        let (mut seen, mut stack, mut on_stack) = (0, Vec::new(), vec![false; size]);
        let mut components = Vec::new();
        for source in 0..size {
            if number[source] != UNSEEN {
                continue;
            }
            // Players on the current path, each with its number of visited opponents.
            let mut way = vec![(source, 0)];
            while let Some(&mut (i, ref mut next)) = way.last_mut() {
                if *next == 0 {
                    (number[i], lowest[i]) = (seen, seen);
                    seen += 1;
                    stack.push(i);
                    on_stack[i] = true;
                }
                if let Some(&opponent) = self.opponents[i].get(*next) {
                    *next += 1;
                    if number[opponent] == UNSEEN {
                        way.push((opponent, 0));
                    } else if on_stack[opponent] {
                        lowest[i] = lowest[i].min(number[opponent]);
                    }
                    continue;
                }
                way.pop();
                if let Some(&(before, _)) = way.last() {
                    lowest[before] = lowest[before].min(lowest[i]);
                }
                if lowest[i] == number[i] {
                    let begin = stack.iter().rposition(|&j| j == i).unwrap_or_default();
                    let mut members = stack.split_off(begin);
                    for &j in &members {
                        on_stack[j] = false;
                    }
                    members.sort_unstable();
                    components.push(members);
                }
            }
        }
        components.sort_unstable();
        components
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Two players are in the same component if and only if each reaches the other.
        #[test]
        fn components_are_those_who_reach_each_other(
            edges in prop::collection::vec((0_usize..9, 0_usize..9), 0..24),
        ) {
            let mut scored = Scored { opponents: vec![Vec::new(); 9] };
            for (i, j) in edges {
                scored.opponents[i].push(j);
            }
            let reached: Vec<_> = (0..9).map(|i| scored.reached(i)).collect();
            let components = scored.components();
            prop_assert_eq!(components.iter().map(Vec::len).sum::<usize>(), 9);
            for members in &components {
                let i = members[0];
                for (j, from) in reached.iter().enumerate() {
                    prop_assert_eq!(members.contains(&j), reached[i][j] && from[i]);
                }
            }
            let turned = scored.turned();
            prop_assert!((0..9).all(|i| (0..9).all(|j| turned.reached(i)[j] == reached[j][i])));
        }
    }
}
