//! Verdicts do not depend on symmetry, colours or the size of the table.

use crate::formats::read_problems;
use leitai_game::search::proof::Mode;
use leitai_game::search::proof::{End, SolveLimits, SolverKind, SolverParams};
use leitai_go::reading::CaptureParams;
use leitai_go::reading::Captures;
use leitai_go::{CaptureVerdict, Problem};

const PROBLEMS: &[u8] = include_bytes!("../../../../openings/go-capture/problems.json");

fn problems() -> Vec<Problem> {
    let problems = read_problems(PROBLEMS);
    problems
        .into_iter()
        .map(|it| it.expect("a problem"))
        .collect()
}

fn captures(kind: SolverKind, table: u32) -> Captures {
    let solver = SolverParams {
        kind,
        table,
        ..SolverParams::default()
    };
    Captures::new(CaptureParams::default(), solver)
}

const fn limits<'a>(nodes: u64) -> SolveLimits<'a> {
    SolveLimits {
        nodes: Some(nodes),
        stop: &|| false,
    }
}

#[test]
fn sixteen_versions_have_one_verdict() {
    for kind in SolverKind::ALL {
        let mut captures = captures(*kind, 14);
        for problem in problems().iter().step_by(25) {
            for mode in [Mode::Fast, Mode::Proved] {
                let answer = captures.solve(problem, mode, limits(500), None);
                for version in problem.versions() {
                    let other = captures.solve(&version, mode, limits(500), None);
                    assert_eq!(other.verdict, answer.verdict, "{}", problem.id);
                    assert_eq!(other.effort, answer.effort, "{}", problem.id);
                    assert_eq!(other.best.is_some(), answer.best.is_some());
                }
            }
        }
    }
}

#[test]
fn the_size_of_the_table_changes_no_verdict() {
    let nodes = 10_000;
    for mode in [Mode::Fast, Mode::Proved] {
        let mut large = captures(SolverKind::DfPnPlus, 20);
        let mut small = captures(SolverKind::DfPnPlus, 10);
        for problem in problems().into_iter().step_by(5) {
            let one = large.solve(&problem, mode, limits(nodes), None);
            // Only verdicts near the node limit may differ, by being unknown.
            if one.verdict == CaptureVerdict::Unknown || one.effort.visited > nodes / 4 {
                continue;
            }
            let other = small.solve(&problem, mode, limits(nodes), None);
            assert_eq!(other.verdict, one.verdict, "{}", problem.id);
        }
    }
}

#[test]
fn a_solver_has_no_memory_of_other_problems() {
    let problems = problems();
    for kind in SolverKind::ALL {
        let mut used = captures(*kind, 12);
        for problem in problems.iter().skip(3).step_by(13) {
            let after = used.solve(problem, Mode::Proved, limits(2_000), None);
            let alone = captures(*kind, 12).solve(problem, Mode::Proved, limits(2_000), None);
            assert_eq!(after, alone, "{}: {}", kind.name(), problem.id);
        }
    }
}

#[test]
fn a_tree_without_room_is_no_endless_search() {
    for kind in [SolverKind::Pn, SolverKind::PnPlus] {
        for table in [0, 1, 3, 6] {
            let mut captures = captures(kind, table);
            for problem in problems().iter().step_by(7) {
                let answer = captures.solve(problem, Mode::Proved, limits(2_000), None);
                let is_known = answer.verdict != CaptureVerdict::Unknown;
                assert_eq!(is_known, answer.end == End::Decided, "{}", problem.id);
                assert!(answer.effort.visited <= 2_000);
            }
        }
    }
}
