//! The schema of configs compared with the checks: an independent validator reads it.
//!
//! Set `LEITAI_PYTHON` to a Python that has the package `jsonschema`; without it the comparison is
//! skipped.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use std::{env, path::PathBuf};

use leitai_config::parse;

use super::config_bad;
use crate::common::{Sandbox, project, run, stderr, stdout};

/// The path of the checked-in schema.
fn checked_in() -> PathBuf {
    project("configs/leitai.schema.json")
}

#[test]
fn the_schema_is_that_of_the_program() {
    let printed = stdout(&run(&["schema"]));
    let checked_in = fs::read_to_string(checked_in()).unwrap();
    assert!(
        printed == checked_in,
        "the schema has changed: `leitai schema > configs/leitai.schema.json`"
    );
}

#[test]
fn every_config_that_is_shipped_names_it() {
    for path in configs() {
        let text = fs::read_to_string(&path).unwrap();
        let first = text.lines().next();
        assert_eq!(first, Some("#:schema ./leitai.schema.json"), "{path}");
    }
}

fn configs() -> Vec<String> {
    let folder = fs::read_dir(project("configs")).expect("a folder");
    let paths = folder.map(|entry| entry.expect("a file").path());
    let configs = paths.filter(|path| path.extension() == Some("toml".as_ref()));
    let name = |path: std::path::PathBuf| path.to_str().expect("UTF-8").to_owned();
    let mut names: Vec<String> = configs.map(name).collect();
    names.sort();
    names
}

/// The validator's result for each file.
#[expect(clippy::print_stderr, reason = "a test that is left out says so")]
fn validated(files: &[String]) -> Option<BTreeMap<String, String>> {
    let python = env::var_os("LEITAI_PYTHON").filter(|python| !python.is_empty());
    let Some(python) = python else {
        eprintln!("skipped: LEITAI_PYTHON names no Python with the package jsonschema");
        return None;
    };
    let mut command = Command::new(python);
    let script = project("tests/referee/schema.py");
    let output = command.arg(script).arg(checked_in()).args(files).output();
    let output = output.expect("the Python of LEITAI_PYTHON runs");
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    let lines = text
        .lines()
        .map(|line| line.split_once('\t').expect("two columns"));
    Some(
        lines
            .map(|(file, said)| (file.to_owned(), said.to_owned()))
            .collect(),
    )
}

#[test]
fn the_schema_accepts_valid_configs() {
    let mut files = configs();
    files.push(
        project("tests/data/config_good.toml")
            .to_str()
            .unwrap()
            .to_owned(),
    );
    let sandbox = Sandbox::new();
    for game in ["xiangqi", "othello", "go", "chess"] {
        let config = sandbox.path(&format!("{game}.toml"));
        run(&["init", game, "--out", &config]);
        files.push(config);
    }
    let Some(said) = validated(&files) else {
        return;
    };
    assert_eq!(said.len(), files.len());
    for (file, said) in said {
        assert_eq!(said, "ok", "{file}");
    }
}

