#[cfg(unix)]
use std::os::unix::fs::symlink;

use super::*;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|it| it.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

fn said(result: Result<OutputFile, Failure>) -> String {
    let failure = result.expect_err("refused");
    assert!(failure.downcast_ref::<CannotWrite>().is_some());
    format!("{failure:#}")
}

#[test]
fn prepared_files_leave_no_trace_before_writing() {
    let folder = folder();
    let (old, new) = (folder.path().join("old"), folder.path().join("new"));
    fs::write(&old, "precious").unwrap();
    let mut files = CommandFiles::default();
    let outputs = [&old, &new].map(|file| files.prepare(file).unwrap());
    assert_eq!(names(folder.path()), ["old"]);
    drop(outputs);
    assert_eq!(fs::read_to_string(&old).unwrap(), "precious");
    let mut half = CommandFiles::default()
        .prepare(&old)
        .unwrap()
        .begin()
        .unwrap();
    half.write("half").unwrap();
    drop(half);
    assert_eq!(fs::read_to_string(&old).unwrap(), "precious");
    CommandFiles::default()
        .prepare(&old)
        .unwrap()
        .commit("whole")
        .unwrap();
    assert_eq!(fs::read_to_string(&old).unwrap(), "whole");
    assert_eq!(names(folder.path()), ["old"]);
}

#[cfg(unix)]
#[test]
fn no_command_overwrites_its_input_under_another_name() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("config"), "").unwrap();
    symlink("config", at("link")).unwrap();
    fs::hard_link(at("config"), at("hard")).unwrap();
    let mut files = CommandFiles::default();
    files.reads(&at("config"));
    // A record that the command is going to create.
    files.records(&at("new.sqlite"));
    for name in [
        "config",
        "link",
        "hard",
        "./config",
        "new.sqlite",
        "new.sqlite-wal",
    ] {
        let said = said(files.prepare(&at(name)));
        assert!(said.contains("this command reads"), "{name}: {said}");
    }
    // SQLite puts the log next to the target of a link.
    symlink("far.sqlite", at("near.sqlite")).unwrap();
    files.records(&at("near.sqlite"));
    for name in [
        "near.sqlite",
        "far.sqlite",
        "far.sqlite-wal",
        "far.sqlite-journal",
    ] {
        let said = said(files.prepare(&at(name)));
        assert!(said.contains("this command reads"), "{name}: {said}");
    }
    files.prepare(&at("a.csv")).unwrap();
    let twice = said(files.prepare(&at("./a.csv")));
    assert!(twice.contains("already writes it as"), "{twice}");
}

/// A file that appears under an output's name during the work survives, and so does the output.
#[test]
fn new_arrivals_stay() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let outputs = ["record", "text", "forced"].map(|name| {
        let mut files = CommandFiles::default();
        let prepared = match name {
            "record" => files.prepare(&at(name)),
            _ => files.prepare_new(&at(name), name == "forced"),
        };
        prepared.unwrap()
    });
    fs::write(at("record"), b"SQLite format 3\0 and so on").unwrap();
    fs::write(at("text"), "precious").unwrap();
    fs::write(at("forced"), "old").unwrap();
    fs::write(at("text.saved"), "precious, too").unwrap();
    let [record, text, forced] = outputs.map(|output| output.commit("work"));
    for (result, saved) in [(record, "record.saved"), (text, "text.saved-2")] {
        let failure = result.unwrap_err();
        let cause = failure.downcast_ref::<CannotWrite>().unwrap();
        assert!(cause.help.ends_with(saved), "{}", cause.help);
        assert_eq!(fs::read_to_string(at(saved)).unwrap(), "work");
    }
    forced.unwrap();
    assert!(fs::read(at("record")).unwrap().starts_with(b"SQLite"));
    for (name, wanted) in [
        ("text", "precious"),
        ("text.saved", "precious, too"),
        ("forced", "work"),
    ] {
        assert_eq!(fs::read_to_string(at(name)).unwrap(), wanted);
    }
    assert_eq!(names(folder.path()).len(), 6);
}

#[cfg(unix)]
#[test]
fn unwritable_games_are_refused_with_a_reason() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("file"), "").unwrap();
    let mut files = CommandFiles::default();
    for (name, reason) in [
        ("", "it is a folder"),
        ("no/x.csv", "its folder does not exist"),
        ("x.csv/", "it is a folder"),
        ("file/x.csv", "is a file"),
    ] {
        let said = said(files.prepare(&at(name)));
        assert!(said.contains(reason), "{name}: {said}");
    }
    assert!(files.prepare(Path::new("")).is_err());
    let there = said(files.prepare_new(&at("file"), false));
    assert!(there.ends_with("it exists already"), "{there}");
    CommandFiles::default()
        .prepare_new(&at("file"), true)
        .unwrap();
    CommandFiles::default()
        .prepare_new(&at("other"), false)
        .unwrap();
    // A full device fails only when it is written.
    let full = CommandFiles::default()
        .prepare(Path::new("/dev/full"))
        .unwrap();
    let failure = full.commit("text").unwrap_err();
    assert!(format!("{failure:#}").contains("cannot write /dev/full: No space"));
    CommandFiles::default()
        .prepare(Path::new("/dev/null"))
        .unwrap()
        .commit("text")
        .unwrap();
}

#[cfg(unix)]
#[test]
fn a_link_leads_to_a_file_that_is_not_there_yet() {
    let folder = folder();
    let link = folder.path().join("link");
    symlink("target", &link).unwrap();
    CommandFiles::default()
        .prepare(&link)
        .unwrap()
        .commit("text")
        .unwrap();
    assert!(link.is_symlink());
    assert_eq!(
        fs::read_to_string(folder.path().join("target")).unwrap(),
        "text"
    );
    symlink("loop", folder.path().join("loop")).unwrap();
    assert!(
        CommandFiles::default()
            .prepare(&folder.path().join("loop"))
            .is_err()
    );
}
