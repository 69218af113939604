//! Exact scores, compared with plain minimax and with published ones, and under limits.

use proptest::prelude::*;

use super::*;
use leitai_game::{MoveList, Position, Side};

const WINNER: OthelloRules = OthelloRules {
    empties: EmptySquares::Winner,
};
const NOBODY: OthelloRules = OthelloRules {
    empties: EmptySquares::Nobody,
};

const ALL: SolverLimits = SolverLimits {
    nodes: None,
    all_moves: true,
};

/// The score by full search.
fn minimax(position: &mut Othello, rules: OthelloRules) -> i32 {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let mut best = None;
    for mv in moves {
        let undo = position.make(mv);
        best = best.max(Some(-minimax(position, rules)));
        position.unmake(mv, undo);
    }
    best.unwrap_or_else(|| position.final_score(position.side_to_move(), rules))
}

fn solve(position: &Othello, rules: OthelloRules, limits: SolverLimits) -> Solution {
    Solver::new(1).solve(position, rules, limits, &|| false, |_| ())
}

/// Any placement of discs with at most seven empty squares. `thin` makes one side rare, so that
/// passes, early ends and wipe-outs are frequent.
fn any_end() -> impl Strategy<Value = Othello> {
    (
        prop::collection::vec(0_u32..64, 0..=7),
        any::<u64>(),
        prop::sample::select(vec![0_u8, 1, 2]),
        any::<[u64; 2]>(),
        any::<bool>(),
    )
        .prop_map(|(empties, discs, thin, more, first)| {
            let taken = !empties.iter().fold(0, |set, square| set | 1_u64 << square);
            let discs = match thin {
                0 => discs,
                1 => discs & more[0],
                _ => discs & more[0] & more[1],
            };
            let side = if first { Side::First } else { Side::Second };
            Othello::new(taken & discs, taken & !discs, side).unwrap()
        })
}

/// Plays a line and returns the final position; `None` if a move is not legal.
fn play(position: &Othello, moves: &[Move]) -> Option<Othello> {
    let mut position = *position;
    for &mv in moves {
        if !position.is_legal(mv) {
            return None;
        }
        position.make(mv);
    }
    Some(position)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn scores_are_those_of_minimax(position in any_end(), winner in any::<bool>()) {
        let rules = if winner { WINNER } else { NOBODY };
        let side = position.side_to_move();
        let score = minimax(&mut position.clone(), rules);
        let solution = solve(&position, rules, SolverLimits::default());
        prop_assert_eq!(solution.score(), Some(score));

        let end = play(&position, &solution.pv).expect("legal moves");
        prop_assert_eq!(end.count_legal_moves(), 0, "the line goes to the end");
        prop_assert_eq!(end.final_score(side, rules), score);
        prop_assert_eq!(solution.best, solution.pv.first().copied());

        let all = solve(&position, rules, ALL);
        prop_assert_eq!(all.score(), Some(score));
        prop_assert_eq!(all.moves.len(), position.count_legal_moves());
        for &(mv, its) in &all.moves {
            let mut after = position;
            after.make(mv);
            prop_assert_eq!(its, -minimax(&mut after, rules));
        }
    }

    /// The solver never exceeds a node limit, and the bounds that it reports are true.
    #[test]
    fn limits_are_kept_and_bounds_are_true(
        position in any_end(), nodes in 0_u64..300, all_moves in any::<bool>(),
    ) {
        let score = minimax(&mut position.clone(), WINNER);
        let limits = SolverLimits { nodes: Some(nodes), all_moves };
        let solution = solve(&position, WINNER, limits);
        prop_assert!(solution.nodes <= nodes);
        prop_assert!((solution.lower..=solution.upper).contains(&score));
        prop_assert_eq!(solution.best.is_none(), position.count_legal_moves() == 0);
        prop_assert!(solution.best.is_none_or(|best| position.is_legal(best)));
        prop_assert!(play(&position, &solution.pv).is_some());
        prop_assert_eq!(solve(&position, WINNER, limits), solution, "and the same again");
    }
}

