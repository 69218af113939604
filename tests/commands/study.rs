//! Studies and the bench as a user runs them.

mod refusals;
mod resume;

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::Value;

use crate::common::{Sandbox, json, project, run, stderr, stdout};
use leitai_config::{default_variant, load};
use leitai_game::Line;
use leitai_game::card::{Game, GameChoice, typed};
use leitai_game::search::{Search, SearchLimits};
use leitai_games::othello::{Othello, OthelloRules};
use leitai_players::schedule::Book;
use leitai_runs::study::{Cell, Cells, Iteration, Measure as _, Task};

/// A study of three orders on the 20 middlegames.
fn small_study(depth: u32, more: &str) -> String {
    let suite = project("openings/xiangqi-midgame20.epd");
    let suite = suite.to_str().expect("UTF-8");
    format!(
        r#"
game = "xiangqi"
seed = 5

[study]
suite = {suite:?}
depth = {depth}
resamples = 200
{more}

[[variant]]
name = "by-piece"
search = {{ ordering = ["by-piece"], quiescence = false, rules = false, table_mb = 0 }}

[[variant]]
name = "captures"
base = "by-piece"
search = {{ ordering = ["good-captures", "by-piece"] }}

[[variant]]
name = "figure-2"
base = "by-piece"
search = {{ ordering = ["good-captures", "killers", "history"] }}
"#
    )
}

/// A built-in suite equals the file that it was built from.
#[test]
fn a_suite_can_be_one_that_the_program_brings() {
    let sandbox = Sandbox::new();
    let text = small_study(2, "");
    let suite = project("openings/xiangqi-midgame20.epd");
    let brought = text.replace(suite.to_str().expect("UTF-8"), "leitai:xiangqi-midgame");
    let answers = [text, brought].map(|text| {
        let config = sandbox.write("study.toml", &text);
        let answer = json(&["study", "--no-resume", &config, "--json"]);
        without_seconds(answer["variants"].clone())
    });
    assert_eq!(answers[0][0]["name"], "by-piece");
    assert!(answers[0] == answers[1]);
}

/// Removes the times of a JSON value.
fn without_seconds(mut value: Value) -> Value {
    match &mut value {
        Value::Object(members) => {
            members.retain(|key, _| !key.contains("seconds"));
            members
                .values_mut()
                .for_each(|it| *it = without_seconds(it.take()));
        }
        Value::Array(values) => values
            .iter_mut()
            .for_each(|it| *it = without_seconds(it.take())),
        _ => {}
    }
    value
}

#[test]
fn a_study_is_the_same_for_any_number_of_threads() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("study.toml", &small_study(3, "nodes = 9_000"));
    let study = |threads: &str| {
        let file = |name: &str| sandbox.path(&format!("{name}-{threads}"));
        let files = ["cells.csv", "summary.csv", "svg"].map(file);
        let [cells, summary, svg] = &files;
        let output = run(&[
            "study",
            "--no-resume",
            &config,
            "--threads",
            threads,
            "--no-times",
            &format!("--csv={cells}"),
            "--summary-csv",
            summary,
            &format!("--svg={svg}"),
        ]);
        assert!(output.status.success(), "{}", stderr(&output));
        let read = |path: &Path| std::fs::read_to_string(path).unwrap();
        let svg = ["nodes.svg", "ratio.svg"].map(|name| read(&Path::new(svg).join(name)));
        let json = run(&[
            "study",
            "--no-resume",
            &config,
            "--threads",
            threads,
            "--no-times",
            "--json",
        ]);
        let written = [read(Path::new(cells)), read(Path::new(summary))];
        (stdout(&output), written, svg, stdout(&json))
    };
    let (text, written, svg, json) = study("1");
    assert_eq!((text.clone(), written, svg, json.clone()), study("3"));
    assert!(!text.contains("ms") && !json.contains("seconds"));
    assert!(
        text.contains("Given up beyond 9 000 nodes in one search"),
        "{text}"
    );
}

