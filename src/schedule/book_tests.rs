//! Books of both games.

use super::*;
use crate::game::othello::Othello;
use crate::game::xiangqi::Xiangqi;

const XIANGQI: &str = include_str!("../../openings/xiangqi.epd");
const OTHELLO: &str = include_str!("../../openings/othello.epd");
const START: &str = "---------------------------OX------XO--------------------------- X";

#[test]
fn the_xiangqi_book_is_whole() {
    let book = Book::<Xiangqi>::parse(XIANGQI, "xiangqi.epd").unwrap();
    assert_eq!((book.len(), book.duplicates.len()), (500, 0));
    let first = &book.openings[0];
    assert_eq!((first.id.as_str(), first.line), ("xq-op-0001", 9));
    assert!(first.fen.ends_with(" 9 5"), "{}", first.fen);
}

/// Every opening is what its own list of moves leads to.
#[test]
fn the_books_hold_what_their_moves_lead_to() {
    fn check<P: Position>(text: &str, moves: impl Fn(&str) -> Vec<String>) {
        let book = Book::<P>::parse(text, "book").unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for opening in &book.openings {
            let line = lines[opening.line - 1];
            let list = line.split("c0 \"").nth(1).unwrap().trim_end_matches("\";");
            let mut position = P::initial();
            for text in moves(list) {
                let mv = position.parse_move(&text).unwrap();
                position.make(mv);
            }
            assert_eq!(position.key(), opening.position.key(), "{}", opening.id);
        }
    }
    check::<Xiangqi>(XIANGQI, |list| list.split(' ').map(str::to_owned).collect());
    check::<Othello>(OTHELLO, |list| {
        (0..list.len())
            .step_by(2)
            .map(|i| list[i..i + 2].to_owned())
            .collect()
    });
}

#[test]
fn the_othello_book_is_whole() {
    let book = Book::<Othello>::parse(OTHELLO, "othello.epd").unwrap();
    assert_eq!((book.len(), book.duplicates.len()), (300, 0));
    assert_eq!(book.openings[299].id, "ot-300");
}

#[test]
fn lines_without_a_name_are_called_by_their_number() {
    let book = Book::<Othello>::parse(&format!("# a comment\n\n{START}\n"), "book").unwrap();
    assert_eq!(
        (book.openings[0].id.as_str(), book.openings[0].line),
        ("opening 1", 3)
    );
    let uncommented = Book::<Othello>::parse(START, "book").unwrap();
    assert_eq!(
        book.digest(),
        uncommented.digest(),
        "comments do not matter"
    );
    assert_eq!(book.openings[0].fen, START);
}

#[test]
fn mirror_images_are_dropped() {
    // f5 and d3 from the start, the same up to a half turn; then f5 again.
    let moved = |mv| {
        let mut position = Othello::initial();
        position.make(position.parse_move(mv).unwrap());
        position.to_fen()
    };
    let text = [moved("f5"), moved("d3"), START.to_owned(), moved("f5")].join("\n");
    let book = Book::<Othello>::parse(&text, "book").unwrap();
    assert_eq!(book.len(), 2);
    let warnings: Vec<String> = book.duplicates.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(warnings.join("\n"), @r"
    line 2 is dropped: up to symmetry it is the same as line 1
    line 4 is dropped: up to symmetry it is the same as line 1
    ");
}

#[test]
fn bad_lines_are_shown_with_their_reasons() {
    let over = format!("{} X", "X".repeat(64));
    let text = format!("{START}\nrubbish\n{over}\n{START} hmvc x;\n{START}; id \"open");
    let error = Book::<Othello>::parse(&text, "book.epd").unwrap_err();
    insta::assert_snapshot!(error, @r#"
    4 lines of `book.epd` are no openings
      book.epd:2: the board has 7 squares instead of 64
        rubbish
      book.epd:3: the game is over there
        XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX X
      book.epd:4: `hmvc` is followed by `x`, not by a number
        ---------------------------OX------XO--------------------------- X hmvc x;
      book.epd:5: a quotation mark is not closed
        ---------------------------OX------XO--------------------------- X; id "open
    "#);
}

#[test]
fn a_flood_of_bad_lines_is_cut() {
    let error = Book::<Xiangqi>::parse(&"9/9 w\n".repeat(250), "book.epd").unwrap_err();
    let message = error.to_string();
    assert!(message.starts_with("250 lines of `book.epd` are no openings"));
    assert!(message.ends_with("\n  and 240 more"));
    assert_eq!(message.lines().count(), 1 + 2 * 10 + 1);
}

#[test]
fn a_book_without_openings_is_an_error() {
    let error = Book::<Xiangqi>::parse("# nothing\n\n", "book.epd").unwrap_err();
    assert_eq!(error.to_string(), "`book.epd` holds no openings");
}

#[test]
fn the_digest_is_of_names_and_positions_only() {
    let digest = |text: &str| Book::<Othello>::parse(text, "book").unwrap().digest();
    let named = digest(&format!("{START}; id \"start\";"));
    assert_eq!(named.len(), 64);
    assert_eq!(
        named,
        digest(&format!("# comment\n\n{START}; id \"start\"; ce 3;"))
    );
    assert_ne!(named, digest(&format!("{START}; id \"other\";")));
    assert_ne!(named, digest(START));
}

#[test]
fn any_kind_of_line_end_will_do() {
    let lines = [
        START,
        "---------------------------OX-----XXX--------------------------- O",
    ];
    let book = |end: &str| Book::<Othello>::parse(&lines.join(end), "book").unwrap();
    assert_eq!(book("\n").len(), 2);
    assert_eq!(book("\r"), book("\n"));
    assert_eq!(book("\r\n"), book("\n"));
}

#[test]
fn a_dead_draw_is_no_opening() {
    let error = Book::<Xiangqi>::parse("2bk1a3/9/9/9/9/9/9/9/9/2BA1K3 w - -", "dead.epd");
    let told = error.unwrap_err().to_string();
    assert!(
        told.contains("dead.epd:1: nobody has the material to win"),
        "{told}"
    );
}
