//! Groups of comparable players.

use super::evidence::Meetings;

/// The relation "scored above zero against", by player: if i scored against j, j bounds how far i
/// can be below it.
pub(super) struct Scored {
    opponents: Vec<Vec<usize>>,
}

impl Scored {
    pub(super) fn of(players: usize, meetings: &Meetings) -> Self {
        let mut opponents = vec![Vec::new(); players];
        for (&(first, second, _), meeting) in meetings {
            if meeting.won > 0 {
                opponents[first].push(second);
            }
            if meeting.lost > 0 {
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
        self.visit(player, &mut reached);
        reached
    }

    /// Returns the unseen players that the relation reaches from a player, and marks them as seen.
    fn visit(&self, player: usize, seen: &mut [bool]) -> Vec<usize> {
        let mut visited = Vec::new();
        let mut open = vec![player];
        while let Some(i) = open.pop() {
            if !std::mem::replace(&mut seen[i], true) {
                visited.push(i);
                open.extend(&self.opponents[i]);
            }
        }
        visited
    }

    /// The strongly connected components, each ascending, by lowest member. Finite
    /// maximum-likelihood ratings exist within a component and not across components (Ford,
    /// American Mathematical Monthly 64, 1957). In linear time, by Kosaraju and Sharir (Computers
    /// and Mathematics with Applications 7, 1981).
    pub(super) fn components(&self) -> Vec<Vec<usize>> {
        let size = self.opponents.len();
        let mut seen = vec![false; size];
        let mut finished = Vec::with_capacity(size);
        for source in 0..size {
            // A player finishes after all opponents above it on the stack.
            let mut stack = vec![(source, false)];
            while let Some((i, is_finished)) = stack.pop() {
                if is_finished {
                    finished.push(i);
                } else if !std::mem::replace(&mut seen[i], true) {
                    stack.push((i, true));
                    stack.extend(self.opponents[i].iter().map(|&j| (j, false)));
                }
            }
        }
        let turned = self.turned();
        seen.fill(false);
        let mut components = Vec::new();
        for &source in finished.iter().rev() {
            let mut members = turned.visit(source, &mut seen);
            members.sort_unstable();
            components.push(members);
        }
        components.retain(|members| !members.is_empty());
        components.sort_unstable();
        components
    }
}

/// Returns the number of each player's group; 0 for players in none.
pub(super) fn group_numbers(players: usize, groups: &[Vec<usize>]) -> Vec<usize> {
    let mut numbers = vec![0; players];
    for (number, members) in groups.iter().enumerate() {
        for &player in members {
            numbers[player] = number;
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Two players are in the same component if and only if each reaches the other.
        #[test]
        fn players_of_a_component_reach_each_other(
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
