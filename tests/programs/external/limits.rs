//! Limits of the machine: they decide no game, and are reported before the first one if known.

use std::fs::{self, OpenOptions};

use serde_json::Value;

use super::signals::{await_programs, end, start};
use super::{NODES, assert_no_process_left, config};
use crate::common::{Sandbox, leitai, stderr, stdout};
use crate::programs::mock_program;

#[test]
fn a_program_that_the_machine_cannot_start_loses_no_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let mock = mock_program();
    fs::copy(&mock, at("engine")).expect("a copy");
    let text = config("good", NODES, "restart = true\nstartup = \"800ms\"")
        .replace("pairs = 2", "pairs = 64")
        .replace(mock.to_str().expect("UTF-8"), "./engine");
    let child = start(folder.path(), &text);
    await_programs(folder.path(), 4);
    // The same program, which cannot be executed while it is open for writing.
    fs::copy(&mock, at("new")).expect("a copy");
    let open = OpenOptions::new().append(true).open(at("new"));
    fs::rename(at("new"), at("engine")).expect("replaced");
    let (code, out, told) = end(child);
    assert_eq!((code, &*out), (Some(2), ""), "{told}");
    assert!(
        told.contains("the variant `mock` does not play pair"),
        "{told}"
    );
    assert!(told.contains("its file is being written"), "{told}");
    assert!(told.contains("decides nothing"), "{told}");
    assert_no_process_left(folder.path());
    drop(open.expect("open"));
    let (code, out, told) = end(start(folder.path(), &text));
    assert_eq!(code, Some(0), "{told}");
    let answer: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(answer["complete"], true);
    assert_eq!(answer["failures"], Value::Null, "no loss by a crash");
}

#[test]
fn tables_and_threads_beyond_the_machine_are_reported_before_the_first_game() {
    let sandbox = Sandbox::new();
    // 64 TiB.
    let told = |verb: &str, options: &str, more: &[&str]| {
        let text = config("good", NODES, &format!("options = {{ {options} }}"));
        sandbox.write("match.toml", &text);
        let mut command = leitai();
        command
            .current_dir(sandbox.path(""))
            .args([verb, "match.toml"]);
        let output = command.args(more).output().expect("leitai");
        let text = stderr(&output) + &stdout(&output);
        (output.status.code(), text)
    };
    for option in ["Hash", "hashsize", "USI_Hash", "memory"] {
        let set = format!("{option} = 67108864");
        let (code, text) = told("run", &set, &["--threads", "2"]);
        assert_eq!(code, Some(2), "{text}");
        let sum = "need 134217728 MiB: `mock` 67108864 on each of 2 threads";
        assert!(text.contains(sum) && text.contains("--force"), "{text}");
        let (code, text) = told("check", &set, &["--threads", "2"]);
        assert_eq!(code, Some(0), "{text}");
        assert!(text.contains("warning: ") && text.contains(sum), "{text}");
    }
    assert!(sandbox.files().iter().all(|name| name == "match.toml"));
    for option in ["Threads", "cores"] {
        let (code, text) = told("check", &format!("{option} = 9000"), &["--threads", "1"]);
        assert_eq!(code, Some(0), "{text}");
        assert!(
            text.contains("on 9000 processors each, need 9000"),
            "{text}"
        );
    }
}
