//! Speed of the search in nodes per second: `cargo bench --bench search`.
//! With `-- --nodes` it prints instead how many nodes orderings need by depth,
//! which takes some minutes.

#[path = "../tests/common/mod.rs"]
mod common;

use divan::Bencher;
use divan::counter::ItemsCount;
use leitai::eval::xiangqi::XiangqiEvaluation;
use leitai::game::Line;
use leitai::game::xiangqi::{Xiangqi, XiangqiRules};
use leitai::search::{Search, SearchLimits, SearchParams, Stage};

fn main() {
    if std::env::args().any(|arg| arg == "--nodes") {
        print_nodes();
    } else {
        divan::main();
    }
}

/// Nodes per position.
const NODES: u64 = 50_000;

fn search(params: SearchParams) -> Search<Xiangqi, XiangqiEvaluation> {
    Search::new(params, common::tutorial_evaluation())
}

/// Searches the 20 positions up to a number of nodes each, so that an item is a
/// node.
fn speed(bencher: Bencher<'_, '_>, params: SearchParams) {
    let mut search = search(params);
    let lines: Vec<_> = common::middlegames().into_iter().map(Line::new).collect();
    let limits = SearchLimits {
        nodes: Some(NODES),
        depth: None,
    };
    bencher
        .counter(ItemsCount::new(NODES as usize * lines.len()))
        .bench_local(|| {
            for line in &lines {
                search.new_game();
                let rules = XiangqiRules::default();
                let report = search.run(line, rules, &limits, &|| false, None);
                assert_eq!(report.nodes, NODES);
            }
        });
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn full(bencher: Bencher<'_, '_>) {
    speed(bencher, SearchParams::default());
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn without_rules(bencher: Bencher<'_, '_>) {
    let rules = false;
    speed(
        bencher,
        SearchParams {
            rules,
            ..SearchParams::default()
        },
    );
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn without_table_and_quiescence(bencher: Bencher<'_, '_>) {
    speed(
        bencher,
        plain(vec![Stage::GoodCaptures, Stage::Killers, Stage::History]),
    );
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn by_piece(bencher: Bencher<'_, '_>) {
    speed(bencher, plain(vec![Stage::ByPiece]));
}

/// Fixed depth with nothing but an ordering.
fn plain(ordering: Vec<Stage>) -> SearchParams {
    SearchParams {
        ordering,
        quiescence: None,
        table_mb: 0,
        rules: false,
        ..SearchParams::default()
    }
}

#[expect(clippy::print_stdout, reason = "this is what it is for")]
fn print_nodes() {
    use Stage::{ByPiece, GoodCaptures, History, Killers, Tt};
    let figure_2 = vec![Tt, GoodCaptures, Killers, History];
    let orderings = [
        ("by-piece, plain", plain(vec![ByPiece]), 6),
        ("figure 2, plain", plain(figure_2.clone()), 6),
        (
            "figure 2, table",
            SearchParams {
                table_mb: 16,
                ..plain(figure_2)
            },
            8,
        ),
        ("everything", SearchParams::default(), 8),
    ];
    println!("mean nodes (moves made below the root) of the iteration to each depth");
    for (name, params, depth) in orderings {
        let mut search = search(params);
        let mut totals = vec![0; depth as usize];
        for position in common::middlegames() {
            search.new_game();
            let mut before = 0;
            search.run(
                &Line::new(position),
                XiangqiRules::default(),
                &SearchLimits {
                    nodes: None,
                    depth: Some(depth),
                },
                &|| false,
                Some(&mut |report| {
                    totals[report.depth as usize - 1] += report.nodes - before;
                    before = report.nodes;
                }),
            );
        }
        let means: Vec<u64> = totals.iter().map(|total| total / 20).collect();
        println!("{name:18} {means:?}");
    }
}
