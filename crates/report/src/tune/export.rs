//! Tuned values in the forms of other programs.

use std::collections::HashSet;
use std::fmt::Write as _;

use serde::Serialize;
use thiserror::Error;

use crate::csv::{Column, own, table, words};
use leitai_config::{
    AddedVariant, Decimal, Number, Tune, TunedDimension, Variant, added_variant_text,
};
use leitai_game::numbers::Shape;

/// A form of exported values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportForm {
    /// A `[[variant]]` for a config.
    Toml,
    /// Dimensions and their numbers.
    Json,
    /// A line per number.
    Csv,
    /// Arrays of tables, and variables.
    C,
    /// `setoption` of UCI.
    Uci,
    /// SPSA parameters of OpenBench.
    OpenBench,
    /// SPSA parameters of fishtest.
    Fishtest,
}

/// `r_end`, the usual learning rate of both frameworks at the end. Their usual `c_end`, the
/// perturbation at the end, is a twentieth of the range.
const RATE: &str = "0.002";

/// The error of an export.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ExportError {
    /// A name contains a comma, the field separator of the form.
    #[error(
        "the name `{0}` has a comma, which separates fields there\n\
         help: export `json`, `csv` or `uci`"
    )]
    Comma(
        /// The name.
        String,
    ),
    /// The values cannot be written.
    #[error("the values cannot be written as JSON: {0}")]
    Json(
        /// The reason.
        String,
    ),
}

/// A tuned dimension.
#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    start: Decimal,
    value: Decimal,
    min: Decimal,
    max: Decimal,
    numbers: Vec<NumberRow>,
}

/// A number of a dimension.
#[derive(Serialize)]
struct NumberRow {
    path: String,
    #[serde(skip)]
    number: Number,
    start: Decimal,
    value: Decimal,
}

/// Checks that a form has a place for the names of a tune.
///
/// # Errors
/// A name has a comma, which separates the fields of the form.
pub fn check_export(form: ExportForm, tune: &Tune) -> Result<(), ExportError> {
    if !matches!(form, ExportForm::OpenBench | ExportForm::Fishtest) {
        return Ok(());
    }
    let fitted = tune.texel.iter().flat_map(|texel| &texel.dimensions);
    let mut names = tune.dimensions.iter().chain(fitted).map(|it| &it.name);
    match names.find(|name| name.contains(',')) {
        Some(name) => Err(ExportError::Comma(option_name(name).to_owned())),
        None => Ok(()),
    }
}

/// The values of a tune, whose variant was `before` and is `after`, in a form.
///
/// # Errors
/// A name has no place in the form; see [`check_export`].
pub fn export(
    form: ExportForm,
    tune: &Tune,
    before: &Variant,
    after: &Variant,
) -> Result<String, ExportError> {
    check_export(form, tune)?;
    let rows = rows(tune, before, after);
    Ok(match form {
        ExportForm::Toml => added_variant_text(&AddedVariant {
            name: &format!("{}-tuned", before.name),
            comment: "",
            base: before,
            variant: after,
        }),
        ExportForm::Json => {
            let rows = serde_json::to_string_pretty(&rows);
            rows.map_err(|error| ExportError::Json(error.to_string()))? + "\n"
        }
        ExportForm::Csv => csv(&rows),
        ExportForm::C => c_text(&rows, before, after),
        ExportForm::Uci => {
            let numbers = rows.iter().flat_map(|row| &row.numbers);
            let lines = numbers.map(|row| {
                let name = option_name(&row.path);
                format!("setoption name {name} value {}\n", row.value)
            });
            lines.collect()
        }
        ExportForm::OpenBench => {
            let kind = |row: &Row<'_>| match row.value.decimals {
                0 => Some("int"),
                _ => Some("float"),
            };
            spsa(&rows, ", ", kind)
        }
        ExportForm::Fishtest => spsa(&rows, ",", |_| None),
    })
}

/// The dimensions of the games and of the fit; for a number of both, the games' dimension.
fn rows<'a>(tune: &'a Tune, before: &Variant, after: &Variant) -> Vec<Row<'a>> {
    let fitted = tune.texel.iter().flat_map(|texel| &texel.dimensions);
    let played: HashSet<&Number> = numbers(&tune.dimensions).collect();
    let is_fitted_only =
        |it: &&TunedDimension| it.members.iter().all(|it| !played.contains(&it.number));
    let all = tune.dimensions.iter().chain(fitted.filter(is_fitted_only));
    let rows = all.filter_map(|dimension| {
        let decimal = |units| dimension.decimal(units);
        let numbers = dimension.members.iter().filter_map(|member| {
            let number = &member.number;
            Some(NumberRow {
                path: number.path(),
                number: number.clone(),
                start: decimal(number.get(before)?),
                value: decimal(number.get(after)?),
            })
        });
        Some(Row {
            name: &dimension.name,
            start: decimal(dimension.start),
            value: decimal(dimension.value_of(after)?),
            min: decimal(dimension.min),
            max: decimal(dimension.max),
            numbers: numbers.collect(),
        })
    });
    rows.collect()
}

