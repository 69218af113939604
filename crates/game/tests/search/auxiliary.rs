//! Compares the auxiliary search with its definition.

use proptest::prelude::*;

use super::passes::{played, value};
use super::{FIGURE_2, depth, nodes};
use leitai_game::eval::{Evaluation, Score};
use leitai_game::search::{
    Algorithm, Aspiration, Auxiliary, InternalDeepening, RootMoves, Search, SearchLimits,
    SearchParams, SearchReport,
};
use leitai_game::{Line, Move, MoveList, Position};
use leitai_othello::eval::OthelloEvaluation;
use leitai_othello::{Othello, OthelloRules};

fn legal(position: &Othello) -> MoveList {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves
}

/// The value of a position and its line, the first among equals.
fn line_of(position: &Othello, depth: u32) -> (Score, Vec<Move>) {
    let moves = legal(position);
    if depth == 0 || moves.is_empty() {
        return (value(&mut position.clone(), depth, 0), Vec::new());
    }
    let mut best: Option<(Score, Vec<Move>)> = None;
    for mv in moves {
        let mut after = *position;
        after.make(mv);
        let (score, line) = line_of(&after, depth - 1);
        if best.as_ref().is_none_or(|(best, _)| -score > *best) {
            best = Some((-score, [&[mv], &line[..]].concat()));
        }
    }
    best.unwrap()
}

/// The move, its score and its line by definition, and the number of lines that were searched
/// further.
fn chosen(position: &Othello, depth: u32, plies: u32) -> (Move, Score, Vec<Move>, usize) {
    struct Candidate {
        score: Score,
        line: Vec<Move>,
        checked: bool,
    }
    let mut candidates: Vec<Candidate> = legal(position)
        .into_iter()
        .map(|mv| {
            let mut after = *position;
            after.make(mv);
            let (score, line) = line_of(&after, depth - 1);
            Candidate {
                score: -score,
                line: [&[mv], &line[..]].concat(),
                checked: false,
            }
        })
        .collect();
    loop {
        let most = candidates.iter().map(|it| it.score).max().unwrap();
        let equal = |it: &&Candidate| it.score == most;
        let checked = candidates.iter().filter(|it| it.checked);
        if let Some(settled) = checked.clone().find(equal) {
            let line = settled.line.clone();
            return (line[0], most, line, checked.count());
        }
        let best = candidates.iter_mut().find(|it| it.score == most).unwrap();
        let mut end = *position;
        for &mv in &best.line {
            end.make(mv);
        }
        let (score, further) = line_of(&end, plies);
        best.score = if best.line.len() % 2 == 0 {
            score
        } else {
            -score
        };
        best.line.extend(further);
        best.checked = true;
    }
}

fn params(algorithm: Algorithm, plies: u32) -> SearchParams {
    SearchParams {
        algorithm,
        ordering: vec![],
        table_mb: 0,
        auxiliary: Some(Auxiliary {
            plies,
            ..Auxiliary::default()
        }),
        ..SearchParams::default()
    }
}

fn run(params: SearchParams, line: &Line<Othello>, limits: SearchLimits) -> SearchReport {
    let mut search = Search::new(params, OthelloEvaluation::default());
    search.run(line, OthelloRules::default(), &limits)
}

fn line(choices: &[u8]) -> Line<Othello> {
    let mut line = Line::new(Othello::initial());
    for &choice in choices {
        played(&mut line, choice);
    }
    line
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_choice_is_the_one_defined(
        choices in prop::collection::vec(any::<u8>(), 0..60),
        deepest in 1_u32..4,
        plies in 1_u32..3,
    ) {
        let line = line(&choices);
        if line.position().count_legal_moves() == 0 {
            return Ok(());
        }
        // If all lines have ended there is nothing to check.
        let plain = SearchParams { auxiliary: None, ..params(Algorithm::Minimax, 1) };
        let plain = run(plain, &line, depth(deepest));
        let (mv, score, pv, _) = chosen(line.position(), deepest, plies);
        for &algorithm in Algorithm::ALL {
            let report = run(params(algorithm, plies), &line, depth(deepest));
            if report.depth < deepest {
                prop_assert_eq!((report.best, report.score), (plain.best, plain.score));
            } else {
                prop_assert_eq!(report.best, Some(mv), "{:?}", algorithm);
                prop_assert_eq!(report.score, score);
                prop_assert_eq!(&report.pv, &pv);
            }
            // `run_lines` with one line is the same search.
            let mut search = Search::new(params(algorithm, plies), OthelloEvaluation::default());
            let roots = RootMoves::default();
            let rules = OthelloRules::default();
            let limits = depth(deepest);
            let lines = search.run_lines(&line, rules, &limits, &roots, &|| false, &mut |_| {});
            prop_assert_eq!(lines, vec![report]);
        }
    }

    /// With a table, lines may be cut short and the order of moves may differ; the score is still
    /// that of the line's end, searched `plies` deeper.
    #[test]
    fn a_table_shortens_lines_and_not_the_look_ahead(
        choices in prop::collection::vec(any::<u8>(), 0..50),
        limit in 1_u64..4_000,
    ) {
        let line = line(&choices);
        let with_table = SearchParams {
            table_mb: 1,
            table_same_depth: true,
            ordering: FIGURE_2.to_vec(),
            ..params(Algorithm::FailSoft, 1)
        };
        for limits in [depth(3), nodes(limit)] {
            let report = run(with_table.clone(), &line, limits);
            prop_assert_eq!(&report, &run(with_table.clone(), &line, limits));
            prop_assert!(limits.nodes.is_none_or(|nodes| report.nodes <= nodes));
            let mut end = line.clone();
            for &mv in &report.pv {
                prop_assert!(end.position().is_legal(mv));
                end.play(mv);
            }
        }
    }
}

