use std::collections::HashSet;

use proptest::prelude::*;

use super::{Form, ProblemError, Read, read_problems, write_json, write_rows, write_sgf};
use crate::tests::problems::any_problem;
use leitai_go::{CaptureVerdict, Colour, Goal, Point, Problem};

const LADDER: &str = "\
id ladder-1
.....
..X..
.XO..
.X...
.....
target C3
to_move B
verdict captured
solutions D3 pass
escape_limit 5
";

fn good(text: &str) -> Vec<Problem> {
    read_problems(text.as_bytes())
        .into_iter()
        .map(|read| read.unwrap_or_else(|error| panic!("{error}\n{text}")))
        .collect()
}

fn errors(text: &str) -> Vec<String> {
    read_problems(text.as_bytes())
        .into_iter()
        .filter_map(Result::err)
        .map(|error| error.to_string())
        .collect()
}

fn error(text: &str) -> String {
    errors(text).swap_remove(0)
}

#[test]
fn rows_are_read_with_their_fields_in_any_form() {
    let problem = &good(LADDER)[0];
    assert_eq!(problem.id, "ladder-1");
    assert_eq!(problem.target, Point::new(2, 2));
    assert_eq!(problem.expected, Some(CaptureVerdict::Captured));
    assert_eq!(
        (problem.to_move, problem.escape_liberties),
        (Colour::Black, Some(5))
    );
    assert_eq!(problem.solutions.len(), 2);
    let rows = ".....\n..X..\n.XO..\n.X...\n.....\n";
    let fields = [
        "target D6".replace("D6", "c3") + "\nB to move",
        "Target: C3\nTO_MOVE = black".to_owned(),
        "to move X\n\n\ntarget=C3".to_owned(),
        "# a remark\nto-move: x\ntarget :C3\nko -\nverdict none".to_owned(),
    ];
    for fields in fields {
        for text in [
            format!("{rows}{fields}\n"),
            format!("{fields}\n{rows}"),
            format!("\n\n{rows}\n{fields}"),
            format!(
                "{}\r\n\r\n",
                format!("{rows}{fields}").replace('\n', "\r\n")
            ),
            format!("\u{feff}{}", rows.replace("..", " . . ")) + &fields,
        ] {
            let problem = &good(&text)[0];
            assert_eq!(problem.board.to_rows().join("\n") + "\n", rows, "{text}");
            assert_eq!(problem.target, Point::new(2, 2));
            assert_eq!(
                (problem.to_move, problem.id.as_str()),
                (Colour::Black, "problem-1")
            );
        }
    }
}

#[test]
fn several_problems_of_rows_are_kept_apart() {
    let line = "...../..X../.XO../.X.../..... O C3 -";
    let text = format!("{LADDER}\n# next\n{line}\n{line}\nid third\n\n\n{LADDER}");
    let ids: Vec<String> = good(&text).into_iter().map(|problem| problem.id).collect();
    assert_eq!(ids, ["ladder-1", "problem-2", "third", "ladder-1#4"]);
    let faulty = LADDER.replace("target C3", "");
    let read = read_problems(format!("{faulty}\n{LADDER}").as_bytes());
    assert!(read[0].is_err() && read[1].is_ok());
}

#[test]
fn errors_of_rows_are_reported() {
    let with = |from: &str, to: &str| error(&format!("\n{}", LADDER.replace(from, to)));
    let told = |from: &str, to: &str, reason: &str| {
        assert_eq!(
            with(from, to),
            format!("line 2, problem 1 (`ladder-1`): {reason}")
        );
    };
    told(
        "C3",
        "A1",
        "the target A1 is an empty point: it has to be a stone",
    );
    told("C3", "Z3", "the target `Z3` is not a point of a 5x5 board");
    told(
        "target C3\n",
        "",
        "no target: add the attacked block, such as `target D6`",
    );
    told(
        "to_move B\n",
        "",
        "no side to move: add it, such as `to_move B`",
    );
    told(
        "to_move B",
        "to_move Q",
        "`Q` does not move: B (or X) or W (or O) does",
    );
    told(
        "captured",
        "dead",
        "invalid verdict `dead`: expected captured, escapes, ko or unknown",
    );
    told("D3 pass", "C3", "the solution C3 is not a legal move");
    told(
        "D3 pass",
        "D3 K9",
        "the solution `K9` is not a point of the board",
    );
    told(
        "limit 5",
        "limit 0",
        "invalid escape limit `0`: expected 2 to 255 liberties",
    );
    told(
        "\n..X..",
        "\n..X...",
        "row 2 has 6 points instead of 5: `..X...`",
    );
    told(
        "\n..X..",
        "\n..Z..",
        "`Z` in row 2 is not one of `.XO`: `..Z..`",
    );
    told(
        "\n.XO..\n.X...",
        "\n.XOX.\n.XX..",
        "the white block at C3 has no liberty",
    );
    told(
        "to_move B",
        "to_move B\nko E1",
        "E1 is not a ko point: a play of black there would not \
         take exactly one stone by a stone that can be retaken",
    );
    told(
        "to_move B",
        "to_move B\ntarget D1",
        "line 10 gives a second value, `D1`, for one field",
    );
    assert_eq!(
        error("target C3\nto_move B"),
        "line 1, problem 1: no rows: a board is as many lines of `.XO` as it has columns"
    );
    assert!(error("..X/.XO B C3").contains("is not four words"));
}

