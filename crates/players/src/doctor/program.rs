//! Examines a program from its file to its end.

use super::check::{Check, Examination, Kind, Status, advise_other_limits, unify_margins};
use super::{
    ExaminationContext, ExaminedProgram, game, greeting, limits, options, positions, repeats,
    resources,
};
use crate::player::external::{FileDigests, complete_profile};
use crate::player::{Openings, Probe, Refusal, detect_preset, detect_ranks};
use leitai_config::{Config, Program, Variant};
use leitai_protocols::Limit;

/// Examines one program.
pub(super) fn examine(
    config: &Config,
    variant: &Variant,
    program: &Program,
    context: &ExaminationContext,
) -> Examination {
    let mut examined = ExaminedProgram {
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
    let _ = examine_to_end(&mut examined);
    let mut checks = examined.checks;
    unify_margins(&mut checks);
    advise_other_limits(&mut checks, examined.program.profile.protocol);
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
        .filter(|_| program.profile.protocol.moves_only)?;
    let error = Openings::of(config, book).check(config, book).err()?;
    let text = error.to_string();
    let (text, help) = text.split_once("\nhelp: ").unwrap_or((&text, ""));
    Some(Check::failure("openings", text).help(help.to_owned()))
}

/// All checks in order; `None` after one that makes further checks pointless.
fn examine_to_end(examined: &mut ExaminedProgram) -> Option<()> {
    let go_on = |examined: &ExaminedProgram| (!examined.context.is_cancelled()).then_some(());
    greeting::find(examined)?;
    let mut probe = greeting::start(examined)?;
    if let Some(way) = detect_preset(&mut examined.program, &probe.engine.introduction.name) {
        let check = Check::ok("preset", format!("it {way}"));
        examined.checks.push(check);
        probe = restart(examined)?;
    }
    let introduction = &probe.engine.introduction;
    examined.offers.clone_from(&introduction.offers);
    let options = options::check(&examined.program.profile, introduction);
    examined.checks.push(options);
    examined.checks.extend(prepared(examined));
    go_on(examined)?;
    if examined.program.unspecified.ranks {
        let (card, cancel) = (examined.game.card, examined.context.cancel);
        if let Some(way) = detect_ranks(&mut examined.program, &mut probe, card, cancel) {
            let check = Check::ok("ranks", format!("it {way}"));
            examined.checks.push(check);
        }
        probe = restart(examined)?;
    }
    let is_understood = positions::check(examined, probe);
    go_on(examined)?;
    if is_understood {
        let (check, footprint) = game::check(examined);
        examined.checks.push(check);
        go_on(examined)?;
        repeats::check(examined);
        go_on(examined)?;
        let speed = timed(examined);
        go_on(examined)?;
        examined.checks.extend(speed);
        examined.checks.push(resources::memory(examined, footprint));
    }
    let probe = restart(examined)?;
    examined.checks.push(resources::quit(probe));
    Some(())
}

/// Errors that a run would report, unless a check has failed already.
fn prepared(examined: &ExaminedProgram) -> Option<Check> {
    let mut statuses = examined.checks.iter().map(|check| check.status);
    if statuses.any(|status| status == Status::Failure) {
        return None;
    }
    let (card, limits, cancel) = (
        examined.game.card,
        &examined.limits,
        examined.context.cancel,
    );
    let (mut program, digests) = (examined.program.clone(), FileDigests::default());
    let refusal = complete_profile(&mut program, card, limits, &digests, cancel).err()?;
    let text = format!("a run refuses it: {}", refusal.reason);
    Some(Check::failure("run", text).help(refusal.help))
}

/// Starts another process; a failure to start is recorded.
fn restart(examined: &mut ExaminedProgram) -> Option<Probe> {
    let started = examined.start();
    let recorded = |refusal: Refusal| {
        let text = format!("it does not start another time: {}", refusal.reason);
        let check = Check::failure("start", text).help(refusal.help);
        examined.checks.push(check);
    };
    started.map_err(recorded).ok()
}

/// Checks the limits of searches; returns the measured speed.
fn timed(examined: &mut ExaminedProgram) -> Option<Check> {
    // A fresh process for each: CECP programs keep limits from game to game. Programs without a
    // node limit already had a repeated search with a depth limit, if there is one.
    let protocol = examined.program.profile.protocol;
    if protocol.has(Limit::Nodes) && protocol.has(Limit::Depth) {
        let mut probe = restart(examined)?;
        examined.checks.push(limits::depth(examined, &mut probe));
    }
    let mut probe = restart(examined)?;
    let check = limits::movetime(examined, &mut probe);
    examined.checks.extend(check);
    let mut probe = restart(examined)?;
    let check = limits::stop(examined, &mut probe);
    examined.checks.extend(check);
    Some(limits::speed(examined))
}
