//! Endgame tables: their answers, and checks of every file.

use std::fs;
use std::path::{Path, PathBuf};

use cozy_chess::{Color, Piece};
use leitai_base::settings::Settings;
use leitai_game::card::{GameCard, OpenTables, Rules, TableOptions};
use leitai_game::{Cause, Side, Verdict};
use tempfile::TempDir;

use crate::common::syzygy::{
    BLESSED_LOSS, CURSED_WIN, DRAW, LOSS, WIN, board, constant, write, write_all,
};

fn card() -> &'static dyn GameCard {
    leitai_games::all().named("chess").expect("chess")
}

fn folder() -> TempDir {
    TempDir::new().expect("a folder")
}

fn open_with(folder: &Path, pieces: Option<u32>, fifty: bool) -> Result<OpenTables, String> {
    let folders = [folder.to_owned()];
    card().tables(&TableOptions {
        folders: &folders,
        pieces,
        fifty,
    })
}

fn open(folder: &Path) -> OpenTables {
    open_with(folder, None, true).expect("tables")
}

fn ask_by(tables: &OpenTables, fen: &str, rules: &Rules) -> Option<Verdict> {
    let position = card().read(fen).expect("a position");
    tables.verdict(&*position, rules)
}

fn ask(tables: &OpenTables, fen: &str) -> Option<Verdict> {
    ask_by(tables, fen, &card().rules())
}

fn forced() -> Rules {
    let mut rules = card().rules();
    let place = rules.list().iter().position(|rule| rule.name == "draws");
    rules.set(place.expect("the rule"), 1);
    rules
}

const CAUSE: Cause = Cause::TablebaseAdjudication;

#[test]
fn tables_give_the_winner_right_after_a_capture() {
    let folder = folder();
    write_all(folder.path());
    let tables = open(folder.path());
    assert_eq!(tables.summary(), "4 tables of endgames, of up to 3 pieces");
    let white = Some(Verdict::win(Side::First, CAUSE));
    let black = Some(Verdict::win(Side::Second, CAUSE));
    let draw = Some(Verdict::draw(CAUSE));
    for (fen, verdict) in [
        ("8/8/8/4k3/8/8/8/KQ6 w - - 0 60", white),
        ("8/8/8/4k3/8/8/8/KQ6 b - - 0 60", white),
        ("8/8/8/4K3/8/8/8/kr6 w - - 0 60", black),
        ("8/8/8/4K3/8/8/8/kr6 b - - 0 60", black),
        // The king captures the piece, or cannot.
        ("8/8/8/8/8/1qK5/8/7k w - - 0 60", draw),
        ("8/8/8/8/8/1qK5/k7/8 w - - 0 60", black),
        ("8/8/8/8/8/2K5/1q6/k7 w - - 0 60", black),
        // Stalemate.
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 60", draw),
        ("7k/5R2/6K1/8/8/8/8/8 b - - 0 60", white),
        ("8/8/8/4k3/8/8/8/KB6 w - - 0 60", draw),
        // Bare kings need no table.
        ("8/8/8/4k3/8/8/8/K7 w - - 0 60", draw),
        // Not after a capture; no table for four pieces; no table for a pawn.
        ("8/8/8/4k3/8/8/8/KQ6 w - - 1 60", None),
        ("8/8/8/4k3/8/8/8/KQR5 w - - 0 60", None),
        ("8/8/8/4k3/8/8/P7/K7 w - - 0 60", None),
        // Adjacent kings are no legal position, but a query must not fail.
        ("8/8/8/8/8/8/1Kk5/Q7 b - - 0 60", None),
        // Tables contain no castling rights.
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 60", None),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 60", white),
    ] {
        match (card().read(fen), verdict) {
            (Ok(position), verdict) => {
                let told = tables.verdict(&*position, &card().rules());
                assert_eq!(told, verdict, "{fen}");
            }
            (Err(_), None) => {}
            (Err(error), Some(_)) => panic!("{error}"),
        }
    }
}

#[test]
fn every_position_of_a_queen_or_a_rook_is_right() {
    let folder = folder();
    write_all(folder.path());
    is_right(&open(folder.path()));
}

