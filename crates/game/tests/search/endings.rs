//! Tests of trees searched to the end of the game.

use proptest::prelude::*;

use super::passes::{played, value};
use super::{all_orderings, depth, nodes};
use leitai_game::eval::Evaluation;
use leitai_game::search::internals::Bound;
use leitai_game::search::{
    Algorithm, Aspiration, LateMoveReductions, ReverseFutility, RootMoves, Search, SearchLimits,
    SearchParams,
};
use leitai_game::{Line, MoveList, Position};
use leitai_othello::eval::OthelloEvaluation;
use leitai_othello::{Othello, OthelloRules};

/// More plies than any game of these tests has left.
const BEYOND: u32 = 40;

/// A late position: random moves until at most `empties` squares are empty.
pub(super) fn late_line(empties: u32) -> impl Strategy<Value = Line<Othello>> {
    prop::collection::vec(any::<u8>(), 60..90)
        .prop_map(move |choices| {
            let mut line = Line::new(Othello::initial());
            for choice in choices {
                if line.position().empties() <= empties {
                    break;
                }
                let before = line.clone();
                played(&mut line, choice);
                if line.position().count_legal_moves() == 0 {
                    return before;
                }
            }
            line
        })
        // Excludes games in which neither side can move early: solving them would take hours.
        .prop_filter("an early end", move |line| {
            line.position().empties() <= empties + 4
        })
}

pub(super) fn any_search() -> impl Strategy<Value = SearchParams> {
    (
        prop::sample::select(Algorithm::ALL),
        prop::sample::select(all_orderings()),
        0_u32..2,
        any::<[bool; 3]>(),
    )
        .prop_map(
            |(algorithm, ordering, table_mb, [deepening, narrow, same_depth])| SearchParams {
                algorithm,
                ordering,
                table_mb,
                deepening,
                table_same_depth: same_depth,
                aspiration: (narrow && algorithm.has_window()).then_some(Aspiration {
                    delta: 7,
                    min_depth: 2,
                    swing: 100,
                }),
                ..SearchParams::default()
            },
        )
}

fn run(
    search: &mut Search<Othello, OthelloEvaluation>,
    line: &Line<Othello>,
    limits: SearchLimits,
) -> super::SearchReport {
    search.run(line, OthelloRules::default(), &limits)
}

