//! The game loop. Leitai is the referee: it checks legality, history rules and the end of the game
//! itself, independent of player reports.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::Evidence;
use super::adjudication::{Adjudicator, Step, by_tables};
use super::clock::{Clocks, Timing};
use super::record::{GameRecord, MoveReport, MoveTimes, Ply, UNREPORTED};
use super::spare::RepeatBudget;
use crate::player::{Choice, Failure, GameId, Pauses, Player, PvWarnings};
use leitai_config::{Adjudication, Limits};
use leitai_game::card::{AnyPosition, Rules};
use leitai_game::eval::MATE;
use leitai_game::{Cause, Side, Verdict};

/// The conditions of all games of a run.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The game's history rules.
    pub rules: Rules,
    /// The limits of each variant per move.
    pub limits: Vec<Limits>,
    /// Rules for ending games early.
    pub adjudication: Adjudication,
    /// The remaining number of pairs that may be repeated after a pause of the machine.
    pub spare: RepeatBudget,
}

/// The reason for a game without a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The game was cancelled.
    Cancelled,
    /// This process paused while the clock of that side ran. The move was legal and in time, but
    /// may be worse than without the pause: it is no failure.
    Paused(Side),
    /// The machine could not start the program of that side.
    NoResources(Side, Box<Evidence>),
}

/// Plays the game `id` from `opening`, which must not be over: `players[0]`, variant `variants[0]`
/// of the terms, has the first side.
///
/// Under a clock the players get their own time and the opponent's. The time of a move runs from
/// request to reply, without [pauses](Pauses) of this process. If a failure ended the game, its
/// evidence comes with the record.
///
/// # Errors
/// The game was cancelled; or this process paused during a move that was legal and in time
/// nonetheless, and [`Terms::spare`] allows a repetition; or the machine could not start a program.
pub fn play_game(
    id: GameId,
    opening: &dyn AnyPosition,
    mut players: [&mut dyn Player; 2],
    variants: [usize; 2],
    terms: &Terms,
    cancel: &AtomicBool,
) -> Result<(GameRecord, Option<Evidence>), Halt> {
    for player in &mut players {
        player.new_game(id, opening, cancel);
    }
    let game = play_moves(opening, &mut players, variants, terms, cancel);
    let verdict = game.as_ref().ok().map(|(record, _)| record.verdict);
    for (player, side) in players.iter_mut().zip(Side::BOTH) {
        player.end_game(verdict.map(|it| it.half_points(side)), cancel);
    }
    game
}

/// Plays the moves of a game that the players are ready for.
fn play_moves(
    opening: &dyn AnyPosition,
    players: &mut [&mut dyn Player; 2],
    variants: [usize; 2],
    terms: &Terms,
    cancel: &AtomicBool,
) -> Result<(GameRecord, Option<Evidence>), Halt> {
    let mut line = opening.card().line(opening);
    let mut adjudicator = Adjudicator::new(&terms.adjudication);
    let limits = variants.map(|variant| terms.limits.get(variant).copied().unwrap_or_default());
    let mut clocks = Clocks::new(&limits);
    let mut plies = Vec::with_capacity(160);
    let mut times = MoveTimes {
        micros: Vec::with_capacity(160),
        late: None,
        reported: Vec::with_capacity(160),
        reports: Vec::new(),
    };
    let mut pv_warnings = Vec::new();
    let verdict = loop {
        let mover = line.position().side_to_move();
        let budget = clocks.budget(mover);
        let pauses = clocks.ticks_for(mover).then(Pauses::current);
        let started = Instant::now();
        let choice = players[mover.index()].choose(&*line, &budget, cancel);
        if cancel.load(Ordering::Relaxed) {
            return Err(Halt::Cancelled);
        }
        let elapsed = started.elapsed();
        let paused = pauses.and_then(Pauses::since);
        times.micros.push(micros(elapsed));
        let player = &mut players[mover.index()];
        let reported = player.reported_time().map(micros);
        times.reported.push(reported.unwrap_or(UNREPORTED));
        let best = choice.as_ref().ok().and_then(|choice| choice.mv);
        for warning in player.pv_warnings(&mut *line, &terms.rules, best) {
            PvWarnings::add(&mut pv_warnings, mover, warning);
        }
        let choice = match choice {
            Ok(choice) => choice,
            Err(Failure::NoResources) => {
                let symptoms = players[mover.index()].symptoms();
                let evidence = Evidence::at(line.position(), plies.len(), symptoms);
                return Err(Halt::NoResources(mover, Box::new(evidence)));
            }
            Err(failure) => break Verdict::win(mover.other(), failure.cause()),
        };
        let report = player.report();
        let timing = clocks.charge(mover, elapsed, paused);
        times.reports.extend(report.map(|report| MoveReport {
            left: report.at.and_then(|_| clocks.left(mover, timing)),
            ..report
        }));
        if let Timing::Late(late) = timing {
            times.late = Some(micros(late));
            break out_of_time(line.position(), mover);
        }
        let Some(mv) = choice.mv.filter(|&mv| line.position().is_legal(mv)) else {
            break Verdict::win(mover.other(), Cause::IllegalMove);
        };
        if timing == Timing::Paused && terms.spare.take() {
            return Err(Halt::Paused(mover));
        }
        plies.push(ply(mv, &choice));
        line.play(mv);
        let ended = line
            .verdict(&terms.rules)
            .or_else(|| by_tables(&terms.adjudication, line.position(), &terms.rules))
            .or_else(|| adjudicator.after(Step::to(line.position(), mover, choice.score)));
        if let Some(verdict) = ended {
            break verdict;
        }
        players[mover.index()].ponder(&*line, &clocks.budget(mover));
    };
    let has_failed = verdict.cause.is_failure();
    let failed = has_failed.then(|| line.position().side_to_move());
    let drawn_by = failed.filter(|_| verdict.winner.is_none());
    let evidence = failed.map(|side| {
        let symptoms = players[side.index()].symptoms();
        Evidence::at(line.position(), plies.len(), symptoms)
    });
    pv_warnings.sort_by_key(PvWarnings::order);
    plies.shrink_to_fit();
    times.micros.shrink_to_fit();
    if times.reported.iter().all(|&it| it == UNREPORTED) {
        times.reported.clear();
    }
    times.reported.shrink_to_fit();
    if let [_, between @ .., _] = times.reports.as_mut_slice() {
        for report in between {
            report.at = None;
        }
    }
    let record = GameRecord {
        first: variants[0],
        second: variants[1],
        plies,
        verdict,
        drawn_by,
        times,
        pv_warnings,
    };
    Ok((record, evidence))
}

/// The verdict when the time of `side` has run out: a draw if the opponent could not have won
/// either.
fn out_of_time(position: &dyn AnyPosition, side: Side) -> Verdict {
    if position.can_win(side.other()) {
        Verdict::win(side.other(), Cause::TimeForfeit)
    } else {
        Verdict::draw(Cause::TimeForfeit)
    }
}

/// Whole microseconds, up to the largest `u32`.
fn micros(time: Duration) -> u32 {
    u32::try_from(time.as_micros()).unwrap_or(u32::MAX)
}

fn ply(mv: leitai_game::Move, choice: &Choice) -> Ply {
    Ply {
        mv,
        score: choice.score.map(|score| score.clamp(-MATE, MATE) as i16),
        depth: choice.depth.min(255) as u8,
        nodes: u32::try_from(choice.nodes).unwrap_or(u32::MAX),
    }
}
