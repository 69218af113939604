//! Studies of invented solvers with known answers.

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use super::*;
use leitai_game::Move;
use leitai_game::search::proof::Event;
use leitai_go::{Board, CaptureVerdict, Colour, Play, Point, Problem};
use leitai_runs::study::{Measure as _, keys};

const ROWS: [&str; 5] = [".....", ".XO..", ".....", ".....", "....."];

/// A problem on these rows, with the target at C4 (the third point of the second row).
fn problem(id: &str, rows: [&str; 5], expected: Option<CaptureVerdict>) -> Problem {
    let board = Board::from_rows(&rows).unwrap();
    let mut problem = Problem::new(board, Point::new(2, 1), Colour::Black).unwrap();
    problem.id = id.to_owned();
    problem.expected = expected;
    problem.solutions = vec![Play::At(Point::new(3, 1))];
    problem
}

/// `count` problems, all captured, each with a stone at a different point.
fn suite(count: usize) -> Vec<Case> {
    let one = |number: usize| {
        let mut rows = ROWS.map(str::to_owned);
        let at = [
            (4, 0),
            (4, 1),
            (4, 2),
            (4, 3),
            (4, 4),
            (3, 0),
            (3, 1),
            (3, 3),
            (3, 4),
            (0, 0),
        ];
        // A second stone distinguishes later rounds.
        for (row, column) in [at[number % 10], at[(number / 10 + number + 1) % 10]] {
            rows[row].replace_range(column..=column, "X");
        }
        let rows = [0, 1, 2, 3, 4].map(|row: usize| rows[row].as_str());
        problem(&format!("p{number}"), rows, Some(CaptureVerdict::Captured))
    };
    cases((0..count).map(one).collect())
}

/// A solver that needs 10 nodes for each unit of its weakness on `p0`, 20 on `p1` and so on.
struct Fake {
    weakness: u64,
}

fn number_of(problem: &Problem) -> u64 {
    problem.id.trim_start_matches('p').parse().unwrap()
}

fn unknown() -> SolverResult {
    SolverResult {
        verdict: CaptureVerdict::Unknown,
        best: None,
        visited: Some(0),
        expanded: Some(0),
        generated: Some(0),
        depth: Some(0),
        wall: None,
        cpu: None,
    }
}

impl Solves for Fake {
    fn solve(
        &mut self,
        problem: &Problem,
        caps: &Caps<'_>,
        watch: &mut dyn FnMut(Event),
    ) -> Result<SolverResult, String> {
        let number = number_of(problem);
        let needs = 10 * self.weakness * (number + 1);
        let visited = needs.min(caps.nodes.unwrap_or(needs));
        for depth in 1..=3 {
            watch(Event::Iteration {
                depth: 2 * depth,
                value: depth as i32,
                visited: visited * u64::from(depth) / 3,
            });
        }
        let done = visited == needs;
        Ok(SolverResult {
            verdict: match (done, self.weakness) {
                (false, _) => CaptureVerdict::Unknown,
                // The third one errs on the first problem.
                (true, 3) if number == 0 => CaptureVerdict::Escapes,
                (true, _) => CaptureVerdict::Captured,
            },
            best: done.then_some(Move(Point::new(3, 1).0)),
            visited: Some(visited),
            expanded: Some(visited / 2),
            generated: Some(3 * visited),
            depth: Some(6),
            wall: None,
            cpu: None,
        })
    }
}

#[expect(clippy::unnecessary_wraps, reason = "as those that can fail to start")]
fn fakes(number: usize) -> Result<Box<dyn Solves>, String> {
    Ok(Box::new(Fake {
        weakness: number as u64 + 1,
    }))
}

fn solver(number: usize, outside: bool) -> Solver {
    Solver {
        name: format!("s{number}"),
        outside,
        identity: format!("weakness {number}"),
    }
}

static SOLVERS: LazyLock<[Solver; 3]> = LazyLock::new(|| [0, 1, 2].map(|it| solver(it, false)));

