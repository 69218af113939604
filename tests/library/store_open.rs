//! Opening a record, or refusing it and leaving it unchanged.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{fs, thread};

use crate::common::records::{
    MODES, all, book, contents, meta, openings, place, recorded, refused_with, sample,
};
use leitai_runs::store::{LockTimeout, Mode, SCHEMA_VERSION, Store, StoreError, StoreProblem};
use rusqlite::Connection;

#[test]
fn a_new_record_is_created_and_leaves_one_file() {
    let (folder, path) = place();
    let (store, run) = recorded(&path, 5);
    assert_eq!(store.path(), path);
    drop(store);
    assert_eq!(
        contents(folder.path()).into_keys().collect::<Vec<_>>(),
        ["games.sqlite"]
    );
    for mode in MODES {
        let store = Store::open(&path, mode).unwrap();
        assert_eq!(all(&store, &run).unwrap().len(), 5);
        drop(store);
        assert_eq!(contents(folder.path()).len(), 1, "{mode:?}");
    }
}

#[test]
fn an_empty_file_is_a_creation_that_was_interrupted() {
    let (folder, path) = place();
    fs::write(&path, "").unwrap();
    let error = Store::open(&path, Mode::Read).unwrap_err();
    assert!(
        error.to_string().contains("nothing has been recorded"),
        "{error}"
    );
    assert_eq!(contents(folder.path())["games.sqlite"], b"");
    recorded(&path, 1);
}

#[test]
fn several_processes_may_create_a_record_at_once() {
    for _ in 0..10 {
        let (_folder, path) = place();
        thread::scope(|scope| {
            for index in 0..4 {
                let path = &path;
                scope.spawn(move || {
                    let store = Store::open(path, Mode::Write).unwrap();
                    let run = store.begin_run(&meta("abc"), &book(openings())).unwrap();
                    store.append(&run, &sample(index)).unwrap();
                });
            }
        });
        let store = Store::open(&path, Mode::Read).unwrap();
        assert_eq!(store.run("abc").unwrap().recorded, 4);
    }
}

#[test]
fn names_that_mean_something_to_sqlite_are_names_of_files() {
    let folder = tempfile::tempdir().unwrap();
    for name in [
        "file:x",
        ":memory:",
        "a b%41?mode=memory#.sqlite",
        "ünï.sqlite",
    ] {
        let path = folder.path().join(name);
        drop(recorded(&path, 1));
        assert!(path.is_file(), "{name}");
        Store::open(&path, Mode::Read).unwrap();
    }
}

#[test]
fn a_missing_record_is_reported_as_missing() {
    let (folder, path) = place();
    let error = Store::open(&path, Mode::Read).unwrap_err();
    assert!(
        error.to_string().starts_with("there is no record"),
        "{error}"
    );
    let deeper = folder.path().join("results/games.sqlite");
    let error = Store::open(&deeper, Mode::Write).unwrap_err();
    assert!(
        error.to_string().starts_with("there is no folder"),
        "{error}"
    );
    assert_eq!(error.hint().unwrap(), "create the folder first");
    assert!(contents(folder.path()).is_empty());
}

#[test]
fn a_folder_is_not_a_record() {
    let folder = tempfile::tempdir().unwrap();
    refused_with(folder.path(), folder.path(), "is a folder, not a record");
}

#[test]
fn a_file_that_is_not_sqlite_is_left_alone() {
    let (folder, path) = place();
    for text in [
        "x",
        "[[variant]]\nname = \"base\"\n",
        &"SQLite format 4\0".repeat(1000),
    ] {
        fs::write(&path, text).unwrap();
        refused_with(folder.path(), &path, "it is not an SQLite file");
    }
}

#[test]
fn the_sqlite_file_of_another_program_is_left_alone() {
    for journal in ["DELETE", "WAL"] {
        let (folder, path) = place();
        let conn = Connection::open(&path).unwrap();
        conn.query_row(&format!("PRAGMA journal_mode = {journal}"), [], |_| Ok(()))
            .unwrap();
        conn.execute_batch("CREATE TABLE bookmarks (url); INSERT INTO bookmarks VALUES ('x');")
            .unwrap();
        if journal == "DELETE" {
            drop(conn);
            refused_with(folder.path(), &path, "an SQLite file of another program");
        } else {
            // The connection is open, so that the log exists and stays.
            refused_with(folder.path(), &path, "an SQLite file of another program");
            drop(conn);
        }
    }
}

