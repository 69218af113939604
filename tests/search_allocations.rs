//! A search allocates memory for its report, and for nothing else.

#[path = "common/positions.rs"]
mod positions;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use leitai::config::search_preset;
use leitai::game::Line;
use leitai::games::xiangqi::XiangqiRules;
use leitai::search::{Search, SearchLimits, SearchParams};

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
    let mut search = Search::new(params, positions::tutorial_evaluation());
    let lines: Vec<_> = positions::middlegames()
        .into_iter()
        .map(Line::new)
        .collect();
    for nodes in [0, 100, 20_000] {
        for line in &lines {
            search.new_game();
            let limits = SearchLimits {
                nodes: Some(nodes),
                depth: None,
            };
            let before = COUNT.get();
            let report = search.run(line, XiangqiRules::default(), &limits, &|| false, None);
            assert_eq!(COUNT.get() - before, 1, "the principal variation");
            assert_eq!(report.nodes, nodes);
        }
    }
}