/// Checks the table's entries for positions up to two plies below.
fn check_table(
    search: &Search<Othello, OthelloEvaluation>,
    position: &mut Othello,
    ply: u32,
    finals: &mut [u32; 2],
) {
    if let Some(known) = search.entry(position.key(), ply) {
        finals[usize::from(known.is_final)] += 1;
        let depth = if known.is_final { BEYOND } else { known.depth };
        let value = value(position, depth, ply);
        let holds = match known.bound {
            Bound::Exact => value == known.score,
            Bound::Lower => value >= known.score,
            Bound::Upper => value <= known.score,
        };
        assert!(
            holds,
            "{known:?}, {value}: {} {:?}",
            position.to_fen(),
            search.params()
        );
    }
    if ply < 2 {
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        for mv in moves {
            let undo = position.make(mv);
            check_table(search, position, ply + 1, finals);
            position.unmake(mv, undo);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Without any limit the search of a late position ends by itself, with the exact value of the
    /// game; and a depth limit beyond the end costs nothing.
    #[test]
    fn a_search_stops_where_all_lines_have_ended(
        line in late_line(6), params in any_search(),
    ) {
        let expected = value(&mut line.position().clone(), BEYOND, 0);
        let unlimited = SearchParams { deepening: true, ..params.clone() };
        let mut search = Search::new(unlimited, OthelloEvaluation::default());
        let report = run(&mut search, &line, SearchLimits::default());
        prop_assert_eq!(report.score, expected);
        let left = line.position().empties();
        prop_assert!(report.depth <= 2 * left + 1, "{} of {left}", report.depth);
        search.new_game();
        let limited = run(&mut search, &line, depth(BEYOND));
        prop_assert_eq!((limited.score, limited.nodes), (report.score, report.nodes));
        // A search of two lines ends when both have ended.
        let roots = RootMoves { lines: 2, ..RootMoves::default() };
        search.new_game();
        let lines = search.run_lines(
            &line, OthelloRules::default(), &SearchLimits::default(), &roots, &|| false, &mut |_| {},
        );
        prop_assert_eq!(lines[0].score, expected);
        let mut straight = Search::new(params, OthelloEvaluation::default());
        prop_assert_eq!(run(&mut straight, &line, depth(BEYOND)).score, expected);
    }

    /// A final entry has the exact value of the game, regardless of its depth; any other has the
    /// value to its depth.
    #[test]
    fn final_entries_of_the_table_are_final(line in late_line(6), params in any_search(), deepest in 2_u32..6) {
        let params = SearchParams { table_mb: 1, table_same_depth: true, ..params };
        let mut search = Search::new(params, OthelloEvaluation::default());
        let report = run(&mut search, &line, depth(deepest));
        let mut position = *line.position();
        prop_assert_eq!(report.score, value(&mut position, report.depth, 0));
        check_table(&search, &mut position, 0, &mut [0; 2]);
    }

    /// Final entries hold for any depth: the rest of a game is searched once, and each later move
    /// costs next to nothing.
    #[test]
    fn a_solved_game_stays_solved(line in late_line(6)) {
        let mut line = line;
        let mut search = Search::new(SearchParams::default(), OthelloEvaluation::default());
        let first = run(&mut search, &line, SearchLimits::default());
        let mut score = first.score;
        let mut mv = first.best;
        while let Some(best) = mv {
            line.play(best);
            score = -score;
            let next = run(&mut search, &line, SearchLimits::default());
            prop_assert_eq!(next.score, score);
            prop_assert_eq!(next.score, value(&mut line.position().clone(), BEYOND, 0));
            mv = next.best;
        }
    }
}

#[test]
fn both_kinds_of_entries_are_met() {
    let mut finals = [0; 2];
    let mut line = Line::new(Othello::initial());
    for choice in 0_u8..53 {
        played(&mut line, choice.wrapping_mul(37));
    }
    assert!(line.position().empties() > 5);
    for deepest in 2..7 {
        let mut search = Search::new(SearchParams::default(), OthelloEvaluation::default());
        run(&mut search, &line, depth(deepest));
        check_table(&search, &mut line.position().clone(), 0, &mut finals);
    }
    assert!(finals[0] > 50, "{finals:?}");
    let mut search = Search::new(SearchParams::default(), OthelloEvaluation::default());
    run(&mut search, &line, SearchLimits::default());
    check_table(&search, &mut line.position().clone(), 0, &mut finals);
    assert!(finals[1] > 10, "{finals:?}");
}

/// A search interrupted by its budget has no final result, and neither has a tree pruned by the
/// evaluation.
#[test]
fn nothing_is_final_that_was_cut_short() {
    let mut line = Line::new(Othello::initial());
    for choice in 0_u8..54 {
        played(&mut line, choice.wrapping_mul(11));
    }
    let empties = line.position().empties();
    assert!((4..9).contains(&empties), "{empties}");
    let exact = value(&mut line.position().clone(), BEYOND, 0);
    let mut plain = Search::new(SearchParams::default(), OthelloEvaluation::default());
    let whole = run(&mut plain, &line, SearchLimits::default());
    assert_eq!(whole.score, exact);
    plain.new_game();
    let cut = run(&mut plain, &line, nodes(whole.nodes - 1));
    assert!(cut.depth < whole.depth);
    let pruned = SearchParams {
        reverse_futility: Some(ReverseFutility {
            max_depth: 16,
            slope: 1,
        }),
        late_move_reductions: Some(LateMoveReductions::default()),
        ..SearchParams::default()
    };
    let mut pruned = Search::new(pruned, OthelloEvaluation::default());
    run(&mut pruned, &line, depth(4));
    check_table_of_finals(&pruned, &mut line.position().clone());
}

/// Checks only the final entries, for searches that prune.
fn check_table_of_finals(search: &Search<Othello, OthelloEvaluation>, position: &mut Othello) {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    for mv in moves {
        let undo = position.make(mv);
        if let Some(known) = search.entry(position.key(), 1)
            && known.is_final
        {
            let value = value(position, BEYOND, 1);
            assert!(match known.bound {
                Bound::Exact => value == known.score,
                Bound::Lower => value >= known.score,
                Bound::Upper => value <= known.score,
            });
        }
        position.unmake(mv, undo);
    }
}

#[test]
fn a_wiped_out_side_is_no_position_to_search() {
    let wiped =
        Othello::from_fen("XXX-------------------------------------------------------------O")
            .unwrap();
    let mut search = Search::new(SearchParams::default(), OthelloEvaluation::default());
    let report = run(&mut search, &Line::new(wiped), depth(3));
    assert_eq!((report.best, report.nodes), (None, 0));
    assert_eq!(
        report.score,
        OthelloEvaluation::default().evaluate_without_moves(&wiped, 0)
    );
}
