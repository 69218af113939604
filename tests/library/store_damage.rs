//! Records that were truncated, overwritten or separated from their log.

use std::os::unix::fs::{FileExt, symlink};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{fs, thread};

use crate::common::records::{
    MODES, all, book, contents, meta, openings, place, recorded, refused_with, sample, sized,
};
use leitai_runs::store::{LockTimeout, Mode, SCHEMA_VERSION, Store, StoreError, StoreProblem};

#[test]
fn a_truncated_record_is_refused_at_whatever_length() {
    let (_folder, path) = place();
    drop(recorded(&path, 40));
    let whole = fs::read(&path).unwrap();
    let pages = (1..whole.len() / 4096).map(|page| page * 4096);
    let odd = (1..whole.len()).step_by(1_777);
    let lengths: Vec<usize> = (1..120)
        .chain(pages)
        .chain(odd)
        .chain([whole.len() - 1])
        .collect();
    // In parallel, because each waits for a possible creation in progress.
    thread::scope(|scope| {
        for lengths in lengths.chunks(lengths.len().div_ceil(16)) {
            let whole = &whole;
            scope.spawn(move || {
                let (folder, path) = place();
                for &length in lengths {
                    fs::write(&path, &whole[..length]).unwrap();
                    let message = format!("is damaged: it ends after {length} ");
                    refused_with(folder.path(), &path, &message);
                }
            });
        }
    });
}

#[test]
fn a_truncated_log_costs_pairs_from_the_end_and_no_others() {
    let (folder, path) = place();
    let (store, _) = recorded(&path, 12);
    let (main, log) = (
        fs::read(&path).unwrap(),
        contents(folder.path())["games.sqlite-wal"].clone(),
    );
    drop(store);
    let (other, copy) = place();
    let (wal, shm) = (
        other.path().join("games.sqlite-wal"),
        other.path().join("games.sqlite-shm"),
    );
    let mut most = 0;
    for length in (0..=log.len()).step_by(997).chain([log.len()]) {
        let _ = fs::remove_file(&shm);
        fs::write(&copy, &main).unwrap();
        fs::write(&wal, &log[..length]).unwrap();
        let store = Store::open(&copy, Mode::Write).unwrap();
        let Ok(entry) = store.run("latest") else {
            assert_eq!(most, 0);
            continue;
        };
        let pairs = all(&store, &entry.handle).unwrap();
        assert!(
            pairs
                .iter()
                .cloned()
                .eq((0..pairs.len() as u64).map(sample))
        );
        assert!(pairs.len() >= most);
        most = pairs.len();
    }
    assert_eq!(most, 12);
}

#[test]
fn a_truncated_file_beside_a_log_gives_an_error_or_the_pairs() {
    let (folder, path) = place();
    drop(recorded(&path, 40));
    let (store, run) = recorded(&path, 0);
    store.append(&run, &sample(40)).unwrap();
    let files = contents(folder.path());
    let (main, log) = (&files["games.sqlite"], &files["games.sqlite-wal"]);
    assert!(!log.is_empty());
    let (other, copy) = place();
    let sibling = |suffix: &str| other.path().join(format!("games.sqlite{suffix}"));
    for length in (0..main.len()).step_by(1024) {
        let _ = fs::remove_file(sibling("-shm"));
        fs::write(&copy, &main[..length]).unwrap();
        fs::write(sibling("-wal"), log).unwrap();
        let read = Store::open(&copy, Mode::Read).and_then(|store| all(&store, &run));
        if let Ok(pairs) = read {
            assert!(pairs.into_iter().eq((0..=40).map(sample)), "at {length}");
        }
    }
}

