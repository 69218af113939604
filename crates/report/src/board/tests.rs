use unicode_width::UnicodeWidthStr as _;

use super::text::columns_of;
use super::*;
use crate::xml::check_xml;
use leitai_game::conformance::in_random_games;
use leitai_game::view::{Cells, Figure, MarkKind, Place, Shape, Tint, View};
use leitai_game::{Line, Position, Side};
use leitai_go::Capture;
use leitai_othello::Othello;
use leitai_xiangqi::Xiangqi;

const ASCII: BoardStyle = BoardStyle::letters(false);

/// Removes colours.
fn plain(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| {
        plain + part.split_once('m').expect("the end of a colour").1
    })
}

fn check<P: Position>(line: &Line<P>) {
    let view = &line.view().expect("a board");
    let fen = line.position().to_fen();
    let text = board_rows(view, ASCII);
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows.len(), view.rows.len() + 1, "{fen}");
    let label = view.rows[0].width().max(view.rows.last().unwrap().width());
    for (y, row) in rows[..view.rows.len()].iter().enumerate() {
        assert_eq!(row[..label].trim_start(), view.rows[y], "{fen}\n{text}");
        let letters: Vec<char> = row.chars().collect();
        for x in 0..view.columns.len() {
            let (at, place) = (label + 2 + 2 * x, Place::new(x, y));
            let letter = view.piece_at(place).map(|piece| piece.figure.letter);
            match letter {
                Some(letter) => assert_eq!(letters[at], letter, "{fen}\n{text}"),
                None => assert!(matches!(letters[at], '.' | '+'), "{fen}\n{text}"),
            }
            let around = [letters[at - 1], *letters.get(at + 1).unwrap_or(&' ')];
            let is_to = view.mark_at(place) == Some(MarkKind::To);
            assert_eq!(around[0] == '[', is_to, "{fen}\n{text}");
            assert!(!is_to || around[1] != ' ', "{fen}\n{text}");
        }
    }
    let labels: Vec<&str> = rows[view.rows.len()].split_whitespace().collect();
    assert_eq!(labels, view.columns);

    // Colours change no letter, and glyphs no column.
    let style = |glyphs, colours| BoardStyle { glyphs, colours };
    assert_eq!(
        plain(&board_text(view, style(false, true))),
        board_text(view, ASCII)
    );
    let text = board_rows(view, style(true, false));
    assert_eq!(plain(&board_rows(view, style(true, true))), text);
    let glyphs = view.pieces.iter().map(|piece| piece.figure.glyph);
    let cell = glyphs.map(columns_of).max().unwrap_or(1) + 1;
    for (y, row) in text.lines().take(view.rows.len()).enumerate() {
        for piece in view.pieces.iter().filter(|piece| piece.place.row == y) {
            let (before, _) = row.split_once(piece.figure.glyph).expect("a glyph");
            let column = before.width() - label - 2;
            assert_eq!(column % cell, 0, "{fen}\n{text}");
        }
    }

    let svg = board_svg(view);
    assert_eq!(check_xml(&svg), Ok(()), "{fen}");
    assert_eq!(
        svg.matches("<g class=\"piece\">").count(),
        view.pieces.len(),
        "{fen}"
    );
    assert_eq!(
        svg.matches("<title>").count(),
        view.pieces.len() + 1,
        "{fen}"
    );
}

#[test]
fn every_board_of_random_games_is_shown_whole() {
    in_random_games::<Xiangqi>((17, 4, 60), check);
    in_random_games::<Othello>((17, 4, 60), check);
    in_random_games::<Capture>((17, 4, 60), check);
}

fn after<P: Position>(fen: &str, moves: &str) -> View {
    let mut line = Line::new(P::from_fen(fen).expect("a position"));
    for text in moves.split(' ') {
        line.play(line.position().parse_move(text).expect("a move"));
    }
    line.view().expect("a board")
}