fn solving<'a>(task: &'a Task<'a>) -> Solving<'a> {
    Solving {
        task,
        clocks: still(),
        make: &fakes,
    }
}

fn still() -> Clocks<'static> {
    Clocks {
        wall: &|| Duration::ZERO,
        cpu: &|| None,
    }
}

fn solved_by(task: &Task<'_>, threads: usize) -> Cells {
    let solving = solving(task);
    let mut cells = Cells::empty(solving.size());
    let threads = NonZeroUsize::new(threads).unwrap();
    let cancel = AtomicBool::new(false);
    let done: Result<(), Infallible> = cells.fill(&solving, threads, &cancel, |_, _| Ok(()));
    done.unwrap();
    cells
}

fn task(cases: &[Case]) -> Task<'_> {
    Task {
        cases,
        solvers: &*SOLVERS,
        nodes: Some(200),
        time: None,
        repeats: 1,
    }
}

fn wanted() -> Wanted<'static> {
    Wanted {
        mode: "fast",
        judges: &[],
        absent: &[],
        within: &[0.01, 1.0],
        seed: 1,
        resamples: 300,
        times: true,
    }
}

fn near(value: Option<f64>, expected: f64) -> bool {
    value.is_some_and(|value| (value - expected).abs() < 1e-9)
}

#[test]
fn cells_are_the_same_for_any_number_of_threads() {
    let cases = suite(12);
    let task = task(&cases);
    let cells = solved_by(&task, 1);
    assert_eq!(cells.progress(), (36, 36));
    assert_eq!(cells, solved_by(&task, 3));
}

#[test]
fn table_one_is_that_of_its_definitions() {
    let cases = suite(12);
    let task = task(&cases);
    let figures = Figures::new(&task, &solved_by(&task, 1), &wanted());
    // Within 200 nodes the first solves all 12 problems, the second 10; the third 6, one of them
    // wrongly.
    let counts = |solver: &SolverFigures| [solver.solved, solver.unsolved, solver.wrong];
    let solvers = &figures.solvers;
    assert_eq!(counts(&solvers[0]), [12, 0, 0]);
    assert_eq!(counts(&solvers[1]), [10, 2, 0]);
    assert_eq!(counts(&solvers[2]), [5, 6, 1]);
    assert_eq!(figures.common, 5);
    // Own sets: the mean of 10 to 120, and of 20 to 200; the common one is p1 to p5, with mean
    // weight 4.
    assert!(near(solvers[0].own.visited, 65.0) && near(solvers[1].own.visited, 110.0));
    for (solver, weakness) in solvers.iter().zip([1.0, 2.0, 3.0]) {
        assert_eq!(solver.common.problems, 5);
        assert!(near(solver.common.visited, 40.0 * weakness));
        assert!(near(solver.common.generated, 120.0 * weakness));
        assert!(near(solver.common.depth, 6.0));
        assert_eq!(solver.listed_moves, [solver.solved, solver.solved]);
    }
    // PAR2 under 200 nodes: 10 problems of 110 in the mean and two of 400.
    let par = solvers[1].penalised_nodes.unwrap();
    assert!((par.par2 - 1900.0 / 12.0).abs() < 1e-9);
    assert!((par.par10 - 5100.0 / 12.0).abs() < 1e-9);
    assert!(solvers[1].penalised_seconds.is_none());
    assert_eq!(figures.disputed.len(), 1);
    assert_eq!(figures.disputed[0].id, "p0");
}

