use leitai_game::Move;
use leitai_game::Position;
use leitai_game::search::internals::{Memory, Ordering};
use leitai_game::search::{History, LateMoveReductions, SearchParams, Stage, Tactics};
use leitai_xiangqi::Xiangqi;

fn memory(stages: &[Stage], penalty: bool) -> Memory {
    let params = SearchParams {
        ordering: stages.to_vec(),
        history: History {
            penalty,
            ..History::default()
        },
        ..SearchParams::default()
    };
    Memory::new::<Xiangqi>(&params, &Ordering::new(&params, Xiangqi::USUAL_ORDER))
}

fn position() -> Xiangqi {
    Xiangqi::initial()
}

/// A capture and three quiet moves of the initial position.
fn moves() -> [Move; 4] {
    ["b2b9", "h2e2", "a0a1", "c0e2"].map(|mv| position().parse_move(mv).unwrap())
}

#[test]
fn without_penalties_every_best_move_earns() {
    let [capture, quiet, other, third] = moves();
    let mut memory = memory(&[Stage::Killers, Stage::History], false);
    assert!(!memory.takes_penalties());
    memory.learn(&position(), 1, 3, capture, true, &[other]);
    memory.learn(&position(), 1, 2, quiet, false, &[other]);
    memory.learn(&position(), 1, 1, third, true, &[other]);
    let scores = [capture, quiet, other, third].map(|mv| memory.score(&position(), 1, mv));
    assert_eq!(scores, [9, 4, 0, 1]);
    assert_eq!(
        memory.killers(1),
        [Some(third), None],
        "a quiet one that cut off"
    );
    assert_eq!(memory.killers(0), [None, None]);
}

#[test]
fn with_penalties_cut_offs_gain_the_loss_of_others() {
    let [capture, quiet, other, third] = moves();
    let mut memory = memory(&[Stage::ContinuationHistory], true);
    assert!(memory.takes_penalties());
    memory.enter(&position(), 0, other);
    memory.learn(&position(), 1, 3, capture, true, &[other]);
    memory.learn(&position(), 1, 3, quiet, false, &[other]);
    let scores =
        |memory: &Memory| [capture, quiet, other, third].map(|mv| memory.score(&position(), 1, mv));
    assert_eq!(scores(&memory), [0; 4]);
    memory.learn(&position(), 1, 3, quiet, true, &[other, third]);
    // Once as a move, once as a reply.
    assert_eq!(scores(&memory), [0, 18, -18, -18]);
    assert_eq!(memory.history(&position(), quiet), 9);
}

#[test]
fn history_has_the_weights_of_the_parameters() {
    let [capture, quiet, other, third] = moves();
    let learnt = |penalty| {
        let params = SearchParams {
            ordering: vec![Stage::ContinuationHistory],
            history: History {
                penalty,
                best: 25,
                captures: 300,
                debit: 200,
                replies: 50,
                ..History::default()
            },
            ..SearchParams::default()
        };
        let ordering = Ordering::new(&params, Xiangqi::USUAL_ORDER);
        let mut memory = Memory::new::<Xiangqi>(&params, &ordering);
        memory.enter(&position(), 0, other);
        memory.learn(&position(), 1, 4, capture, true, &[]);
        memory.learn(&position(), 1, 4, quiet, false, &[]);
        memory.learn(&position(), 1, 4, third, true, &[other]);
        [capture, quiet, other, third].map(|mv| {
            let history = memory.history(&position(), mv);
            (history, memory.score(&position(), 1, mv) - history)
        })
    };
    assert_eq!(learnt(false), [(48, 24), (4, 2), (0, 0), (16, 8)]);
    assert_eq!(learnt(true), [(0, 0), (0, 0), (-32, -16), (16, 8)]);
}

#[test]
fn answers_follow_the_last_two_moves_of_the_path() {
    let [_, first, second, best] = moves();
    let mut memory = memory(&[Stage::ContinuationHistory], false);
    let answers = |memory: &Memory, ply| {
        memory.score(&position(), ply, best) - memory.history(&position(), best)
    };
    memory.enter(&position(), 4, first);
    memory.enter(&position(), 5, second);
    memory.learn(&position(), 6, 2, best, false, &[]);
    assert_eq!(answers(&memory, 6), 8);
    // Later moves do not change the path above the node.
    memory.enter(&position(), 6, best);
    assert_eq!(answers(&memory, 6), 8);
    // The same moves at another ply, then one of them alone.
    memory.enter(&position(), 0, first);
    assert_eq!(answers(&memory, 1), 0, "it was two moves before");
    memory.enter(&position(), 1, second);
    assert_eq!(answers(&memory, 2), 8);
    memory.enter(&position(), 0, second);
    assert_eq!(answers(&memory, 2), 4);
    assert_eq!(answers(&memory, 1), 4);
    // A null move has no continuation scores.
    memory.enter_null(1);
    assert_eq!(answers(&memory, 2), 0);
    assert_eq!(answers(&memory, 0), 0);
    memory.enter(&position(), 0, first);
    assert_eq!(answers(&memory, 2), 4);
    assert_eq!(answers(&memory, 10_000), 0, "beyond the plies");
    memory.enter(&position(), 10_000, first);
}

