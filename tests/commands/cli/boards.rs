//! Boards as shown to users.

use crate::common::{Sandbox, json, leitai, project, run, stderr, stdout};

const START: &str = "\
9  r n b a k a b n r
8  . . . . . . . . .
7  . c . . . . . c .
6  p . p . p . p . p
5  . . . . . . . . .
4  . . . . . . . . .
3  P . P . P . P . P
2  . C . . . . . C .
1  . . . . . . . . .
0  R N B A K A B N R
   a b c d e f g h i
";

#[test]
fn show_prints_a_position() {
    let shown = stdout(&run(&["show", "xiangqi"]));
    let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    assert_eq!(shown, format!("{START}red to move\n{fen}\n"));
    let shown = stdout(&run(&["show", "othello", "--moves", "f5 d6 c3"]));
    assert!(shown.contains("3  . .[X]. . . . ."), "{shown}");
    let said = "white to move, last move c3\ndiscs: black 5, white 2\n";
    assert!(shown.contains(said), "{shown}");
    let shown = stdout(&run(&["show", "xiangqi", "--moves", "h2e2", "--glyphs"]));
    let row = "\n2  .  炮 .  . [炮].  . (. ).\n";
    assert!(shown.contains(row), "{shown}");

    let shown = json(&["show", "go", "--moves", "D5", "--json"]);
    let board = &shown["board"];
    assert_eq!(
        (&board["game"], &board["to_move"]),
        (&"go".into(), &"defender".into())
    );
    assert_eq!(board["columns"].as_array().map(Vec::len), Some(7));
    assert_eq!(board["marks"][0]["at"], "D5");
    let fen = shown["fen"].as_str().unwrap();
    assert!(fen.contains("..XX..."), "{fen}");
}

#[test]
fn show_draws_a_picture_through_the_door() {
    let sandbox = Sandbox::new();
    let file = sandbox.path("board.svg");
    let drawn = run(&["show", "go", &format!("--svg={file}")]);
    assert!(drawn.status.success() && stdout(&drawn).is_empty());
    let svg = std::fs::read_to_string(&file).unwrap();
    let title = "<title>go: attacker to move; liberties of the target: 4</title>";
    assert!(svg.starts_with("<svg ") && svg.contains(title), "{svg}");
    assert_eq!(stdout(&run(&["show", "go", "--svg"])), svg);
    let nowhere = sandbox.path("none/board.svg");
    let refused = run(&["show", "go", &format!("--svg={nowhere}")]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        stderr(&refused).contains("cannot write"),
        "{}",
        stderr(&refused)
    );
}

#[test]
fn analyze_and_judge_show_the_board() {
    let config = project("configs/xiangqi-programs.toml");
    let config = config.to_str().unwrap();
    let analyze = [
        "analyze",
        "xiangqi",
        "-c",
        config,
        "--variant",
        "tutorial",
        "-d",
        "1",
    ];
    let shown = stdout(&run(&analyze));
    assert!(
        shown.starts_with(&format!("{START}red to move\nbest move  ")),
        "{shown}"
    );
    let found = json(&[&analyze[..], &["--moves", "h2e2", "--json"]].concat());
    assert_eq!(found["board"]["last_move"], "h2e2");

    let judged = stdout(&run(&["judge", "xiangqi", "--moves", "h2e2 h9g7"]));
    let after = "9  r n b a k a b(.)r";
    assert!(judged.starts_with("ongoing after 2 plies\n9  "), "{judged}");
    assert!(
        judged.contains(after) && judged.contains(". .[n]c ."),
        "{judged}"
    );
    for (game, moves, to) in [("othello", "f5", "f5"), ("go", "D5", "D5")] {
        let judged = stdout(&run(&["judge", game, "--moves", moves]));
        assert!(judged.contains(" X[X]."), "{judged}");
        let judged = json(&["judge", game, "--moves", moves, "--json"]);
        assert_eq!(judged["board"]["marks"][0]["at"], to);
    }
}

#[test]
fn an_error_about_a_position_shows_it() {
    for command in [&["show", "xiangqi"][..], &["perft", "xiangqi", "-d", "1"]] {
        let fen = ["--fen", "4k4/9/9/9/4R4/9/9/9/9/5K3 w"];
        let refused = run(&[command, &fen].concat());
        assert_eq!(refused.status.code(), Some(2));
        let said = stderr(&refused);
        assert!(
            said.contains("in check") && said.contains("\n5  . . . . R . . . .\n"),
            "{said}"
        );
    }
    // An unreadable input has no board, but the error has a position.
    let said = stderr(&run(&[
        "show",
        "xiangqi",
        "--fen",
        "4k4/9/9/9/9/9/9/9/9/4X4 w",
    ]));
    assert!(
        said.contains("on rank 0") && said.lines().count() == 1,
        "{said}"
    );
    let said = stderr(&run(&["judge", "xiangqi", "--moves", "h2e2 h2e2"]));
    assert!(
        said.contains("ply 2") && said.contains("\n2  . C . .[C]. .(.).\n"),
        "{said}"
    );
}

/// Piped output has no colours, regardless of the environment.
#[test]
fn a_pipe_gets_no_colours() {
    for refused in [None, Some(""), Some("1")] {
        let mut command = leitai();
        match refused {
            None => command.env_remove("NO_COLOR"),
            Some(value) => command.env("NO_COLOR", value),
        };
        let output = command
            .args(["show", "xiangqi", "--moves", "h2e2"])
            .output()
            .unwrap();
        assert!(!stdout(&output).contains('\u{1b}'));
    }
}
