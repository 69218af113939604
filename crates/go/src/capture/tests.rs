//! Tests of the rules of attacker and defender.

use super::*;
use leitai_game::Cause;
use leitai_game::conformance::conforms_with_mirrors;

fn line(fen: &str, moves: &str) -> Line<Capture> {
    let mut line = Line::new(Capture::from_fen(fen).unwrap());
    for text in moves.split_whitespace() {
        let mv = line.position().parse_move(text).unwrap();
        line.play(mv);
    }
    line
}

fn verdict(fen: &str, moves: &str, rules: GoRules) -> Option<(Side, Cause)> {
    let verdict = line(fen, moves).verdict(rules)?;
    Some((verdict.winner.unwrap(), verdict.cause))
}

fn moves(position: &Capture) -> Vec<String> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves.into_iter().map(Capture::move_text).collect()
}

/// A ladder: White's stone has two liberties, Black is to move.
const LADDER: &str = "......./......./..X..../.XO..../.X...../......./....... X C4 -";
/// White captures a ko at B3, and Black cannot recapture at once.
const KO: &str = "...../.XO../X.XO./.XO../..... O C3 -";

#[test]
fn block_capture_conforms() {
    macro_rules! mirrors {
        ($($index:literal)*) => {
            [$(|position: &Capture| position.images().nth($index).unwrap(),)*]
        };
    }
    let mirrors: [fn(&Capture) -> Capture; 16] = mirrors![0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15];
    conforms_with_mirrors::<Capture>(2007, 2, 50, &mirrors);
}

#[test]
fn the_usual_start_has_its_documented_stones() {
    let start = Capture::initial();
    assert_eq!(start.to_fen(), INITIAL);
    assert!(!start.is_taken());
    assert_eq!(start.side_to_move(), Side::First);
    assert_eq!(moves(&start).len(), 46);
}

#[test]
fn the_target_taken_wins_for_the_attacker() {
    let rules = GoRules::default();
    assert_eq!(verdict(LADDER, "", rules), None);
    let played = line(LADDER, "D4 pass C3");
    let fen = played.position().to_fen();
    assert_eq!(
        fen,
        "......./......./..X..../.X.X.../.XX..../......./....... O C4:O -"
    );
    let over = Some((Side::First, Cause::Captured));
    assert_eq!(verdict(LADDER, "D4 pass C3", rules), over);
    assert_eq!(verdict(&fen, "", rules), over);
    assert!(moves(played.position()).is_empty());
}

#[test]
fn liberties_and_life_win_for_the_defender() {
    // Five liberties are not enough with White to move: the attacker must be to move.
    let fen = "......./......./......./..OO.../......./......./....... O C4 -";
    let rules = GoRules::default();
    assert_eq!(verdict(fen, "", rules), None);
    let escaped = Some((Side::Second, Cause::Escaped));
    assert_eq!(verdict(fen, "pass", rules), escaped);
    let off = GoRules {
        escape_liberties: 0,
        ..rules
    };
    assert_eq!(verdict(fen, "pass", off), None);
    // Two eyes in the corner.
    let alive = ".O.OX/OOOOX/XXXXX/...../..... X A4 -";
    assert_eq!(verdict(alive, "", off), Some((Side::Second, Cause::Alive)));
    let not_yet = ".O..X/OOOOX/XXXXX/...../..... X A4 -";
    assert_eq!(verdict(not_yet, "", off), None);
}

#[test]
fn cycles_are_for_the_defender() {
    let off = GoRules {
        escape_liberties: 0,
        ply_limit: 6,
    };
    assert_eq!(verdict(LADDER, "A1 pass B1 pass A7", off), None);
    let limit = Some((Side::Second, Cause::MoveLimit));
    assert_eq!(verdict(LADDER, "A1 pass B1 pass A7 pass", off), limit);
    // Sending two stones and returning one repeats the position.
    let circle = ".X.X./OOXX./.OX../.OX../.OX.. X A4 -";
    let long = GoRules {
        ply_limit: 1000,
        ..off
    };
    assert_eq!(verdict(circle, "A5 C5 B5", long), None);
    let repeated = Some((Side::Second, Cause::Repetition));
    assert_eq!(verdict(circle, "A5 C5 B5 pass", long), repeated);
}

#[test]
fn only_the_defender_passes() {
    let mut position = Capture::from_fen(LADDER).unwrap();
    assert!(!position.is_legal(PASS));
    assert!(!moves(&position).contains(&"pass".to_owned()));
    position.make(position.parse_move("A1").unwrap());
    assert!(position.is_legal(PASS));
    assert_eq!(moves(&position).last().map(String::as_str), Some("pass"));
}

#[test]
fn a_ko_is_not_taken_back_at_once() {
    let mut taken = line(KO, "B3");
    assert_eq!(
        taken.position().to_fen(),
        "...../.XO../XO.O./.XO../..... X C3:X C3"
    );
    // The attacker captured the target itself: the game is over.
    assert!(moves(taken.position()).is_empty());
    let other = KO.replace("C3", "B4");
    taken = line(&other, "B3");
    assert!(taken.position().to_fen().ends_with(" X B4 C3"));
    assert!(!moves(taken.position()).contains(&"C3".to_owned()));
    let _ = taken.undo();
    assert_eq!(taken.position().to_fen(), other);
}

#[test]
fn errors_of_texts_name_the_error() {
    for (text, reason) in [
        ("", "0 words"),
        ("X", "1 words"),
        ("..../..../..../.... X A1 -", "4 rows"),
        ("...../..../...../...../..... X A1 -", "row 2"),
        (
            "...../...../...../...../..... X A1 -",
            "no stone on the target A1",
        ),
        ("O..../...../...../...../..... X A6 -", "the target `A6`"),
        ("O..../...../...../...../..... X I1 -", "the target `I1`"),
        ("O..../...../...../...../..... Q A5 -", "`Q` does not move"),
        ("O..../...../...../...../..... X A5 A5", "the ko point `A5`"),
        ("O..../...../...../...../..... X A5 Z9", "the ko point `Z9`"),
        (
            "O..../...../...../...../..... X A5:O -",
            "a stone on the target A5",
        ),
        ("O..../...../...../...../..... X A4:Q -", "no side `Q`"),
        ("OX.../X..../...../...../..... X A5 -", "has no liberty"),
        ("O..../...../..?../...../..... X A5 -", "`?`"),
    ] {
        let error = Capture::from_fen(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
}

#[test]
fn moves_are_read_in_both_notations() {
    let position = Capture::initial();
    let mv = position.parse_move("E5").unwrap();
    assert_eq!(Capture::move_text(mv), "E5");
    assert_eq!(position.parse_move("e5"), Ok(mv));
    assert_eq!(position.parse_move("ec"), Ok(mv));
    assert_eq!(
        position.parse_move("D4"),
        Err(MoveError::Illegal("D4".into()))
    );
    assert_eq!(position.point_of(PASS), None);
    assert_eq!(position.point_of(Move::NULL), None);
    let smaller = Capture::from_fen(KO).unwrap();
    assert_eq!(smaller.point_of(mv), None, "of another board");
}
