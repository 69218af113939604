//! Checks that searches are reproducible, and respect their node limit.

use std::fmt::Write as _;

use super::check::{Check, LimitKind, Status};
use super::limits::describe;
use super::{NoMove, Patient, display};
use crate::player::{Budget, Engine, Offer, OptionKind, SearchReply, parse_engine_move};
use leitai_config::Protocol;
use leitai_game::card::Place;

/// Nodes of a search if the config has no limit, and the maximum.
const NODES: [u64; 2] = [2_000, 50_000];
/// Depth of a search if the protocol has no node limit, and the maximum.
const DEPTH: [u32; 2] = [4, 6];

/// The budget of a search that should be reproducible.
fn repeated_budget(patient: &Patient) -> Budget {
    let limits = &patient.limits;
    match patient.program.profile.protocol {
        Protocol::Gtp => super::positions::short_budget(limits, &patient.program.profile),
        Protocol::Cecp | Protocol::Nboard => {
            Budget::of_depth(limits.depth.unwrap_or(DEPTH[0]).min(DEPTH[1]))
        }
        Protocol::Uci | Protocol::UciCyclone | Protocol::Ucci => {
            Budget::of_nodes(limits.nodes.unwrap_or(NODES[0]).min(NODES[1]))
        }
    }
}

/// Searches each position in a new game. Returns the results with the highest speed in nodes per
/// second.
fn round(
    patient: &Patient,
    engine: &mut Engine,
    budget: &Budget,
    places: &[&Place],
) -> Result<(Vec<SearchReply>, Option<u64>), NoMove> {
    let (mut searches, mut speed) = (Vec::new(), None);
    for place in places {
        let problem = |missing: NoMove| NoMove {
            text: format!(
                "limited to {}, {} {}",
                describe(budget),
                place.name,
                missing.text
            ),
            ..missing
        };
        let reply = patient.ask(engine, place, budget, patient.patience());
        let (search, reply) = reply.map_err(problem)?;
        let line = place.line(patient.game.card);
        if parse_engine_move(&patient.program.profile, line.position(), &search.text).is_err() {
            let answer = display::shortened(&search.text);
            let text = format!("it answers `{answer}`, which is not legal");
            return Err(problem(NoMove {
                text,
                is_endless: false,
            }));
        }
        speed = speed.max(reply.speed());
        searches.push(search);
    }
    Ok((searches, speed))
}

/// Searches twice in one process and once in another. Checks that all results are equal, and the
/// number of nodes. Also returns the measured speed.
pub(super) fn check(patient: &Patient, offers: &[Offer]) -> (Vec<Check>, Option<u64>) {
    let unstarted = |reason: &str| format!("it does not start a second time: {reason}");
    let budget = repeated_budget(patient);
    let mut engine = match patient.start() {
        Ok(engine) => engine,
        Err(refusal) => {
            let check = Check::failure("repeats", unstarted(&refusal.reason));
            return (vec![check], None);
        }
    };
    let rich = patient.rich();
    let (first, speed) = match round(patient, &mut engine, &budget, &rich) {
        Ok(first) => first,
        // The config may need another limit than the protocol's one.
        Err(NoMove { text, is_endless }) => {
            let needed = patient.limits.nodes.is_some();
            let check = if is_endless {
                Check::wrong(needed, "nodes", text).breaks(LimitKind::Nodes)
            } else {
                Check::failure("repeats", text)
            };
            return (vec![check], None);
        }
    };
    let names = rich.map(|place| place.name);
    let compared = |other: &[SearchReply]| difference(&names, &first, other);
    // Only repeated in one process if that is how games follow one another.
    let places = &rich[..patient.context.pick(rich.len(), 1)];
    let is_kept = !patient.program.profile.restart;
    let second = is_kept.then(|| round(patient, &mut engine, &budget, places));
    drop(engine);
    let other = patient.start();
    let other = other.map_err(|refusal| unstarted(&refusal.reason));
    let other = other.and_then(|mut engine| {
        round(patient, &mut engine, &budget, &rich).map_err(|missing| missing.text)
    });
    let check = match (second, other) {
        (Some(Err(missing)), _) => {
            let text = format!("in a second round, {}", missing.text);
            Check::failure("repeats", text).help("write `restart = true` in the variant".to_owned())
        }
        (_, Err(problem)) => Check::failure("repeats", format!("in a second process, {problem}")),
        (second, Ok((other, _))) => {
            let second = second.and_then(Result::ok);
            let games = second.as_ref().and_then(|(second, _)| compared(second));
            compare(patient, offers, &budget, [compared(&other), games])
        }
    };
    let mut checks = vec![check];
    checks.extend(nodes(patient, &budget, &first));
    (checks, speed)
}

