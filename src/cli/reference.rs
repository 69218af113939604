//! Pages of the reference, generated: commands from their definitions, keys of configs from the
//! schema. Markdown.

use clap::{Arg, ArgAction, Command};
use serde_json::{Map, Value};

use super::prelude::*;

/// Every command with its arguments and examples, and the exit codes; `command` must be built.
pub(super) fn commands(command: &Command) -> String {
    let name = command.get_name().to_owned();
    let mut page = format!(
        "# Every command\n\n`{name} man --markdown > docs/commands.md` writes this page. Each command \
         takes `--help`\nand `--color auto|always|never`; `--json`, `--csv` and their like print, and \
         write to a file\nas `--json=FILE`. `worker`, `fleet` and `--fleet` are there in a build with \
         `--features fleet`.\n\n"
    );
    page.push_str("## Exit codes\n\n| code | meaning |\n|---|---|\n");
    for (exit, meaning) in Exit::ALL {
        row(&mut page, [&(exit as u8).to_string(), meaning]);
    }
    page.push('\n');
    below(&mut page, &name, command);
    ended(&page)
}

/// The page with exactly one final newline.
fn ended(page: &str) -> String {
    format!("{}\n", page.trim_end())
}

/// Appends the subcommands of a command.
fn below(page: &mut String, path: &str, command: &Command) {
    for command in command.get_subcommands() {
        if command.is_hide_set() || command.get_name() == "help" {
            continue;
        }
        let path = format!("{path} {}", command.get_name());
        let about = command.get_long_about().or(command.get_about());
        let about = about.map(ToString::to_string).unwrap_or_default();
        let usage = command.clone().render_usage().to_string();
        let usage = usage.trim_start_matches("Usage: ");
        let _ = write!(page, "## {path}\n\n{about}\n\n`{usage}`\n\n");
        let arguments = command.get_arguments().filter(|it| {
            !it.is_hide_set() && !["help", "version", "color"].contains(&it.get_id().as_str())
        });
        let mut arguments = arguments.peekable();
        if arguments.peek().is_some() {
            page.push_str("| argument | default | meaning |\n|---|---|---|\n");
        }
        for argument in arguments {
            let default = argument.get_default_values().iter();
            let default = default.filter(|_| takes(argument));
            let default = default.map(|value| format!("`{}`", shown_path(Path::new(value))));
            let default = default.collect::<Vec<_>>().join(" ");
            row(page, [&spelling(argument), &default, &meaning(argument)]);
        }
        if let Some(examples) = command.get_after_help() {
            page.push('\n');
            for line in examples.to_string().lines() {
                let _ = writeln!(page, "{}", format!("    {line}").trim_end());
            }
        }
        page.push('\n');
        self::below(page, &path, command);
    }
}

/// The spelling of an argument.
fn spelling(argument: &Arg) -> String {
    let short = argument.get_short().map(|short| format!("-{short}"));
    let long = argument.get_long().map(|long| format!("--{long}"));
    let names: Vec<_> = short.into_iter().chain(long).collect();
    let values = argument.get_value_names().unwrap_or_default();
    let values = values.iter().map(ToString::to_string).collect::<Vec<_>>();
    let values = match argument.get_num_args() {
        Some(count) if count.min_values() == 0 => format!("[={}]", values.join(" ")),
        _ if argument.is_require_equals_set() => format!("={}", values.join(" ")),
        _ => format!(" {}", values.join(" ")),
    };
    match (names.is_empty(), takes(argument)) {
        (true, _) => format!("`{}`", values.trim_start()),
        (false, false) => format!("`{}`", names.join("`, `")),
        (false, true) => format!("`{}{values}`", names.join("`, `")),
    }
}

/// Returns whether an argument takes a value.
fn takes(argument: &Arg) -> bool {
    matches!(argument.get_action(), ArgAction::Set | ArgAction::Append)
}

