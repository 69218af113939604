//! Records of an older schema: they can be read unchanged, and continued.

use std::fs;
use std::path::Path;

use crate::common::records::{all, contents, place, recorded, sample};
use crate::common::{self, Sandbox, run, small_tournament, stderr, stdout};
use leitai::stats::Pentanomial;
use leitai::store::{BatchFailure, BatchRow, Mode, PlayedBy, SCHEMA_VERSION, Store, WorkerName};
use rusqlite::Connection;

/// The tables of version 1 with the columns that it writes.
const TABLES: [(&str, &str); 7] = [
    ("book", "*"),
    ("opening", "book, idx, id, fen"),
    ("run", "*"),
    ("pair", "*"),
    (
        "game",
        "id, first, second, winner, cause, hash, moves, scores, depths, nodes",
    ),
    ("run_timing", "*"),
    ("timing", "*"),
];

/// Writes at `old` the record that version 1 would have written instead of `new`.
fn write_version_1(new: &Path, old: &Path) {
    let conn = Connection::open(old).expect("a record of version 1");
    let script =
        fs::read_to_string(common::project("src/store/v1.sql")).expect("a record of version 1");
    conn.execute_batch(&script).expect("a record of version 1");
    conn.execute("ATTACH ?1 AS new", [new.to_str()])
        .expect("a record of version 1");
    let stamp: i32 = conn
        .query_row("PRAGMA new.application_id", [], |row| row.get(0))
        .expect("a record of version 1");
    conn.pragma_update(None, "application_id", stamp)
        .expect("a record of version 1");
    conn.pragma_update(None, "user_version", 1)
        .expect("a record of version 1");
    for (table, columns) in TABLES {
        let names = if columns == "*" {
            String::new()
        } else {
            format!("({columns})")
        };
        let copy = format!("INSERT INTO main.{table} {names} SELECT {columns} FROM new.{table}");
        conn.execute(&copy, []).expect("a record of version 1");
    }
}

fn version(path: &Path) -> i32 {
    let conn = Connection::open(path).expect("a record of version 1");
    conn.pragma_query_value(None, "user_version", |row| row.get(0))
        .expect("a record of version 1")
}

#[test]
fn an_old_record_is_read_as_it_is_and_migrated_to_be_written() {
    let (_folder, new) = place();
    drop(recorded(&new, 100));
    let (folder, old) = place();
    write_version_1(&new, &old);
    let before = contents(folder.path());
    let store = Store::open(&old, Mode::Read).unwrap();
    let handle = store.run("latest").unwrap().handle;
    assert!(
        all(&store, &handle)
            .unwrap()
            .into_iter()
            .eq((0..100).map(sample))
    );
    assert_eq!(store.openings(&handle).unwrap().len(), 10);

    // Another process may migrate the record and continue meanwhile.
    let writer = Store::open(&old, Mode::Write).unwrap();
    assert_eq!(version(&old), SCHEMA_VERSION);
    let mut troubled = sample(100);
    troubled.record.spoilt.push(leitai::play::Fault {
        attempt: 1,
        game: 0,
        variant: 1,
        cause: leitai::game::Cause::Stall,
    });
    writer.append(&handle, &troubled).unwrap();
    for store in [&store, &writer] {
        let there = all(store, &handle).unwrap();
        assert_eq!(there.len(), 101);
        assert_eq!(there.last(), Some(&troubled));
    }
    drop((store, writer));
    assert_ne!(contents(folder.path()), before);
}

#[test]
fn reading_an_old_record_leaves_it_alone() {
    let (_folder, new) = place();
    drop(recorded(&new, 5));
    let (folder, old) = place();
    write_version_1(&new, &old);
    let before = contents(folder.path());
    let store = Store::open(&old, Mode::Read).unwrap();
    let handle = store.run("latest").unwrap().handle;
    assert_eq!(all(&store, &handle).unwrap().len(), 5);
    drop(store);
    assert_eq!(contents(folder.path()), before);
}

#[test]
fn every_command_that_reads_knows_old_records() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("small.toml", &small_tournament(2, 60));
    let [new, old] = ["new.sqlite", "old.sqlite"].map(|name| sandbox.path(name));
    let play = |store: &str| {
        let output = run(&["run", &config, "--store", store, "--quiet"]);
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    let played = play(&new);
    write_version_1(new.as_ref(), old.as_ref());
    for command in [
        &["report"][..],
        &["report", "--json"],
        &["report", "--pgn", "-"],
        &["report", "--list"],
        &["verify"],
        &["rate"],
    ] {
        let [from_new, from_old] = [&new, &old].map(|store| {
            let output = run(&[command, &[store]].concat());
            assert!(output.status.success(), "{command:?}: {}", stderr(&output));
            stdout(&output).replace(store, "")
        });
        assert_eq!(from_new, from_old, "{command:?}");
        assert_eq!(version(old.as_ref()), 1, "{command:?}");
    }
    assert_eq!(play(&old), played, "complete already");
    assert_eq!(version(old.as_ref()), SCHEMA_VERSION);
}

