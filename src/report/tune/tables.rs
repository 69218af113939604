//! Which square tables have changed, each drawn before, after, and what has been
//! added.

use std::fmt::Write as _;

use super::data::TuneReport;
use super::number::{plain, signed};
use super::palette::Scale;
use super::{othello, xiangqi};
use crate::config::EvalParams;
use crate::games::othello::eval::{OthelloParams, Stage};
use crate::games::xiangqi::Kind;
use crate::games::xiangqi::eval::{Phase, XiangqiParams};
use crate::report::xml::escape;

/// A board with a number on each square, in reading order; squares without one are
/// blank.
pub(super) struct Board<'a> {
    pub(super) title: &'a str,
    pub(super) values: &'a [Option<i64>],
    pub(super) scale: Scale,
    /// How numbers are written.
    pub(super) write: fn(i64) -> String,
    /// What is told of a square where a pointer rests, after its name.
    pub(super) tip: &'a dyn Fn(usize) -> String,
}

/// How a board is drawn.
type Draw = fn(&Board<'_>) -> String;

/// A table before and after.
struct Change {
    title: String,
    before: Vec<Option<i64>>,
    after: Vec<Option<i64>>,
}

/// The section about square tables; empty if none has changed.
pub(super) fn section(report: &TuneReport) -> String {
    let (changes, draw, words): (Vec<Change>, Draw, &str) =
        match (&report.before.eval, &report.after.eval) {
            _ if report.before.program.is_some() => return String::new(),
            (EvalParams::Xiangqi(before), EvalParams::Xiangqi(after)) => {
                let words = "What each square adds to a piece of Red’s, as Red sees the board. \
                             Squares that the piece cannot reach are blank.";
                (tables(before, after), xiangqi::draw, words)
            }
            (EvalParams::Othello(before), EvalParams::Othello(after)) => {
                let words = "The ten classes of squares on the whole board.";
                (squares(before, after), othello::draw, words)
            }
            _ => return String::new(),
        };
    let changed = changes
        .iter()
        .filter(|change| change.before != change.after);
    let figures: String = changed.map(|change| figure(change, draw)).collect();
    if figures.is_empty() {
        return String::new();
    }
    format!(
        "<section>\n<h2>Square tables</h2>\n<p class=\"hint\">{words} Orange is below the \
         middle of the scale, which is 0 unless all numbers are far from it, blue above it; before \
         and after share a scale, the difference has its own about 0.</p>\n\
         {figures}</section>\n"
    )
}

/// The tables of each kind of piece; one where both phases are the same.
fn tables(before: &XiangqiParams, after: &XiangqiParams) -> Vec<Change> {
    let mut changes = Vec::new();
    for kind in Kind::ALL {
        let values = |params: &XiangqiParams, phase| xiangqi::values(params, phase, kind);
        let [middle, end] = Phase::BOTH.map(|phase| [values(before, phase), values(after, phase)]);
        let name = capital(kind.name());
        let same = middle == end;
        let mut push = |title: String, [before, after]: [Vec<Option<i64>>; 2]| {
            changes.push(Change {
                title,
                before,
                after,
            });
        };
        if same {
            push(name, middle);
        } else {
            push(format!("{name}, middlegame"), middle);
            push(format!("{name}, endgame"), end);
        }
    }
    changes
}

/// The squares of Othello; once where all stages are the same.
fn squares(before: &OthelloParams, after: &OthelloParams) -> Vec<Change> {
    const TITLE: &str = "What a disc is worth on each square";
    let of = |params: &OthelloParams, stage| othello::values(&params.stage(stage).squares);
    let changes = Stage::ALL.map(|stage| [of(before, stage), of(after, stage)]);
    let is_one = changes.iter().all(|change| *change == changes[0]);
    let named = Stage::ALL.into_iter().zip(changes);
    let named = named.take(if is_one { 1 } else { Stage::COUNT });
    let change = |(stage, [before, after]): (Stage, [Vec<Option<i64>>; 2])| Change {
        title: match stage.name() {
            _ if is_one => TITLE.to_owned(),
            name => format!("{TITLE}, {}", name.unwrap_or("opening")),
        },
        before,
        after,
    };
    named.map(change).collect()
}

fn figure(change: &Change, draw: Draw) -> String {
    let (before, after) = (&change.before, &change.after);
    let pairs = before.iter().zip(after);
    let added: Vec<Option<i64>> = pairs.map(|(&b, &a)| Some(a? - b?)).collect();
    let scale = Scale::of(before.iter().chain(after).copied().flatten());
    let tip = |square: usize| {
        let at = |values: &[Option<i64>]| values.get(square).copied().flatten();
        match (at(before), at(after), at(&added)) {
            (Some(before), Some(after), Some(added)) => {
                format!("{} → {} ({})", plain(before), plain(after), signed(added))
            }
            _ => String::new(),
        }
    };
    let board = |title, values, scale, write| Board {
        title,
        values,
        scale,
        write,
        tip: &tip,
    };
    let boards = [
        board(
            "before",
            before.as_slice(),
            scale,
            plain as fn(i64) -> String,
        ),
        board("after", after, scale, plain),
        board(
            "difference",
            &added,
            Scale::about_zero(added.iter().copied().flatten()),
            signed,
        ),
    ];
    let moved = added.iter().flatten().filter(|added| **added != 0).count();
    let squares = added.iter().flatten().count();
    let mut text = format!(
        "<figure class=\"tables\">\n<figcaption>{} <small>{moved} of {squares} squares \
         changed</small></figcaption>\n<div class=\"boards\">\n",
        escape(&change.title)
    );
    for board in &boards {
        let _ = write!(
            text,
            "<div>\n<p>{}</p>\n{}</div>\n",
            board.title,
            draw(board)
        );
    }
    text.push_str("</div>\n</figure>\n");
    text
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
