//! Semeais and connections against the truth.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::super::{Captures, Fight, Kos, Width};
use super::retrograde::{Graph, filled, limits, solver};
use crate::games::go::proof::{Effort, check};
use crate::games::go::reading::CaptureParams;
use crate::games::go::{CaptureVerdict, Goal, Point, Problem};
use crate::search::proof::{Mode, Solver, SolverKind};

/// A question about two blocks of a board that a random game has filled.
fn question(random: &mut ChaCha8Rng, is_race: bool) -> Option<Problem> {
    let board = filled(random);
    let mut below = |bound: usize| random.next_u32() as usize % bound.max(1);
    let stones: Vec<Point> = crate::games::go::Colour::BOTH
        .into_iter()
        .flat_map(|colour| board.all(colour).iter())
        .collect();
    let target = *stones.get(below(stones.len()))?;
    let owner = board.at(target)?;
    let to_move = [owner, owner.other()][below(2)];
    let others = *board.all(if is_race { owner.other() } else { owner });
    let others: Vec<Point> = others.iter().collect();
    let other = *others.get(below(others.len()))?;
    let goal = if is_race {
        Goal::Semeai(other)
    } else {
        Goal::Connect(other)
    };
    let mut problem = Problem::new(board, target, to_move)
        .ok()?
        .with_goal(goal)
        .ok()?;
    if is_race {
        problem.escape_liberties = [None, None, Some(4)][below(3)];
    }
    Some(problem)
}

/// Whether the attacker succeeds, by the master of the kos; `None` if too much can happen.
fn truths(problem: &Problem) -> Option<[bool; 2]> {
    let liberties = problem.escape_liberties.map_or(0, u32::from);
    let of = |kos| Some(Graph::of(problem, kos, [0; 2], liberties)?.captures());
    Some([of(Kos::Defender)?, of(Kos::Attacker)?])
}

fn verdict(problem: &Problem, truths: [[bool; 2]; 2]) -> CaptureVerdict {
    if !matches!(problem.goal, Goal::Semeai(_)) {
        return match truths[0] {
            [true, _] => CaptureVerdict::Connected,
            [_, true] => CaptureVerdict::Ko,
            _ => CaptureVerdict::Cut,
        };
    }
    match truths {
        [[true, _], _] => CaptureVerdict::Wins,
        [_, [true, _]] => CaptureVerdict::Loses,
        [[_, false], [_, false]] => CaptureVerdict::Seki,
        _ => CaptureVerdict::Ko,
    }
}

/// So many questions: trees that search a side in full are right about what that proves,
/// and the verdicts of the mode `proved` are true and have certificates that the checker
/// accepts, with zones and following every play.
fn agree(seed: u64, questions: usize, is_race: bool) {
    let params = CaptureParams::default();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut fights = Solver::<Fight>::new(&solver(SolverKind::DfPnPlus, 16));
    let mut captures = Captures::new(params.clone(), solver(SolverKind::DfPnPlus, 16));
    let mut counts = [0_usize; CaptureVerdict::ALL.len()];
    let mut done = 0;
    while done < questions {
        let Some(problem) = question(&mut random, is_race) else {
            continue;
        };
        let both = [problem.clone(), problem.reversed()];
        let Some(known) = truths(&both[0]).zip(truths(&both[1])) else {
            continue;
        };
        let known = [known.0, known.1];
        done += 1;
        let shown = || format!("{} {:?}", problem.canonical(), problem.escape_liberties);
        for (problem, known) in both.iter().zip(known) {
            for (kos, known) in [Kos::Defender, Kos::Attacker].into_iter().zip(known) {
                for width in [Width::FULL, Width::CAPTURE, Width::ESCAPE] {
                    fights.new_problem();
                    let mut tree = Fight::new(problem, &params, kos, Some(width));
                    let found = fights.solve(&mut tree, limits(), None).verdict.is_proved();
                    let is_proof = match found {
                        Some(true) => width.defender,
                        Some(false) => width.attacker,
                        None => false,
                    };
                    if is_proof || width == Width::FULL {
                        assert_eq!(found, Some(known), "{width:?} {kos:?}: {}", shown());
                    }
                }
            }
        }
        let wanted = verdict(&problem, known);
        counts[wanted as usize] += 1;
        let answer = captures.solve(&problem, Mode::Proved, limits(), None);
        assert_eq!(answer.verdict, wanted, "{}", shown());
        let certificates = captures.certify(&problem, &answer, limits());
        let certificates = certificates.unwrap_or_else(|why| panic!("{why}: {}", shown()));
        assert!(!certificates.is_empty());
        for certificate in certificates {
            for exhaustive in [false, true] {
                let effort = Effort {
                    exhaustive,
                    positions: 200_000,
                };
                let checked = check(&certificate, effort);
                assert!(checked.is_ok(), "{checked:?}: {}\n{certificate}", shown());
            }
        }
    }
    let told: Vec<_> = CaptureVerdict::ALL
        .iter()
        .map(|&it| (it, counts[it as usize]))
        .collect();
    println!("{told:?}");
    for &verdict in problem_verdicts(is_race) {
        assert!(counts[verdict as usize] > 0, "the draw has no {verdict}");
    }
}

/// What a draw has to have some of.
const fn problem_verdicts(is_race: bool) -> &'static [CaptureVerdict] {
    use CaptureVerdict::{Connected, Cut, Ko, Loses, Seki, Wins};
    if is_race {
        &[Wins, Loses, Seki, Ko]
    } else {
        &[Connected, Cut]
    }
}

#[test]
fn semeais_agree_with_the_truth() {
    agree(3, 100, true);
}

#[test]
fn connections_agree_with_the_truth() {
    agree(4, 150, false);
}

/// `cargo test --release -p leitai-core --lib thousands_of_goals -- --ignored --nocapture`
#[test]
#[ignore = "minutes in a release build"]
fn thousands_of_goals_agree_with_the_truth() {
    agree(5, 5_000, true);
    agree(6, 5_000, false);
}
