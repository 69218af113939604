//! Problems as JSON.
//!
//! `{"format": 1, "problems": [{"id": …, "rows": […], "target": "D6", "to_move": "B", …}, …]}`.
//! Also reads the array or a problem alone, and several of either in sequence. Unknown keys are
//! ignored.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::words::{Key, Words};
use super::{ProblemError, Read};
use leitai_go::{Board, Colour, Goal, Point, Problem};

pub(super) fn read(text: &str) -> Vec<Read> {
    let mut problems = Vec::new();
    for value in serde_json::Deserializer::from_str(text).into_iter::<&RawValue>() {
        match value {
            Ok(value) => {
                for element in elements(value) {
                    let number = problems.len() + 1;
                    problems.push(problem(element, number, line_of(element, text)));
                }
            }
            Err(error) => {
                problems.push(Err(ProblemError {
                    number: problems.len() + 1,
                    id: None,
                    line: error.line().max(1),
                    reason: format!("the JSON cannot be read: {error}").into(),
                }));
                break;
            }
        }
    }
    problems
}

/// The problems of an array, of an object with `problems`, or the value itself.
fn elements(value: &RawValue) -> Vec<&RawValue> {
    #[derive(Deserialize)]
    struct Set<'t> {
        #[serde(borrow)]
        problems: Vec<&'t RawValue>,
    }
    let text = value.get();
    serde_json::from_str(text)
        .or_else(|_| serde_json::from_str(text).map(|set: Set<'_>| set.problems))
        .unwrap_or_else(|_| vec![value])
}

/// The line of `text`, from 1, where one of its values begins.
fn line_of(value: &RawValue, text: &str) -> usize {
    let offset = value.get().as_ptr().addr() - text.as_ptr().addr();
    let before = text.as_bytes().iter().take(offset);
    before.filter(|&&byte| byte == b'\n').count() + 1
}

fn problem(value: &RawValue, number: usize, line: usize) -> Read {
    let fault = |id: Option<String>, reason: String| {
        Err(ProblemError {
            number,
            id: id.map(Into::into),
            line,
            reason: reason.into(),
        })
    };
    let Ok(Value::Object(object)) = serde_json::from_str(value.get()) else {
        return fault(
            None,
            "a problem is an object with rows, target, to_move".to_owned(),
        );
    };
    let id = object.get("id").and_then(Value::as_str).map(str::to_owned);
    match words(&object) {
        Ok(words) => words.problem(board(&object), number, line),
        Err(reason) => fault(id, reason),
    }
}

fn board(object: &Map<String, Value>) -> Result<Board, String> {
    let rows = object.get("rows").ok_or("no `rows`")?;
    let rows: Vec<&str> = match rows {
        Value::Array(rows) => rows
            .iter()
            .map(|row| {
                row.as_str()
                    .ok_or_else(|| format!("row {row} is not a string"))
            })
            .collect::<Result<_, _>>()?,
        Value::String(rows) => rows.split(['/', '\n']).collect(),
        other => return Err(format!("`rows` is {other}, not an array of texts")),
    };
    let board = Board::from_rows(&rows).map_err(|error| error.to_string())?;
    let size = u64::from(board.size());
    if let Some(said) = object
        .get("size")
        .filter(|said| said.as_u64() != Some(size))
    {
        return Err(format!("`size` is {said}, but there are {size} rows"));
    }
    let colour = |key: &str| {
        object
            .get(key)
            .and_then(Value::as_str)
            .and_then(Colour::read)
    };
    let target = object.get("target").and_then(Value::as_str);
    let target = target.and_then(|name| Point::from_name(name, board.size()));
    if let (Some(attacker), Some(defender)) = (
        colour("attacker"),
        target.and_then(|target| board.at(target)),
    ) && attacker == defender
    {
        return Err(format!(
            "the attacker, {}, owns the target",
            attacker.name()
        ));
    }
    Ok(board)
}

fn words(object: &Map<String, Value>) -> Result<Words, String> {
    let text = |keys: &[&str]| -> Result<Option<String>, String> {
        for key in keys {
            match object.get(*key) {
                None | Some(Value::Null) => {}
                Some(Value::String(text)) => return Ok(Some(text.clone())),
                Some(Value::Number(number)) => return Ok(Some(number.to_string())),
                Some(Value::Bool(flag)) => return Ok(Some(flag.to_string())),
                Some(other) => return Err(format!("`{key}` is {other}, not a word")),
            }
        }
        Ok(None)
    };
    let solutions = match object.get("solutions") {
        Some(Value::Array(names)) => {
            let names: Result<Vec<&str>, String> = names
                .iter()
                .map(|name| {
                    name.as_str()
                        .ok_or_else(|| format!("solution {name} is not a string"))
                })
                .collect();
            Some(names?.join(" "))
        }
        _ => text(&["solutions"])?,
    };
    let mut words = Words::default();
    for key in Key::ALL {
        words[key] = match key {
            Key::Solutions => solutions.clone(),
            Key::Ko => match object.get("ko") {
                Some(Value::Object(ban)) => Some(banned(ban)?),
                _ => text(&["ko"])?,
            },
            Key::Id => text(key.names())?,
            // Other spellings are only for lines of text.
            _ => text(&key.names()[..1])?,
        };
    }
    Ok(words)
}

/// A ban in the notation of a line of text.
fn banned(ban: &Map<String, Value>) -> Result<String, String> {
    let text = |key: &str| ban.get(key).and_then(Value::as_str);
    let point = text("point").ok_or("`ko` has no `point` such as \"E5\"")?;
    match ban.get("banned_for") {
        None | Some(Value::Null) => Ok(point.to_owned()),
        Some(Value::String(colour)) => Ok(format!("{point} {colour}")),
        Some(other) => Err(format!("`banned_for` is {other}, not \"B\" or \"W\"")),
    }
}

/// The ban of a problem: the point alone if it applies to the side to move.
fn ban_of(problem: &Problem) -> Option<Value> {
    let (point, colour) = problem.ban()?;
    let name = point.name(problem.board.size());
    Some(if colour == problem.to_move {
        json!(name)
    } else {
        json!({"point": name, "banned_for": colour.initial().to_string()})
    })
}

/// The problems as JSON, one per line. `about` describes their origin.
pub fn write_json(problems: &[Problem], about: &str) -> String {
    let lines: Vec<String> = problems
        .iter()
        .map(|problem| {
            let size = problem.board.size();
            let names = problem.solutions.iter().map(|play| play.name(size));
            // Keys in reading order.
            let fields = [
                ("id", Some(json!(problem.id))),
                ("category", problem.category.as_ref().map(|it| json!(it))),
                ("rows", Some(json!(problem.board.to_rows()))),
                ("target", Some(json!(problem.target.name(size)))),
                (
                    "goal",
                    problem.goal.other().map(|_| json!(problem.goal.name())),
                ),
                (
                    match problem.goal {
                        Goal::Connect(_) => "with",
                        Goal::Capture | Goal::Semeai(_) => "against",
                    },
                    problem.goal.other().map(|it| json!(it.name(size))),
                ),
                (
                    "to_move",
                    Some(json!(problem.to_move.initial().to_string())),
                ),
                ("ko", ban_of(problem)),
                ("verdict", problem.expected.map(|it| json!(it.name()))),
                ("solutions", Some(json!(names.collect::<Vec<_>>()))),
                ("escape_limit", problem.escape_liberties.map(|it| json!(it))),
                ("proved", Some(json!(problem.proved))),
                ("nodes", problem.nodes.map(|it| json!(it))),
            ];
            let fields: Vec<String> = fields
                .into_iter()
                .filter_map(|(key, value)| Some(format!("\"{key}\": {}", value?)))
                .collect();
            format!("  {{{}}}", fields.join(", "))
        })
        .collect();
    format!(
        "{{\n\"format\": 1,\n\"about\": {},\n\"problems\": [\n{}\n]\n}}\n",
        json!(about),
        lines.join(",\n")
    )
}
