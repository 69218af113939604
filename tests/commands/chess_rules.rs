//! Each rule of `docs/chess-rules.md` and `docs/shogi-rules.md` has an example there, and the
//! examples hold.

use crate::common::{Sandbox, leitai, run, stderr, stdout};

/// The words of a command; quotes group several together.
fn words(command: &str) -> Vec<String> {
    let parts = command.split('"').enumerate();
    let words = parts.flat_map(|(place, part)| match place % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}

#[test]
fn every_rule_has_an_example_and_the_examples_are_true() {
    let pages = [
        include_str!("../../docs/chess-rules.md"),
        include_str!("../../docs/shogi-rules.md"),
    ];
    let (mut examples, mut said) = (0, String::new());
    // The rule that still lacks an example.
    let mut open: Option<&str> = None;
    for line in pages.iter().flat_map(|page| page.lines()) {
        if let Some(rule) = line.strip_prefix("- ") {
            assert_eq!(open, None, "a rule without an example");
            open = Some(rule);
        } else if let Some(command) = line.trim_start().strip_prefix("leitai ") {
            let words = words(command);
            let output = run(&words.iter().map(String::as_str).collect::<Vec<_>>());
            said = stdout(&output) + &stderr(&output);
        } else if let Some(expected) = line.trim_start().strip_prefix("→ ") {
            assert!(!said.is_empty(), "no command before `{expected}`");
            assert!(
                said.contains(expected),
                "{open:?}: `{expected}` is not in:\n{said}"
            );
            (examples, open) = (examples + 1, None);
        }
    }
    assert_eq!(open, None, "a rule without an example");
    assert!(examples > 58, "{examples} examples");
}

/// Games without a tag for the game are recognised by their moves.
#[test]
fn games_without_tags_are_known_by_their_moves() {
    let sandbox = Sandbox::new();
    for (moves, game) in [
        ("1. e4 e5 *", "chess"),
        ("1. a4 a5 2. c4 *", "chess"),
        ("1. Nf3 Nf6 1/2-1/2", "chess"),
        ("1. h2e2 h9g7 2. h0g2 *", "xiangqi"),
        ("1. C2=5 H8+7 *", "xiangqi"),
        ("1. f5 d6 2. c3 d3 3. c4 *", "othello"),
    ] {
        let pgn = sandbox.write("untagged.pgn", &format!("{moves}\n"));
        let output = run(&["convert", &pgn, "--to", "json"]);
        let text = stdout(&output);
        assert!(output.status.success(), "{moves}: {}", stderr(&output));
        let first = text.lines().next().unwrap_or_default();
        let read: serde_json::Value = serde_json::from_str(first).expect("JSON");
        assert_eq!(read["variant"], game, "{text}");
    }
}

/// The engine reads castling in either form, with any setting of Chess960.
#[test]
fn our_engine_reads_both_forms_of_castling() {
    for (option, castling) in [
        (false, "e1h1"),
        (false, "e1g1"),
        (true, "e1g1"),
        (true, "e1h1"),
    ] {
        let mut child = leitai()
            .args(["engine", "--game", "chess"])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .expect("leitai runs");
        let mut input = child.stdin.take().expect("its input");
        let text = format!(
            "uci\nsetoption name UCI_Chess960 value {option}\n\
             position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves {castling}\ngo depth 1\n"
        );
        std::io::Write::write_all(&mut input, text.as_bytes()).expect("it reads");
        drop(input);
        let output = child.wait_with_output().expect("it ends");
        let said = stdout(&output);
        assert!(said.contains("bestmove e8"), "{option} {castling}: {said}");
    }
}