#[test]
fn pairs_are_compared_on_problems_that_both_solve() {
    let cases = suite(12);
    let task = task(&cases);
    let figures = Figures::new(&task, &solved_by(&task, 1), &wanted());
    let numbers: Vec<[usize; 2]> = figures.pairs.iter().map(|pair| pair.solvers).collect();
    assert_eq!(numbers, [[0, 1], [0, 2], [1, 2]]);
    let solved = &figures.pairs[1].solved;
    assert_eq!(
        [
            solved.both,
            solved.only_first,
            solved.only_second,
            solved.neither
        ],
        [5, 7, 0, 0]
    );
    // 7 to none: 2 / 2^7; both pairs with the first are at 12:10 and 12:5.
    assert!((solved.mcnemar.p - 0.015_625).abs() < 1e-12);
    let positions = figures.positions;
    assert!(positions > 6 && positions <= 12, "{positions}");
    let nodes = figures.pairs[0].nodes.unwrap();
    assert_eq!(
        [nodes.problems, nodes.less, nodes.equal, nodes.more],
        [10, 0, 0, 10]
    );
    assert!(near(nodes.ratio.value, 2.0) && near(nodes.ratio.low, 2.0));
    assert!(nodes.sign.test.p < 0.05 && nodes.ranks.negative.abs() < 1e-12);
    // PAR2 over all problems: 1900 over 780.
    assert!(near(nodes.par2_ratio.value, 1900.0 / 780.0));
    // Three tests: the least p is tripled; with the first solver there are two.
    let least = figures.pairs[1].solved.by_position;
    assert!(near(least.holm, 3.0 * least.test.p));
    assert!(near(least.holm_versus_first, 2.0 * least.test.p));
    assert_eq!(figures.pairs[2].solved.by_position.holm_versus_first, None);
}

#[test]
fn another_programs_nodes_are_not_compared() {
    let cases = suite(12);
    let task = task(&cases);
    let cells = solved_by(&task, 1);
    let solvers = [0, 1, 2].map(|number| solver(number, number == 1));
    let task = Task {
        solvers: &solvers,
        ..task
    };
    let figures = Figures::new(&task, &cells, &wanted());
    let compared: Vec<bool> = figures
        .pairs
        .iter()
        .map(|pair| pair.nodes.is_some())
        .collect();
    assert_eq!(compared, [false, true, false]);
    assert!(figures.pairs[0].seconds.is_some());
    let quiet = Wanted {
        times: false,
        ..wanted()
    };
    let figures = Figures::new(&task, &cells, &quiet);
    let text = serde_json::to_string(&figures).unwrap();
    assert!(!text.contains("seconds"), "{text}");
}

#[test]
fn copies_and_twins_share_a_position() {
    let captured = Some(CaptureVerdict::Captured);
    let mut twin = problem("twin", ROWS, captured);
    twin.to_move = Colour::White;
    // Mirrored, and the colours swapped: the target moves, but stays the same point.
    let mirrored = [".....", ".....", ".....", "..OX.", "....."];
    let mut copy = problem("copy", ROWS, captured);
    copy.board = Board::from_rows(&mirrored).unwrap();
    let swapped = [".....", ".OX..", ".....", ".....", "....."];
    let turned = [".....", ".X...", ".O...", ".....", "....."];
    let mut turn = problem("turned", ROWS, captured);
    turn.board = Board::from_rows(&turned).unwrap();
    let all = vec![
        problem("one", ROWS, captured),
        twin,
        problem(
            "other",
            [".....", ".XO..", ".....", ".....", "....X"],
            captured,
        ),
        copy,
        problem("swapped", swapped, captured),
        turn,
    ];
    let clusters: Vec<usize> = cases(all).iter().map(|case| case.cluster).collect();
    assert_eq!(clusters, [0, 0, 1, 0, 0, 0]);
}

