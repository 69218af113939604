//! Detects test files without a `mod` declaration, which are never compiled.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::project;

/// The sources in a folder and its subfolders.
fn sources(folder: &Path) -> BTreeSet<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths
        .flat_map(|path| match path.extension() {
            _ if path.is_dir() => sources(&path),
            Some(kind) if kind == "rs" => BTreeSet::from([path]),
            _ => BTreeSet::new(),
        })
        .collect()
}

/// A source and all modules that it declares in that folder.
fn compiled(source: PathBuf, folder: &Path) -> BTreeSet<PathBuf> {
    let text = fs::read_to_string(&source).expect("a source");
    let names = text
        .lines()
        .filter_map(|line| line.strip_suffix(';')?.rsplit_once("mod "));
    let mut found: BTreeSet<_> = names
        .flat_map(|(_, name)| {
            let inside = folder.join(name);
            let files = [inside.with_extension("rs"), inside.join("mod.rs")];
            files.map(|file| (file, inside.clone()))
        })
        .filter(|(file, _)| file.exists())
        .flat_map(|(file, inside)| compiled(file, &inside))
        .collect();
    found.insert(source);
    found
}

#[test]
fn every_file_is_a_module_of_a_binary() {
    let tests = project("tests");
    let mut found = compiled(tests.join("all.rs"), &tests);
    let mock = tests.join("mock");
    found.extend(compiled(mock.join("program.rs"), &mock));
    assert_eq!(sources(&tests), found);
    assert!(found.len() > 50);
}