#[test]
fn a_record_of_another_version_is_left_alone() {
    for (version, age, reads) in [
        (SCHEMA_VERSION + 1, "a newer", "up to version"),
        (SCHEMA_VERSION - 1, "an earlier", "version"),
    ] {
        let (folder, path) = place();
        drop(recorded(&path, 3));
        let conn = Connection::open(&path).unwrap();
        conn.pragma_update(None, "user_version", version).unwrap();
        drop(conn);
        let message = format!(
            "was written by {age} leitai (schema version {version}); this one reads {reads} \
             {SCHEMA_VERSION}"
        );
        refused_with(folder.path(), &path, &message);
    }
}

#[test]
fn a_newer_version_that_is_in_the_log_only_is_seen_and_left_there() {
    let (folder, path) = place();
    drop(recorded(&path, 3));
    let conn = Connection::open(&path).unwrap();
    conn.pragma_update(None, "user_version", 99).unwrap();
    // The state after a killed process: file and log, copied while it runs.
    let (other, copy) = place();
    for suffix in ["", "-wal"] {
        let name = format!("games.sqlite{suffix}");
        fs::copy(folder.path().join(&name), other.path().join(&name)).unwrap();
    }
    let before = contents(other.path());
    for mode in MODES {
        let error = Store::open(&copy, mode).unwrap_err();
        assert!(matches!(error.problem, StoreProblem::Newer(99)), "{error}");
        let mut after = contents(other.path());
        after.remove("games.sqlite-shm");
        assert!(after == before);
    }
}

#[test]
fn a_record_without_version_is_damaged() {
    let (folder, path) = place();
    drop(recorded(&path, 3));
    let conn = Connection::open(&path).unwrap();
    conn.pragma_update(None, "user_version", 0).unwrap();
    drop(conn);
    refused_with(folder.path(), &path, "is damaged: it has no schema version");
}

#[test]
fn a_lock_of_another_process_is_waited_for_and_then_reported() {
    let (_folder, path) = place();
    let (store, run) = recorded(&path, 3);
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let begun = Instant::now();
    let error = Store::open(&path, Mode::Write).unwrap_err();
    let waited = begun.elapsed().as_secs_f64();
    assert!(
        error.to_string().ends_with("is locked by another process"),
        "{error}"
    );
    assert!((1.0..20.0).contains(&waited), "waited {waited} s");
    assert!(matches!(
        store.append(&run, &sample(3)),
        Err(StoreError {
            problem: StoreProblem::Locked,
            ..
        })
    ));
    let reader = Store::open(&path, Mode::Read).unwrap();
    assert_eq!(all(&reader, &run).unwrap().len(), 3, "reading goes on");
    other.execute_batch("ROLLBACK").unwrap();
    store.append(&run, &sample(3)).unwrap();
    assert_eq!(all(&reader, &run).unwrap().len(), 4);
}

/// The number of reported waits.
static TOLD: AtomicUsize = AtomicUsize::new(0);

/// A lock of six seconds once stopped a run, because the limit was two.
#[test]
fn a_longer_timeout_is_reported_once() {
    let (_folder, path) = place();
    let (store, run) = recorded(&path, 3);
    drop(store);
    let patience = LockTimeout {
        limit: Duration::from_mins(1),
        report_after: Duration::from_millis(200),
        report: Arc::new(|path| {
            assert!(path.ends_with("games.sqlite"));
            TOLD.fetch_add(1, Ordering::SeqCst);
        }),
    };
    let lock = |locked: Duration| {
        let other = Connection::open(&path).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        thread::spawn(move || {
            thread::sleep(locked);
            other.execute_batch("ROLLBACK").unwrap();
        })
    };
    let locker = lock(Duration::from_secs(3));
    let store = Store::open_with_timeout(&path, Mode::Write, patience).unwrap();
    assert_eq!(TOLD.load(Ordering::SeqCst), 1);
    locker.join().unwrap();
    for (index, told) in [(3, 2), (4, 3)] {
        let locker = lock(Duration::from_secs(1));
        store.append(&run, &sample(index)).unwrap();
        assert_eq!(TOLD.load(Ordering::SeqCst), told);
        locker.join().unwrap();
    }
    assert_eq!(all(&store, &run).unwrap().len(), 5);
}

