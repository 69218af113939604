//! A gate that is run again with another book or other settings: recorded pairs count if the test
//! permits it, and the output says when it is a different gate.

use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use crate::common::gates::{gate, play};
use crate::common::{Sandbox, json, leitai, openings, project, run, stderr, stdout};
use serde_json::Value;

/// A gate that cannot decide, over the first openings of a book.
fn short(sandbox: &Sandbox, count: usize, table: &str, of_openings: &str) -> String {
    let book = sandbox.write("book.epd", &openings(count));
    let usual = project("openings/xiangqi.epd");
    let usual = usual.to_str().expect("UTF-8");
    let text = gate(&format!("base = \"plain\"\nelo1 = 2\n{table}")).replace(
        &format!("file = {usual:?}"),
        &format!("file = {book:?}\n{of_openings}"),
    );
    sandbox.write("short.toml", &text)
}

const STRICT: &str = "candidate = \"full\"\ntest = \"strict\"";
const ENDS: &str = "exhausted = \"error\"";

fn runs(store: &str) -> Vec<u64> {
    let listed = json(&["report", store, "--list", "--json"]);
    let listed = listed.as_array().expect("a list").iter();
    listed
        .map(|run| run["recorded"].as_u64().expect("a number"))
        .collect()
}

fn copied(sandbox: &Sandbox, store: &str, name: &str) -> String {
    let copy = sandbox.path(name);
    std::fs::copy(store, &copy).expect("copied");
    copy
}

#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn a_strict_gate_goes_on_with_the_openings_that_were_appended() {
    let sandbox = Sandbox::new();
    for (table, order) in [
        (STRICT, "random"),
        (STRICT, "sequential"),
        (
            "candidates = [\"full\", \"no-quiescence\"]\ntest = \"strict\"",
            "random",
        ),
    ] {
        let name = |part: &str| format!("{part}-{order}-{}.sqlite", table.len());
        let book = format!("{ENDS}\norder = {order:?}");
        let config = short(&sandbox, 5, table, &book);
        let store = sandbox.path(&name("one"));
        let (exit, first) = play(&config, &store, "2");
        assert_eq!((exit, &first["candidates"][0]["pairs"]), (3, &5.into()));
        let two = copied(&sandbox, &store, &name("two"));
        let killed = copied(&sandbox, &store, &name("killed"));

        let config = short(&sandbox, 12, table, &book);
        let said = run(&[
            "gate", &config, "--store", &store, "-q", "--json", "-t", "1",
        ]);
        let said_so = stderr(&said);
        assert!(said_so.contains("continues run"), "{said_so}");
        let (exit, whole) = play(&config, &store, "1");
        assert_eq!(
            serde_json::from_slice::<Value>(&said.stdout).unwrap(),
            whole
        );
        assert_eq!((exit, &whole["candidates"][0]["pairs"]), (3, &12.into()));
        let pairs = 12 * whole["candidates"].as_array().unwrap().len() as u64;
        assert_eq!(runs(&store), [5 * pairs / 12, pairs]);
        // With any threads and interruptions.
        assert_eq!(play(&config, &two, "3"), (3, whole.clone()));
        for time in [15, 40, 80] {
            let mut child = leitai()
                .args(["gate", &config, "--store", &killed, "-q"])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            sleep(Duration::from_millis(time));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        assert_eq!(play(&config, &killed, "1"), (3, whole.clone()));
        // The record alone determines the order of the book.
        assert_eq!(json(&["report", &store, "--json"]), whole);
        let verified = stdout(&run(&["verify", &store]));
        assert!(
            verified.contains(&format!("{pairs} the same, 0 different")),
            "{verified}"
        );
        if order == "sequential" {
            let (_, fresh) = play(&config, &sandbox.path(&name("fresh")), "2");
            assert_eq!(fresh["candidates"], whole["candidates"]);
        }
        // The same again with a longer book.
        let config = short(&sandbox, 15, table, &book);
        let (exit, longest) = play(&config, &store, "2");
        assert_eq!((exit, &longest["candidates"][0]["pairs"]), (3, &15.into()));
        assert_eq!(json(&["report", &store, "--json"]), longest);
        let verified = stdout(&run(&["verify", &store]));
        assert!(verified.contains(" 0 different"), "{verified}");
    }
}

