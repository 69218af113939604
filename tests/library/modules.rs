//! No file of tests is left out: one that no `mod` names is never compiled.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::project;

/// The sources in a folder and its folders.
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

/// A source and all modules that it declares.
fn compiled(source: PathBuf) -> BTreeSet<PathBuf> {
    let folder = if source.ends_with("main.rs") || source.ends_with("mod.rs") {
        source.with_file_name("")
    } else {
        source.with_extension("")
    };
    let text = fs::read_to_string(&source).expect("a source");
    let names = text
        .lines()
        .filter_map(|line| line.strip_suffix(';')?.rsplit_once("mod "));
    let mut found: BTreeSet<_> = names
        .flat_map(|(_, name)| [format!("{name}.rs"), format!("{name}/mod.rs")])
        .map(|name| folder.join(name))
        .filter(|path| path.exists())
        .flat_map(compiled)
        .collect();
    found.insert(source);
    found
}

#[test]
fn every_file_is_a_module_of_its_binary() {
    let mut binaries = 0;
    for entry in fs::read_dir(project("tests")).unwrap() {
        let folder = entry.unwrap().path();
        let main = folder.join("main.rs");
        if main.exists() {
            binaries += 1;
            assert_eq!(sources(&folder), compiled(main));
        }
    }
    assert!(binaries > 1);
}