/// Version 5 added cells: a record of an earlier version has none, can be read unchanged, and takes
/// cells once it is written.
#[test]
fn a_record_of_any_version_before_takes_cells() {
    let drops = [
        "DROP TABLE start; DROP TABLE apart_digest; DROP TABLE evidence; \
         ALTER TABLE opening DROP COLUMN moves",
        "DROP TABLE worker; DROP TABLE played_by",
        "DROP TABLE human_game",
        "DROP TABLE reported_time; DROP TABLE pv_warning",
        "DROP TABLE move_time; DROP TABLE lease",
        "DROP TABLE speed",
        "DROP TABLE cell",
        "DROP TABLE batch_failure",
        "DROP TABLE batch; DROP TABLE batch_timing",
        "DROP TABLE failure",
    ];
    for former in 1..SCHEMA_VERSION {
        let (folder, path) = place();
        drop(recorded(&path, 5));
        let conn = Connection::open(&path).unwrap();
        for table in &drops[..(SCHEMA_VERSION - former) as usize] {
            conn.execute_batch(table).unwrap();
        }
        conn.pragma_update(None, "user_version", former).unwrap();
        drop(conn);
        let before = contents(folder.path());
        let reader = Store::open(&path, Mode::Read).unwrap();
        assert_eq!(reader.count_cells().unwrap(), 0);
        let handle = reader.run("latest").unwrap().handle;
        assert_eq!(reader.speeds(&handle).unwrap(), []);
        assert_eq!(reader.workers(&handle).unwrap(), []);
        assert!(reader.pairs_of_worker(&handle, "a").unwrap().is_empty());
        assert!(reader.cells(|_, _| panic!("a cell")).unwrap().is_empty());
        drop(reader);
        assert_eq!(contents(folder.path()), before);
        let store = Store::open(&path, Mode::Write).unwrap();
        let (one, other) = ([1; 32], [2; 32]);
        store.put_cell(&other, "[]").unwrap();
        store.put_cell(&one, "first").unwrap();
        store.put_cell(&one, "second").unwrap();
        drop(store);
        assert_eq!(version(&path), SCHEMA_VERSION);
        let store = Store::open(&path, Mode::Read).unwrap();
        let mut found = Vec::new();
        let damaged = store.cells(|key, text| found.push((key, text.to_owned())));
        assert!(damaged.unwrap().is_empty());
        assert_eq!(
            found,
            [(one, "second".to_owned()), (other, "[]".to_owned())]
        );
        assert_eq!(
            all(&store, &store.run("latest").unwrap().handle)
                .unwrap()
                .len(),
            5
        );
        drop(store);
        let store = Store::open(&path, Mode::Write).unwrap();
        let mut row = sample(5);
        row.worker = PlayedBy(WorkerName::new("a"));
        store.append(&handle, &row).unwrap();
        assert_eq!(store.pairs_of_worker(&handle, "a").unwrap(), [5]);
    }
}

/// A record of version 3 with batches: it has no table of failures, and its digests include none.
fn write_version_3(new: &Path) {
    let conn = Connection::open(new).expect("a record of version 3");
    conn.execute_batch(
        "DROP TABLE start; DROP TABLE apart_digest; DROP TABLE evidence; \
         ALTER TABLE opening DROP COLUMN moves; \
         DROP TABLE worker; DROP TABLE played_by; DROP TABLE human_game; \
         DROP TABLE reported_time; DROP TABLE pv_warning; \
         DROP TABLE move_time; DROP TABLE lease; DROP TABLE speed; DROP TABLE cell; \
         DROP TABLE batch_failure; PRAGMA user_version = 3",
    )
    .expect("a record of version 3");
}

fn batch(number: u64) -> BatchRow {
    BatchRow {
        number,
        plus: vec![1.0, number as f64],
        minus: vec![-1.0, 2.0],
        result: Pentanomial([0, 1, 0, 0, 0]),
        failures: Vec::new(),
        elapsed_us: 5,
    }
}

#[test]
fn batches_of_before_failures_were_kept_are_read_and_carried_on() {
    let (folder, path) = place();
    let (store, run) = recorded(&path, 0);
    for number in 0..3 {
        store.append_batch(&run, &batch(number)).unwrap();
    }
    drop(store);
    write_version_3(&path);
    let before = contents(folder.path());
    let reader = Store::open(&path, Mode::Read).unwrap();
    let run = reader.run("latest").unwrap().handle;
    let old: Vec<BatchRow> = (0..3).map(batch).collect();
    assert_eq!(reader.batches(&run).unwrap(), old);
    drop(reader);
    assert_eq!(contents(folder.path()), before);

    let reader = Store::open(&path, Mode::Read).unwrap();
    let writer = Store::open(&path, Mode::Write).unwrap();
    assert_eq!(version(&path), SCHEMA_VERSION);
    let mut troubled = batch(3);
    troubled.failures = vec![BatchFailure {
        pair: 3,
        fault: leitai::play::Fault {
            attempt: 1,
            game: 0,
            variant: 1,
            cause: leitai::game::Cause::Stall,
        },
        counts: true,
        evidence: leitai::play::EvidenceList::default(),
    }];
    writer.append_batch(&run, &troubled).unwrap();
    for store in [&reader, &writer] {
        let there = store.batches(&run).unwrap();
        assert_eq!(there[..3], old);
        assert_eq!(there[3..], [troubled.clone()]);
    }
}
