//! Tests of files of positions.

use std::fmt::Write as _;

use leitai_game::Side;
use leitai_stats::RandomNumbers;
use tempfile::TempDir;

use super::super::tests::fitted_of;
use super::super::{FitPlan, fit};
use super::*;

fn builder(threads: usize) -> (PositionsBuilder, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let (variant, tuned) = fitted_of("chess", &["eval.material.*", "eval.tempo"]);
    let layout = Layout::of(&variant, &tuned).unwrap();
    let threads = NonZeroUsize::new(threads).unwrap();
    let builder = PositionsBuilder::new(leitai_chess::card(), layout, folder.path(), threads);
    (builder.unwrap(), folder)
}

fn go_on() -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn read(text: &str, threads: usize) -> Result<(FileTally, Dataset), PositionsError> {
    let (mut builder, _folder) = builder(threads);
    let tally = builder.read(&mut text.as_bytes(), go_on)?;
    Ok((tally.unwrap(), builder.build()?))
}

/// Lines of random play in which the side with more pieces tends to win.
fn lines(count: usize, ending: &str) -> String {
    let mut dice = RandomNumbers::new(4, 0);
    let (mut text, mut written) = (String::new(), 0);
    while written < count {
        let mut position = leitai_chess::card().initial();
        for ply in 0..120 {
            let moves = position.moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[dice.below(moves.len())]);
            if ply % 8 == 7 && written < count {
                let fen = position.to_fen();
                let board = fen.split(' ').next().unwrap();
                let white = board.bytes().filter(u8::is_ascii_uppercase).count();
                let black = board.bytes().filter(u8::is_ascii_lowercase).count();
                let points = match white.cmp(&black) {
                    _ if dice.below(4) == 0 => "0.5",
                    std::cmp::Ordering::Less => "0.0",
                    std::cmp::Ordering::Equal => "0.5",
                    std::cmp::Ordering::Greater => "1.0",
                };
                let _ = write!(text, "{fen} [{points}]{ending}");
                written += 1;
            }
        }
    }
    text
}

/// A row with the bits of its numbers.
type ExactRow = (Vec<(u16, i16)>, u64, u64);

/// The rows of both parts.
fn rows(dataset: &Dataset) -> [Vec<ExactRow>; 2] {
    [Part::Training, Part::Validation].map(|part| {
        let mut all = Vec::new();
        let rows = dataset.source(part);
        let see = |row: super::super::rows::Row<'_>| {
            let entries = row.entries.iter();
            let entries = entries.map(|entry| (entry.dimension, entry.coefficient));
            all.push((
                entries.collect(),
                row.constant.to_bits(),
                row.result.to_bits(),
            ));
        };
        rows.each(0..rows.len(), see).unwrap();
        all
    })
}

#[test]
fn a_position_is_in_the_same_part_in_every_order() {
    let text = lines(1000, "\n");
    let mut reversed: Vec<&str> = text.lines().collect();
    reversed.reverse();
    let reversed = reversed.join("\n");
    let (tally, dataset) = read(&text, 1).unwrap();
    assert!(tally.repeated < 10, "{tally:?}");
    let mut back = rows(&read(&reversed, 1).unwrap().1);
    for part in &mut back {
        part.reverse();
    }
    assert!(rows(&dataset) == back);

    // The move counters do not matter, nor does the file.
    let (mut builder, _folder) = builder(2);
    let first = builder.read(&mut text.as_bytes(), go_on).unwrap().unwrap();
    let later = text.replace(" 0 1 [", " 7 90 [");
    let second = builder.read(&mut later.as_bytes(), go_on).unwrap();
    assert_eq!(first, tally);
    assert_eq!(second.unwrap().repeated, 1000);
    let twice = builder.build().unwrap();
    for part in [Part::Training, Part::Validation] {
        assert_eq!(twice.positions(part), 2 * dataset.positions(part));
    }
}

#[test]
fn headers_repeat_and_other_encodings_are_named() {
    let lines = lines(600, "\n").replace(" [", ",").replace(']', "");
    let text = format!("fen,result\n{lines}");
    let (tally, _) = read(&text.repeat(3), 2).unwrap();
    assert_eq!((tally.lines, tally.unreadable), (1800, 0));
    assert_eq!(tally.repeated, 1200 + read(&text, 1).unwrap().0.repeated);
    let refused = |bytes: &[u8]| {
        let (mut builder, _folder) = builder(1);
        builder.read(&mut &*bytes, go_on).unwrap_err().to_string()
    };
    let other = refused(format!("{text}fen,half_points\n{lines}").as_bytes());
    assert!(
        other.starts_with("line 602: a header with other"),
        "{other}"
    );
    let wide = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        "\u{feff}"
            .encode_utf16()
            .chain(text.encode_utf16())
            .flat_map(bytes)
            .collect()
    };
    for wide in [wide(u16::to_le_bytes), wide(u16::to_be_bytes)] {
        for bytes in [&wide[..], &wide[2..]] {
            let refused = refused(bytes);
            assert!(refused.starts_with("line 1: it has NUL"), "{refused}");
        }
    }
    let latin = [&b"fen,result,M\xfcller\n"[..], lines.as_bytes()].concat();
    let said = refused(&[&b"\xfc,fen,result\n"[..], &b"a,b,c\n"[..]].concat());
    assert!(said.starts_with("line 1: it is not UTF-8"), "{said}");
    assert!(refused(b"\xfc\n\xfc\n").contains("ISO-8859-1"));
    // Lines without a header need none.
    let (mut builder, _folder) = builder(1);
    let read = builder.read(&mut &latin[..], go_on).unwrap().unwrap();
    assert_eq!((read.lines, read.unreadable), (601, 1));
}

