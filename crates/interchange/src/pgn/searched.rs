//! Search data of a move.

use serde::{Serialize, Serializer};

use leitai_base::count::with_sign;
use leitai_game::eval::{Score, mate_plies};

/// Data that a player reported with a move.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MoveComment {
    /// The score from the mover's point of view; `None` if it gave none.
    #[serde(serialize_with = "without_mates")]
    pub score: Option<Score>,
    /// Plies to the end of a decided game, negative if the mover loses.
    pub mate: Option<i64>,
    /// Depth of the last finished iteration; 0 if unknown.
    #[serde(serialize_with = "known")]
    pub depth: u8,
    /// Nodes; 0 if unknown.
    #[serde(serialize_with = "known")]
    pub nodes: u64,
    /// Wall-clock time from request to reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// Serializes a score; `null` also for one that `mate` expresses.
#[expect(
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref,
    reason = "serde calls it so"
)]
fn without_mates<S: Serializer>(score: &Option<Score>, serializer: S) -> Result<S::Ok, S::Error> {
    let score = score.filter(|score| mate_plies(*score).is_none());
    score.serialize(serializer)
}

/// Serializes a number; `null` for 0, which means that it is unknown.
fn known<N, S>(number: &N, serializer: S) -> Result<S::Ok, S::Error>
where
    N: Serialize + Default + PartialEq,
    S: Serializer,
{
    let number = Some(number).filter(|number| **number != N::default());
    number.serialize(serializer)
}

impl MoveComment {
    /// Search data with the given score.
    pub fn new(score: Option<Score>, depth: u8, nodes: u64, seconds: Option<f64>) -> Self {
        let plies = score.and_then(|score| Some((score, mate_plies(score)?)));
        let mate = plies.map(|(score, plies)| i64::from(plies) * i64::from(score.signum()));
        Self {
            score,
            mate,
            depth,
            nodes,
            seconds,
        }
    }

    /// Formats a PGN comment without its braces: `+0.41/9 0.102s 5000n`. The score has two decimals;
    /// `+M5` is a game that is decided in five plies. Empty if nothing is known.
    pub fn comment(&self) -> String {
        let mut words = Vec::new();
        let score = self.score.map(|score| match self.mate {
            Some(plies) => format!("{}M{}", if plies < 0 { '-' } else { '+' }, plies.abs()),
            None => with_sign(f64::from(score) / 100.0, 2),
        });
        match (score, self.depth) {
            (Some(score), 0) => words.push(score),
            (Some(score), depth) => words.push(format!("{score}/{depth}")),
            (None, 0) => {}
            (None, depth) => words.push(format!("?/{depth}")),
        }
        words.extend(self.seconds.map(|seconds| format!("{seconds:.3}s")));
        words.extend((self.nodes > 0).then(|| format!("{}n", self.nodes)));
        words.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use leitai_game::eval::MATE;

    use super::*;
    use crate::pgn::ParsedComment;
    use leitai_game::Side;

    #[test]
    fn comments_have_the_known_values() {
        for (score, depth, nodes, seconds, comment) in [
            (Some(41), 9, 5000, Some(0.1019), "+0.41/9 0.102s 5000n"),
            (Some(-105), 9, 0, None, "-1.05/9"),
            (Some(MATE - 5), 3, 7, None, "+M5/3 7n"),
            (Some(4 - MATE), 3, 7, None, "-M4/3 7n"),
            (Some(0), 0, 0, None, "+0.00"),
            (None, 2, 0, Some(1.0), "?/2 1.000s"),
            (None, 0, 0, None, ""),
        ] {
            let said = MoveComment::new(score, depth, nodes, seconds);
            assert_eq!(said.comment(), comment);
            let again = ParsedComment::read([comment], Side::Second)
                .said
                .unwrap_or_default();
            assert_eq!(again.comment(), comment);
        }
    }
}
