//! The pairs that are evidence for a gate: laps through a book, openings that lead into each other,
//! variants with equal games.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use crate::common::gates::{UP, gate, play};
use crate::common::{Sandbox, json, project, run, stderr, stdout};
use leitai_config::parse;
use leitai_players::play::PairRecord;
use leitai_players::schedule::{Book, PairSpec};
use leitai_runs::gate::Trials;
use leitai_runs::store::{Mode, Store};
use leitai_runs::tournament::{self, Goal, Plan, Replay};
use leitai_stats::Pentanomial;
use serde_json::Value;

/// A book of two openings and a gate that continues beyond it: the same pairs for any number of
/// threads, all of them evidence, and all reproducible.
#[test]
fn a_gate_goes_on_beyond_its_book() {
    let sandbox = Sandbox::new();
    let book = sandbox.write("two.txt", "h2e2h9g7\nc3c4g6g5\n");
    let text = gate(&format!("{UP}\nmax_pairs = 24")).replace(
        &format!("file = {:?}", project("openings/xiangqi.epd")),
        &format!("file = {book:?}"),
    );
    let config = sandbox.write("two.toml", &text);
    let (one, other) = (sandbox.path("one.sqlite"), sandbox.path("other.sqlite"));
    let (exit, answer) = play(&config, &one, "1");
    let again = play(&config, &other, "3");
    assert_eq!(
        (exit, &answer["candidates"]),
        (again.0, &again.1["candidates"])
    );
    let pairs = answer["candidates"][0]["pairs"].as_u64().unwrap();
    assert!(pairs > 2, "{answer}");
    let printed = |arguments: &[&str]| {
        let mut all = arguments.to_vec();
        all.push(&one);
        let output = run(&all);
        assert!(output.status.code() != Some(2), "{}", stderr(&output));
        stdout(&output)
    };
    assert!(printed(&["verify"]).contains(" 0 different"));
    let pgn = printed(&["report", "--pgn", "-"]);
    let starts: std::collections::BTreeSet<&str> = pgn
        .lines()
        .filter(|line| line.starts_with("[FEN "))
        .collect();
    assert!(starts.len() as u64 > pairs / 2, "{starts:?}");
    assert_eq!(answer["candidates"][0]["book_openings"], 2);
    let table = printed(&["report"]);
    assert!(
        table.contains("2 from the book, ") && table.contains(" replacements in later laps"),
        "{table}"
    );
}

