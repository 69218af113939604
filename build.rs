//! The commit and the target of the build, for `--version`.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = env::var("TARGET").unwrap_or_default();
    // During development a commit should not cause a rebuild.
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = if is_release {
        packed().or_else(checked_out)
    } else {
        None
    };
    let build = match commit {
        Some(commit) => format!("{commit}, {target}"),
        None if is_release => target,
        None => format!("debug build, {target}"),
    };
    println!("cargo::rustc-env=LEITAI_BUILD={build}");
}

/// The commit from which the registry package was made.
fn packed() -> Option<String> {
    let info = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, rest) = info.split_once("\"sha1\"")?;
    let sha1: String = rest
        .chars()
        .skip_while(|it| !it.is_ascii_hexdigit())
        .take_while(char::is_ascii_hexdigit)
        .collect();
    Some(sha1.get(..10)?.to_owned())
}

/// The commit of this checkout and its date.
fn checked_out() -> Option<String> {
    // In a folder inside another repository, git would report that repository's commit.
    if !Path::new(".git").exists() {
        return None;
    }
    for file in [".git/HEAD", ".git/logs/HEAD"] {
        println!("cargo::rerun-if-changed={file}");
    }
    let log = Command::new("git")
        .args(["log", "-1", "--abbrev=10", "--format=%h %cs"])
        .output();
    let log = log.ok().filter(|log| log.status.success())?;
    Some(String::from_utf8(log.stdout).ok()?.trim().to_owned())
}
