//! Games of a human player, separate from all runs: no statistic counts them.

use rusqlite::params;
use sha2::{Digest, Sha256};

use super::begin::now_ms;
use super::connection::execute;
use super::{Result, Store};

const KEEP: &str = "\
    INSERT INTO human_game (game, pgn, played_at, digest) VALUES (?1, ?2, ?3, ?4)";
const ALL: &str = "SELECT game, pgn, digest FROM human_game ORDER BY key";

fn digest(game: &str, pgn: &str) -> [u8; 32] {
    Sha256::digest(format!("{game}\0{pgn}")).into()
}

impl Store {
    /// Records a game with that name, as PGN.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn record_human_game(&self, game: &str, pgn: &str) -> Result<()> {
        let row = params![game, pgn, now_ms(), digest(game, pgn)];
        self.write(|tx| execute(tx, KEEP, row).map(drop))
    }

    /// Returns the recorded games in order: name of the game, and PGN.
    ///
    /// # Errors
    /// The file cannot be read, or a game is damaged.
    pub fn human_games(&self) -> Result<Vec<(String, String)>> {
        let rows = self.rows(ALL, [], |row| {
            let (game, pgn): (String, String) = (row.get(0)?, row.get(1)?);
            let kept: Vec<u8> = row.get(2)?;
            Ok((kept == digest(&game, &pgn)).then_some((game, pgn)))
        })?;
        let all: Option<Vec<_>> = rows.into_iter().collect();
        all.ok_or_else(|| self.damaged("a game of a human player differs from its digest"))
    }
}