/// Warnings before the first game: two variants are one player, openings lead into each other, a
/// book is too short for the number of different pairs.
#[test]
fn uninformative_gates_are_reported_before_play() {
    let sandbox = Sandbox::new();
    let said = |arguments: &[&str]| stderr(&run(arguments));
    let store = sandbox.path("same.sqlite");
    // The same numbers in another notation.
    let same = "\n[[variant]]\nname = \"same\"\nbase = \"plain\"\nlimits = { nodes = 80 }\n";
    let table =
        |candidate: &str| format!("base = \"plain\"\ncandidate = {candidate:?}\nmax_pairs = 3");
    let config = sandbox.write("same.toml", &(gate(&table("same")) + same));
    let one_player = "`same` and `plain` resolve to the same player";
    for command in [
        &["check", &config][..],
        &["gate", &config, "--plan", "--store", &store],
        &["gate", &config, "-q", "--store", &store],
    ] {
        assert!(said(command).contains(one_player), "{command:?}");
    }
    let of = |answer: &Value| answer["candidates"][0]["same_player"].clone();
    assert_eq!(of(&play(&config, &store, "1").1), true);
    let text = gate(&table("same")) + same;
    let text = text.replace(
        &format!("[gate]\n{}", table("same")),
        "[tournament]\npairs = 2",
    );
    let tournament = sandbox.write("run.toml", &text);
    let other = sandbox.path("run.sqlite");
    let began = said(&["run", &tournament, "-q", "--store", &other]);
    assert!(began.contains("resolve to the same player"), "{began}");
    assert!(!said(&["run", &tournament, "-q", "--store", &other]).contains("resolve to"));
    let own = same.replace("80", "81");
    let config = sandbox.write("own.toml", &(gate(&table("same")) + &own));
    assert!(!said(&["check", &config]).contains("same player"));
    assert_eq!(
        of(&play(&config, &sandbox.path("own.sqlite"), "1").1),
        false
    );

    let over = |book: &str, terms: &str| {
        let book = sandbox.write("book.txt", book);
        let shipped = format!("{:?}", project("openings/xiangqi.epd"));
        let text = gate(&format!("base = \"plain\"\ncandidate = \"full\"{terms}"))
            .replace(&shipped, &format!("{book:?}"));
        sandbox.write("book.toml", &text)
    };
    let config = over("h2e2\nh2e2h9g7h0g2\nh2e2h9g7\n", "\nelo1 = 100");
    let store = sandbox.path("book.sqlite");
    for command in [
        &["check", &config][..],
        &["gate", &config, "--plan", "--store", &store],
    ] {
        let said = said(command);
        assert!(
            said.contains("3 of 3 openings lead into each other"),
            "{said}"
        );
    }
    let config = over("h2e2h9g7\n", "");
    let checked = said(&["check", &config]);
    assert!(!checked.contains("lead into each other"), "{checked}");
    assert!(
        checked.contains("no more can differ in a book of 1 opening"),
        "{checked}"
    );
    // So far apart, the hypotheses need few pairs.
    let config = over("h2e2h9g7\n", "\nelo1 = 100");
    let plan = json(&["gate", &config, "--plan", "--json", "--store", &store]);
    let different = plan["together"]["different_pairs"].as_u64().unwrap();
    assert!((500..2500).contains(&different), "{plan}");
    let plan = stdout(&run(&["gate", &config, "--plan", "--store", &store]));
    assert!(
        plan.contains(&format!("at most {different} different pairs")),
        "{plan}"
    );
    assert!(!plan.contains("a larger `max_pairs`"), "{plan}");
}

/// A variant with a difference that its search does not use.
fn no_change(table: &str) -> String {
    gate(&format!(
        "base = \"plain\"\ncandidate = \"renamed\"\n{table}"
    )) + "\n[[variant]]\nname = \"renamed\"\neval = { material = { king = 4000 } }\n"
}

