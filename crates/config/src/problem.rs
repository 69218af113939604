//! Problems of a config and their places: the text of error messages.

use std::fmt;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use toml::de::{DeTable, DeValue};

use leitai_base::count::quoted;
use leitai_base::foreign::{on_terminal, shown};
use leitai_base::suggest::did_you_mean;

/// Severity of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The config cannot be run.
    Error,
    /// The config can be run, but probably contains a mistake.
    Warning,
}

/// A problem at one place of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Severity of the problem.
    pub severity: Severity,
    /// The problem, as a lowercase fragment.
    pub message: String,
    /// Byte range of the offending text.
    pub span: Range<usize>,
    /// A short text next to the caret; may be empty.
    pub label: String,
    /// Other places that explain this one.
    pub context: Vec<(Range<usize>, String)>,
    /// Remedies, one line each.
    pub help: Vec<String>,
}

pub(super) type Problems = Vec<Problem>;

impl Problem {
    pub(super) fn error(span: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            message: message.into(),
            span,
            label: String::new(),
            context: Vec::new(),
            help: Vec::new(),
        }
    }

    pub(super) fn warning(span: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(span, message)
        }
    }

    /// The error for two keys that exclude each other.
    pub(super) fn exclusive(
        [one, two]: [&str; 2],
        span: Range<usize>,
        other: Range<usize>,
    ) -> Self {
        Self::error(span, format!("`{one}` and `{two}` exclude each other"))
            .context(other, "the other one")
            .help("keep one of the two")
    }

    pub(super) fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    pub(super) fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    pub(super) fn context(mut self, span: Range<usize>, label: impl Into<String>) -> Self {
        self.context.push((span, label.into()));
        self
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// Adds it to the problems.
    pub(super) fn report(self, problems: &mut Problems) {
        problems.push(self);
    }

    /// Adds it to the problems and returns `None` as the value.
    pub(super) fn refuse<T>(self, problems: &mut Problems) -> Option<T> {
        problems.push(self);
        None
    }

    /// Adds the valid names, and the most similar one to `given`.
    pub(super) fn alternatives<'n>(
        self,
        given: &str,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Self {
        let names: Vec<&str> = names.into_iter().collect();
        let meant = did_you_mean(given, &names).map(|name| format!("did you mean `{name}`?"));
        let all = match names[..] {
            [] => None,
            [_] if meant.is_some() => None,
            [name] => Some(format!("the only choice is `{name}`")),
            _ => Some(format!("the choices are {}", quoted(&names))),
        };
        [meant, all].into_iter().flatten().fold(self, Problem::help)
    }
}

/// The colours of rendered messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// For logs, tests and pipes.
    Plain,
    /// For terminals.
    Ansi,
}

/// The problems of one text, in the order of the file. Displays as the
/// messages without colours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics {
    /// The name of the text: the path as the user gave it.
    pub name: String,
    /// The text itself.
    pub text: String,
    /// The problems in the text.
    pub problems: Vec<Problem>,
}

impl Diagnostics {
    /// The place of a setting: the name of the text and a line. The keys lead to the setting, and a
    /// key after `variant` is a variant's name. The name alone if the text does not have the
    /// setting.
    pub fn place(&self, keys: &[&str]) -> String {
        let line = place(&self.text, keys);
        let line = line.map(|at| 1 + self.text[..at].matches('\n').count());
        let line = line.map_or_else(String::new, |line| format!(":{line}"));
        let (file, overrides) = self.file_and_overrides();
        format!("{file}{line}{overrides}")
    }

    /// The name of the file, and the words of the overrides behind it.
    fn file_and_overrides(&self) -> (&str, &str) {
        self.name
            .split_at(self.name.find(" --set ").unwrap_or(self.name.len()))
    }