/// The problems of an OBF file: position, best score, and the text behind `%`.
fn problems(text: &str) -> Vec<(Othello, i32, &str)> {
    text.lines()
        .filter(|line| !line.starts_with('%'))
        .map(|line| {
            let (line, note) = line.split_once('%').unwrap_or((line, ""));
            let (board, scores) = line.split_once(';').unwrap();
            let scores = scores.split(';').filter_map(|entry| entry.split_once(':'));
            let best = scores.map(|(_, score)| score.trim().parse().unwrap());
            (Othello::from_fen(board).unwrap(), best.max().unwrap(), note)
        })
        .collect()
}

#[test]
fn the_scores_of_both_rules_are_those_of_the_file() {
    let problems = problems(include_str!("../../../../tests/data/endgames.obf"));
    assert_eq!(problems.len(), 192);
    let mut solver = Solver::new(4);
    let mut differ = 0;
    for (position, winner, note) in problems {
        let nobody = note.trim().strip_prefix("nobody ").unwrap();
        let nobody: i32 = nobody.parse().unwrap();
        differ += usize::from(winner != nobody);
        for (rules, score) in [(WINNER, winner), (NOBODY, nobody)] {
            let limits = SolverLimits::default();
            let found = solver.solve(&position, rules, limits, &|| false, |_| ());
            assert_eq!(found.score(), Some(score), "{}", position.to_fen());
        }
    }
    assert_eq!(differ, 11);
}

#[test]
fn the_ffo_positions_up_to_16_empty_squares_have_their_published_scores() {
    let problems = problems(include_str!("../../../../tests/data/ffo.obf"));
    let mut solver = Solver::new(4);
    for (index, (position, score, _)) in problems.iter().take(19).enumerate() {
        let limits = SolverLimits::default();
        let found = solver.solve(position, WINNER, limits, &|| false, |_| ());
        assert_eq!(found.score(), Some(*score), "number {}", index + 1);
    }
}

#[test]
fn a_solver_finds_the_same_whatever_it_solved_before() {
    let problems = problems(include_str!("../../../../tests/data/ffo.obf"));
    let mut kept = Solver::new(1);
    for (position, ..) in problems.iter().take(3).chain(problems.iter().take(2)) {
        let limits = SolverLimits::default();
        let found = kept.solve(position, WINNER, limits, &|| false, |_| ());
        assert_eq!(found, solve(position, WINNER, limits));
    }
}

#[test]
fn a_stop_signal_returns_the_known_bounds() {
    let problems = problems(include_str!("../../../../tests/data/ffo.obf"));
    let (position, score, _) = &problems[39];
    let asked = std::cell::Cell::new(0);
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() > 20
    };
    let mut told = 0;
    let mut solver = Solver::new(1);
    let limits = SolverLimits::default();
    let found = solver.solve(position, WINNER, limits, &stop, |known| {
        told += 1;
        assert!((known.lower..=known.upper).contains(score));
    });
    assert_eq!(found.score(), None);
    assert!((found.lower..=found.upper).contains(score));
    assert!(found.nodes < 1_000_000 && found.pv.is_empty());
}

#[test]
fn finished_games_and_forced_passes() {
    let full = Othello::new(0x0f, !0x0f, Side::First).unwrap();
    let over = solve(&full, WINNER, SolverLimits::default());
    assert_eq!((over.score(), over.best, over.nodes), (Some(-56), None, 0));
    // Only White can play the empty a1: Black has to pass.
    let board = "-XOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO X";
    let passes = Othello::from_fen(board).unwrap();
    for limits in [SolverLimits::default(), ALL] {
        let found = solve(&passes, WINNER, limits);
        assert_eq!((found.score(), found.best), (Some(-64), Some(PASS)));
        assert_eq!(found.pv, [PASS, Move(0)]);
        let scores = if limits.all_moves {
            vec![(PASS, -64)]
        } else {
            vec![]
        };
        assert_eq!(found.moves, scores);
    }
}

/// The owner of the empty squares determines the margin, and so sometimes the best move.
#[test]
fn both_rules_are_exact_where_they_differ() {
    let wiped_out = Othello::new(1 << 10, 1 << 9, Side::First).unwrap();
    let found = |rules| solve(&wiped_out, rules, SolverLimits::default()).score();
    assert_eq!((found(WINNER), found(NOBODY)), (Some(64), Some(3)));
}