#[test]
fn a_move_that_nothing_answers_earns() {
    let [_, first, second, best] = moves();
    let params = SearchParams {
        ordering: vec![Stage::ContinuationHistory],
        history: History {
            prior: 50,
            ..History::default()
        },
        ..SearchParams::default()
    };
    let mut memory = Memory::new::<Xiangqi>(&params, &Ordering::new(&params, Xiangqi::USUAL_ORDER));
    memory.enter(&position(), 0, first);
    memory.enter(&position(), 1, second);
    memory.credit_prior(2, 4);
    // Half of the bonus of depth 4: as a move, and as a reply to the move before.
    assert_eq!(memory.history(&position(), second), 8);
    assert_eq!(memory.score(&position(), 1, second), 16);
    assert_eq!(memory.score(&position(), 1, best), 0);
    memory.credit_prior(0, 4);
    memory.enter_null(1);
    memory.credit_prior(2, 4);
    assert_eq!(
        memory.score(&position(), 1, second),
        16,
        "no move, no credit"
    );
    assert_eq!(memory.score(&position(), 1, first), 0);
}

#[test]
fn a_far_look_goes_four_plies_back() {
    let [capture, first, second, best] = moves();
    for far in [false, true] {
        let params = SearchParams {
            ordering: vec![Stage::ContinuationHistory],
            history: History {
                far,
                ..History::default()
            },
            ..SearchParams::default()
        };
        let mut memory =
            Memory::new::<Xiangqi>(&params, &Ordering::new(&params, Xiangqi::USUAL_ORDER));
        for (ply, mv) in [first, capture, capture, second].into_iter().enumerate() {
            memory.enter(&position(), ply as u32, mv);
        }
        memory.learn(&position(), 4, 2, best, false, &[]);
        // Another path with the same move only four plies back.
        memory.enter(&position(), 2, second);
        memory.enter(&position(), 3, capture);
        let answers = memory.score(&position(), 4, best) - memory.history(&position(), best);
        assert_eq!(answers, if far { 4 } else { 0 });
    }
}

#[test]
fn a_counter_move_answers_the_last_move() {
    let [capture, first, second, best] = moves();
    let mut memory = memory(&[Stage::CounterMove], false);
    memory.learn(&position(), 0, 1, best, true, &[]);
    assert_eq!(memory.counter_move(0), None, "nothing came before");
    memory.enter(&position(), 2, first);
    memory.learn(&position(), 3, 1, capture, true, &[]);
    memory.learn(&position(), 3, 1, second, false, &[]);
    assert_eq!(memory.counter_move(3), None, "no quiet cut-off");
    memory.learn(&position(), 3, 1, best, true, &[]);
    memory.enter(&position(), 6, first);
    assert_eq!(memory.counter_move(7), Some(best));
    memory.enter(&position(), 7, second);
    assert_eq!(memory.counter_move(8), None);
    memory.enter_null(6);
    assert_eq!(memory.counter_move(7), None);
}

#[test]
fn a_new_search_ages_and_a_new_game_forgets() {
    let [_, first, second, best] = moves();
    let mut memory = memory(
        &[
            Stage::Killers,
            Stage::CounterMove,
            Stage::ContinuationHistory,
        ],
        false,
    );
    memory.enter(&position(), 0, first);
    memory.enter(&position(), 1, second);
    memory.learn(&position(), 2, 4, best, true, &[]);
    let known = |memory: &Memory| {
        let killer = memory.killers(2)[0].is_some();
        let counter = memory.counter_move(2).is_some();
        (killer, counter, memory.score(&position(), 2, best))
    };
    assert_eq!(known(&memory), (true, true, 48));
    memory.new_search();
    assert_eq!(known(&memory), (false, true, 40));
    memory.learn(&position(), 2, 4, best, true, &[]);
    memory.new_game();
    assert_eq!(known(&memory), (false, false, 0));
}

#[test]
fn only_requested_values_are_kept() {
    for (stages, expected) in [
        (
            &[Stage::ByPiece, Stage::History][..],
            (false, false, false, false),
        ),
        (&[Stage::History], (true, false, false, false)),
        (&[Stage::ContinuationHistory], (true, true, false, false)),
        (
            &[Stage::Killers, Stage::CounterMove],
            (false, false, true, true),
        ),
    ] {
        assert_eq!(memory(stages, true).parts(), expected);
    }
    // Reductions may use history with any ordering.
    for (history, expected) in [(0, false), (1, true)] {
        let params = SearchParams {
            ordering: vec![],
            late_move_reductions: Some(LateMoveReductions {
                history,
                ..LateMoveReductions::default()
            }),
            ..SearchParams::default()
        };
        let memory = Memory::new::<Xiangqi>(&params, &Ordering::new(&params, Xiangqi::USUAL_ORDER));
        assert_eq!(memory.parts(), (expected, false, false, false));
    }
}