#[test]
fn a_change_without_effect_is_reported() {
    let sandbox = Sandbox::new();
    for (name, table, code, failures) in [
        ("logistic", "elo1 = 5", 1, "failures=\"1\""),
        ("strict", "elo1 = 5\ntest = \"strict\"", 1, "failures=\"1\""),
        (
            "normalized",
            "elo1 = 5\nmodel = \"normalized\"",
            1,
            "failures=\"1\"",
        ),
        ("harmless", "elo0 = -5\nelo1 = 0", 0, "failures=\"0\""),
    ] {
        let config = sandbox.write(&format!("{name}.toml"), &no_change(table));
        let store = sandbox.path(&format!("{name}.sqlite"));
        let (exit, answer) = play(&config, &store, "2");
        assert_eq!(
            (exit, &answer["played_alike"]),
            (code, &true.into()),
            "{name}"
        );
        let candidate = &answer["candidates"][0];
        assert_eq!(
            (&candidate["pairs"], &candidate["alike_pairs"]),
            (&30.into(), &30.into())
        );
        assert_eq!(candidate["passed"], code == 0);
        let sentence = candidate["sentence"].as_str().unwrap();
        assert!(
            sentence.contains("played identical games in 30 of 30 pairs"),
            "{sentence}"
        );
        // 1 - 0.05^(1/30).
        assert!(
            sentence.contains("at most 9.5 % of the pairs"),
            "{sentence}"
        );
        let xml = run(&["report", &store, "--junit", "-"]);
        assert!(stdout(&xml).contains(failures), "{}", stdout(&xml));
    }
    // Fewer pairs than are required: the same, and the remaining share.
    let looks = "test = \"group-sequential\"\nmax_pairs = 12";
    for (name, hypotheses, code) in [
        ("few-harmless", "elo0 = -10\nelo1 = 5", 0),
        ("few", "elo1 = 5", 1),
    ] {
        let config = sandbox.write(
            &format!("{name}.toml"),
            &no_change(&format!("{hypotheses}\n{looks}")),
        );
        let (exit, answer) = play(&config, &sandbox.path(&format!("{name}.sqlite")), "2");
        assert_eq!(
            (exit, &answer["played_alike"]),
            (code, &true.into()),
            "{answer}"
        );
        let sentence = answer["candidates"][0]["sentence"].as_str().unwrap();
        // 1 - 0.05^(1/12).
        for part in [
            "played identical games in 12 of 12 pairs",
            "at most 22.1 %",
            "`alike_pairs` is 30",
        ] {
            assert!(sentence.contains(part), "{sentence}");
        }
    }
    let config = sandbox.write("off.toml", &no_change("alike_pairs = 0\nmax_pairs = 40"));
    let (exit, answer) = play(&config, &sandbox.path("off.sqlite"), "2");
    assert_eq!((exit, &answer["played_alike"]), (3, &false.into()));
    // A run prints the same.
    let text = no_change("").replace("base = \"plain\"\ncandidate = \"renamed\"", "");
    let text = text.replace("[gate]", "[tournament]\npairs = 12\nformat = \"gauntlet\"\nchallengers = [\"renamed\"]\nopponents = [\"plain\"]");
    let config = sandbox.write("run.toml", &text);
    let said = run(&[
        "run",
        &config,
        "--store",
        &sandbox.path("run.sqlite"),
        "--quiet",
    ]);
    let (said, wrong) = (stdout(&said), stderr(&said));
    assert!(
        said.contains("played identical games in 12 of 12 pairs"),
        "{said}{wrong}"
    );
}

/// A book of the positions after every ply of some games, as a user creates one.
fn book_of_lines(sandbox: &Sandbox, pairs: u32, plies: u32) -> String {
    let text = gate("").replace("[gate]", &format!("[tournament]\npairs = {pairs}\nformat = \"gauntlet\"\nopponents = [\"full\"]\nchallengers = [\"plain\"]"));
    let config = sandbox.write("source.toml", &text);
    let store = sandbox.path("source.sqlite");
    assert!(
        run(&["run", &config, "--store", &store, "--quiet"])
            .status
            .success()
    );
    let plies = format!("0..{plies}");
    let arguments = ["convert", &store, "--every", "--unique", "--plies", &plies];
    let written = run(&[&arguments[..], &["--to", "epd"]].concat());
    let warned = stderr(&written);
    assert!(warned.contains("lead into each other"), "{warned}");
    sandbox.write("lines.epd", &stdout(&written))
}

