//! Tests with a fictional game: two rows of three squares, in two stages.

use std::sync::LazyLock;

use super::*;
use crate::reader::read_table;
use crate::write_back::all_stages;
use leitai_game::numbers::{Declaration, Group, Preset, Spelling, Stage};

const PRESETS: [Preset; 1] = [Preset::new("tall", "worth.tall = 7\nend.worth.tall = 9")];

/// The numbers of the game, with its own `tall` preset.
fn table(spelling: Spelling) -> NumberTable {
    let squares = ["a2", "b2", "c2", "a1", "b1", "c1"].map(str::to_owned);
    NumberTable::new(Declaration {
        game: "tiny",
        title: "Tiny",
        subject: "the evaluation",
        has_order_values: false,
        stages: vec![Stage::first("opening"), Stage::named("end", "endgame")],
        constant: vec![Key::weight("tempo", "The move.", 50)],
        groups: vec![
            Group::alone(vec![
                Key::grid("squares", "What a stone adds.", 900, 3, squares.into()).symmetric(),
            ]),
            Group::per(
                "worth",
                "stones",
                vec![Key::weight("tall", "", 900), Key::weight("small", "", 900)],
            ),
            Group::named(
                "lines",
                vec![Key::list(
                    "open",
                    "",
                    900,
                    vec!["two".into(), "three".into()],
                )],
            ),
        ],
        spelling,
        presets: &PRESETS,
    })
}

static WHOLE: LazyLock<NumberTable> = LazyLock::new(|| table(Spelling::Whole));
static SPARSE: LazyLock<NumberTable> = LazyLock::new(|| table(Spelling::Sparse));

/// The values of a text, and the warnings about it.
fn read(text: &str, table: &'static NumberTable) -> Result<(EvalParams, Vec<String>), String> {
    let raw = read_table(text).map_err(|problem| problem.message)?;
    let mut problems = Vec::new();
    let layer = EvalLayer::check(&raw, table, &mut problems);
    let mut params = EvalParams::defaults(table);
    layer.apply(&mut params);
    let messages = problems.into_iter().map(|problem| problem.message);
    Ok((params, messages.collect()))
}

const TEXT: &str = "preset = \"tall\"\ntempo = 3\nsquares = [[1, 2, 1], [4, -15, 4]]\n\
                    worth.small = 2\nlines.open = [5, 6]\n\
                    [end]\nlines.open = [8, 8]\nworth = [10, 11]\n";

#[test]
fn a_table_is_all_that_a_game_needs_to_be_read() {
    let (params, problems) = read(TEXT, &WHOLE).unwrap();
    assert_eq!(problems, [""; 0]);
    let first = [1, 2, 1, 4, -15, 4, 7, 2, 5, 6];
    let end = [1, 2, 1, 4, -15, 4, 10, 11, 8, 8];
    assert_eq!(params.values(), [&[3][..], &first, &end].concat());
    for (path, value) in [
        ("tempo", 3),
        ("squares[1][1]", -15),
        ("end.squares[1][1]", -15),
        ("worth.tall", 7),
        ("end.worth.tall", 10),
        ("end.lines.open[1]", 8),
    ] {
        let number = WHOLE.find(path).unwrap();
        assert_eq!(
            (params.get(number), number.path()),
            (Some(value), path.to_owned())
        );
    }
    for path in [
        "end.tempo",
        "squares[1]",
        "squares[2][0]",
        "worth",
        "lines.open[2]",
        "x",
    ] {
        assert_eq!(WHOLE.find(path), None, "{path}");
    }
    let corner = WHOLE.find("end.squares[0][0]").unwrap();
    assert_eq!(corner.mirrored(), WHOLE.find("end.squares[0][2]"));
    assert_eq!(corner.first_stage(), WHOLE.find("squares[0][0]"));
    assert_eq!(
        WHOLE.find("worth.tall").unwrap().in_later_stages()[0].path(),
        "end.worth.tall"
    );
    assert!(
        SPARSE
            .find("end.squares[0][0]")
            .is_some_and(|other| other != corner)
    );
}

#[test]
fn a_table_reports_its_errors() {
    let odd = |text: &str| read(text, &WHOLE).map(|(_, problems)| problems.join("; "));
    for (text, message) in [
        (
            "squares = [[1, 2, 3], [1, 1, 1]]",
            "`eval.squares[0]` is not its own mirror image",
        ),
        (
            "end.squares = [[1, 2, 1]]",
            "`eval.end.squares` must have 2 rows",
        ),
        (
            "squares = [[1, 2], [1, 2, 1]]",
            "`eval.squares[0]` must have 3 numbers",
        ),
        ("tempo = 51", "`eval.tempo` is out of range"),
        ("lines.open = [1]", "`eval.lines.open` must have 2 numbers"),
        ("preset = \"low\"", "unknown preset `low`"),
        ("end.tempo = 3", "unknown key `tempo` in `eval`"),
        ("worth = [1]", "wrong type in `eval.worth`"),
    ] {
        assert_eq!(odd(text).as_deref(), Ok(message), "{text}");
    }
}

#[test]
fn written_values_are_read_again() {
    for table in [&*WHOLE, &*SPARSE] {
        let (params, _) = read(TEXT, table).unwrap();
        let lines = (0..table.keys.len()).flat_map(|key| all_stages(key, &params));
        let lines = lines.map(|(table, line)| format!("[{table}]\n{line}\n"));
        // A table may appear once per file, so each line becomes a file of its own.
        let mut values = EvalParams::defaults(table);
        for line in lines {
            let line = line.replace("[eval]\n", "").replace("[eval.", "[");
            let raw = read_table(&line).unwrap();
            EvalLayer::check(&raw, table, &mut Vec::new()).apply(&mut values);
        }
        assert_eq!(values, params);
    }
    let squares = all_stages(1, &read(TEXT, &WHOLE).unwrap().0);
    assert_eq!(
        squares,
        [(
            "eval".to_owned(),
            "squares = [\n    [  1,   2,   1],\n    [  4, -15,   4],\n]".to_owned()
        )]
    );
}

#[test]
fn resolved_values_are_whole_or_sparse() {
    let said = |text, table| serde_json::to_string(&read(text, table).unwrap().0).unwrap();
    assert_eq!(
        said(TEXT, &WHOLE),
        r#"{"tiny":{"tempo":3,"squares":[[1,2,1],[4,-15,4]],"worth":[7,2],"lines":{"open":[5,6]},"end":{"squares":[[1,2,1],[4,-15,4]],"worth":[10,11],"lines":{"open":[8,8]}}}}"#
    );
    assert_eq!(
        said("worth.small = 2\nend.lines.open = [0, 1]", &SPARSE),
        r#"{"tiny":{"worth.small":2,"end":{"worth.small":2,"lines.open":[0,1]}}}"#
    );
    assert_eq!(said("", &SPARSE), r#"{"tiny":{}}"#);
}