#[test]
fn boards_as_text() {
    let xiangqi = after::<Xiangqi>(&Xiangqi::initial().to_fen(), "h2e2 h9g7 e2e6");
    let othello = after::<Othello>(&Othello::initial().to_fen(), "f5 d6");
    let go = after::<Capture>(&Capture::initial().to_fen(), "D5 C4");
    let glyphs = BoardStyle {
        glyphs: true,
        ..ASCII
    };
    let colours = BoardStyle::letters(true);
    insta::with_settings!({
        snapshot_path => "../../tests/data/board",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!("xiangqi", board_text(&xiangqi, ASCII));
        insta::assert_snapshot!("xiangqi_glyphs", board_text(&xiangqi, glyphs));
        insta::assert_snapshot!("othello", board_text(&othello, ASCII));
        let coloured = board_text(&othello, colours).replace('\u{1b}', "ESC");
        insta::assert_snapshot!("othello_colours", coloured);
        insta::assert_snapshot!("go", board_text(&go, ASCII));
        insta::assert_snapshot!("go_svg", board_svg(&go));
    });
}

#[test]
fn marks_side_by_side_and_labels_of_several_letters_keep_the_columns() {
    let mut view = View::new::<Othello>(Side::First, Cells::Points, ["A", "BB", "C"], [10, 9]);
    view.mark(Place::new(0, 0), MarkKind::From);
    view.mark(Place::new(1, 0), MarkKind::To);
    view.mark(Place::new(1, 0), MarkKind::Point);
    view.mark(Place::new(2, 1), MarkKind::Point);
    view.mark(Place::new(3, 1), MarkKind::Point);
    assert_eq!(view.marks.len(), 3);
    let wanted = "10 (. [. ].\n 9  .  . <. >\n    A  BB C";
    assert_eq!(board_rows(&view, ASCII), wanted);
}

#[test]
fn a_board_without_places_is_shown_too() {
    let none = [""; 0];
    let view = View::new::<Othello>(Side::First, Cells::Points, none, none);
    assert_eq!(board_text(&view, ASCII), "\nblack to move");
    assert_eq!(check_xml(&board_svg(&view)), Ok(()));
}

/// Characters that need escaping in SVG.
#[test]
fn a_picture_is_well_formed_whatever_the_letters() {
    let queen = Figure::glyph('<', Side::First, Tint::Blue, "<q&\u{1b}>", '&');
    let mut view = View::new::<Othello>(Side::Second, Cells::Checkered, ["<", "\"", "&"], 1..=2);
    view.put_rows(&["<..", "..x"], &[queen]);
    view.put(Place::new(9, 9), queen);
    let wall = Figure {
        side: None,
        name: "wall",
        shape: Shape::Disc,
        ..queen
    };
    view.put(Place::new(2, 1), wall);
    assert_eq!(view.pieces.len(), 2);
    let svg = board_svg(&view);
    assert_eq!(check_xml(&svg), Ok(()));
    assert!(
        svg.contains("<title>black &lt;q&amp;\\u{1b}&gt; &lt;1</title>"),
        "{svg}"
    );
    assert!(svg.contains("<title>wall &amp;2</title>"), "{svg}");
}

#[test]
fn a_board_as_json() {
    let view = after::<Capture>("...../..X../.XOX./...../..... X C3 -", "B2 C2");
    let json = serde_json::to_value(&view).expect("JSON");
    assert_eq!(
        json["columns"],
        serde_json::json!(["A", "B", "C", "D", "E"])
    );
    assert_eq!(json["cells"], "points");
    let stone = serde_json::json!({
        "at": "C4", "column": 2, "row": 1, "side": "attacker", "name": "stone", "letter": "X",
        "glyph": "●", "shape": "disc", "tint": "black"
    });
    assert_eq!(json["pieces"][0], stone);
    let to = serde_json::json!({"at": "C2", "column": 2, "row": 3, "kind": "to"});
    let point = serde_json::json!({"at": "C3", "column": 2, "row": 2, "kind": "point"});
    assert_eq!(json["marks"], serde_json::json!([to, point]));
    let count = serde_json::json!({"name": "liberties of the target", "side": null, "number": 2});
    assert_eq!(json["counts"], serde_json::json!([count]));
    assert_eq!(
        (&json["to_move"], &json["last_move"]),
        (&"attacker".into(), &"C2".into())
    );
}
