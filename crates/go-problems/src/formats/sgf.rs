//! Problems as an SGF collection (FF[4], GM[1]): the first node of each game tree is a problem.
//!
//! Stones come from `AB` and `AW`, the size from `SZ` (default 19), the side to move from `PL`, the
//! target from `TR` or `MA` on one of its stones, the name from `GN`. The other fields are in the
//! comment, separated by semicolons or line ends:
//!
//! ```text
//! target D6; B to move; verdict captured; ko E5; …
//! ```
//!
//! An unknown first field is the name. The moves of the tree are ignored.

mod trees;

use std::collections::HashSet;

use sgf_parse::go::{Point as Spot, Prop};
use sgf_parse::{Color, SgfNode, SgfProp};

use super::words::{Key, Words, ban, field};
use super::{ProblemError, Read};
use leitai_go::{Board, CaptureVerdict, Colour, Goal, Point, PointSet, Problem};
use trees::{Tree, trees};

pub(super) fn read(text: &str) -> Vec<Read> {
    (1..)
        .zip(trees(text))
        .map(|(number, tree)| problem(&tree, number))
        .collect()
}

fn problem(tree: &Tree<'_>, number: usize) -> Read {
    let fault = |reason: String| {
        Err(ProblemError {
            number,
            id: None,
            line: tree.line,
            reason: format!("the SGF cannot be read: {reason}").into(),
        })
    };
    let root = match tree.root() {
        Ok(root) => root,
        Err(reason) => return fault(reason),
    };
    let node = match sgf_parse::go::parse(&root) {
        Ok(nodes) => nodes.into_iter().next().unwrap_or_default(),
        Err(error) => return fault(error.to_string().to_lowercase()),
    };
    let mut words = comment(&node);
    if let Some(name) = node.properties().find_map(|property| match property {
        Prop::GN(name) => Some(name.text.trim()),
        _ => None,
    }) {
        words[Key::Id] = Some(name.to_owned());
    }
    let board = board(&node).and_then(|board| {
        words[Key::Target] = target(&node, &board, words[Key::Target].take())?;
        for property in node.properties() {
            match property {
                Prop::PL(Color::Black) => words[Key::ToMove] = Some("B".to_owned()),
                Prop::PL(Color::White) => words[Key::ToMove] = Some("W".to_owned()),
                _ => {}
            }
        }
        Ok(board)
    });
    words.problem(board, number, tree.line)
}

/// The fields of the comment. All other text is the author's and is ignored.
fn comment(node: &SgfNode<Prop>) -> Words {
    let mut words = Words::default();
    let Some(Prop::C(comment)) = node.get_property("C") else {
        return words;
    };
    for (place, part) in comment.text.split([';', '\n']).map(str::trim).enumerate() {
        match field(part) {
            Some((key, value)) => {
                let fits = match key {
                    Key::Target | Key::Against | Key::With => Point::from_name(value, 19).is_some(),
                    Key::Ko => {
                        ban(value).is_some_and(|(name, _)| Point::from_name(name, 19).is_some())
                    }
                    Key::Goal => Goal::NAMES.iter().any(|it| value.eq_ignore_ascii_case(it)),
                    Key::Verdict => CaptureVerdict::read(value).is_some(),
                    Key::ToMove => Colour::read(value).is_some(),
                    _ => true,
                };
                if fits {
                    words[key].get_or_insert_with(|| value.to_owned());
                }
            }
            None if place == 0 && !part.is_empty() => words[Key::Id] = Some(part.to_owned()),
            None => {}
        }
    }
    if words[Key::Goal].is_none() {
        // These words are part of the author's text.
        (words[Key::Against], words[Key::With]) = (None, None);
    }
    words
}