#[test]
fn a_record_locked_for_good_can_not_be_read_either() {
    let (_folder, path) = place();
    drop(recorded(&path, 3));
    let other = Connection::open(&path).unwrap();
    other
        .execute_batch("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT;")
        .unwrap();
    for mode in MODES {
        let error = Store::open(&path, mode).unwrap_err();
        assert!(
            matches!(error.problem, StoreProblem::Locked),
            "{mode:?}: {error}"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_refuses_writing_is_named_and_its_records_are_readable() {
    use std::os::unix::fs::PermissionsExt;

    let (folder, path) = place();
    drop(recorded(&path, 3));
    let set = |mode| fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).unwrap();
    set(0o555);
    if fs::write(folder.path().join("probe"), "").is_ok() {
        // The superuser may write everywhere.
        return set(0o755);
    }
    let fresh = Store::open(folder.path().join("new.sqlite"), Mode::Write).unwrap_err();
    let old = Store::open(&path, Mode::Write).unwrap_err();
    let read = Store::open(&path, Mode::Read).map(|store| {
        let run = store.run("latest").unwrap().handle;
        all(&store, &run).unwrap().len()
    });
    let before = contents(folder.path());
    set(0o755);
    assert!(
        matches!(fresh.problem, StoreProblem::Unwritable { .. }),
        "{fresh}"
    );
    assert!(
        matches!(old.problem, StoreProblem::Unwritable { .. }),
        "{old}"
    );
    assert_eq!(read.unwrap(), 3);
    assert_eq!(before.len(), 1);
}

#[cfg(unix)]
#[test]
fn a_file_that_refuses_writing_is_named() {
    use std::os::unix::fs::PermissionsExt;

    let (folder, path) = place();
    drop(recorded(&path, 3));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    if fs::File::options().write(true).open(&path).is_ok() {
        return;
    }
    let error = Store::open(&path, Mode::Write).unwrap_err();
    assert!(
        matches!(error.problem, StoreProblem::Unwritable { .. }),
        "{error}"
    );
    let store = Store::open(&path, Mode::Read).unwrap();
    assert_eq!(store.run("latest").unwrap().recorded, 3);
    drop(store);
    assert_eq!(contents(folder.path()).len(), 1);
}

/// SQLite derives the name of the log from the name that it opens.
#[test]
fn a_record_of_several_names_is_refused_by_all_of_them() {
    let (folder, path) = place();
    let (store, run) = recorded(&path, 12);
    let hard = folder.path().join("hard.sqlite");
    fs::hard_link(&path, &hard).unwrap();
    // A process that has the record open under its own name continues.
    store.append(&run, &sample(12)).unwrap();
    for (name, other) in [(&hard, &path), (&path, &hard)] {
        refused_with(folder.path(), name, "is a file of 2 names");
        let error = Store::open(name, Mode::Read).unwrap_err();
        let other = other.to_str().unwrap();
        assert!(error.to_string().contains(other), "{error}");
        assert!(error.hint().is_some());
    }
    fs::remove_file(&hard).unwrap();
    store.close().unwrap();
    let store = Store::open(&path, Mode::Read).unwrap();
    assert_eq!(all(&store, &run).unwrap().len(), 13);
}

/// SQLite would use a record with the name of another record's log as that log.
#[test]
fn no_record_is_made_in_place_of_a_log_of_another() {
    for suffix in ["-wal", "-shm", "-journal"] {
        for is_there in [false, true] {
            let (folder, path) = place();
            drop(recorded(&path, 3));
            let name = format!("{}{suffix}", path.to_str().unwrap());
            if is_there {
                fs::write(&name, "").unwrap();
            }
            let before = contents(folder.path());
            let error = Store::open(&name, Mode::Write).unwrap_err().to_string();
            assert!(error.contains("a part of another SQLite file"), "{error}");
            assert_eq!(contents(folder.path()), before);
        }
    }
}

/// A link to a file or a folder opens the same record, including its log.
#[test]
fn a_link_leads_to_a_record_and_its_log() {
    use std::os::unix::fs::symlink;

    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("deep")).unwrap();
    symlink("deep", at("folder")).unwrap();
    symlink("folder/games.sqlite", at("link")).unwrap();
    let (store, run) = recorded(&at("deep/games.sqlite"), 12);
    for name in ["link", "folder/games.sqlite"] {
        for mode in MODES {
            let other = Store::open(at(name), mode).unwrap();
            assert_eq!(all(&other, &run).unwrap().len(), 12, "{name}");
        }
    }
    // The rest of a record is refused through the link, too.
    let log = fs::read(at("deep/games.sqlite-wal")).unwrap();
    drop(store);
    fs::remove_file(at("deep/games.sqlite")).unwrap();
    fs::write(at("deep/games.sqlite-wal"), log).unwrap();
    for mode in MODES {
        let error = Store::open(at("link"), mode).unwrap_err().to_string();
        assert!(error.contains("it is gone, but its `-wal` file"), "{error}");
    }
    assert!(!at("deep/games.sqlite").exists());
}
