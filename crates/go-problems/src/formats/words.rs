//! The fields of a problem as words, before they are checked against the board: the common part of
//! the three forms.

use std::ops::{Index, IndexMut};

use leitai_go::{Board, CaptureVerdict, Colour, Goal, Play, Point, Problem};

use super::{ProblemError, Read};

/// A field whose value is one or more words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Id,
    Target,
    Goal,
    Against,
    With,
    ToMove,
    Ko,
    Verdict,
    Solutions,
    EscapeLimit,
    Category,
    Proved,
    Nodes,
}

impl Key {
    /// All of them, in the order of a comment.
    pub(super) const ALL: [Key; 13] = [
        Key::Id,
        Key::Target,
        Key::Goal,
        Key::Against,
        Key::With,
        Key::ToMove,
        Key::Ko,
        Key::Verdict,
        Key::Solutions,
        Key::EscapeLimit,
        Key::Category,
        Key::Proved,
        Key::Nodes,
    ];

    /// The names of the field; the first is the one used for output.
    pub(super) const fn names(self) -> &'static [&'static str] {
        match self {
            Key::Id => &["id", "name"],
            Key::Target => &["target"],
            Key::Goal => &["goal"],
            Key::Against => &["against"],
            Key::With => &["with"],
            Key::ToMove => &["to_move", "to move", "to-move"],
            Key::Ko => &["ko"],
            Key::Verdict => &["verdict"],
            Key::Solutions => &["solutions", "solution"],
            Key::EscapeLimit => &["escape_limit", "escape limit", "escape-limit"],
            Key::Category => &["category"],
            Key::Proved => &["proved"],
            Key::Nodes => &["nodes"],
        }
    }
}

/// Reads `target D6`, `target: D6`, `target = D6` and the same for every other field, in any case;
/// also `B to move`.
pub(super) fn field(line: &str) -> Option<(Key, &str)> {
    let line = line.trim();
    for key in Key::ALL {
        for name in key.names() {
            let (Some(head), Some(rest)) = (line.get(..name.len()), line.get(name.len()..)) else {
                continue;
            };
            let ends = rest.is_empty() || rest.starts_with([' ', '\t', ':', '=']);
            if ends && head.eq_ignore_ascii_case(name) {
                let rest = rest.trim_start();
                let value = rest.strip_prefix([':', '=']).unwrap_or(rest);
                return Some((key, value.trim()));
            }
        }
    }
    let (colour, rest) = line.split_once(char::is_whitespace)?;
    let rest = rest.trim();
    let moves = rest.eq_ignore_ascii_case("to move") || rest.eq_ignore_ascii_case("to play");
    (moves && Colour::read(colour).is_some()).then_some((Key::ToMove, colour))
}

/// The raw fields of one problem, by key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Words([Option<String>; Key::ALL.len()]);

impl Index<Key> for Words {
    type Output = Option<String>;

    fn index(&self, key: Key) -> &Option<String> {
        &self.0[key as usize]
    }
}

impl IndexMut<Key> for Words {
    fn index_mut(&mut self, key: Key) -> &mut Option<String> {
        &mut self.0[key as usize]
    }
}

