//! Syzygy endgame tables, read by the crate pyrrhic-rs: the result of a position, from the files
//! `*.rtbw`.
//!
//! They are probed only right after a capture or a pawn move, and without castling rights: then
//! their result is exact, including the 50-move rule, and no other file is needed.
//!
//! The crate trusts the contents of its files, and has one open set of them per process. So
//! [`check`] examines every file before the crate opens it, and all probes wait for one lock. A
//! remaining risk is a file that is overwritten or truncated while in use, because it is mapped
//! into memory.

mod adapter;
mod blocks;
mod check;
mod header;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use cozy_chess::{Board, Color, Piece, get_king_moves};
use pyrrhic_rs::{TBError, TableBases, WdlProbeResult};
use sha2::{Digest, Sha256};

use super::board::{Chess, passed_square, side};
use super::rules::{ChessRules, Draws};
use adapter::Moves;
use header::Material;
use leitai_base::count::count;
use leitai_base::foreign::shown_path;
use leitai_game::card::{AnyPosition, Rules, TableOptions, Tables, typed};
use leitai_game::{Cause, Verdict};

/// Maximum number of pieces in existing tables.
const MOST_PIECES: u32 = 7;

/// The tables opened by the crate, with the number of their users.
static OPEN: Mutex<Option<Open>> = Mutex::new(None);

struct Open {
    path: String,
    users: usize,
    bases: TableBases<Moves>,
}

fn open() -> MutexGuard<'static, Option<Open>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Checks and opens the tables of some folders.
pub(super) fn opened(options: &TableOptions<'_>) -> Result<Box<dyn Tables>, String> {
    Ok(Box::new(Syzygy::open(options)?))
}

#[derive(Debug)]
struct Syzygy {
    digest: String,
    files: u64,
    /// Maximum number of pieces for a probe.
    pieces: u32,
    fifty: bool,
}

impl Syzygy {
    /// Checks the files and opens them.
    fn open(options: &TableOptions<'_>) -> Result<Self, String> {
        let limit = options.pieces.unwrap_or(MOST_PIECES).min(MOST_PIECES);
        let path = joined(options.folders)?;
        let mut found = BTreeMap::new();
        for folder in options.folders {
            look_through(folder, limit, &mut found)?;
        }
        let Some(pieces) = found.values().map(|(pieces, _)| *pieces).max() else {
            return Err(none_there(options.folders, limit));
        };
        let mut hasher = Sha256::new();
        for (name, (_, checksum)) in &found {
            hasher.update(name.as_bytes());
            hasher.update(checksum);
        }
        let mut digest = String::new();
        for byte in hasher.finalize() {
            let _ = write!(digest, "{byte:02x}");
        }
        acquire(path)?;
        Ok(Self {
            digest,
            files: found.len() as u64,
            pieces,
            fifty: options.fifty,
        })
    }

    fn result(&self, position: &Chess) -> Option<WdlProbeResult> {
        let board = &position.board;
        if position.clock != 0
            || board.occupied().len() > self.pieces
            || may_castle(board)
            || are_side_by_side(board)
        {
            return None;
        }
        let of = |piece| board.pieces(piece).0;
        let en_passant = position
            .passed
            .map_or(0, |file| passed_square(board, file) as u32);
        let open = open();
        let probed = open.as_ref()?.bases.probe_wdl(
            board.colors(Color::White).0,
            board.colors(Color::Black).0,
            of(Piece::King),
            of(Piece::Queen),
            of(Piece::Rook),
            of(Piece::Bishop),
            of(Piece::Knight),
            of(Piece::Pawn),
            en_passant,
            board.side_to_move() == Color::White,
        );
        probed.ok()
    }
}

fn may_castle(board: &Board) -> bool {
    Color::ALL.into_iter().any(|color| {
        let rights = board.castle_rights(color);
        rights.short.is_some() || rights.long.is_some()
    })
}

