//! Checks that searches are reproducible, and respect their node limit.

use super::check::{Check, LimitKind, Status};
use super::compare::{difference, unsteady};
use super::diagnosis::is_legal;
use super::{Patient, words};
use crate::player::{Budget, Offer, Probe, SearchReply};
use leitai_config::Protocol;
use leitai_game::card::Place;

/// Nodes of a search if the config has no limit, and the maximum.
const NODES: [u64; 2] = [2_000, 50_000];
/// Depth of a search if the protocol has no node limit, and the maximum.
const DEPTH: [u32; 2] = [4, 6];

/// The budget of a search that should be reproducible.
fn fixed(patient: &Patient) -> Budget {
    let limits = &patient.limits;
    match patient.program.profile.protocol {
        Protocol::Gtp => super::positions::moment(limits, &patient.program.profile),
        Protocol::Cecp | Protocol::Nboard => {
            Budget::of_depth(limits.depth.unwrap_or(DEPTH[0]).min(DEPTH[1]))
        }
        Protocol::Uci | Protocol::UciCyclone | Protocol::Ucci => {
            Budget::of_nodes(limits.nodes.unwrap_or(NODES[0]).min(NODES[1]))
        }
    }
}

/// Searches each position in a new game. Returns the results with the highest speed in nodes per
/// second; or the error, with `true` if the program only ignored its limit.
fn round(
    patient: &Patient,
    probe: &mut Probe,
    budget: &Budget,
    places: &[&Place],
) -> Result<(Vec<SearchReply>, Option<u64>), (String, bool)> {
    let (mut searches, mut speed) = (Vec::new(), None);
    for place in places {
        let reply = patient.ask(probe, place, budget, patient.patience());
        let reply = reply.map_err(|refusal| {
            let what = format!("it does not begin a game: {}", refusal.reason);
            (what, false)
        })?;
        let limit = super::limits::describe(budget);
        let failed = |what: &str| format!("limited to {limit}, {} {what}", place.name);
        let said = match &reply.answer {
            Err(failure) => return Err((failed(&words::failed(*failure, &reply)), false)),
            Ok(_) if reply.after_stop.is_some() => {
                return Err((failed("it goes on until it is told to stop"), true));
            }
            Ok(said) => said,
        };
        let line = place.line(patient.game.card);
        if is_legal(&patient.program.profile, line.position(), &said.text).is_none() {
            let answer = words::shortened(&said.text);
            return Err((
                failed(&format!("it answers `{answer}`, which is not legal")),
                false,
            ));
        }
        speed = speed.max(reply.speed());
        searches.push(said.clone());
    }
    Ok((searches, speed))
}

/// Searches twice in one process and once in another. Checks that all results are equal, and the
/// number of nodes. Also returns the measured speed.
pub(super) fn check(patient: &Patient, offers: &[Offer]) -> (Vec<Check>, Option<u64>) {
    let budget = fixed(patient);
    let limit = super::limits::describe(&budget);
    let restart = patient.program.profile.restart;
    let mut probe = match patient.start() {
        Ok(probe) => probe,
        Err(refusal) => {
            let check = Check::failure("repeats", again(&refusal.reason));
            return (vec![check], None);
        }
    };
    let rich = patient.rich();
    let (first, speed) = match round(patient, &mut probe, &budget, &rich) {
        Ok(first) => first,
        Err(fault) => return (vec![unlimited(patient, fault)], None),
    };
    let mut checks = Vec::new();
    checks.extend(nodes(patient, &budget, &first));
    let names = rich.map(|place| place.name);
    let compared = |other: &[SearchReply]| difference(&names, &first, other);
    // Only repeated in one process if that is how games follow one another.
    let places = &rich[..patient.around.pick(rich.len(), 1)];
    let second = (!restart).then(|| round(patient, &mut probe, &budget, places));
    drop(probe);
    let other = patient
        .start()
        .map_err(|refusal| (again(&refusal.reason), false))
        .and_then(|mut probe| round(patient, &mut probe, &budget, &rich));
    let check = match (second, other) {
        (Some(Err((what, _))), _) => {
            Check::failure("repeats", format!("in a second round, {what}"))
                .help("write `restart = true` in the variant".to_owned())
        }
        (_, Err((what, _))) => Check::failure("repeats", format!("in a second process, {what}")),
        (second, Ok((other, _))) => {
            let second = second.and_then(Result::ok);
            let difference = second.as_ref().and_then(|(second, _)| compared(second));
            compare(
                patient,
                offers,
                &limit,
                compared(&other),
                difference,
                second.is_some(),
            )
        }
    };
    checks.insert(0, check);
    (checks, speed)
}

