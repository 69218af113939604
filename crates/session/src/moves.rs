//! Maps observations of players to session events.

use std::sync::Arc;
use std::time::Duration;

use super::event::{Event, Listener};
use leitai_game::Cause;
use leitai_game::eval::{MATE, Score, mate_plies};
use leitai_players::player::{Budget, Choice, LONG_SILENCE, Observer, PlayerEvent, TimeBudget};
use leitai_runs::tournament::OnSilence;

/// Returns an observer that sends moves to the listener, or beginnings of games only, if it requests
/// them.
pub(super) fn observer(listener: &Arc<dyn Listener>) -> Option<Observer> {
    let listener = Arc::clone(listener);
    let (wants_games, wants_moves) = (listener.wants_games(), listener.wants_moves());
    let wants_variations = listener.wants_variations();
    wants_games.then(|| {
        Observer::new(wants_variations, move |seen| match seen {
            PlayerEvent::Started { player } if wants_moves => {
                listener.notify(&Event::PlayerStarted {
                    player: (*player).to_owned(),
                });
            }
            PlayerEvent::Moved { line, .. } if !(wants_moves || line.is_empty()) => {}
            PlayerEvent::Started { .. } => {}
            PlayerEvent::Ended {
                game,
                first_to_move,
                record,
            } => listener.game_ended(*game, *first_to_move, record),
            PlayerEvent::Moved {
                player,
                game,
                line,
                answer,
                variation,
                time,
                reported,
                budget,
            } => {
                let (player, ply) = ((*player).to_owned(), line.len() + 1);
                if line.is_empty() {
                    listener.notify(&Event::GameBegun {
                        game: *game,
                        to_move: player.clone(),
                        fen: line.position().to_fen(),
                    });
                }
                if !wants_moves {
                    return;
                }
                let cause = match answer {
                    Err(failure) => failure.cause(),
                    Ok(Choice { mv: None, .. }) => Cause::IllegalMove,
                    Ok(Choice {
                        mv: Some(mv),
                        score,
                        depth,
                        nodes,
                    }) => {
                        let card = line.position().card();
                        listener.notify(&Event::Move {
                            game: *game,
                            ply,
                            player,
                            mv: card.move_text(*mv),
                            score: score.map(|score| score.clamp(-MATE, MATE)),
                            mate: score.and_then(mate),
                            depth: *depth,
                            nodes: *nodes,
                            pv: variation.iter().map(|mv| card.move_text(*mv)).collect(),
                            seconds: time.as_secs_f64(),
                            reported_seconds: reported.map(|it| it.as_secs_f64()),
                            clocks: clocks(budget, *time),
                        });
                        return;
                    }
                };
                listener.notify(&Event::PlayerFailed {
                    game: *game,
                    ply,
                    player,
                    cause,
                });
            }
        })
    })
}

/// Returns a function that warns the listener of a player that has not moved for long.
pub(super) fn silence(listener: &Arc<dyn Listener>) -> OnSilence {
    let listener = Arc::clone(listener);
    OnSilence(Arc::new(move |player, game, stall| {
        listener.warn(format!(
            "`{player}` has not moved for {} s in game {} of pair {}: it may hang, or not know its \
             limit; it loses by a stall after {stall:?}",
            LONG_SILENCE.as_secs(),
            game.game,
            game.pair
        ));
    }))
}

/// Returns the clocks after a move of this duration.
fn clocks(budget: &Budget, time: Duration) -> Option<[f64; 2]> {
    let Some(TimeBudget::Clock(clock)) = budget.time else {
        return None;
    };
    let period = clock.period.filter(|period| period.to_go == 1);
    let gained = clock.increment + period.map_or(Duration::ZERO, |period| period.next);
    let passed = if clock.hourglass {
        time
    } else {
        Duration::ZERO
    };
    let clocks = [
        clock.remaining.saturating_sub(time) + gained,
        clock.opponent + passed,
    ];
    Some(clocks.map(|it| it.as_secs_f64()))
}

/// Returns the plies to the end of the game according to the score, negative if the mover loses.
fn mate(score: Score) -> Option<i32> {
    let plies = mate_plies(score.clamp(-MATE, MATE))?;
    let plies = i32::try_from(plies).ok()?;
    Some(if score < 0 { -plies } else { plies })
}

#[cfg(test)]
mod tests {
    use super::*;
    use leitai_players::player::{ClockTimes, Period};

    #[test]
    fn clocks_show_remaining_and_added_time() {
        let second = Duration::from_secs(1);
        let shown_by = |hourglass: bool, to_go: Option<u32>, taken: u32| {
            let period = to_go.map(|to_go| Period {
                moves: 40,
                time: 60 * second,
                next: 30 * second,
                to_go,
                opponent_to_go: None,
            });
            let time = Some(TimeBudget::Clock(ClockTimes {
                remaining: 3 * second,
                opponent: 5 * second,
                increment: second,
                opponent_increment: second,
                period,
                byoyomi: Duration::ZERO,
                opponent_byoyomi: Duration::ZERO,
                hourglass,
            }));
            let budget = Budget {
                nodes: None,
                depth: None,
                time,
            };
            clocks(&budget, taken * second)
        };
        let shown = |to_go, taken| shown_by(false, to_go, taken);
        assert_eq!(shown(None, 2), Some([2.0, 5.0]));
        assert_eq!(shown(Some(2), 2), Some([2.0, 5.0]));
        assert_eq!(shown(Some(1), 2), Some([32.0, 5.0]));
        assert_eq!(shown(None, 9), Some([1.0, 5.0]), "none is below zero");
        assert_eq!(shown_by(true, None, 2), Some([2.0, 7.0]));
        let budget = Budget {
            nodes: Some(9),
            depth: None,
            time: Some(TimeBudget::Move(second)),
        };
        assert_eq!(clocks(&budget, second), None);
    }
}
