//! Adjudication: ends a game when tables know its result, or the players have agreed on it for long
//! enough.

use leitai_config::{Adjudication, DrawReset, DrawStart, ResignBy};
use leitai_game::card::{AnyPosition, Rules};
use leitai_game::eval::{MAX_EVAL, Score};
use leitai_game::{Cause, Side, Verdict};

/// The verdict of the endgame tables, if they have the position and are enabled for adjudication.
pub(super) fn by_tables(
    adjudication: &Adjudication,
    position: &dyn AnyPosition,
    rules: &Rules,
) -> Option<Verdict> {
    let tables = adjudication.syzygy.as_ref()?;
    let verdict = tables.opened.verdict(position, rules)?;
    tables.results.include(verdict).then_some(verdict)
}

/// The facts about a ply that adjudication needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The side that moved.
    pub(super) mover: Side,
    /// The score from the mover's point of view; `None` if the player gave none.
    pub(super) score: Option<Score>,
    /// True if no earlier position can recur after it.
    pub(super) is_irreversible: bool,
    /// Number of the next move; `None` if positions do not count moves.
    pub(super) next_move: Option<u32>,
}

impl Step {
    /// The ply of `mover` with the given score, which led to `position`.
    pub(super) fn to(position: &dyn AnyPosition, mover: Side, score: Option<Score>) -> Self {
        Self {
            mover,
            score,
            is_irreversible: position.reversible_plies() == 0,
            next_move: position.move_number(),
        }
    }
}

/// Plies of the longest game without another limit: in some games play need not end.
const MOST_PLIES: u32 = 10_000;

/// Tracks the scores of one game.
#[derive(Clone, Debug)]
pub(super) struct Adjudicator<'a> {
    rules: &'a Adjudication,
    plies: u32,
    /// The side that the last plies saw ahead, and the number of consecutive plies.
    ahead: Option<(Side, u32)>,
    /// For each side, the number of its own last consecutive plies with a losing score.
    lost: [u32; 2],
    /// Number of the last consecutive plies with a score far from level.
    far: u32,
    level: u32,
}

impl<'a> Adjudicator<'a> {
    pub(super) fn new(rules: &'a Adjudication) -> Self {
        Self {
            rules,
            plies: 0,
            ahead: None,
            lost: [0; 2],
            far: 0,
            level: 0,
        }
    }

    /// Adds a ply and returns the verdict if the game ends here. A ply without a score breaks every
    /// run that it could be part of.
    pub(super) fn after(&mut self, step: Step) -> Option<Verdict> {
        self.plies += 1;
        let resigned = self.resigned(step.mover, step.score);
        let drawn = self.drawn(step);
        let too_long = self.plies >= self.rules.max_plies.unwrap_or(MOST_PLIES);
        resigned
            .or_else(|| drawn.then_some(Verdict::draw(Cause::DrawAdjudication)))
            .or_else(|| too_long.then_some(Verdict::draw(Cause::LengthAdjudication)))
    }

    fn resigned(&mut self, mover: Side, score: Option<Score>) -> Option<Verdict> {
        let rule = self.rules.resign?;
        // Scores of external engines are cut at this limit, and mates lie beyond.
        let most = rule.score.min(MAX_EVAL);
        if rule.by == ResignBy::Loser {
            let is_lost = score.is_some_and(|score| score <= -most);
            let run = &mut self.lost[mover.index()];
            *run = if is_lost { *run + 1 } else { 0 };
            let verdict = Verdict::win(mover.other(), Cause::ResignAdjudication);
            return (*run >= rule.plies).then_some(verdict);
        }
        if rule.by == ResignBy::Far {
            let is_far = score.is_some_and(|score| score.saturating_abs() >= most);
            self.far = if is_far { self.far + 1 } else { 0 };
            let is_behind = score.is_some_and(|score| score < 0);
            let verdict = Verdict::win(mover.other(), Cause::ResignAdjudication);
            return (self.far >= rule.plies && is_behind).then_some(verdict);
        }
        let side = match score {
            Some(score) if score >= most => mover,
            Some(score) if score <= -most => mover.other(),
            _ => {
                self.ahead = None;
                return None;
            }
        };
        let run = match self.ahead {
            Some((same, run)) if same == side => run + 1,
            _ => 1,
        };
        self.ahead = Some((side, run));
        (run >= rule.plies).then_some(Verdict::win(side, Cause::ResignAdjudication))
    }

    fn drawn(&mut self, step: Step) -> bool {
        let Some(rule) = self.rules.draw else {
            return false;
        };
        if rule.reset == DrawReset::Irreversible && step.is_irreversible {
            self.level = 0;
        }
        let is_level = |score: Score| {
            let far = score.saturating_abs();
            far <= rule.score && far < MAX_EVAL
        };
        self.level = if step.score.is_some_and(is_level) {
            self.level + 1
        } else {
            0
        };
        let is_late = match rule.start {
            DrawStart::AfterPly(ply) => self.plies >= ply,
            // A move is complete when the number of the next one is greater.
            DrawStart::AfterMove(number) => step.next_move.is_some_and(|next| next > number),
        };
        self.level >= rule.plies && is_late
    }
}

#[cfg(test)]
mod tests;
