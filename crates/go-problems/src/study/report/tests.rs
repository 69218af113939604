//! Renderings of a study with invented cells, so that they do not change with the solvers.

use leitai_report::Room;
use std::time::Duration;

use super::*;
use crate::study::{Case, Cell, Cells, Figures, Solver, SolverResult, Task, Wanted, cases};
use leitai_game::Move;
use leitai_game::search::proof::Event;
use leitai_go::{Board, CaptureVerdict, Colour, Play, Point, Problem};
use leitai_report::study::plots::Plot;

const NAMES: [&str; 3] = ["pn", "alpha-beta, with <TT>", "another"];

/// Twelve problems on separate boards; two escape, and the last has no verdict.
fn suite() -> Vec<Case> {
    let one = |number: usize| {
        let mut rows = [
            ".......", ".XO....", ".......", ".......", ".......", ".......", ".......",
        ]
        .map(str::to_owned);
        rows[number % 4 + 3].replace_range(number / 4 + 3..number / 4 + 4, "X");
        let board = Board::from_rows(&rows).unwrap();
        let mut problem = Problem::new(board, Point::new(2, 1), Colour::Black).unwrap();
        problem.id = format!("p{number:02}");
        problem.expected = match number {
            0 | 1 => Some(CaptureVerdict::Escapes),
            11 => None,
            _ => Some(CaptureVerdict::Captured),
        };
        problem.solutions = vec![Play::At(Point::new(3, 1))];
        problem
    };
    cases((0..12).map(one).collect())
}

/// Costs grow with the problem and the solver; the second solver gives up on the last two problems
/// and is wrong on the first.
fn cell(case: &Case, number: usize, solver: usize) -> Cell {
    let visited = (number as u64 + 2) * 37 * [10, 25, 8][solver];
    let verdict = match (solver, number) {
        (1, 0) => CaptureVerdict::Captured,
        (1, 9 | 10) => CaptureVerdict::Unknown,
        _ => case.problem.expected.unwrap_or(CaptureVerdict::Captured),
    };
    let wins = verdict == CaptureVerdict::Captured;
    let moment = |part: u32| match solver {
        0 => Event::Numbers {
            visited: visited * u64::from(part) / 4,
            pn: if wins { 20 * (4 - part) } else { 7 * part },
            dn: if wins {
                3 * part * part
            } else {
                9 * (4 - part) + number as u32
            },
        },
        _ => Event::Iteration {
            depth: 2 * part,
            value: match (wins, part) {
                (true, 4) => 0,
                (false, 4) => i32::MAX,
                _ => 5 + (part * number as u32 % 7) as i32,
            },
            visited: visited * u64::from(part) / 4,
        },
    };
    let parts = if solver == 2 { 0 } else { 4 };
    let time = Duration::from_nanos(visited * 431);
    Cell {
        answer: SolverResult {
            verdict,
            best: Some(Move(Point::new(3, 1).0)),
            visited: Some(visited),
            expanded: (solver < 2).then_some(visited / 3),
            generated: (solver < 2).then_some(visited * 2),
            depth: (solver < 2).then_some(4 + number as u32),
            wall: None,
            cpu: None,
        },
        steps: (1..=parts).map(moment).collect(),
        wall: time,
        cpu: (solver < 2).then_some(time),
        unsteady: false,
        fault: None,
    }
}