#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn overwritten_bytes_give_an_error_or_the_pairs() {
    let (_folder, path) = place();
    let (store, run) = recorded(&path, 40);
    drop(store);
    let whole = fs::read(&path).unwrap();
    let mut refused = 0;
    for at in (0..whole.len() - 8).step_by(389) {
        let mut changed = whole.clone();
        for byte in &mut changed[at..at + 8] {
            *byte ^= 0x55;
        }
        fs::write(&path, &changed).unwrap();
        let result = Store::open(&path, Mode::Read).and_then(|store| {
            let run = store.run("abc123")?;
            Ok((
                run.meta,
                store.openings(&run.handle)?,
                all(&store, &run.handle)?,
            ))
        });
        let Ok((read_meta, read_openings, pairs)) = result else {
            refused += 1;
            continue;
        };
        // Only free space and the table of times may have changed.
        assert_eq!(read_meta, meta("abc123"), "at {at}");
        assert!(read_openings == book(openings()), "at {at}");
        let records = pairs.into_iter().map(|pair| pair.record);
        assert!(
            records.eq((0..40).map(|index| sample(index).record)),
            "at {at}"
        );
    }
    // The games alone are about half of this small file.
    assert!(refused > whole.len() / 389 / 3, "{refused} refused");
    fs::write(&path, &whole).unwrap();
    assert_eq!(
        all(&Store::open(&path, Mode::Read).unwrap(), &run)
            .unwrap()
            .len(),
        40
    );
}

#[test]
fn a_log_without_its_record_is_not_thrown_away() {
    let (folder, path) = place();
    let (store, _) = recorded(&path, 12);
    let files = contents(folder.path());
    drop(store);
    let (other, copy) = place();
    fs::write(
        other.path().join("games.sqlite-wal"),
        &files["games.sqlite-wal"],
    )
    .unwrap();
    refused_with(
        other.path(),
        &copy,
        "it is gone, but its `-wal` file is still there",
    );
    fs::write(&copy, "").unwrap();
    refused_with(
        other.path(),
        &copy,
        "it is empty, but its `-wal` file is not",
    );
}

#[test]
fn a_creation_that_was_killed_is_begun_again() {
    let (_folder, path) = place();
    drop(recorded(&path, 0));
    let created = fs::read(&path).unwrap();
    // The header of a rollback journal of a previously empty file: magic, no pages to restore, a
    // nonce, 0 pages, sectors of 512 and pages of 4096 bytes
    // (<https://www.sqlite.org/fileformat.html>, section 3).
    let mut journal = vec![0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
    for word in [0_u32, 12_345, 0, 512, 4096] {
        journal.extend_from_slice(&word.to_be_bytes());
    }
    journal.resize(512, 0);
    for written in 1..=created.len() / 4096 {
        for mode in MODES {
            let (other, copy) = place();
            fs::write(&copy, &created[..written * 4096]).unwrap();
            fs::write(other.path().join("games.sqlite-journal"), &journal).unwrap();
            match Store::open(&copy, mode) {
                Err(error) => {
                    assert_eq!(mode, Mode::Read);
                    assert!(
                        error.to_string().contains("nothing has been recorded"),
                        "{error}"
                    );
                }
                Ok(store) => assert!(store.runs().unwrap().is_empty()),
            }
            drop(recorded(&copy, 2));
        }
    }
}

/// A file next to a record.
fn beside(path: &Path, suffix: &str) -> std::path::PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn cut(path: &Path, to: u64) {
    let file = fs::File::options()
        .write(true)
        .open(path)
        .expect("a file of the test's own");
    file.set_len(to).expect("a file of the test's own");
}

/// Folds the log in and empties it, as another program may.
fn fold_in(path: &Path) {
    let other = rusqlite::Connection::open(path).expect("a record");
    let is_busy: i64 = other
        .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))
        .expect("a record");
    assert_eq!(is_busy, 0);
}

/// An attack (D3) on a record that is being written: its name, its action, the expected message,
/// and whether a copy of all pairs is saved.
type Attack = (&'static str, fn(&Path), &'static str, bool);