/// Values of the order of moves change the nodes alone; a common factor changes nothing.
#[test]
fn values_of_an_order_are_compared() {
    let sandbox = Sandbox::new();
    let text = small_study(3, "")
        + r#"
[[variant]]
name = "twice"
base = "captures"
search = { capture_values = { rook = 20, cannon = 10, horse = 8, advisor = 4, elephant = 4, pawn = 2, crossed_pawn = 4 } }

[[variant]]
name = "flat"
base = "captures"
search = { capture_values = { rook = 1, cannon = 1, horse = 1, advisor = 1, elephant = 1, crossed_pawn = 1 } }

[[variant]]
name = "king-first"
base = "captures"
search = { quiet_order = { king = 100 } }
"#;
    let config = sandbox.write("study.toml", &text);
    let figures = json(&["study", "--no-resume", &config, "--json"]);
    let at = |name: &str| {
        let variants = figures["variants"].as_array().unwrap();
        let variant = variants.iter().find(|it| it["name"] == name);
        let last = &variant.expect(name)["depths"][2];
        assert_eq!(last["differs"]["scores"], 0, "{name}");
        last["nodes"]["mean"].as_f64().unwrap()
    };
    let usual = at("captures");
    assert_eq!(at("twice").to_bits(), usual.to_bits());
    for other in ["flat", "king-first"] {
        assert!(at(other).to_bits() != usual.to_bits(), "{other}");
    }
}

#[test]
fn orders_differ_in_nodes_and_not_in_scores() {
    let sandbox = Sandbox::new();
    let config = sandbox.write("study.toml", &small_study(3, ""));
    let figures = json(&["study", "--no-resume", &config, "--json"]);
    assert_eq!(figures["positions"], 20);
    for (index, variant) in figures["variants"].as_array().unwrap().iter().enumerate() {
        let depths = variant["depths"].as_array().unwrap();
        assert_eq!(depths.len(), 3);
        for (depth, at) in depths.iter().enumerate() {
            assert_eq!(at["differs"]["scores"], 0);
            let versus = &at["nodes"]["versus_first"]["ratio"];
            assert_eq!(versus.is_null(), index == 0);
            let high = versus["high"].as_f64().unwrap_or(0.0);
            assert!(
                depth == 0 || high < 1.0,
                "{} at {depth}: {high}",
                variant["name"]
            );
            let seconds = at["total_seconds"]["mean"].as_f64().unwrap();
            assert!(seconds > 0.0 && seconds < 10.0);
        }
        // Depth 1 makes every move once.
        let mean = depths[0]["nodes"]["mean"].as_f64();
        assert_eq!(mean, figures["mean_moves"].as_f64());
    }
}

/// Without deepening each depth is a separate search: there is no total, and each has its own node
/// limit.
#[test]
fn depths_that_are_searched_afresh_do_not_add_up() {
    let sandbox = Sandbox::new();
    let text = small_study(3, "nodes = 9_000").replace(
        "name = \"figure-2\"\nbase = \"by-piece\"\nsearch = {",
        "name = \"afresh\"\nbase = \"by-piece\"\nsearch = { deepening = false,",
    );
    let config = sandbox.write("study.toml", &text);
    let cells = sandbox.path("cells.csv");
    let figures = json(&[
        "study",
        "--no-resume",
        &config,
        "--json",
        "--no-times",
        &format!("--csv={cells}"),
    ]);
    let flags = figures["variants"].as_array().unwrap().iter();
    let flags = flags.map(|variant| variant["deepening"].as_bool());
    assert_eq!(
        flags.collect::<Vec<_>>(),
        [Some(true), Some(true), Some(false)]
    );
    let cells = std::fs::read_to_string(cells).unwrap();
    let rows = cells
        .lines()
        .skip(1)
        .map(|row| row.split(',').collect::<Vec<_>>());
    for row in rows {
        let [depth, nodes, total]: [u64; 3] = [2, 3, 4].map(|at| row[at].parse().unwrap());
        assert!(total <= 9_000);
        assert_eq!(nodes == total, row[0] == "afresh" || depth == 1, "{row:?}");
    }
    let text = stdout(&run(&["study", "--no-resume", &config, "--total"]));
    assert!(text.contains("Nodes of the whole search to each depth"));
    assert!(
        text.contains("without earlier iterations, for `afresh`"),
        "{text}"
    );
}