/// The check for differences between two processes, and between two games in one process.
fn compare(
    patient: &Patient,
    offers: &[Offer],
    limit: &str,
    processes: Option<String>,
    games: Option<String>,
    both: bool,
) -> Check {
    if let Some(difference) = processes {
        let text = format!("in another process it plays differently: {difference}");
        return Check::warning("repeats", text).help(steadying(patient, offers));
    }
    if let Some(difference) = games {
        let text = format!(
            "after a new game it plays differently: {difference}; a fresh process plays the same"
        );
        let help = "write `restart = true` in the variant, or games depend on those before";
        return Check::warning("repeats", text).help(help.to_owned());
    }
    let places = match (both, patient.around.quick) {
        (true, false) => "after a new game and in another process",
        (true, true) => "in another process, and one of them after a new game",
        (false, _) => "in another process",
    };
    let count = patient.rich().len();
    Check::ok(
        "repeats",
        format!("{count} searches of {limit} come out the same {places}"),
    )
}

fn again(reason: &str) -> String {
    format!("it does not start a second time: {reason}")
}

/// Advice on options that make a program reproducible.
fn steadying(patient: &Patient, offers: &[Offer]) -> String {
    let profile = &patient.program.profile;
    let set = |name: &str| {
        let mut all = profile.options.iter().chain(&profile.usual_options);
        let found = all.find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.clone())
    };
    let options: Vec<String> = unsteady(offers, set)
        .iter()
        .map(|(name, value)| match *value {
            "none" => format!("\"{name}\" = \"none\""),
            value => format!("\"{name}\" = {value}"),
        })
        .collect();
    if options.is_empty() {
        "games with it cannot be repeated: see whether it looks at a clock, or has an option \
         for threads, chance or a book"
            .to_owned()
    } else {
        format!("write `options = {{ {} }}`", options.join(", "))
    }
}

/// The check for a round that failed.
fn unlimited(patient: &Patient, (what, goes_on): (String, bool)) -> Check {
    // The config may need another limit than the protocol's one.
    let needed = patient.limits.nodes.is_some();
    if goes_on {
        Check::wrong(needed, "nodes", what).breaks(LimitKind::Nodes)
    } else {
        Check::failure("repeats", what)
    }
}

/// Checks that searches respected their node limit; `None` without one.
fn nodes(patient: &Patient, budget: &Budget, searches: &[SearchReply]) -> Option<Check> {
    let limit = budget.nodes?;
    let needed = patient.limits.nodes.is_some();
    let counted: Option<Vec<u64>> = searches.iter().map(|said| said.nodes).collect();
    let Some(most) = counted.and_then(|nodes| nodes.into_iter().max()) else {
        let text = "it does not say how many nodes it searches: nobody can tell whether it keeps \
                    to a limit";
        let status = if needed { Status::Warning } else { Status::Ok };
        return Some(Check::new("nodes", status, text));
    };
    let ratio = most as f64 / limit as f64;
    let text = format!(
        "limited to {}, it reports at most {}",
        words::number(limit),
        words::number(most)
    );
    let too_many = most > patient.program.profile.most_nodes(limit);
    let check = if too_many {
        Check::wrong(needed, "nodes", text).breaks(LimitKind::Nodes)
    } else {
        Check::ok("nodes", text)
    };
    let check = check.figure("limit", limit).figure("most", most);
    Some(check.figure("ratio", (ratio * 1000.0).round() / 1000.0))
}
