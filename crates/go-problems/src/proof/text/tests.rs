use proptest::prelude::*;

use super::super::certificate::{
    Ban, Certificate, Claim, Master, Node, Play, Spot, Statement, Stone,
};
use super::*;

fn small() -> Certificate {
    let spot = |col, row| Spot { col, row };
    Certificate {
        statement: Statement {
            id: Some("a name".to_owned()),
            rows: vec!["X.".to_owned(), ".O".to_owned()],
            target: spot(1, 1),
            to_move: Stone::Black,
            ban: None,
            claim: Claim::Escapes,
            other: None,
            master: Master::Defender,
            escape_liberties: Some(5),
        },
        nodes: vec![
            Node {
                answer: None,
                replies: vec![(Play::At(spot(1, 0)), 1), (Play::Pass, 0)],
                otherwise: Some(1),
            },
            Node {
                answer: Some(Play::Pass),
                ..Node::default()
            },
        ],
    }
}

const SMALL: &str = "\
leitai proof 1
id a name
claim escapes
master defender
target B1
to-move black
liberties 5
board 2
X.
.O
nodes 2
0 -: B2 1, pass 0, * 1
1 pass
end
";

#[test]
fn written_values_are_read() {
    assert_eq!(small().to_string(), SMALL);
    let twice = format!("# two of them\n\n{SMALL}{}", SMALL.replace('\n', "\r\n"));
    let read: Vec<Listed> = read(twice.as_bytes())
        .map(|it| it.expect("readable"))
        .collect();
    assert_eq!(read.len(), 2);
    for (listed, line) in read.iter().zip([3, 17]) {
        assert_eq!(listed.certificate, small());
        assert_eq!(
            (listed.line, listed.lines.as_slice()),
            (line, &[line + 11, line + 12][..])
        );
    }
}

#[test]
fn an_error_names_the_line_and_the_next_certificate_is_read() {
    for (from, to, line, message) in [
        (
            "leitai proof 1",
            "leitai proof 2",
            1,
            "`leitai proof 2` where a certificate",
        ),
        (
            "claim escapes",
            "claim lives",
            3,
            "`claim lives`: expected `captured` or `escapes`",
        ),
        (
            "claim escapes",
            "claim escapes\nclaim escapes",
            4,
            "`claim` is given twice",
        ),
        ("claim escapes\n", "", 10, "`claim` is missing"),
        ("claim", "says", 3, "invalid header `says`"),
        (
            "master defender",
            "master nobody",
            4,
            "`master nobody`: expected `attacker`",
        ),
        (
            "target B1",
            "target C3",
            11,
            "`target C3`: expected a point",
        ),
        (
            "to-move black",
            "to-move X",
            6,
            "`to-move X`: expected `black`",
        ),
        (
            "liberties 5",
            "liberties 1",
            7,
            "`liberties 1`: expected a number from 2",
        ),
        (
            "board 2",
            "board 20",
            8,
            "`board 20`: expected the number of its rows",
        ),
        ("X.\n", "X\n", 9, "invalid row `X`"),
        ("nodes 2", "nodes 3", 14, "expected node 2 of 3 here"),
        (
            "nodes 2",
            "nodes 1",
            13,
            "`1 pass` after the last of 1 nodes",
        ),
        ("1 pass", "1 Z9", 13, "invalid play `Z9`"),
        ("0 -: B2 1", "0 -: B2", 12, "invalid reply `B2`"),
        ("* 1", "* 1, * 1", 12, "`*` is given twice"),
        (
            "end\n",
            "",
            14,
            "the text ends within a certificate: expected `end`",
        ),
    ] {
        assert!(SMALL.contains(from), "{from}");
        let text = format!("{}{SMALL}", SMALL.replacen(from, to, 1));
        let read: Vec<_> = read(text.as_bytes()).collect();
        assert_eq!(read.len(), 2, "{to}: {read:?}");
        let error = read[0].as_ref().expect_err("unreadable");
        assert_eq!(error.line, line, "{to}: {error}");
        let said = error.to_string();
        assert!(said.contains(message), "{to}: {said}");
        assert!(read[1].is_ok(), "{to}: {read:?}");
    }
}

#[test]
fn a_ban_is_a_header() {
    let text = SMALL.replace("liberties 5", "ko-ban B2 white\nliberties 5");
    let certificate = read(text.as_bytes())
        .next()
        .expect("one")
        .expect("readable");
    let certificate = certificate.certificate;
    let ban = Ban {
        spot: Spot { col: 1, row: 0 },
        stone: Stone::White,
    };
    assert_eq!(certificate.statement.ban, Some(ban));
    assert_eq!(certificate.to_string(), text);
    for wrong in ["B2", "B2 X", "C3 white", "B2 white white", ""] {
        let text = text.replace("ko-ban B2 white", &format!("ko-ban {wrong}"));
        let error = read(text.as_bytes()).next().expect("one").expect_err(wrong);
        assert!(
            error.to_string().contains("a point and a colour"),
            "{error}"
        );
    }
}

#[test]
fn a_line_without_end_is_not_taken_in() {
    let text = format!("leitai proof 1\nid {}\n", "x".repeat(100_000));
    let error = read(text.as_bytes())
        .next()
        .expect("something")
        .expect_err("too long");
    assert_eq!((error.line, error.trouble), (2, Trouble::TooLong(16_384)));
}

proptest! {
    #[test]
    fn any_bytes_are_read_to_the_end(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(read(&bytes).count() <= 200);
    }

    #[test]
    fn any_lines_are_read_to_the_end(
        lines in prop::collection::vec(
            "(leitai proof 1|claim [a-z]{0,8}|board [0-9]{1,3}|nodes [0-9]{1,12}|[.XO]{0,4}|\
             [0-9]{1,3} [A-Z*][0-9]{0,2}:?.{0,9}|end|target A1|master attacker|to-move white)",
            0..30,
        ),
    ) {
        let text = lines.join("\n");
        prop_assert!(read(text.as_bytes()).count() <= lines.len());
    }
}
