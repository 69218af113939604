//! What a config leaves open of how a program speaks is found out when the program is met: by
//! what it calls itself, and by its first move.

use std::sync::atomic::AtomicBool;

use super::probe::{Probe, read_move};
use crate::card::GameCard;
use crate::config::{Profile, Program};
use crate::player::Budget;

/// Has a program that calls itself so spoken to by its preset, if it is a known one and the
/// config names none. Gives the rest of a sentence about it, if that changes anything: then
/// the program is to be started again.
pub fn take_preset(program: &mut Program, name: &str) -> Option<String> {
    let mut presets = program.unsaid.presets.iter();
    let (known, profile) = presets.find(|(known, _)| known.is_called(name))?;
    program.unsaid.ranks = false;
    if *profile == program.profile {
        return None;
    }
    program.profile = profile.clone();
    Some(format!(
        "calls itself `{name}`: it is spoken to as `preset = \"{}\"` has it",
        known.name
    ))
}

/// Has ranks counted from where a program counts them, if the config does not say from where:
/// its move at the usual start is legal so, and not otherwise. Gives the rest of a sentence
/// about it, if that changes anything.
pub fn take_ranks(
    program: &mut Program,
    probe: &mut Probe,
    card: &'static dyn GameCard,
    cancel: &AtomicBool,
) -> Option<String> {
    if !program.unsaid.ranks {
        return None;
    }
    let start = card.initial();
    probe.new_game(&*start, cancel).ok()?;
    let line = card.line(&*start);
    let reply = probe.ask(&*line, &Budget::of_depth(1), program.stall, cancel);
    let said = reply.answer.ok()?;
    let other = Profile {
        rank_base: 1 - program.profile.rank_base.min(1),
        ..program.profile.clone()
    };
    let is_legal = |profile: &Profile| {
        let read = read_move(card, profile, &said.text);
        read.is_some_and(|text| start.parse_move(&text).is_ok())
    };
    if is_legal(&program.profile) || !is_legal(&other) {
        return None;
    }
    program.profile = other;
    let base = program.profile.rank_base;
    Some(format!(
        "begins with `{}`: it counts ranks from {base}",
        said.text
    ))
}