impl Words {
    /// The fields of a problem.
    pub(super) fn of(problem: &Problem) -> Words {
        let size = problem.board.size();
        let names: Vec<String> = problem
            .solutions
            .iter()
            .map(|play| play.name(size))
            .collect();
        let field = |key: Key| match key {
            Key::Id => Some(problem.id.clone()),
            Key::Target => Some(problem.target.name(size)),
            Key::Goal => (problem.goal != Goal::Capture).then(|| problem.goal.name().to_owned()),
            Key::Against => match problem.goal {
                Goal::Semeai(against) => Some(against.name(size)),
                Goal::Capture | Goal::Connect(_) => None,
            },
            Key::With => match problem.goal {
                Goal::Connect(with) => Some(with.name(size)),
                Goal::Capture | Goal::Semeai(_) => None,
            },
            Key::ToMove => Some(problem.to_move.initial().to_string()),
            Key::Ko => problem.ban().map(|(ko, colour)| {
                let name = ko.name(size);
                if colour == problem.to_move {
                    name
                } else {
                    format!("{name} {}", colour.initial())
                }
            }),
            Key::Verdict => problem.expected.map(|verdict| verdict.name().to_owned()),
            Key::Solutions => (!names.is_empty()).then(|| names.join(" ")),
            Key::EscapeLimit => problem.escape_liberties.map(|limit| limit.to_string()),
            Key::Category => problem.category.clone(),
            Key::Proved => problem.proved.then(|| "yes".to_owned()),
            Key::Nodes => problem.nodes.map(|nodes| nodes.to_string()),
        };
        Words(Key::ALL.map(field))
    }

    /// Checks all fields and builds the problem on its board.
    pub(super) fn problem(self, board: Result<Board, String>, number: usize, line: usize) -> Read {
        let id = self[Key::Id].clone().filter(|id| !id.trim().is_empty());
        let checked = board.and_then(|board| self.check(board));
        match checked {
            Ok(mut problem) => {
                problem.id = id.unwrap_or_else(|| format!("problem-{number}"));
                Ok(problem)
            }
            Err(reason) => Err(ProblemError {
                number,
                id: id.map(Into::into),
                line,
                reason: reason.into(),
            }),
        }
    }

    fn check(mut self, board: Board) -> Result<Problem, String> {
        let mut given = |key| self[key].take();
        let size = board.size();
        let point = |name: &str, what: &str| {
            Point::from_name(name.trim(), size).ok_or_else(|| {
                format!("the {what} `{name}` is not a point of a {size}x{size} board")
            })
        };
        let target =
            given(Key::Target).ok_or("no target: add the attacked block, such as `target D6`")?;
        let target = point(&target, "target")?;
        let goal = goal(
            given(Key::Goal),
            [given(Key::Against), given(Key::With)],
            point,
        )?;
        let to_move = given(Key::ToMove).ok_or("no side to move: add it, such as `to_move B`")?;
        let to_move = Colour::read(to_move.trim())
            .ok_or_else(|| format!("`{to_move}` does not move: B (or X) or W (or O) does"))?;
        let problem =
            Problem::new(board, target, to_move).and_then(|problem| problem.with_goal(goal));
        let mut problem = problem.map_err(|fault| fault.to_string())?;
        if let Some(text) = given(Key::Ko).filter(|ko| !is_nothing(ko)) {
            let (name, colour) = ban(&text).ok_or_else(|| {
                format!("invalid ko `{text}`: expected a point and the banned side, such as `E5 B`")
            })?;
            let ban = problem.set_ban(point(name, "ko point")?, colour.unwrap_or(to_move));
            ban.map_err(|fault| fault.to_string())?;
        }
        if let Some(verdict) = given(Key::Verdict).filter(|verdict| !is_nothing(verdict)) {
            let read = CaptureVerdict::read(verdict.trim());
            let read = read.filter(|it| goal.verdicts().contains(it));
            problem.expected = Some(read.ok_or_else(|| no_verdict(&verdict, goal))?);
        }
        let solutions = given(Key::Solutions).unwrap_or_default();
        let solutions = solutions
            .split([' ', ',', '\t'])
            .filter(|name| !is_nothing(name))
            .map(|name| {
                Play::from_name(name, size)
                    .ok_or_else(|| format!("the solution `{name}` is not a point of the board"))
            })
            .collect::<Result<_, _>>()?;
        problem
            .set_solutions(solutions)
            .map_err(|fault| fault.to_string())?;
        if let Some(limit) = given(Key::EscapeLimit).filter(|limit| !is_nothing(limit)) {
            let read = limit.trim().parse().ok().filter(|&limit: &u8| limit > 1);
            if matches!(goal, Goal::Connect(_)) {
                return Err("an escape limit does not apply to connections: remove it".to_owned());
            }
            problem.escape_liberties = Some(read.ok_or_else(|| {
                format!("invalid escape limit `{limit}`: expected 2 to 255 liberties")
            })?);
        }
        problem.category = given(Key::Category).filter(|category| !category.is_empty());
        if let Some(proved) = given(Key::Proved) {
            problem.proved = yes_or_no(&proved).ok_or_else(|| {
                format!("`{proved}` is neither yes nor no: is the verdict proved?")
            })?;
        }
        if let Some(nodes) = given(Key::Nodes).filter(|nodes| !is_nothing(nodes)) {
            problem.nodes = Some(nodes.trim().parse().map_err(|_| {
                format!("invalid number of nodes `{nodes}`: expected the nodes of the proof")
            })?);
        }
        Ok(problem)
    }
}

