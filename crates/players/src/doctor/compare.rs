//! Compares searches that should be identical. Runs no program.

use std::fmt::Write as _;

use leitai_base::foreign::shown;

use super::display;
use crate::player::{Offer, OptionKind, SearchReply};

/// The reproducible part of a search result.
fn reproducible(search: &SearchReply) -> String {
    let mut text = shown(&search.text).to_string();
    if let Some(score) = search.score {
        let _ = write!(text, ", score {score}");
    }
    if let Some(nodes) = search.nodes {
        let _ = write!(text, ", {} nodes", display::number(nodes));
    }
    text
}

/// A description of the first difference between two rounds of the same searches.
pub(super) fn difference(
    names: &[&str],
    first: &[SearchReply],
    second: &[SearchReply],
) -> Option<String> {
    let mut searches = names.iter().zip(first.iter().zip(second));
    searches.find_map(|(name, (one, other))| {
        let most_significant = if one.text != other.text {
            "another move"
        } else if one.score != other.score {
            "another score"
        } else if one.nodes != other.nodes {
            "other nodes"
        } else {
            return None;
        };
        let [one, other] = [one, other].map(reproducible);
        Some(format!(
            "{most_significant} {name} ({other} instead of {one})"
        ))
    })
}

/// Options that may make a program play differently each time, with their steady values, except
/// those that are already set.
pub(super) fn nondeterministic_options<'o>(
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
                OptionKind::Spin => "0",
                OptionKind::Check => "false",
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

    fn said(mv: &str, score: i32, nodes: u64) -> SearchReply {
        SearchReply {
            most_nodes: None,
            text: mv.to_owned(),
            depth: None,
            score: Some(score),
            nodes: Some(nodes),
        }
    }

    #[test]
    fn the_first_difference_is_reported() {
        let names = ["here", "there"];
        let first = [said("a0a1", 3, 2_000), said("b0c2", 5, 2_000)];
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
        second[1].text = "h0g2".to_owned();
        let told = difference(&names, &first, &second).unwrap();
        assert!(told.starts_with("another move there"), "{told}");
    }

    fn offer(name: &str, default: &str) -> Offer {
        Offer {
            default: Some(default.to_owned()),
            name: name.to_owned(),
            ..Offer::default()
        }
    }

    #[test]
    fn threads_books_and_chance_are_suspected_unless_they_are_off() {
        let offers = [
            offer("Threads", "1"),
            offer("usebook", "true"),
            offer("randomness", "none"),
            offer("Hash", "16"),
        ];
        let none = |_: &str| None;
        assert_eq!(
            nondeterministic_options(&offers, none),
            [("usebook", "false")]
        );
        let set = |name: &str| match name {
            "Threads" => Some("4".to_owned()),
            _ => Some("false".to_owned()),
        };
        assert_eq!(
            nondeterministic_options(&offers, set),
            [("Threads", "1"), ("randomness", "none")]
        );
    }
}
