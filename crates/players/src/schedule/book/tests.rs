//! Tests of books.

use super::*;

const XIANGQI: &str = include_str!("../../../../../openings/xiangqi.epd");
const OTHELLO: &str = include_str!("../../../../../openings/othello.txt");
const START: &str = "---------------------------OX------XO--------------------------- X";

#[test]
fn the_xiangqi_book_is_whole() {
    let book = Book::parse(leitai_xiangqi::card(), XIANGQI, "xiangqi.epd").unwrap();
    assert_eq!((book.len(), book.duplicates.len()), (500, 0));
    let first = book.get(0).unwrap();
    assert_eq!((&*first.id(), first.line), ("xq-op-0001", 9));
    assert!(first.fen().ends_with(" 9 5"), "{}", first.fen());
}

/// Every opening is the result of its own list of moves.
#[test]
fn the_xiangqi_book_has_the_positions_of_its_moves() {
    let book = Book::parse(leitai_xiangqi::card(), XIANGQI, "book").unwrap();
    let lines: Vec<&str> = XIANGQI.lines().collect();
    for opening in book.iter() {
        let line = lines[opening.line - 1];
        let list = line.split("c0 \"").nth(1).unwrap();
        let mut position = leitai_xiangqi::card().initial();
        for text in list.trim_end_matches("\";").split(' ') {
            let mv = position.parse_move(text).unwrap();
            position.play(mv);
        }
        assert_eq!(position.key(), opening.position().key(), "{}", opening.id());
    }
}

#[test]
fn the_othello_book_is_whole() {
    let book = Book::parse(leitai_othello::card(), OTHELLO, "othello.txt").unwrap();
    assert_eq!((book.len(), book.duplicates.len()), (300, 0));
    assert_eq!(book.opening(299).unwrap().id(), "ot-300");
    for opening in book.iter() {
        let mut position = leitai_othello::card().initial();
        for &mv in opening.moves.as_deref().expect("the moves") {
            position.play(mv);
        }
        assert_eq!(position, opening.position(), "{}", opening.id());
    }
    // The digest identifies records: the value from when the file had boards.
    assert_eq!(
        hexadecimal(&book.digest(false)),
        "0ce6bf61b8121f29d28646b90c39ff8a490b9ee7c9e93e628b4a7e9ae413bd47"
    );
}

#[test]
fn lines_without_a_name_are_called_by_their_number() {
    let book = Book::parse(
        leitai_othello::card(),
        &format!("# a comment\n\n{START}\n"),
        "book",
    )
    .unwrap();
    assert_eq!(
        (
            book.opening(0).unwrap().id().as_ref(),
            book.opening(0).unwrap().line
        ),
        ("opening 1", 3)
    );
    let uncommented = Book::parse(leitai_othello::card(), START, "book").unwrap();
    assert_eq!(
        book.digest(false),
        uncommented.digest(false),
        "comments do not matter"
    );
    assert_eq!(book.opening(0).unwrap().fen(), START);
}

