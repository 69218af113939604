//! Whether searches that should be the same are. Nothing is asked here.

use std::fmt::Write as _;

use super::words;
use crate::eval::Score;
use crate::player::Offer;

/// What a search came to, as far as it should repeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    /// The move as it was written.
    pub(super) mv: String,
    /// Its score.
    pub(super) score: Option<Score>,
    /// Nodes, as the player counts them.
    pub(super) nodes: Option<u64>,
}

impl Seen {
    fn words(&self) -> String {
        let mut text = self.mv.clone();
        if let Some(score) = self.score {
            let _ = write!(text, ", score {score}");
        }
        if let Some(nodes) = self.nodes {
            let _ = write!(text, ", {} nodes", words::number(nodes));
        }
        text
    }

    /// What differs, by the most telling first.
    fn difference(&self, other: &Seen) -> Option<&'static str> {
        if self.mv != other.mv {
            Some("another move")
        } else if self.score != other.score {
            Some("another score")
        } else if self.nodes != other.nodes {
            Some("other nodes")
        } else {
            None
        }
    }
}

/// The first difference between two rounds of the same searches, in words.
pub(super) fn difference(names: &[&str], first: &[Seen], second: &[Seen]) -> Option<String> {
    let pairs = names.iter().zip(first.iter().zip(second));
    let mut different = pairs.filter_map(|(name, (one, other))| {
        let what = one.difference(other)?;
        Some(format!(
            "{what} {name} ({} instead of {})",
            other.words(),
            one.words()
        ))
    });
    different.next()
}

/// Options that may make a program play differently each time, with what is to be
/// set; of those that are not set so already.
pub(super) fn unsteady<'o>(
    offers: &'o [Offer],
    set: impl Fn(&str) -> Option<String>,
) -> Vec<(&'o str, &'static str)> {
    let steady = |offer: &'o Offer| {
        let name = offer.name.to_lowercase();
        let value = set(&offer.name).or_else(|| offer.default.clone());
        let value = value.unwrap_or_default().to_lowercase();
        let wanted = if matches!(name.as_str(), "threads" | "cores" | "smp" | "cpus") {
            "1"
        } else if name.contains("random") {
            match offer.kind {
                crate::player::OptionKind::Spin => "0",
                crate::player::OptionKind::Check => "false",
                _ => "none",
            }
        } else if matches!(name.as_str(), "ownbook" | "usebook" | "book") {
            "false"
        } else {
            return None;
        };
        (value != wanted).then_some((offer.name.as_str(), wanted))
    };
    offers.iter().filter_map(steady).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(mv: &str, score: i32, nodes: u64) -> Seen {
        Seen {
            mv: mv.to_owned(),
            score: Some(score),
            nodes: Some(nodes),
        }
    }

    #[test]
    fn the_first_difference_is_told() {
        let names = ["here", "there"];
        let first = [seen("a0a1", 3, 2_000), seen("b0c2", 5, 2_000)];
        assert_eq!(difference(&names, &first, &first), None);
        let mut second = first.clone();
        second[1].nodes = Some(2_001);
        let told = difference(&names, &first, &second);
        assert_eq!(
            told.as_deref(),
            Some(
                "other nodes there (b0c2, score 5, 2,001 nodes instead of b0c2, score 5, 2,000 nodes)"
            )
        );
        second[1].mv = "h0g2".to_owned();
        let told = difference(&names, &first, &second).unwrap();
        assert!(told.starts_with("another move there"), "{told}");
    }

    #[test]
    fn threads_books_and_chance_are_suspected_unless_they_are_off() {
        let offers = [
            Offer::example("Threads", "1"),
            Offer::example("usebook", "true"),
            Offer::example("randomness", "none"),
            Offer::example("Hash", "16"),
        ];
        let none = |_: &str| None;
        assert_eq!(unsteady(&offers, none), [("usebook", "false")]);
        let set = |name: &str| match name {
            "Threads" => Some("4".to_owned()),
            _ => Some("false".to_owned()),
        };
        assert_eq!(
            unsteady(&offers, set),
            [("Threads", "1"), ("randomness", "none")]
        );
    }
}