#[test]
fn only_judges_decide_problems_without_a_verdict() {
    let mut cases = suite(6);
    for case in &mut cases[..4] {
        case.problem.expected = None;
    }
    // The second needs twice the nodes of the first, the third errs on the first problem
    // and gives up on the last three.
    let task = Task {
        cases: &cases,
        solvers: &*SOLVERS,
        nodes: Some(100),
        time: None,
        repeats: 1,
    };
    let cells = solved_by(&task, 2);
    let figures = Figures::new(&task, &cells, &wanted());
    let said = |figures: &Figures| -> Vec<[usize; 5]> {
        let solvers = figures.solvers.iter();
        solvers
            .map(|it| {
                let no_answer = it.unsolved - it.unjudged_unsolved;
                [
                    it.right,
                    it.wrong,
                    no_answer,
                    it.unjudged,
                    it.unjudged_unsolved,
                ]
            })
            .collect()
    };
    assert_eq!(figures.unknown(), 4);
    assert_eq!(
        said(&figures),
        [[2, 0, 0, 4, 0], [1, 0, 1, 4, 0], [0, 0, 2, 3, 1]]
    );
    for sums in said(&figures) {
        assert_eq!(sums.iter().sum::<usize>(), 6, "no problem is lost");
    }
    let pair = &figures.pairs[1];
    assert_eq!(
        [pair.solvers, [pair.right.only_first, pair.right.neither]],
        [[0, 2], [2, 4]]
    );
    let UnjudgedFigures {
        agree,
        differ,
        only_first,
        only_second,
        neither,
    } = pair.unjudged;
    assert_eq!(
        [agree, differ, only_first, only_second, neither],
        [2, 1, 1, 0, 0]
    );
    assert_eq!(figures.solvers[0].right_share.value, Some(2.0 / 6.0));

    // If the judges differ or are silent, the truth stays unknown.
    let known = judged(&cases, &cells, &[0, 2]);
    let by_judges: Vec<bool> = known.iter().map(|case| case.by_judges).collect();
    assert_eq!(by_judges, [false, true, true, false, false, false]);
    let task = Task {
        cases: &known,
        ..task
    };
    let judges = Wanted {
        judges: &[0, 2],
        ..wanted()
    };
    let figures = Figures::new(&task, &cells, &judges);
    assert_eq!((figures.unknown(), figures.judged), (2, 2));
    assert_eq!(figures.judges, ["s0", "s2"]);
    assert_eq!(
        said(&figures),
        [[4, 0, 0, 2, 0], [3, 0, 1, 2, 0], [2, 0, 2, 1, 1]]
    );
}

#[test]
fn an_answer_counts_by_the_known_verdict() {
    use CaptureVerdict::{Captured, Escapes, Ko, Unknown};
    for (found, expected, judgement) in [
        (Captured, Some(Captured), Judgement::Right),
        (Captured, Some(Ko), Judgement::Wrong),
        (Unknown, Some(Escapes), Judgement::Unsolved),
        (Unknown, None, Judgement::Unsolved),
        (Ko, None, Judgement::Unjudged),
        (Ko, Some(Unknown), Judgement::Unjudged),
    ] {
        assert_eq!(Judgement::of(found, expected), judgement);
    }
}

/// A solver that searches until it is stopped; or fails, as a program that dies.
struct Endless {
    fails: bool,
}

impl Solves for Endless {
    fn solve(
        &mut self,
        problem: &Problem,
        caps: &Caps<'_>,
        _watch: &mut dyn FnMut(Event),
    ) -> Result<SolverResult, String> {
        if self.fails && number_of(problem) == 1 {
            return Err("it died".to_owned());
        }
        while !(caps.stop)() {}
        Ok(unknown())
    }
}

