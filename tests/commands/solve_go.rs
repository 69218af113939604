//! `leitai solve go` and `leitai check-proof`, as a user runs them.

use crate::common;
use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

const PROBLEMS: &str = "openings/go-capture/problems.json";

/// Two quickly solved problems.
const SOME: &str = "\
id: snapback
target D2
to_move: X
.......
.......
.......
.......
.XXXX..
XOOO.X.
XO.OXX.

id = eyes
target = B1
to_move = X
.....
.....
XXXXX
OOOOX
.O.OX
";

fn solve(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = common::leitai();
    command.current_dir(folder).args(["solve", "go", "--quiet"]);
    command.args(arguments).output().expect("leitai")
}

/// The lines of JSON, without times.
fn answers(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).expect("text");
    let lines = text.lines();
    let parsed = lines.map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    parsed
        .map(|mut answer| {
            if let Some(answer) = answer.as_object_mut() {
                answer.remove("ms");
                if let Some(proof) = answer.get_mut("proof").and_then(Value::as_object_mut) {
                    proof.remove("ms");
                }
            }
            answer
        })
        .collect()
}

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn hardly_a_verdict_of_the_set_is_wrong_and_every_proof_is_checked() {
    for (mode, nodes, least, most_wrong) in [("proved", "3000", 45, 0), ("fast", "12000", 70, 2)] {
        let run = |threads, nodes| {
            let output = solve(
                here(),
                &[
                    "--problem",
                    PROBLEMS,
                    "--solver",
                    "df-pn+",
                    "--mode",
                    mode,
                    "--nodes",
                    nodes,
                    "--json",
                    "--threads",
                    threads,
                ],
            );
            (output.status.code(), answers(&output))
        };
        let (code, found) = run("2", nodes);
        assert_eq!(found.len(), 74);
        let count = |right: bool| found.iter().filter(|it| it["right"] == right).count();
        let (right, wrong) = (count(true), count(false));
        assert!(
            right >= least && wrong <= most_wrong,
            "{mode}: {right} right, {wrong} wrong"
        );
        assert!(right + wrong < 74, "some need more nodes");
        assert_eq!(code, Some(if wrong > 0 { 1 } else { 3 }));
        if mode == "proved" {
            for answer in &found {
                assert_ne!(answer["right"], false, "{answer}");
                let is_known = answer["verdict"] != "unknown";
                assert_eq!(is_known, answer["proof"]["positions"].is_u64(), "{answer}");
                assert!(answer["nodes"].as_u64().expect("a count") <= 3_000);
            }
            assert_eq!(run("1", "600"), run("2", "600"), "whatever the threads");
        }
    }
}

#[test]
fn rows_are_read_and_proofs_can_be_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let long = SOME.replace("id = eyes", &format!("id = {}", "eyes ".repeat(10_000)));
    fs::write(path.join("some.txt"), long).expect("written");
    let output = solve(
        path,
        &["--problem", "some.txt", "--json", "--proofs", "some.proof"],
    );
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{told}");
    let found = answers(&output);
    assert_eq!(
        (&found[0]["id"], &found[0]["verdict"]),
        (&"snapback".into(), &"captured".into())
    );
    assert_eq!(found[0]["move"], "A3");
    assert_eq!(found[1]["verdict"], "escapes");
    assert_eq!(found[1]["move"], Value::Null, "nothing takes them");
    let check = |file: &str| {
        let mut command = common::leitai();
        let command = command.current_dir(path).args(["check-proof", file]);
        command.output().expect("leitai").status.code()
    };
    assert_eq!(check("some.proof"), Some(0));
    // The same strategy does not prove another claim.
    let text = fs::read_to_string(path.join("some.proof")).expect("certificates");
    let forged = text.replace("claim escapes", "claim captured");
    assert_ne!(forged, text);
    fs::write(path.join("forged.proof"), forged).expect("written");
    assert_eq!(check("forged.proof"), Some(1));
}

