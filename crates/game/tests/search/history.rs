use proptest::prelude::*;

use leitai_game::Move;
use leitai_game::Position;
use leitai_game::search::internals::{FULL, HistoryTable, LIMIT, bonus, saturated};
use leitai_game::search::{History, HistoryBonus, HistoryIndex};
use leitai_othello::Othello;
use leitai_xiangqi::Xiangqi;

fn table(params: &History) -> HistoryTable {
    HistoryTable::new::<Othello>(params)
}

#[test]
fn a_full_score_halves_all() {
    let position = Othello::initial();
    let mut table = table(&History::default());
    let score = |table: &HistoryTable, mv| table.score(&position, Move(mv));
    table.add(&position, Move(1), 4096);
    while score(&table, 0) <= FULL - 1_000_000 {
        table.add(&position, Move(0), 1_000_000);
    }
    table.add(&position, Move(0), 1_000_000);
    assert!((FULL / 2..FULL / 2 + 1_000_000).contains(&score(&table, 0)));
    assert_eq!(score(&table, 1), 2048);
}

#[test]
fn a_new_search_divides_old_history() {
    let position = Othello::initial();
    for (ageing, expected) in [(1, 100), (2, 50), (3, 33), (1_000_000, 0)] {
        let mut table = table(&History {
            ageing,
            ..History::default()
        });
        table.add(&position, Move(1), 100);
        table.age();
        assert_eq!(table.score(&position, Move(1)), expected);
        table.clear();
        assert_eq!(table.score(&position, Move(1)), 0);
    }
}

#[test]
fn a_score_belongs_to_its_index() {
    let position = Xiangqi::initial();
    let [left, right] = ["c0e2", "g0e2"].map(|mv| position.parse_move(mv).unwrap());
    for (index, shared) in [(HistoryIndex::PieceTo, true), (HistoryIndex::FromTo, false)] {
        let params = History {
            index,
            ..History::default()
        };
        let mut table = HistoryTable::new::<Xiangqi>(&params);
        table.add(&position, left, 5);
        assert_eq!(table.score(&position, left), 5);
        assert_eq!(table.score(&position, right) == 5, shared, "{index:?}");
    }
}

#[test]
fn bonuses_by_depth() {
    let bonuses = HistoryBonus::ALL.iter().map(|&kind| {
        let params = History {
            bonus: kind,
            slope: 100,
            most: 350,
            ..History::default()
        };
        [bonus(&params, 3), bonus(&params, 7)]
    });
    assert_eq!(
        bonuses.collect::<Vec<_>>(),
        [[9, 49], [3, 7], [1, 1], [300, 350]]
    );
}

proptest! {
    #[test]
    fn saturated_scores_stay_within_the_limit(
        score in -LIMIT..=LIMIT,
        bonus in -2 * LIMIT..=2 * LIMIT,
    ) {
        let after = saturated(score, bonus);
        prop_assert!(after.abs() <= LIMIT);
        prop_assert_eq!(saturated(-score, -bonus), -after);
        prop_assert!(bonus <= 0 || after >= score);
        // A score of 0 gets the full bonus; a score at the limit gains nothing.
        prop_assert_eq!(saturated(0, bonus), bonus.clamp(-LIMIT, LIMIT));
        prop_assert_eq!(saturated(LIMIT, bonus.abs()), LIMIT);
    }
}
