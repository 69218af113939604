//! Checks that a program respects depth and time, and obeys `stop`.

use std::fmt::Write as _;
use std::time::Duration;

use super::check::{Check, LimitKind, Status, margin_line};
use super::{ExaminedProgram, display};
use crate::player::{Budget, Offer, Probe, TimeBudget};
use leitai_config::TimeControl;
use leitai_protocols::Limit;

/// Depth of a search that should end by its depth.
const DEPTH: u32 = 4;

/// The longest time per move to test, for a program that takes milliseconds.
const MOVETIME: Duration = Duration::from_millis(200);

/// The shortest time for a program that takes seconds.
const SECOND: Duration = Duration::from_secs(1);

/// Extra time to wait for a late move.
const LATEST: Duration = Duration::from_secs(3);

/// Duration of an infinite search before `stop`.
const ENDLESS: Duration = Duration::from_millis(300);

/// A description of a budget.
pub(super) fn describe(budget: &Budget) -> String {
    match (budget.nodes, budget.depth, budget.time) {
        (Some(nodes), ..) => format!("{} nodes", display::number(nodes)),
        (_, Some(depth), _) => format!("depth {depth}"),
        (_, _, Some(TimeBudget::Move(time))) => format!("{} a move", display::time(time)),
        (_, _, Some(TimeBudget::Clock(_))) => "a clock".to_owned(),
        (None, None, None) => "limits of its own".to_owned(),
    }
}

/// The kind of limit in a budget.
pub(super) fn kind(budget: &Budget) -> LimitKind {
    match (budget.nodes, budget.depth) {
        (Some(_), _) => LimitKind::Nodes,
        (None, Some(_)) => LimitKind::Depth,
        (None, None) => LimitKind::Time,
    }
}

/// Checks that a search ends at its depth.
pub(super) fn depth(examined: &ExaminedProgram, probe: &mut Probe) -> Check {
    let needed = examined.limits.depth.is_some();
    let depth = examined.limits.depth.unwrap_or(DEPTH).min(DEPTH);
    let budget = Budget::of_depth(depth);
    let reported = match examined.ask(probe, examined.rich()[1], &budget, examined.patience()) {
        Ok((reply, _)) => reply.depth,
        Err(missing) => {
            let text = format!("limited to depth {depth}, {}", missing.text);
            return Check::wrong(needed, "depth", text).breaks(LimitKind::Depth);
        }
    };
    let (status, end) = match reported {
        Some(reached) if reached > depth => (Status::Warning, format!("it reports {reached}")),
        Some(reached) => (Status::Ok, format!("it reports {reached}")),
        None => (Status::Ok, "it ends, and reports none".to_owned()),
    };
    Check::new("depth", status, format!("limited to depth {depth}, {end}"))
        .figure("limit", depth)
        .figure("reported", reported)
}

/// The time per move to test, and the number of moves; `None` if nothing depends on it.
fn tried(examined: &ExaminedProgram) -> Option<(Duration, usize)> {
    // `nboard` has no time per move, and sends the clock only with a new game.
    if !examined.program.profile.protocol.has(Limit::MoveTime) {
        return None;
    }
    let timed = examined.limits.time.is_some();
    if examined.program.profile.sends_seconds() {
        return timed.then_some((SECOND, examined.context.pick(3, 2)));
    }
    let configured = match examined.limits.time {
        Some(TimeControl::PerMove(time)) => time,
        _ => MOVETIME,
    };
    let worth = timed || !examined.context.quick;
    worth.then(|| (configured.min(MOVETIME), examined.context.pick(5, 3)))
}

/// Measures the delay of timed moves, and stores the speed of the fastest search.
pub(super) fn movetime(examined: &mut ExaminedProgram, probe: &mut Probe) -> Option<Check> {
    let Some((time, moves)) = tried(examined) else {
        let text = "not checked with `--quick`: no limit of the config is a time";
        return examined.context.quick.then(|| Check::ok("movetime", text));
    };
    let budget = Budget::of_time(time);
    let mut late = Vec::new();
    for place in examined.rich().into_iter().cycle().take(moves) {
        match examined.ask(probe, place, &budget, time + LATEST) {
            Ok((_, reply)) => {
                late.push(reply.taken.as_secs_f64() - time.as_secs_f64());
                examined.timed_speed = examined.timed_speed.max(reply.speed());
            }
            Err(missing) => {
                let text = if missing.is_endless {
                    let latest = display::time(LATEST);
                    format!("it has not moved {latest} later, and moves only after `stop`")
                } else {
                    missing.text
                };
                let text = format!("given {} a move, {text}", display::time(time));
                let needed = examined.limits.time.is_some();
                let check = Check::wrong(needed, "movetime", text).breaks(LimitKind::Time);
                return Some(check.help(seconds_help(examined)));
            }
        }
    }
    late.sort_by(f64::total_cmp);
    let (&median, &worst) = late.get(late.len() / 2).zip(late.last())?;
    Some(lateness(examined, time, late.len(), [median, worst]))
}