#[test]
fn a_cap_of_time_ends_a_search_and_a_fault_is_no_answer() {
    let cases = suite(3);
    let task = Task {
        solvers: &SOLVERS[..2],
        nodes: None,
        time: Some(Duration::from_micros(50)),
        repeats: 3,
        ..task(&cases)
    };
    // A clock that advances at every reading.
    let ticks = AtomicU64::new(0);
    let wall = || Duration::from_micros(ticks.fetch_add(1, Ordering::Relaxed));
    let clocks = Clocks {
        wall: &wall,
        cpu: &|| None,
    };
    let make = |number: usize| -> Result<Box<dyn Solves>, String> {
        Ok(Box::new(Endless { fails: number == 1 }))
    };
    let solving = Solving {
        task: &task,
        clocks,
        make: &make,
    };
    let mut cells = Cells::empty(solving.size());
    let cancel = AtomicBool::new(false);
    let done: Result<(), Infallible> =
        cells.fill(&solving, NonZeroUsize::MIN, &cancel, |_, _| Ok(()));
    done.unwrap();
    let times = (0..3).map(|problem| cells.cell(0, problem).unwrap().wall.as_micros());
    assert!(
        times.clone().all(|time| (50..60).contains(&time)),
        "{:?}",
        times.collect::<Vec<_>>()
    );
    assert_eq!(cells.cell(1, 1).unwrap().fault.as_deref(), Some("it died"));
    let figures = Figures::new(&task, &cells, &wanted());
    let second = &figures.solvers[1];
    assert_eq!((second.unsolved, second.faults), (3, 1));
    assert_eq!(second.fault.as_deref(), Some("it died"));
    // Unsolved problems count twice the cap.
    assert!((second.penalised_seconds.unwrap().par2 - 1e-4).abs() < 1e-12);
}

#[test]
fn a_study_that_was_stopped_carries_on() {
    let cases = suite(5);
    let task = task(&cases);
    let keys_of = |task: &Task<'_>, threads: usize, is_stopped: bool| {
        let threads = NonZeroUsize::new(threads).unwrap();
        keys(&solving(task), threads, &AtomicBool::new(is_stopped))
    };
    let keys = keys_of(&task, 1, false).unwrap();
    assert_eq!(keys_of(&task, 3, false).as_ref(), Some(&keys));
    assert_eq!(keys_of(&task, 1, true), None);
    let distinct: std::collections::HashSet<&[u8; 32]> = keys.iter().collect();
    assert_eq!(distinct.len(), 15);
    let whole = solved_by(&task, 1);
    let mut cells = Cells::empty(solving(&task).size());
    for number in 0..keys.len() - 1 {
        let text = Solving::write(whole.cell(number % 3, number / 3).unwrap()).unwrap();
        let cell = Solving::read(&text).unwrap();
        // Impossible counts or times make no cell.
        let visited = cell.answer.visited.unwrap();
        for wrong in [-1, i64::MAX] {
            let was = format!("\"visited\":{visited}");
            let wrong = text.replacen(&was, &format!("\"visited\":{wrong}"), 1);
            assert_ne!(wrong, text);
            assert_eq!(Solving::read(&wrong), None);
        }
        assert_eq!(
            Solving::read(&text.replace("\"secs\":0", "\"secs\":8589934592")),
            None
        );
        assert_eq!(Solving::read(&text[..text.len() - 1]), None);
        cells.put(number, cell);
    }
    let mut solved = 0;
    let cancel = AtomicBool::new(false);
    let done: Result<(), Infallible> =
        cells.fill(&solving(&task), NonZeroUsize::MIN, &cancel, |_, _| {
            solved += 1;
            Ok(())
        });
    done.unwrap();
    assert_eq!((solved, cells), (1, whole));
    // Other limits mean other cells; so do other problems.
    let capped = Task {
        nodes: Some(100),
        ..task
    };
    assert_ne!(keys_of(&capped, 1, false).unwrap()[0], keys[0]);
    assert_ne!(keys[0], keys[3]);
}

#[test]
fn a_stopped_study_keeps_no_half_search() {
    let cases = suite(5);
    let task = task(&cases);
    let mut cells = Cells::empty(solving(&task).size());
    let cancel = AtomicBool::new(false);
    let done: Result<(), Infallible> =
        cells.fill(&solving(&task), NonZeroUsize::MIN, &cancel, |number, _| {
            // Cells that were in progress arrive after the cancellation.
            cancel.fetch_or(number == 3, Ordering::Relaxed);
            Ok(())
        });
    done.unwrap();
    let (all, solved) = cells.progress();
    assert!(all == 15 && (4..15).contains(&solved), "{solved}");
}

