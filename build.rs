//! The commit and the target of the build, for `--version`; the compressed books.

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
    #[cfg(feature = "cli")]
    compress_books().expect("the folder of openings is readable");
}

/// Compresses the files in `openings` and its folders, for `src/games.rs`.
#[cfg(feature = "cli")]
fn compress_books() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=openings");
    let into = std::path::PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let mut folders = vec![Path::new("openings").to_owned()];
    while let Some(folder) = folders.pop() {
        fs::create_dir_all(into.join(&folder))?;
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let packed = fs::File::create(into.join(&path))?;
            let mut packed = flate2::write::GzEncoder::new(packed, flate2::Compression::best());
            std::io::Write::write_all(&mut packed, &fs::read(path)?)?;
            packed.finish()?;
        }
    }
    Ok(())
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
    for file in [".git/HEAD", ".git/logs/HEAD", "src", "crates", "Cargo.lock"] {
        println!("cargo::rerun-if-changed={file}");
    }
    let log = git(&["log", "-1", "--abbrev=10", "--format=%h %cs"])?;
    let changes = git(&["status", "--porcelain", "--", "src", "crates", "Cargo.lock"])?;
    // Workers of a fleet take equal commits for equal programs.
    match log.split_once(' ') {
        Some((commit, date)) if !changes.is_empty() => Some(format!("{commit}-changed {date}")),
        _ => Some(log),
    }
}

/// The output of git; `None` if it fails.
fn git(words: &[&str]) -> Option<String> {
    let output = Command::new("git").args(words).output();
    let output = output.ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
