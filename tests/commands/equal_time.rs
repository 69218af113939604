//! Games at equal time: nodes from speeds that are measured once.

use std::path::Path;

use leitai_players::play::GameRecord;
use leitai_runs::store::{Mode, Store};
use serde_json::Value;

use crate::common::{Sandbox, json, run, stderr, stdout};

const MATCH: &str = "game = \"xiangqi\"\nseed = 3\n\
    limits = { nodes = 120, equal_time = true }\n\
    tournament = { pairs = 2 }\n\
    adjudication = { max_plies = 40 }\nopenings = { file = \"leitai:xiangqi-500\" }\n\
    variant = [\n\
    { name = \"quick\", search = { table_mb = 1 } },\n\
    { name = \"slow\", search = { table_mb = 1, ordering = [\"fastest-first\"] } },\n\
    ]\n";

/// The nodes of both variants in the last run of a record, and its games.
fn played(record: &str) -> (Vec<u64>, Vec<GameRecord>) {
    let store = Store::open(Path::new(record), Mode::Read).expect("a record");
    let run = store.run("latest").expect("a run");
    let config: Value = serde_json::from_str(&run.meta.config).expect("JSON");
    let variants = config["variants"].as_array().into_iter().flatten();
    let nodes = variants.filter_map(|variant| variant["limits"]["nodes"].as_u64());
    let pairs = store.pairs(&run.handle).map(|row| row.expect("a pair"));
    let games = pairs.flat_map(|row| row.record.games);
    (nodes.collect(), games.collect())
}

#[test]
fn measured_speeds_hold_for_every_run_of_these_players() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("match.toml", MATCH);
    let record = sandbox.path("match.sqlite");
    // The identity depends on the nodes, which are not measured yet.
    assert!(json(&["check", &config, "--json"])["run"].is_null());
    let first = run(&["run", &config, "--store", &record]);
    let told = stderr(&first);
    assert!(first.status.success(), "{told}");
    assert!(
        told.contains("equal time: nodes a move by measured speed: quick 120 (1.000), slow "),
        "{told}"
    );
    let (nodes, games) = played(&record);
    assert_eq!(nodes[0], 120);
    assert!(nodes[1] < 120, "what counts replies has fewer: {nodes:?}");
    assert_eq!(games.len(), 4);
    // Reports contain them too.
    let sentence = format!(
        "per move by measured speed: `quick` 120, `slow` {}.",
        nodes[1]
    );
    assert!(stdout(&first).contains(&sentence), "{}", stdout(&first));
    let report = json(&["report", &record, "--json"]);
    assert_eq!(report["equal_time"][1]["name"], "slow");
    assert_eq!(report["equal_time"][1]["nodes"], nodes[1]);
    // The run is complete: nothing is measured or played.
    let again = stderr(&run(&["run", &config, "--store", &record]));
    assert!(!again.contains("measur"), "{again}");
    // More pairs are another run of the same players: with the same nodes and the same games.
    let more = run(&[
        "run",
        &config,
        "--store",
        &record,
        "--set",
        "tournament.pairs=4",
    ]);
    assert!(more.status.success(), "{}", stderr(&more));
    assert!(
        !stderr(&more).contains("by measured speed"),
        "{}",
        stderr(&more)
    );
    let (same, longer) = played(&record);
    assert_eq!(same, nodes);
    assert_eq!(longer[..4], games[..]);
    // Names do not matter; a new variant is measured, and the others keep their nodes.
    let third = "{ name = \"third\", search = { table_mb = 1, ordering = [\"history\"] } },\n]";
    let renamed = MATCH.replace("\"slow\"", "\"sluggish\"");
    for (text, is_measured) in [
        (renamed.clone(), false),
        (renamed.replace("]\n", third), true),
    ] {
        let config = sandbox.write("renamed.toml", &text);
        let other = run(&["run", &config, "--store", &record]);
        assert!(other.status.success(), "{}", stderr(&other));
        let told = stderr(&other).contains("by measured speed");
        assert_eq!(told, is_measured, "{}", stderr(&other));
        assert_eq!(played(&record).0[..2], nodes);
    }
    // The record contains the nodes: its games replay without a measurement.
    let replayed = run(&["verify", &record]);
    assert!(replayed.status.success(), "{}", stderr(&replayed));
    assert!(
        !stderr(&replayed).contains("measur"),
        "{}",
        stderr(&replayed)
    );
}

