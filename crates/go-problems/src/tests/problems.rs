use std::collections::BTreeSet;

use proptest::prelude::*;

use leitai_go::{
    Board, CaptureVerdict, Colour, Goal, Play, Point, Problem, Setup, SetupError, Symmetry,
};

/// A board after random plays.
pub(crate) fn any_board() -> impl Strategy<Value = Board> {
    (5_u8..=19, proptest::collection::vec(any::<u32>(), 1..200)).prop_map(|(size, numbers)| {
        let mut board = Board::empty(size);
        let mut colour = Colour::Black;
        for number in numbers {
            let (col, row) = (number % u32::from(size), number / 32 % u32::from(size));
            board.play(Point::new(col as u8, row as u8), colour);
            colour = colour.other();
        }
        board
    })
}

/// A problem on such a board, with every optional field.
pub(crate) fn any_problem() -> impl Strategy<Value = Problem> {
    let words = (any::<u32>(), any::<bool>(), any::<bool>(), 0_usize..5);
    (any_board(), words, "[a-z][a-z0-9-]{0,8}").prop_filter_map(
        "a stone",
        |(mut board, (number, black, proved, kind), word)| {
            let stones: Vec<Point> = (*board.all(Colour::Black) | *board.all(Colour::White))
                .iter()
                .collect();
            let target = *stones.get(number as usize % stones.len().max(1))?;
            let to_move = if black { Colour::Black } else { Colour::White };
            if board
                .ko()
                .is_some_and(|ko| !board.is_ko_capture(ko, to_move))
            {
                board.set_ko(None);
            }
            let problem = Problem::new(board, target, to_move).ok()?;
            let other = stones[number as usize / 7 % stones.len()];
            let goal = match number % 4 {
                0 => Goal::Semeai(other),
                1 => Goal::Connect(other),
                _ => Goal::Capture,
            };
            let mut problem = problem.clone().with_goal(goal).unwrap_or(problem);
            // Sometimes another ban, on any available ko.
            let colour = Colour::BOTH[usize::from(number % 3 == 0)];
            let takes = |&point: &Point| problem.board.is_ko_capture(point, colour);
            let first = problem.board.empties().iter().find(takes);
            if let Some(point) = first.filter(|_| number % 4 == 2) {
                problem.set_ban(point, colour).ok()?;
            }
            let plays = problem
                .board
                .empties()
                .iter()
                .filter(|&point| problem.board.is_legal(point, to_move))
                .map(Play::At)
                .chain([Play::Pass]);
            let solutions = plays.take(number as usize % 4).collect();
            problem.set_solutions(solutions).ok()?;
            problem.expected = problem.goal.verdicts().get(kind).copied();
            let has_limit = number % 3 == 0 && !matches!(problem.goal, Goal::Connect(_));
            problem.escape_liberties = has_limit.then_some((number % 17) as u8 + 2);
            problem.category = (number % 5 != 0).then(|| word.clone());
            problem.proved = proved;
            problem.nodes = proved.then_some(u64::from(number));
            problem.id = format!("{word}-{number}");
            Some(problem)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_line_goes_there_and_back(problem in any_problem()) {
        let setup = problem.setup();
        prop_assert_eq!(Setup::read(&setup.to_string()), Ok(setup));
    }

    #[test]
    fn any_line_is_read_or_refused(line in "[.XO/]{0,40}[ ]?[XOa-c]?[ ]?[A-T]?[0-9]{0,2}[ ]?[-A]?\\PC{0,5}") {
        if let Ok(setup) = Setup::read(&line) {
            let text = setup.to_string();
            prop_assert_eq!(Setup::read(&text), Ok(setup));
        }
    }

    #[test]
    fn versions_are_the_same_problem(problem in any_problem()) {
        let canonical = problem.canonical();
        let versions: Vec<Problem> = problem.versions().collect();
        prop_assert_eq!(versions.len(), 16);
        prop_assert_eq!(&versions[0], &problem);
        for version in &versions {
            version.board.check_integrity().map_err(TestCaseError::fail)?;
            prop_assert_eq!(version.canonical(), canonical.as_str());
            prop_assert_eq!(version.goal.name(), problem.goal.name());
            let block = |problem: &Problem| problem.goal.other().map(|it| problem.board.liberty_count(it));
            prop_assert_eq!(block(version), block(&problem));
            prop_assert_eq!(version.attacker_moves(), problem.attacker_moves());
            prop_assert_eq!(
                version.board.liberty_count(version.target),
                problem.board.liberty_count(problem.target)
            );
            let mut again = version.clone();
            prop_assert_eq!(again.set_solutions(version.solutions.clone()), Ok(()));
        }
        for symmetry in Symmetry::ALL {
            let there = problem.transformed(symmetry);
            prop_assert_eq!(&there.transformed(symmetry.inverse()), &problem);
        }
        prop_assert_eq!(problem.swapped_colours().swapped_colours(), problem);
    }
}

#[test]
fn symmetries_are_a_group_of_eight() {
    let point = Point::new(0, 1);
    let images: BTreeSet<Point> = Symmetry::ALL.map(|it| it.apply(point, 5)).into();
    assert_eq!(images.len(), 8);
    for first in Symmetry::ALL {
        for second in Symmetry::ALL {
            let both = |point| second.apply(first.apply(point, 7), 7);
            let same = |one: &Symmetry| Point::all(7).all(|it| one.apply(it, 7) == both(it));
            assert_eq!(Symmetry::ALL.iter().filter(|one| same(one)).count(), 1);
        }
    }
    assert_eq!(
        Symmetry::TurnRight.apply(Point::new(1, 0), 9),
        Point::new(8, 1)
    );
    assert_eq!(
        Symmetry::TurnLeft.apply(Point::new(1, 0), 9),
        Point::new(0, 7)
    );
    assert_eq!(Symmetry::TurnLeft.apply(Point(0), 9), Point(0));
}

#[test]
fn other_texts_are_no_problems() {
    let board = |rows: &[&str]| Board::from_rows(rows).unwrap();
    let point = |name: &str| Point::from_name(name, 5).unwrap();
    let rows = [".XO..", "XO.O.", ".XO..", ".....", "....."];
    let new = |ko: Option<&str>, target, to_move| {
        let mut board = board(&rows);
        board.set_ko(ko.map(point));
        Problem::new(board, target, to_move).map_err(|fault| fault.to_string())
    };
    let stone = point("B4");
    let error = |ko, target, to_move| new(ko, target, to_move).unwrap_err();
    assert_eq!(
        error(None, point("A1"), Colour::Black),
        "the target A1 is an empty point: it has to be a stone"
    );
    assert_eq!(
        error(None, Point(0), Colour::Black),
        "the target is not a point of the board"
    );
    assert_eq!(
        error(Some("C4"), stone, Colour::White),
        "C4 is not a ko point: a play of white there would not take exactly one stone by a stone \
         that can be retaken"
    );
    assert!(error(Some("A1"), stone, Colour::Black).starts_with("A1 is not a ko point"));
    let mut problem = new(Some("C4"), stone, Colour::Black).unwrap();
    assert_eq!(problem.defender(), Colour::White);
    assert!(problem.attacker_moves());
    assert_eq!(
        problem
            .set_solutions(vec![Play::Pass, Play::At(point("C4"))])
            .unwrap_err()
            .to_string(),
        "the solution C4 is not a legal move"
    );
    assert_eq!(
        Problem::new(
            board(&["....", "....", "..X.", "...."]),
            Point::new(2, 2),
            Colour::White
        )
        .unwrap_err()
        .to_string(),
        "a board of 4x4: problems have 5x5 to 19x19"
    );
}

#[test]
fn lines_without_a_position_are_refused() {
    let error = |line: &str| Setup::read(line).unwrap_err();
    assert_eq!(error("../.. X A1"), SetupError::Words(3));
    assert_eq!(error("../.. Z A1 -"), SetupError::Side("Z".into()));
    assert_eq!(error("../.. X A3 -"), SetupError::Target("A3".into()));
    assert_eq!(error("../X. X A2 A1"), SetupError::Ko("A1".into()));
    assert!(matches!(error("../.. . X A2 A1"), SetupError::Words(5)));
    assert!(matches!(error("../.... X A2 A1"), SetupError::Board(_)));
    let setup = Setup::read("..X/.XO/... x c2 -").unwrap();
    assert_eq!(setup.to_string(), "..X/.XO/... X C2 -");
}

#[test]
fn plays_and_verdicts_have_names() {
    for &verdict in CaptureVerdict::ALL {
        assert_eq!(CaptureVerdict::read(verdict.name()), Some(verdict));
        let json = format!("\"{verdict}\"");
        assert_eq!(serde_json::to_string(&verdict).unwrap(), json);
        assert_eq!(
            serde_json::from_str::<CaptureVerdict>(&json).unwrap(),
            verdict
        );
    }
    assert_eq!(CaptureVerdict::read("Ko"), Some(CaptureVerdict::Ko));
    assert_eq!(CaptureVerdict::read("dead"), None);
    for play in [Play::Pass, Play::At(Point::new(3, 3))] {
        assert_eq!(Play::from_name(&play.name(9), 9), Some(play));
        assert_eq!(Play::of(play.to_move()), play);
    }
    assert_eq!(Play::from_name("PASS", 9), Some(Play::Pass));
    assert_eq!(Play::from_name("Z9", 9), None);
}
