//! Compares semeais and connections with exact solutions.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::retrograde::{Graph, filled, limits, solver};
use crate::certify::Certify as _;
use crate::proof::{
    Certificate, Claim, Effort, Master, Play, Reason, Spot, Statement, Stone, check,
};
use leitai_game::search::proof::{Mode, Solver, SolverKind};
use leitai_go::reading::CaptureParams;
use leitai_go::reading::{Captures, Fight, Kos, Width};
use leitai_go::{Board, CaptureVerdict, Colour, Goal, Point, Problem};

/// A question about two blocks of a board that a random game has filled.
fn question(random: &mut ChaCha8Rng, is_race: bool) -> Option<Problem> {
    let board = filled(random);
    let mut below = |bound: usize| random.next_u32() as usize % bound.max(1);
    let stones: Vec<Point> = Colour::BOTH
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

/// Returns whether the attacker succeeds, by the master of the kos; `None` if there are too many
/// positions.
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

/// Tests this number of questions: trees that search a side in full are right about the results
/// that this proves, and the verdicts of the mode `proved` are true and have certificates that the
/// checker accepts, both by zones and with every play.
fn agree(seed: u64, questions: usize, is_race: bool) {
    let params = CaptureParams::default();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut fights = Solver::<Fight>::new(&solver(SolverKind::DfPnPlus, 16));
    let mut captures = Captures::new(params.clone(), solver(SolverKind::DfPnPlus, 16));
    let mut counts = [0_usize; CaptureVerdict::ALL.len()];
    let (mut done, mut refused) = (0, 0);
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
            refused += forgeries(&certificate, &mut random);
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
    println!("{told:?}, {refused} forgeries refused");
    assert!(refused > questions, "nothing was forged");
    for &verdict in problem_verdicts(is_race) {
        assert!(counts[verdict as usize] > 0, "the draw has no {verdict}");
    }
}

/// Makes one random change to a certificate.
fn forge(certificate: &mut Certificate, random: &mut ChaCha8Rng) {
    let mut below = |bound: usize| random.next_u32() as usize % bound.max(1);
    let spot = Spot {
        col: below(5) as u8,
        row: below(5) as u8,
    };
    let count = certificate.nodes.len();
    let (place, other) = (below(count), below(count) as u32);
    let node = &mut certificate.nodes[place];
    let reply = below(node.replies.len());
    let statement = &mut certificate.statement;
    match below(12) {
        0 | 1 if !node.replies.is_empty() => drop(node.replies.remove(reply)),
        2 if !node.replies.is_empty() => node.replies[reply].1 = other,
        3 if !node.replies.is_empty() => node.replies[reply].0 = Play::At(spot),
        4 => node.answer = [None, Some(Play::Pass), Some(Play::At(spot))][below(3)],
        5 => node.otherwise = [None, Some(other)][below(2)],
        6 => statement.target = spot,
        7 => statement.other = [None, Some(spot)][below(2)],
        8 => statement.to_move = statement.to_move.other(),
        9 => {
            statement.master = match statement.master {
                Master::Attacker => Master::Defender,
                Master::Defender => Master::Attacker,
            };
        }
        10 => {
            statement.claim = match statement.claim {
                Claim::Captured => Claim::Escapes,
                Claim::Escapes => Claim::Captured,
                Claim::Connected => Claim::Cut,
                Claim::Cut => Claim::Connected,
            };
        }
        _ => {
            let row = &mut statement.rows[usize::from(spot.row)];
            let col = usize::from(spot.col);
            row.replace_range(col..=col, ["X", "O", "."][below(3)]);
        }
    }
}

/// Returns whether a statement is true, if that can be decided.
fn truth(statement: &Statement) -> Option<bool> {
    let point = |spot: Spot| Point::new(spot.col, spot.row);
    let board = Board::from_rows(&statement.rows).ok()?;
    let to_move = match statement.to_move {
        Stone::Black => Colour::Black,
        Stone::White => Colour::White,
    };
    let goal = match (statement.claim, statement.other.map(point)) {
        (Claim::Captured | Claim::Escapes, None) => Goal::Capture,
        (Claim::Captured | Claim::Escapes, Some(other)) => Goal::Semeai(other),
        (Claim::Connected | Claim::Cut, other) => Goal::Connect(other?),
    };
    let problem = Problem::new(board, point(statement.target), to_move).ok()?;
    let problem = problem.with_goal(goal).ok()?;
    let kos = match statement.master {
        Master::Attacker => Kos::Attacker,
        Master::Defender => Kos::Defender,
    };
    let limit = statement
        .escape_liberties
        .filter(|_| statement.claim == Claim::Escapes);
    let graph = Graph::of(&problem, kos, [0; 2], limit.map_or(0, u32::from))?;
    Some(graph.captures() == statement.claim.must_end())
}

/// Forges a certificate several times: both checks agree, and the accepted ones are true. Returns
/// the number of refused ones.
fn forgeries(genuine: &Certificate, random: &mut ChaCha8Rng) -> usize {
    let mut refused = 0;
    for _ in 0..4 {
        let mut forged = genuine.clone();
        forge(&mut forged, random);
        let valid = [false, true].map(|exhaustive| {
            let effort = Effort {
                exhaustive,
                positions: 3_000,
            };
            match check(&forged, effort) {
                Ok(_) => Some(true),
                Err(refusal) if matches!(refusal.reason, Reason::TooMany(_)) => None,
                Err(_) => Some(false),
            }
        });
        if let [Some(one), Some(other)] = valid {
            assert_eq!(one, other, "the checks disagree on\n{forged}");
        }
        if valid.contains(&Some(true)) {
            assert_ne!(truth(&forged.statement), Some(false), "{forged}");
        }
        refused += usize::from(valid.contains(&Some(false)));
    }
    refused
}

/// The verdicts that must occur in the test.
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
    agree(4, 40, false);
}