#[test]
fn unreadable_problems_are_reported_and_the_rest_solved() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    let board = |first: &str| format!("[\"{first}\",\"XXO..\",\".....\",\".....\",\".....\"]");
    let json = format!(
        "[{{\"id\":\"empty\",\"rows\":{},\"target\":\"C3\",\"to_move\":\"X\"}},\n\
         {{\"id\":\"breathless\",\"rows\":{},\"target\":\"A5\",\"to_move\":\"X\"}},\n\
         {{\"id\":\"ragged\",\"rows\":[\"....\",\".....\"],\"target\":\"A1\",\"to_move\":\"X\"}},\n\
         {{\"id\":\"good\",\"rows\":{},\"target\":\"A5\",\"to_move\":\"X\"}}]",
        board("O.X.."),
        board("OX..."),
        board("O.X..")
    );
    fs::write(path.join("set.json"), json).expect("written");
    let output = solve(path, &["--problem", "set.json", "--json"]);
    assert_eq!(output.status.code(), Some(2));
    let found = answers(&output);
    assert_eq!(found.len(), 4);
    let why = |at: usize| found[at]["error"].as_str().unwrap_or_default();
    assert!(why(0).contains("C3 is an empty point"), "{}", why(0));
    assert!(why(1).contains("libert"), "{}", why(1));
    assert!(!why(2).is_empty());
    for (at, id) in ["empty", "breathless", "ragged", "good"].iter().enumerate() {
        assert_eq!(found[at]["id"], *id);
        assert_eq!(found[at]["number"], at + 1);
    }
    assert_eq!(found[3]["verdict"], "captured");
    assert_eq!(found[3]["move"], "B5");
    // A truncated SGF keeps the trees before its end.
    let sgf = "(;GM[1]SZ[5]PL[B]AW[aa]AB[ab]TR[aa])(;GM[1]SZ[5]PL[B]AW[aa";
    fs::write(path.join("set.sgf"), sgf).expect("written");
    let output = solve(path, &["--problem", "set.sgf", "--json"]);
    assert_eq!(output.status.code(), Some(2));
    let found = answers(&output);
    assert_eq!(found[0]["verdict"], "captured");
    assert!(found.last().expect("an answer")["error"].is_string());
    let missing = solve(path, &["--problem", "none.json"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("none.json"));
}

#[test]
fn kos_are_reported_with_their_threats_and_bans_count() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path();
    // White's stone at B6 is captured at A6 by a ko, or connects there.
    let rows = ".OX...\nOXX...\nOOOO..\n......\n......\n......\n";
    let problem = |id: &str, ko: &str| format!("id {id}\n{rows}target B6\nto_move B\n{ko}\n\n");
    let set = problem("direct", "ko -") + &problem("banned", "ko A6");
    fs::write(path.join("kos.txt"), set).expect("written");
    for (mode, proofs, judged) in [
        ("fast", &[][..], " (judged)"),
        ("proved", &["--proofs", "kos.proof"], ""),
    ] {
        let arguments = ["--problem", "kos.txt", "--mode", mode];
        let output = solve(path, &[&arguments[..], &["--json"], proofs].concat());
        assert_eq!(output.status.code(), Some(0));
        let found = answers(&output);
        assert_eq!(found[0]["verdict"], "ko");
        let ko = &found[0]["ko"];
        assert_eq!(
            (&ko["first"], &ko["move"]),
            (&"attacker".into(), &"A6".into())
        );
        assert_eq!(
            ko["threats"],
            serde_json::json!({"attacker": 0, "defender": 1})
        );
        assert_eq!(ko["proved"], mode == "proved");
        assert_eq!(found[1]["verdict"], "escapes");
        assert_eq!(found[1]["ko"], Value::Null);
        let said = String::from_utf8(solve(path, &arguments).stdout).expect("text");
        let needs = format!("attacker takes first, threats needed{judged}: attacker 0, defender 1");
        assert!(said.contains(&needs), "{said}");
    }
    let mut command = common::leitai();
    let checked = command
        .current_dir(path)
        .args(["check-proof", "kos.proof", "--json"]);
    let checked = answers(&checked.output().expect("leitai"));
    assert_eq!(checked.len(), 3, "two for the ko");
    for (answer, ban) in checked
        .iter()
        .zip([Value::Null, Value::Null, "A6 black".into()])
    {
        assert_eq!((&answer["valid"], &answer["ko_ban"]), (&true.into(), &ban));
    }
}

