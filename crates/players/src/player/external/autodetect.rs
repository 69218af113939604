//! Detection of settings that the config omits: from an engine's greeting, its name and its first
//! move.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::dialogue::Dialogue;
use super::engine::{Engine, SILENCE};
use super::probe::{Fault, Probe, Refusal, read_move};
use crate::player::Budget;
use leitai_base::count::quoted;
use leitai_config::{Profile, Program};
use leitai_game::card::GameCard;
use leitai_protocols::{Introduction, Limit, Protocol};

/// An engine's answer to the greeting of a protocol.
#[derive(Clone, Debug)]
pub struct SpokenProtocol {
    /// The protocol.
    pub protocol: &'static Protocol,
    /// The engine's description of itself.
    pub introduction: Introduction,
    /// True if the engine takes no times: it limits its searches itself.
    pub limits_itself: bool,
}

/// Finds the protocol that an engine speaks: the first of the given ones that it answers, in a
/// process for each. Silence after the engine has read a greeting ends the process, first after 2 s;
/// if no protocol is answered so, after `startup`. Calls `on_attempt` with the protocol and this time
/// before each attempt.
///
/// # Errors
/// The engine answers none of the protocols; the refusal of the first one.
pub fn detect_protocol(
    program: &Program,
    card: &'static dyn GameCard,
    protocols: &[&'static Protocol],
    on_attempt: &dyn Fn(&'static Protocol, Duration),
    cancel: &AtomicBool,
) -> Result<SpokenProtocol, Refusal> {
    let others = protocols.iter().copied();
    let mut silent: Vec<&Protocol> = others.filter(|it| it.is_recognised).collect();
    let help = "check that it is an engine for this game: start it by hand and type a greeting";
    let mut first = Refusal::new(Fault::Silent, "there is no protocol to try", help);
    for silence in [SILENCE.min(program.startup), program.startup] {
        for protocol in std::mem::take(&mut silent) {
            on_attempt(protocol, silence);
            let tried = Program {
                profile: Profile {
                    environment: program.profile.environment.clone(),
                    ..Profile::of(protocol)
                },
                ..program.clone()
            };
            let refusal = match answer(&tried, card, silence, cancel) {
                Ok(spoken) => return Ok(spoken),
                Err(refusal) => refusal,
            };
            match refusal.fault {
                Fault::Absent | Fault::Unready | Fault::Cancelled => return Err(refusal),
                Fault::Silent => silent.push(protocol),
                Fault::Ended | Fault::Binary => {}
            }
            if protocols.first() == Some(&protocol) {
                first = refusal;
            }
        }
    }
    if first.fault == Fault::Silent {
        let names = quoted(protocols.iter().map(|protocol| protocol.name));
        let reason = format!("it answers to none of {names}: {}", first.reason);
        first = Refusal::new(Fault::Silent, reason, help);
    }
    Err(first)
}

/// Returns whether a program of the protocol has no limit but a level of its own.
fn takes_no_limit(protocol: &Protocol) -> bool {
    let all = [Limit::Nodes, Limit::Depth, Limit::MoveTime];
    protocol.limits_itself && !all.iter().any(|limit| protocol.has(*limit))
}

/// The answer to the greeting of the program's protocol. If the engine leaves it unfinished, a move
/// must show that it speaks the protocol.
fn answer(
    program: &Program,
    card: &'static dyn GameCard,
    silence: Duration,
    cancel: &AtomicBool,
) -> Result<SpokenProtocol, Refusal> {
    let mut engine = Engine::spawn(program, Dialogue::default(), cancel)?;
    engine.greet(Some(silence), cancel).map_err(|error| {
        if error.means().0 != Fault::Silent || !engine.process.has_unread_input() {
            return error.into();
        }
        let millis = program.startup.as_millis();
        let reason = format!("it does not read its input within {millis} ms");
        let help = "check that it is an engine; a config of one that starts more slowly needs \
                    `startup = \"60s\"`";
        Refusal::new(Fault::Unready, reason, help)
    })?;
    let spoken = SpokenProtocol {
        protocol: program.profile.protocol,
        introduction: engine.introduction.clone(),
        limits_itself: engine.codec.lacks_for_times().is_some() || takes_no_limit(engine.protocol),
    };
    if spoken.introduction.unfinished.is_none() {
        return Ok(spoken);
    }
    let start = card.initial();
    let mut probe = Probe::new(engine, program);
    probe.new_game(&*start, cancel)?;
    let reply = probe.ask(&*card.line(&*start), &Budget::of_depth(1), silence, cancel);
    let search = reply.answer.ok();
    let mv = search.and_then(|search| read_move(card, &program.profile, &search.text));
    mv.map(|_| spoken).ok_or_else(|| {
        let reason = "it reports no `feature` and makes no move";
        Refusal::new(Fault::Silent, reason, "check that it is an engine")
    })
}

/// Selects the preset for an engine by its reported name, if the config names none. Returns the
/// rest of a sentence about the change; then the engine must be restarted. `None` without a change.
pub fn detect_preset(program: &mut Program, name: &str) -> Option<String> {
    let mut presets = program.unspecified.presets.iter();
    let (known, profile) = presets.find(|(known, _)| known.is_called(name))?;
    program.unspecified.ranks = false;
    if *profile == program.profile {
        return None;
    }
    program.profile = profile.clone();
    Some(format!(
        "calls itself `{name}`: Leitai uses `preset = \"{}\"`",
        known.name
    ))
}

/// Detects the number of the first rank, if the config omits it: with the other number the engine's
/// move at the usual start is legal, with the present one it is not. Returns the rest of a sentence
/// about the change, if there is one.
pub fn detect_ranks(
    program: &mut Program,
    probe: &mut Probe,
    card: &'static dyn GameCard,
    cancel: &AtomicBool,
) -> Option<String> {
    if !program.unspecified.ranks {
        return None;
    }
    let start = card.initial();
    probe.new_game(&*start, cancel).ok()?;
    let line = card.line(&*start);
    let reply = probe.ask(&*line, &Budget::of_depth(1), program.stall, cancel);
    let search = reply.answer.ok()?;
    let mut other = program.profile.clone();
    other.rank_base = 1 - other.rank_base.min(1);
    let is_legal = |profile: &Profile| {
        let read = read_move(card, profile, &search.text);
        read.is_some_and(|text| start.parse_move(&text).is_ok())
    };
    if is_legal(&program.profile) || !is_legal(&other) {
        return None;
    }
    program.profile = other;
    let base = program.profile.rank_base;
    Some(format!(
        "begins with `{}`: it counts ranks from {base}",
        search.text
    ))
}
