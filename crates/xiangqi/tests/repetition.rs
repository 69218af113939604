//! Verdicts on repetitions under each rule, compared with cases from other sources.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use leitai_game::{Line, Position};
use leitai_xiangqi::{RepetitionRule, Xiangqi, XiangqiRules};

/// One line of a case file.
struct Case {
    id: &'static str,
    fen: &'static str,
    moves: Vec<&'static str>,
    rules: Vec<RepetitionRule>,
    /// As `0-1|perpetual-chase`.
    expected: String,
}

/// The cases of both files: `id | position | moves | rules | result | cause`.
fn cases() -> impl Iterator<Item = Case> {
    let made_by_hand = include_str!("../../../tests/data/xiangqi-repetition.txt");
    let of_federations = include_str!("../../../tests/data/xiangqi-federations.txt");
    let lines = made_by_hand.lines().chain(of_federations.lines());
    lines.filter(|line| !line.starts_with('#')).map(|line| {
        let fields: Vec<_> = line.split('|').map(str::trim).collect();
        let [id, fen, moves, rules, result, cause] = fields[..] else {
            panic!("six fields expected in `{line}`");
        };
        let is_for = |rule: &RepetitionRule| {
            rules == "all" || rules.split(' ').any(|name| name == rule.name())
        };
        let rules: Vec<_> = RepetitionRule::ALL.iter().copied().filter(is_for).collect();
        assert!(!rules.is_empty(), "no rule in `{line}`");
        Case {
            id,
            fen,
            moves: moves.split_whitespace().collect(),
            rules,
            expected: format!("{result}|{cause}"),
        }
    })
}

/// Plays the moves until the game ends; returns result and cause, as `0-1|perpetual-chase`, or
/// `ongoing|none`.
fn play<'a>(fen: &str, moves: impl IntoIterator<Item = &'a str>, rule: RepetitionRule) -> String {
    let rules = XiangqiRules {
        repetition: rule,
        ..XiangqiRules::default()
    };
    let mut line = Line::new(Xiangqi::from_fen(fen).unwrap());
    for text in moves {
        line.play(line.position().parse_move(text).unwrap());
        if let Some(verdict) = line.verdict(rules) {
            return format!("{}|{}", verdict.result_text(), verdict.cause);
        }
    }
    "ongoing|none".to_owned()
}

#[test]
fn each_case_has_its_verdict() {
    let mut counts = [0; RepetitionRule::ALL.len()];
    for case in cases() {
        for rule in case.rules {
            let got = play(case.fen, case.moves.iter().copied(), rule);
            assert_eq!(got, case.expected, "{} {}", case.id, rule.name());
            counts[rule as usize] += 1;
        }
    }
    // check, computer, asian, chinese.
    assert_eq!(counts, [31, 33, 168, 54]);
}

#[test]
fn random_cycles_are_judged_as_by_another_program() {
    let text = include_str!("../../../tests/data/xiangqi-cycles.txt");
    let cases = text.lines().filter(|line| !line.starts_with('#'));
    let mut count = 0;
    for case in cases {
        let fields: Vec<_> = case.split(" | ").collect();
        let [fen, cycle, asian, chinese] = fields[..] else {
            panic!("four fields expected in `{case}`");
        };
        let moves = || cycle.split(' ').cycle().take(8);
        let expected = [
            (RepetitionRule::Asian, asian),
            (RepetitionRule::Chinese, chinese),
        ];
        for (rule, result) in expected {
            let got = play(fen, moves(), rule);
            assert!(
                got.starts_with(result),
                "{fen} {cycle} {}: {got}",
                rule.name()
            );
            count += 1;
        }
    }
    assert_eq!(count, 358);
}

/// A move with each square replaced by its `image`.
fn move_image(text: &str, image: impl Fn(u8, u8) -> (u8, u8)) -> String {
    let squares = text.as_bytes().chunks_exact(2);
    let images = squares.map(|square| {
        let (file, rank) = image(square[0] - b'a', square[1] - b'0');
        format!("{}{rank}", char::from(b'a' + file))
    });
    images.collect()
}

/// The position and the moves with the board's left and right exchanged.
fn mirrored(fen: &str, moves: &[&str]) -> (String, Vec<String>) {
    let (board, rest) = fen.split_once(' ').unwrap();
    let rows = board.split('/').map(|row| row.chars().rev().collect());
    let rows: Vec<String> = rows.collect();
    let moves = moves
        .iter()
        .map(|text| move_image(text, |file, rank| (8 - file, rank)));
    (format!("{} {rest}", rows.join("/")), moves.collect())
}

