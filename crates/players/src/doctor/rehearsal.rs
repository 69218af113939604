//! A rehearsal: programs are prepared as for a run, and make one move.

use std::sync::atomic::AtomicBool;

use super::{ENDLESS, LONGEST_WAIT, display};
use crate::play::clock::Clocks;
use crate::player::external::engine::thinking::patience;
use crate::player::external::notation::validate;
use crate::player::external::{FileDigests, complete_profile};
use crate::player::{Fault, Probe, Refusal};
use leitai_config::{Config, Limits, Program};
use leitai_game::Side;
use leitai_game::card::GameCard;

/// Lets each program of the config make a move at the usual start, under its limits. A move without
/// a clock may take 5 s.
///
/// # Errors
/// A run would refuse a program, or the program makes no legal move: the place of its variant, and
/// the reason.
pub fn rehearse(config: &Config, cancel: &AtomicBool) -> Result<(), (usize, Refusal)> {
    let card = config.game.card;
    let variants = config.variants.iter().zip(config.limits_by_variant());
    for (place, (variant, limits)) in variants.enumerate() {
        if let Some(program) = &variant.program {
            move_once(program, card, &limits, cancel).map_err(|refusal| (place, refusal))?;
        }
    }
    Ok(())
}

fn move_once(
    program: &Program,
    card: &'static dyn GameCard,
    limits: &Limits,
    cancel: &AtomicBool,
) -> Result<(), Refusal> {
    let mut program = program.clone();
    let met = complete_profile(&mut program, card, limits, &FileDigests::default(), cancel)?;
    let mut probe = match met.engine {
        Some(engine) => Probe::new(engine, &program),
        None => Probe::start(&program, cancel)?,
    };
    let start = card.initial();
    probe.new_game(&*start, cancel)?;
    let line = card.line(&*start);
    let budget = Clocks::new(&[*limits; 2]).budget(Side::First);
    let time = patience(&budget, limits.allowed_margin(), LONGEST_WAIT);
    let reply = probe.ask(&*line, &budget, time, cancel);
    let problem = match &reply.answer {
        Err(failure) => Some(display::failure(*failure, &reply)),
        Ok(_) if reply.after_stop.is_some() => Some(ENDLESS.to_owned()),
        Ok(search) => {
            let choice = validate(search, &program.profile, limits, line.position());
            let failure = choice
                .err()
                .map(|failure| display::failure(failure, &reply));
            failure.map(|problem| format!("{problem}: `{}`", search.text))
        }
    };
    let help = "correct the engine, or name another game: `leitai init` without a game finds it";
    match problem {
        None => Ok(()),
        Some(problem) => Err(Refusal::new(Fault::Unready, problem, help)),
    }
}