    /// Returns whether there are no problems.
    pub fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }

    /// The messages, with a blank line between them. Has no newline at the end.
    pub fn render(&self, colour: Colour) -> String {
        self.messages(colour).collect::<Vec<_>>().join("\n\n")
    }

    /// The message of each problem: file, line, column, hints, and the source line with the
    /// offending text underlined.
    pub fn messages(&self, colour: Colour) -> impl Iterator<Item = String> {
        let renderer = match colour {
            Colour::Plain => Renderer::plain(),
            Colour::Ansi => Renderer::styled(),
        };
        let problems = self.problems.iter();
        problems.map(move |problem| self.render_one(problem, &renderer))
    }

    fn render_one(&self, problem: &Problem, renderer: &Renderer) -> String {
        let level = match problem.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let mut primary = AnnotationKind::Primary.span(self.clamp(&problem.span));
        if !problem.label.is_empty() {
            primary = primary.label(problem.label.as_str());
        }
        let context = problem
            .context
            .iter()
            .map(|(span, label)| AnnotationKind::Context.span(self.clamp(span)).label(label));
        let (file, overrides) = self.file_and_overrides();
        let (name, overrides) = (shown(file).to_string(), shown(overrides).to_string());
        // The renderer treats help texts as already coloured, unlike the rest.
        let help: Vec<_> = problem.help.iter().map(|it| on_terminal(it)).collect();
        let snippet = Snippet::source(self.text.as_str())
            .path(name.as_str())
            .annotation(primary)
            .annotations(context);
        let group = level
            .primary_title(problem.message.as_str())
            .element(snippet)
            .elements(help.iter().map(|help| Level::HELP.message(help.as_ref())))
            .elements((!overrides.is_empty()).then(|| {
                let note = format!("lines are counted with{overrides}");
                Level::NOTE.message(note)
            }));
        renderer.render(&[group])
    }

    /// The part of `span` that lies on character boundaries inside the text and on one line, which
    /// keeps the renderer safe and its output short.
    fn clamp(&self, span: &Range<usize>) -> Range<usize> {
        let start = self.text.floor_char_boundary(span.start);
        let end = self.text.ceil_char_boundary(span.end).max(start);
        let line = self.text[start..end].lines().next().map_or(0, str::len);
        start..start + line
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Colour::Plain))
    }
}

/// Position of the value under these keys, or of the table that would contain it. A key after an
/// array of tables is the `name` of one of them.
fn place(text: &str, keys: &[&str]) -> Option<usize> {
    let table = DeTable::parse(text).ok()?;
    let mut value = DeValue::Table(table.into_inner());
    let mut found = None;
    for key in keys {
        let next = match value {
            DeValue::Table(mut table) => table.remove(*key),
            DeValue::Array(tables) => tables.into_iter().find(|table| {
                let name = match table.get_ref() {
                    DeValue::Table(table) => table.get("name"),
                    _ => None,
                };
                let name = name.and_then(|name| name.get_ref().as_str());
                name == Some(*key)
            }),
            _ => None,
        };
        let Some(next) = next else { break };
        found = Some(next.span().start);
        value = next.into_inner();
    }
    found
}

/// The error for a key that the table does not have.
pub(super) fn unknown_key(span: Range<usize>, key: &str, place: &str, known: &[&str]) -> Problem {
    Problem::error(span, format!("unknown key `{key}` in {place}"))
        .label("not a key here")
        .alternatives(key, known.iter().copied())
}

/// The error for a value of the wrong type.
pub(super) fn wrong_type(span: Range<usize>, place: &str, expected: &str, found: &str) -> Problem {
    Problem::error(span, format!("wrong type in {place}"))
        .label(format!("expected {expected}, found {found}"))
        .help(format!("put {expected} in its place"))
}

/// Help with a path of Windows in double quotes.
pub(super) const BACKSLASHES: &str = "in double quotes `\\` begins an escape such as `\\n`: write paths with `/`, or in single quotes";

/// Rewords an error of the TOML reader.
pub(super) fn of_toml(error: &toml::de::Error, whole: Range<usize>, place: &str) -> Problem {
    let span = error.span().unwrap_or(whole);
    let message = error.message();
    if let Some(rest) = message.strip_prefix("unknown field ") {
        // "`key`, expected one of `a`, `b`": the names are between backticks.
        let names: Vec<&str> = rest.split('`').skip(1).step_by(2).collect();
        if let Some((key, known)) = names.split_first() {
            return unknown_key(span, key, place, known);
        }
    }
    if let Some(rest) = message.strip_prefix("missing field ") {
        return Problem::error(span, format!("missing key {rest} in {place}"));
    }
    let wrong = message
        .strip_prefix("invalid type: ")
        .or_else(|| message.strip_prefix("invalid value: "));
    if let Some((found, expected)) = wrong.and_then(|rest| rest.rsplit_once(", expected ")) {
        let expected = match expected {
            "i64" => "a whole number",
            "f64" => "a number",
            "a boolean" => "`true` or `false`",
            "a sequence" => "a list `[...]`",
            "a map" => "a table",
            other => other,
        };
        let found = found
            .trim_end_matches(" as i128")
            .trim_end_matches(" as u128");
        return wrong_type(span, place, expected, found);
    }
    let problem = Problem::error(span, message.replace('\n', "; "));
    if ["escaped", "hexadecimal"]
        .iter()
        .any(|word| message.contains(word))
    {
        return problem.help(BACKSLASHES);
    }
    problem
}