fn numbers(dimensions: &[TunedDimension]) -> impl Iterator<Item = &Number> {
    let members = dimensions.iter().flat_map(|dimension| &dimension.members);
    members.map(|member| &member.number)
}

/// The name of an option without its prefix, or the path of another number.
fn option_name(path: &str) -> &str {
    path.strip_prefix("options.").unwrap_or(path)
}

fn csv(rows: &[Row<'_>]) -> String {
    type Line<'a> = (&'a NumberRow, &'a Row<'a>);
    let columns: [Column<Line<'_>>; 6] = [
        ("path", |(number, _)| words(&number.path)),
        ("start", |(number, _)| own(number.start)),
        ("value", |(number, _)| own(number.value)),
        ("dimension", |(_, row)| words(row.name)),
        ("min", |(_, row)| own(row.min)),
        ("max", |(_, row)| own(row.max)),
    ];
    let lines = rows.iter();
    let lines = lines.flat_map(|row| row.numbers.iter().map(move |number| (number, row)));
    table(&columns, lines)
}

/// A line for each dimension: name, kind if any, value, bounds, `c_end` and `r_end`.
fn spsa(
    rows: &[Row<'_>],
    separator: &str,
    kind: impl Fn(&Row<'_>) -> Option<&'static str>,
) -> String {
    let mut text = String::new();
    for row in rows {
        let name = option_name(row.name);
        // A twentieth of the range: five hundredths.
        let c_end = Decimal {
            units: 5 * (row.max.units - row.min.units),
            decimals: row.max.decimals + 2,
        };
        let numbers = [row.value, row.min, row.max, c_end].map(|value| value.to_string());
        let mut fields = vec![name];
        fields.extend(kind(row));
        fields.extend(numbers.iter().map(String::as_str));
        fields.push(RATE);
        text += &(fields.join(separator) + "\n");
    }
    text
}

/// Tables as arrays and other numbers as variables, with their starts in comments.
fn c_text(rows: &[Row<'_>], before: &Variant, after: &Variant) -> String {
    let mut text = String::new();
    let (mut names, mut tables) = (HashSet::new(), HashSet::new());
    for row in rows.iter().flat_map(|row| &row.numbers) {
        let entry = row.number.of_eval();
        let Some(entry) = entry.filter(|entry| !matches!(entry.key().shape, Shape::One)) else {
            let name = free(identifier(&row.path), &mut names);
            let kind = if row.value.decimals == 0 {
                "int"
            } else {
                "double"
            };
            let (start, value) = (row.start, row.value);
            let _ = writeln!(text, "{kind} {name} = {value};  /* start: {start} */");
            continue;
        };
        let (stage, key) = entry.stage_and_key();
        if !tables.insert((stage, key)) {
            continue;
        }
        let path = row.path.split('[').next().unwrap_or(&row.path);
        let name = free(identifier(path), &mut names);
        let columns = match entry.key().shape {
            Shape::Grid { columns, .. } => Some(columns),
            Shape::One | Shape::List(_) => None,
        };
        let [start, value] = [before, after].map(|it| it.eval.values_at(stage, key));
        let lengths = match columns {
            Some(columns) => format!("[{}][{columns}]", value.len() / columns),
            None => format!("[{}]", value.len()),
        };
        let [start, value] = [start, value].map(|values| array(values, columns));
        let _ = writeln!(
            text,
            "/* start:\n{start}*/\nint {name}{lengths} = {{\n{value}}};"
        );
    }
    text
}

/// The values of an array, a line for each row.
fn array(values: &[i64], columns: Option<usize>) -> String {
    let widths = values.iter().map(|value| value.to_string().len());
    let width = widths.max().unwrap_or(1);
    let list = |values: &[i64]| {
        let values = values.iter().map(|value| format!("{value:>width$}"));
        values.collect::<Vec<_>>().join(", ")
    };
    match columns {
        Some(columns) => {
            let rows = values.chunks(columns);
            rows.map(|row| format!("    {{{}}},\n", list(row)))
                .collect::<Vec<_>>()
                .concat()
        }
        None => format!("    {}\n", list(values)),
    }
}

/// An identifier of C for a path.
fn identifier(path: &str) -> String {
    let letter = |letter: char| {
        if letter.is_ascii_alphanumeric() {
            letter
        } else {
            '_'
        }
    };
    path.chars().map(letter).collect()
}

/// The name, with the first free number appended if it is taken.
fn free(name: String, taken: &mut HashSet<String>) -> String {
    let more = (2..).map(|number| format!("{name}_{number}"));
    let mut names = std::iter::once(name.clone()).chain(more);
    let found = names.find(|name| !taken.contains(name)).unwrap_or(name);
    taken.insert(found.clone());
    found
}

#[cfg(test)]
mod tests;