fn board(node: &SgfNode<Prop>) -> Result<Board, String> {
    let mut size = 19;
    let mut stones = [PointSet::EMPTY; 2];
    for property in node.properties() {
        match property {
            &Prop::SZ((columns, rows)) if columns == rows => size = columns,
            Prop::SZ((columns, rows)) => {
                return Err(format!(
                    "SZ[{columns}:{rows}]: only square boards are played"
                ));
            }
            Prop::Invalid(name, values)
                if ["SZ", "AB", "AW", "PL", "TR", "MA"].contains(&name.as_str()) =>
            {
                return Err(format!("{name}[{}] cannot be read", values.join("][")));
            }
            _ => {}
        }
    }
    for property in node.properties() {
        let (place, spots) = match property {
            Prop::AB(spots) => (0, spots),
            Prop::AW(spots) => (1, spots),
            _ => continue,
        };
        stones[place] |= points(spots, size, &property.identifier())?;
    }
    if let Some(both) = (stones[0] & stones[1]).first() {
        return Err(format!("AB and AW both put a stone on `{}`", both.sgf()));
    }
    if (stones[0] | stones[1]).is_empty() {
        return Err("the first node has no stones: AB and AW put them there".to_owned());
    }
    Board::from_stones(size, &stones[0], &stones[1]).map_err(|error| error.to_string())
}

fn points(spots: &HashSet<Spot>, size: u8, property: &str) -> Result<PointSet, String> {
    let mut points = PointSet::EMPTY;
    let mut outside: Option<(u8, u8)> = None;
    for spot in spots {
        if spot.x < size.min(19) && spot.y < size.min(19) {
            points.insert(Point::new(spot.x, spot.y));
        } else {
            let spot = (spot.x, spot.y);
            outside = Some(outside.map_or(spot, |least| least.min(spot)));
        }
    }
    match outside {
        None => Ok(points),
        Some((col, row)) => Err(format!(
            "{property} names column {} and row {}, which a {size}x{size} board has not",
            u16::from(col) + 1,
            u16::from(row) + 1
        )),
    }
}

/// The target from its mark, else from the comment.
fn target(
    node: &SgfNode<Prop>,
    board: &Board,
    said: Option<String>,
) -> Result<Option<String>, String> {
    let mut marked = PointSet::EMPTY;
    for property in node.properties() {
        if let Prop::TR(spots) | Prop::MA(spots) = property {
            marked |= points(spots, board.size(), &property.identifier())?;
        }
    }
    let Some(first) = marked.first() else {
        return Ok(said);
    };
    let said_point = said
        .as_deref()
        .and_then(|name| Point::from_name(name, board.size()));
    let target = said_point.unwrap_or(first);
    let block = |point: Point| board.at(point).map(|_| board.block(point));
    if let Some(other) = marked
        .iter()
        .find(|&it| it != target && block(it) != block(target))
    {
        return Err(format!(
            "{} and {} are both the target (TR, MA, comment), but not of one block",
            target.name(board.size()),
            other.name(board.size())
        ));
    }
    Ok(Some(target.name(board.size())))
}

/// The problems as an SGF collection, one per line.
pub fn write_sgf(problems: &[Problem]) -> String {
    problems
        .iter()
        .map(|problem| tree(problem).serialize() + "\n")
        .collect()
}

fn tree(problem: &Problem) -> SgfNode<Prop> {
    let words = Words::of(problem);
    // The crate keeps points in hash sets with a random order. Properties of an unknown kind keep
    // our order.
    let plain = |name: &str, values: Vec<String>| Prop::Unknown(name.to_owned(), values);
    let one = |name: &str, value: String| plain(name, vec![value]);
    let mut properties = vec![
        one("FF", "4".to_owned()),
        one("GM", "1".to_owned()),
        one("SZ", problem.board.size().to_string()),
        Prop::GN(problem.id.as_str().into()),
        one("PL", problem.to_move.initial().to_string()),
    ];
    for (name, colour) in [("AB", Colour::Black), ("AW", Colour::White)] {
        let points: Vec<String> = problem.board.all(colour).iter().map(Point::sgf).collect();
        if !points.is_empty() {
            properties.push(plain(name, points));
        }
    }
    properties.push(one("TR", problem.target.sgf()));
    let fields: Vec<String> = Key::ALL[1..]
        .iter()
        .filter_map(|&key| {
            let name = key.names()[0].replace('_', " ");
            let value = words[key].as_ref()?.replace([';', '\n', '\r'], " ");
            Some(format!("{name} {value}"))
        })
        .collect();
    properties.push(Prop::C(fields.join("; ").as_str().into()));
    SgfNode::new(properties, Vec::new(), true)
}
