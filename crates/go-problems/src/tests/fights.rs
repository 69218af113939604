//! Ko bans and ko fights: known shapes, and exact results on small boards.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::retrograde::{Graph, limits, solver, target};
use crate::certify::Certify as _;
use crate::proof::{Effort, check};
use leitai_game::Side;
use leitai_game::search::proof::{Mode, Solver, SolverKind};
use leitai_go::reading::{CaptureParams, KoFight, Reading};
use leitai_go::reading::{Captures, ExternalThreats, Kos, Need, Proving, Width};
use leitai_go::{CaptureVerdict, Colour, Point, Problem, Setup, point_of};

/// The problem of a line, with its ban.
fn problem(line: &str) -> Problem {
    let Setup {
        board,
        ko_of_other,
        to_move,
        target,
    } = Setup::read(line).expect(line);
    let mut problem = Problem::new(board, target, to_move).expect(line);
    if let Some(point) = ko_of_other {
        problem.set_ban(point, to_move.other()).expect(line);
    }
    problem
}

fn captures() -> Captures {
    Captures::new(CaptureParams::default(), solver(SolverKind::DfPnPlus, 16))
}

fn solve(problem: &Problem, mode: Mode) -> Reading {
    captures().solve(problem, mode, limits(), None)
}

fn fight(problem: &Problem, mode: Mode) -> KoFight {
    captures().fight(problem, mode, limits())
}

/// The verdict of both modes, which must agree; proved verdicts have certificates.
fn verdict(problem: &Problem) -> CaptureVerdict {
    let line = problem.setup();
    let fast = solve(problem, Mode::Fast).verdict;
    let mut captures = captures();
    let proved = captures.solve(problem, Mode::Proved, limits(), None);
    let certificates = captures
        .certify(problem, &proved, limits())
        .expect("proved");
    for certificate in certificates {
        let checked = check(&certificate, Effort::default());
        assert!(checked.is_ok(), "{checked:?}: {line}");
    }
    assert_eq!(fast, proved.verdict, "{line}");
    fast
}

/// Black can take White's stone at B6 by a ko at A6; connected there, it has enough liberties.
const DIRECT: &str = ".OX.../OXX.../OOOO../....../....../......";

fn names(problem: &Problem, fight: &KoFight) -> (Option<Side>, [Need; 2], String) {
    let size = problem.board.size();
    let best = fight.best.and_then(point_of).map(|point| point.name(size));
    let needs = [fight.attacker, fight.defender];
    (fight.first, needs, best.unwrap_or_default())
}

#[test]
fn the_first_to_take_a_direct_ko_needs_no_threat() {
    let free = problem(&format!("{DIRECT} X B6 -"));
    assert_eq!(verdict(&free), CaptureVerdict::Ko);
    let banned = problem(&format!("{DIRECT} X B6 A6"));
    // Black has to begin elsewhere, and White connects.
    assert_eq!(verdict(&banned), CaptureVerdict::Escapes);
    // White connects at once; a ban on Black comes too late.
    for line in ["O B6 -", "O B6 A6:X"] {
        let joins = problem(&format!("{DIRECT} {line}"));
        assert_eq!(verdict(&joins), CaptureVerdict::Escapes);
    }
    let (none, one) = (Need::Threats(0), Need::Threats(1));
    for mode in [Mode::Fast, Mode::Proved] {
        let found = fight(&free, mode);
        assert_eq!(found.is_proved, mode == Mode::Proved);
        let wanted = (Some(Side::First), [none, one], "A6".to_owned());
        assert_eq!(names(&free, &found), wanted, "{mode:?}");
        // With the ban Black needs a threat, and still takes first.
        let wanted = (Some(Side::First), [one, none], "A6".to_owned());
        assert_eq!(names(&banned, &fight(&banned, mode)), wanted, "{mode:?}");
        for version in free.versions() {
            let other = fight(&version, mode);
            assert_eq!((other.first, other.attacker), (found.first, found.attacker));
            assert_eq!(
                (other.defender, other.effort),
                (found.defender, found.effort)
            );
        }
    }
}

/// Positions of 5x5 with the number of liberties of an escape, the need of each side, and the side
/// that takes first. The first needs two threats to win a two-step ko. In the last the defender
/// takes first, but the attacker wins without threats.
const NEEDS: [(&str, u8, Need, Need, Side); 3] = {
    let need = Need::Threats;
    [
        (
            "OX.XX/OO.XX/OOX.X/XOOX./.OOOX X A3 -",
            4,
            need(2),
            need(0),
            Side::Second,
        ),
        (
            "O.OXX/.OXXX/OXXXX/.XXXX/OXXXX X E1 -",
            4,
            need(1),
            need(0),
            Side::Second,
        ),
        (
            "OX.XX/.OOOX/OOXXX/OXXXX/OOO.X X C3 -",
            5,
            need(0),
            need(1),
            Side::Second,
        ),
    ]
};

