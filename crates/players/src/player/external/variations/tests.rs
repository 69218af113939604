//! Tests of valid and invalid principal variations.

use proptest::prelude::*;

use super::*;
use leitai_game::card::{AnyPosition, GameCard};
use leitai_protocols::{CodecSettings, Message, UCI};

/// Two chariots mate a bare general: at once, or after a move of either side.
const MATES: &str = "4k4/R8/1R7/9/9/9/9/9/9/3K5 w - - 0 1";
const IS_MATED: &str = "4k4/R8/1R7/9/9/9/9/9/9/3K5 b - - 0 1";

fn card() -> &'static dyn GameCard {
    leitai_xiangqi::card()
}

fn start(fen: &str) -> Box<dyn AnyPosition> {
    if fen.is_empty() {
        card().initial()
    } else {
        card().read(fen).unwrap()
    }
}

/// The faults of lines, given without `info`, at that position when `best` was played.
fn warnings(fen: &str, lines: &[&str], best: &str, checks: Checks) -> Vec<PvWarning> {
    let start = start(fen);
    let mut game = card().line(&*start);
    let mut variations = Variations::default();
    let mut codec = (UCI.codec)(&CodecSettings::default());
    for line in lines {
        let line = format!("info {line}");
        let Message::Info(info) = codec.parse_search_line(&line) else {
            panic!("no data: {line}");
        };
        if !info.pv.is_empty() {
            variations.add(info, line);
        }
    }
    let profile = Profile::of(UCI);
    let best = start.parse_move(best).unwrap();
    let found = variations.check(&mut *game, (&card().rules(), &profile), Some(best), checks);
    assert_eq!(game.len(), 0, "it is as it was");
    assert_eq!(game.position().to_fen(), start.to_fen());
    found
}

fn faults(fen: &str, lines: &[&str], best: &str) -> Vec<(PvFault, String)> {
    let found = warnings(fen, lines, best, Checks::default());
    found.into_iter().map(|it| (it.kind, it.word)).collect()
}

fn fault(fault: PvFault, word: &str) -> Vec<(PvFault, String)> {
    vec![(fault, word.to_owned())]
}

#[test]
fn legal_lines_are_fine() {
    let lines = [
        "depth 1 score cp 5 pv h2e2",
        "depth 2 score cp 5 pv h2e2 h9g7",
        "depth 3 score cp 9 pv h2e2 h9g7 h0g2 i9h9",
        "depth 4 score cp 9 pv b0c2 h9g7 h2e2",
        "depth 5 score cp 9 string pv a0a9",
        "depth 6 score cp 9 multipv 2 pv a0a9",
    ];
    assert_eq!(faults("", &lines, "b0c2"), []);
    assert_eq!(faults("", &[], "b0c2"), []);
}

#[test]
fn the_first_illegal_move_is_reported_with_line_and_position() {
    let lines = ["depth 1 pv h2e2", "depth 2 score cp 5 pv h2e2 a0a1 a9a8"];
    let found = warnings("", &lines, "h2e2", Checks::default());
    assert_eq!(found.len(), 1);
    let warning = &found[0];
    assert_eq!(
        (warning.kind, warning.word.as_str()),
        (PvFault::IllegalMove, "a0a1")
    );
    assert_eq!(warning.line, "info depth 2 score cp 5 pv h2e2 a0a1 a9a8");
    assert_eq!(
        (warning.ply, warning.position.as_str()),
        (0, card().initial().to_fen().as_str())
    );
    assert_eq!(warning.cause, None);
    for word in ["h2e3", "nonsense", "0000", "H2E2"] {
        let line = format!("depth 1 score cp 1 pv {word}");
        assert_eq!(
            faults("", &[&line], "h2e2"),
            fault(PvFault::IllegalMove, word)
        );
    }
}

#[test]
fn moves_after_the_end_are_reported_with_the_end() {
    let line = "depth 3 score cp 900 pv b7b9 e9e8 b9b8";
    let found = warnings(MATES, &[line], "b7b9", Checks::default());
    assert_eq!(found[0].cause, Some(Cause::Checkmate));
    assert_eq!(
        (found[0].kind, found[0].word.as_str()),
        (PvFault::BeyondTheEnd, "e9e8")
    );
    // A threefold repetition ends the game too.
    let back = "b0c2 b9c7 c2b0 c7b9";
    let twice = format!("depth 8 score cp 0 pv {back} {back}");
    assert_eq!(faults("", &[&twice], "b0c2"), []);
    let beyond = format!("{twice} h2e2");
    assert_eq!(
        faults("", &[&beyond], "b0c2"),
        fault(PvFault::BeyondTheEnd, "h2e2")
    );
}

