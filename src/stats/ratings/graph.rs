//! Who can be compared with whom.

use std::collections::BTreeMap;

use super::evidence::{Line, LineKey};

/// "Scored above zero against", player by player.
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
}

/// The same, transitively: `reaches(i, j)` if results bound how far j can be
/// above i.
pub(super) struct Reach {
    size: usize,
    cells: Vec<bool>,
}

impl Reach {
    pub(super) fn of(scored: &Scored) -> Self {
        let size = scored.opponents.len();
        let mut cells = vec![false; size * size];
        for source in 0..size {
            cells[source * size + source] = true;
            let mut open = vec![source];
            while let Some(i) = open.pop() {
                for &opponent in &scored.opponents[i] {
                    let seen = &mut cells[source * size + opponent];
                    if !*seen {
                        *seen = true;
                        open.push(opponent);
                    }
                }
            }
        }
        Self { size, cells }
    }

    pub(super) fn reaches(&self, i: usize, j: usize) -> bool {
        self.cells[i * self.size + j]
    }

    /// The strongly connected components, each ascending, by lowest member.
    /// Within one, and only there, finite maximum-likelihood ratings exist
    /// (Ford, American Mathematical Monthly 64, 1957).
    pub(super) fn components(&self) -> Vec<Vec<usize>> {
        let mut components: Vec<Vec<usize>> = Vec::new();
        for i in 0..self.size {
            let home = components
                .iter_mut()
                .find(|c| self.reaches(i, c[0]) && self.reaches(c[0], i));
            match home {
                Some(component) => component.push(i),
                None => components.push(vec![i]),
            }
        }
        components
    }
}