#[test]
fn a_strict_gate_goes_on_beyond_its_cap() {
    let sandbox = Sandbox::new();
    let store = sandbox.path("cap.sqlite");
    let at = |count, most: u64| {
        short(
            &sandbox,
            count,
            &format!("{STRICT}\nmax_pairs = {most}"),
            "",
        )
    };
    let (exit, first) = play(&at(6, 4), &store, "2");
    assert_eq!(
        (exit, &first["candidates"][0]["shortage"]),
        (3, &"cap".into())
    );
    // The second lap begins from other positions, as in an uninterrupted gate.
    let longer = play(&at(6, 15), &store, "2");
    let fresh = play(&at(6, 15), &sandbox.path("fresh.sqlite"), "1");
    assert_eq!(longer.1["candidates"], fresh.1["candidates"]);
    assert_eq!(runs(&store), [4, 15]);
    // New openings come after the played ones, then all repeat.
    let (_, grown) = play(&at(9, 30), &store, "2");
    assert_eq!(runs(&store)[2], 30);
    assert_eq!(grown["candidates"][0]["pairs"], 30);
    let verified = stdout(&run(&["verify", &store]));
    assert!(verified.contains("30 the same, 0 different"), "{verified}");
    let pgn = stdout(&run(&["report", &store, "--pgn", "-"]));
    let pgn: Vec<&str> = pgn
        .lines()
        .filter(|line| line.starts_with("[FEN"))
        .collect();
    for (place, line) in openings(9).lines().enumerate() {
        let board = line.split_whitespace().next().unwrap();
        let from = |pairs: &[&str]| pairs.iter().filter(|fen| fen.contains(board)).count();
        let [played, new] = [&pgn[..2 * 15], &pgn[2 * 15..2 * 18]].map(from);
        assert_eq!((played > 0, new > 0), (place < 6, place >= 6), "{board}");
    }
    // Fewer pairs make it another gate.
    let said = stderr(&run(&["gate", &at(9, 3), "--store", &store, "-q"]));
    assert!(said.contains("`gate.max_pairs`: 30 then, 3 now"), "{said}");
}

#[test]
fn another_gate_of_the_same_two_is_reported() {
    let sandbox = Sandbox::new();
    let store = sandbox.path("some.sqlite");
    let gsprt = "candidate = \"full\"";
    let said = |config: &str| stderr(&run(&["gate", config, "--store", &store, "-q"]));
    let first = said(&short(&sandbox, 5, gsprt, ENDS));
    assert!(!first.contains("record"), "{first}");
    assert!(!said(&short(&sandbox, 5, gsprt, ENDS)).contains("record holds"));
    let longer = said(&short(&sandbox, 8, gsprt, ENDS));
    for part in [
        "an earlier run of this gate",
        "3 openings after its 5",
        "a new run",
        "the gsprt test cannot continue it",
        "`test = \"strict\"`",
    ] {
        assert!(longer.contains(part), "{part}: {longer}");
    }
    assert_eq!(runs(&store), [5, 8]);
    let strict = said(&short(&sandbox, 8, STRICT, ENDS));
    assert!(strict.contains("`gate.test`"), "{strict}");
    assert!(!strict.contains("help: the"), "{strict}");
    // One line was edited, and one was removed.
    let config = short(&sandbox, 8, STRICT, ENDS);
    let book = openings(12);
    let lines = book.lines().enumerate().filter(|(place, _)| *place != 3);
    let edited: String = lines.flat_map(|(_, line)| [line, "\n"]).collect();
    sandbox.write("book.epd", &edited);
    let other = said(&config);
    assert!(other.contains("line 4 of the openings"), "{other}");
    let fewer = said(&short(&sandbox, 6, STRICT, ENDS));
    assert!(!fewer.contains("continues run"), "{fewer}");
    assert_eq!(*runs(&store).last().unwrap(), 6);
    // Other players make it another gate, without a message about the old one.
    let others = said(&short(&sandbox, 5, "candidate = \"no-quiescence\"", ENDS));
    assert!(!others.contains("earlier run"), "{others}");
}

/// The command in the Markdown report reproduces the gate in an empty record.
#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn a_gate_whose_book_grew_is_reproduced_by_one_command() {
    let sandbox = Sandbox::new();
    for (table, book) in [
        (STRICT, ENDS),
        // In its second lap before openings were appended.
        ("candidate = \"full\"\ntest = \"strict\"\nmax_pairs = 9", ""),
        (
            "candidates = [\"full\", \"no-quiescence\"]\ntest = \"strict\"",
            ENDS,
        ),
    ] {
        let name =
            |part: &str| sandbox.path(&format!("{part}-{}-{}.sqlite", table.len(), book.len()));
        let store = name("one");
        play(&short(&sandbox, 5, table, book), &store, "2");
        let table = table.replace("max_pairs = 9", "max_pairs = 20");
        for count in [8, 11] {
            let config = short(&sandbox, count, &table, book);
            let (_, grown) = play(&config, &store, "2");
            let asked = ["report", &store, "--markdown"];
            let from_record = stdout(&run(&asked));
            let asked = ["gate", &config, "--store", &store, "-q", "--markdown"];
            let text = stdout(&run(&asked));
            for text in [&text, &from_record] {
                let command = text.lines().find(|line| line.starts_with("leitai gate "));
                let words = command.expect("a command").split_whitespace().skip(3);
                let words: Vec<&str> = words.collect();
                assert_eq!(words.len(), if count == 8 { 2 } else { 4 }, "{text}");
                let fresh = name(&format!("fresh-{count}-{}", text.len()));
                let again = ["gate", &config, "--store", &fresh, "-q", "--json"];
                let again = run(&[&again[..], &words].concat());
                let again: Value = serde_json::from_slice(&again.stdout).expect("JSON");
                assert_eq!(again, grown, "{text}");
                std::fs::remove_file(&fresh).expect("removed");
            }
        }
        // Without that option the games differ.
        let config = short(&sandbox, 11, &table, book);
        let (_, other) = play(&config, &name("other"), "2");
        assert_ne!(other["run"], play(&config, &store, "2").1["run"]);
    }
    let config = short(&sandbox, 5, STRICT, ENDS);
    for (grown, said) in [
        ("5:5", "has 5 openings"),
        ("3:2", "OPENINGS:ROUNDS"),
        ("3", "OPENINGS"),
    ] {
        let asked = ["gate", &config, "--grown-from", grown];
        let refused = run(&[&asked[..], &["--store", &sandbox.path("no.sqlite")]].concat());
        assert_eq!(refused.status.code(), Some(2));
        assert!(stderr(&refused).contains(said), "{}", stderr(&refused));
    }
}

