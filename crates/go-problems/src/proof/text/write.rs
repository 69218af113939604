//! From a certificate to text.

use std::fmt;

use super::super::certificate::Certificate;
use super::super::names::spot_name;
use super::{BEGINS, ENDS, node};

/// Maximum length of an id in the output, in characters.
const LONGEST_ID: usize = 1_000;

/// The compact text of a certificate, in the format of [`read`](super::read). Control characters of
/// the id become blanks, and a very long id is cut off.
impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let statement = &self.statement;
        let size = u8::try_from(statement.rows.len()).unwrap_or(u8::MAX);
        writeln!(f, "{BEGINS}")?;
        let id = statement.id.as_deref().unwrap_or_default();
        let id = id.chars().take(LONGEST_ID);
        let id: String = id
            .map(|it| if it.is_control() { ' ' } else { it })
            .collect();
        if !id.trim().is_empty() {
            writeln!(f, "id {}", id.trim())?;
        }
        writeln!(f, "claim {}", statement.claim.name())?;
        writeln!(f, "master {}", statement.master.name())?;
        writeln!(f, "target {}", spot_name(statement.target, size))?;
        if let Some(other) = statement.other_name() {
            writeln!(f, "{} {other}", statement.other_key())?;
        }
        writeln!(f, "to-move {}", statement.to_move.name())?;
        if let Some(ban) = statement.ban_name() {
            writeln!(f, "ko-ban {ban}")?;
        }
        if let Some(liberties) = statement.escape_liberties {
            writeln!(f, "liberties {liberties}")?;
        }
        writeln!(f, "board {size}")?;
        for row in &statement.rows {
            writeln!(f, "{row}")?;
        }
        writeln!(f, "nodes {}", self.nodes.len())?;
        for (number, node) in self.nodes.iter().enumerate() {
            writeln!(f, "{}", node::write(number, node, size))?;
        }
        writeln!(f, "{ENDS}")
    }
}