/// Advice for a program that reads milliseconds as seconds, and so thinks far too long.
pub(super) fn seconds_help(examined: &ExaminedProgram) -> Option<String> {
    let profile = &examined.program.profile;
    let is_offered = Offer::find(&examined.offers, "usemillisec").is_some();
    (profile.protocol.uses("milliseconds") && profile.milliseconds && !is_offered)
        .then(|| "write `milliseconds = false` in the variant: it does not offer them".to_owned())
}

fn lateness(
    examined: &ExaminedProgram,
    time: Duration,
    moves: usize,
    [median, worst]: [f64; 2],
) -> Check {
    let rounded = |seconds: f64| (seconds * 10_000.0).round() / 10.0;
    let side = |seconds: f64| {
        let whole = (seconds * 1_000.0).round();
        let side = if whole < 0.0 { "early" } else { "late" };
        format!("{:.0} ms {side}", whole.abs())
    };
    let margin = examined.limits.allowed_margin();
    let limit = margin.as_secs_f64();
    let text = format!(
        "{moves} moves of {}: {} in the median, {} at worst; the margin is {}",
        display::time(time),
        side(median),
        side(worst),
        display::time(margin)
    );
    let profile = &examined.program.profile;
    let takes_seconds = profile.protocol.uses("milliseconds") && !profile.milliseconds;
    let (status, help) = if takes_seconds && median < -0.9 * time.as_secs_f64() {
        // It answers far too early.
        let help = "write `milliseconds = true` in the variant: it reads seconds as milliseconds";
        (Status::Warning, Some(help.to_owned()))
    } else if examined.limits.time.is_none() || worst <= limit {
        (Status::Ok, None)
    } else {
        let is_usual = median > limit;
        let status = [Status::Warning, Status::Failure][usize::from(is_usual)];
        (status, Some(margin_help(examined, worst)))
    };
    Check::new("movetime", status, text)
        .help(help)
        .figure("movetime_ms", display::milliseconds(time))
        .figure("moves", moves)
        .figure("median_late_ms", rounded(median))
        .figure("worst_late_ms", rounded(worst))
        .figure("margin_ms", display::milliseconds(margin))
}

/// Advises a margin of twice the worst delay, in steps of 50 ms; with a clock also an option with
/// which the program keeps a reserve.
fn margin_help(examined: &ExaminedProgram, worst: f64) -> String {
    let steps = (worst.max(0.0) * 2.0 / 0.05).ceil() as u64;
    let margin = steps.clamp(1, 200) * 50;
    let mut help = margin_line(margin);
    let overhead = Offer::find(&examined.offers, "Move Overhead");
    if let Some(offer) = overhead.filter(|_| examined.limits.clock().is_some()) {
        let _ = write!(help, ", or `options = {{ \"{}\" = {margin} }}`", offer.name);
    }
    help
}

/// Checks that the program answers `stop`, and stores its speed. `None` for a protocol without
/// infinite searches.
pub(super) fn stop(examined: &mut ExaminedProgram, probe: &mut Probe) -> Option<Check> {
    if !examined.program.profile.protocol.stops {
        return None;
    }
    let reply = match examined.reply(probe, examined.rich()[2], &Budget::default(), ENDLESS) {
        Ok(reply) => reply,
        Err(problem) => return Some(Check::failure("stop", problem)),
    };
    examined.timed_speed = examined.timed_speed.max(reply.speed());
    Some(match (&reply.answer, reply.after_stop) {
        (Err(failure), _) => {
            let problem = display::failure(*failure, &reply);
            let text = format!("after `stop` of an infinite search, {problem}");
            Check::warning("stop", text)
        }
        (Ok(_), Some(after)) => {
            let text = format!("answers {} after `stop`", display::time(after));
            Check::ok("stop", text).figure("answer_ms", display::milliseconds(after))
        }
        (Ok(_), None) => {
            let taken = display::time(reply.taken);
            let text = format!("in an infinite search, it answers without `stop` after {taken}");
            Check::ok("stop", text)
        }
    })
}

/// The speed in the long timed searches, otherwise in the short ones, which underestimate it.
pub(super) fn speed(examined: &ExaminedProgram) -> Check {
    match examined.timed_speed.or(examined.speed) {
        Some(speed) => Check::ok("speed", display::speed(speed)).figure("nodes_per_second", speed),
        None => Check::ok("speed", "it reports no nodes"),
    }
}
