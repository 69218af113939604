//! The search task of `go` and earlier commands, with the positions and moves that these name.

use std::time::Duration;

use super::command::{Go, PositionText, Thinking};
use super::options::Options;
use crate::player::share_of_clock;
use leitai_base::settings::Settings;
use leitai_game::card::{AnyLine, GameCard, GameChoice, Rules, Ways};
use leitai_game::search::{RootMoves, SearchLimits};
use leitai_game::{Move, Side};
use leitai_protocols::UCI;

/// Limit of moves in a game: more than any game has, and within the range of every counter.
const LONGEST_GAME: usize = 20_000;

/// Adds a move unless it is already in the list.
pub(super) fn push(moves: &mut Vec<Move>, mv: Move) {
    if !moves.contains(&mv) {
        moves.push(mv);
    }
}

/// Formats a move in engine notation under these rules.
pub(super) fn written(card: &dyn GameCard, mv: Move, rules: &Rules) -> String {
    card.move_for(&Ways::of(UCI).under(*rules), mv)
}

/// The game to search.
#[derive(Clone)]
pub(super) struct Position {
    /// The game up to the present position.
    pub(super) line: Box<dyn AnyLine>,
    /// The rules for the rest of the game.
    pub(super) rules: Rules,
}

/// Replays the game of a received position, or returns the problem.
pub(super) fn read_position(game: &GameChoice, text: &PositionText) -> Result<Position, String> {
    let (start, rules) = match &text.fen {
        None => (game.initial(), game.rules),
        Some(fen) => {
            let read = game.card.read_request(fen, &game.rules);
            read.map_err(|error| format!("position refused: {error}"))?
        }
    };
    if text.moves.len() > LONGEST_GAME {
        return Err(format!(
            "position refused: {} moves, at most {LONGEST_GAME}",
            text.moves.len()
        ));
    }
    let line = game.card.line(&*start);
    let mut position = Position { line, rules };
    for (index, text) in text.moves.iter().enumerate() {
        let mv = read_move(&position, text).map_err(|reason| {
            let fen = position.line.position().to_fen();
            format!("position refused: ply {}: {reason} in {fen}", index + 1)
        })?;
        position.line.play(mv);
    }
    position.rules = position.line.position().continuation_rules(&rules);
    Ok(position)
}

/// Parses a move in engine notation, also with other values of rules that programs choose: castling
/// in both forms, regardless of the Chess960 option. Other notations are errors.
pub(super) fn read_move(Position { line, rules }: &Position, text: &str) -> Result<Move, String> {
    let position = line.position();
    let mv = position.parse_move(text);
    let mv = mv.map_err(|error| error.to_string())?;
    let card = position.card();
    let is_it = |rules: &Rules| written(card, mv, rules).eq_ignore_ascii_case(text);
    let mut chosen = card.facts().rule_options.iter();
    if is_it(rules) || chosen.any(|(_, name)| is_it(&flipped(rules, name))) {
        Ok(mv)
    } else {
        let written = written(card, mv, rules);
        Err(format!("`{text}` is not written as `{written}`"))
    }
}

/// Returns the rules with the named on-off rule flipped.
fn flipped(rules: &Rules, name: &str) -> Rules {
    let mut rules = *rules;
    if let Some(place) = rules.list().iter().position(|rule| rule.name == name) {
        rules.set(place, i64::from(rules.get(place) == 0));
    }
    rules
}

/// A search task.
pub(super) struct SearchTask {
    pub(super) position: Position,
    pub(super) limits: SearchLimits,
    pub(super) roots: RootMoves,
}

/// Builds the task of a `go`, or returns the reason why nothing can be searched. Passes ignored
/// parts to `remark`.
pub(super) fn read_task(
    go: &Go,
    position: Option<&Position>,
    banned: &[Move],
    options: &Options,
    remark: &dyn Fn(&str),
) -> Result<SearchTask, String> {
    let refused = "nothing to search: the last position was refused";
    let position = position.ok_or(refused)?;
    let mate = go.mate.map(|moves| moves.saturating_mul(2));
    let limits = SearchLimits {
        nodes: go.nodes,
        depth: go.depth.into_iter().chain(mate).min(),
    };
    let unlimited = limits == SearchLimits::default() && go.thinking == Thinking::Unlimited;
    if unlimited && !go.problems.is_empty() && !go.infinite && !go.ponder {
        return Err("the search has no readable limit".to_owned());
    }
    let mut task = SearchTask {
        position: position.clone(),
        limits,
        roots: RootMoves {
            excluded: excluded(position, banned, &go.only, remark),
            lines: options.lines(),
        },
    };
    if options.params().solver.is_some() {
        fit_solver(&mut task, remark);
    }
    Ok(task)
}

