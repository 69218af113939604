//! Expectations of shells, manual readers and bug reports on every program.

use std::fs;
use std::process::Command;

use crate::common::{Sandbox, project, run, stderr, stdout};

#[test]
fn the_version_describes_the_build() {
    let told = stdout(&run(&["--version"]));
    let target = std::env::consts::ARCH;
    assert!(told.starts_with("leitai 0.1.0 ("), "{told}");
    assert!(told.contains(target), "{told}");
}

#[test]
fn completions_are_read_by_shells() {
    for (shell, word) in [
        ("bash", "complete -F"),
        ("zsh", "#compdef leitai"),
        ("fish", "complete -c leitai"),
        ("powershell", "Register-ArgumentCompleter"),
        ("elvish", "edit:completion"),
    ] {
        let text = stdout(&run(&["completions", shell]));
        assert!(text.contains(word), "{shell}: {text}");
        assert!(
            text.contains("max-pairs") || text.contains("retry-failed"),
            "{shell}"
        );
    }
    let sandbox = Sandbox::new();
    let script = sandbox.write("leitai.bash", &stdout(&run(&["completions", "bash"])));
    let ask = format!(
        "source {script}; COMP_WORDS=(leitai che); COMP_CWORD=1; _leitai leitai che leitai; \
         echo ${{COMPREPLY[@]}}"
    );
    let offered = Command::new("bash").args(["-c", &ask]).output().unwrap();
    let offered = stdout(&offered);
    assert!(
        offered.split_whitespace().any(|word| word == "check"),
        "{offered}"
    );
}

#[test]
fn every_command_has_a_page() {
    let sandbox = Sandbox::new();
    let folder = sandbox.path("man");
    let told = run(&["man", &folder]);
    assert!(told.status.success(), "{}", stderr(&told));
    for (page, word) in [
        ("leitai", "leitai\\-run(1)"),
        ("leitai-run", "CONFIG"),
        ("leitai-solve-othello", "endgame"),
    ] {
        let text = fs::read_to_string(format!("{folder}/{page}.1")).unwrap();
        assert!(text.contains(word), "{page}: {text}");
    }
    // Overwrites the existing pages; all of them or none.
    assert!(run(&["man", &folder]).status.success());
    let (first, last) = (
        format!("{folder}/leitai-run.1"),
        format!("{folder}/leitai.1"),
    );
    for (whole, broken) in [(&first, &last), (&last, &first)] {
        fs::remove_file(broken).unwrap();
        fs::create_dir(broken).unwrap();
        fs::write(whole, "mine").unwrap();
        assert_eq!(run(&["man", &folder]).status.code(), Some(2));
        assert_eq!(fs::read_to_string(whole).unwrap(), "mine");
        fs::remove_dir(broken).unwrap();
    }
}

#[test]
#[cfg(feature = "fleet")]
fn pages_of_the_reference_are_those_of_the_program() {
    for (page, words) in [
        ("docs/commands.md", ["man", "--markdown"]),
        ("docs/keys.md", ["schema", "--markdown"]),
    ] {
        let is_written = fs::read_to_string(project(page)).unwrap() == stdout(&run(&words));
        assert!(
            is_written,
            "it has changed: `leitai {} > {page}`",
            words.join(" ")
        );
    }
}