const ATTACKS: [Attack; 11] = [
    (
        "all removed",
        |path| {
            for suffix in ["", "-wal", "-shm"] {
                fs::remove_file(beside(path, suffix)).expect("a file of the test's own");
            }
        },
        "was removed or moved away",
        true,
    ),
    (
        "removed",
        |path| fs::remove_file(path).expect("a file of the test's own"),
        "was removed or moved away",
        true,
    ),
    (
        "moved",
        |path| fs::rename(path, beside(path, ".moved")).expect("a file of the test's own"),
        "was removed or moved away",
        true,
    ),
    (
        "replaced",
        |path| {
            let (_folder, other) = place();
            drop(recorded(&other, 3));
            fs::copy(&other, beside(path, ".other")).expect("a file of the test's own");
            fs::rename(beside(path, ".other"), path).expect("a file of the test's own");
        },
        "was replaced by another file",
        true,
    ),
    (
        "emptied",
        |path| cut(path, 0),
        "bytes during recording",
        false,
    ),
    (
        "cut",
        |path| {
            cut(
                path,
                fs::metadata(path).expect("a file of the test's own").len() - 1,
            );
        },
        "was cut from",
        false,
    ),
    (
        "cut at the end of a page",
        |path| {
            fold_in(path);
            cut(path, 4 * 4096);
        },
        "was cut from",
        false,
    ),
    (
        "log removed",
        |path| fs::remove_file(beside(path, "-wal")).expect("a file of the test's own"),
        "`-wal` or `-shm` file of",
        false,
    ),
    (
        "index removed",
        |path| fs::remove_file(beside(path, "-shm")).expect("a file of the test's own"),
        "`-wal` or `-shm` file of",
        false,
    ),
    (
        "log cut, and grown since",
        |path| {
            let log = beside(path, "-wal");
            let length = fs::metadata(&log).expect("a log").len();
            cut(&log, 0);
            cut(&log, length + 5000);
        },
        "`-wal` file of",
        false,
    ),
    (
        "log cut",
        |path| cut(&beside(path, "-wal"), 40_000),
        "`-wal` file of",
        false,
    ),
];

#[test]
fn a_removed_record_is_noticed_and_its_pairs_are_saved() {
    for (name, attack, said, is_copied) in ATTACKS {
        let (folder, path) = place();
        let (store, run) = recorded(&path, 40);
        attack(&path);
        // Without the index, which is rebuilt from the log.
        let files = || {
            let mut files = contents(folder.path());
            files.remove("games.sqlite-shm");
            files
        };
        let before = files();
        let error = store.append(&run, &sample(40)).unwrap_err();
        let StoreProblem::Lost(_, saved) = &error.problem else {
            panic!("{name}: {error}");
        };
        assert!(error.to_string().contains(said), "{name}: {error}");
        let hint = error.hint().expect(name);
        assert!(!hint.contains("remove"), "it may hold games: {hint}");
        // The error is reported again with the same text; nothing more is recorded.
        let again = store.check_place().unwrap_err();
        assert_eq!(
            (again.to_string(), again.hint()),
            (error.to_string(), error.hint())
        );
        assert!(store.append(&run, &sample(40)).is_err(), "{name}");
        drop(store);
        // Files of other programs stay unchanged.
        let mut after = files();
        let copy = after.remove("games.sqlite.saved");
        assert_eq!(copy.is_some(), is_copied, "{name}");
        if ["log removed", "index removed"].contains(&name) {
            // The log was folded in completely.
            assert_eq!(saved.as_deref(), Some(&*path), "{name}");
            for suffix in ["-wal", "-shm"] {
                let _ = fs::remove_file(beside(&path, suffix));
            }
            assert_eq!(pairs_of(&path), 40, "{name}");
            continue;
        }
        assert!(after == before, "{name}");
        if is_copied {
            let copy = saved.as_ref().unwrap();
            assert_eq!(pairs_of(copy), 40, "{name}");
            let store = Store::open(copy, Mode::Write).unwrap();
            let run = store.run("latest").unwrap().handle;
            store.append(&run, &sample(40)).unwrap();
        }
    }
}

/// The number of pairs of a record, all with correct digests.
fn pairs_of(path: &Path) -> usize {
    let store = Store::open(path, Mode::Read).expect("a file of the test's own");
    let run = store
        .run("latest")
        .expect("a file of the test's own")
        .handle;
    let pairs = all(&store, &run).expect("a file of the test's own");
    assert!(
        pairs
            .iter()
            .cloned()
            .eq((0..pairs.len() as u64).map(sample))
    );
    pairs.len()
}

/// Another program may fold the log in and empty it; this is no loss.
#[test]
fn a_log_that_was_folded_in_is_no_loss() {
    let (_folder, path) = place();
    let (store, run) = recorded(&path, 40);
    fold_in(&path);
    assert_eq!(fs::metadata(beside(&path, "-wal")).unwrap().len(), 0);
    for index in 40..80 {
        store.append(&run, &sample(index)).unwrap();
    }
    store.check_place().unwrap();
    drop(store);
    assert_eq!(pairs_of(&path), 80);
}

