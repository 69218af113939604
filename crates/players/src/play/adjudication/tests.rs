use super::*;
use leitai_config::{DrawRule, ResignRule};

/// Returns the ply at which a game with these scores ends, from the first side's move 1 on, and its
/// verdict; `irreversible` lists the irreversible plies.
fn feed_with(
    rules: &Adjudication,
    scores: &[Option<Score>],
    irreversible: &[usize],
) -> Option<(usize, Verdict)> {
    let mut adjudicator = Adjudicator::new(rules);
    let mut mover = Side::First;
    for (ply, &score) in (1..).zip(scores) {
        let step = Step {
            mover,
            score,
            is_irreversible: irreversible.contains(&ply),
            next_move: Some(1 + ply as u32 / 2),
        };
        if let Some(verdict) = adjudicator.after(step) {
            return Some((ply, verdict));
        }
        mover = mover.other();
    }
    None
}

fn feed(rules: &Adjudication, scores: &[Option<Score>]) -> Option<(usize, Verdict)> {
    feed_with(rules, scores, &[])
}

#[test]
fn a_game_is_resigned_only_when_both_players_agree() {
    let rules = Adjudication {
        resign: Some(ResignRule {
            score: 500,
            plies: 4,
            by: ResignBy::Both,
        }),
        ..Adjudication::default()
    };
    let lost = Verdict::win(Side::First, Cause::ResignAdjudication);
    let agree = [Some(500), Some(-700), Some(900), Some(-500)];
    assert_eq!(feed(&rules, &agree), Some((4, lost)));
    // The second side does not agree.
    assert_eq!(feed(&rules, &[Some(500), Some(-100)].repeat(6)), None);
    // Each side believes that it is winning.
    assert_eq!(feed(&rules, &[Some(800), Some(800)].repeat(6)), None);
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
    assert_eq!(feed(&rules, &silent), None);
    let black = Verdict::win(Side::Second, Cause::ResignAdjudication);
    assert_eq!(
        feed(&rules, &[Some(-600), Some(600)].repeat(2)),
        Some((4, black))
    );
}

/// Scores of external engines are cut at 9,000, and a mate in ten plies is 9,990.
#[test]
fn a_decided_score_meets_every_threshold() {
    for (threshold, by) in [
        (9_001, ResignBy::Both),
        (9_999, ResignBy::Both),
        (10_000, ResignBy::Both),
        (9_999, ResignBy::Loser),
    ] {
        let rules = Adjudication {
            resign: Some(ResignRule {
                score: threshold,
                plies: 2,
                by,
            }),
            draw: Some(DrawRule {
                score: threshold,
                plies: 2,
                start: DrawStart::AfterPly(0),
                reset: DrawReset::Never,
            }),
            ..Adjudication::default()
        };
        let lost = Verdict::win(Side::Second, Cause::ResignAdjudication);
        for seen in [MAX_EVAL, 9_200, 9_990] {
            let told = feed(&rules, &[Some(-seen), Some(seen)].repeat(2));
            assert_eq!(told.map(|told| told.1), Some(lost), "{threshold} {seen}");
        }
        // Lower scores are no resignation, and count as level by such a rule.
        let told = feed(&rules, &[Some(1 - MAX_EVAL), Some(MAX_EVAL - 1)]);
        let drawn = Verdict::draw(Cause::DrawAdjudication);
        assert_eq!(told, Some((2, drawn)));
    }
}

#[test]
fn no_score_is_too_large() {
    let rules = Adjudication {
        draw: Some(DrawRule {
            score: 10,
            plies: 2,
            start: DrawStart::AfterPly(0),
            reset: DrawReset::Never,
        }),
        ..Adjudication::default()
    };
    assert_eq!(
        feed(&rules, &[Some(i32::MIN), Some(i32::MAX)].repeat(4)),
        None
    );
}

#[test]
fn a_level_game_is_drawn_after_the_set_ply() {
    let rules = Adjudication {
        draw: Some(DrawRule {
            score: 10,
            plies: 3,
            start: DrawStart::AfterPly(6),
            reset: DrawReset::Never,
        }),
        ..Adjudication::default()
    };
    let drawn = Verdict::draw(Cause::DrawAdjudication);
    assert_eq!(feed(&rules, &[Some(0); 9]), Some((6, drawn)));
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
    assert_eq!(feed(&rules, &late), Some((8, drawn)));
    assert_eq!(feed(&rules, &[Some(-11); 30]), None);
}

#[test]
fn a_long_game_ends_in_a_draw() {
    let rules = Adjudication {
        max_plies: Some(7),
        ..Adjudication::default()
    };
    let drawn = Verdict::draw(Cause::LengthAdjudication);
    assert_eq!(feed(&rules, &[None; 20]), Some((7, drawn)));
    assert_eq!(feed(&Adjudication::default(), &[Some(0); 2000]), None);
}

fn by_loser(score: Score, plies: u32) -> Adjudication {
    Adjudication {
        resign: Some(ResignRule {
            score,
            plies,
            by: ResignBy::Loser,
        }),
        ..Adjudication::default()
    }
}

