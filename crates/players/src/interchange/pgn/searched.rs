//! Search data of a move.

use serde::Serialize;

use leitai_base::count::with_sign;
use leitai_game::eval::{MATE, Score, mate_plies};

/// Data that a player reported with a move.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MoveComment {
    /// The score from the mover's point of view; `None` if it gave none.
    pub score: Option<Score>,
    /// Plies to the end of a decided game, negative if the mover loses.
    pub mate: Option<i64>,
    /// Depth of the last finished iteration; 0 if unknown.
    pub depth: u8,
    /// Nodes; 0 if unknown.
    pub nodes: u32,
    /// Wall-clock time from request to reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

impl MoveComment {
    /// Search data with the given score.
    pub fn new(score: Option<Score>, depth: u8, nodes: u32, seconds: Option<f64>) -> Self {
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

    /// Parses a PGN comment in the form of [`comment`](Self::comment) or a similar form of another
    /// program: a score, or the sign of mate and plies, before a slash and a depth; seconds before
    /// `s`, nodes before `n` or, as fastchess writes, after `n=`. `None` if the comment has another
    /// form.
    pub fn read(comment: &str) -> Option<Self> {
        let words = comment.split(' ').map(|word| word.trim_end_matches(','));
        let mut words = words.filter(|word| !word.is_empty());
        let first = words.next()?;
        let (score, depth) = match first.split_once('/') {
            Some(("?", depth)) => (None, depth.parse().ok()?),
            // Excludes `1/2`.
            Some((score, depth)) if score.contains(['+', '-', '.', 'M']) => {
                (Some(hundreds(score)?), depth.parse().ok()?)
            }
            // Excludes `+1 pawn up`.
            None if first.starts_with(['+', '-']) && first.contains(['.', 'M']) => {
                (Some(hundreds(first)?), 0)
            }
            _ => (None, 0),
        };
        let (mut nodes, mut seconds) = (0, None);
        for word in std::iter::once(first).chain(words) {
            if let Some(time) = word.strip_suffix('s').and_then(|it| it.parse::<f64>().ok()) {
                seconds = seconds.or(Some(time).filter(|time| (0.0..1e9).contains(time)));
            } else if let Some(number) = nodes_of(word) {
                nodes = number;
            }
        }
        let searched = Self::new(score, depth, nodes, seconds);
        (searched != Self::default()).then_some(searched)
    }

    /// Formats a PGN comment without its braces: `+0.41/9 0.102s 5000n`. The score is in hundreds;
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

/// Parses `5000n` or `n=5000`.
fn nodes_of(word: &str) -> Option<u32> {
    let number = word.strip_suffix('n').or_else(|| word.strip_prefix("n="))?;
    number.parse().ok()
}

/// Parses a score in the form of comments: `+0.41`, `-M4`.
fn hundreds(text: &str) -> Option<Score> {
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let amount = text.trim_start_matches(['+', '-']);
    if let Some(plies) = amount.strip_prefix('M') {
        let score = MATE - plies.parse::<u16>().ok().map(Score::from)?;
        let is_mate = score > 0 && mate_plies(score).is_some();
        return is_mate.then_some(sign * score);
    }
    let amount: f64 = amount.parse().ok()?;
    let score = (100.0 * amount).round();
    (score.abs() < f64::from(MATE)).then_some(sign * score as Score)
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let again = MoveComment::read(comment).unwrap_or_default();
            assert_eq!(again.comment(), comment);
        }
    }

    #[test]
    fn other_words_are_no_scores() {
        for comment in [
            "",
            "a good move",
            "book",
            "2 pawns",
            "+nan/3",
            "inf/2",
            "1e99/4",
            "+M/1",
            "+M19990/3",
            "1/2 agreed",
            "+1/x",
            "s n",
            "+1 pawn up",
            "-1",
            "+0,35/8",
        ] {
            assert_eq!(MoveComment::read(comment), None, "{comment}");
        }
        let others = MoveComment::read("0.31/15 0.50s, n=12, a remark").unwrap();
        assert_eq!(others, MoveComment::new(Some(31), 15, 12, Some(0.5)));
    }
}
