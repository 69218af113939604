//! Checks that a program respects depth and time, and obeys `stop`.

use std::fmt::Write as _;
use std::time::Duration;

use super::check::{Check, LimitKind, Status, margin_line};
use super::{Patient, words};
use crate::player::{Budget, Offer, Probe, TimeBudget};
use leitai_config::{Protocol, TimeControl};

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
        (Some(nodes), ..) => format!("{} nodes", words::number(nodes)),
        (_, Some(depth), _) => format!("depth {depth}"),
        (_, _, Some(TimeBudget::Move(time))) => format!("{} a move", words::time(time)),
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
pub(super) fn depth(patient: &Patient, probe: &mut Probe) -> Check {
    let needed = patient.limits.depth.is_some();
    let depth = patient.limits.depth.unwrap_or(DEPTH).min(DEPTH);
    let budget = Budget::of_depth(depth);
    let reply = match patient.ask(probe, patient.rich()[1], &budget, patient.patience()) {
        Ok(reply) => reply,
        Err(refusal) => return Check::failure("depth", refusal.reason),
    };
    let text = |what: &str| format!("limited to depth {depth}, {what}");
    let wrong = |what: &str| Check::wrong(needed, "depth", text(what)).breaks(LimitKind::Depth);
    let said = match &reply.answer {
        Err(failure) => return wrong(&words::failed(*failure, &reply)),
        Ok(_) if reply.after_stop.is_some() => {
            return wrong("it goes on until it is told to stop");
        }
        Ok(said) => said,
    };
    let text = said.depth.map_or_else(
        || text("it ends, and reports none"),
        |reached| text(&format!("it reports {reached}")),
    );
    let check = match said.depth {
        Some(reached) if reached > depth => Check::warning("depth", text),
        _ => Check::ok("depth", text),
    };
    check.figure("limit", depth).figure("reported", said.depth)
}

/// The time per move to test, and the number of moves; `None` if nothing depends on it.
fn tried(patient: &Patient) -> Option<(Duration, usize)> {
    // `nboard` has no time per move, and sends the clock only with a new game.
    if patient.program.profile.protocol == Protocol::Nboard {
        return None;
    }
    let timed = patient.limits.time.is_some();
    let configured = match patient.limits.time {
        Some(TimeControl::PerMove(time)) => time,
        _ => MOVETIME,
    };
    if patient.program.profile.tells_seconds() {
        timed.then_some((SECOND, patient.around.pick(3, 2)))
    } else {
        let worth = timed || !patient.around.quick;
        worth.then(|| (configured.min(MOVETIME), patient.around.pick(5, 3)))
    }
}

/// Measures the delay of timed moves; also returns the speed of the fastest search.
pub(super) fn movetime(
    patient: &Patient,
    probe: &mut Probe,
    offers: &[Offer],
) -> Option<(Check, Option<u64>)> {
    let Some((time, moves)) = tried(patient) else {
        let text = "not looked at with `--quick`: no limit of the config is a time";
        let is_quick = patient.around.quick;
        return is_quick.then(|| (Check::ok("movetime", text), None));
    };
    let needed = patient.limits.time.is_some();
    let margin = patient.limits.allowed_margin();
    let budget = Budget::of_time(time);
    let mut late = Vec::new();
    let mut speed = None;
    for place in patient.rich().into_iter().cycle().take(moves) {
        let reply = match patient.ask(probe, place, &budget, time + LATEST) {
            Ok(reply) => reply,
            Err(refusal) => return Some((Check::failure("movetime", refusal.reason), speed)),
        };
        let limit = words::time(time);
        let text = match &reply.answer {
            Err(failure) => words::failed(*failure, &reply),
            Ok(_) if reply.after_stop.is_some() => format!(
                "it has not moved {} later, until it is told to stop",
                words::time(LATEST)
            ),
            Ok(_) => {
                late.push(reply.taken.as_secs_f64() - time.as_secs_f64());
                speed = speed.max(reply.speed());
                continue;
            }
        };
        let check = Check::wrong(needed, "movetime", format!("given {limit} a move, {text}"));
        let check = check.breaks(LimitKind::Time);
        return Some((check.help(seconds_help(patient, offers)), speed));
    }
    late.sort_by(f64::total_cmp);
    let (Some(&median), Some(&worst)) = (late.get(late.len() / 2), late.last()) else {
        return None;
    };
    let check = lateness(patient, offers, time, &late, [median, worst], margin);
    Some((check, speed))
}

