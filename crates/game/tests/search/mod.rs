//! Compares the search with definitions that are too slow for play.

mod algorithms;
mod auxiliary;
mod correction;
mod cuts;
mod endgames;
mod endings;
mod entries;
mod history;
mod lines;
mod mates;
mod memory;
mod passes;
mod picking;
mod reference;
mod reports;
mod seed;
mod selective;
mod thousand;
mod values;

use std::sync::LazyLock;

use proptest::prelude::*;

use leitai_config::eval_preset;
use leitai_game::card::Game;
use leitai_game::search::{Search, SearchLimits, SearchParams, SearchReport, Stage};
use leitai_game::{Line, Move, MoveList, Position};
use leitai_xiangqi::eval::XiangqiEvaluation;
use leitai_xiangqi::eval::XiangqiParams;
use leitai_xiangqi::{Xiangqi, XiangqiRules};

/// Positions with few moves, small enough for full search: endgames, checks, pins (from the perft
/// suite), and the shortest mates.
const SMALL: [&str; 8] = [
    "9/5k3/4b4/PR7/9/9/9/9/4K4/2B2A2p w - - 0 1",
    "3a5/4k4/1P1a5/4R1p1p/9/9/4P3P/1p6N/9/4KAB2 b - - 0 1",
    "9/9/4k1N2/9/9/9/9/4p4/9/2B1K4 b - - 0 1",
    "4P1b2/4k4/9/9/9/5N3/9/5K3/4A4/9 w - - 0 1",
    "5a3/3ka4/9/4N4/C8/6P2/2P3N2/B3K4/9/3A5 b - - 0 1",
    "3k5/9/9/9/4R4/9/9/9/9/5K3 w - - 0 1",
    "4k4/8R/R8/9/9/9/9/9/9/3K5 w - - 0 1",
    "4k4/9/8R/R8/9/9/9/9/9/3K5 w - - 0 1",
];

/// Middlegames, far too large for the definitions beyond depth 3.
const LARGE: [&str; 3] = [
    "rnbaka3/1C5r1/2c1b1n2/2p1p1p2/p7p/P4NC2/2c1P3P/2N1B4/4A4/R1BAK3R w - - 0 1",
    "2ba1abnr/r3k4/2n5c/p1C6/4p1p2/P3c2p1/2P1P1P1P/B5N2/9/RN1AKAB1R w - - 0 1",
    "3ak1b2/4a4/c1n1b4/9/pr1cpr1np/2R6/P1C1P1P1P/2N1B3C/4AN1R1/2BAK4 b - - 0 1",
];

const FIGURE_2: [Stage; 4] = [
    Stage::Tt,
    Stage::GoodCaptures,
    Stage::Killers,
    Stage::History,
];

fn line(fen: &str) -> Line<Xiangqi> {
    Line::new(Xiangqi::from_fen(fen).unwrap())
}

/// A preset of Xiangqi.
fn preset(name: &str) -> XiangqiParams {
    let params = eval_preset(Xiangqi::numbers(), name).unwrap();
    XiangqiParams::of(&params).unwrap()
}

fn eval() -> XiangqiEvaluation {
    static PARAMS: LazyLock<XiangqiParams> = LazyLock::new(|| preset("tutorial"));
    XiangqiEvaluation::new(&PARAMS)
}

/// Parameters with only an ordering.
fn plain(ordering: &[Stage]) -> SearchParams {
    SearchParams {
        ordering: ordering.to_vec(),
        quiescence: None,
        table_mb: 0,
        rules: false,
        ..SearchParams::default()
    }
}

fn depth(depth: u32) -> SearchLimits {
    SearchLimits {
        nodes: None,
        depth: Some(depth),
    }
}

fn nodes(nodes: u64) -> SearchLimits {
    SearchLimits {
        nodes: Some(nodes),
        depth: None,
    }
}

type XiangqiSearch = Search<Xiangqi, XiangqiEvaluation>;

fn run(search: &mut XiangqiSearch, line: &Line<Xiangqi>, limits: SearchLimits) -> SearchReport {
    search.run(line, XiangqiRules::default(), &limits)
}

/// The reports of all iterations of a search to `deepest`.
fn iterations(params: SearchParams, line: &Line<Xiangqi>, deepest: u32) -> Vec<SearchReport> {
    let mut reports = Vec::new();
    Search::new(params, eval()).run_until(
        line,
        XiangqiRules::default(),
        &depth(deepest),
        &|| false,
        Some(&mut |report| reports.push(report.clone())),
    );
    reports
}

fn legal_moves(position: &Xiangqi) -> MoveList {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves
}

/// Stages of the first orderings: few enough to test every list of them.
const SIMPLE: [Stage; 5] = [
    Stage::Tt,
    Stage::GoodCaptures,
    Stage::Killers,
    Stage::History,
    Stage::ByPiece,
];

/// Every list of distinct simple stages.
fn all_orderings() -> Vec<Vec<Stage>> {
    let mut orderings = vec![vec![]];
    let mut next = 0;
    while next < orderings.len() {
        for stage in SIMPLE {
            if !orderings[next].contains(&stage) {
                let mut longer = orderings[next].clone();
                longer.push(stage);
                orderings.push(longer);
            }
        }
        next += 1;
    }
    orderings
}

fn any_ordering() -> impl Strategy<Value = Vec<Stage>> {
    (
        Just(Stage::ALL.to_vec()).prop_shuffle(),
        0..=Stage::ALL.len(),
    )
        .prop_map(|(mut stages, length)| {
            stages.truncate(length);
            stages
        })
}

/// The line of a random game.
fn any_line(plies: std::ops::Range<usize>) -> impl Strategy<Value = Line<Xiangqi>> {
    prop::collection::vec(any::<u8>(), plies).prop_map(|choices| {
        let mut line = Line::new(Xiangqi::initial());
        for choice in choices {
            let moves = legal_moves(line.position());
            if moves.is_empty() {
                break;
            }
            line.play(moves[usize::from(choice) % moves.len()]);
        }
        line
    })
}

/// Plays `moves` after `line` and checks that each is legal.
fn play_all(line: &Line<Xiangqi>, moves: &[Move]) -> Line<Xiangqi> {
    let mut line = line.clone();
    for &mv in moves {
        assert!(line.position().is_legal(mv), "{}", line.position().to_fen());
        line.play(mv);
    }
    line
}
