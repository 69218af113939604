//! Syzygy endgame tables, read by the crate pyrrhic-rs: the result of a position, from the files
//! `*.rtbw`.
//!
//! They are probed only right after a capture or a pawn move, and without castling rights: then
//! their result is exact, including the 50-move rule, and no other file is needed.
//!
//! The crate trusts the contents of its files, and has one open set of them per process. So the
//! length and the header of every file are checked before the crate opens it, and all probes wait
//! for one lock. Remaining risks are wrong bytes within a file, which only its published checksum
//! would show, and a file that is overwritten or truncated while it is mapped into memory.

mod adapter;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use cozy_chess::{Board, Color, Piece, get_king_moves};
use pyrrhic_rs::{TBError, TableBases, WdlProbeResult};
use sha2::{Digest, Sha256};

use super::board::{Chess, passed_square, side};
use super::rules::{ChessRules, Draws};
use adapter::Moves;
use leitai_base::count::count;
use leitai_base::foreign::shown_path;
use leitai_base::threads::lock;
use leitai_game::card::{AnyPosition, Rules, TableOptions, Tables, typed};
use leitai_game::{Cause, Verdict};

/// Maximum number of pieces in existing tables.
const MAX_PIECES: u32 = 7;
/// The first bytes of a table of wins, draws and losses.
const MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];
/// Bytes of the checksum at the end, after blocks that begin at multiples of 64.
const CHECKSUM_BYTES: u64 = 16;

/// The tables opened by the crate, with the number of their users.
static OPEN: Mutex<Option<Open>> = Mutex::new(None);

struct Open {
    path: String,
    users: usize,
    bases: TableBases<Moves>,
}

/// Checks and opens the tables of some folders.
pub(super) fn open(options: &TableOptions<'_>) -> Result<Box<dyn Tables>, String> {
    let limit = options.pieces.unwrap_or(MAX_PIECES).min(MAX_PIECES);
    let path = joined(options.folders)?;
    let mut found = BTreeMap::new();
    for folder in options.folders {
        scan_folder(folder, limit, &mut found)?;
    }
    let Some(pieces) = found.values().map(|(pieces, _)| *pieces).max() else {
        return Err(no_tables(options.folders, limit));
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
    Ok(Box::new(Syzygy {
        digest,
        files: found.len() as u64,
        pieces,
        fifty: options.fifty,
    }))
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
    fn result(&self, position: &Chess) -> Option<WdlProbeResult> {
        let board = &position.board;
        if position.clock != 0
            || board.occupied().len() > self.pieces
            || may_castle(board)
            || are_side_by_side(board)
        {
            return None;
        }
        let pieces = |piece| board.pieces(piece).0;
        let en_passant = position
            .passed
            .map_or(0, |file| passed_square(board, file) as u32);
        let open = lock(&OPEN);
        let probed = open.as_ref()?.bases.probe_wdl(
            board.colors(Color::White).0,
            board.colors(Color::Black).0,
            pieces(Piece::King),
            pieces(Piece::Queen),
            pieces(Piece::Rook),
            pieces(Piece::Bishop),
            pieces(Piece::Knight),
            pieces(Piece::Pawn),
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
        let mut open = lock(&OPEN);
        if let Some(sets) = open.as_mut() {
            sets.users -= 1;
            if sets.users == 0 {
                *open = None;
            }
        }
    }
}

/// Opens the files in the crate, or reuses the open ones.
fn acquire(path: String) -> Result<(), String> {
    let mut open = lock(&OPEN);
    match open.as_mut() {
        Some(sets) if sets.path == path => sets.users += 1,
        Some(sets) => {
            return Err(format!(
                "the tables of `{}` are in use, and a process can open one set of tables only",
                sets.path
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

/// Collects pieces and checksums of the tables in a folder that are not in `found` yet. All tables
/// must have a possible length, as the crate demands; those of at most `limit` pieces must also
/// have the header of their name.
fn scan_folder(
    folder: &Path,
    limit: u32,
    found: &mut BTreeMap<String, (u32, [u8; 16])>,
) -> Result<(), String> {
    let cannot = |error| format!("cannot read the folder `{}`: {error}", shown_path(folder));
    for entry in fs::read_dir(folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        let kind = path.extension().and_then(|kind| kind.to_str());
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        let (Some(kind @ ("rtbw" | "rtbm" | "rtbz")), Some(name)) = (kind, stem) else {
            continue;
        };
        let Some(pieces) = piece_count(name) else {
            continue;
        };
        let is_used = kind == "rtbw" && pieces <= limit;
        if is_used && found.contains_key(name) {
            continue;
        }
        let checksum = read_checksum(&path, is_used.then_some(name)).map_err(|damage| {
            format!(
                "`{}` is damaged: {damage}\nhelp: fetch the file again, or remove it",
                shown_path(&path)
            )
        })?;
        if is_used {
            found.insert(name.to_owned(), (pieces, checksum));
        }
    }
    Ok(())
}

/// The number of pieces of a table's name such as `KQPvKR`; `None` if no table has the name.
fn piece_count(name: &str) -> Option<u32> {
    let (white, black) = name.split_once('v')?;
    let is_side = |side: &str| {
        let others = side.strip_prefix('K');
        others.is_some_and(|others| others.chars().all(|piece| "QRBNP".contains(piece)))
    };
    let pieces = name.len() as u32 - 1;
    let is_table = is_side(white) && is_side(black) && (3..=MAX_PIECES).contains(&pieces);
    is_table.then_some(pieces)
}

/// Checks the length of a file, and its header if it has the table of a name, and returns its
/// checksum.
fn read_checksum(path: &Path, name: Option<&str>) -> Result<[u8; 16], String> {
    let unreadable = |error: io::Error| format!("it cannot be read: {error}");
    let mut file = File::open(path).map_err(unreadable)?;
    let length = file.metadata().map_err(unreadable)?.len();
    if length % 64 != CHECKSUM_BYTES || length == CHECKSUM_BYTES {
        return Err(format!("no table has a length of {length} bytes"));
    }
    let mut header = [0; 5];
    file.read_exact(&mut header).map_err(unreadable)?;
    if let Some(name) = name {
        let [magic @ .., flags] = header;
        if magic != MAGIC {
            return Err("it is not a Syzygy table of wins and draws".to_owned());
        }
        let is_symmetric = name
            .split_once('v')
            .is_some_and(|(one, other)| one == other);
        if (flags & 1 == 0) != is_symmetric || (flags & 2 != 0) != name.contains('P') {
            return Err("it is the table of other pieces".to_owned());
        }
    }
    let mut checksum = [0; CHECKSUM_BYTES as usize];
    file.seek(SeekFrom::End(-(CHECKSUM_BYTES as i64)))
        .and_then(|_| file.read_exact(&mut checksum))
        .map_err(unreadable)?;
    Ok(checksum)
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
         help: name the folder that has the files themselves, or remove `[adjudication.syzygy]`",
        names.join(", ")
    )
}
