//! The steps of the GitHub action, run locally: a toy engine in its own repository, built before
//! and after a change.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::common::{Sandbox, json, project, stderr, stdout};

fn git(folder: &Path, words: &[&str]) -> String {
    let output = Command::new("git")
        .current_dir(folder)
        .args([
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b",
            "-c",
            "init.defaultBranch=main",
        ])
        .args(words)
        .output()
        .expect("git runs");
    assert!(
        output.status.success(),
        "git {words:?}: {}",
        stderr(&output)
    );
    stdout(&output).trim().to_owned()
}

/// A repository with the config of a gate.
fn repository() -> Sandbox {
    let sandbox = Sandbox::new();
    git(Path::new(&sandbox.path("")), &["init", "-q"]);
    sandbox.write("gate.toml", GATE);
    sandbox
}

/// An engine with one of Leitai's presets, with a build from its source.
fn engine(folder: &Path, preset: &str) {
    let leitai = env!("CARGO_BIN_EXE_leitai");
    let script = format!("#!/bin/sh\nexec '{leitai}' engine --game xiangqi --variant {preset}\n");
    fs::write(folder.join("engine.sh"), script).expect("written");
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-q", "-m", preset]);
}

const GATE: &str = "game = \"xiangqi\"\nlimits = { nodes = 60 }\n\
    openings = { file = \"leitai:xiangqi-500\" }\n\
    [gate]\nbase = \"@BASE@\"\ncandidate = \"@HEAD@\"\nelo0 = 0\nelo1 = 150\n\
    max_pairs = 40\nalike_pairs = 0\n\
    [[variant]]\nname = \"@BASE@\"\ncommand = [\"./base\"]\nprotocol = \"uci\"\n\
    [[variant]]\nname = \"@HEAD@\"\nbase = \"@BASE@\"\ncommand = [\"./head\"]\n";

const REGRESSION: &str = "game = \"xiangqi\"\nlimits = { nodes = 40 }\n\
    openings = { file = \"leitai:xiangqi-500\" }\ntournament = { pairs = 3 }\n\
    [[variant]]\nname = \"@BASE@\"\ncommand = [\"./base\"]\nprotocol = \"uci\"\n\
    [[variant]]\nname = \"@HEAD@\"\nbase = \"@BASE@\"\ncommand = [\"./head\"]\n";

fn gate(folder: &Path, more: &[(&str, &str)]) -> Output {
    let mut command = Command::new(project("action/gate"));
    command
        .current_dir(folder)
        .env("LEITAI", env!("CARGO_BIN_EXE_leitai"))
        .env("GATE_CONFIG", "gate.toml")
        .env("GATE_BUILD", "cp engine.sh built && chmod +x built")
        .env("GATE_ENGINE", "built")
        .env("GITHUB_OUTPUT", "outputs")
        .env("GITHUB_STEP_SUMMARY", "summary.md")
        .envs(more.iter().copied());
    command.output().expect("it runs")
}

#[test]
fn a_change_of_a_strangers_engine_is_gated() {
    let sandbox = repository();
    let path = sandbox.path("");
    let folder = Path::new(&path);
    sandbox.write("regression.toml", REGRESSION);
    sandbox.write(".gitignore", "leitai-gate\nbuilt\noutputs\nsummary.md\n");
    engine(folder, "plain");
    let before = git(folder, &["rev-parse", "--short=10", "HEAD"]);
    engine(folder, "full");
    let after = git(folder, &["rev-parse", "--short=10", "HEAD"]);

    let regression = [
        ("GATE_BASE", "HEAD~1"),
        ("GATE_REGRESSION", "regression.toml"),
        ("GATE_REGRESSION_EVERY", "1"),
        ("GATE_RELEASE", "HEAD~1"),
    ];
    let first = gate(folder, &regression);
    assert_eq!(
        first.status.code(),
        Some(0),
        "{}{}",
        stdout(&first),
        stderr(&first)
    );
    let outputs = fs::read_to_string(sandbox.path("outputs")).expect("outputs");
    assert!(
        outputs.contains("verdict=accepted\n") && outputs.contains("\nllr="),
        "{outputs}"
    );
    for key in ["elo", "elo-low", "elo-high", "pairs", "report"] {
        let line = outputs
            .lines()
            .find(|line| line.starts_with(&format!("{key}=")));
        assert!(
            line.is_some_and(|line| line.len() > key.len() + 1),
            "{key}: {outputs}"
        );
    }
    let summary = fs::read_to_string(sandbox.path("summary.md")).expect("a summary");
    assert!(
        summary.contains("accepted") && summary.contains("LLR"),
        "{summary}"
    );
    assert!(summary.contains(&after), "{summary}");
    for file in [
        "gate.xml",
        "gate.md",
        "comment.md",
        "report.html",
        "history.md",
        "regression.json",
    ] {
        assert!(folder.join("leitai-gate").join(file).is_file(), "{file}");
    }

    // The same job again: plays no game, and gives the same verdict.
    let again = gate(folder, &[("GATE_BASE", "HEAD~1")]);
    assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
    let outputs = fs::read_to_string(sandbox.path("outputs")).expect("outputs");
    let lines: Vec<&str> = outputs.lines().collect();
    assert_eq!(lines[..7], lines[7..]);

    // The reverted change is rejected and fails the job; both gates are in the history.
    engine(folder, "plain");
    let back = gate(folder, &[("GATE_BASE", "HEAD~1")]);
    assert_eq!(back.status.code(), Some(1), "{}", stderr(&back));
    let record = sandbox.path("leitai-gate/gate.sqlite");
    let history = json(&["history", &record, "--json"]);
    let gates = history["gates"].as_array().expect("gates");
    let told: Vec<_> = gates
        .iter()
        .map(|gate| [&gate["base"], &gate["candidate"], &gate["verdict"]])
        .collect();
    assert_eq!(told[0], [before.as_str(), after.as_str(), "accepted"]);
    assert_eq!(told[1][0], after.as_str());
    assert_eq!(told[1][2], "rejected");
    assert_eq!(history["accepted"], 1);
    assert!(
        history["sums"][0]["elo"].as_f64().expect("a sum") > 0.0,
        "{history}"
    );

    // External programs may not be reproducible; here no clock is the cause.
    let comment = fs::read_to_string(folder.join("leitai-gate/gate.md")).expect("a comment");
    assert!(
        comment.contains("if each program always answers a position alike")
            && !comment.contains("clock"),
        "{comment}"
    );

    // A damaged earlier gate is named. It costs this gate only the match that depends on the number
    // of accepted changes.
    let conn = rusqlite::Connection::open(&record).expect("a record");
    let first = "UPDATE game SET cause = 'repetition' WHERE id = 2 * (SELECT min(key) FROM pair)";
    assert_eq!(conn.execute(first, []).expect("changed"), 1);
    drop(conn);
    let damaged = gate(folder, &regression);
    let said = stderr(&damaged);
    assert_eq!(damaged.status.code(), Some(1), "{said}");
    assert!(said.contains("cannot be read"), "{said}");
    let summary = fs::read_to_string(sandbox.path("summary.md")).expect("a summary");
    assert!(summary.contains("Not in this table: gate"), "{summary}");

    // A change that does not build ends the job and is reported.
    sandbox.write("engine.sh", "");
    git(folder, &["rm", "-qf", "engine.sh"]);
    git(folder, &["commit", "-q", "-m", "broken"]);
    let broken = gate(folder, &[("GATE_BASE", "HEAD~1")]);
    assert_eq!(broken.status.code(), Some(2), "{}", stdout(&broken));
    assert!(stderr(&broken).contains("engine.sh"), "{}", stderr(&broken));
    // Its checkout and earlier results are removed.
    assert_eq!(git(folder, &["worktree", "list"]).lines().count(), 1);
    assert!(!folder.join("leitai-gate/comment.md").exists());
}