/// The position and the moves with the two sides exchanged.
fn with_other_colours(fen: &str, moves: &[&str]) -> (String, Vec<String>) {
    let fields: Vec<_> = fen.split(' ').collect();
    let rows: Vec<_> = fields[0].split('/').rev().collect();
    let swap = |letter: char| {
        if letter.is_ascii_uppercase() {
            letter.to_ascii_lowercase()
        } else {
            letter.to_ascii_uppercase()
        }
    };
    let board: String = rows.join("/").chars().map(swap).collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    let moves = moves
        .iter()
        .map(|text| move_image(text, |file, rank| (file, 9 - rank)));
    let fen = format!("{board} {side} {}", fields[2..].join(" "));
    (fen, moves.collect())
}

fn with_other_winner(verdict: &str) -> String {
    match verdict.split_once('|') {
        Some(("1-0", cause)) => format!("0-1|{cause}"),
        Some(("0-1", cause)) => format!("1-0|{cause}"),
        _ => verdict.to_owned(),
    }
}

/// The lines of the cases, and generated ones.
fn lines() -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    let generated = include_str!("../../../tests/data/xiangqi-judged.txt").lines();
    let generated = generated.filter(|line| !line.starts_with('#')).map(|line| {
        let mut fields = line.split('|');
        let (fen, moves) = (fields.next().unwrap(), fields.next().unwrap());
        (fen, moves.split_whitespace().collect())
    });
    cases().map(|case| (case.fen, case.moves)).chain(generated)
}

#[test]
fn verdicts_keep_the_symmetries_of_the_board() {
    let mut decided = 0;
    for (fen, moves) in lines() {
        let (mirror_fen, mirror_moves) = mirrored(fen, &moves);
        let (other_fen, other_moves) = with_other_colours(fen, &moves);
        for rule in RepetitionRule::ALL.iter().copied() {
            let verdict = play(fen, moves.iter().copied(), rule);
            let mirror = play(&mirror_fen, mirror_moves.iter().map(String::as_str), rule);
            assert_eq!(mirror, verdict, "{fen} {}", rule.name());
            let other = play(&other_fen, other_moves.iter().map(String::as_str), rule);
            assert_eq!(other, with_other_winner(&verdict), "{fen} {}", rule.name());
            decided += usize::from(verdict.contains("perpetual"));
        }
    }
    assert!(decided > 700, "{decided} verdicts");
}

/// The length of the cycle at the end of a line that ends in two equal rounds, if it does.
fn cycle_length(fen: &str, moves: &[&str]) -> Option<usize> {
    let mut line = Line::new(Xiangqi::from_fen(fen).unwrap());
    for text in moves {
        line.play(line.position().parse_move(text).unwrap());
    }
    let now = moves.len();
    let mut lengths = (4..=now / 2).step_by(2);
    lengths.find(|&length| {
        let [earlier, first] = [now - length, now - 2 * length];
        let keys = [earlier, first].map(|index| line.key_after(index));
        keys == [line.position().key(); 2] && moves[earlier..] == moves[first..earlier]
    })
}

#[test]
fn the_first_ply_of_a_cycle_does_not_matter() {
    let mut count = 0;
    for case in cases() {
        let Some(length) = cycle_length(case.fen, &case.moves) else {
            continue;
        };
        let begin = case.moves.len() - 2 * length;
        let cycle = &case.moves[begin..begin + length];
        for rule in RepetitionRule::ALL.iter().copied() {
            let mut verdicts = Vec::new();
            for skipped in 0..length {
                let mut start = Xiangqi::from_fen(case.fen).unwrap();
                for text in &case.moves[..begin + skipped] {
                    start.make(start.parse_move(text).unwrap());
                }
                let rotated = cycle.iter().copied().cycle();
                let rotated = rotated.skip(skipped).take(2 * length);
                verdicts.push(play(&start.to_fen(), rotated, rule));
            }
            let first = &verdicts[0];
            let are_equal = verdicts.iter().all(|verdict| verdict == first);
            assert!(are_equal, "{} {}: {verdicts:?}", case.id, rule.name());
        }
        count += 1;
    }
    assert!(count > 150, "{count} cycles");
}