#[test]
fn openings_that_lead_into_each_other_are_one_piece_of_evidence() {
    let sandbox = Sandbox::new();
    let book = book_of_lines(&sandbox, 3, 16);
    let checked = run(&["openings", "check", "xiangqi", &book]);
    assert!(checked.status.success());
    assert!(stdout(&checked).contains("lead into each other"));
    assert!(stderr(&checked).contains("--ply N"), "{}", stderr(&checked));
    let checked = json(&["openings", "check", "xiangqi", &book, "--json"]);
    let openings = checked["openings"].as_u64().unwrap();
    let related = checked["related_openings"].as_u64().unwrap();
    assert!(2 * related > openings, "{checked}");
    assert!(checked["leads"][0][0].is_u64());
    let shipped = project("openings/xiangqi.epd");
    let shipped = shipped.to_str().unwrap();
    let few = json(&["openings", "check", "xiangqi", shipped, "--json"]);
    assert!(few["related_openings"].as_u64().unwrap() <= 20, "{few}");

    // Two variants that differ only in the order of equal moves.
    let text = gate("base = \"a\"\ncandidate = \"b\"\nelo1 = 30").replace(
        &format!("{shipped:?}"),
        &format!("{book:?}\nexhausted = \"error\""),
    ) + "\n[[variant]]\nname = \"a\"\nsearch = { ordering = [\"tt\", \"shuffled\"], shuffle_seed = 1 }\n"
        + "\n[[variant]]\nname = \"b\"\nsearch = { ordering = [\"tt\", \"shuffled\"], shuffle_seed = 2 }\n";
    let config = sandbox.write("null.toml", &text);
    let store = sandbox.path("null.sqlite");
    let (exit, answer) = play(&config, &store, "2");
    let candidate = &answer["candidates"][0];
    let number = |key: &str| candidate[key].as_u64().unwrap();
    assert_eq!(exit, 3, "{answer}");
    assert!(2 * number("unrelated_pairs") <= number("pairs"), "{answer}");
    assert_eq!(candidate["error_rates_hold"], true);
    assert!(candidate["error_rates_reason"].is_null());
    assert!(candidate.get("error_rates_reason").is_some());
    // The number of openings is over all counted pairs, each with its own.
    assert_eq!(number("distinct_openings"), number("pairs"));
    assert_eq!(number("book_openings"), number("pairs"));
    assert!(number("openings_needed") > 100, "{answer}");
    let said = stdout(&run(&["report", &store]));
    assert!(
        said.contains("lead into each other") && said.contains("unrelated"),
        "{said}"
    );
    // A run prints the number of clusters behind its intervals.
    let text = text.replace("[gate]\nbase = \"a\"\ncandidate = \"b\"\nelo1 = 30", "[tournament]\npairs = 40\nformat = \"gauntlet\"\nopponents = [\"a\"]\nchallengers = [\"b\"]");
    let config = sandbox.write("run.toml", &text);
    let store = sandbox.path("run.sqlite");
    assert!(
        run(&["run", &config, "--store", &store, "--quiet"])
            .status
            .success()
    );
    let report = json(&["report", &store, "--json"]);
    assert!(
        report["related_openings"].as_u64().unwrap() > 10,
        "{report}"
    );
    assert!(report["effective_pairs"].as_u64().unwrap() < 30, "{report}");
    assert!(report["variants"][0]["estimate"].is_object());
    assert!(report["error_rates_hold"].is_boolean());
}

/// Gates over the same pairs, by the names of [`GATES`].
#[derive(Clone)]
struct Gates(Vec<Trials>);

/// Tests with a finite book and with a book followed by random plies; and a test that treats all
/// pairs as independent.
const GATES: [(&str, &str, &str); 5] = [
    ("gsprt, error", "gsprt", "error"),
    ("strict, error", "strict", "error"),
    ("gsprt, vary", "gsprt", "vary"),
    ("strict, vary", "strict", "vary"),
    ("gsprt, error, all pairs taken", "gsprt", "error"),
];
const ALL_TAKEN: usize = 4;

impl Goal for Gates {
    fn wants(&self, pairing: usize) -> bool {
        self.0.iter().any(|trials| trials.wants(pairing))
    }

    fn take(&mut self, spec: &PairSpec, record: &PairRecord, replay: &Replay) -> bool {
        let nothing = Replay::default();
        for (number, trials) in self.0.iter_mut().enumerate() {
            if trials.wants(spec.pairing) {
                let seen = if number == ALL_TAKEN {
                    &nothing
                } else {
                    replay
                };
                trials.take(spec, record, seen);
            }
        }
        !self.wants(spec.pairing)
    }
}

