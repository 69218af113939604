//! Who can be compared with whom.

use super::Field;

/// "Scored above zero against", transitively: `reaches(i, j)` if results
/// bound how far j can be above i.
pub(super) struct Reach {
    size: usize,
    cells: Vec<bool>,
}

impl Reach {
    pub(super) fn of(field: &Field) -> Self {
        let size = field.players;
        let mut cells = vec![false; size * size];
        for source in 0..size {
            cells[source * size + source] = true;
            let mut open = vec![source];
            while let Some(i) = open.pop() {
                for tie in field.ties_of(i) {
                    let seen = &mut cells[source * size + tie.opponent];
                    if tie.scored && !*seen {
                        *seen = true;
                        open.push(tie.opponent);
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