/// A search whose values predict its outcome, but only from depth 4 on.
fn telling(escapes: bool, number: usize) -> Cell {
    let value = |depth: u32| Event::Iteration {
        depth,
        value: match (depth, escapes) {
            (2, _) => 5 + (number % 3) as i32,
            (_, true) => 9 + number as i32,
            (_, false) => 4 - (number % 3) as i32,
        },
        visited: 10 * u64::from(depth),
    };
    Cell {
        answer: SolverResult {
            verdict: if escapes {
                CaptureVerdict::Escapes
            } else {
                CaptureVerdict::Captured
            },
            ..unknown()
        },
        steps: [2, 4, 6].map(value).to_vec(),
        wall: Duration::ZERO,
        cpu: None,
        unsteady: false,
        fault: None,
    }
}

#[test]
fn values_predict_verdicts_where_they_differ() {
    let mut cases = suite(20);
    let mut cells = Vec::new();
    for (number, case) in cases.iter_mut().enumerate() {
        let escapes = number % 2 == 0;
        if escapes {
            case.problem.expected = Some(CaptureVerdict::Escapes);
        }
        cells.push(Some(telling(escapes, number)));
    }
    let task = Task {
        solvers: &SOLVERS[..1],
        ..task(&cases)
    };
    let figures = Figures::new(&task, &Cells::new(1, cells), &wanted());
    let at = |feature: &str, checkpoint: u64| {
        let mut found = figures.predictions.iter();
        found.find(|it| it.feature == feature && it.checkpoint == checkpoint)
    };
    let early = at("value", 2).unwrap().auc;
    assert!((early.area.value.unwrap() - 0.5).abs() < 0.2, "{early:?}");
    let later = at("value", 4).unwrap();
    assert_eq!((later.auc.area.value, later.decided), (Some(1.0), 0));
    assert_eq!(at("value-change", 4).unwrap().auc.area.value, Some(1.0));
    // After the last iteration all are decided.
    assert_eq!(at("value", 6), None);
    assert_eq!(at("pn/dn", 10), None);
    // The trajectories are sorted by outcome.
    let searches: Vec<usize> = figures.trajectories.iter().map(|it| it.searches).collect();
    assert_eq!(searches, [10, 10, 0]);
}

#[test]
fn proof_numbers_past_their_peak() {
    let numbers = |escapes: bool, number: u32| {
        let grows = [1, 8 + number, 20 + number, u32::MAX];
        let falls = [3 + number, 30, 5, 0];
        let (pn, dn) = if escapes {
            (grows, falls)
        } else {
            (falls, grows)
        };
        let step = |at: usize| Event::Numbers {
            visited: [1, 9, 90, 500][at],
            pn: pn[at],
            dn: dn[at],
        };
        Cell {
            steps: [0, 1, 2, 3].map(step).to_vec(),
            ..telling(escapes, 0)
        }
    };
    let mut cases = suite(10);
    let mut cells = Vec::new();
    for (number, case) in cases.iter_mut().enumerate() {
        let escapes = number < 4;
        if escapes {
            case.problem.expected = Some(CaptureVerdict::Escapes);
        }
        cells.push(Some(numbers(escapes, number as u32)));
    }
    let task = Task {
        solvers: &SOLVERS[..1],
        ..task(&cases)
    };
    let figures = Figures::new(&task, &Cells::new(1, cells), &wanted());
    let features: Vec<(&str, u64)> = figures
        .predictions
        .iter()
        .map(|it| (it.feature, it.checkpoint))
        .collect();
    let expected = ["pn/dn", "dn-past-peak", "pn-past-peak"];
    let expected: Vec<(&str, u64)> = [10, 100]
        .into_iter()
        .flat_map(|at| expected.map(|feature| (feature, at)))
        .collect();
    assert_eq!(features, expected);
    for prediction in figures.predictions.iter().filter(|it| it.checkpoint == 100) {
        assert_eq!(
            prediction.auc.area.value,
            Some(1.0),
            "{}",
            prediction.feature
        );
        assert!(prediction.auc.area.low.unwrap() > 0.5);
    }
}