#[test]
fn json_is_read_in_all_its_shapes() {
    let one = r#"{"id": "a", "rows": [".....", "..X..", ".XO..", ".X...", "....."],
        "target": "C3", "to_move": "X", "size": 5, "attacker": "B", "ko": null,
        "verdict": "escapes", "solutions": ["D3"], "escape_limit": 4, "proved": true,
        "category": "ladder", "gnugo": {"problems": [[1]]}, "sgf": "(;)"}"#;
    let two = one.replace("\"a\"", "\"b\", \"nodes\": 321");
    let shapes = [
        format!("[{one}, {two}]"),
        format!("{one}\n{two}"),
        format!("{{\"about\": \"[,]\", \"problems\": [{one},{two}], \"format\": 1}}"),
        format!("[{one}]\n[{two}]"),
    ];
    for text in &shapes {
        let problems = good(text);
        assert_eq!(problems.len(), 2, "{text}");
        assert_eq!(
            (problems[0].id.as_str(), problems[1].id.as_str()),
            ("a", "b")
        );
        assert_eq!(problems[1].escape_liberties, Some(4));
        assert!(problems[1].proved);
        let nodes = [&problems[0], &problems[1]].map(|it| it.nodes);
        assert_eq!(nodes, [None, Some(321)]);
    }
    let rows = r#"{"rows": "...../..X../.XO../.X.../.....", "target": "C3", "to_move": "B"}"#;
    assert_eq!(good(rows)[0].board, good(&shapes[0])[0].board);
}

#[test]
fn json_errors_name_the_place() {
    let text = r#"{"problems":
 [ {"id": "a", "rows": ["....."]},
   7,
   {"id": "c", "rows": 3},

   {"id": "d", "rows": [".....", "..X..", ".XO..", ".X...", "....."], "target": "A1",
    "to_move": "B"},
   {"id": "e", "rows": [".....", "..X..", ".XO..", ".X...", "....."], "size": 6},
   {"id": "f", "rows": [".....", "..X..", ".XO..", ".X...", "....."], "target": ["C3"]},
   {"id": "g", "rows": [".....", "..X..", ".XO..", ".X...", "....."], "target": "C3",
    "attacker": "W"}
 ]}"#;
    assert_eq!(
        errors(text),
        [
            "line 2, problem 1 (`a`): 1 rows: a board has 2 to 19",
            "line 3, problem 2: a problem is an object with rows, target, to_move",
            "line 4, problem 3 (`c`): `rows` is 3, not an array of texts",
            "line 6, problem 4 (`d`): the target A1 is an empty point: it has to be a stone",
            "line 8, problem 5 (`e`): `size` is 6, but there are 5 rows",
            "line 9, problem 6 (`f`): `target` is [\"C3\"], not a word",
            "line 10, problem 7 (`g`): the attacker, white, owns the target",
        ]
    );
    assert!(error("[\n{\"id\": }]").starts_with("line 2, problem 1: the JSON cannot be read"));
    assert!(read_problems(b"").is_empty() && read_problems(b"[]").is_empty());
}

