//! The Python module on the output of the program.
//!
//! Set `LEITAI_PYTHON` to a Python; without it the test is skipped.

use std::env;
use std::path::Path;
use std::process::{Command, Output};

use crate::common::{Sandbox, gates, project, small_tournament, stderr, stdout};

/// Runs a script in the sandbox; does nothing without a Python.
#[expect(clippy::print_stderr, reason = "a skipped test")]
fn run_script(sandbox: &Sandbox, script: &Path) -> Option<Output> {
    let python = env::var_os("LEITAI_PYTHON").filter(|python| !python.is_empty());
    let Some(python) = python else {
        eprintln!("skipped: LEITAI_PYTHON names no Python");
        return None;
    };
    let output = Command::new(python)
        .arg(script)
        .env("PYTHONPATH", project("python"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("LEITAI", env!("CARGO_BIN_EXE_leitai"))
        .current_dir(sandbox.path(""))
        .output();
    Some(output.expect("the Python of LEITAI_PYTHON runs"))
}

/// The wheel of a checkout installs without a network, with the program and the module.
#[test]
fn a_checkout_installs_offline() {
    let sandbox = Sandbox::new();
    let script = format!(
        "import os, subprocess, sys\n\
         pip = [sys.executable, '-m', 'pip', 'install', '-q', '--no-index', '--target', 'installed']\n\
         subprocess.run([*pip, '--config-settings', 'binary={}', {:?}], check=True)\n\
         program = os.path.join('installed', 'bin', 'leitai')\n\
         subprocess.run([program, '--version'], check=True)\n\
         sys.path[0] = 'installed'\n\
         import leitai\n\
         assert leitai.__file__.startswith('installed') or 'installed' in leitai.__file__\n",
        env!("CARGO_BIN_EXE_leitai"),
        project("").to_str().expect("UTF-8"),
    );
    let script = sandbox.write("install.py", &script);
    if let Some(output) = run_script(&sandbox, Path::new(&script)) {
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(stdout(&output).contains("leitai 0."), "{}", stdout(&output));
    }
}

#[test]
fn python_plays_rates_and_reads() {
    let sandbox = Sandbox::new();
    sandbox.write("run.toml", &small_tournament(2, 40));
    sandbox.write("long.toml", &small_tournament(60, 40));
    sandbox.write("gate.toml", &gates::gate(GATE));
    let script = project("tests/referee/python_module.py");
    if let Some(output) = run_script(&sandbox, &script) {
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(stdout(&output), "done\n");
    }
}

const GATE: &str = "base = \"plain\"\ncandidate = \"full\"\nelo1 = 40\nmax_pairs = 4";

/// The examples of the page, one after the other; those of packages that are missing end the script.
#[test]
fn the_examples_of_the_page_run() {
    let page = std::fs::read_to_string(project("docs/howto-python.md")).expect("a page");
    let blocks = page.split("```python\n").skip(1);
    let blocks = blocks.map(|block| block.split("```").next().unwrap_or_default());
    let blocks: Vec<&str> = blocks.collect();
    assert_eq!(blocks.len(), 4);
    let indented = format!("    {}", blocks.concat().replace('\n', "\n    "));
    let text = format!(
        "try:\n{indented}\nexcept ModuleNotFoundError as error:\n    print(error)\nprint('done')\n"
    );
    let sandbox = Sandbox::new();
    sandbox.write("match.toml", &small_tournament(2, 40));
    sandbox.write("gate.toml", &gates::gate(GATE));
    let script = sandbox.write("examples.py", &text);
    if let Some(output) = run_script(&sandbox, Path::new(&script)) {
        let said = format!("{}{}", stdout(&output), stderr(&output));
        assert!(output.status.success() && said.contains("done"), "{said}");
    }
}