/// Checks that the bare king is lost unless it captures the piece or is stalemated.
fn is_right(tables: &OpenTables) {
    let mut asked = [0; 2];
    for piece in [Piece::Queen, Piece::Rook] {
        for number in (0..64 * 64 * 64).step_by(11) {
            let squares = [number / 4096, number / 64 % 64, number % 64];
            let Some(board) = board(piece, squares, Color::Black) else {
                continue;
            };
            let (mut takes, mut moves) = (false, 0);
            board.generate_moves(|list| {
                takes |= list
                    .into_iter()
                    .any(|mv| board.piece_on(mv.to) == Some(piece));
                moves += list.len();
                false
            });
            let is_saved = takes || (moves == 0 && board.checkers().is_empty());
            let verdict = if is_saved {
                Verdict::draw(CAUSE)
            } else {
                Verdict::win(Side::First, CAUSE)
            };
            asked[usize::from(is_saved)] += 1;
            assert_eq!(ask(tables, &board.to_string()), Some(verdict), "{board}");
        }
    }
    assert!(asked[0] > 20_000 && asked[1] > 300, "{asked:?}");
}

#[test]
fn a_win_that_takes_too_long_is_a_draw_if_moves_count() {
    let folder = folder();
    write(
        folder.path(),
        "KQvK",
        &constant(*b"KQvK", [CURSED_WIN, BLESSED_LOSS]),
    );
    write(folder.path(), "KRvK", &constant(*b"KRvK", [WIN, LOSS]));
    write(
        folder.path(),
        "KPvK",
        &constant(*b"KPvK", [CURSED_WIN, BLESSED_LOSS]),
    );
    let white = Some(Verdict::win(Side::First, CAUSE));
    let draw = Some(Verdict::draw(CAUSE));
    for piece in ['Q', 'P'] {
        for mover in ['w', 'b'] {
            let fen = format!("8/8/8/4k3/8/{piece}7/K7/8 {mover} - - 0 60");
            let tables = open(folder.path());
            assert_eq!(ask(&tables, &fen), draw, "{fen}");
            // Under the 75-move rule the position may be won: the tables do not decide.
            assert_eq!(ask_by(&tables, &fen, &forced()), None, "{fen}");
            drop(tables);
            let tables = open_with(folder.path(), None, false).expect("tables");
            assert_eq!(ask(&tables, &fen), white, "{fen}");
            assert_eq!(ask_by(&tables, &fen, &forced()), white, "{fen}");
        }
    }
    let tables = open(folder.path());
    let rook = "8/8/8/4k3/8/8/8/KR6 w - - 0 60";
    assert_eq!(ask(&tables, rook), white);
    assert_eq!(ask_by(&tables, rook, &forced()), white);
}

#[test]
fn the_digest_distinguishes_tables_by_content() {
    let [one, other] = [folder(), folder()];
    write_all(one.path());
    write_all(other.path());
    let digest = open(one.path()).digest().to_owned();
    // Records of earlier builds have this hash of names and checksums.
    assert_eq!(
        digest,
        "c8b34f18eb50ad5156bac61f6847a07febab804f6b1e2eec7461e485c6169dbc"
    );
    assert_eq!(open(other.path()).digest(), digest);
    assert_eq!(
        open_with(other.path(), Some(3), true)
            .expect("tables")
            .digest(),
        digest
    );
    // Other files in the folder do not matter; a table with other values does.
    fs::write(other.path().join("readme.txt"), "tables").expect("written");
    assert_eq!(open(other.path()).digest(), digest);
    write(other.path(), "KNvK", &constant(*b"KNvK", [WIN, LOSS]));
    assert_ne!(open(other.path()).digest(), digest);
}

#[test]
fn several_sets_are_open_at_a_time() {
    let [one, other] = [folder(), folder()];
    write_all(one.path());
    write(other.path(), "KQvK", &constant(*b"KQvK", [DRAW, DRAW]));
    let first = open(one.path());
    let second = open(one.path());
    let third = open(other.path());
    drop(first);
    let queen = "8/8/8/4k3/8/8/8/KQ6 w - - 0 60";
    assert_eq!(ask(&second, queen), Some(Verdict::win(Side::First, CAUSE)));
    assert_eq!(ask(&third, queen), Some(Verdict::draw(CAUSE)));
}

