//! The workflows, and the files from which a release is made.

use std::collections::BTreeSet;
use std::fs;

use crate::common::{Sandbox, project, stdout};

fn text(path: &str) -> String {
    fs::read_to_string(project(path)).expect(path)
}

/// The jobs of a workflow: name and lines.
fn jobs(workflow: &str) -> Vec<(&str, Vec<&str>)> {
    let (_, lines) = workflow.split_once("\njobs:\n").expect("jobs");
    let mut jobs: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in lines.lines() {
        let key = line.strip_prefix("  ").and_then(|it| it.strip_suffix(':'));
        match key.filter(|key| !key.starts_with([' ', '#'])) {
            Some(name) => jobs.push((name, Vec::new())),
            None => jobs.last_mut().expect("a job").1.push(line),
        }
    }
    jobs
}

const WORKFLOWS: [&str; 2] = [".github/workflows/ci.yml", ".github/workflows/release.yml"];

/// A tag of an action can be moved to other code, a commit cannot.
#[test]
fn actions_are_pinned_by_commit() {
    let mut checked = 0;
    let others = ["action/action.yml", "docs/ci/leitai-gate.yml"];
    for path in WORKFLOWS.into_iter().chain(others) {
        for line in text(path).lines() {
            let Some((_, action)) = line.split_once("uses: ") else {
                continue;
            };
            let (_, pin) = action.split_once('@').expect("a version");
            let (commit, version) = pin.split_once(" # v").unwrap_or((pin, ""));
            let is_commit = commit.len() == 40 && commit.bytes().all(|it| it.is_ascii_hexdigit());
            assert!(is_commit && !version.is_empty(), "{path}: {line}");
            checked += 1;
        }
    }
    assert!(checked > 40, "{checked}");
}

/// Jobs have the rights that they list, and a job that can write compiles and installs nothing:
/// scripts of dependencies run in those that only read.
#[test]
fn jobs_have_the_least_rights() {
    let mut writing = BTreeSet::new();
    for path in WORKFLOWS {
        let workflow = text(path);
        assert!(workflow.contains("\npermissions: {}\n"), "{path}");
        for (job, lines) in jobs(&workflow) {
            let rights = lines.iter().filter(|it| it.starts_with("    permissions:"));
            assert_eq!(rights.count(), 1, "{path}: {job}");
            if lines.iter().any(|line| line.contains(": write")) {
                writing.insert(job.to_owned());
                for command in [
                    "cargo build",
                    "cargo install",
                    "cargo test",
                    "packaging/",
                    "maturin",
                ] {
                    let compiles =
                        |line: &&&str| line.contains(command) && !line.contains("Dockerfile");
                    assert_eq!(lines.iter().find(compiles), None, "{path}: {job}");
                }
                let of_tags = "    if: github.ref_type == 'tag'";
                let is_guarded = lines.contains(&of_tags) || lines.contains(&"    needs: release");
                assert!(is_guarded, "{path}: {job} runs for branches");
            }
        }
    }
    let expected = ["crates", "image", "pypi", "release"];
    assert_eq!(writing, expected.map(str::to_owned).into());
}

/// The quoted or listed targets in a text.
fn targets(text: &str) -> BTreeSet<String> {
    let words = text.split(|it: char| !(it.is_ascii_alphanumeric() || "_-".contains(it)));
    let is_target = |it: &&str| {
        it.matches('-').count() >= 2 && (it.starts_with("x86_64-") || it.starts_with("aarch64-"))
    };
    words.filter(is_target).map(str::to_owned).collect()
}

/// Each target that is released is one whose dependencies `cargo deny` checks, and the manifests
/// name only archives of a release.
#[test]
fn released_targets_are_the_same_everywhere() {
    let workflow = text(WORKFLOWS[1]);
    let (_, archives) = jobs(&workflow).swap_remove(0);
    let released = targets(&archives.join("\n"));
    assert!(released.len() >= 6, "{released:?}");
    assert_eq!(targets(&text("deny.toml")), released);
    let script = text("packaging/release");
    let (list, _) = script.split_once("MANIFESTS").expect("lists");
    assert_eq!(targets(list), released);
    for template in ["install.sh", "leitai.rb"] {
        let named = text(&format!("packaging/templates/{template}"));
        let named = targets(&named.replace("leitai-", "").replace(".tar", " "));
        assert!(
            !named.is_empty() && named.is_subset(&released),
            "{template}: {named:?}"
        );
    }
}

/// GitLab's template downloads scripts: it has the checksums of those in its folder.
#[cfg(unix)]
#[test]
fn gitlab_runs_only_known_scripts() {
    let template = text("action/gitlab.yml");
    for script in ["install", "gate"] {
        let mut command = std::process::Command::new("sha256sum");
        let output = command.arg(project("action").join(script)).output();
        let sum = stdout(&output.expect("sha256sum runs"))[..64].to_owned();
        assert!(
            template.contains(&format!("{sum}  {script}\n")),
            "{script} is now {sum}"
        );
    }
}

/// The shell installer installs an archive with the checksum of its release, and no other.
#[cfg(unix)]
#[test]
fn the_installer_checks_the_archive() {
    use std::path::Path;
    use std::process::Command;

    let sandbox = Sandbox::new();
    let path = sandbox.path("");
    let folder = Path::new(&path).join("v1.2.3");
    let name = "leitai-x86_64-unknown-linux-musl";
    fs::create_dir_all(folder.join(name)).expect("a folder");
    let make = format!(
        "cd {folder:?} && printf '#!/bin/sh\\necho leitai 1.2.3\\n' > {name}/leitai && \
         chmod +x {name}/leitai && cp {name}/leitai {name}/leitai-v3 && \
         tar -czf {name}.tar.gz {name} && sha256sum {name}.tar.gz > SHA256SUMS"
    );
    let made = Command::new("sh").args(["-c", &make]).status();
    assert!(made.expect("sh runs").success());
    let into = Path::new(&path).join("in here");
    let install = |target: &str| {
        Command::new("sh")
            .arg(project("packaging/templates/install.sh"))
            .env(
                "LEITAI_RELEASES",
                format!("file://{}", path.trim_end_matches('/')),
            )
            .env("LEITAI_VERSION", "1.2.3")
            .env("LEITAI_TARGET", target)
            .env("LEITAI_INSTALL_DIR", &into)
            .output()
            .expect("it runs")
    };
    let target = "x86_64-unknown-linux-musl";
    let installed = install(target);
    let told = stdout(&installed);
    assert!(installed.status.success(), "{installed:?}");
    assert!(
        told.contains("installed leitai 1.2.3") && told.contains("export PATH="),
        "{told}"
    );
    assert!(into.join("leitai").is_file() && into.join("leitai-v3").is_file());

    fs::remove_dir_all(&into).expect("removed");
    let absent = install("aarch64-apple-darwin");
    assert!(!absent.status.success() && !into.exists(), "{absent:?}");
    let archive = folder.join(format!("{name}.tar.gz"));
    let mut bytes = fs::read(&archive).expect("an archive");
    bytes.push(0);
    fs::write(&archive, bytes).expect("written");
    let refused = install(target);
    let told = String::from_utf8_lossy(&refused.stderr);
    assert!(
        !refused.status.success() && told.contains("does not have its checksum"),
        "{told}"
    );
    assert!(!into.exists());
}