#[test]
fn mates_are_measured() {
    let of = |line: &str| {
        faults(
            MATES,
            &[line],
            line.rsplit_once("pv ")
                .unwrap()
                .1
                .split(' ')
                .next()
                .unwrap(),
        )
    };
    let none = |kind| fault(kind, "");
    assert_eq!(of("depth 1 score mate 1 pv b7b9"), []);
    assert_eq!(of("depth 3 score mate 2 pv d0d1 e9f9 b7b9"), []);
    assert_eq!(
        of("depth 3 score mate 3 pv d0d1 e9f9 b7b9"),
        none(PvFault::ShortMate)
    );
    assert_eq!(
        of("depth 3 score mate 1 pv d0d1 e9f9 b7b9"),
        none(PvFault::LongMate)
    );
    assert_eq!(of("depth 3 score mate 0 pv d0d1"), none(PvFault::LongMate));
    assert_eq!(of("depth 1 score mate 1 pv b7b8"), none(PvFault::NoMate));
    assert_eq!(
        of("depth 1 score mate -1 pv d0d1 e9f9"),
        none(PvFault::NoMate)
    );
    // A bound promises no mate; a huge number does.
    assert_eq!(of("depth 1 score mate 1 lowerbound pv b7b8"), []);
    let huge = format!("depth 1 score mate {} pv b7b9", "9".repeat(30));
    assert_eq!(of(&huge), none(PvFault::ShortMate));
    let huge = format!("depth 1 score mate -{} pv b7b9", "9".repeat(30));
    assert_eq!(of(&huge), none(PvFault::ShortMate));
    // The mated side counts its own moves.
    let of = |line| faults(IS_MATED, &[line], "e9f9");
    assert_eq!(of("depth 2 score mate -1 pv e9f9 b7b9"), []);
    assert_eq!(
        of("depth 2 score mate -2 pv e9f9 b7b9"),
        none(PvFault::ShortMate)
    );
}

#[test]
fn the_last_line_begins_with_the_move_that_is_played() {
    let first = "depth 1 score cp 5 pv h2e2";
    assert_eq!(
        faults("", &[first], "b0c2"),
        fault(PvFault::OtherMove, "b0c2")
    );
    assert_eq!(
        faults("", &[first, "depth 2 score cp 7 pv b0c2"], "b0c2"),
        []
    );
    // After a search that stopped at a bound, any move is valid.
    assert_eq!(
        faults(
            "",
            &[first, "depth 2 score cp 7 lowerbound pv b0c2"],
            "h2e2"
        ),
        []
    );
    assert_eq!(
        faults(
            "",
            &[first, "depth 1 score cp 7 lowerbound pv b0c2"],
            "b0c2"
        ),
        []
    );
}

#[test]
fn of_each_depth_the_last_line_counts_and_a_score_before_a_bound() {
    let wrong = "depth 3 score cp 1 pv a0a9";
    assert_eq!(
        faults("", &[wrong, "depth 3 score cp 2 pv h2e2"], "h2e2"),
        []
    );
    let bound = "depth 3 score cp 2 upperbound pv h2e2";
    assert_eq!(
        faults("", &[wrong, bound], "h2e2"),
        fault(PvFault::IllegalMove, "a0a9")
    );
    assert_eq!(
        faults("", &[bound, wrong], "h2e2"),
        fault(PvFault::IllegalMove, "a0a9")
    );
    let deeper = "depth 4 score cp 1 pv a0a9";
    assert_eq!(faults("", &[wrong, deeper], "h2e2").len(), 2);
}

#[test]
fn either_check_is_left_out() {
    let lines = ["depth 1 score cp 4 pv a0a9", "depth 2 score mate 3 pv h2e2"];
    let kinds = |pv, mate| -> Vec<PvFault> {
        let found = warnings(
            "",
            &lines,
            "b0c2",
            Checks {
                pv,
                mate,
                score: false,
            },
        );
        found.iter().map(|it| it.kind).collect()
    };
    assert_eq!(
        kinds(true, false),
        [PvFault::IllegalMove, PvFault::OtherMove]
    );
    assert_eq!(kinds(false, true), [PvFault::ShortMate]);
    assert_eq!(kinds(false, false), []);
}

#[test]
fn no_program_fills_the_memory() {
    let mut variations = Variations::default();
    for depth in 0..10_000 {
        let info = Info {
            depth: Some(depth),
            ..Info::default()
        };
        variations.add(info, "info depth 1 pv h2e2".to_owned());
    }
    assert_eq!(variations.lines.len(), MAX);
    let long = format!("info depth 1 pv {}", "é".repeat(8_000));
    assert!(PvWarning::shortened(&long).len() <= 2_000);
}

proptest! {
    #[test]
    fn no_lines_panic_and_the_game_is_as_it_was(
        lines in proptest::collection::vec(
            "(depth [0-9]{1,3} )?(score (cp|mate) -?[0-9]{1,20} )?(lowerbound )?pv ((h2e2|h9g7|b0c2|b9c7|c2b0|c7b9|a0a1|[a-j][0-9][a-j][0-9]|é|0000) ){0,12}",
            0..12,
        ),
    ) {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let found = warnings("", &lines, "h2e2", Checks::default());
        prop_assert!(found.len() <= lines.len() + 1);
    }
}