/// Cases whose error depends on other parts of the file, or on more than types and ranges: names of
/// variants, paths of numbers, combinations with a protocol or algorithm.
const UNSEEN: &[&str] = &[
    "auxiliary_beside_aspiration",
    "base_in_a_circle",
    "base_is_itself",
    "clock_and_movetime",
    "clock_that_is_no_number",
    "clock_without_a_start",
    "command_beside_a_base",
    "command_beside_an_eval",
    "command_of_windows_with_a_tab",
    "command_without_a_protocol",
    "deepening_without_its_stage",
    "draw_rule_without_start",
    "duel_of_three",
    "endgame_without_solver",
    "equal_time_beside_a_time",
    "equal_time_beside_own_limits",
    "equal_time_of_one_variant",
    "equal_time_without_nodes",
    "failures_in_a_study_without_games",
    "first_increment_without_a_clock",
    "first_increment_without_an_increment",
    "gate_beside_a_study",
    "gate_beside_a_tournament",
    "gate_group_sequential_and_normalized",
    "gate_group_sequential_without_end",
    "gate_looks_of_gsprt",
    "gate_of_the_base_itself",
    "gate_of_two_candidates_under_control_without_strict",
    "gate_of_two_candidates_without_strict",
    "gate_strict_and_normalized",
    "gate_strict_with_overshoot",
    "gate_with_a_low_elo1",
    "gate_with_candidate_and_candidates",
    "gate_with_hypotheses_in_the_wrong_order",
    "gate_with_rates_too_large_together",
    "gate_with_unknown_base",
    "gate_without_openings",
    "keys_of_other_protocols",
    "limits_of_its_own_without_one",
    "margin_without_a_time",
    "name_twice",
    "no_limits",
    "no_limits_table",
    "no_tournament",
    "node_limit_of_cecp",
    "nodes_with_a_fraction",
    "one_variant",
    "option_without_a_command",
    "othello_program_of_a_xiangqi_preset",
    "othello_program_of_a_xiangqi_protocol",
    "othello_program_that_limits_itself_by_nboard",
    "othello_program_with_a_depth_by_gtp",
    "othello_program_with_a_movetime_by_nboard",
    "othello_program_with_fractions_of_seconds",
    "othello_program_with_keys_of_xiangqi",
    "othello_program_with_nodes_by_gtp",
    "othello_program_with_nodes_by_nboard",
    "othello_program_with_periods_by_nboard",
    "othello_program_without_a_protocol",
    "othello_squares_that_contradict",
    "periods_with_increment_by_ucci",
    "ponder_beside_its_option",
    "ponder_without_a_clock",
    "ponder_without_a_program",
    "preset_beside_another_protocol",
    "pruning_without_a_window",
    "shallow_search_beside_minimax",
    "stages_by_cecp",
    "switch_with_a_whole_fraction",
    "texel_beside_half_a_tune",
    "texel_beside_the_other_half_of_a_tune",
    "texel_of_games_and_positions",
    "texel_of_the_search",
    "texel_path_that_names_nothing",
    "texel_without_games",
    "tune_beside_a_gate",
    "tune_beside_a_tournament",
    "tune_by_nodes_of_an_evaluation",
    "tune_by_nodes_with_a_handicap",
    "tune_by_nodes_without_a_depth",
    "tune_group_named_twice",
    "tune_number_named_twice",
    "tune_of_a_useless_number",
    "tune_path_of_a_flag",
    "tune_path_of_a_switch_that_is_off",
    "tune_path_of_an_option_without_a_program",
    "tune_path_that_is_none",
    "tune_path_that_names_nothing",
    "tune_square_named_twice",
    "tune_to_a_depth_by_games",
    "tune_with_a_fraction_of_a_whole_number",
    "tune_with_a_start_on_a_bound",
    "tune_with_a_step_below_one",
    "tune_with_bad_proof",
    "tune_with_blocks_twice",
    "tune_with_bounds_beyond_the_number",
    "tune_with_checkpoints_of_nothing",
    "tune_with_climb_of_another_algorithm",
    "tune_with_crossed_bounds",
    "tune_with_group_and_min",
    "tune_with_min_and_range",
    "tune_with_too_large_a_step",
    "tune_with_unknown_variant",
    "tune_with_useless_handicap",
    "tune_without_games",
    "tune_without_openings",
    "tune_without_parameters",
    "unknown_base",
];

#[test]
fn the_schema_refuses_invalid_configs() {
    let sandbox = Sandbox::new();
    let cases = config_bad::cases();
    let write = |(name, text): &(&str, String)| sandbox.write(&format!("{name}.toml"), text);
    let files: Vec<String> = cases.iter().map(write).collect();
    let Some(said) = validated(&files) else {
        return;
    };
    let mut unseen = Vec::new();
    for ((name, text), file) in cases.iter().zip(&files) {
        match (parse(text, name, &leitai_games::all()), said[file].as_str()) {
            (Ok(_), said) => assert_eq!(said, "ok", "{name}"),
            (Err(_), "ok") => unseen.push(*name),
            (Err(_), _) => {}
        }
    }
    unseen.sort_unstable();
    assert_eq!(unseen, UNSEEN);
}