#[test]
fn sgf_names_its_target_by_mark_or_comment() {
    let base = "(;FF[4]GM[1]SZ[5]AB[cb][bc][bd]AW[cc]PL[B]";
    for (number, rest) in (1..).zip([
        "TR[cc])",
        "MA[cc];B[dc](;W[aa])(;W[bb]))",
        "C[a ladder; target C3])",
        "C[target: the white stone\nB to move]TR[cc])",
        "GN[x]C[a ladder; Target=C3; verdict captured])",
    ]) {
        let problem = &good(&format!("text before\n{base}{rest}\n"))[0];
        assert_eq!(problem.target, Point::new(2, 2), "{number}");
        assert_eq!(problem.to_move, Colour::Black);
        let id = ["problem-1", "problem-1", "a ladder", "problem-1", "x"][number - 1];
        let stated = (number == 5).then_some(CaptureVerdict::Captured);
        assert_eq!((problem.id.as_str(), problem.expected), (id, stated));
    }
    let rectangle = "(;SZ[9]PL[W]AB[aa:ca][ab]AW[db]TR[aa][ba])";
    assert_eq!(good(rectangle)[0].board.stone_count(Point::new(0, 0)), 4);
    let large = "(;PL[W]AB[ss]AW[sa]TR[sa])";
    assert_eq!(good(large)[0].board.size(), 19);
}

#[test]
fn a_broken_tree_leaves_the_others_alone() {
    let whole = "(;SZ[5]AB[cb][bc][bd]AW[cc]PL[B]TR[cc])\n";
    for broken in [
        "(;SZ[5]AB[cb]",
        "(;SZ[5]AB[cb",
        "(;SZ[5]C[a comment\n",
        "(;SZ[5](;B[aa]\n",
        "(SZ[5])",
        "()",
        "(;GM[2]SZ[5]AB[aa]TR[aa]PL[B])",
        "(;SZ[5]AB[é])",
        "(;SZ[5:6]AB[aa])",
        "(;SZ[5])",
        "(;SZ[5]AB[ee][ff]TR[ee]PL[B])",
        "(;SZ[5]AB[aa][ab]AW[ab]TR[aa]PL[B])",
        "(;SZ[5]AB[aa][cc]TR[aa][cc]PL[B])",
        "(;SZ[5]AB[aa]TR[bb]PL[B])",
        "(;SZ[0]AB[aa]TR[aa]PL[B])",
        "(;SZ[5]AB[aa]TR[aa]PL[purple])",
    ] {
        let read = read_problems(format!("{whole}{broken}\n{whole}{whole}").as_bytes());
        let fine: Vec<bool> = read.iter().map(Result::is_ok).collect();
        assert_eq!(fine, [true, false, true, true], "{broken}: {read:?}");
        let error = read[1].as_ref().unwrap_err();
        assert_eq!((error.number, error.line), (2, 2), "{broken}: {error}");
    }
}

#[test]
fn text_made_of_broken_trees_is_given_up_soon() {
    let read = read_problems("(;\n".repeat(200_000).as_bytes());
    assert!(read.iter().all(Result::is_err));
    assert!(!read.is_empty() && read.len() <= 200_000);
    let deep = format!("(;SZ[5]AB[aa]TR[aa]PL[B]{})", ";W[bb]".repeat(200_000));
    assert_eq!(good(&deep).len(), 1);
}

#[test]
fn the_form_is_seen_from_the_content() {
    assert_eq!(Form::of("  {"), Form::Json);
    assert_eq!(Form::of("\n["), Form::Json);
    assert_eq!(Form::of(" (;"), Form::Sgf);
    assert_eq!(Form::of("From a book:\n (;SZ[9])"), Form::Sgf);
    assert_eq!(Form::of("...X"), Form::Rows);
    assert_eq!(Form::of(""), Form::Rows);
}

fn equal(read: Vec<Read>, problems: &[Problem]) -> Result<(), TestCaseError> {
    let read: Result<Vec<Problem>, ProblemError> = read.into_iter().collect();
    let read = read.map_err(|error| TestCaseError::fail(error.to_string()))?;
    prop_assert_eq!(read, problems);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_form_goes_there_and_back(
        mut problems in proptest::collection::vec(any_problem(), 1..5),
    ) {
        for (number, problem) in problems.iter_mut().enumerate() {
            problem.id = format!("{}-{number}", problem.id);
        }
        equal(read_problems(write_json(&problems, "a \"test\"").as_bytes()), &problems)?;
        equal(read_problems(write_sgf(&problems).as_bytes()), &problems)?;
        equal(read_problems(write_rows(&problems).as_bytes()), &problems)?;
    }

    #[test]
    fn any_bytes_are_read_or_refused_with_a_reason(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        read_problems(&bytes);
    }

    #[test]
    fn damaged_sets_are_read_or_refused(
        problems in proptest::collection::vec(any_problem(), 1..3),
        form in 0..3,
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3), 1..6),
    ) {
        let mut bytes = match form {
            0 => write_json(&problems, ""),
            1 => write_sgf(&problems),
            _ => write_rows(&problems),
        }
        .into_bytes();
        for (place, byte, kind) in damage {
            let at = place.index(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, b"()[];\"\\\n{},:"[usize::from(byte) % 12]),
            }
        }
        for (number, read) in (1..).zip(read_problems(&bytes)) {
            match read {
                Ok(problem) => problem.board.check_integrity().map_err(TestCaseError::fail)?,
                Err(error) => {
                    prop_assert_eq!(error.number, number);
                    prop_assert!(error.line >= 1);
                }
            }
        }
    }
}