#[test]
fn the_first_folder_with_a_table_counts() {
    let [one, other] = [folder(), folder()];
    let odd = one.path().join(if cfg!(windows) { "a;b" } else { "a:b" });
    fs::create_dir(&odd).expect("made");
    write(&odd, "KQvK", &constant(*b"KQvK", [DRAW, DRAW]));
    write_all(other.path());
    let folders = [odd, other.path().to_owned()];
    let tables = card().tables(&TableOptions {
        folders: &folders,
        pieces: None,
        fifty: true,
    });
    let tables = tables.expect("tables");
    let draw = Some(Verdict::draw(CAUSE));
    assert_eq!(ask(&tables, "8/8/8/4k3/8/8/8/KQ6 w - - 0 60"), draw);
    let win = Some(Verdict::win(Side::First, CAUSE));
    assert_eq!(ask(&tables, "8/8/8/4k3/8/8/8/KR6 w - - 0 60"), win);
}

#[test]
fn a_folder_without_tables_is_named() {
    let folder = folder();
    let error = open_with(folder.path(), Some(5), true).expect_err("there are none");
    assert!(
        error.contains("no Syzygy tables of up to 5 pieces") && error.contains("KQvK.rtbw"),
        "{error}"
    );
    let missing = folder.path().join("nowhere");
    let error = open_with(&missing, None, true).expect_err("it is not there");
    assert!(error.contains("nowhere"), "{error}");
}

/// A folder with one file of these bytes, next to a valid one.
fn with_file(bytes: &[u8]) -> (TempDir, Result<OpenTables, String>) {
    let folder = folder();
    write(folder.path(), "KRvK", &constant(*b"KRvK", [WIN, LOSS]));
    write(folder.path(), "KQvK", bytes);
    let opened = open_with(folder.path(), None, true);
    (folder, opened)
}

fn queens() -> Vec<u8> {
    let folder = folder();
    write_all(folder.path());
    fs::read(folder.path().join("KQvK.rtbw")).expect("a table")
}

#[test]
fn a_damaged_file_is_refused_by_name() {
    let sound = queens();
    assert!(with_file(&sound).1.is_ok());
    let changed = |at: usize, byte: u8| {
        let mut bytes = sound.clone();
        bytes[at] = byte;
        bytes
    };
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (Vec::new(), "length of 0 bytes"),
        (sound[..16].to_vec(), "length of 16 bytes"),
        (sound[..sound.len() - 1].to_vec(), "length of"),
        (constant(*b"KPvK", [WIN, LOSS]), "pieces of its name"),
        (changed(0, 0), "not a Syzygy table"),
        // A table for one side only would leave the other without any.
        (changed(4, 0x30), "pieces of its name"),
        (changed(6, 0x44), "header"),
        (changed(5, 0x10), "header"),
    ];
    for (bytes, what) in cases {
        let error = with_file(&bytes).1.expect_err(what);
        assert!(
            error.contains("KQvK.rtbw") && error.contains(what) && error.contains("help: "),
            "{what}: {error}"
        );
    }
}

#[test]
fn files_that_are_not_asked_are_not_read() {
    let folder = folder();
    write_all(folder.path());
    fs::write(folder.path().join("KQvK.rtbz"), [0; 81]).expect("written");
    fs::write(folder.path().join("KQRvK.rtbw"), [0; 80]).expect("written");
    let tables = open_with(folder.path(), Some(3), true).expect("tables");
    assert_eq!(tables.summary(), "4 tables of endgames, of up to 3 pieces");
    let error = open_with(folder.path(), None, true).expect_err("it is asked now");
    assert!(error.contains("KQRvK.rtbw"), "{error}");
}

/// The path of real tables, if the user has some: `LEITAI_TEST_SYZYGY`.
fn real() -> Option<PathBuf> {
    std::env::var_os("LEITAI_TEST_SYZYGY").map(PathBuf::from)
}

#[test]
fn real_tables_are_sound() {
    let Some(folder) = real() else {
        eprintln!("left out: LEITAI_TEST_SYZYGY names no folder with Syzygy tables");
        return;
    };
    let tables = open(&folder);
    eprintln!("{}", tables.summary());
    is_right(&tables);
}