#[test]
fn mirror_images_are_dropped() {
    // f5 and d3 from the start are equal up to a half turn; then f5 again.
    let moved = |mv| {
        let mut position = leitai_othello::card().initial();
        position.play(position.parse_move(mv).unwrap());
        position.to_fen()
    };
    let text = [moved("f5"), moved("d3"), START.to_owned(), moved("f5")].join("\n");
    let book = Book::parse(leitai_othello::card(), &text, "book").unwrap();
    assert_eq!(book.len(), 2);
    let warnings: Vec<String> = book.duplicates.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(warnings.join("\n"), @r"
    line 2 is dropped: up to symmetry it is the same as line 1
    line 4 is dropped: up to symmetry it is the same as line 1
    ");
}

#[test]
fn openings_of_othello_come_in_many_forms() {
    // The same position as moves, board, OBF and EPD; then a mirror image of it.
    let moves = "f5d6c3d3c2f4f3g5";
    let board = "----------X-------XX-X-----OOX-----OOOO----O-------------------- X";
    let text = format!(
        "% a comment of OBF\n{moves}\r\n{board};\n{board}; D7:+2; C4:-4;\n{board}; id \"x\";\n\
         F5 D6 C3 D3 C2 F4 F3 G5 -1.43\nE6,F4,C3,C4,B3,D6,C6,E7"
    );
    let book = Book::parse(leitai_othello::card(), &text, "book").unwrap();
    let lines: Vec<usize> = book.iter().map(|opening| opening.line).collect();
    let dropped: Vec<_> = book
        .duplicates
        .iter()
        .map(|it| (it.line, it.first))
        .collect();
    assert_eq!(book.opening(0).unwrap().id(), moves);
    assert_eq!(book.opening(0).unwrap().fen(), board);
    assert_eq!(lines, [2]);
    assert_eq!(dropped, [(3, 2), (4, 2), (5, 2), (6, 2), (7, 2)]);
}

#[test]
fn an_illegal_line_of_moves_is_reported_with_its_ply() {
    let text = "f5d6c3\nf5d6a1 x\nf5f4f9\nf5d6--";
    let error = Book::parse(leitai_othello::card(), text, "xot.txt").unwrap_err();
    insta::assert_snapshot!(error, @r"
    3 lines of `xot.txt` are not openings
      xot.txt:2: black turns no disc there at ply 3: `a1`
        f5d6a1 x
      xot.txt:3: neither a square nor a pass at ply 3: `f9`
        f5f4f9
      xot.txt:4: black has moves and may not pass at ply 3: `--`
        f5d6--
    ");
}

#[test]
fn bad_lines_are_shown_with_their_reasons() {
    let over = format!("{} X", "X".repeat(64));
    let text = format!("{START}\nrubbish\n{over}\n{START} hmvc x;\n{START}; id \"open");
    let error = Book::parse(leitai_othello::card(), &text, "book.epd").unwrap_err();
    insta::assert_snapshot!(error, @r#"
    4 lines of `book.epd` are not openings
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
    let error =
        Book::parse(leitai_xiangqi::card(), &"9/9 w\n".repeat(250), "book.epd").unwrap_err();
    let message = error.to_string();
    assert!(message.starts_with("250 lines of `book.epd` are not openings"));
    assert!(message.ends_with("\n  and 240 more"));
    assert_eq!(message.lines().count(), 1 + 2 * 10 + 1);
}

#[test]
fn a_book_without_openings_is_an_error() {
    let error = Book::parse(leitai_xiangqi::card(), "# nothing\n\n", "book.epd").unwrap_err();
    assert_eq!(error.to_string(), "`book.epd` holds no openings");
}

#[test]
fn the_digest_is_of_names_and_positions_only() {
    let digest = |text: &str| {
        Book::parse(leitai_othello::card(), text, "book")
            .unwrap()
            .digest(false)
    };
    let named = digest(&format!("{START}; id \"start\";"));
    assert_eq!(
        named,
        digest(&format!("# comment\n\n{START}; id \"start\"; ce 3;"))
    );
    assert_ne!(named, digest(&format!("{START}; id \"other\";")));
    assert_ne!(named, digest(START));
}

/// The text as books are read from files.
fn unified(text: &str) -> String {
    let mut lines = leitai_interchange::Lines::new(text.as_bytes(), "book");
    lines.read_all(u64::MAX).unwrap()
}

#[test]
fn any_kind_of_line_end_will_do() {
    let lines = [
        START,
        "---------------------------OX-----XXX--------------------------- O",
    ];
    let book = |end: &str| {
        let text = unified(&lines.join(end));
        Book::parse(leitai_othello::card(), &text, "book").unwrap()
    };
    assert_eq!(book("\n").len(), 2);
    let digest = |end| book(end).digest(true);
    assert_eq!(digest("\r"), digest("\n"));
    assert_eq!(digest("\r\n"), digest("\n"));
}

#[test]
fn a_dead_draw_is_no_opening() {
    let error = Book::parse(
        leitai_xiangqi::card(),
        "2bk1a3/9/9/9/9/9/9/9/9/2BA1K3 w - -",
        "dead.epd",
    );
    let told = error.unwrap_err().to_string();
    assert!(
        told.contains("dead.epd:1: neither side has the material to win"),
        "{told}"
    );
}

#[test]
fn lines_of_moves_are_cut_to_so_many_plies() {
    let book = |plies| {
        let text = "f5d6c3d3 a name\nf5f6e6f4\n";
        Book::parse_to(leitai_othello::card(), text, "book", plies).unwrap()
    };
    let lengths = |plies| {
        let book = book(plies);
        let moves = book
            .iter()
            .map(|opening| opening.moves.as_ref().unwrap().len());
        moves.collect::<Vec<_>>()
    };
    assert_eq!(lengths(None), [4, 4]);
    assert_eq!(lengths(Some(9)), [4, 4]);
    assert_eq!(lengths(Some(2)), [2, 2]);
    assert_eq!(lengths(Some(1)), [1], "the same first move");
    assert_eq!(book(Some(2)).id(0), "a name");
}

/// With more lines than one block, numbers, names and duplicates are those of a short book.
#[test]
#[ignore = "long: docs/reliability.md has the command"]
fn a_book_of_many_lines_is_read_in_its_order() {
    let card = leitai_xiangqi::card();
    let some: Vec<&str> = XIANGQI.lines().filter(|it| !it.starts_with('#')).collect();
    let count = 4 * MOST_CHECKED + 500;
    let text: Vec<&str> = some.iter().copied().cycle().take(count).collect();
    let book = Book::parse(card, &text.join("\n"), "many").unwrap();
    assert_eq!(book.len(), 500);
    let few = Book::parse(card, &some.join("\n"), "few").unwrap();
    assert!(book.iter().eq(few.iter()));
    assert_eq!(book.duplicates.len(), count - 500);
    let last = book.duplicates.last().map(|it| (it.line, it.first));
    assert_eq!(last, Some((count, (count - 1) % 500 + 1)));
    let bad = text.join("\n") + "\nrubbish\n";
    let error = Book::parse(card, &bad, "many").unwrap_err().to_string();
    assert!(error.contains(&format!("many:{}: ", count + 1)), "{error}");
}

mod long_books {
    use std::sync::OnceLock;

    use rand_chacha::rand_core::Rng;

    use super::*;
    use crate::schedule::{Stream, below, generator};

    /// More lines of chess than are checked when a book is read. Each third is one of the lines
    /// before with the colours swapped.
    fn text() -> &'static str {
        static TEXT: OnceLock<String> = OnceLock::new();
        TEXT.get_or_init(|| {
            let mut random = generator(3, Stream::Openings);
            let (mut lines, mut swapped) = (Vec::new(), Vec::new());
            while lines.len() < 3 * MOST_CHECKED / 2 {
                let mut position = leitai_chess::card().initial();
                for _ in 0..6 + below(&mut random, 4) {
                    let moves = position.moves();
                    let chosen = below(&mut random, moves.len() as u64) as usize;
                    moves.get(chosen).iter().for_each(|&&mv| position.play(mv));
                }
                if check_start(&*position).is_err() {
                    continue;
                }
                let fen = position.to_fen();
                swapped.push(mirrored(&fen));
                lines.push(match random.next_u64() % 3 {
                    0 => format!("{fen} ; id \"number {}\";", lines.len()),
                    1 => swapped[below(&mut random, swapped.len() as u64) as usize].clone(),
                    _ => fen,
                });
            }
            lines.join("\n")
        })
    }

    /// The position with the colours swapped, without the square of en passant.
    fn mirrored(fen: &str) -> String {
        let fields: Vec<&str> = fen.split(' ').collect();
        let swap = |text: &str| -> String {
            let swap = |c: char| {
                if c.is_ascii_uppercase() {
                    c.to_ascii_lowercase()
                } else {
                    c.to_ascii_uppercase()
                }
            };
            text.chars().map(swap).collect()
        };
        let rows: Vec<&str> = fields[0].rsplit('/').collect();
        let side = if fields[1] == "w" { "b" } else { "w" };
        format!("{} {side} {} - 0 1", swap(&rows.join("/")), swap(fields[2]))
    }

    fn long() -> Book {
        let book = Book::parse(leitai_chess::card(), text(), "long.epd").unwrap();
        assert!(!book.is_checked());
        book
    }

    #[test]
    fn lines_that_are_parsed_later_give_the_same_book() {
        let book = long();
        let mut reading = Reading::default();
        let read = |(number, line)| {
            let (opening, position) = read_line(leitai_chess::card(), line, number, None)?;
            Ok((opening, position.symmetric_key()))
        };
        reading.take(numbered_lines(text()).map(read));
        let whole = reading.book("long.epd", "line").unwrap();
        assert!(whole.is_checked());
        assert!(book.duplicates.len() > 1_000);
        assert_eq!(book.duplicates, whole.duplicates);
        assert_eq!(book.len(), whole.len());
        assert!(book.iter().eq(whole.iter()));
        for (index, opening) in whole.iter().enumerate() {
            assert_eq!(book.place(opening.meeting_key()), Some(index));
        }
        assert_eq!(book.place(1), None);
        assert_eq!(book.checked().unwrap().digest(true), whole.digest(true));
    }

    #[test]
    fn only_the_lines_are_part_of_the_digest() {
        let digest = |text: &str| {
            let book = Book::parse(leitai_chess::card(), text, "other.epd").unwrap();
            assert!(!book.is_checked());
            book.digest(false)
        };
        let own = long().digest(true);
        let other = text().replace('\n', " \r\n\n# comment\r  ");
        assert_eq!(digest(&super::unified(&format!("\u{feff}{other}"))), own);
        assert_ne!(digest(&text().replacen("number", "other", 1)), own);
        let (text, plies) = long().source().unwrap();
        assert_eq!((digest(&text), plies), (own, None));
    }

    #[test]
    fn a_shorter_book_is_the_beginning_of_a_longer_one() {
        let book = long();
        let lines: Vec<&str> = numbered_lines(text()).map(|(_, line)| line).collect();
        for count in [MOST_CHECKED + 100, MOST_CHECKED, 3] {
            let prefix = book.prefix(count).unwrap();
            assert_eq!(prefix.is_checked(), count <= MOST_CHECKED);
            let last = book.opening(count - 1).unwrap().line;
            let short = lines[..last].join("\n");
            let short = Book::parse(leitai_chess::card(), &short, "short.epd").unwrap();
            assert_eq!(prefix.digest(true), short.digest(true), "{count}");
            assert!(prefix.iter().eq(book.iter().take(count)));
        }
    }

    #[test]
    fn a_bad_line_is_an_error_when_it_is_drawn() {
        // White can take the king.
        let bad = "4k3/8/8/8/8/8/4R3/4K3 w - -";
        let text = format!("# names\n{}\n{bad}\n", text());
        let book = Book::parse(leitai_chess::card(), &text, "long.epd").unwrap();
        let last = book.len() - 1;
        book.check(0..last, None, "long.epd").unwrap();
        assert_eq!(book.get(last), None);
        let line = numbered_lines(super::long_books::text()).count() + 2;
        let said = |error: BookError| error.to_string();
        let expected = format!(
            "a line of `long.epd` is not an opening\n  long.epd:{line}: black is in check and white \
             to move, or three pieces give check\n    {bad}"
        );
        assert_eq!(said(book.opening(last).unwrap_err()), expected);
        assert_eq!(said(book.check([last], None, "").unwrap_err()), expected);
        assert_eq!(said(book.checked().unwrap_err()), expected);
    }

    #[test]
    fn a_line_whose_text_tells_nothing_is_parsed_at_once() {
        let text = format!("{}\nrubbish\ne2e4 e7e5\ne2e5 rubbish\n", text());
        let error = Book::parse(leitai_chess::card(), &text, "long.epd").unwrap_err();
        let BookError::Lines { lines, beyond, .. } = error else {
            panic!("{error}");
        };
        assert_eq!((lines.len(), beyond), (2, 0));
    }

    #[test]
    fn a_recorded_book_has_what_it_was_told() {
        let whole = Book::parse(leitai_xiangqi::card(), XIANGQI, "book").unwrap();
        let book = Book::recorded(whole.len(), whole.digest(true));
        assert_eq!((book.len(), book.recalled()), (500, Some(0)));
        let error = book.opening(7).unwrap_err().to_string();
        assert!(error.starts_with("the record does not have opening 8 of the book"));
        let told = |index| (index, whole.opening(index).unwrap().into_owned());
        book.recall([told(7), told(300)]);
        assert_eq!(book.recalled(), Some(2));
        assert_eq!(book.get(7), whole.get(7));
        let key = |index| whole.opening(index).unwrap().meeting_key();
        assert_eq!(
            [7, 300, 8].map(|index| book.place(key(index))),
            [Some(7), Some(300), None]
        );
        assert_eq!(
            (book.id(300), book.id(8)),
            (whole.id(300), "opening 9".to_owned())
        );
        assert_eq!(book.digest(false), whole.digest(true));
        assert_eq!(whole.recalled(), None);
    }
}

mod words_from_outside {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_line_panics(line in "[-a-h1-8KQRBNkqrbnpPwOx=+#/0;. \"éX]{0,70}") {
            for card in [leitai_chess::card(), leitai_xiangqi::card(), leitai_othello::card()] {
                let _ = Book::parse(card, &line, "book");
            }
        }

        #[test]
        fn no_operation_panics(more in "[a-z0-9 ;\"\\-]{0,40}", counters in any::<bool>()) {
            let board = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
            let counters = if counters { "0 2" } else { "" };
            let line = format!("{board} {counters} {more}");
            let _ = Book::parse(leitai_chess::card(), &line, "book");
        }
    }
}