/// Calls `check` with the invented study.
fn with_study<R>(times: bool, check: impl FnOnce(&Task<'_>, &Cells, &Figures) -> R) -> R {
    let cases = suite();
    let all = cases
        .iter()
        .enumerate()
        .flat_map(|(number, case)| (0..3).map(move |solver| Some(cell(case, number, solver))));
    let cells = Cells::new(3, all.collect());
    let solver = |(index, name): (usize, &&str)| Solver {
        name: (*name).to_owned(),
        outside: index == 2,
        identity: String::new(),
    };
    let solvers: Vec<Solver> = NAMES.iter().enumerate().map(solver).collect();
    let task = Task {
        cases: &cases,
        solvers: &solvers,
        nodes: Some(20_000),
        time: Some(Duration::from_secs(10)),
        repeats: 3,
    };
    let wanted = Wanted {
        mode: "fast",
        judges: &[],
        absent: &[],
        within: &[0.000_1, 0.001, 0.01],
        seed: 1,
        resamples: 500,
        times,
    };
    let figures = Figures::new(&task, &cells, &wanted);
    check(&task, &cells, &figures)
}

fn snapshot(name: &str, text: &str) {
    insta::with_settings!({
        snapshot_path => "../../../tests/data",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(name, text);
    });
}

#[test]
fn solvers_on_a_terminal() {
    let text = with_study(true, |_, _, figures| {
        render_solvers(figures).text(Room::Unlimited)
    });
    snapshot("solvers", &text);
}

#[test]
fn without_times_nothing_depends_on_a_clock() {
    let [text, markdown] = with_study(false, |_, _, figures| {
        [
            render_solvers(figures).text(Room::Unlimited),
            render_solvers(figures).markdown(),
        ]
    });
    for text in [&text, &markdown] {
        assert!(!text.contains(" ms"), "{text}");
        let mut words = text.split_whitespace();
        assert!(
            !words.any(|word| ["NaN", "inf", "-inf"].contains(&word)),
            "{text}"
        );
    }
    assert!(
        markdown.contains("| solver | wrong | solved | unsolved | nodes |"),
        "{markdown}"
    );
}

#[test]
fn csv_has_a_header_and_equal_rows() {
    for times in [false, true] {
        let [cells, summary, traces] = with_study(times, |task, cells, figures| {
            [
                cells_csv(task, cells, times),
                summary_csv(figures),
                trajectories_csv(task, cells),
            ]
        });
        // A comma in a name is quoted, and does not start a column.
        let columns = |line: &str| line.replace("beta, with", "").split(',').count();
        for (text, rows) in [(&cells, 36), (&summary, 3), (&traces, 2 * 12 * 4)] {
            let header = columns(text.lines().next().unwrap());
            assert_eq!(text.lines().count(), rows + 1);
            assert!(text.lines().all(|line| columns(line) == header), "{text}");
        }
        assert_eq!(cells.contains("seconds"), times);
        assert!(
            cells.contains("\npn,p00,0,escapes,escapes,right,D6,740,246,1480,4"),
            "{cells}"
        );
    }
}

#[test]
fn plots_are_well_formed_and_the_same_each_time() {
    let draw = |times| with_study(times, |_, _, figures| plots(figures));
    let drawn: Vec<Plot> = draw(true);
    assert_eq!(drawn, draw(true));
    let files: Vec<&str> = drawn.iter().map(|plot| plot.name.as_str()).collect();
    let expected = [
        "cactus-nodes.svg",
        "scatter-nodes-2-alpha-beta--with--tt.svg",
        "cactus-time.svg",
        "scatter-time-2-alpha-beta--with--tt.svg",
        "scatter-time-3-another.svg",
        "value-captured.svg",
        "value-escapes.svg",
        "value-unsolved.svg",
        "numbers-captured.svg",
        "numbers-escapes.svg",
    ];
    assert_eq!(files, expected);
    for plot in &drawn {
        assert!(
            plot.svg.starts_with("<svg") && plot.svg.ends_with("</svg>\n"),
            "{}",
            plot.name
        );
        let broken = plot.svg.contains("NaN") || plot.svg.contains("inf\"");
        assert!(!broken, "{}", plot.name);
    }
    // Every problem that both solve has a mark, and those that one solves.
    let marks = |what: &str| drawn[1].svg.matches(what).count();
    assert_eq!(marks("<circle"), 9 + 1);
    assert!(!draw(false).iter().any(|plot| plot.name.contains("time")));
}
