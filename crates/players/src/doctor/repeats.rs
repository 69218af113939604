//! Checks that searches are reproducible, and respect their node limit.

use super::check::{Check, LimitKind, Status};
use super::compare::{difference, nondeterministic_options};
use super::limits::{describe, kind};
use super::{ExaminedProgram, NoMove, display};
use crate::player::{Budget, Probe, Refusal, SearchReply, parse_engine_move};
use leitai_game::card::TestPosition;
use leitai_protocols::Limit;

/// Nodes of a search if the config has no limit, and the maximum.
const NODES: [u64; 2] = [2_000, 50_000];
/// Depth of a search if the protocol has no node limit, and the maximum.
const DEPTH: [u32; 2] = [4, 6];

/// The budget of a search that should be reproducible.
fn repeated_budget(examined: &ExaminedProgram) -> Budget {
    let limits = &examined.limits;
    let protocol = examined.program.profile.protocol;
    if protocol.has(Limit::Nodes) {
        Budget::of_nodes(limits.nodes.unwrap_or(NODES[0]).min(NODES[1]))
    } else if protocol.has(Limit::Depth) {
        Budget::of_depth(limits.depth.unwrap_or(DEPTH[0]).min(DEPTH[1]))
    } else {
        super::positions::short_budget(limits, &examined.program.profile)
    }
}

/// Searches each position in a new game. Returns the results with the highest speed in nodes per
/// second.
fn round(
    examined: &ExaminedProgram,
    probe: &mut Probe,
    budget: &Budget,
    places: &[&TestPosition],
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
        let reply = examined.ask(probe, place, budget, examined.patience());
        let (search, reply) = reply.map_err(problem)?;
        let line = place.line(examined.game.card);
        if parse_engine_move(&examined.program.profile, line.position(), &search.text).is_err() {
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
/// number of nodes. Also stores the measured speed.
pub(super) fn check(examined: &mut ExaminedProgram) {
    match rounds(examined) {
        Ok(checks) => examined.checks.extend(checks),
        Err(check) => examined.checks.push(check),
    }
}

/// The checks of all rounds, or the failure of the first round.
fn rounds(examined: &mut ExaminedProgram) -> Result<Vec<Check>, Check> {
    let unstarted =
        |refusal: Refusal| format!("it does not start a second time: {}", refusal.reason);
    let budget = repeated_budget(examined);
    let probe = examined.start().map_err(unstarted);
    let mut probe = probe.map_err(|text| Check::failure("repeats", text))?;
    let rich = examined.rich();
    let first = round(examined, &mut probe, &budget, &rich);
    let (first, speed) = first.map_err(|NoMove { text, is_endless }| {
        if is_endless {
            // The config may need another limit than that of these searches.
            let (kind, limits) = (kind(&budget), &examined.limits);
            let (id, is_needed) = match kind {
                LimitKind::Nodes => ("nodes", limits.nodes.is_some()),
                LimitKind::Depth => ("depth", limits.depth.is_some()),
                LimitKind::Time => ("movetime", limits.time.is_some()),
            };
            Check::wrong(is_needed, id, text).breaks(kind)
        } else {
            Check::failure("repeats", text)
        }
    })?;
    examined.speed = speed;
    let names = rich.map(|place| place.name);
    let compared = |other: &[SearchReply]| difference(&names, &first, other);
    // Only repeated in one process if that is how games follow one another.
    let places = &rich[..examined.context.pick(rich.len(), 1)];
    let is_kept = !examined.program.profile.restart;
    let second = is_kept.then(|| round(examined, &mut probe, &budget, places));
    drop(probe);
    let other = examined.start().map_err(unstarted);
    let other = other.and_then(|mut probe| {
        round(examined, &mut probe, &budget, &rich).map_err(|missing| missing.text)
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
            compare(examined, &budget, [compared(&other), games])
        }
    };
    let nodes = nodes(examined, &budget, &first);
    Ok([check].into_iter().chain(nodes).collect())
}

/// The check for differences between two processes, and between two games in one process.
fn compare(
    examined: &ExaminedProgram,
    budget: &Budget,
    [processes, games]: [Option<String>; 2],
) -> Check {
    if let Some(difference) = processes {
        let text = format!("in another process it plays differently: {difference}");
        return Check::warning("repeats", text).help(reproducibility_help(examined));
    }
    if let Some(difference) = games {
        let text = format!(
            "after a new game it plays differently: {difference}; a fresh process plays the same"
        );
        let help = "write `restart = true` in the variant, or games depend on those before";
        return Check::warning("repeats", text).help(help.to_owned());
    }
    let places = match (examined.program.profile.restart, examined.context.quick) {
        (false, false) => "after a new game and in another process",
        (false, true) => "in another process, and one of them after a new game",
        (true, _) => "in another process",
    };
    let (count, limit) = (examined.rich().len(), describe(budget));
    let text = format!("{count} searches of {limit} gave the same results {places}");
    Check::ok("repeats", text)
}

/// Advice on options that make a program reproducible.
fn reproducibility_help(examined: &ExaminedProgram) -> String {
    let profile = &examined.program.profile;
    let set = |name: &str| {
        let mut options = profile.options.iter().chain(&profile.usual_options);
        let option = options.find(|(known, _)| known.eq_ignore_ascii_case(name));
        option.map(|(_, value)| value.clone())
    };
    let options: Vec<String> = nondeterministic_options(&examined.offers, set)
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
fn nodes(examined: &ExaminedProgram, budget: &Budget, searches: &[SearchReply]) -> Option<Check> {
    let limit = budget.nodes?;
    let needed = examined.limits.nodes.is_some();
    let counted: Option<Vec<u64>> = searches.iter().map(|said| said.most_nodes).collect();
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
    let check = if most > examined.program.profile.most_nodes(limit) {
        Check::wrong(needed, "nodes", text).breaks(LimitKind::Nodes)
    } else {
        Check::ok("nodes", text)
    };
    let ratio = most as f64 / limit as f64;
    let check = check.figure("limit", limit).figure("most", most);
    Some(check.figure("ratio", (ratio * 1000.0).round() / 1000.0))
}