#[test]
fn semeais_and_connections_are_solved_and_their_proofs_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let proofs = folder.path().join("goals.proof");
    let output = solve(
        here(),
        &[
            "--problem",
            "openings/go-capture/goals.json",
            "--json",
            "--proofs",
            proofs.to_str().expect("a path"),
        ],
    );
    let found = answers(&output);
    assert!(found.len() >= 40);
    let mut verdicts = std::collections::BTreeSet::new();
    for answer in &found {
        assert_eq!(answer["right"], true, "{answer}");
        assert!(answer["proof"]["positions"].is_u64(), "{answer}");
        let other = match answer["goal"].as_str() {
            Some("semeai") => &answer["against"],
            Some("connect") => &answer["with"],
            _ => panic!("{answer}"),
        };
        assert!(other.is_string(), "{answer}");
        verdicts.insert(answer["verdict"].as_str().expect("a verdict"));
    }
    let all = ["connected", "cut", "ko", "loses", "seki", "wins"];
    assert!(verdicts.iter().eq(all.iter()), "{verdicts:?}");
    assert_eq!(output.status.code(), Some(0));
    let check = |file: &Path| {
        let mut command = common::leitai();
        let output = command
            .arg("check-proof")
            .arg(file)
            .output()
            .expect("leitai");
        (
            output.status.code(),
            String::from_utf8(output.stdout).expect("text"),
        )
    };
    let (code, told) = check(&proofs);
    assert_eq!(code, Some(0), "{told}");
    for words in [
        " before ",
        " first, ",
        " is connected with ",
        " is cut off from ",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    // Capturing the target in time and connecting in time are different claims.
    let text = fs::read_to_string(&proofs).expect("certificates");
    let forged = text.replace("claim connected", "claim cut");
    assert_ne!(forged, text);
    fs::write(&proofs, forged).expect("written");
    assert_eq!(check(&proofs).0, Some(1));
}

#[test]
fn a_goal_in_rows_is_read_and_a_wrong_one_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let bamboo = "target B4\ngoal connect\nwith B2\nto_move O\nverdict connected\n.....\n\
                  .XX..\n.....\n.XX..\n.....\n";
    fs::write(folder.path().join("set.txt"), bamboo).expect("written");
    let text = |mode: &str| {
        let output = solve(folder.path(), &["--problem", "set.txt", "--mode", mode]);
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).expect("text")
    };
    assert!(text("proved").contains("connected"), "{}", text("proved"));
    assert!(text("fast").contains("connected"), "{}", text("fast"));
    let wrong = bamboo.replace("with B2", "with B3");
    fs::write(folder.path().join("set.txt"), wrong).expect("written");
    let output = solve(folder.path(), &["--problem", "set.txt"]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stdout).expect("text");
    assert!(
        told.contains("B3 and B4 must be stones of one colour"),
        "{told}"
    );
}

/// A ko whose certificate leads to millions of positions.
const LONG: &str = "\
target H2
to_move O
.........
..X..X...
..OX...O.
..X......
X....OOOO
...O.OXX.
..X..OX.X
...X.O.X.
.O.......
";

#[test]
fn the_check_of_a_certificate_heeds_the_time() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("ko.txt"), LONG).expect("written");
    let output = solve(
        folder.path(),
        &["--problem", "ko.txt", "--seconds", "2", "--json"],
    );
    assert_eq!(output.status.code(), Some(3), "not decided");
    let [answer] = answers(&output).try_into().expect("one");
    assert_eq!(answer["verdict"], "unknown");
    let note = answer["note"].as_str().expect("a note");
    assert!(
        note.starts_with("ko by the search") && note.ends_with("stopped before its end"),
        "{note}"
    );
}

#[test]
fn meaningless_settings_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("some.txt"), SOME).expect("written");
    fs::write(folder.path().join("old.proof"), "kept").expect("written");
    for (arguments, why) in [
        (
            ["--mode", "fast", "--proofs", "old.proof"],
            "the mode `fast` proves nothing",
        ),
        (["--mode", "fast", "--nodes", "0"], "--nodes"),
    ] {
        let arguments: Vec<&str> = ["--problem", "some.txt"]
            .into_iter()
            .chain(arguments)
            .collect();
        let output = solve(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(2));
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains(why), "{told}");
    }
    let kept = fs::read_to_string(folder.path().join("old.proof")).expect("kept");
    assert_eq!(kept, "kept");
}
