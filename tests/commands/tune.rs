//! The tuner as a user runs it.

use crate::common::{Sandbox, json, run, stderr, stdout};

const TUNE: &str = r#"
game = "xiangqi"
[limits]
nodes = 1000
[openings]
file = "book.epd"
[tune]
games = 20000
anchor = "eval.material.rook"
[[tune.parameter]]
path = "eval.material.*"
except = ["eval.material.pawn"]
range = 200
step = 30
[[tune.parameter]]
path = "eval.pst.elephant[*][*]"
[[tune.parameter]]
path = "eval.end.pst.king[*][*]"
min = -100
max = 100
[[tune.parameter]]
path = "eval.mobility.*"
group = "mobility"
range = 8
[[tune.parameter]]
path = "search.null_move.*"
[[variant]]
name = "mine"
search = { null_move = { reduction = 3 } }
[variant.eval]
preset = "teaching-2018"
mobility = { rook = 2, horse = 3, cannon = 1, }
"#;

fn sandbox(text: &str) -> (Sandbox, String) {
    let sandbox = Sandbox::new();
    sandbox.write("book.epd", "");
    let config = sandbox.write("tune.toml", text);
    (sandbox, config)
}

#[test]
fn tuned_dimensions_are_listed() {
    let (_sandbox, config) = sandbox(TUNE);
    let output = run(&["tune", &config, "--list"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
    insta::with_settings!({
        snapshot_path => "../data/tune",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!("list", stdout(&output));
    });
    let listed = json(&["tune", &config, "--list", "--json"]);
    assert_eq!(listed["name"], "mine");
    assert_eq!(listed["algorithm"], "regression");
    let first = &listed["dimensions"][0];
    assert_eq!(first["name"], "eval.material.advisor");
    assert_eq!(first["members"][1]["number"], "eval.end.material.advisor");
    assert_eq!(listed["frozen"][0]["why"], "king");
    let lines = stdout(&output);
    let dimensions = listed["dimensions"].as_array().unwrap().len();
    assert!(lines.contains(&format!("{dimensions} dimensions move ")));
}

#[test]
fn values_can_be_changed_from_outside() {
    let (_sandbox, config) = sandbox(TUNE);
    let set = "variant.mine.search.null_move.reduction=5";
    let listed = json(&["tune", &config, "--list", "--json", "--set", set]);
    let dimensions = listed["dimensions"].as_array().unwrap();
    let reduction = dimensions
        .iter()
        .find(|dimension| dimension["name"] == "search.null_move.reduction");
    assert_eq!(reduction.unwrap()["start"], 5);
}

/// The numbers of the order of moves are those of Xiangqi.
#[test]
fn numbers_of_the_order_of_moves_are_listed() {
    let text = "game = \"xiangqi\"\nlimits = { nodes = 1000, equal_time = true }\n\
                openings = { file = \"book.epd\" }\n\
                [tune]\nobjective = \"nodes\"\ndepth = 3\ngames = 400\n\
                [[tune.parameter]]\npath = \"search.capture_values.*\"\nmin = 0\n\
                [[tune.parameter]]\npath = \"search.quiet_order.*\"\n\
                [[tune.parameter]]\npath = \"search.history.best\"\n\
                [[variant]]\nname = \"a\"\n\
                search = { ordering = [\"tt\", \"good-captures\", \"static-quiets\"] }\n";
    let (sandbox, config) = sandbox(text);
    let listed = json(&["tune", &config, "--list", "--json"]);
    let dimensions = listed["dimensions"].as_array().unwrap().iter();
    let dimensions = dimensions.map(|it| format!("{} {}", it["name"], it["start"]));
    assert_eq!(
        dimensions.collect::<Vec<_>>().join("\n").replace('"', ""),
        "search.capture_values.rook 10\n\
         search.capture_values.cannon 5\n\
         search.capture_values.horse 4\n\
         search.capture_values.advisor 2\n\
         search.capture_values.elephant 2\n\
         search.capture_values.pawn 1\n\
         search.capture_values.crossed_pawn 2\n\
         search.quiet_order.rook 70\n\
         search.quiet_order.cannon 60\n\
         search.quiet_order.horse 50\n\
         search.quiet_order.pawn 40\n\
         search.quiet_order.advisor 30\n\
         search.quiet_order.elephant 20\n\
         search.quiet_order.king 10\n\
         search.quiet_order.forward_first 1"
    );
    let told = stdout(&run(&["tune", &config, "--list"]));
    assert!(told.contains("from 400 searches to depth 3"), "{told}");
    assert!(told.contains("another setting uses the history"), "{told}");
    let chess = sandbox.write("chess.toml", &text.replace("xiangqi", "chess"));
    let output = run(&["tune", &chess, "--list"]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(
        said.contains("`a` has no number `search.capture_values.*`"),
        "{said}"
    );
}

#[test]
fn a_config_without_a_tune_gets_help() {
    let text = "game = \"othello\"\nlimits = { depth = 1 }\ntournament = { pairs = 1 }\n\
                [[variant]]\nname = \"a\"\n[[variant]]\nname = \"b\"\n";
    let (_sandbox, config) = sandbox(text);
    let output = run(&["tune", &config, "--list"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("[[tune.parameter]]"));
}

/// A tune is neither a tournament nor a gate.
#[test]
fn other_commands_refuse_a_tune() {
    let (_sandbox, config) = sandbox(TUNE);
    for command in ["run", "gate", "study"] {
        let output = run(&[command, &config]);
        assert_eq!(output.status.code(), Some(2), "{command}");
        let said = stderr(&output);
        assert!(said.contains("help:"), "{command}: {said}");
    }
}