#[test]
fn a_loser_is_believed_alone() {
    let rules = by_loser(600, 3);
    // The first side has a losing score from ply 3 on: ply 7 is its third such score.
    let scores = [0, 0, -600, 50, -601, -900, -700, 0].map(Some);
    let lost = Verdict::win(Side::Second, Cause::ResignAdjudication);
    assert_eq!(feed(&rules, &scores), Some((7, lost)));
    // The winner's score does not matter.
    assert_eq!(feed(&rules, &[Some(0), Some(900)].repeat(9)), None);
    // Each side has a run of its own.
    let both = Verdict::win(Side::First, Cause::ResignAdjudication);
    let scores = [0, -600, -600, -600, -599, -600].map(Some);
    assert_eq!(feed(&rules, &scores), Some((6, both)));
    assert_eq!(feed(&rules, &[Some(-599); 30]), None);
}

#[test]
fn a_loser_that_is_silent_or_hopes_again_begins_anew() {
    let rules = by_loser(600, 3);
    let own = |scores: [Option<Score>; 6]| {
        let scores = scores.map(|score| [score, Some(0)]);
        feed(&rules, scores.as_flattened())
    };
    let lost = Verdict::win(Side::Second, Cause::ResignAdjudication);
    let bad = Some(-700);
    assert_eq!(own([bad, bad, None, bad, bad, bad]), Some((11, lost)));
    assert_eq!(own([bad, bad, Some(-599), bad, bad, None]), None);
    // The opponent's missing scores do not matter.
    let scores = [bad, None].repeat(3);
    assert_eq!(feed(&rules, &scores), Some((5, lost)));
}

#[test]
fn a_mate_is_lost_by_any_measure() {
    let rules = by_loser(leitai_game::eval::MATE, 2);
    let mate = leitai_game::eval::MATE - 20;
    let lost = Verdict::win(Side::Second, Cause::ResignAdjudication);
    let scores = [-mate, mate, -mate].map(Some);
    assert_eq!(feed(&rules, &scores), Some((3, lost)));
    // A mate score for the mover is no resignation.
    assert_eq!(feed(&rules, &[Some(mate); 30]), None);
    assert_eq!(feed(&rules, &[Some(-8_000); 30]), None);
    assert_eq!(
        feed(&rules, &[Some(i32::MIN); 3]),
        Some((3, Verdict::win(Side::Second, Cause::ResignAdjudication)))
    );
}

fn level(plies: u32, start: DrawStart, reset: DrawReset) -> Adjudication {
    Adjudication {
        draw: Some(DrawRule {
            score: 8,
            plies,
            start,
            reset,
        }),
        ..Adjudication::default()
    }
}

#[test]
fn draws_begin_when_both_have_made_the_move_of_that_number() {
    let drawn = Verdict::draw(Cause::DrawAdjudication);
    let scores = [Some(0); 40];
    let rules = level(4, DrawStart::AfterMove(5), DrawReset::Never);
    assert_eq!(feed(&rules, &scores), Some((10, drawn)));
    let rules = level(4, DrawStart::AfterMove(0), DrawReset::Never);
    assert_eq!(feed(&rules, &scores), Some((4, drawn)));
    // Without move numbers no game is drawn.
    let rules = level(1, DrawStart::AfterMove(0), DrawReset::Never);
    let mut adjudicator = Adjudicator::new(&rules);
    let step = Step {
        mover: Side::First,
        score: Some(0),
        is_irreversible: false,
        next_move: None,
    };
    assert_eq!(adjudicator.after(step), None);
}

#[test]
fn an_irreversible_move_is_the_first_of_a_new_run() {
    let drawn = Verdict::draw(Cause::DrawAdjudication);
    let scores = [Some(0); 40];
    let rules = level(6, DrawStart::AfterPly(0), DrawReset::Irreversible);
    assert_eq!(feed_with(&rules, &scores, &[]), Some((6, drawn)));
    assert_eq!(feed_with(&rules, &scores, &[4]), Some((9, drawn)));
    assert_eq!(feed_with(&rules, &scores, &[4, 8, 12]), Some((17, drawn)));
    assert_eq!(feed_with(&rules, &scores, &[6]), Some((11, drawn)));
    let rules = level(6, DrawStart::AfterPly(0), DrawReset::Never);
    assert_eq!(feed_with(&rules, &scores, &[4]), Some((6, drawn)));
}

/// The two-sided rule of fastchess: whichever side is ahead, and only after a move of the side behind.
#[test]
fn a_game_far_from_level_ends_after_a_move_of_the_side_behind() {
    let rules = Adjudication {
        resign: Some(ResignRule {
            score: 500,
            plies: 3,
            by: ResignBy::Far,
        }),
        ..Adjudication::default()
    };
    let won = |side| Verdict::win(side, Cause::ResignAdjudication);
    for (scores, end) in [
        (vec![600, -600, 600, -600], Some((4, won(Side::First)))),
        (vec![-600, 600, -600], Some((3, won(Side::Second)))),
        // Both see themselves ahead, then the first sees itself behind.
        (vec![600, 600, 600, 600, -500], Some((5, won(Side::Second)))),
        (vec![-600, -499, -600, -600], None),
    ] {
        let scores: Vec<_> = scores.into_iter().map(Some).collect();
        assert_eq!(feed(&rules, &scores), end);
    }
}
