//! `leitai import` of files that fastchess saved.

use std::fs;

use crate::common::{Sandbox, leitai, run, stderr, stdout};

/// A file that fastchess 1.8.2 saved.
const SAVED: &str = r#"{
    "resign": {"move_count": 3, "score": 600, "twosided": false, "enabled": true},
    "draw": {"move_number": 34, "move_count": 8, "score": 20, "enabled": true},
    "maxmoves": {"move_count": 100, "enabled": true},
    "tb_adjudication": {"syzygy_dirs": "", "max_pieces": 0, "ignore_50_move_rule": false,
        "enabled": false},
    "opening": {"file": "book.epd", "format": 0, "order": 0, "plies": -1, "start": 7},
    "pgn": {"additional_lines_rgx": [], "event_name": "E", "site": "?", "file": "x.pgn",
        "notation": 0, "append_file": true, "track_nodes": false, "min": false, "crc": false},
    "epd": {"file": "", "append_file": true},
    "sprt": {"alpha": 0.05, "beta": 0.1, "elo0": -1.5, "elo1": 3, "model": "logistic",
        "enabled": true},
    "config_name": "config.json", "output": 0, "seed": 11640166910256665083, "variant": 0,
    "type": 0, "gauntlet_seeds": 1, "ratinginterval": 10, "scoreinterval": 1, "wait": 0,
    "autosaveinterval": 20, "games": 2, "rounds": 5, "concurrency": 4,
    "force_concurrency": false, "recover": true, "noswap": false, "reverse": false,
    "report_penta": true, "affinity": false, "check_mate_pvs": true, "show_latency": true,
    "log": {"file": "", "append_file": false, "level": 2, "compress": false,
        "realtime": true, "engine_coms": false},
    "engines": [
        {"name": "A", "dir": "", "cmd": "bin/a", "args": "-x", "restart": true,
         "options": [["Hash", "16"]], "variant": 0,
         "limit": {"tc": {"increment": 80, "fixed_time": 0, "time": 8000, "moves": 0,
            "timemargin": 250}, "nodes": 0, "plies": 0}},
        {"name": "B", "dir": "", "cmd": "bin/b", "args": "", "restart": false, "options": [],
         "limit": {"tc": {"increment": 80, "fixed_time": 0, "time": 8000, "moves": 0,
            "timemargin": 250}, "nodes": 0, "plies": 0}, "variant": 0}
    ],
    "stats": {"A vs B": {"wins": 3, "losses": 0, "draws": 1, "penta_WW": 1}}
}"#;

/// Imports a text. Returns the config with the notes, or the error.
fn imported(sandbox: &Sandbox, text: &str) -> Result<(String, String), String> {
    let output = run(&["import", &sandbox.write("config.json", text)]);
    let told = stderr(&output);
    if output.status.success() {
        return Ok((stdout(&output), told));
    }
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(output.stdout.is_empty(), "{text}");
    Err(told)
}

#[test]
fn a_saved_file_is_taken_but_for_its_sums() {
    let sandbox = Sandbox::new();
    let (text, told) = imported(&sandbox, SAVED).expect("a config");
    for line in [
        // The 64 bits of its seed, without the highest one.
        "seed = 2416794873401889275",
        "pairs = 5",
        "clock = \"8s+0.08s\"",
        "margin = \"250ms\"",
        "resign = { score = 600, plies = 3, by = \"loser\" }",
        "draw = { score = 20, plies = 16, after_move = 34, reset = \"irreversible\" }",
        "max_plies = 200",
        "order = \"random\"",
        "start = 7",
        "elo0 = -1.5",
        "model = \"logistic\"",
        "restart = true",
        "command = [\"bin/a\", \"-x\"]",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert!(told.contains("statistics are not taken"), "{told}");
    assert!(told.contains("--threads 4"), "{told}");
    assert!(!told.contains("not known"), "{told}");
}

#[test]
fn unknown_keys_are_named_and_damage_reported() {
    let sandbox = Sandbox::new();
    let with = SAVED.replacen("\"elo0\":", "\"elo2\": 1, \"elo0\":", 1);
    let (_, told) = imported(&sandbox, &with).expect("a config");
    assert!(told.contains("`sprt.elo2` is not known"), "{told}");
    for (damage, said) in [
        ("", "not JSON"),
        ("[]", "it is not a JSON object"),
        ("{}", "no `engines`"),
        ("{\"engines\": 3}", "`engines` is not a list"),
        ("{\"engines\": [3]}", "`engines[0]` is not an object"),
        (
            "{\"engines\": [{\"name\": 1}]}",
            "`engines[0].name` is not text",
        ),
        (
            "{\"engines\": [{\"limit\": {\"tc\": {\"time\": -1}}}]}",
            "`engines[0].limit.tc.time` is below 0",
        ),
        (
            "{\"engines\": [], \"rounds\": \"x\"}",
            "`rounds` is not a whole number",
        ),
        (
            "{\"engines\": [], \"variant\": 9}",
            "`variant` is a number that fastchess",
        ),
        ("{\"engines\": []}", "two engines are needed"),
    ] {
        let error = imported(&sandbox, damage).expect_err(damage);
        assert!(error.contains(said), "{damage}: {error}");
    }
    for end in (0..SAVED.len()).step_by(487) {
        let error = imported(&sandbox, &SAVED[..end]).expect_err("cut");
        assert!(error.contains("not JSON, or damaged"), "{end}: {error}");
    }
}

/// The file of `-config` is an input, which no output replaces; nor the file of an argument.
#[cfg(unix)]
#[test]
fn outputs_do_not_replace_inputs() {
    let sandbox = Sandbox::new();
    sandbox.write("net.bin", "weights");
    sandbox.write("book.epd", "4k3/8/8/8/8/8/8/4K2R w - -\n");
    let text = SAVED.replace("bin/a", "sh").replace("bin/b", "sh");
    let text = text.replace("\"args\": \"-x\"", "\"args\": \"x.sh --net=net.bin\"");
    sandbox.write("saved.json", &text);
    for input in ["saved.json", "net.bin"] {
        let before = fs::read(sandbox.path(input)).unwrap();
        for output in ["-log", "-pgnout", "-epdout"] {
            let refused = leitai()
                .args([
                    "fastchess",
                    "-config",
                    "file=saved.json",
                    "-force-concurrency",
                ])
                .args([output, &format!("file={input}"), "append=false"])
                .current_dir(sandbox.path(""))
                .output()
                .unwrap();
            let said = stderr(&refused);
            assert_eq!(refused.status.code(), Some(2), "{said}");
            assert!(said.contains("this command reads"), "{said}");
            assert_eq!(fs::read(sandbox.path(input)).unwrap(), before, "{said}");
        }
    }
}
