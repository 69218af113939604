//! Opens endgame tables.

use std::path::{Path, PathBuf};

use anyhow::anyhow;

use super::Failure;
use leitai_config::{Adjudication, Config, EndgameTables};
use leitai_game::card::{GameCard, OpenTables, TableOptions};

/// Opens the tables that a config names, and stores their identity.
///
/// # Errors
/// The directories contain no tables, or one of them is damaged.
pub fn open(config: &mut Config) -> Result<(), Failure> {
    let card = config.game.card;
    let Some(tables) = &mut config.adjudication.syzygy else {
        return Ok(());
    };
    if !tables.opened.are_there() {
        let opened = opened(card, tables, &tables.folders).map_err(|error| anyhow!(error))?;
        tables.found = Some(opened.digest().to_owned());
        tables.opened = opened;
    }
    Ok(())
}

/// Reopens the tables of a recorded run, whose config had that name and is not read again.
///
/// # Errors
/// The tables are missing, or differ: the reason.
pub fn reopen(
    card: &'static dyn GameCard,
    adjudication: &Adjudication,
    config_name: &str,
) -> Result<Option<OpenTables>, String> {
    let Some(tables) = &adjudication.syzygy else {
        return Ok(None);
    };
    let beside = Path::new(config_name).parent().unwrap_or(Path::new(""));
    let find = |folder: &PathBuf| {
        let near = beside.join(folder);
        if near.is_dir() { near } else { folder.clone() }
    };
    let folders: Vec<PathBuf> = tables.folders.iter().map(find).collect();
    let opened = opened(card, tables, &folders)?;
    if tables.found.as_deref() == Some(opened.digest()) {
        Ok(Some(opened))
    } else {
        Err("the endgame tables differ from those with which the run was played".to_owned())
    }
}

fn opened(
    card: &'static dyn GameCard,
    tables: &EndgameTables,
    folders: &[PathBuf],
) -> Result<OpenTables, String> {
    card.tables(&TableOptions {
        folders,
        pieces: tables.pieces,
        fifty: tables.fifty,
    })
}