#[test]
fn needs_are_those_of_all_games() {
    for (line, escape, attacker, defender, first) in NEEDS {
        let mut problem = problem(line);
        problem.escape_liberties = Some(escape);
        assert_eq!(verdict(&problem), CaptureVerdict::Ko);
        let found = fight(&problem, Mode::Proved);
        assert!(found.is_proved, "{line}");
        assert_eq!(
            (found.attacker, found.defender),
            (attacker, defender),
            "{line}"
        );
        assert_eq!(found.first, Some(first), "{line}");
        for (side, need) in [(0, attacker), (1, defender)] {
            let Need::Threats(count) = need else {
                panic!("{line}")
            };
            let captured = |count| {
                let mut threats = [0; 2];
                threats[side] = count;
                let graph = Graph::of(&problem, Kos::Both, threats, escape.into());
                graph.expect(line).captures()
            };
            assert_eq!(captured(count), side == 0, "{line}");
            assert!(count == 0 || captured(count - 1) == (side == 1), "{line}");
        }
    }
}

#[test]
fn a_snapback_is_no_ko() {
    let line = "......./......./......./......./.XXXX../XOOO.X./XO.OXX. X D2 -";
    assert_eq!(verdict(&problem(line)), CaptureVerdict::Captured);
}

/// Tests this number of small targets with a ko, banned for the side that might take it: the
/// results are exact, and bans change verdicts consistently.
fn bans_and_threats(seed: u64, targets: usize) {
    let params = CaptureParams::default();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut captures = captures();
    let mut solver = Solver::<Proving>::new(&solver(SolverKind::DfPnPlus, 16));
    let (mut done, mut changed, mut fights) = (0, 0, [0; 2]);
    while done < targets {
        let Some(free) = target(&mut random) else {
            continue;
        };
        let colour = Colour::BOTH[random.next_u32() as usize % 2];
        let takes = |&point: &Point| free.board.is_ko_capture(point, colour);
        let Some(point) = free.board.empties().iter().find(takes) else {
            continue;
        };
        let mut banned = free.clone();
        banned.set_ban(point, colour).expect("a ko");
        let liberties = params.escape_liberties_of(&free);
        let of =
            |problem, kos, threats| Some(Graph::of(problem, kos, threats, liberties)?.captures());
        let known = |problem| {
            let against = of(problem, Kos::Defender, [0; 2])?;
            let with = of(problem, Kos::Attacker, [0; 2])?;
            Some(match (against, with) {
                (true, _) => CaptureVerdict::Captured,
                (false, true) => CaptureVerdict::Ko,
                (false, false) => CaptureVerdict::Escapes,
            })
        };
        let (Some(before), Some(wanted)) = (known(&free), known(&banned)) else {
            continue;
        };
        done += 1;
        let shown = banned.setup();
        // A side that must not begin with a ko cannot gain from that, and a result that needs no ko
        // capture by it stays.
        let for_whom = if colour == free.attacker() {
            CaptureVerdict::Escapes
        } else {
            CaptureVerdict::Captured
        };
        assert!(
            before == wanted || (before == CaptureVerdict::Ko && wanted == for_whom),
            "{before} {wanted} {shown}"
        );
        changed += usize::from(before != wanted);
        let answer = captures.solve(&banned, Mode::Proved, limits(), None);
        assert_eq!(answer.verdict, wanted, "{shown}");
        let certificates = captures.certify(&banned, &answer, limits());
        for certificate in certificates.unwrap_or_else(|why| panic!("{why}: {shown}")) {
            let checked = check(&certificate, Effort::default());
            assert!(checked.is_ok(), "{checked:?}: {shown}");
        }
        for (attacker, defender) in [(0, 0), (1, 0), (0, 1), (2, 1)] {
            let Some(truth) = of(&banned, Kos::Both, [attacker, defender]) else {
                continue;
            };
            fights[usize::from(truth)] += 1;
            for width in [Width::FULL, Width::CAPTURE, Width::ESCAPE] {
                solver.new_problem();
                let threats = ExternalThreats { attacker, defender };
                let mut tree = Proving::fight(&banned, &params, threats, width);
                let found = solver.solve(&mut tree, limits(), None).verdict.is_proved();
                let is_proof = match found {
                    Some(true) => width.defender,
                    Some(false) => width.attacker,
                    None => false,
                };
                if is_proof || width == Width::FULL {
                    let what = format!("{width:?} {threats:?} {shown} escape {liberties}");
                    assert_eq!(found, Some(truth), "{what}");
                }
            }
        }
    }
    println!("{changed} of {done} verdicts changed by the ban; fights {fights:?}");
    assert!(
        changed > 0 && fights[0] > 0 && fights[1] > 0,
        "the draw says nothing"
    );
}

#[test]
fn bans_and_threats_are_as_on_small_boards() {
    bans_and_threats(1, 30);
}

/// `cargo test --release --lib thousands_of_bans -- --ignored --nocapture`
#[test]
#[ignore = "minutes in a release build"]
fn thousands_of_bans() {
    bans_and_threats(2, 5_000);
}
