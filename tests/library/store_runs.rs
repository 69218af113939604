//! Beginning, continuing and finding runs.

use std::time::{Duration, SystemTime};

use crate::common::records::{all, book, meta, openings, place, recorded, sample};
use leitai_runs::store::{Mode, RunMeta, Store, StoreError, StoreProblem, StoredBook};

#[test]
fn a_run_is_found_as_it_was_begun() {
    let (_folder, path) = place();
    let (store, run) = recorded(&path, 2);
    drop(store);
    let store = Store::open(&path, Mode::Read).unwrap();
    let entry = store.run("abc123").unwrap();
    assert_eq!(entry.meta, meta("abc123"));
    assert_eq!((&entry.handle, entry.recorded), (&run, 2));
    let age = SystemTime::now().duration_since(entry.created_at).unwrap();
    assert!(age < Duration::from_mins(10));
    assert_eq!(store.runs().unwrap(), [entry]);
    assert_eq!(store.openings(&run).unwrap(), book(openings()));
    assert_eq!(store.opening(&run, 9).unwrap(), openings().nth(9));
    assert_eq!(store.opening(&run, 10).unwrap(), None);
}

#[test]
fn the_same_run_is_continued_whatever_its_source_is_called() {
    let (_folder, path) = place();
    let (store, run) = recorded(&path, 2);
    let mut edited = meta("abc123");
    edited.source_name = "elsewhere.toml".to_owned();
    edited.source_text.push_str("# a comment\n");
    assert_eq!(store.begin_run(&edited, &book(openings())).unwrap(), run);
    assert_eq!(store.runs().unwrap().len(), 1);
    assert_eq!(store.run("latest").unwrap().meta, meta("abc123"));
}

/// A change of metadata, and a part of the expected message.
type Change = (fn(&mut RunMeta), &'static str);

#[test]
fn another_run_under_the_same_id_is_refused_by_its_field() {
    let (_folder, path) = place();
    let (store, _) = recorded(&path, 1);
    let changes: [Change; 7] = [
        (
            |meta| meta.game = "othello".to_owned(),
            "another game: `xiangqi`, now `othello`",
        ),
        (
            |meta| meta.config = "{}".to_owned(),
            "another config: `{\"seed\"",
        ),
        (
            |meta| meta.seed = 3,
            "another seed: `18446744073709551608`, now `3`",
        ),
        (
            |meta| meta.version = "0.2.0".to_owned(),
            "another version of leitai",
        ),
        (
            |meta| meta.variants.swap(0, 1),
            "another list of variants: `new, base`, now `base, new`",
        ),
        (
            |meta| meta.pairs = 7,
            "another number of pairs: `1000`, now `7`",
        ),
        (|meta| meta.reproducible = false, "another kind of limit"),
    ];
    for (change, message) in changes {
        let mut other = meta("abc123");
        change(&mut other);
        let error = store.begin_run(&other, &book(openings())).unwrap_err();
        assert!(matches!(error.problem, StoreProblem::OtherRun { .. }));
        assert!(error.to_string().contains(message), "{error}");
    }
    let error = store
        .begin_run(&meta("abc123"), &book(openings().take(9)))
        .unwrap_err();
    assert!(error.to_string().contains("another book"), "{error}");
    assert_eq!(store.runs().unwrap().len(), 1);
}

#[test]
fn a_difference_deep_in_a_config_is_shown_with_its_surroundings() {
    let (_folder, path) = place();
    let store = Store::open(&path, Mode::Write).unwrap();
    let config = |rook: u32| format!(r#"{{"a":"{}","rook":{rook}}}"#, "x".repeat(500));
    let with = |rook| RunMeta {
        config: config(rook),
        ..meta("abc123")
    };
    store.begin_run(&with(1000), &book(openings())).unwrap();
    let error = store
        .begin_run(&with(900), &book(openings()))
        .unwrap_err()
        .to_string();
    assert!(error.contains(r#""rook":1000}`, now `"#), "{error}");
    assert!(error.len() < 300, "{error}");
}

#[test]
fn runs_are_named_by_the_beginning_of_their_id() {
    let (_folder, path) = place();
    let store = Store::open(&path, Mode::Write).unwrap();
    assert!(matches!(
        store.run("latest"),
        Err(StoreError {
            problem: StoreProblem::NoRun { .. },
            ..
        })
    ));
    for id in ["abc1", "abd2", "0f", "0f77"] {
        store.begin_run(&meta(id), &book(openings())).unwrap();
    }
    let id = |name: &str| store.run(name).map(|entry| entry.meta.id);
    assert_eq!(id("abc").unwrap(), "abc1");
    assert_eq!(id("ABD").unwrap(), "abd2");
    assert_eq!(id("0f").unwrap(), "0f", "a whole id wins over a prefix");
    assert_eq!(id("latest").unwrap(), "0f77");
    let error = id("ab").unwrap_err();
    assert!(
        error.to_string().ends_with("games.sqlite`: abc1, abd2"),
        "{error}"
    );
    assert_eq!(error.hint().unwrap(), "give more characters of the id");
    for name in ["%", "abc?", "nothing", "abc1 "] {
        assert!(
            matches!(
                id(name),
                Err(StoreError {
                    problem: StoreProblem::NoRun { .. },
                    ..
                })
            ),
            "{name}"
        );
    }
    let order: Vec<String> = store
        .runs()
        .unwrap()
        .into_iter()
        .map(|run| run.meta.id)
        .collect();
    assert_eq!(order, ["abc1", "abd2", "0f", "0f77"]);
}

#[test]
fn runs_keep_their_pairs_apart() {
    let (_folder, path) = place();
    let (store, one) = recorded(&path, 3);
    let two = store.begin_run(&meta("def"), &book(openings())).unwrap();
    store.append(&two, &sample(1)).unwrap();
    assert_eq!(all(&store, &two).unwrap(), [sample(1)]);
    assert_eq!(all(&store, &one).unwrap().len(), 3);
    assert_eq!(store.run("def").unwrap().recorded, 1);
}

#[test]
fn a_book_that_runs_share_is_kept_once() {
    let (_folder, path) = place();
    let store = Store::open(&path, Mode::Write).unwrap();
    let one = store.begin_run(&meta("a1"), &book(openings())).unwrap();
    let two = store.begin_run(&meta("a2"), &book(openings())).unwrap();
    let three = store
        .begin_run(&meta("a3"), &book(openings().skip(1)))
        .unwrap();
    assert_eq!(store.openings(&one).unwrap(), store.openings(&two).unwrap());
    assert_eq!(store.opening(&three, 0).unwrap(), openings().nth(1));
    assert_eq!(three.openings, 9);
    drop(store);
    let conn = rusqlite::Connection::open(&path).unwrap();
    let rows: i64 = conn
        .query_row("SELECT count(*) FROM opening", [], |row| row.get(0))
        .unwrap();
    assert_eq!(rows, 19);
}

#[test]
fn metadata_that_could_not_be_read_again_are_refused() {
    let (_folder, path) = place();
    let store = Store::open(&path, Mode::Write).unwrap();
    for id in ["", "latest", "ABC", "a b"] {
        let error = store.begin_run(&meta(id), &book(openings())).unwrap_err();
        assert!(
            error.to_string().contains("not lowercase hexadecimal"),
            "{error}"
        );
    }
    let mut broken = meta("abc");
    broken.config = "{".to_owned();
    let error = store
        .begin_run(&broken, &StoredBook::default())
        .unwrap_err();
    assert!(
        error.to_string().contains("a config that is not JSON"),
        "{error}"
    );
    assert!(store.runs().unwrap().is_empty());
}
