//! Examines a program from its file to its end.

use super::check::{Check, Examination, Kind, Status, advise_other_limits, unify_margins};
use super::{
    ExaminationContext, Patient, game, greeting, limits, options, positions, repeats, resources,
};
use crate::player::external::{complete_profile, needs_moves};
use crate::player::{Openings, Probe, Refusal, detect_preset, detect_ranks};
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
        offers: Vec::new(),
        checks: Vec::from_iter(unreachable_openings(config, program, context)),
        speed: None,
        timed_speed: None,
    };
    // The first check that makes others pointless ends the list.
    let _ = examine_to_end(&mut patient);
    let mut checks = patient.checks;
    unify_margins(&mut checks);
    advise_other_limits(&mut checks, patient.program.profile.protocol);
    let command = Some(program.command.join(" "));
    Examination::new(&variant.name, Kind::Program, command, checks)
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
fn examine_to_end(patient: &mut Patient) -> Option<()> {
    let go_on = |patient: &Patient| (!patient.context.is_cancelled()).then_some(());
    greeting::find(patient)?;
    let mut probe = greeting::start(patient)?;
    if let Some(way) = detect_preset(&mut patient.program, &probe.engine.introduction.name) {
        let check = Check::ok("preset", format!("it {way}"));
        patient.checks.push(check);
        probe = restart(patient)?;
    }
    let introduction = &probe.engine.introduction;
    patient.offers.clone_from(&introduction.offers);
    let options = options::check(&patient.program.profile, introduction);
    patient.checks.push(options);
    patient.checks.extend(prepared(patient));
    go_on(patient)?;
    if patient.program.unspecified.ranks {
        let (card, cancel) = (patient.game.card, patient.context.cancel);
        if let Some(way) = detect_ranks(&mut patient.program, &mut probe, card, cancel) {
            let check = Check::ok("ranks", format!("it {way}"));
            patient.checks.push(check);
        }
        probe = restart(patient)?;
    }
    let is_understood = positions::check(patient, probe);
    go_on(patient)?;
    if is_understood {
        let (check, footprint) = game::check(patient);
        patient.checks.push(check);
        go_on(patient)?;
        repeats::check(patient);
        go_on(patient)?;
        let speed = timed(patient);
        go_on(patient)?;
        patient.checks.extend(speed);
        patient.checks.push(resources::memory(patient, footprint));
    }
    let probe = restart(patient)?;
    patient.checks.push(resources::quit(probe));
    Some(())
}

/// Errors that a run would report, unless a check has failed already.
fn prepared(patient: &Patient) -> Option<Check> {
    let mut statuses = patient.checks.iter().map(|check| check.status);
    if statuses.any(|status| status == Status::Failure) {
        return None;
    }
    let (card, limits, cancel) = (patient.game.card, &patient.limits, patient.context.cancel);
    let refusal = complete_profile(&mut patient.program.clone(), card, limits, cancel).err()?;
    let text = format!("a run refuses it: {}", refusal.reason);
    Some(Check::failure("run", text).help(refusal.help))
}

/// Starts another process; a failure to start is recorded.
fn restart(patient: &mut Patient) -> Option<Probe> {
    let started = patient.start();
    let recorded = |refusal: Refusal| {
        let text = format!("it does not start another time: {}", refusal.reason);
        let check = Check::failure("start", text).help(refusal.help);
        patient.checks.push(check);
    };
    started.map_err(recorded).ok()
}

/// Checks the limits of searches; returns the measured speed.
fn timed(patient: &mut Patient) -> Option<Check> {
    // A fresh process for each: CECP programs keep limits from game to game. CECP and `nboard`
    // programs already had a repeated search with a depth limit; GTP has none.
    let has_depth = match patient.program.profile.protocol {
        Protocol::Uci | Protocol::UciCyclone | Protocol::Ucci => true,
        Protocol::Cecp | Protocol::Gtp | Protocol::Nboard => false,
    };
    if has_depth {
        let mut probe = restart(patient)?;
        patient.checks.push(limits::depth(patient, &mut probe));
    }
    let mut probe = restart(patient)?;
    let check = limits::movetime(patient, &mut probe);
    patient.checks.extend(check);
    let mut probe = restart(patient)?;
    let check = limits::stop(patient, &mut probe);
    patient.checks.extend(check);
    Some(limits::speed(patient))
}
