use super::*;
use crate::certify::Certify as _;
use crate::proof::{Effort, check};
use leitai_game::search::proof::{Mode, SolveLimits, SolverParams};
use leitai_go::reading::{CaptureParams, Captures};
use leitai_go::{Board, Colour, Play, Point};

fn recipe(seed: u64) -> CaptureRecipe {
    CaptureRecipe {
        keep: Keep::Proved,
        sizes: 5..=6,
        count: 12,
        nodes: 1_000,
        seed,
        most_candidates: 24,
        prefix: "test".to_owned(),
    }
}

fn make(recipe: &CaptureRecipe, threads: usize) -> CaptureSuite {
    let threads = NonZeroUsize::new(threads).unwrap();
    let mut heard = (0, 0);
    let suite = generate_captures(
        recipe,
        threads,
        &AtomicBool::new(false),
        |kept, candidates| {
            assert!(kept - heard.0 <= 1, "{kept} after {}", heard.0);
            assert_eq!(candidates, heard.1 + 1);
            heard = (kept, candidates);
        },
    );
    assert!(heard.0 <= suite.problems.len());
    assert_eq!(heard.1, suite.candidates);
    suite
}

#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn a_suite_depends_on_its_seed_alone() {
    let one = make(&recipe(1), 1);
    assert_eq!(make(&recipe(1), 3), one);
    assert_ne!(make(&recipe(2), 1).problems, one.problems);
}

#[test]
fn problems_are_proved_and_different() {
    let suite = make(&recipe(3), 2);
    assert!(!suite.problems.is_empty() && suite.problems.len() <= 12);
    let mut seen = std::collections::HashSet::new();
    let mut captures = Captures::new(CaptureParams::default(), SolverParams::default());
    for made in &suite.problems {
        let problem = &made.problem;
        assert!(problem.proved && seen.insert(problem.canonical()));
        assert!((5..=6).contains(&problem.board.size()));
        assert!(problem.id.starts_with("test-"));
        assert_eq!(problem.board.ko(), None);
        let limits = SolveLimits {
            nodes: Some(1_000),
            stop: &|| false,
        };
        // Another version of the problem, which uses the memory differently.
        let other = problem.swapped_colours();
        let answer = captures.solve(&other, Mode::Proved, limits, None);
        assert_eq!(
            Some(answer.verdict),
            problem.expected,
            "{}",
            problem.setup()
        );
        assert_eq!(answer.effort.visited, made.nodes);
        let wins = match answer.verdict {
            CaptureVerdict::Captured => problem.attacker_moves(),
            CaptureVerdict::Escapes => !problem.attacker_moves(),
            _ => continue,
        };
        assert_eq!(
            problem.solutions.len(),
            usize::from(wins),
            "{}",
            problem.setup()
        );
        assert!(!problem.solutions.contains(&Play::Pass));
    }
}

/// A recipe that keeps all questions of games on 9x9.
fn as_they_come(nodes: u64) -> CaptureRecipe {
    CaptureRecipe {
        keep: Keep::All,
        sizes: 9..=9,
        count: 6,
        nodes,
        ..recipe(5)
    }
}

#[test]
fn kept_positions_do_not_depend_on_proofs() {
    let [few, many] = [20, 4_000].map(|nodes| make(&as_they_come(nodes), 2));
    let asked = |suite: &CaptureSuite| -> Vec<String> {
        let problems = suite.problems.iter();
        problems.map(|it| it.problem.setup().to_string()).collect()
    };
    assert_eq!((few.problems.len(), few.candidates), (6, many.candidates));
    assert_eq!(asked(&few), asked(&many));
    let proved =
        |suite: &CaptureSuite| suite.problems.iter().filter(|it| it.problem.proved).count();
    assert!(proved(&few) < 6 && proved(&few) < proved(&many));
    for Made { problem, nodes } in few.problems.iter().chain(&many.problems) {
        assert_eq!(problem.proved, problem.expected.is_some());
        assert_eq!(problem.nodes, problem.proved.then_some(*nodes));
        assert_eq!(problem.category.as_deref() == Some(OPEN), !problem.proved);
        let around = problem.board.stones(problem.target).grown();
        assert!(around.meets(problem.board.all(problem.attacker())));
        assert!((1..=4).contains(&problem.board.liberty_count(problem.target)));
    }
}

#[test]
fn a_suite_as_it_comes_depends_on_its_seed_alone() {
    assert_eq!(make(&as_they_come(500), 1), make(&as_they_come(500), 3));
}

#[test]
fn proofs_of_hard_problems_are_hard() {
    let recipe = CaptureRecipe {
        keep: Keep::Hard,
        sizes: 9..=9,
        nodes: 12_000,
        most_candidates: 30,
        ..recipe(5)
    };
    let suite = make(&recipe, 2);
    assert!(!suite.problems.is_empty());
    let mut captures = Captures::new(CaptureParams::default(), SolverParams::default());
    for Made { problem, nodes } in &suite.problems {
        assert!((3_000..=12_000).contains(nodes), "{nodes}");
        let limits = SolveLimits {
            nodes: Some(12_000),
            stop: &|| false,
        };
        let answer = captures.solve(problem, Mode::Proved, limits, None);
        assert_eq!(Some(answer.verdict), problem.expected);
        let certificates = captures.certify(problem, &answer, limits).unwrap();
        assert!(!certificates.is_empty());
        for certificate in &certificates {
            check(certificate, Effort::default()).unwrap();
        }
    }
}

#[test]
fn nothing_is_made_when_cancelled_or_not_wanted() {
    let threads = NonZeroUsize::MIN;
    let suite = generate_captures(&recipe(1), threads, &AtomicBool::new(true), |_, _| {});
    assert_eq!(suite, CaptureSuite::default());
    let none = CaptureRecipe {
        count: 0,
        ..recipe(1)
    };
    assert_eq!(make(&none, 1), CaptureSuite::default());
}

#[test]
fn shares_are_equal_and_filled_up() {
    let (mut balance, mut offered) = (Balance::new(9, Keep::Proved), 0);
    let mut offer = |verdict, nodes, target: u8| {
        let mut board = Board::empty(9);
        board.play(Point::new(target % 9, target / 9), Colour::Black);
        let target = Point::new(target % 9, target / 9);
        let mut problem = Problem::new(board, target, Colour::White).unwrap();
        problem.expected = Some(verdict);
        offered += 1;
        balance.offer(Made { problem, nodes })
    };
    assert!(offer(CaptureVerdict::Captured, 10, 0));
    assert!(!offer(CaptureVerdict::Captured, 20, 1), "above its share");
    assert!(offer(CaptureVerdict::Captured, 300, 2));
    assert!(!offer(CaptureVerdict::Ko, 10, 0), "the same position");
    assert!(!offer(CaptureVerdict::Ko, 10, 8), "the same by symmetry");
    assert!(!offer(CaptureVerdict::Unknown, 10, 3));
    assert!(offer(CaptureVerdict::Ko, 10, 3));
    assert!(!balance.is_full());
    let nodes: Vec<u64> = balance.problems().iter().map(|made| made.nodes).collect();
    assert_eq!(nodes, [10, 20, 300, 10]);
}
