//! Limits that a program's protocol cannot express are refused.

use super::Protocol;
use super::program::Profile;
use super::{Limits, TimeControl};

/// Refuses limits that the protocol cannot express, with a message and the help. `by_itself`: the
/// config lets the program limit itself.
pub(super) fn check(
    profile: &Profile,
    limits: &Limits,
    by_itself: bool,
    refuse: &mut dyn FnMut(&str, &str),
) {
    if by_itself {
        return limits_itself(profile.protocol, refuse);
    }
    let (nodes, depth) = (limits.nodes.is_some(), limits.depth.is_some());
    let count = u8::from(nodes) + u8::from(depth) + u8::from(limits.time.is_some());
    match profile.protocol {
        Protocol::Ucci if count > 1 => refuse(
            "the protocol `ucci` has one limit at a time",
            "keep one of `nodes`, `depth` and the time under `[limits]`",
        ),
        Protocol::Ucci => ucci(limits, refuse),
        Protocol::Cecp if nodes => refuse(
            "the protocol `cecp` has no node limit",
            "limit the games by `depth`, `movetime` or `clock` under `[limits]`",
        ),
        Protocol::Gtp => gtp(limits, refuse),
        Protocol::Nboard => nboard(limits, refuse),
        Protocol::Uci | Protocol::UciCyclone | Protocol::Cecp => {}
    }
    if profile.tells_seconds() {
        whole_seconds(limits, refuse);
    }
}

/// Only GTP programs may limit themselves.
fn limits_itself(protocol: Protocol, refuse: &mut dyn FnMut(&str, &str)) {
    let message = match protocol {
        Protocol::Gtp => return,
        Protocol::Nboard => "by the protocol `nboard` a program has to be told a depth".to_owned(),
        Protocol::Uci | Protocol::UciCyclone | Protocol::Ucci | Protocol::Cecp => format!(
            "by the protocol `{}` a program without a limit would think for ever",
            protocol.name()
        ),
    };
    refuse(
        &message,
        "give the variant limits: `limits = { depth = 6 }`, for one",
    );
}

/// UCCI has either the moves until the next time control or an increment.
fn ucci(limits: &Limits, refuse: &mut dyn FnMut(&str, &str)) {
    let clock = limits.clock();
    if clock.is_some_and(|clock| clock.moves.is_some() && !clock.increment.is_zero()) {
        refuse(
            "the protocol `ucci` has no clock with both moves per period and an increment",
            "give a `clock` with one of the two, such as `\"40/60s\"` or `\"60s+1s\"`",
        );
    }
}

/// GTP has only time limits.
fn gtp(limits: &Limits, refuse: &mut dyn FnMut(&str, &str)) {
    let kind = match (limits.nodes, limits.depth) {
        (Some(_), _) => "node",
        (None, Some(_)) => "depth",
        (None, None) => return,
    };
    refuse(
        &format!("the protocol `gtp` has no {kind} limit"),
        "give the program its level by its arguments (`command = [\"gtp-rhino\", \"-l\", \"2\"]`) and \
         write\n`limits = \"own\"` in the variant; or limit it by `movetime` or `clock`",
    );
}

/// `NBoard` has a depth, and additionally a clock for the whole game.
fn nboard(limits: &Limits, refuse: &mut dyn FnMut(&str, &str)) {
    let usual = "limit the program by `depth` or `clock`: under `[limits]`, or by \
                 `limits = { depth = 6 }` in the variant";
    let (kind, help) = match (limits.nodes, limits.time) {
        (Some(_), _) => ("node limit", usual),
        (_, Some(TimeControl::PerMove(_))) => ("time per move", usual),
        (_, Some(TimeControl::Clock(clock))) if clock.moves.is_some() => (
            "clock with moves per period",
            "give a `clock` for the whole game, such as `\"60s+1s\"`, or limit the program by `depth`",
        ),
        _ => return,
    };
    refuse(&format!("the protocol `nboard` has no {kind}"), help);
}

/// Refuses times that are not whole seconds.
fn whole_seconds(limits: &Limits, refuse: &mut dyn FnMut(&str, &str)) {
    if limits.reference_nps.is_some() {
        refuse(
            "the program is told its times in whole seconds, which cannot be scaled",
            "remove `reference_nps`",
        );
    }
    match limits.time {
        Some(TimeControl::PerMove(_)) if !limits.has_whole_seconds() => refuse(
            "the program is told its time per move in whole seconds",
            "give a `movetime` of whole seconds, such as `\"1s\"`",
        ),
        Some(TimeControl::Clock(_)) if !limits.has_whole_seconds() => refuse(
            "the program is told its clock in whole seconds",
            "give a `clock` of whole seconds, such as `\"60s+1s\"`",
        ),
        _ => {}
    }
}
