//! Problems as JSON.
//!
//! `{"format": 1, "problems": [{"id": …, "rows": […], "target": "D6", "to_move": "B", …}, …]}`.
//! Also reads the array or a problem alone, and several of either in sequence. Unknown keys are
//! ignored.

use serde_json::{Map, Value, json};

use super::words::{Key, Words};
use super::{ProblemError, Read};
use leitai_go::{Board, Colour, Goal, Point, Problem};

pub(super) fn read(text: &str) -> Vec<Read> {
    let mut problems = Vec::new();
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let (mut line, mut counted) = (1, 0);
    loop {
        let start = values.byte_offset();
        let value = match values.next() {
            None => return problems,
            Some(Ok(value)) => value,
            Some(Err(error)) => {
                let begin = start + text.get(start..).map_or(0, blank);
                let before = text.get(..begin).unwrap_or_default();
                problems.push(unreadable(&error, problems.len() + 1, 1));
                let begins = before.matches('\n').count() + 1;
                go_on(text, begins, error.line().max(1), &mut problems);
                return problems;
            }
        };
        let slice = text.get(start..values.byte_offset()).unwrap_or_default();
        let (elements, offsets) = match value {
            Value::Array(elements) => (elements, offsets(slice, None)),
            Value::Object(mut object) => {
                if let Some(Value::Array(elements)) = object.get_mut("problems").map(Value::take) {
                    (elements, offsets(slice, Some("problems")))
                } else {
                    (vec![Value::Object(object)], vec![blank(slice)])
                }
            }
            other => (vec![other], Vec::new()),
        };
        for (place, element) in elements.into_iter().enumerate() {
            let at = start + offsets.get(place).copied().unwrap_or(0);
            if let Some(between) = text.get(counted..at) {
                line += between.matches('\n').count();
                counted = at;
            }
            problems.push(problem(element, problems.len() + 1, line));
        }
    }
}

fn unreadable(error: &serde_json::Error, number: usize, first_line: usize) -> Read {
    Err(ProblemError {
        number,
        id: None,
        line: first_line + error.line().max(1) - 1,
        reason: format!("the JSON cannot be read: {error}").into(),
    })
}

/// Continues after line `broken`, where a broken value begins: every object that begins a line is a
/// problem. Line `told` has been reported already.
fn go_on(text: &str, broken: usize, told: usize, problems: &mut Vec<Read>) {
    let mut rest = text;
    // The line at which `rest` begins, from 1; lines before `next` are finished.
    let (mut line, mut next) = (1, broken + 1);
    while !rest.is_empty() {
        let end = rest.find('\n').map_or(rest.len(), |at| at + 1);
        if line >= next && rest.starts_with('{') {
            let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
            let number = problems.len() + 1;
            match values.next() {
                Some(Ok(value)) => {
                    let read = rest.get(..values.byte_offset()).unwrap_or_default();
                    next = line + read.matches('\n').count() + 1;
                    problems.push(problem(value, number, line));
                }
                Some(Err(error)) => {
                    next = line + 1;
                    if line + error.line().max(1) - 1 != told {
                        problems.push(unreadable(&error, number, line));
                    }
                }
                None => {}
            }
        }
        rest = rest.get(end..).unwrap_or_default();
        line += 1;
    }
}

/// Length in bytes of the leading white space of a text.
fn blank(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// Start offsets of the elements of a valid JSON array, or of the array under `key` in a valid JSON
/// object.
fn offsets(text: &str, key: Option<&str>) -> Vec<usize> {
    let rest = |at: usize| text.get(at..).unwrap_or_default();
    let mut offsets = Vec::new();
    let mut at = text.find(['[', '{']).map_or(text.len(), |at| at + 1);
    loop {
        at += blank(rest(at));
        let begin = at;
        let mut values = serde_json::Deserializer::from_str(rest(at)).into_iter::<Value>();
        let Some(Ok(value)) = values.next() else {
            return offsets;
        };
        at += values.byte_offset();
        at += blank(rest(at)) + 1;
        if !rest(at - 1).starts_with(':') {
            offsets.push(begin);
        } else if value.as_str() == key {
            return self::offsets(rest(at), None)
                .iter()
                .map(|offset| at + offset)
                .collect();
        }
    }
}

fn problem(value: Value, number: usize, line: usize) -> Read {
    let fault = |id: Option<String>, reason: String| {
        Err(ProblemError {
            number,
            id: id.map(Into::into),
            line,
            reason: reason.into(),
        })
    };
    let Value::Object(object) = value else {
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
            .map(|row| row.as_str().ok_or_else(|| format!("row {row} is no text")))
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
                        .ok_or_else(|| format!("solution {name} is no text"))
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