#[test]
fn our_problems_are_the_same_in_both_forms() {
    let json = include_str!("../../../../openings/go-capture/problems.json");
    let sgf = include_str!("../../../../openings/go-capture/problems.sgf");
    let problems = good(json);
    assert_eq!(problems, good(sgf));
    let count = |verdict| {
        let same = problems.iter().filter(|it| it.expected == Some(verdict));
        same.count()
    };
    assert_eq!(count(CaptureVerdict::Captured), 43);
    assert_eq!(count(CaptureVerdict::Escapes), 23);
    assert_eq!(count(CaptureVerdict::Ko), 8);
    assert_eq!(problems.iter().filter(|it| it.proved).count(), 59);
    assert_eq!(problems.iter().filter(|it| it.attacker_moves()).count(), 68);
}

#[test]
fn hard_problems_have_their_difficulty() {
    let problems = made("hard.json");
    assert!(problems.len() >= 300);
    for problem in &problems {
        assert!(problem.nodes >= Some(3_000), "{}", problem.id);
        assert_eq!(problem.board.size(), 19);
    }
}

#[test]
fn generated_problems_are_proved_and_all_different() {
    made("generated.json");
}

/// The problems of a generated file.
fn made(file: &str) -> Vec<Problem> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../openings/go-capture/");
    let problems = good(&std::fs::read_to_string(format!("{folder}{file}")).unwrap());
    assert!(problems.len() >= 200, "{}", problems.len());
    let ids: HashSet<&str> = problems.iter().map(|it| it.id.as_str()).collect();
    let positions: HashSet<String> = problems.iter().map(Problem::canonical).collect();
    assert_eq!(
        (ids.len(), positions.len()),
        (problems.len(), problems.len())
    );
    for problem in &problems {
        assert!(
            problem.proved && problem.category.is_some(),
            "{}",
            problem.id
        );
        let captured = problem.expected == Some(CaptureVerdict::Captured);
        assert_eq!(
            problem.escape_liberties.is_none(),
            captured,
            "{}",
            problem.id
        );
    }
    problems
}

/// White may take the ko at B4.
const KO: &str = "\
.XO..
X.XO.
.XO..
.....
.....
target C4
to_move W
";

