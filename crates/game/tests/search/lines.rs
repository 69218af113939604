//! Tests of several lines, and of excluded root moves.

use proptest::prelude::*;

use super::*;
use leitai_config::search_preset;
use leitai_game::search::RootMoves;

fn lines_of(
    search: &mut XiangqiSearch,
    line: &Line<Xiangqi>,
    limits: &SearchLimits,
    roots: &RootMoves,
) -> (Vec<SearchReport>, Vec<Vec<SearchReport>>) {
    let mut told = Vec::new();
    let rules = XiangqiRules::default();
    let mut tell = |lines: &[SearchReport]| told.push(lines.to_vec());
    let lines = search.run_lines(line, rules, limits, roots, &|| false, &mut tell);
    (lines, told)
}

fn best(lines: usize) -> RootMoves {
    RootMoves {
        lines,
        ..RootMoves::default()
    }
}

/// Excludes every legal move except this one.
fn only(line: &Line<Xiangqi>, mv: Move) -> RootMoves {
    let mut excluded = legal_moves(line.position()).to_vec();
    excluded.retain(|other| *other != mv);
    RootMoves { excluded, lines: 1 }
}

/// The score of each move when searched alone, best first.
fn scores_alone(params: &SearchParams, line: &Line<Xiangqi>, limits: &SearchLimits) -> Vec<i32> {
    let mut scores: Vec<i32> = legal_moves(line.position())
        .iter()
        .map(|&mv| {
            let mut search = Search::new(params.clone(), eval());
            let (lines, _) = lines_of(&mut search, line, limits, &only(line, mv));
            assert_eq!(lines.len(), 1);
            assert_eq!(lines[0].best, Some(mv));
            lines[0].score
        })
        .collect();
    scores.sort_by_key(|score| std::cmp::Reverse(*score));
    scores
}

#[test]
fn the_best_lines_have_the_scores_of_their_moves() {
    let aspiring = SearchParams {
        algorithm: leitai_game::search::Algorithm::Pvs,
        aspiration: Some(leitai_game::search::Aspiration {
            delta: 5,
            min_depth: 2,
            swing: 200,
        }),
        ..plain(&FIGURE_2)
    };
    for params in [plain(&FIGURE_2), aspiring] {
        for fen in [SMALL[1], SMALL[4], LARGE[1]] {
            let line = line(fen);
            let scores = scores_alone(&params, &line, &depth(3));
            for count in [1, 3, 200] {
                let mut search = Search::new(params.clone(), eval());
                let (lines, told) = lines_of(&mut search, &line, &depth(3), &best(count));
                let found: Vec<i32> = lines.iter().map(|line| line.score).collect();
                assert_eq!(found, scores[..count.min(scores.len())], "{fen}");
                assert_eq!(told.last(), Some(&lines));
                for (index, report) in lines.iter().enumerate() {
                    assert_eq!(report.pv.first().copied(), report.best);
                    let others = &lines[..index];
                    assert!(others.iter().all(|other| other.best != report.best));
                    play_all(&line, &report.pv);
                }
            }
        }
    }
}

#[test]
fn without_a_move_there_is_no_line() {
    let mated = line(
        "3k5/9/9/9/4R4/9/9/9/9/5K3 w - - 0 1"
            .replace("4R4", "3R5")
            .replace(" w ", " b ")
            .as_str(),
    );
    let mut search = Search::new(SearchParams::default(), eval());
    let excluded = legal_moves(mated.position()).to_vec();
    assert!(!excluded.is_empty());
    let none = RootMoves { excluded, lines: 3 };
    assert_eq!(lines_of(&mut search, &mated, &depth(3), &none).0, []);
}

#[test]
fn scores_of_some_moves_are_not_stored_for_all() {
    // With the best move excluded, the result must not stay in the table.
    for fen in LARGE {
        let line = line(fen);
        let params = SearchParams::default();
        let fresh = run(&mut Search::new(params.clone(), eval()), &line, depth(4));
        let mut search = Search::new(params, eval());
        let excluded = vec![fresh.best.unwrap()];
        let without = RootMoves { excluded, lines: 1 };
        let (lines, _) = lines_of(&mut search, &line, &depth(4), &without);
        assert_ne!(lines[0].best, fresh.best);
        let after = run(&mut search, &line, depth(4));
        assert!(after.score >= lines[0].score.min(fresh.score));
        assert_eq!(after.score, fresh.score);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn one_line_is_the_ordinary_search(
        line in any_line(0..120),
        limit in 0_u64..20_000,
        full: bool,
    ) {
        let params = if full { search_preset(None, "full").unwrap() } else { SearchParams::default() };
        let mut one = Search::new(params.clone(), eval());
        let mut other = Search::new(params, eval());
        for limits in [nodes(limit), nodes(limit / 2), depth(3)] {
            let ordinary = run(&mut one, &line, limits);
            let (lines, _) = lines_of(&mut other, &line, &limits, &best(1));
            match lines.first() {
                None => prop_assert_eq!(ordinary.best, None),
                Some(first) => {
                    // Only the table's extension of the line may differ, if an iteration was
                    // interrupted before its result counted.
                    let pv = ordinary.pv.clone();
                    prop_assert_eq!(&SearchReport { pv, ..first.clone() }, &ordinary);
                }
            }
        }
    }

    #[test]
    fn a_cut_search_still_has_its_lines(
        line in any_line(0..120),
        limit in 0_u64..5_000,
        count in 1_usize..6,
    ) {
        let moves = line.position().count_legal_moves();
        let mut search = Search::new(SearchParams::default(), eval());
        let (lines, _) = lines_of(&mut search, &line, &nodes(limit), &best(count));
        prop_assert!(lines.len() <= count.min(moves));
        prop_assert!(lines.is_empty() == (moves == 0));
        prop_assert!(lines.iter().all(|line| line.nodes <= limit));
        for (index, report) in lines.iter().enumerate() {
            prop_assert!(lines[..index].iter().all(|other| other.best != report.best));
            play_all(&line, &report.pv);
        }
    }
}
