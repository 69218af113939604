//! Ending a game early, when both players have long agreed how it will end.

use crate::config::Adjudication;
use crate::eval::Score;
use crate::game::{Cause, Side, Verdict};

/// Follows the scores of one game.
#[derive(Clone, Debug)]
pub(super) struct Adjudicator {
    rules: Adjudication,
    plies: u32,
    /// Side that the last plies saw ahead, and how many in a row.
    ahead: Option<(Side, u32)>,
    level: u32,
}

impl Adjudicator {
    pub(super) fn new(rules: Adjudication) -> Self {
        Self {
            rules,
            plies: 0,
            ahead: None,
            level: 0,
        }
    }

    /// Takes note of a ply by `mover`, with its score from its own point of
    /// view, and says whether the game ends here. A ply without a score breaks
    /// every run.
    pub(super) fn after(&mut self, mover: Side, score: Option<Score>) -> Option<Verdict> {
        self.plies += 1;
        let resigned = self.resigned(mover, score);
        let drawn = self.drawn(score);
        let too_long = self.rules.max_plies.is_some_and(|most| self.plies >= most);
        resigned
            .or_else(|| drawn.then_some(Verdict::draw(Cause::DrawAdjudication)))
            .or_else(|| too_long.then_some(Verdict::draw(Cause::LengthAdjudication)))
    }

    fn resigned(&mut self, mover: Side, score: Option<Score>) -> Option<Verdict> {
        let rule = self.rules.resign?;
        let side = match score {
            Some(score) if score >= rule.score => mover,
            Some(score) if score <= -rule.score => mover.other(),
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

    fn drawn(&mut self, score: Option<Score>) -> bool {
        let Some(rule) = self.rules.draw else {
            return false;
        };
        let level = score.is_some_and(|score| score.saturating_abs() <= rule.score);
        self.level = if level { self.level + 1 } else { 0 };
        self.level >= rule.plies && self.plies >= rule.after_ply
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{DrawRule, ResignRule};

    fn feed(rules: Adjudication, scores: &[Option<Score>]) -> Option<(usize, Verdict)> {
        let mut adjudicator = Adjudicator::new(rules);
        let mut mover = Side::First;
        for (ply, &score) in scores.iter().enumerate() {
            if let Some(verdict) = adjudicator.after(mover, score) {
                return Some((ply + 1, verdict));
            }
            mover = mover.other();
        }
        None
    }

    #[test]
    fn a_game_is_resigned_only_when_both_players_agree() {
        let rules = Adjudication {
            resign: Some(ResignRule {
                score: 500,
                plies: 4,
            }),
            ..Adjudication::default()
        };
        let lost = Verdict::win(Side::First, Cause::ResignAdjudication);
        let agree = [Some(500), Some(-700), Some(900), Some(-500)];
        assert_eq!(feed(rules, &agree), Some((4, lost)));
        // The second side does not see it.
        assert_eq!(feed(rules, &[Some(500), Some(-100)].repeat(6)), None);
        // Each believes that itself is winning.
        assert_eq!(feed(rules, &[Some(800), Some(800)].repeat(6)), None);
        // A player that gives no score breaks the run.
        let silent = [
            Some(900),
            Some(-900),
            Some(900),
            None,
            Some(900),
            Some(-900),
            Some(900),
        ];
        assert_eq!(feed(rules, &silent), None);
        let black = Verdict::win(Side::Second, Cause::ResignAdjudication);
        assert_eq!(
            feed(rules, &[Some(-600), Some(600)].repeat(2)),
            Some((4, black))
        );
    }

    #[test]
    fn no_score_is_too_large() {
        let rules = Adjudication {
            draw: Some(DrawRule {
                score: 10,
                plies: 2,
                after_ply: 0,
            }),
            ..Adjudication::default()
        };
        assert_eq!(
            feed(rules, &[Some(i32::MIN), Some(i32::MAX)].repeat(4)),
            None
        );
    }

    #[test]
    fn a_level_game_is_drawn_after_the_set_ply() {
        let rules = Adjudication {
            draw: Some(DrawRule {
                score: 10,
                plies: 3,
                after_ply: 6,
            }),
            ..Adjudication::default()
        };
        let drawn = Verdict::draw(Cause::DrawAdjudication);
        assert_eq!(feed(rules, &[Some(0); 9]), Some((6, drawn)));
        let late = [
            Some(0),
            Some(0),
            Some(0),
            Some(0),
            Some(11),
            Some(-10),
            Some(10),
            Some(0),
        ];
        assert_eq!(feed(rules, &late), Some((8, drawn)));
        assert_eq!(feed(rules, &[Some(-11); 30]), None);
    }

    #[test]
    fn a_long_game_ends_in_a_draw() {
        let rules = Adjudication {
            max_plies: Some(7),
            ..Adjudication::default()
        };
        let drawn = Verdict::draw(Cause::LengthAdjudication);
        assert_eq!(feed(rules, &[None; 20]), Some((7, drawn)));
        assert_eq!(feed(Adjudication::default(), &[Some(0); 2000]), None);
    }
}