/// Another program may vacuum the record, which makes it shorter. This is no loss, whichever
/// process writes next, and with or without folding the log in.
#[test]
fn a_vacuum_by_others_is_no_loss() {
    for is_folded in [true, false] {
        let (_folder, path) = place();
        let (store, run) = recorded(&path, 40);
        let other = rusqlite::Connection::open(&path).unwrap();
        other
            .execute_batch("CREATE TABLE fill (a); INSERT INTO fill VALUES (zeroblob(3000000))")
            .unwrap();
        fold_in(&path);
        store.append(&run, &sample(40)).unwrap();
        let long = fs::metadata(&path).unwrap().len();
        other.execute_batch("DROP TABLE fill; VACUUM").unwrap();
        if is_folded {
            fold_in(&path);
            assert!(fs::metadata(&path).unwrap().len() < long);
        }
        // Another process adds pairs that are only in the log, beyond the end of the file.
        let second = Store::open(&path, Mode::Write).unwrap();
        let begun = second
            .begin_run(&meta("abc123"), &book(openings()))
            .unwrap();
        for index in 41..60 {
            second.append(&begun, &sample(index)).unwrap();
        }
        for index in 60..80 {
            store.append(&run, &sample(index)).unwrap();
        }
        store.check_place().unwrap();
        drop((second, other));
        store.close().unwrap();
        assert_eq!(pairs_of(&path), 80);
    }
}

/// Programs that repeatedly fold the log in and empty it do not count as truncating it.
#[test]
fn a_log_that_comes_and_goes_is_no_loss() {
    let (_folder, path) = place();
    let (_, run) = recorded(&path, 3);
    let patience = LockTimeout {
        limit: Duration::from_mins(1),
        ..LockTimeout::default()
    };
    let store = Store::open_with_timeout(&path, Mode::Write, patience).unwrap();
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let other = rusqlite::Connection::open(&path).expect("a record");
            while !is_done.load(Ordering::SeqCst) {
                let _ = other.pragma_update(None, "user_version", SCHEMA_VERSION);
                let _ = other.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
                // Leaves the lock to the others.
                thread::sleep(Duration::from_millis(1));
            }
        });
        let ended = (3..400)
            .try_for_each(|index| store.append(&run, &sample(index)).map(drop))
            .and_then(|()| (0..2000).try_for_each(|_| store.check_place()));
        is_done.store(true, Ordering::SeqCst);
        ended.unwrap();
    });
    drop(store);
    assert_eq!(pairs_of(&path), 400);
}

/// If the record cannot be checked, it does not count as lost.
#[test]
fn an_unreadable_record_is_not_called_removed() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("results")).unwrap();
    let path = at("results/games.sqlite");
    let (store, run) = recorded(&path, 3);
    let cancel = AtomicBool::new(false);
    store
        .guarded(&cancel, || {
            // The links form a cycle.
            fs::rename(at("results"), at("elsewhere")).unwrap();
            symlink("results", at("results")).unwrap();
            store.append(&run, &sample(3)).unwrap();
            thread::sleep(Duration::from_millis(1500));
            let error = store.check_place().unwrap_err();
            assert!(
                matches!(error.problem, StoreProblem::Unseen { .. }),
                "{error}"
            );
            let said = "cannot check whether `";
            assert!(error.to_string().starts_with(said), "{error}");
            assert!(error.hint().is_some());
            fs::remove_file(at("results")).unwrap();
            fs::rename(at("elsewhere"), at("results")).unwrap();
            store.append(&run, &sample(4)).unwrap();
        })
        .unwrap();
    assert!(!cancel.load(Ordering::SeqCst));
    store.close().unwrap();
    assert_eq!(pairs_of(&path), 5);
}

