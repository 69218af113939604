use leitai_game::Position;
use leitai_game::eval::MAX_EVAL;
use leitai_game::search::CorrectionHistory;
use leitai_game::search::internals::Corrections;
use leitai_xiangqi::Xiangqi;

#[test]
fn errors_are_corrected_in_positions_that_are_alike() {
    let position = Xiangqi::initial();
    let params = CorrectionHistory {
        pawns: 100,
        pieces: 0,
        moves: 100,
        limit: 100,
    };
    let mut corrections = Corrections::new(&params);
    let here = Corrections::places(&position, [Some(1), Some(2), None]);
    let elsewhere = Corrections::places(&position, [Some(2), Some(1), None]);
    assert_eq!(here[..3], elsewhere[..3]);
    assert_ne!(here[3], elsewhere[3]);
    for _ in 0..1000 {
        corrections.learn(&here, 20, 30);
    }
    let at = |corrections: &Corrections, places| corrections.corrected(places, 5);
    assert!((63..=65).contains(&at(&corrections, &here)));
    assert!((34..=35).contains(&at(&corrections, &elsewhere)));
    for _ in 0..1000 {
        corrections.learn(&here, 20, 9000);
    }
    assert!((203..=205).contains(&at(&corrections, &here)), "limited");
    assert_eq!(corrections.corrected(&here, MAX_EVAL), MAX_EVAL);
    corrections.clear();
    assert_eq!(at(&corrections, &here), 5);
}