/// The check for differences between two processes, and between two games in one process.
fn compare(
    patient: &Patient,
    offers: &[Offer],
    budget: &Budget,
    [processes, games]: [Option<String>; 2],
) -> Check {
    if let Some(difference) = processes {
        let text = format!("in another process it plays differently: {difference}");
        return Check::warning("repeats", text).help(reproducibility_help(patient, offers));
    }
    if let Some(difference) = games {
        let text = format!(
            "after a new game it plays differently: {difference}; a fresh process plays the same"
        );
        let help = "write `restart = true` in the variant, or games depend on those before";
        return Check::warning("repeats", text).help(help.to_owned());
    }
    let places = match (patient.program.profile.restart, patient.context.quick) {
        (false, false) => "after a new game and in another process",
        (false, true) => "in another process, and one of them after a new game",
        (true, _) => "in another process",
    };
    let (count, limit) = (patient.rich().len(), describe(budget));
    let text = format!("{count} searches of {limit} gave the same results {places}");
    Check::ok("repeats", text)
}

/// Advice on options that make a program reproducible.
fn reproducibility_help(patient: &Patient, offers: &[Offer]) -> String {
    let profile = &patient.program.profile;
    let set = |name: &str| {
        let mut options = profile.options.iter().chain(&profile.usual_options);
        let option = options.find(|(known, _)| known.eq_ignore_ascii_case(name));
        option.map(|(_, value)| value.clone())
    };
    let options: Vec<String> = nondeterministic_options(offers, set)
        .iter()
        .map(|(name, value)| match *value {
            "none" => format!("\"{name}\" = \"none\""),
            value => format!("\"{name}\" = {value}"),
        })
        .collect();
    if options.is_empty() {
        "games with it cannot be repeated: check whether it reads a clock, or has an option \
         for threads, chance or a book"
            .to_owned()
    } else {
        format!("write `options = {{ {} }}`", options.join(", "))
    }
}

/// Checks that searches respected their node limit; `None` without one.
fn nodes(patient: &Patient, budget: &Budget, searches: &[SearchReply]) -> Option<Check> {
    let limit = budget.nodes?;
    let needed = patient.limits.nodes.is_some();
    let counted: Option<Vec<u64>> = searches.iter().map(|said| said.nodes).collect();
    let Some(most) = counted.and_then(|nodes| nodes.into_iter().max()) else {
        let text = "it reports no nodes, so that its limit cannot be checked";
        let status = if needed { Status::Warning } else { Status::Ok };
        return Some(Check::new("nodes", status, text));
    };
    let text = format!(
        "limited to {}, it reports at most {}",
        display::number(limit),
        display::number(most)
    );
    let check = if most > patient.program.profile.most_nodes(limit) {
        Check::wrong(needed, "nodes", text).breaks(LimitKind::Nodes)
    } else {
        Check::ok("nodes", text)
    };
    let ratio = most as f64 / limit as f64;
    let check = check.figure("limit", limit).figure("most", most);
    Some(check.figure("ratio", (ratio * 1000.0).round() / 1000.0))
}

/// The reproducible part of a search result.
fn reproducible(search: &SearchReply) -> String {
    let mut text = search.text.clone();
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
fn nondeterministic_options<'o>(
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
            text: mv.to_owned(),
            depth: None,
            score: Some(score),
            nodes: Some(nodes),
        }
    }

    #[test]
    fn the_first_difference_is_told() {
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
            ..Offer::command(name)
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