/// Inputs of the job are data, and files brought by a change are no results.
#[test]
fn no_input_of_the_job_is_executed() {
    let sandbox = repository();
    let path = sandbox.path("");
    let folder = Path::new(&path);
    engine(folder, "plain");
    engine(folder, "full");
    let hostile = [
        (
            "GATE_REGRESSION_EVERY",
            "PATH[$(touch HARM)0]+1",
            "no number above 0",
        ),
        (
            "GATE_BASE",
            "--upload-pack=touch HARM; git-upload-pack",
            "no commit is called",
        ),
        ("GATE_BASE", "nowhere", "no commit is called nowhere"),
    ];
    for (name, value, words) in hostile {
        let refused = gate(folder, &[("GATE_BASE", "HEAD~1"), (name, value)]);
        assert_eq!(refused.status.code(), Some(2), "{name}={value}");
        assert!(stderr(&refused).contains(words), "{}", stderr(&refused));
        assert!(!folder.join("HARM").exists());
    }
    // A change that brings the job's own result files is refused.
    sandbox.write("leitai-gate/comment.md", "accepted");
    git(folder, &["add", "-f", "leitai-gate/comment.md"]);
    let forged = gate(folder, &[("GATE_BASE", "HEAD~1")]);
    assert_eq!(forged.status.code(), Some(2));
    assert!(
        stderr(&forged).contains("which is the job's"),
        "{}",
        stderr(&forged)
    );
}

/// A pinned archive with another checksum is not unpacked.
#[test]
fn installed_programs_have_the_pinned_checksum() {
    let sandbox = Sandbox::new();
    let path = sandbox.path("");
    let releases = Path::new(&path).join("releases/v1.2.3");
    let packed = Path::new(&path).join("leitai-x86_64-unknown-linux-musl");
    fs::create_dir_all(&releases).expect("a folder");
    fs::create_dir_all(&packed).expect("a folder");
    fs::write(packed.join("leitai"), "#!/bin/sh\necho leitai 1.2.3\n").expect("written");
    let archive = releases.join("leitai-x86_64-unknown-linux-musl.tar.gz");
    let run = |words: &[&str]| {
        let output = Command::new(words[0])
            .current_dir(&path)
            .args(&words[1..])
            .output();
        let output = output.expect("it runs");
        assert!(output.status.success(), "{words:?}: {}", stderr(&output));
        stdout(&output)
    };
    run(&["chmod", "+x", "leitai-x86_64-unknown-linux-musl/leitai"]);
    let archive = archive.to_str().expect("UTF-8");
    run(&["tar", "-czf", archive, "leitai-x86_64-unknown-linux-musl"]);
    let right = run(&["sha256sum", archive]);
    let right = right.split_whitespace().next().expect("a sum");
    let wrong = "0".repeat(64);
    for (sum, code) in [(right, 0), (wrong.as_str(), 2)] {
        let output = Command::new(project("action/install"))
            .env("LEITAI_VERSION", "1.2.3")
            .env("LEITAI_SHA256", sum)
            .env("LEITAI_RELEASES", format!("file://{path}/releases"))
            .env("RUNNER_TEMP", sandbox.path(&format!("into-{code}")))
            .output()
            .expect("it runs");
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        assert_eq!(stdout(&output).contains("leitai 1.2.3"), code == 0);
        assert_eq!(stderr(&output).contains("pinned"), code != 0);
    }
}
