//! The Xiangqi referee compared with independently determined verdicts.

use leitai_game::{Line, Position, Verdict};
use leitai_games::xiangqi::{Xiangqi, XiangqiRules};

/// Result and cause, as `0-1|perpetual-chase`.
fn text_of(verdict: Option<Verdict>) -> String {
    verdict.map_or_else(
        || "ongoing|none".to_owned(),
        |verdict| format!("{}|{}", verdict.result_text(), verdict.cause),
    )
}

/// Plays the moves until the game ends; returns result, cause and number of plies, as
/// `0-1|perpetual-chase|8`.
fn play(fen: &str, moves: &str) -> Result<String, String> {
    let start = Xiangqi::from_fen(fen).map_err(|error| error.to_string())?;
    let mut line = Line::new(start);
    let mut verdict = None;
    for text in moves.split_whitespace() {
        let mv = line.position().parse_move(text);
        line.play(mv.map_err(|error| error.to_string())?);
        verdict = line.verdict(XiangqiRules::default());
        if verdict.is_some() {
            break;
        }
    }
    Ok(format!("{}|{}", text_of(verdict), line.len()))
}

/// The lines of a case file, without empty lines and comments.
fn cases(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Checks a file of `FEN|moves|result|cause|ply`; returns the number of cases and the
/// disagreements.
fn run(text: &str) -> (usize, Vec<String>) {
    let mut count = 0;
    let mut wrong = Vec::new();
    for case in cases(text) {
        count += 1;
        let mut fields = case.splitn(3, '|');
        let (fen, moves) = (fields.next().unwrap_or(""), fields.next().unwrap_or(""));
        let expected = fields.next().unwrap_or("");
        let got = play(fen, moves).unwrap_or_else(|error| error);
        if got != expected {
            wrong.push(format!("{case}\n    here: {got}"));
        }
    }
    (count, wrong)
}

#[test]
fn a_sample_of_positions_is_judged_as_by_pikafish() {
    let (count, wrong) = run(include_str!("../data/xiangqi-judged.txt"));
    assert!(count >= 400);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `LEITAI_JUDGE_CASES=file cargo test --test all xiangqi_referee -- --ignored`
#[test]
#[ignore = "reads the file that LEITAI_JUDGE_CASES names"]
fn a_file_of_cases_has_its_verdicts() {
    let Ok(path) = std::env::var("LEITAI_JUDGE_CASES") else {
        return;
    };
    let text = std::fs::read_to_string(&path).expect("the file can be read");
    let (count, wrong) = run(&text);
    assert!(
        wrong.is_empty(),
        "{} of {count} cases differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
