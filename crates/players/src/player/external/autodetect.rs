//! Detection of settings that the config omits: from an engine's name and its first move.

use std::sync::atomic::AtomicBool;

use super::probe::{Probe, read_move};
use crate::player::Budget;
use leitai_config::{Profile, Program};
use leitai_game::card::GameCard;

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
