//! `leitai` without a command: the next commands for the configs and records in this folder.

use std::fs;

use super::prelude::*;
use leitai_base::foreign::read_text;
use leitai_config::path_word;
use leitai_report::{Room, aligned};

/// Largest number of files of each kind in the list.
const FILES: usize = 8;
/// Largest size of a config in bytes.
const LARGEST: u64 = 1 << 20;

/// The commands for a config, by the table in it.
const COMMANDS: [(&str, &str); 3] = [("gate", "gate"), ("tune", "tune"), ("study", "study")];

/// Returns a list of commands, or `None` if the folder has no config and no record.
pub(super) fn suggestions() -> Option<String> {
    let mut files: Vec<PathBuf> = fs::read_dir(".")
        .ok()?
        .flatten()
        .map(|it| it.path())
        .collect();
    files.sort();
    let files: Vec<&Path> = files
        .iter()
        .filter_map(|it| it.strip_prefix(".").ok())
        .collect();
    let of_kind = |kind: &'static str| {
        let files = files.iter().copied();
        files.filter(move |it| it.extension().is_some_and(|it| it == kind))
    };
    let is_clear = |file: &&Path| {
        file.to_str()
            .is_some_and(|it| !it.contains(char::is_control))
    };
    let configs = of_kind("toml")
        .filter(is_clear)
        .filter_map(|file| Some((file, command_for(file)?)));
    let configs: Vec<(&Path, &str)> = configs.take(FILES).collect();
    let is_record = |file: &&Path| is_clear(file) && file.is_file();
    let all: Vec<&Path> = of_kind("sqlite").filter(is_record).collect();
    let records = &all[..FILES.min(all.len())];
    let name = program::name();
    let mut rows = Vec::new();
    for (file, command) in &configs {
        let is_recorded = all.contains(&file.with_extension("sqlite").as_path());
        let purpose = if is_recorded {
            "resume, or see the result"
        } else {
            "play"
        };
        let line = format!("{name} {command} {}", path_word(file));
        rows.push(vec![line, purpose.to_owned()]);
    }
    if let [(file, _)] = configs.as_slice() {
        let line = format!("{name} doctor {}", path_word(file));
        rows.push(vec![line, "examine its players".to_owned()]);
    }
    for file in records {
        let line = format!("{name} report {} --list", path_word(file));
        rows.push(vec![line, "list its runs".to_owned()]);
    }
    if !records.is_empty() {
        let words = records.iter().map(|file| path_word(file));
        let line = format!("{name} serve {}", words.collect::<Vec<_>>().join(" "));
        rows.push(vec![line, "show them in a browser".to_owned()]);
    }
    (!rows.is_empty()).then(|| {
        format!(
            "In this folder:\n{}\n\n`{name} --help` lists all commands.",
            aligned("  ", &rows, 1, |_| true, Room::Unlimited)
        )
    })
}

/// The command that plays a config; `None` for another file.
fn command_for(file: &Path) -> Option<&'static str> {
    let text = file
        .is_file()
        .then(|| read_text(file, LARGEST).ok())
        .flatten()?;
    let table: toml::Table = text.parse().ok()?;
    if !table.contains_key("game") {
        return None;
    }
    let own = COMMANDS.iter().find(|(key, _)| table.contains_key(*key));
    Some(own.map_or("run", |(_, command)| command))
}
