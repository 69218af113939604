//! The game loop. The referee is ours: legality, history rules and the end of
//! the game are judged here, whatever the players believe.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::adjudication::Adjudicator;
use super::clock::Clocks;
use super::record::{GameRecord, Ply};
use crate::config::{Adjudication, Limits};
use crate::eval::MATE;
use crate::game::{Cause, Line, Position, Verdict};
use crate::player::{Choice, GameId, Player};

/// The terms under which all games of a run are played.
#[derive(Clone, Debug)]
pub struct Terms<P: Position> {
    /// The game's history rules.
    pub rules: P::Rules,
    /// What each variant may spend on a move.
    pub limits: Vec<Limits>,
    /// When a game is ended early.
    pub adjudication: Adjudication,
}

/// Plays the game `id` from `opening`, which must not be over: `players[0]`,
/// variant `variants[0]` of the terms, has the first side. `None` if it was cancelled.
///
/// Under a clock its time, and what the opponent has, are told to the players;
/// measured is from the question to the answer.
pub fn play_game<P: Position>(
    id: GameId,
    opening: &P,
    mut players: [&mut dyn Player<P>; 2],
    variants: [usize; 2],
    terms: &Terms<P>,
    cancel: &AtomicBool,
) -> Option<GameRecord> {
    for player in &mut players {
        player.new_game(id, opening, cancel);
    }
    let mut line = Line::new(opening.clone());
    let mut adjudicator = Adjudicator::new(terms.adjudication);
    let limits = variants.map(|variant| terms.limits.get(variant).copied().unwrap_or_default());
    let mut clocks = Clocks::new(limits);
    let mut plies = Vec::with_capacity(160);
    let verdict = loop {
        let mover = line.position().side_to_move();
        let budget = clocks.budget(mover);
        let started = clocks.ticks_for(mover).then(Instant::now);
        let choice = players[mover.index()].choose(&line, &budget, cancel);
        if cancel.load(Ordering::Relaxed) {
            return None;
        }
        let choice = match choice {
            Ok(choice) => choice,
            Err(failure) => break Verdict::win(mover.other(), failure.cause()),
        };
        let spent = started.map_or(Duration::ZERO, |start| start.elapsed());
        if !clocks.book(mover, spent) {
            break Verdict::win(mover.other(), Cause::TimeForfeit);
        }
        let Some(mv) = choice.mv.filter(|&mv| line.position().is_legal(mv)) else {
            break Verdict::win(mover.other(), Cause::IllegalMove);
        };
        plies.push(ply(mv, &choice));
        line.play(mv);
        let ended = line
            .verdict(terms.rules)
            .or_else(|| adjudicator.after(mover, choice.score));
        if let Some(verdict) = ended {
            break verdict;
        }
    };
    plies.shrink_to_fit();
    Some(GameRecord {
        first: variants[0],
        second: variants[1],
        plies,
        verdict,
    })
}

fn ply(mv: crate::game::Move, choice: &Choice) -> Ply {
    Ply {
        mv,
        score: choice.score.map(|score| score.clamp(-MATE, MATE) as i16),
        depth: choice.depth.min(255) as u8,
        nodes: u32::try_from(choice.nodes).unwrap_or(u32::MAX),
    }
}