#[test]
fn the_same_positions_are_the_same_rows_in_every_form() {
    let marked = lines(700, "\n");
    let (tally, dataset) = read(&marked, 1).unwrap();
    assert_eq!((tally.lines, tally.unreadable), (700, 0));
    let found = &dataset.tally;
    assert_eq!(found.positions + found.in_check + found.captures, 700);
    assert!(found.in_check > 0 && found.captures > 0, "{found:?}");
    let by_part = [Part::Training, Part::Validation].map(|part| dataset.positions(part));
    assert_eq!(by_part.iter().sum::<usize>() as u64, found.positions);
    assert!((3..40).contains(&by_part[1]), "{by_part:?}");
    let expected = rows(&dataset);
    let convert = |form: fn(&str, &str) -> String| {
        let lines = marked.lines().map(|line| {
            let (fen, rest) = line.split_once(" [").unwrap();
            form(fen, rest.trim_end_matches(']'))
        });
        lines.collect::<Vec<_>>().join("\r\n")
    };
    let csv = convert(|fen, points| format!("{fen},{points}"));
    for text in [
        convert(|fen, points| format!("{fen} c9 \"{points}\";")),
        convert(|fen, points| format!("{fen} | -13 | {points}")),
        convert(|fen, points| format!("\"{fen}\",\"{points}\"")),
        csv,
    ] {
        let (tally, dataset) = read(&text, 2).unwrap();
        assert_eq!((tally.lines, tally.unreadable), (700, 0));
        assert!(rows(&dataset) == expected, "{}", &text[..80]);
    }
}

#[test]
fn values_do_not_depend_on_threads() {
    let text = lines(6000, "\n");
    let values = [1, 2, 8].map(|threads| {
        let (_, dataset) = read(&text, threads).unwrap();
        let plan = FitPlan {
            threads,
            epochs: 20,
            ..FitPlan::default()
        };
        let fitted = fit(&dataset, &plan).unwrap();
        assert!(fitted.best > 0);
        let values = fitted.values.iter().map(|value| value.to_bits());
        (
            fitted.k.to_bits(),
            values.collect::<Vec<_>>(),
            dataset.tally,
        )
    });
    assert_eq!(values[0], values[1]);
    assert_eq!(values[0], values[2]);
}

#[test]
fn the_side_that_moves_does_not_matter_for_the_result() {
    let board = "4k3/8/8/8/8/8/4P3/4K3";
    let text = format!("{board} w - - [1.0]\n{board} b - - [1.0]\n");
    let (_, dataset) = read(&text, 1).unwrap();
    let rows = dataset.source(Part::Training);
    let pawn = |row: super::super::rows::Row<'_>| {
        assert!(row.result > 0.9);
        assert!(row.entries.iter().any(|entry| entry.coefficient > 0));
    };
    rows.each(0..2, pawn).unwrap();
    assert_eq!(leitai_chess::card().initial().side_to_move(), Side::First);
}

#[test]
fn unreadable_lines_are_counted_and_named() {
    let sound = lines(3000, "\n");
    let mut text = String::from("# a comment\n\n");
    for (number, line) in sound.lines().enumerate() {
        let line = if number % 500 == 250 {
            line.replace('[', "[won")
        } else {
            line.to_owned()
        };
        text += &(line + "\n");
    }
    assert!(text.len() > 2 * CHUNK as usize);
    let (tally, _) = read(&text, 2).unwrap();
    assert_eq!((tally.lines, tally.unreadable), (3000, 6));
    let found: Vec<u64> = tally.faults.iter().map(|fault| fault.line).collect();
    assert_eq!(found, [253, 753, 1253]);
    assert!(tally.faults[0].reason.contains("is no result"));

    let half = sound.replace("[0.5]", "[x]").replace("[1.0]", "[x]");
    let refused = read(&half, 2).unwrap_err().to_string();
    assert!(refused.contains("of the first 3000 lines"), "{refused}");
    let refused = read(&"x".repeat(70_000), 1).unwrap_err().to_string();
    assert!(
        refused.starts_with("line 1 has more than 65536 bytes"),
        "{refused}"
    );
    let refused = read("a,b,c\n", 1).unwrap_err().to_string();
    assert!(refused.contains("fen,result"), "{refused}");
}

#[test]
fn reading_ends_on_demand_and_at_errors() {
    let (mut builder, _folder) = builder(1);
    let text = lines(10, "\n");
    let ended = builder.read(&mut text.as_bytes(), || ControlFlow::Break(()));
    assert_eq!(ended.unwrap(), None);
    let mut broken = text.as_bytes().chain(Failing);
    let refused = builder.read(&mut broken, go_on).unwrap_err().to_string();
    assert!(refused.contains("torn"), "{refused}");
    let (_, dataset) = read("", 1).unwrap();
    let refused = fit(&dataset, &FitPlan::default()).unwrap_err().to_string();
    assert!(refused.contains("at least 1000 positions"), "{refused}");
}

/// A source that fails.
struct Failing;

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("torn"))
    }
}
