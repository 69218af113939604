//! Tests with well-formed and malformed info lines.

use proptest::prelude::*;

use super::*;
use leitai_base::score::MATE;

fn data(text: &str) -> Info {
    parse_info_line(&format!("info {text}")).unwrap_or_default()
}

fn score(text: &str) -> Option<i32> {
    data(text).score
}

/// The principal variation.
fn pv(text: &str) -> String {
    let line = format!("info {text}");
    let info = parse_info_line(&line).unwrap_or_default();
    info.pv.of(&line).to_owned()
}

#[test]
fn every_item_is_recognised() {
    let line = "depth 12 seldepth 20 multipv 1 score cp 31 wdl 412 500 88 nodes 912345 nps 1000000 \
                hashfull 4 tbhits 7 time 912 pv e2e4 e7e5 g1f3";
    let info = Info {
        depth: Some(12),
        score: Some(31),
        is_bound: false,
        nodes: Some(912_345),
        millis: Some(912),
        ..Info::default()
    };
    let pv_of = data(line).pv;
    assert_eq!(data(line), Info { pv: pv_of, ..info });
    assert_eq!(pv(line), "e2e4 e7e5 g1f3");
}

#[test]
fn a_bound_stands_only_until_there_is_a_score() {
    let mut so_far = Info::default();
    let mut hear = |line| {
        so_far.update(data(line));
        (so_far.score, so_far.is_bound)
    };
    assert_eq!(hear("depth 1 score cp 40 lowerbound"), (Some(40), true));
    assert_eq!(hear("depth 1 score cp 60 upperbound"), (Some(60), true));
    assert_eq!(hear("depth 2 score cp 55"), (Some(55), false));
    assert_eq!(hear("depth 3 score cp 90 lowerbound"), (Some(55), false));
    assert_eq!(hear("depth 3 nodes 9"), (Some(55), false));
    assert_eq!(hear("depth 4 score cp 80"), (Some(80), false));
    assert_eq!(so_far.depth, Some(4));
}

#[test]
fn mates_are_counted_in_moves() {
    let of = |text| (score(text), data(text).mate);
    assert_eq!(of("score mate 3"), (Some(MATE - 6), Some(3)));
    assert_eq!(of("score mate -2"), (Some(4 - MATE), Some(-2)));
    assert_eq!(of("score mate 0"), (Some(-MATE), Some(0)));
    assert_eq!(of("score mate 3 lowerbound"), (Some(MATE - 6), None));
    assert_eq!(of("score mate"), (None, None));
    assert_eq!(of("score mate soon"), (None, None));
}

#[test]
fn other_lines_of_play_are_ignored() {
    for line in [
        "multipv 2 depth 5 score cp 9 pv a2a3",
        "depth 5 score cp 9 multipv 2 pv a2a3",
        "depth 5 score cp 9 pv a2a3 multipv 2",
    ] {
        assert_eq!(data(line), Info::default(), "{line}");
    }
    assert_eq!(score("multipv 1 score cp 9"), Some(9));
}

#[test]
fn unknown_entries_are_skipped() {
    // Win, draw and loss chances are no score, and moves are no numbers.
    assert_eq!(score("score cp 5 wdl 0 1000 0 depth 4"), Some(5));
    assert_eq!(score("wdl 900 90 10"), None);
    assert_eq!(score("depth 3 novelty 7 cp 9 score cp 4 sparkle"), Some(4));
    assert_eq!(score("depth 3 score cp 4 string score cp 99"), Some(4));
    let moves = "currmove a2a3 currmovenumber 3 refutation d1h5 g6h5 depth 2 pv a2a3";
    assert_eq!((data(moves).depth, pv(moves).as_str()), (Some(2), "a2a3"));
    assert_eq!(data("depth 4 pv"), data("pv depth 4"));
    assert!(data("depth 4 pv").pv.is_empty());
    for other in [
        "information depth 4",
        "bestmove info",
        "info string depth 4",
    ] {
        assert_eq!(parse_info_line(other), None, "{other}");
    }
}

#[test]
fn numbers_that_are_too_large_are_the_largest() {
    let huge = "9".repeat(60);
    let info = data(&format!(
        "depth {huge} nodes {huge} time {huge} score cp {huge}"
    ));
    assert_eq!(info.depth, Some(u32::MAX));
    assert_eq!(info.nodes, Some(u64::MAX));
    assert_eq!(info.millis, Some(u32::MAX));
    assert_eq!(info.score, score("score cp 100000000"));
    assert_eq!(
        score(&format!("score cp -{huge}")),
        score("score cp -100000000")
    );
    assert_eq!(data("nodes 18446744073709551615").nodes, Some(u64::MAX));
    for wrong in ["depth -4", "depth 4.5", "nodes -", "time +", "depth x"] {
        assert_eq!(data(wrong), Info::default(), "{wrong}");
    }
}

/// Items in any order.
fn items() -> Vec<&'static str> {
    vec![
        "depth 9",
        "seldepth 14",
        "score cp -31 upperbound",
        "wdl 1 2 997",
        "nodes 1234",
        "time 56",
        "nps 99",
        "hashfull 3",
        "tbhits 8",
        "currmove h2e2",
        "currmovenumber 4",
        "multipv 1",
        "cpuload 5",
        "pv h2e2 h9g7 h0g2",
    ]
}

proptest! {
    #[test]
    fn the_order_of_items_means_nothing(order in Just(items()).prop_shuffle()) {
        let line = order.join(" ");
        let expected = Info {
            depth: Some(9),
            score: Some(-31),
            is_bound: true,
            nodes: Some(1_234),
            millis: Some(56),
            pv: data(&line).pv,
            ..Info::default()
        };
        prop_assert_eq!(data(&line), expected);
        prop_assert_eq!(pv(&line), "h2e2 h9g7 h0g2");
    }

    #[test]
    fn no_line_panics_and_values_are_part_of_it(
        line in ".{0,200}",
        words in "((depth|score|cp|mate|pv|multipv|wdl|lowerbound|string|[0-9]{1,25}|-[0-9]{1,25}|é|\u{3000}|h2e2) ?){0,30}",
    ) {
        for line in [&line, &words] {
            let info = data(line);
            prop_assert!(line.contains(&pv(line)));
            prop_assert!(info.score.is_none_or(|score| score.abs() <= MATE));
            prop_assert!(!info.is_bound || info.mate.is_none());
            prop_assert_eq!(info.pv.is_empty(), pv(line).is_empty());
        }
    }
}
