//! A search allocates memory for its report, and for nothing else.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use leitai_config::{eval_preset, search_preset};
use leitai_game::card::Game;
use leitai_game::search::{Search, SearchLimits, SearchParams};
use leitai_game::{Line, Position};
use leitai_xiangqi::eval::{XiangqiEvaluation, XiangqiParams};
use leitai_xiangqi::{Xiangqi, XiangqiRules};

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator with a counter per thread.
struct Counting;

#[expect(
    unsafe_code,
    reason = "an allocator is an unsafe trait; all work is the system's"
)]
// SAFETY: forwards every call unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: the caller's promises are those that the system asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Middlegames of the book `openings/xiangqi-midgame20.epd`.
const MIDDLEGAMES: [&str; 3] = [
    "rnbaka3/1C5r1/2c1b1n2/2p1p1p2/p7p/P4NC2/2c1P3P/2N1B4/4A4/R1BAK3R w - - 0 1",
    "r1bakab1r/9/n6c1/1C2p2C1/p4n1cp/4P4/P3N1R2/4B4/9/RNBAKA3 w - - 0 1",
    "4kab1r/3ra4/2n1b1nc1/4p1CC1/pc6p/2P1P1P2/PR2N3P/2N6/4A4/2B1KAB1R b - - 0 1",
];

#[test]
fn a_search_allocates_its_report_only() {
    for params in [
        SearchParams::default(),
        search_preset(None, "full").unwrap(),
    ] {
        allocates_its_report_only(params);
    }
}

fn allocates_its_report_only(params: SearchParams) {
    let numbers = eval_preset(Xiangqi::numbers(), "tutorial").unwrap();
    let evaluation = XiangqiEvaluation::new(&XiangqiParams::of(&numbers).unwrap());
    let mut search = Search::new(params, evaluation);
    let lines = MIDDLEGAMES.map(|fen| Line::new(Xiangqi::from_fen(fen).unwrap()));
    for nodes in [0, 100, 20_000] {
        for line in &lines {
            search.new_game();
            let limits = SearchLimits {
                nodes: Some(nodes),
                depth: None,
            };
            let before = COUNT.get();
            let report = search.run(line, XiangqiRules::default(), &limits);
            assert_eq!(COUNT.get() - before, 1, "the principal variation");
            assert_eq!(report.nodes, nodes);
        }
    }
}