#[test]
fn a_cell_equals_a_separate_search() {
    let text = include_str!("../../crates/othello/src/bench.epd");
    let suite = Book::parse(leitai_games::othello::card(), text, "suite").unwrap();
    let game = GameChoice::usual(leitai_games::othello::card());
    let variant = default_variant(game).unwrap();
    let variants = [variant.clone(), variant.clone()];
    let task = Task {
        game,
        variants: &variants,
        suite: &suite,
        depth: 4,
        nodes: None,
    };
    let (calm, threads) = (AtomicBool::new(false), NonZeroUsize::new(2).unwrap());
    let mut cells = Cells::empty(task.size());
    let mut heard = 0;
    let hear = |_, _: &Cell| -> Result<(), ()> {
        heard += 1;
        Ok(())
    };
    cells.fill(&task, threads, &calm, hear).unwrap();
    assert_eq!(heard, 2 * suite.len());
    for (index, opening) in suite.iter().enumerate() {
        let cell = cells.iterations(1, index);
        let timeless = |it: &Iteration| Iteration {
            time: Duration::ZERO,
            total_time: Duration::ZERO,
            ..it.clone()
        };
        let both = [0, 1].map(|variant| cells.iterations(variant, index).iter().map(timeless));
        let [first, second] = both.map(Iterator::collect::<Vec<_>>);
        assert_eq!(first, second);
        for (depth, iteration) in (1..).zip(cell) {
            let evaluation = Othello::evaluation(&variant.eval, OthelloRules::default()).unwrap();
            let mut alone = Search::new(variant.search.clone(), evaluation);
            let limits = SearchLimits {
                nodes: None,
                depth: Some(depth),
            };
            let line = Line::new(*typed::<Othello>(&*opening.position()).unwrap());
            let report = alone.run(&line, OthelloRules::default(), &limits);
            assert_eq!(report.nodes, iteration.total_nodes);
            assert_eq!(
                (report.score, report.best),
                (iteration.score, iteration.best)
            );
        }
        let probes = |it: &Iteration| it.counters.table_probes;
        assert!(cell.iter().map(probes).sum::<u64>() > 0);
        let sum: u64 = cell.iter().map(|iteration| iteration.nodes).sum();
        assert_eq!(sum, cell[3].total_nodes);
    }
    let mut cancelled = Cells::empty(task.size());
    let ignore = |_, _: &Cell| Ok::<(), ()>(());
    cancelled
        .fill(&task, threads, &AtomicBool::new(true), ignore)
        .unwrap();
    assert_eq!(cancelled.progress(), (2 * suite.len(), 0));
}

#[test]
fn the_ready_studies_are_sound() {
    for (file, variants) in [
        ("configs/study-table-1.toml", 5),
        ("configs/study-table-2.toml", 4),
        ("configs/study-table-3.toml", 3),
        ("configs/study-orderings.toml", 14),
        ("configs/study-algorithms.toml", 8),
        ("configs/study-heuristics.toml", 41),
        ("configs/study-claims.toml", 18),
    ] {
        let loaded = load(&project(file), &[], &leitai_games::all())
            .unwrap_or_else(|error| panic!("{error}"));
        assert!(loaded.warnings.is_empty(), "{}", loaded.warnings);
        assert_eq!(loaded.config.variants.len(), variants);
        let suite = std::fs::read_to_string(loaded.study.unwrap().suite).unwrap();
        let suite = Book::parse(leitai_games::xiangqi::card(), &suite, file).unwrap();
        assert_eq!((suite.len(), suite.duplicates.len()), (20, 0));
    }
}