#[test]
fn a_lost_record_is_reported_within_a_second_of_a_long_game() {
    let (_folder, path) = place();
    let (store, _) = recorded(&path, 3);
    let cancel = AtomicBool::new(false);
    fs::remove_file(&path).unwrap();
    let begun = Instant::now();
    let ended = store.guarded(&cancel, || {
        while !cancel.load(Ordering::SeqCst) && begun.elapsed() < Duration::from_secs(20) {
            thread::sleep(Duration::from_millis(5));
        }
    });
    assert!(matches!(
        ended,
        Err(StoreError {
            problem: StoreProblem::Lost { .. },
            ..
        })
    ));
    assert!(
        begun.elapsed() < Duration::from_secs(5),
        "{:?}",
        begun.elapsed()
    );
}

/// A loss that ended the work is reported as the reason, even if it is over by then.
#[test]
fn a_record_that_was_away_for_a_while_is_the_reason_for_the_end() {
    let (_folder, path) = place();
    let (store, _) = recorded(&path, 3);
    let cancel = AtomicBool::new(false);
    let begun = Instant::now();
    let ended = store.guarded(&cancel, || {
        fs::rename(&path, beside(&path, ".away")).unwrap();
        while !cancel.load(Ordering::SeqCst) && begun.elapsed() < Duration::from_secs(20) {
            thread::sleep(Duration::from_millis(5));
        }
        fs::rename(beside(&path, ".away"), &path).unwrap();
    });
    let error = ended.unwrap_err();
    let said = error.to_string();
    assert!(said.contains("was removed or moved away"), "{said}");
    let hint = error.hint().unwrap();
    assert!(hint.contains("it is back"), "{hint}");
    drop(store);
    assert!(!beside(&path, ".saved").exists());
    assert_eq!(pairs_of(&path), 3);
}

/// An incomplete copy is removed.
#[test]
fn a_copy_that_fails_in_the_middle_is_not_left() {
    let (folder, path) = place();
    let (store, run) = recorded(&path, 0);
    for index in 0..60 {
        store.append(&run, &sized(index, 2000)).unwrap();
    }
    drop(store);
    let store = Store::open(&path, Mode::Write).unwrap();
    let file = fs::File::options().write(true).open(&path).unwrap();
    let length = file.metadata().unwrap().len();
    for page in 50..length / 4096 {
        file.write_all_at(&[0x55; 4096], page * 4096).unwrap();
    }
    fs::remove_file(&path).unwrap();
    let StoreProblem::Lost(_, saved) = store.check_place().unwrap_err().problem else {
        panic!("it is removed");
    };
    assert_eq!(saved, None);
    drop(store);
    let left: Vec<String> = contents(folder.path()).into_keys().collect();
    assert!(!left.iter().any(|name| name.contains("saved")), "{left:?}");
}

/// A copy never replaces another one.
#[test]
fn a_record_that_is_lost_again_is_saved_again() {
    let (folder, path) = place();
    for number in 1..=3 {
        let (store, _) = recorded(&path, number);
        for suffix in ["", "-wal", "-shm"] {
            fs::remove_file(beside(&path, suffix)).unwrap();
        }
        let StoreProblem::Lost(_, saved) = store.check_place().unwrap_err().problem else {
            panic!("it is removed");
        };
        assert_eq!(pairs_of(&saved.unwrap()), number as usize);
    }
    let left: Vec<String> = contents(folder.path()).into_keys().collect();
    let expected = ["", "-2", "-3"].map(|ending| format!("games.sqlite.saved{ending}"));
    assert_eq!(left, expected);
}

/// A complete record with an old log, or with the log of another record: SQLite trusts the log, and
/// shows its state.
#[test]
fn a_log_that_takes_pairs_away_is_refused_and_left_alone() {
    let (other, small) = place();
    let (store, _) = recorded(&small, 12);
    let log = contents(other.path())["games.sqlite-wal"].clone();
    drop(store);
    let (folder, path) = place();
    drop(recorded(&path, 60));
    let whole = fs::read(&path).unwrap();
    fs::write(beside(&path, "-wal"), &log).unwrap();
    for mode in MODES {
        let error = Store::open(&path, mode).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("`-wal` file next to it is older"),
            "{error}"
        );
        let files = contents(folder.path());
        assert!(files["games.sqlite"] == whole && files["games.sqlite-wal"] == log);
    }
    for suffix in ["-wal", "-shm"] {
        let _ = fs::remove_file(beside(&path, suffix));
    }
    assert_eq!(pairs_of(&path), 60);
}
