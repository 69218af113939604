//! A thousand positions of Othello: with any algorithm and ordering, the value is that of minimax.

use super::passes::value;
use super::{FIGURE_2, depth};
use leitai_game::eval::Score;
use leitai_game::search::{Algorithm, Search, SearchParams, ShallowSearch, Stage};
use leitai_game::{Line, MoveList, Position};
use leitai_othello::eval::OthelloEvaluation;
use leitai_othello::{Othello, OthelloRules, PASS};
use leitai_stats::RandomNumbers;

const DEEPEST: usize = 5;

fn legal(position: &Othello) -> MoveList {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves
}

/// All positions of a random game, including the final one.
fn game(dice: &mut RandomNumbers) -> Vec<Othello> {
    let mut positions = vec![Othello::initial()];
    loop {
        let mut position = positions[positions.len() - 1];
        let moves = legal(&position);
        if moves.is_empty() {
            return positions;
        }
        position.make(moves[dice.below(moves.len())]);
        positions.push(position);
    }
}

fn must_pass(position: &Othello) -> bool {
    legal(position)[..] == [PASS]
}

/// A thousand positions from all phases of random games: 880 from anywhere, including final ones,
/// 60 in which a side must pass, and 60 among the last five of games that end with several empty
/// squares.
fn positions() -> Vec<Othello> {
    let mut dice = RandomNumbers::new(4, 0);
    let mut anywhere = Vec::new();
    let mut passes = Vec::new();
    let mut early_ends = Vec::new();
    while anywhere.len() < 880 || passes.len() < 60 || early_ends.len() < 60 {
        let game = game(&mut dice);
        anywhere.push(game[dice.below(game.len())]);
        passes.extend(game.iter().copied().find(must_pass));
        let (last, before) = game.split_last().unwrap();
        if last.empties() > 3 {
            let back = dice.below(5.min(before.len()));
            early_ends.push(before[before.len() - 1 - back]);
        }
    }
    anywhere.truncate(880);
    passes.truncate(60);
    early_ends.truncate(60);
    // Shuffled, so that a part of them is a sample of all.
    let mut all = [anywhere, passes, early_ends].concat();
    for place in (1..all.len()).rev() {
        all.swap(place, dice.below(place + 1));
    }
    all
}

/// The generator's order, every stage alone, and some combinations.
fn orderings() -> Vec<Vec<Stage>> {
    let mut orderings = vec![vec![], FIGURE_2.to_vec()];
    orderings.extend(Stage::ALL.iter().map(|&stage| vec![stage]));
    orderings.push(vec![
        Stage::Tt,
        Stage::CornerResponse,
        Stage::Killers,
        Stage::ShallowSearch,
        Stage::FastestFirst,
    ]);
    orderings.push(vec![
        Stage::CornerResponse,
        Stage::CounterMove,
        Stage::StaticQuiets,
    ]);
    orderings
}

/// The algorithms that use a window or a similar bound, and negamax, which uses none.
const OTHERS: [Algorithm; 5] = [
    Algorithm::FailHard,
    Algorithm::FailSoft,
    Algorithm::Pvs,
    Algorithm::BetaOnly,
    Algorithm::Negamax,
];

fn search(ordering: &[Stage], algorithm: Algorithm) -> Search<Othello, OthelloEvaluation> {
    let remembers = ordering.contains(&Stage::Tt);
    let params = SearchParams {
        algorithm,
        ordering: ordering.to_vec(),
        table_mb: u32::from(remembers),
        table_same_depth: true,
        shallow_search: ShallowSearch {
            min_depth: 2,
            reduction: 2,
            max_plies: 1 + u32::from(remembers),
        },
        ..SearchParams::default()
    };
    Search::new(params, OthelloEvaluation::default())
}

/// The values to depths 1, 2 and so on.
fn values(position: &Othello, deepest: usize) -> Vec<Score> {
    let depths = 1..=deepest as u32;
    depths
        .map(|depth| value(&mut position.clone(), depth, 0))
        .collect()
}

/// Searches to the last of the `expected` values, and compares all. Once a position is searched to
/// the end of the game, greater depths give the same value.
fn check(search: &mut Search<Othello, OthelloEvaluation>, position: &Othello, expected: &[Score]) {
    let mut found = Vec::new();
    search.new_game();
    let report = search.run_until(
        &Line::new(*position),
        OthelloRules::default(),
        &depth(expected.len() as u32),
        &|| false,
        Some(&mut |report| found.push(report.score)),
    );
    found.resize(expected.len(), report.score);
    assert_eq!(
        found,
        expected,
        "{} {:?}",
        position.to_fen(),
        search.params()
    );
}

#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn the_thousand_are_of_all_kinds() {
    let positions = positions();
    assert_eq!(positions.len(), 1000);
    let count = |holds: &dyn Fn(&Othello) -> bool| {
        positions.iter().filter(|position| holds(position)).count()
    };
    for from in [0, 12, 24, 36, 48] {
        let phase = count(&|position| (from..from + 13).contains(&position.empties()));
        assert!(phase > 100, "{phase} with {from} or more empty squares");
    }
    assert!(count(&must_pass) >= 60);
    assert!(count(&|position| legal(position).is_empty()) >= 5);
    let mut keys: Vec<_> = positions.iter().map(Position::key).collect();
    keys.sort_unstable();
    keys.dedup();
    assert!(keys.len() > 950, "{}", keys.len());
}

/// Tests every ordering and every algorithm on each of the thousand positions; most of them at
/// depths 1 and 2, some at 3, a few at 4 and 5.
#[test]
fn every_ordering_finds_the_value_on_a_thousand_positions() {
    let positions = positions();
    let expected: Vec<_> = (0..)
        .zip(&positions)
        .map(|(number, position)| {
            let deepest = match number {
                _ if number % 100 == 7 && position.empties() < 12 => 5,
                _ if number % 50 == 3 => 4,
                _ if number % 8 == 0 => 3,
                _ => 2,
            };
            values(position, deepest)
        })
        .collect();
    for (turn, ordering) in orderings().iter().enumerate() {
        for (place, &algorithm) in OTHERS.iter().enumerate() {
            let mut search = search(ordering, algorithm);
            let turns = (turn + place) % OTHERS.len();
            let own = positions.iter().zip(&expected).skip(turns);
            for (position, expected) in own.step_by(OTHERS.len()) {
                check(&mut search, position, expected);
            }
        }
    }
}

/// The same for all combinations: every algorithm, every ordering, every position, all depths.
/// Takes minutes:
///
///     cargo test --release --lib search::tests::thousand -- --ignored
#[test]
#[ignore = "takes minutes"]
fn every_ordering_finds_the_value_on_a_thousand_positions_at_depths_1_to_5() {
    let positions = positions();
    let values: Vec<_> = positions
        .iter()
        .map(|position| values(position, DEEPEST))
        .collect();
    for ordering in orderings() {
        for algorithm in OTHERS {
            let mut search = search(&ordering, algorithm);
            for (position, values) in positions.iter().zip(&values) {
                check(&mut search, position, values);
            }
        }
    }
}
