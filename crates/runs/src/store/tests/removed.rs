//! Rows that other programs have removed.

use super::super::Speed;
use super::*;

/// A pair whose rows another program removed is recorded again in full, even if some of its rows
/// are left.
#[test]
fn externally_removed_pairs_are_recorded_again() {
    let spoilt = |index| {
        let mut row = pair(index);
        let fault = Fault {
            attempt: 1,
            game: 0,
            variant: 1,
            cause: Cause::Crash,
        };
        row.record.spoilt.push(fault);
        row
    };
    for removed in ["idx = 1", "idx = 2", "idx > 0"] {
        let (_folder, store, run) = store();
        for index in 0..3 {
            store.append(&run, &spoilt(index)).unwrap();
            store.append_batch(&run, &troubled_batch(index)).unwrap();
        }
        // Other programs may not enforce foreign keys.
        store.pragma("foreign_keys", "OFF").unwrap();
        let remove = format!(
            "DELETE FROM pair WHERE {removed}; DELETE FROM batch WHERE {}",
            removed.replace("idx", "number")
        );
        store.conn.execute_batch(&remove).unwrap();
        store.pragma("foreign_keys", "ON").unwrap();
        for index in 0..3 {
            if store.pair(&run, index).unwrap().is_some() {
                continue;
            }
            // Recording the pair again must succeed.
            let appended = store.append(&run, &pair(index)).unwrap();
            assert_eq!(appended, Appended::New, "{removed}");
            assert_eq!(store.pair(&run, index).unwrap(), Some(pair(index)));
            let appended = store.append_batch(&run, &batch(index)).unwrap();
            assert_eq!(appended, Appended::New, "{removed}");
            assert_eq!(store.batch(&run, index).unwrap(), Some(batch(index)));
        }
        assert_eq!(store.recorded_indices(&run).unwrap().count(), 3);
        assert_eq!(store.batches(&run).unwrap().len(), 3);
    }
}

#[test]
fn runs_and_books_that_other_hands_removed_are_begun_again() {
    let (_folder, store, _run) = store();
    let entry = store.run("abc").unwrap();
    store.pragma("foreign_keys", "OFF").unwrap();
    for remove in ["DELETE FROM run", "DELETE FROM run; DELETE FROM book"] {
        store.conn.execute_batch(remove).unwrap();
        let run = store.begin_run(&entry.meta, &book()).unwrap();
        assert_eq!(store.openings(&run).unwrap().held.len(), 1);
        store.append(&run, &pair(0)).unwrap();
    }
    store.conn.execute_batch("DELETE FROM opening").unwrap();
    let run = store.run("abc").unwrap().handle;
    let error = store.openings(&run).unwrap_err();
    assert!(
        matches!(error.problem, StoreProblem::Damaged { .. }),
        "{error}"
    );
    assert!(error.to_string().contains("or are missing"), "{error}");
}

#[test]
fn a_missing_speed_is_reported() {
    for number in [0, 1] {
        let (_folder, store, run) = store();
        for nps in [10, 20, 30] {
            store.add_speed(&run, Speed { nps, threads: 1 }).unwrap();
        }
        let remove = "DELETE FROM speed WHERE number = ?1";
        store.conn.execute(remove, [number]).unwrap();
        let said = format!("speed {number} of run `abc` is not recorded, but one beyond it is");
        for error in [
            store.speeds(&run).unwrap_err(),
            store
                .add_speed(
                    &run,
                    Speed {
                        nps: 40,
                        threads: 1,
                    },
                )
                .unwrap_err(),
        ] {
            assert!(
                matches!(error.problem, StoreProblem::Damaged { .. }),
                "{error}"
            );
            assert!(error.to_string().contains(&said), "{error}");
        }
    }
}

/// Contradictory rows are reported as damage.
#[test]
fn a_contradiction_between_rows_is_damage() {
    let (_folder, store, _run) = store();
    let insert = "INSERT INTO speed VALUES (1, 0, 1, 1, 0, x'')";
    store.conn.execute(insert, []).unwrap();
    let error = store.fail(store.conn.execute(insert, []).unwrap_err());
    assert!(
        matches!(error.problem, StoreProblem::Damaged { .. }),
        "{error}"
    );
    assert!(
        error.to_string().contains("rows were removed or changed"),
        "{error}"
    );
    assert!(error.hint().is_some());
}