/// A race on 9x9 between two blocks without eyes, enclosed by living stones: the numbers of own
/// liberties of Black's block at A6 and White's block at A4, and the number of shared ones.
fn race(black: usize, white: usize, shared: usize, to_move: Colour) -> Problem {
    let row = |open: usize, stone: &str| ".".repeat(open) + &stone.repeat(9 - open);
    let rows = [
        ".O.OOOOOO".to_owned(),
        row(0, "O"),
        row(black, "O"),
        row(0, "X"),
        row(shared, "O"),
        row(0, "O"),
        row(white, "X"),
        row(0, "X"),
        ".X.XXXXXX".to_owned(),
    ];
    let board = Board::from_rows(&rows).unwrap();
    let [target, against] = ["A4", "A6"].map(|name| Point::from_name(name, 9).unwrap());
    let problem = Problem::new(board, target, to_move).unwrap();
    problem.with_goal(Goal::Semeai(against)).unwrap()
}

/// The side to move wins if its own liberties exceed the other's by at least the shared ones minus
/// one; the other side wins if it is ahead by one more; otherwise it is seki (Müller, Race to
/// capture: analyzing semeai in Go, 1999).
#[test]
fn races_are_counted() {
    let mut captures = Captures::new(CaptureParams::default(), solver(SolverKind::DfPnPlus, 16));
    for black in 1..4_usize {
        for white in 1..4_usize {
            for shared in 0..3_usize {
                for to_move in Colour::BOTH {
                    let problem = race(black, white, shared, to_move);
                    let ahead = black as i32 - white as i32;
                    let needed = shared.saturating_sub(1) as i32;
                    let later = |colour| i32::from(to_move != colour);
                    let wanted = if ahead >= needed + later(Colour::Black) {
                        CaptureVerdict::Wins
                    } else if -ahead >= needed + later(Colour::White) {
                        CaptureVerdict::Loses
                    } else {
                        CaptureVerdict::Seki
                    };
                    let answer = captures.solve(&problem, Mode::Proved, limits(), None);
                    assert_eq!(
                        answer.verdict, wanted,
                        "{black} {white} {shared} {to_move:?}"
                    );
                }
            }
        }
    }
}

/// `cargo test --release -p leitai-go-problems --lib thousands_of_goals -- --ignored --nocapture`
#[test]
#[ignore = "minutes in a release build"]
fn thousands_of_goals_agree_with_the_truth() {
    agree(5, 5_000, true);
    agree(6, 5_000, false);
}