/// The same for Othello: its suite is read, and every order finds the same scores.
#[test]
fn orders_of_othello_differ_in_nodes_and_not_in_scores() {
    let config = project("configs/study-othello.toml");
    // A small table, because each of 600 searches allocates one.
    let small = "variant.shuffled.search.table_mb=1".parse().unwrap();
    let loaded =
        load(&config, &[small], &leitai_games::all()).unwrap_or_else(|error| panic!("{error}"));
    assert!(loaded.warnings.is_empty(), "{}", loaded.warnings);
    let suite = std::fs::read_to_string(loaded.study.as_ref().unwrap().suite.clone()).unwrap();
    let suite = Book::parse(leitai_games::othello::card(), &suite, "suite").unwrap();
    assert_eq!((suite.len(), suite.duplicates.len()), (40, 0));
    let task = Task {
        game: loaded.config.game,
        variants: &loaded.config.variants,
        suite: &suite,
        depth: 3,
        nodes: None,
    };
    let mut cells = Cells::empty(task.size());
    let threads = NonZeroUsize::MIN;
    let ignore = |_, _: &Cell| Ok::<(), ()>(());
    cells
        .fill(&task, threads, &AtomicBool::new(false), ignore)
        .unwrap();
    let figures = leitai_runs::study::Figures::new(&task, &cells, (1, 100), false);
    assert_eq!(figures.variants.len(), 15);
    let nodes = |name: &str| {
        let mut variants = figures.variants.iter();
        let variant = variants.find(|variant| variant.name == name).unwrap();
        for at in &variant.depths {
            assert_eq!((at.positions, at.differs.scores), (40, 0), "{name}");
        }
        variant.depths[2].nodes.mean.unwrap()
    };
    for variant in &figures.variants {
        let name = &variant.name;
        assert!(
            name == "shuffled" || (nodes(name) - nodes("shuffled")).abs() > 1e-9,
            "{name}"
        );
    }
    assert!(nodes("fastest-first") < nodes("shuffled"));
}

/// A position searched to the end of the game has no deeper iteration: deeper figures leave it out,
/// and the report gives the reason.
#[test]
fn positions_near_the_end_are_left_out_beyond_it() {
    let sandbox = Sandbox::new();
    let late = "XXXXXXXXXOOOOOOXXOOXXOOXXOXOOXOXXOOXOOOXXOXOOXOXXOOOOOX-XXXXX--O X;";
    let suite = sandbox.write("late.epd", late);
    let config = format!(
        "game = \"othello\"\n[study]\nsuite = {suite:?}\ndepth = 9\n[[variant]]\nname = \"one\"\n"
    );
    let config = sandbox.write("study.toml", &config);
    let output = run(&["study", "--no-resume", &config, "--no-times"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    let words: Vec<&str> = text.split_whitespace().collect();
    let words = words.join(" ");
    assert!(
        words.contains("Searched to the end of the game before: `one` 1 at depth 5,"),
        "{text}"
    );
    assert!(words.contains("`one` 1 at depth 9. Such a"), "{text}");
}

/// The signature of the search. A change of the search must change these numbers and declare it.
#[test]
fn the_bench_is_pinned() {
    for (game, positions, nodes) in [
        ("xiangqi", 20, 524_740),
        ("othello", 8, 68_802),
        ("chess", 24, 756_153),
    ] {
        let bench = json(&["bench", game, "--json"]);
        let rows = bench["positions"].as_array().unwrap();
        assert_eq!(rows.len(), positions);
        let sum: u64 = rows.iter().map(|row| row["nodes"].as_u64().unwrap()).sum();
        assert_eq!(
            (sum, bench["nodes"].as_u64()),
            (nodes, Some(nodes)),
            "{game}"
        );
    }
    let shallow = json(&["bench", "--depth", "1", "--json"]);
    assert_eq!(shallow["depth"], 1);
    assert!(stdout(&run(&["bench", "othello", "-d", "2"])).contains("nodes/second"));
}