/// Results of gates (0, 30) between two variants that differ in the order of equal moves and, if
/// `NODES` is set, in the nodes of the candidate (100, like the base's: equal players), on a book
/// of the positions after every ply of the games of `LINES` pairs, or on `BOOK`. Plays `TRIALS`
/// trials from number `FIRST` on, which is their seed.
///
///     TRIALS=300 LINES=12 cargo test --release --test all gate_evidence -- --ignored --nocapture
#[test]
#[ignore = "measures for the documentation: hours"]
fn gates_on_related_openings() {
    let number = |name: &str, usual: u64| {
        std::env::var(name).map_or(usual, |text| text.parse().expect("a number"))
    };
    let (trials, first) = (number("TRIALS", 300), number("FIRST", 0));
    let sandbox = Sandbox::new();
    let book = std::env::var("BOOK")
        .unwrap_or_else(|_| book_of_lines(&sandbox, number("LINES", 12) as u32, 24));
    let book = std::fs::read_to_string(book).expect("a book");
    println!("{} openings", book.lines().count());
    let mut ended: Vec<BTreeMap<String, u64>> = vec![BTreeMap::new(); GATES.len()];
    let mut all = Pentanomial::default();
    for trial in first..first + trials {
        let plans = GATES.map(|(_, test, exhausted)| {
            let text = equal_gate(test, exhausted, number("NODES", 100), trial);
            let config = parse(&text, "gate.toml", &leitai_games::all())
                .expect("a good config")
                .config;
            let book = Book::parse(leitai_games::xiangqi::card(), &book, "book").expect("a book");
            Plan::new(config, book).expect("enough")
        });
        let of = |plan: &Plan| {
            let gate = plan.config.gate.as_ref().expect("a gate");
            Trials::of(gate, plan).expect("a test")
        };
        let gates = Gates(plans.iter().map(of).collect());
        // The first lap is the same for both kinds of books.
        let plan = &plans[2];
        let store = sandbox.path(&format!("{trial}.sqlite"));
        let opened = Store::open(&store, Mode::Write).expect("a store");
        let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let stop = leitai_players::play::Cancel::new();
        let played = tournament::play_for(&gates, plan, &opened, threads, &stop, &mut ());
        let (_, Gates(gates)) = played.expect("played");
        drop(opened);
        std::fs::remove_file(store).expect("was there");
        for (ended, trials) in ended.iter_mut().zip(&gates) {
            let (verdict, trial) = (trials.verdict(), &trials.candidates[0]);
            let verdict = format!("{:?}", verdict.expect("a verdict"));
            let verdict = verdict.split('(').next().expect("a word").to_owned();
            print!(
                "{verdict} {} of {}, ",
                trial.pairs(),
                trials.standings.played
            );
            *ended.entry(verdict).or_default() += 1;
        }
        println!("trial {trial}");
        for (_, tally) in gates[3].standings.tallies() {
            for (cell, more) in all.0.iter_mut().zip(tally.pairs.0) {
                *cell += more;
            }
        }
    }
    let points = (1..)
        .zip(&all.0[1..])
        .map(|(points, &pairs)| points * pairs);
    let score = points.sum::<u64>() as f64 / (4 * all.pairs()) as f64;
    println!(
        "{:+.1} Elo over all pairs",
        -400.0 * libm::log10(1.0 / score - 1.0)
    );
    for ((name, _, _), ended) in GATES.iter().zip(&ended) {
        println!("{name}: {ended:?} of {trials}");
    }
}

fn equal_gate(test: &str, exhausted: &str, nodes: u64, trial: u64) -> String {
    let ordering = "ordering = [\"tt\", \"mvv-lva\", \"shuffled\"]";
    let text = gate(&format!(
        "base = \"a\"\ncandidate = \"b\"\nelo1 = 30\ntest = \"{test}\""
    ));
    let text = text.replace("seed = 7", &format!("seed = {}", 1000 + trial));
    let text = text.replace("nodes = 80", "nodes = 100");
    let book = format!("[openings]\nexhausted = \"{exhausted}\"");
    let text = text.replace("[openings]", &book);
    let variant = |name: &str, nodes: u64, seed: u64| {
        format!(
            "\n[[variant]]\nname = \"{name}\"\nlimits = {{ nodes = {nodes} }}\n\
             search = {{ {ordering}, shuffle_seed = {seed} }}\n"
        )
    };
    text + &variant("a", 100, 2 * trial + 1) + &variant("b", nodes, 2 * trial + 2)
}