/// The help of an argument, with its possible values.
fn meaning(argument: &Arg) -> String {
    let help = argument.get_long_help().or(argument.get_help());
    let mut text = help.map(ToString::to_string).unwrap_or_default();
    let values = argument.get_possible_values();
    let values = values
        .iter()
        .filter(|it| takes(argument) && !it.is_hide_set());
    let said = values.map(|value| {
        let help = value.get_help().map(ToString::to_string);
        let help = help.map(|help| format!(": {help}")).unwrap_or_default();
        format!("`{}`{help}", value.get_name())
    });
    let said = said.collect::<Vec<_>>().join("; ");
    if !said.is_empty() {
        let _ = write!(text, " ({said})");
    }
    text
}

/// Every key of a config with its possible values, from the schema of configs.
pub(super) fn keys(schema: &Value) -> String {
    let mut page = String::from(
        "# Every key at a glance\n\n`leitai schema --markdown > docs/keys.md` writes this page from the \
         lists by which configs are\nchecked. [config.md](config.md) explains the keys in context, with \
         the defaults that depend on others.\n\n",
    );
    section(&mut page, "A config", schema);
    let definitions = schema["definitions"].as_object();
    for (name, table) in definitions.into_iter().flatten() {
        section(&mut page, name, table);
    }
    ended(&page)
}

fn section(page: &mut String, name: &str, table: &Value) {
    let _ = write!(page, "## {name}\n\n");
    if let Some(about) = table["description"].as_str() {
        let _ = write!(page, "{}\n\n", flat(about));
    }
    page.push_str("| key | values | default | meaning |\n|---|---|---|---|\n");
    rows(page, "", table);
    page.push('\n');
}

/// Appends the keys of a table, and of tables within it.
fn rows(page: &mut String, path: &str, table: &Value) {
    let empty = Map::new();
    let keys = table["properties"].as_object().unwrap_or(&empty);
    let keys = keys.iter().map(|(key, value)| (key.as_str(), value));
    let others = ("NAME", &table["additionalProperties"]);
    let others = Some(others).filter(|(_, value)| value.is_object());
    for (key, value) in keys.chain(others) {
        let path = format!("{path}{key}");
        let default = match &value["default"] {
            Value::Null => String::new(),
            default => format!("`{default}`"),
        };
        let about = value["description"].as_str().unwrap_or_default();
        row(
            page,
            [&format!("`{path}`"), &values(value), &default, about],
        );
        let forms = value["anyOf"].as_array().or(value["oneOf"].as_array());
        for form in forms.into_iter().flatten().chain([value, &value["items"]]) {
            if form["$ref"].is_null() && form.is_object() {
                rows(page, &format!("{path}."), form);
            }
        }
    }
}

/// The possible values of a key.
fn values(value: &Value) -> String {
    let all = |forms: &[Value]| {
        let mut all: Vec<String> = forms.iter().map(values).collect();
        all.dedup();
        all.join(" or ")
    };
    if let Some(name) = value["$ref"].as_str() {
        let name = name.trim_start_matches("#/definitions/");
        return format!("[{name}](#{name})");
    }
    if let Some(listed) = value["enum"].as_array() {
        let listed: Vec<_> = listed.iter().map(|value| format!("`{value}`")).collect();
        return listed.join(", ");
    }
    if !value["const"].is_null() {
        return format!("`{}`", value["const"]);
    }
    for forms in ["anyOf", "oneOf", "allOf"] {
        if let Some(forms) = value[forms].as_array() {
            return all(forms);
        }
    }
    let range = |low: &str, high: &str| match (&value[low], &value[high]) {
        (Value::Null, Value::Null) => String::new(),
        (low, Value::Null) => format!(", at least {low}"),
        (Value::Null, high) => format!(", at most {high}"),
        (low, high) if low == high => format!(", {low}"),
        (low, high) => format!(", {low} to {high}"),
    };
    match value["type"].as_str() {
        Some("boolean") => "true, false".to_owned(),
        Some("string") => "text".to_owned(),
        Some("array") => {
            let count = range("minItems", "maxItems");
            format!("list of {}{count}", values(&value["items"]))
        }
        Some("object") => "table".to_owned(),
        Some(kind) => format!("{kind}{}", range("minimum", "maximum")),
        None => "any".to_owned(),
    }
}

/// A row of a table.
fn row<const N: usize>(page: &mut String, cells: [&str; N]) {
    for cell in cells {
        let _ = write!(page, "| {} ", flat(cell).replace('|', "\\|"));
    }
    page.push_str("|\n");
}

/// The text as one line.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
