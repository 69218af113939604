//! Semeais and connections, by hand.

use super::super::certificate::{Play, Spot};
use super::super::check::{Effort, check};
use super::super::refusal::Reason;
use super::super::text::{Trouble, read};
use super::{exhaustive, one};

/// A certificate with these headers, rows and nodes.
fn text(headers: &str, rows: &str, nodes: &[&str]) -> String {
    let rows: Vec<_> = rows.split('/').collect();
    let numbered = nodes.iter().enumerate();
    let numbered: Vec<_> = numbered.map(|(at, node)| format!("{at} {node}")).collect();
    format!(
        "leitai proof 1\n{}\nboard {}\n{}\nnodes {}\n{}\nend\n",
        headers.replace("; ", "\n"),
        rows.len(),
        rows.join("\n"),
        nodes.len(),
        numbered.join("\n")
    )
}

/// The result of both checks, which must agree.
fn checked(headers: &str, rows: &str, nodes: &[&str]) -> Result<(), Reason> {
    let certificate = one(&text(headers, rows, nodes));
    let of = |effort| {
        check(&certificate, effort)
            .map(drop)
            .map_err(|it| it.reason)
    };
    let (zones, every) = (of(Effort::default()), of(exhaustive()));
    assert_eq!(zones.is_ok(), every.is_ok(), "{zones:?} {every:?}");
    zones
}

/// The error in the text.
fn trouble(headers: &str) -> Trouble {
    let text = text(headers, ".X/OX", &["-"]);
    let read = read(text.as_bytes()).next().expect("something");
    read.expect_err("not to be read").trouble
}

/// The point of this column and row, from 0 at the top left.
const fn at(col: u8, row: u8) -> Play {
    Play::At(Spot { col, row })
}

#[test]
fn a_block_at_stake_must_not_fall_first() {
    let captured = "claim captured; master defender; target D1; to-move black";
    let race = format!("{captured}; against A4");
    let nodes = ["D2: * 1", "C1"];
    // White D1 is lost, but takes A4 first where that stone is in atari.
    let short = "X.../O..X/..X./.X.O";
    assert_eq!(checked(captured, short, &nodes), Ok(()));
    assert_eq!(
        checked(&race, short, &nodes),
        Err(Reason::StakeTaken(at(1, 0)))
    );
    assert_eq!(checked(&race, "X.../...X/..X./.X.O", &nodes), Ok(()));
}

#[test]
fn taking_the_stake_saves_the_target() {
    let escapes = "claim escapes; master defender; target C1; to-move white";
    let race = format!("{escapes}; against A3");
    let rows = "XO./.../.XO";
    assert_eq!(checked(&race, rows, &["A2"]), Ok(()));
    assert_eq!(
        checked(escapes, rows, &["A2"]),
        Err(Reason::TargetTaken(at(2, 1)))
    );
    assert!(checked(&race, rows, &["A1"]).is_err());
}

#[test]
fn two_ways_connect_and_one_does_not() {
    let connected = "claim connected; master defender; target A3; with A1; to-move white";
    let nodes = ["-: A2 1, B2 2, * 1", "B2", "A2"];
    assert_eq!(checked(connected, "XX./.../XX.", &nodes), Ok(()));
    let of = |nodes: &[&str]| checked(connected, "XX./.../XX.", nodes);
    assert_eq!(
        of(&["-: A2 1, * 1", "B2"]),
        Err(Reason::Occupied(Spot { col: 1, row: 1 }))
    );
    assert_eq!(of(&["-: A2 1, B2 2", "B2", "A2"]), Err(Reason::NoOtherwise));
    assert_eq!(
        of(&["-: A2 1, B2 2, * 1", "B2", "C2"]),
        Err(Reason::NoOtherwise)
    );
    // One of the blocks is taken before it is joined.
    let taken = checked(connected, "X../.../XO.", &["-: * 1", "A2"]);
    assert_eq!(taken, Err(Reason::TargetTaken(at(0, 1))));
}

#[test]
fn a_cut_stands_by_a_living_wall_by_capture_or_by_answers() {
    let cut = "claim cut; master attacker; target A3; with A1; to-move white";
    assert_eq!(checked(cut, "X../OOO/X..", &["-"]), Ok(()));
    assert_eq!(checked(cut, "X../OO./X..", &["-"]), Err(Reason::NoAnswer));
    // White takes A1, or walks into C2.
    assert_eq!(checked(cut, "X../.../XO.", &["A2"]), Ok(()));
    assert_eq!(checked(cut, "X../OO./X..", &["C2"]), Ok(()));
    // Otherwise White passes, and Black connects around the cut.
    let around = checked(cut, "X../OO./X..", &["pass"]);
    assert!(matches!(around, Err(Reason::Joined(_))), "{around:?}");
    let around = checked(&cut.replace("white", "black"), "X.X/OO./X..", &["-"]);
    assert!(matches!(around, Err(Reason::Joined(_))), "{around:?}");
}

#[test]
fn statements_that_make_no_sense_are_refused() {
    let of = |headers: &str, rows: &str| checked(headers, rows, &["-"]);
    let race = "claim captured; master defender; target A1; to-move black; against B1";
    let wrong = Err(Reason::WrongOther(Spot { col: 1, row: 1 }));
    assert_eq!(of(race, ".X/OO"), wrong);
    assert_eq!(of(race, ".X/O."), wrong);
    let link = "claim connected; master defender; target A1; to-move black; with B1";
    assert_eq!(of(link, ".X/OX"), wrong);
    assert_eq!(of(link, ".X/OO"), Err(Reason::OneBlock));
    let mut certificate = one(&text(link, ".X/OO", &["-"]));
    certificate.statement.other = None;
    let refused = check(&certificate, Effort::default()).map_err(|it| it.reason);
    assert_eq!(refused, Err(Reason::NoOther));
    assert_eq!(
        trouble(&link.replace("; with B1", "")),
        Trouble::Missing("with")
    );
    let stray = |headers: &str| matches!(trouble(headers), Trouble::Value(..));
    assert!(stray(&race.replace("against", "with")));
    assert!(stray(&format!("{link}; against B1")));
    assert!(stray(&link.replace("B1", "C1")));
}

#[test]
fn other_blocks_are_written_and_read() {
    for (key, claim) in [
        ("against", "captured"),
        ("against", "escapes"),
        ("with", "cut"),
    ] {
        let headers = format!("claim {claim}; master defender; target A3; {key} A1; to-move white");
        let text = text(&headers, "X../.../X..", &["pass"]);
        assert_eq!(one(&text).to_string(), text);
    }
}
