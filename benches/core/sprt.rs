//! Speed of the likelihood ratio test in pairs per second: `cargo bench --bench core -- sprt`.

use divan::Bencher;
use divan::counter::ItemsCount;
use leitai_stats::{ErrorRates, Gsprt, Hypotheses, Model, SequentialTest};

/// The cases: a name, the hypotheses, and the counts of pair results.
const CASES: [(&str, f64, f64, Model, [usize; 8]); 4] = [
    (
        "logistic (0, 5)",
        0.0,
        5.0,
        Model::Logistic,
        [2, 3, 1, 2, 4, 2, 0, 2],
    ),
    (
        "normalized (0, 5)",
        0.0,
        5.0,
        Model::Normalized,
        [2, 3, 1, 2, 4, 2, 0, 2],
    ),
    (
        "normalized (0, 100)",
        0.0,
        100.0,
        Model::Normalized,
        [2, 3, 1, 2, 4, 2, 0, 2],
    ),
    (
        "normalized (0, 5), all level",
        0.0,
        5.0,
        Model::Normalized,
        [2; 8],
    ),
];

fn names() -> impl Iterator<Item = &'static str> {
    CASES.iter().map(|&(name, ..)| name)
}

/// A test fed with 8000 pairs.
#[divan::bench(args = names(), sample_count = 20, sample_size = 1)]
fn pairs(bencher: Bencher<'_, '_>, name: &str) {
    let &(_, elo0, elo1, model, cells) = CASES.iter().find(|case| case.0 == name).expect("a case");
    let hypotheses = Hypotheses::new(elo0, elo1, model).expect("a test");
    let rates = ErrorRates::new(0.05, 0.05).expect("rates");
    bencher.counter(ItemsCount::new(8000_u32)).bench_local(|| {
        let mut test = Gsprt::new(hypotheses, rates);
        for _ in 0..1000 {
            for cell in cells {
                test.record(cell).expect("a cell");
            }
        }
        test.level().value
    });
}
