//! Tests of the rules of Chess, and of its table of books.

mod perft;

use leitai_game::card::KnownBook;

#[test]
fn every_line_of_the_table_is_a_book() {
    let table = include_str!("books.txt");
    let books: Vec<KnownBook> = KnownBook::read_all(table).collect();
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    assert_eq!(books.len(), lines.count());
    for book in books {
        let is_digest = book.digest.bytes().all(|digit| digit.is_ascii_hexdigit());
        assert!(
            is_digest && [64, 96].contains(&book.digest.len()),
            "{book:?}"
        );
        assert!(
            [".epd", ".pgn"].iter().any(|end| book.file.ends_with(end)),
            "{book:?}"
        );
    }
}