/// Returns whether one king could capture the other: the crate would make that move and look for
/// the missing king.
fn are_side_by_side(board: &Board) -> bool {
    let [white, black] = [Color::White, Color::Black].map(|color| board.king(color));
    get_king_moves(white).has(black)
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

    fn verdict(&self, position: &dyn AnyPosition, rules: &Rules) -> Option<Verdict> {
        let position = typed::<Chess>(position)?;
        let mover = side(position.board.side_to_move());
        let (winner, is_slow) = match self.result(position)? {
            WdlProbeResult::Win => (Some(mover), false),
            WdlProbeResult::CursedWin => (Some(mover), true),
            WdlProbeResult::Draw => (None, false),
            WdlProbeResult::BlessedLoss => (Some(mover.other()), true),
            WdlProbeResult::Loss => (Some(mover.other()), false),
        };
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

impl Drop for Syzygy {
    fn drop(&mut self) {
        let mut open = open();
        if let Some(there) = open.as_mut() {
            there.users -= 1;
            if there.users == 0 {
                *open = None;
            }
        }
    }
}

/// Opens the files in the crate, or reuses the open ones.
fn acquire(path: String) -> Result<(), String> {
    let mut open = open();
    match open.as_mut() {
        Some(there) if there.path == path => there.users += 1,
        Some(there) => {
            return Err(format!(
                "tables of `{}` are in use, and no others can be opened beside them",
                there.path
            ));
        }
        None => {
            let bases = TableBases::new(&path).map_err(|error| match error {
                TBError::AlreadyInitialized => "other tables are in use".to_owned(),
                _ => format!("the tables in `{path}` cannot be opened"),
            })?;
            let users = 1;
            *open = Some(Open { path, users, bases });
        }
    }
    Ok(())
}

/// The folders in the crate's notation: a colon ends a name.
fn joined(folders: &[PathBuf]) -> Result<String, String> {
    let mut names = Vec::new();
    for folder in folders {
        match folder.to_str() {
            Some(name) if !name.is_empty() && !name.contains([':', '\0']) => names.push(name),
            _ => {
                return Err(format!(
                    "`{}` cannot be read: the name of a folder with tables must be UTF-8 without \
                     a colon\nhelp: name it by a relative path",
                    shown_path(folder)
                ));
            }
        }
    }
    Ok(names.join(":"))
}

/// Collects pieces and checksums of the tables in a folder that are not in `found` yet. Tables of
/// at most `limit` pieces must be undamaged.
fn look_through(
    folder: &Path,
    limit: u32,
    found: &mut BTreeMap<String, (u32, [u8; 16])>,
) -> Result<(), String> {
    let cannot = |error| format!("cannot read the folder `{}`: {error}", shown_path(folder));
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(cannot)? {
        paths.push(entry.map_err(cannot)?.path());
    }
    paths.sort();
    for path in paths {
        let kind = path.extension().and_then(|kind| kind.to_str());
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        let (Some(kind @ ("rtbw" | "rtbm" | "rtbz")), Some(name)) = (kind, stem) else {
            continue;
        };
        let Some(material) = Material::of(name) else {
            continue;
        };
        let is_wanted = kind == "rtbw" && material.pieces() <= limit;
        if is_wanted && found.contains_key(name) {
            continue;
        }
        let damaged = |what| {
            format!(
                "`{}` is damaged: {what}\nhelp: fetch the file again, or remove it",
                shown_path(&path)
            )
        };
        if is_wanted {
            let checksum = check::check(&path, &material).map_err(damaged)?;
            found.insert(name.to_owned(), (material.pieces(), checksum));
        } else {
            check::check_length(&path).map_err(damaged)?;
        }
    }
    Ok(())
}

fn none_there(folders: &[PathBuf], limit: u32) -> String {
    let names: Vec<String> = folders
        .iter()
        .map(|folder| format!("`{}`", shown_path(folder)))
        .collect();
    let least = if limit < MOST_PIECES {
        format!(" of up to {limit} pieces")
    } else {
        String::new()
    };
    format!(
        "there are no Syzygy tables{least} in {}: no file such as KQvK.rtbw\n\
         help: name the folder that has the files themselves, or remove `[adjudication.syzygy]`",
        names.join(", ")
    )
}