/// Removes limits that a solver ignores: nodes and time limit it, and it searches one line among
/// all moves.
fn fit_solver(task: &mut SearchTask, remark: &dyn Fn(&str)) {
    if task.limits.depth.take().is_some() {
        remark("a depth does not limit a solver: give it nodes or a time");
    }
    if !task.roots.excluded.is_empty() {
        remark("a solver searches all moves: none is excluded");
    }
    task.roots = RootMoves {
        excluded: Vec::new(),
        lines: 1,
    };
}

/// Returns the moves to exclude: the banned ones, and all except the legal moves in `only`, if
/// there are any.
fn excluded(
    position: &Position,
    banned: &[Move],
    only: &[String],
    remark: &dyn Fn(&str),
) -> Vec<Move> {
    let mut chosen = Vec::new();
    for text in only {
        match read_move(position, text) {
            Ok(mv) => push(&mut chosen, mv),
            Err(reason) => remark(&format!("`searchmoves`: {reason}: ignored")),
        }
    }
    let mut excluded = banned.to_vec();
    if chosen.is_empty() {
        return excluded;
    }
    for mv in position.line.position().moves() {
        if !chosen.contains(&mv) {
            push(&mut excluded, mv);
        }
    }
    excluded
}

/// Returns the thinking time of `mover`; `None` without a limit. `overhead` is the time that
/// communication may take; the function subtracts it, but at most half of the time. From a fixed
/// time per move it subtracts at most a tenth if the overhead is the usual one: half would be a
/// large part of such a short time, and a user who sets so little time accepts slight overruns.
pub(super) fn time_for(thinking: Thinking, mover: Side, overhead: Duration) -> Option<Duration> {
    match thinking {
        Thinking::Unlimited => None,
        Thinking::Move(time) => {
            let most = if overhead <= DEFAULT_OVERHEAD { 10 } else { 2 };
            Some(less(time, overhead, most))
        }
        Thinking::Clock {
            remaining,
            increment,
            moves_to_go,
            byoyomi,
        } => {
            let ours = remaining[mover.index()].or(remaining[mover.other().index()]);
            let remaining = less(ours.unwrap_or_default(), overhead, 2);
            let byoyomi = less(byoyomi, overhead, 2);
            let increment = increment[mover.index()];
            Some(byoyomi + share_of_clock(remaining, increment, moves_to_go))
        }
    }
}

/// The overhead unless the other program sets one: one machine, pipes, and a scheduler that is late
/// now and then.
pub(super) const DEFAULT_OVERHEAD: Duration = Duration::from_millis(10);

/// Subtracts the overhead from `time`, at most the `most`th part.
fn less(time: Duration, overhead: Duration, most: u32) -> Duration {
    time.saturating_sub(overhead.min(time / most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_shared_out_as_in_a_tournament() {
        let ms = Duration::from_millis;
        let clock = |moves_to_go| Thinking::Clock {
            remaining: [Some(ms(10_000)), None],
            increment: [ms(100), ms(0)],
            moves_to_go,
            byoyomi: Duration::ZERO,
        };
        let time = |thinking| time_for(thinking, Side::First, Duration::ZERO);
        assert_eq!(time(clock(None)), Some(ms(475)));
        assert_eq!(time(clock(Some(100))), Some(ms(475)));
        assert_eq!(time(clock(Some(9))), Some(ms(1075)));
        assert_eq!(time(clock(Some(1))), Some(ms(5_075)));
        assert_eq!(time(clock(Some(2))), Some(ms(10_000) / 3 + ms(75)));
        assert_eq!(time(Thinking::Move(ms(5))), Some(ms(5)));
        assert_eq!(time(Thinking::Unlimited), None);
        // A missing clock is assumed to equal the other side's.
        let other = time_for(clock(None), Side::Second, ms(0));
        assert_eq!(other, Some(ms(400)));
        let short = |time| time_for(Thinking::Move(ms(time)), Side::First, ms(10));
        assert_eq!(short(100), Some(ms(90)));
        assert_eq!(short(10), Some(ms(9)));
        assert_eq!(short(0), Some(Duration::ZERO));
        // An explicit overhead may take more.
        let long = |time| time_for(Thinking::Move(ms(time)), Side::First, ms(500));
        assert_eq!(long(2000), Some(ms(1500)));
        assert_eq!(long(10), Some(ms(5)));
        let little = Thinking::Clock {
            remaining: [Some(ms(10)); 2],
            increment: [ms(0); 2],
            moves_to_go: Some(1),
            byoyomi: Duration::ZERO,
        };
        let half_of_half = Some(Duration::from_micros(2_500));
        assert_eq!(time_for(little, Side::First, ms(10)), half_of_half);
        let last = time_for(clock(Some(1)), Side::First, ms(10));
        assert_eq!(last, Some(ms(5_070)));
    }
}
