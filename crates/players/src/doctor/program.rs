//! Examines a program from its file to its end.

use super::check::{Check, Examination, Kind, Status, advise_other_limits, unify_margins};
use super::{
    ExaminationContext, Patient, game, greeting, limits, options, positions, repeats, resources,
};
use crate::player::external::{needs_moves, prepare};
use crate::player::{Offer, Openings, Probe, detect_preset, detect_ranks};
use leitai_config::{Config, Program, Protocol, Variant};

/// Examines one program.
pub(super) fn examine(
    config: &Config,
    variant: &Variant,
    program: &Program,
    context: &ExaminationContext,
) -> Examination {
    let mut patient = Patient {
        program: program.clone(),
        limits: variant.limits.unwrap_or(config.limits),
        game: config.game,
        context,
    };
    let mut checks = Vec::from_iter(unreachable_openings(config, program, context));
    // The first check that makes others pointless ends the list.
    let _ = examine_to_end(&mut patient, &mut checks);
    unify_margins(&mut checks);
    advise_other_limits(&mut checks, patient.program.profile.protocol);
    Examination::new(
        &variant.name,
        Kind::Program,
        Some(program.command.join(" ")),
        checks,
    )
}

/// A check of openings that the protocol cannot transmit.
fn unreachable_openings(
    config: &Config,
    program: &Program,
    context: &ExaminationContext,
) -> Option<Check> {
    let book = context
        .book
        .filter(|_| needs_moves(program.profile.protocol))?;
    let error = Openings::of(config, book).check(config, book).err()?;
    let text = error.to_string();
    let (text, help) = text.split_once("\nhelp: ").unwrap_or((&text, ""));
    Some(Check::failure("openings", text).help(help.to_owned()))
}

/// All checks in order; `None` after one that makes further checks pointless.
fn examine_to_end(patient: &mut Patient, checks: &mut Vec<Check>) -> Option<()> {
    let go_on = |patient: &Patient| (!patient.context.is_cancelled()).then_some(());
    let (check, is_found) = greeting::find(patient);
    checks.push(check);
    if !is_found {
        return None;
    }
    let (check, probe) = greeting::start(patient);
    checks.push(check);
    let mut probe = probe?;
    if let Some(way) = detect_preset(&mut patient.program, &probe.engine.introduction.name) {
        checks.push(Check::ok("preset", format!("it {way}")));
        probe = restart(patient, checks)?;
    }
    checks.push(options::check(
        &patient.program.profile,
        &probe.engine.introduction,
    ));
    let offers = probe.engine.introduction.offers.clone();
    checks.extend(prepared(patient, checks));
    go_on(patient)?;
    if patient.program.unspecified.ranks {
        let (card, cancel) = (patient.game.card, patient.context.cancel);
        if let Some(way) = detect_ranks(&mut patient.program, &mut probe, card, cancel) {
            checks.push(Check::ok("ranks", format!("it {way}")));
        }
        probe = restart(patient, checks)?;
    }
    let (found, is_understood) = positions::check(patient, probe);
    checks.extend(found);
    go_on(patient)?;
    if !is_understood {
        let probe = restart(patient, checks)?;
        checks.push(resources::quit(probe));
        return None;
    }
    let (check, footprint) = game::check(patient);
    checks.push(check);
    go_on(patient)?;
    let (found, short) = repeats::check(patient, &offers);
    checks.extend(found);
    go_on(patient)?;
    let timed = timed(patient, &offers, checks, short);
    go_on(patient)?;
    checks.extend(timed);
    checks.push(resources::memory(patient, footprint));
    let probe = restart(patient, checks)?;
    checks.push(resources::quit(probe));
    Some(())
}

/// Errors that a run would report, unless a check has failed already.
fn prepared(patient: &Patient, checks: &[Check]) -> Option<Check> {
    if checks.iter().any(|check| check.status == Status::Failure) {
        return None;
    }
    let (card, limits, cancel) = (patient.game.card, &patient.limits, patient.context.cancel);
    let refusal = prepare(&patient.program, card, limits, cancel).err()?;
    let text = format!("a run refuses it: {}", refusal.reason);
    Some(Check::failure("run", text).help(refusal.help))
}

/// Starts another process; a failure to start is recorded.
fn restart(patient: &Patient, checks: &mut Vec<Check>) -> Option<Probe> {
    let started = patient.start();
    if let Err(refusal) = &started {
        let text = format!("it does not start another time: {}", refusal.reason);
        checks.push(Check::failure("start", text).help(refusal.help.clone()));
    }
    started.ok()
}

/// Checks the limits of searches; returns the measured speed.
fn timed(
    patient: &Patient,
    offers: &[Offer],
    checks: &mut Vec<Check>,
    short: Option<u64>,
) -> Option<Check> {
    // A fresh process for each: CECP programs keep limits from game to game. CECP and `nboard`
    // programs already had a repeated search with a depth limit; GTP has none.
    let has_depth = match patient.program.profile.protocol {
        Protocol::Uci | Protocol::UciCyclone | Protocol::Ucci => true,
        Protocol::Cecp | Protocol::Gtp | Protocol::Nboard => false,
    };
    if has_depth {
        let mut probe = restart(patient, checks)?;
        checks.push(limits::depth(patient, &mut probe));
    }
    let mut speed = None;
    let mut probe = restart(patient, checks)?;
    if let Some((check, seen)) = limits::movetime(patient, &mut probe, offers) {
        checks.push(check);
        speed = seen;
    }
    let mut probe = restart(patient, checks)?;
    if let Some((check, seen)) = limits::stop(patient, &mut probe) {
        checks.push(check);
        speed = speed.max(seen);
    }
    Some(limits::speed(speed, short))
}