/// The number of choices that the check changes, and its cost. One ply further the mover has made
/// one move more, which hardly ever looks worse to a table of squares; two plies further both sides
/// have.
#[test]
fn the_check_costs_a_few_nodes_and_changes_some_choices() {
    let (mut changed, mut checks, mut cost) = (0, 0, 0);
    for game in 0_u8..40 {
        let choices: Vec<u8> = (0..10 + game)
            .map(|ply| ply.wrapping_mul(game | 1))
            .collect();
        let line = line(&choices);
        let with = params(Algorithm::FailSoft, 2);
        let without = SearchParams {
            auxiliary: None,
            ..with.clone()
        };
        let without = run(without, &line, depth(2));
        let with = run(with, &line, depth(2));
        changed += usize::from(with.best != without.best);
        checks += chosen(line.position(), 2, 2).3;
        cost += with.nodes - without.nodes;
    }
    assert!(changed > 0, "{changed}");
    assert!(checks > 40, "{checks}");
    assert!((400..40_000).contains(&cost), "{cost}");
}

/// If the budget ends during the check, the choice depends on the results so far.
#[test]
fn a_budget_keeps_something_for_the_check() {
    let line = line(&[7, 3, 9, 2, 5, 1, 8, 4, 6, 0, 2, 2]);
    let whole = run(params(Algorithm::FailSoft, 1), &line, depth(3));
    let unchecked = SearchParams {
        auxiliary: None,
        ..params(Algorithm::FailSoft, 1)
    };
    let mut differs = false;
    for limit in 0..2 * whole.nodes {
        let report = run(params(Algorithm::FailSoft, 1), &line, nodes(limit));
        assert!(report.nodes <= limit);
        assert!(report.best.is_some_and(|mv| line.position().is_legal(mv)));
        let limits = SearchLimits {
            nodes: Some(limit),
            depth: Some(3),
        };
        let both = run(params(Algorithm::FailSoft, 1), &line, limits);
        if both.nodes < limit && both.depth == 3 {
            assert_eq!((both.best, both.score), (whole.best, whole.score));
        }
        let main_only = run(unchecked.clone(), &line, nodes(limit));
        differs |= main_only.best != report.best;
    }
    assert!(differs, "the check has a say");
}

#[test]
fn exact_values_and_a_narrow_window_exclude_each_other() {
    let mut search = params(Algorithm::FailSoft, 1);
    assert_eq!(search.conflict(), None);
    search.aspiration = Some(Aspiration::default());
    let (message, _) = search.conflict().unwrap();
    assert!(message.contains("`auxiliary`"), "{message}");
    search.aspiration = None;
    search.algorithm = Algorithm::Minimax;
    assert_eq!(search.conflict(), None);
}

#[test]
fn a_finished_game_has_nothing_to_check() {
    let full = Othello::new(u64::MAX >> 20, !(u64::MAX >> 20), leitai_game::Side::First).unwrap();
    let report = run(params(Algorithm::Pvs, 1), &Line::new(full), depth(3));
    let end = OthelloEvaluation::default().evaluate_without_moves(&full, 0);
    assert_eq!((report.best, report.score, report.nodes), (None, end, 0));
}

#[test]
fn numbers_beyond_their_ranges_are_conflicts() {
    let mut search = SearchParams {
        table_mb: 5_000,
        ..SearchParams::default()
    };
    let (message, _) = search.conflict().unwrap();
    assert_eq!(message, "`table_mb` is 5000, and must be from 0 to 4096");
    search.table_mb = 1;
    search.internal_deepening = Some(InternalDeepening {
        reduction: 0,
        ..InternalDeepening::default()
    });
    let (message, _) = search.conflict().unwrap();
    let begin = "`internal_deepening.reduction` is 0, and must be from 1 to ";
    assert!(message.starts_with(begin), "{message}");
}