#[test]
fn bans_are_read_in_all_their_forms() {
    let b4 = Point::from_name("B4", 5).unwrap();
    let white = Some((b4, Colour::White));
    let ban = |text: &str| good(text)[0].ban();
    // A ban without a colour applies to the side to move.
    for own in [
        "ko B4",
        "ko: b4",
        "ko B4 W",
        "ko = B4:O",
        "ko B4 banned for white",
    ] {
        assert_eq!(ban(&format!("{KO}{own}\n")), white, "{own}");
    }
    let stones = "AB[ba][ab][cb][bc]AW[ca][db][cc]";
    let sgf = |ko: &str| format!("(;SZ[5]PL[W]{stones}TR[cb]C[{ko}])");
    let json = |ko: &str| {
        format!(
            "{{\"rows\": \".XO../X.XO./.XO../...../.....\", \"target\": \"C4\", \"to_move\": \"W\", \
             \"ko\": {ko}}}"
        )
    };
    assert_eq!(ban(&sgf("ko B4")), white);
    assert_eq!(ban(&sgf("ko B4 banned for W")), white);
    assert_eq!(ban(&sgf("ko B4 is a fine point")), None);
    for own in [
        r#""B4""#,
        r#"{"point": "B4"}"#,
        r#"{"point": "B4", "banned_for": "O"}"#,
    ] {
        assert_eq!(ban(&json(own)), white, "{own}");
    }
    assert_eq!(ban(&json("null")), None);
    // The ban can also apply to Black's first move.
    let other = |to_move: &str| {
        KO.replace("to_move W", to_move)
            .replace("target C4", "target D4")
    };
    let errors = [
        (
            format!("{KO}ko B4 B\n"),
            "B4 is not a ko point: a play of black there",
        ),
        (
            format!("{KO}ko E1\n"),
            "E1 is not a ko point: a play of white there",
        ),
        (
            format!("{KO}ko B4 green\n"),
            "invalid ko `B4 green`: expected a point",
        ),
        (json(r#"{"banned_for": "B"}"#), "`ko` has no `point`"),
        (
            json(r#"{"point": "B4", "banned_for": 1}"#),
            "`banned_for` is 1",
        ),
        (json("[1]"), "`ko` is [1], not a word"),
    ];
    for (text, expected) in &errors {
        let said = error(text);
        assert!(said.contains(expected), "{said}");
    }
    let later = &good(&format!("{}ko B4 W\n", other("to_move B")))[0];
    assert_eq!((later.ban(), later.ko_of_other), (white, Some(b4)));
    assert_eq!(
        later.setup().to_string(),
        ".XO../X.XO./.XO../...../..... X D4 B4:O"
    );
    let json = write_json(std::slice::from_ref(later), "");
    assert!(
        json.contains(r#""ko": {"banned_for":"W","point":"B4"}"#),
        "{json}"
    );
    for text in [
        json,
        write_rows(std::slice::from_ref(later)),
        write_sgf(std::slice::from_ref(later)),
    ] {
        assert_eq!(good(&text)[0].ban(), white, "{text}");
    }
}

/// Rows with these fields after a board on which Black has C3 and E3, White D3 and A1.
fn with_fields(fields: &str) -> String {
    format!("target C3\nto_move B\n{fields}\n.....\n.....\n..XOX\n.....\nO....\n")
}

#[test]
fn goals_are_read_and_checked() {
    let read = |fields: &str| read_problems(with_fields(fields).as_bytes()).remove(0);
    let goal = |fields: &str| read(fields).map(|problem| problem.goal);
    let point = |name| Point::from_name(name, 5).unwrap();
    assert_eq!(goal("goal capture"), Ok(Goal::Capture));
    assert_eq!(
        goal("goal semeai\nagainst: d3"),
        Ok(Goal::Semeai(point("D3")))
    );
    assert_eq!(
        goal("Goal = connect\nwith E3\nverdict cut"),
        Ok(Goal::Connect(point("E3")))
    );
    assert_eq!(
        read("goal connect\nwith E3").unwrap().attacker(),
        Colour::Black
    );
    assert_eq!(
        read("goal semeai\nagainst D3").unwrap().attacker(),
        Colour::White
    );
    for (fields, reason) in [
        ("goal semeai", "no `against`"),
        ("goal connect", "no `with`"),
        ("against D3", "`against` is for another goal"),
        (
            "goal semeai\nagainst D3\nwith E3",
            "`with` is for another goal",
        ),
        (
            "goal semeai\nagainst E3",
            "must be stones of different colours",
        ),
        ("goal connect\nwith D3", "must be stones of one colour"),
        ("goal connect\nwith C3", "one block already"),
        ("goal connect\nwith Z3", "not a point of a 5x5 board"),
        (
            "goal life",
            "invalid goal `life`: expected capture, semeai, connect",
        ),
        (
            "goal semeai\nagainst D3\nverdict captured",
            "invalid verdict `captured` of a semeai: expected wins, loses",
        ),
        (
            "goal connect\nwith E3\nescape_limit 4",
            "does not apply to connections",
        ),
        (
            "verdict wins",
            "invalid verdict `wins`: expected captured, escapes, ko or unknown",
        ),
    ] {
        let error = read(fields).expect_err(fields).to_string();
        assert!(error.contains(reason), "{fields}: {error}");
    }
}

#[test]
fn words_of_an_author_are_no_goal() {
    let sgf = "(;SZ[5]PL[B]AB[cc][ec]AW[dc]TR[cc]C[a cut; with D4; against e5])";
    let problem = read_problems(sgf.as_bytes()).remove(0).unwrap();
    assert_eq!(problem.goal, Goal::Capture);
    let sgf = sgf.replace("against e5", "goal connect; with E3");
    let error = read_problems(sgf.as_bytes())
        .remove(0)
        .expect_err("D4 is empty");
    assert!(
        error
            .to_string()
            .contains("D4 and C3 must be stones of one colour"),
        "{error}"
    );
}
