//! Tests that the score of a mate matches its distance.

use super::*;
use leitai_game::eval::{MATE, mate_plies};
use leitai_game::search::{Algorithm, Aspiration, Counters, Quiescence};

/// Positions with the number of plies to the end.
const MATES: [(&str, u32); 5] = [
    // The rook mates at once.
    ("4k4/8R/R8/9/9/9/9/9/9/3K5 w - - 0 1", 1),
    // First the other rook cuts off the second rank.
    ("4k4/9/8R/R8/9/9/9/9/9/3K5 w - - 0 1", 3),
    // A shield of advisors costs two plies more.
    ("3ak4/4a4/9/9/9/9/9/9/R8/3K3R1 w - - 0 1", 5),
    // A side that has no move loses even if it is not in check.
    ("3k5/9/3P5/9/9/9/9/9/9/4K4 b - - 0 1", 0),
    ("3k5/9/9/3P5/9/9/9/9/9/4K4 w - - 0 1", 1),
];

#[test]
fn distances_are_exact() {
    for quiescence in [false, true] {
        for table_mb in [0, 1] {
            let params = SearchParams {
                quiescence: quiescence.then(Quiescence::default),
                table_mb,
                ..plain(&FIGURE_2)
            };
            let mut search = Search::new(params, eval());
            for (fen, plies) in MATES {
                search.new_game();
                let report = run(&mut search, &line(fen), depth(plies + 1));
                assert_eq!(mate_plies(report.score), Some(plies), "{fen}: {report:?}");
                assert_eq!(report.score > 0, plies % 2 == 1, "{fen}");
                assert!(report.pv.len() <= plies as usize, "{fen}");
                let end = play_all(&line(fen), &report.pv);
                assert!(
                    report.pv.len() < plies as usize || end.position().count_legal_moves() == 0
                );
            }
        }
    }
}

/// Without a table the whole line to the mate is found, for every way of narrowing the window.
#[test]
fn the_line_to_a_mate_is_whole() {
    for algorithm in [Algorithm::FailHard, Algorithm::FailSoft, Algorithm::Pvs] {
        for (mate_distance, aspiration) in [(false, true), (true, false), (true, true)] {
            let params = SearchParams {
                algorithm,
                mate_distance,
                aspiration: aspiration.then(Aspiration::default),
                ..plain(&FIGURE_2)
            };
            for (fen, plies) in MATES {
                let mut search = Search::new(params.clone(), eval());
                let report = run(&mut search, &line(fen), depth(plies + 2));
                assert_eq!(mate_plies(report.score), Some(plies), "{fen}: {report:?}");
                assert_eq!(report.pv.len(), plies as usize, "{fen}: {report:?}");
                let end = play_all(&line(fen), &report.pv);
                assert_eq!(end.position().count_legal_moves(), 0, "{fen}");
            }
        }
    }
}

#[test]
fn the_full_search_finds_the_mates() {
    let full = leitai_config::search_preset(None, "full").unwrap();
    for (fen, plies) in MATES {
        let mut search = Search::new(full.clone(), eval());
        let report = run(&mut search, &line(fen), depth(plies + 3));
        assert_eq!(mate_plies(report.score), Some(plies), "{fen}: {report:?}");
    }
}

#[test]
fn a_proven_mate_ends_a_search_without_a_depth() {
    for (fen, plies) in MATES {
        let mut search = Search::new(SearchParams::default(), eval());
        let report = run(&mut search, &line(fen), nodes(1_000_000));
        assert!(
            report.nodes < 1_000_000 && report.depth <= plies + 1,
            "{fen}"
        );
        let mut again = Search::new(SearchParams::default(), eval());
        let same = run(&mut again, &line(fen), depth(report.depth));
        assert_eq!(report, same, "{fen}");
        // With a fixed depth all iterations are searched.
        if plies > 0 {
            let deep = run(&mut again, &line(fen), depth(plies + 2));
            assert_eq!((deep.score, deep.depth), (report.score, plies + 2), "{fen}");
        }
    }
}

#[test]
fn the_end_of_the_game_has_no_move() {
    let mut search = Search::new(SearchParams::default(), eval());
    let report = run(&mut search, &line(MATES[3].0), nodes(1000));
    assert_eq!(
        report,
        SearchReport {
            best: None,
            score: -MATE,
            depth: 0,
            nodes: 0,
            counters: Counters::default(),
            reach: 0,
            table_permille: 0,
            pv: vec![]
        }
    );
}