#[test]
fn one_player_under_two_names_has_one_number_of_nodes() {
    let sandbox = Sandbox::new();
    let alike = MATCH.replace(", ordering = [\"fastest-first\"]", "");
    let config = sandbox.write("match.toml", &alike);
    let record = sandbox.path("match.sqlite");
    let told = stderr(&run(&["run", &config, "--store", &record]));
    assert!(!told.contains("measuring"), "{told}");
    assert_eq!(played(&record).0, [120, 120]);
}

#[test]
fn idle_variants_are_measured_and_gates_have_equal_nodes() {
    let sandbox = Sandbox::new();
    let record = sandbox.path("record.sqlite");
    let third = "{ name = \"third\", search = { table_mb = 1, ordering = [\"history\"] } },\n]";
    let mut nodes = None;
    for (candidates, pairs) in [("\"third\"", 2), ("\"slow\"", 2)] {
        let gate = format!(
            "gate = {{ base = \"quick\", candidates = [{candidates}], max_pairs = {pairs} }}"
        );
        let text = MATCH.replace("tournament = { pairs = 2 }", &gate);
        let config = sandbox.write("gate.toml", &text.replace("]\n", third));
        let output = stderr(&run(&["gate", &config, "--store", &record]));
        let (found, _) = played(&record);
        assert_eq!(
            output.contains("by measured speed"),
            nodes.is_none(),
            "{output}"
        );
        assert!(found[1] < 120, "{candidates}: {found:?}");
        assert_eq!(
            nodes.get_or_insert_with(|| found.clone()),
            &found,
            "{candidates}"
        );
    }
}

#[test]
fn a_gate_and_a_study_have_equal_time_too() {
    let sandbox = Sandbox::new();
    let record = sandbox.path("record.sqlite");
    let gate = MATCH.replace(
        "tournament = { pairs = 2 }",
        "gate = { base = \"quick\", candidate = \"slow\", max_pairs = 3 }",
    );
    let gate = sandbox.write("gate.toml", &gate);
    let tested = run(&["gate", &gate, "--store", &record]);
    let told = stderr(&tested);
    assert!(told.contains("equal time: nodes a move"), "{told}");
    assert!(stdout(&tested).contains("by measured speed: `quick` 120"));
    // A gate measures against its base, at any position in the list.
    let backwards = MATCH.replace(
        "tournament = { pairs = 2 }",
        "gate = { base = \"slow\", candidate = \"quick\", max_pairs = 3 }",
    );
    let backwards = sandbox.write("backwards.toml", &backwards);
    let page = run(&["gate", &backwards, "--store", &record, "--markdown"]);
    let page = stdout(&page);
    assert!(page.contains("`slow` 120."), "{page}");
    assert!(page.contains("the same games with this record"), "{page}");
    // The gate has its verdict: nothing is measured.
    let again = stderr(&run(&["gate", &gate, "--store", &record]));
    assert!(!again.contains("measur"), "{again}");
    let study = "study = { suite = \"suite.epd\", depth = 2, games = { pairs = 2, nodes = 200, equal_time = 200 } }";
    let study = MATCH
        .replace("limits = { nodes = 120, equal_time = true }\n", "")
        .replace("tournament = { pairs = 2 }", study);
    sandbox.write(
        "suite.epd",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\n",
    );
    let study = sandbox.write("study.toml", &study);
    let answer = json(&["study", &study, "--no-times", "--json", "--store", &record]);
    let games = &answer["games"];
    assert_eq!(games[0]["terms"]["nodes"], 200);
    assert_eq!(games[1]["terms"]["equal_time"], 200);
    assert_eq!(games[0]["strengths"][0]["nodes"], 200);
    assert!(
        games[1]["strengths"][0]["nodes"].as_u64() < Some(200),
        "{games}"
    );
    let told = stdout(&run(&["study", &study, "--no-times", "--store", &record]));
    assert!(told.contains("Worth against `quick`"), "{told}");
    // The limits distinguish its two runs.
    let listed = json(&["report", &record, "--list", "--json"]);
    let runs = listed.as_array().into_iter().flatten();
    let of_study = runs.filter(|run| run["config"] == study.as_str());
    let limits: Vec<&Value> = of_study.map(|run| &run["limits"]).collect();
    assert_eq!(limits, ["200 nodes", "200 nodes, equal time"]);
    let listed = stdout(&run(&["report", &record, "--list"]));
    assert!(listed.contains("200 nodes, equal time"), "{listed}");
}
