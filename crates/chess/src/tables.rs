//! Syzygy endgame tables: the result of a position, from the files `*.rtbw`.
//!
//! They are probed only right after a capture or a pawn move, and without castling rights: then
//! their result is exact, including the 50-move rule, and no other file is needed.
//!
//! Facts about the format are from `tbprobe.c` of Fathom (MIT license, by Ronald de Man, basil00,
//! Jon Dart), <https://github.com/jdart1/Fathom>; the code is our own. It checks every number from a
//! file before its use. Only the published checksum reveals wrong bytes that form valid codes.

mod file;
mod material;
mod numbering;
mod pairs;

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use cozy_chess::{Board, Color, Piece};
use sha2::{Digest, Sha256};

use super::board::{Chess, side};
use super::rules::{ChessRules, Draws};
use file::Table;
use leitai_base::count::count;
use leitai_base::foreign::shown_path;
use leitai_game::card::{AnyPosition, Rules, TableOptions, Tables, typed};
use leitai_game::{Cause, Verdict};
use material::{MAX_PIECES, Material};

/// Values of a position for the side to move. 1 and −1 are wins and losses that the 50-move rule makes
/// draws.
const LOSS: i8 = -2;
const DRAW: i8 = 0;
const WIN: i8 = 2;

/// Checks and opens the tables of some folders.
pub(super) fn open(options: &TableOptions<'_>) -> Result<Box<dyn Tables>, String> {
    let limit = options.pieces.unwrap_or(MAX_PIECES).min(MAX_PIECES);
    let mut found = BTreeMap::new();
    for folder in options.folders {
        scan_folder(folder, limit, &mut found)?;
    }
    let mut hasher = Sha256::new();
    for (name, table) in &found {
        hasher.update(name.as_bytes());
        hasher.update(table.checksum);
    }
    let mut digest = String::new();
    for byte in hasher.finalize() {
        let _ = write!(digest, "{byte:02x}");
    }
    let files = found.len() as u64;
    let tables = found.into_values().map(|table| (table.material, table));
    let tables: BTreeMap<_, _> = tables.collect();
    let Some(pieces) = tables.keys().map(|material| material.pieces()).max() else {
        return Err(no_tables(options.folders, limit));
    };
    Ok(Box::new(Syzygy {
        digest,
        files,
        pieces,
        fifty: options.fifty,
        tables,
    }))
}

#[derive(Debug)]
struct Syzygy {
    digest: String,
    files: u64,
    /// The number of pieces in the largest table.
    pieces: u32,
    fifty: bool,
    tables: BTreeMap<Material, Table>,
}

impl Syzygy {
    /// The value of a position; `None` if the tables do not have it.
    fn value(&self, position: &Chess) -> Option<i8> {
        let board = &position.board;
        let is_known =
            position.clock == 0 && board.occupied().len() <= self.pieces && !may_castle(board);
        is_known.then(|| self.best(board, LOSS, WIN)).flatten()
    }

    /// The value of a board within these bounds: the maximum over captures and the table. The table
    /// ignores en passant, and its value may be too low if a capture is the best move.
    fn best(&self, board: &Board, mut least: i8, most: i8) -> Option<i8> {
        let others = board.colors(!board.side_to_move());
        let mut captures = Vec::new();
        let mut has_others = false;
        board.generate_moves(|moves| {
            for mv in moves {
                let is_pawn = moves.piece == Piece::Pawn;
                let takes = others.has(mv.to);
                let passes = is_pawn && !takes && mv.from.file() != mv.to.file();
                has_others |= !passes;
                if takes || passes {
                    captures.push(mv);
                }
            }
            false
        });
        for &mv in &captures {
            let mut after = board.clone();
            after.play_unchecked(mv);
            least = least.max(-self.best(&after, -most, -least)?);
            if least >= most {
                return Some(least);
            }
        }
        // The table takes a position with no moves except en passant for mate or stalemate.
        if captures.is_empty() || has_others {
            least = least.max(self.stored(board)?);
        }
        Some(least)
    }

    /// The value of a board in its table.
    fn stored(&self, board: &Board) -> Option<i8> {
        let material = Material::of_board(board);
        if material.pieces() == 2 {
            return Some(DRAW);
        }
        let value = match self.tables.get(&material) {
            Some(table) => table.value(board, false),
            None => self.tables.get(&material.flipped())?.value(board, true),
        };
        value.map(|value| value as i8 + LOSS)
    }
}

fn may_castle(board: &Board) -> bool {
    Color::ALL.into_iter().any(|color| {
        let rights = board.castle_rights(color);
        rights.short.is_some() || rights.long.is_some()
    })
}

impl Tables for Syzygy {
    fn digest(&self) -> &str {
        &self.digest
    }

    fn summary(&self) -> String {
        format!(
            "{} of endgames, of up to {} pieces",
            count(self.files, "table", "tables"),
            self.pieces
        )
    }

    fn failure(&self) -> Option<String> {
        let mut failures = self.tables.values().filter_map(|table| table.failure.get());
        failures.next().cloned()
    }

    fn verdict(&self, position: &dyn AnyPosition, rules: &Rules) -> Option<Verdict> {
        let position = typed::<Chess>(position)?;
        let mover = side(position.board.side_to_move());
        let value = self.value(position)?;
        let winner = match value.cmp(&DRAW) {
            Ordering::Greater => Some(mover),
            Ordering::Equal => None,
            Ordering::Less => Some(mover.other()),
        };
        let is_slow = value.abs() < WIN;
        let cause = Cause::TablebaseAdjudication;
        match (
            winner,
            is_slow && self.fifty,
            rules.typed::<ChessRules>().draws,
        ) {
            (Some(winner), false, _) => Some(Verdict::win(winner, cause)),
            (None, ..) | (_, true, Draws::Claimed) => Some(Verdict::draw(cause)),
            // Unknown: the tables do not show whether the win takes less than 75 moves.
            (Some(_), true, Draws::Forced) => None,
        }
    }
}

/// Opens the tables of a folder with at most `limit` pieces; skips tables that are in `found`.
fn scan_folder(
    folder: &Path,
    limit: u32,
    found: &mut BTreeMap<String, Table>,
) -> Result<(), String> {
    let cannot = |error| format!("cannot read the folder `{}`: {error}", shown_path(folder));
    for entry in fs::read_dir(folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        let Some(name) = path.file_stem().and_then(|stem| stem.to_str()) else {
            continue;
        };
        let material = Material::of_name(name).filter(|material| material.pieces() <= limit);
        let is_table = path.extension().is_some_and(|kind| kind == "rtbw");
        if let Some(material) = material.filter(|_| is_table && !found.contains_key(name)) {
            let table = Table::open(&path, material).map_err(|damage| {
                format!(
                    "`{}` is damaged: {damage}\nhelp: fetch the file again, or remove it",
                    shown_path(&path)
                )
            })?;
            found.insert(name.to_owned(), table);
        }
    }
    Ok(())
}

fn no_tables(folders: &[PathBuf], limit: u32) -> String {
    let names: Vec<String> = folders
        .iter()
        .map(|folder| format!("`{}`", shown_path(folder)))
        .collect();
    let least = if limit < MAX_PIECES {
        format!(" of up to {limit} pieces")
    } else {
        String::new()
    };
    format!(
        "there are no Syzygy tables{least} in {}: no file such as KQvK.rtbw\n\
         help: name the folder with the files themselves, or remove `[adjudication.syzygy]`",
        names.join(", ")
    )
}

#[cfg(test)]
mod tests;