/// The plan of a gate with recorded pairs is the plan of the remaining pairs.
#[test]
fn a_plan_continues_from_the_record() {
    let sandbox = Sandbox::new();
    let table = "candidate = \"full\"\ntest = \"strict\"\nelo1 = 120";
    let at = |count| {
        let config = short(&sandbox, count, table, ENDS);
        let text = std::fs::read_to_string(&config).expect("a config");
        sandbox.write("short.toml", &text.replace("elo1 = 2\n", ""))
    };
    let store = sandbox.path("some.sqlite");
    let (exit, first) = play(&at(4), &store, "2");
    assert_eq!(exit, 3, "{first}");
    let shown = stdout(&run(&["report", &store]));
    assert!(shown.contains("append openings to the book"), "{shown}");
    let config = at(60);
    let plan = |store: &str| {
        let asked = ["gate", &config, "--store", store, "--plan", "--json"];
        json(&asked)
    };
    let (from_here, fresh) = (plan(&store), plan(&sandbox.path("none.sqlite")));
    assert_eq!(from_here["from_here"][0]["recorded"], 4);
    let level = first["candidates"][0]["level"]["value"]
        .as_f64()
        .expect("a level");
    assert!(level > 0.5, "the candidate is ahead: {first}");
    let at_h1 = |plan: &Value, name: &str| plan["points"][2][name].as_f64().expect("a number");
    assert!(
        at_h1(&from_here, "pass") > at_h1(&fresh, "pass") + 0.02
            && at_h1(&from_here, "pairs") < at_h1(&fresh, "pairs") - 1.0,
        "{from_here}\n{fresh}"
    );
    assert_eq!(from_here["together"]["max_pairs"], 56);
    assert_eq!(fresh["together"]["max_pairs"], 60);
    // A decided gate has no plan.
    let decided = at(60);
    let (exit, _) = play(&decided, &store, "2");
    let over = plan(&store);
    let ahead = &over["from_here"][0];
    assert_eq!(ahead["is_over"], true);
    let pass = if exit == 0 { 1.0 } else { 0.0 };
    assert_eq!(
        (&ahead["points"][2]["pass"], &over["together"]["pairs"]),
        (&pass.into(), &0.0.into())
    );
}

#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn a_gate_with_other_bounds_takes_its_pairs_over() {
    let sandbox = Sandbox::new();
    let table = "candidate = \"full\"";
    let played = |config: &str, store: &str| {
        let events = run(&["gate", config, "--store", store, "--events", "-", "--moves"]);
        let begun = stdout(&events);
        let begun = begun.lines().filter(|line| line.contains("game-begun"));
        (begun.count() as u64 / 2, stderr(&events))
    };
    let (grown, whole) = (sandbox.path("grown.sqlite"), sandbox.path("whole.sqlite"));
    let first = short(&sandbox, 5, table, ENDS);
    let (all, said) = played(&first, &grown);
    assert_eq!((all, said.contains("taken over")), (5, false));
    let config = short(&sandbox, 5, &format!("{table}\nelo0 = 1"), ENDS);
    let (again, said) = played(&config, &grown);
    assert_eq!(again, 0, "{said}");
    assert!(said.contains("5 pairs are taken over"), "{said}");
    played(&config, &whole);
    // The verdict equals that of a gate that played all pairs itself.
    let [one, other] =
        [&grown, &whole].map(|store| stdout(&run(&["gate", &config, "--store", store, "--json"])));
    assert_eq!(one, other);
    let [one, other] = [&grown, &whole].map(|store| stdout(&run(&["report", store, "--pgn", "-"])));
    assert_eq!(one, other);
    let verified = run(&["verify", &grown]);
    assert!(verified.status.success(), "{}", stdout(&verified));
    // With a clock, each gate plays its own pairs.
    let text = std::fs::read_to_string(&config).expect("a config");
    let timed = text.replace("nodes = ", "movetime = \"1ms\"\n#");
    assert_ne!(text, timed);
    let timed = sandbox.write("timed.toml", &timed);
    let [first, other] = ["elo1 = 2", "elo1 = 3"].map(|bounds| {
        let text = std::fs::read_to_string(&timed).expect("a config");
        sandbox.write("bounds.toml", &text.replace("elo1 = 2", bounds));
        played(&sandbox.path("bounds.toml"), &grown).0
    });
    // Fewer than five if a busy machine causes repeated losses on time.
    assert!(first > 0 && other > 0, "{first} {other}");
}
