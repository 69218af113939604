//! Speed of the search in nodes per second: `cargo bench --bench core -- search`. `leitai study` reports
//! the number of nodes that a search needs.

use crate::positions;
use divan::Bencher;
use divan::counter::ItemsCount;
use leitai_config::{eval_preset, search_preset};
use leitai_game::Line;
use leitai_game::card::Game;
use leitai_game::search::{Search, SearchLimits, SearchParams, Stage};
use leitai_games::xiangqi::eval::{XiangqiEvaluation, XiangqiParams};
use leitai_games::xiangqi::{Xiangqi, XiangqiRules};

/// Nodes per position.
const NODES: u64 = 50_000;

/// Searches the 20 positions to a node limit each, so that an item is a node.
fn speed(bencher: Bencher<'_, '_>, params: SearchParams, eval: XiangqiEvaluation) {
    let mut search = Search::new(params, eval);
    let lines: Vec<_> = positions::middlegames()
        .into_iter()
        .map(Line::new)
        .collect();
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
                let report = search.run(line, rules, &limits);
                assert_eq!(report.nodes, NODES);
            }
        });
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn full(bencher: Bencher<'_, '_>) {
    let params = eval_preset(Xiangqi::numbers(), "leitai").expect("a preset");
    let eval = XiangqiEvaluation::new(&XiangqiParams::of(&params).expect("of Xiangqi"));
    speed(
        bencher,
        search_preset(None, "full").expect("a preset"),
        eval,
    );
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn plain(bencher: Bencher<'_, '_>) {
    speed(
        bencher,
        SearchParams::default(),
        positions::tutorial_evaluation(),
    );
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
        positions::tutorial_evaluation(),
    );
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn without_table_and_quiescence(bencher: Bencher<'_, '_>) {
    speed(
        bencher,
        bare(vec![Stage::GoodCaptures, Stage::Killers, Stage::History]),
        positions::tutorial_evaluation(),
    );
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn by_piece(bencher: Bencher<'_, '_>) {
    speed(
        bencher,
        bare(vec![Stage::ByPiece]),
        positions::tutorial_evaluation(),
    );
}

/// Fixed depth with only a move ordering.
fn bare(ordering: Vec<Stage>) -> SearchParams {
    SearchParams {
        ordering,
        quiescence: None,
        table_mb: 0,
        rules: false,
        ..SearchParams::default()
    }
}