/// Advice for a program that reads milliseconds as seconds, and so thinks far too long.
pub(super) fn seconds_help(patient: &Patient, offers: &[Offer]) -> Option<String> {
    let profile = &patient.program.profile;
    let unsaid = !offers.iter().any(|offer| offer.is_called("usemillisec"));
    (profile.protocol == Protocol::Ucci && profile.milliseconds && unsaid)
        .then(|| "write `milliseconds = false` in the variant: it does not offer them".to_owned())
}

fn lateness(
    patient: &Patient,
    offers: &[Offer],
    time: Duration,
    late: &[f64],
    [median, worst]: [f64; 2],
    margin: Duration,
) -> Check {
    let rounded = |seconds: f64| (seconds * 10_000.0).round() / 10.0;
    let side = |seconds: f64| {
        let whole = (seconds * 1_000.0).round();
        if whole < 0.0 {
            format!("{:.0} ms early", -whole)
        } else {
            format!("{:.0} ms late", whole.abs())
        }
    };
    let limit = margin.as_secs_f64();
    let text = format!(
        "{} moves of {}: {} in the median, {} at worst; the margin is {}",
        late.len(),
        words::time(time),
        side(median),
        side(worst),
        words::time(margin)
    );
    let needed = patient.limits.time.is_some();
    let mut status = match (worst > limit, median > limit) {
        (true, true) if needed => Status::Failure,
        (true, _) if needed => Status::Warning,
        _ => Status::Ok,
    };
    let mut help = (status != Status::Ok).then(|| margin_help(patient, offers, worst));
    if hears_more(patient, median, time) {
        status = Status::Warning;
        help = Some(
            "write `milliseconds = true` in the variant: it takes seconds for milliseconds"
                .to_owned(),
        );
    }
    Check::new("movetime", status, text)
        .help(help)
        .figure("movetime_ms", words::milliseconds(time))
        .figure("moves", late.len())
        .figure("median_late_ms", rounded(median))
        .figure("worst_late_ms", rounded(worst))
        .figure("margin_ms", words::milliseconds(margin))
}

/// Returns whether a program reads seconds as milliseconds: it answers far too early.
fn hears_more(patient: &Patient, median: f64, time: Duration) -> bool {
    let profile = &patient.program.profile;
    let seconds = profile.protocol == Protocol::Ucci && !profile.milliseconds;
    seconds && median < -0.9 * time.as_secs_f64()
}

/// Advises a margin of twice the worst delay, in steps of 50 ms; with a clock also an option with
/// which the program keeps a reserve.
fn margin_help(patient: &Patient, offers: &[Offer], worst: f64) -> String {
    let steps = (worst.max(0.0) * 2.0 / 0.05).ceil() as u64;
    let margin = steps.clamp(1, 200) * 50;
    let mut help = margin_line(margin);
    let overhead = offers.iter().find(|offer| offer.is_called("Move Overhead"));
    let clock = patient.limits.clock().is_some();
    if let (Some(offer), true) = (overhead, clock) {
        let _ = write!(help, ", or `options = {{ \"{}\" = {margin} }}`", offer.name);
    }
    help
}

/// Checks that the program answers `stop`; also returns its speed. `None` for a protocol without
/// infinite searches.
pub(super) fn stop(patient: &Patient, probe: &mut Probe) -> Option<(Check, Option<u64>)> {
    if matches!(
        patient.program.profile.protocol,
        Protocol::Cecp | Protocol::Gtp
    ) {
        return None;
    }
    let reply = match patient.ask(probe, patient.rich()[2], &Budget::default(), ENDLESS) {
        Ok(reply) => reply,
        Err(refusal) => return Some((Check::failure("stop", refusal.reason), None)),
    };
    if let Err(failure) = &reply.answer {
        let what = words::failed(*failure, &reply);
        let text = format!("told to stop a search without end, {what}");
        return Some((Check::warning("stop", text), None));
    }
    let check = match reply.after_stop {
        Some(after) => Check::ok(
            "stop",
            format!("answers {} after `stop`", words::time(after)),
        )
        .figure("answer_ms", words::milliseconds(after)),
        None => Check::ok(
            "stop",
            format!(
                "asked to search without end, it answers by itself after {}",
                words::time(reply.taken)
            ),
        ),
    };
    Some((check, reply.speed()))
}

/// The speed in the long timed searches, otherwise in the short ones, which underestimate it.
pub(super) fn speed(timed: Option<u64>, short: Option<u64>) -> Check {
    match timed.or(short) {
        Some(speed) => Check::ok("speed", words::speed(speed)).figure("nodes_per_second", speed),
        None => Check::ok("speed", "it does not say how many nodes it searches"),
    }
}