/// Reads `E5`, `E5 B`, `E5:B` and `E5 banned for B`: the name of a point, and the colour that may
/// not play there, if given.
pub(super) fn ban(text: &str) -> Option<(&str, Option<Colour>)> {
    let text = text.trim();
    let Some((point, rest)) = text.split_once([':', ' ', '\t']) else {
        return Some((text, None));
    };
    let rest = rest.trim();
    let colour = rest.strip_prefix("banned for ").unwrap_or(rest);
    Some((point, Some(Colour::read(colour.trim())?)))
}

/// The goal by its name (default `capture`), and the other block that it names.
fn goal(
    name: Option<String>,
    others: [Option<String>; 2],
    point: impl Fn(&str, &str) -> Result<Point, String>,
) -> Result<Goal, String> {
    let [against, with] = others.map(|other| other.filter(|other| !is_nothing(other)));
    let name = name.filter(|name| !is_nothing(name));
    let name = name.map_or_else(String::new, |name| name.trim().to_ascii_lowercase());
    let stray = |key: &str, goal: &str| {
        Err(format!(
            "`{key}` is for another goal: write `goal {goal}` or remove it"
        ))
    };
    match (name.as_str(), against, with) {
        ("" | "capture", None, None) => Ok(Goal::Capture),
        ("semeai", against, None) => {
            let against = against.ok_or(
                "no `against`: name the block that the attacker may not lose, such as `against E5`",
            )?;
            Ok(Goal::Semeai(point(&against, "block `against`")?))
        }
        ("connect", None, with) => {
            let with = with
                .ok_or("no `with`: name the block to connect the target with, such as `with F5`")?;
            Ok(Goal::Connect(point(&with, "block `with`")?))
        }
        ("" | "capture" | "connect", Some(_), _) => stray("against", "semeai"),
        ("" | "capture" | "semeai", _, Some(_)) => stray("with", "connect"),
        (other, ..) => Err(format!(
            "invalid goal `{other}`: expected {}",
            Goal::NAMES.join(", ")
        )),
    }
}

/// The message that a word is not a verdict of a goal.
fn no_verdict(word: &str, goal: Goal) -> String {
    let names = goal.verdicts().iter().map(|it| it.name());
    let names: Vec<&str> = names.collect();
    let of = match goal {
        Goal::Capture => "",
        Goal::Semeai(_) => " of a semeai",
        Goal::Connect(_) => " of a connection",
    };
    let (last, others) = names.split_last().unwrap_or((&"", &[]));
    format!(
        "invalid verdict `{word}`{of}: expected {} or {last}",
        others.join(", ")
    )
}

/// Returns whether a value means "none".
fn is_nothing(value: &str) -> bool {
    let value = value.trim();
    value.is_empty() || value == "-" || value.eq_ignore_ascii_case("none")
}

fn yes_or_no(text: &str) -> Option<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "" | "yes" | "true" => Some(true),
        "no" | "false" => Some(false),
        _ => None,
    }
}
