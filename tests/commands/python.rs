//! The Python module on the output of the program.
//!
//! Set `LEITAI_PYTHON` to a Python; without it the test is skipped.

use std::env;
use std::process::Command;

use crate::common::{Sandbox, gates, project, small_tournament, stderr, stdout};

#[test]
fn python_plays_rates_and_reads() {
    let python = env::var_os("LEITAI_PYTHON").filter(|python| !python.is_empty());
    let Some(python) = python else {
        eprintln!("skipped: LEITAI_PYTHON names no Python");
        return;
    };
    let sandbox = Sandbox::new();
    sandbox.write("run.toml", &small_tournament(2, 40));
    sandbox.write("long.toml", &small_tournament(60, 40));
    let gate = "base = \"plain\"\ncandidate = \"full\"\nelo1 = 40\nmax_pairs = 4";
    sandbox.write("gate.toml", &gates::gate(gate));
    let output = Command::new(python)
        .arg(project("tests/referee/python_module.py"))
        .env("PYTHONPATH", project("python"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("LEITAI", env!("CARGO_BIN_EXE_leitai"))
        .current_dir(sandbox.path(""))
        .output()
        .expect("the Python of LEITAI_PYTHON runs");
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stdout(&output), "done\n");
}
