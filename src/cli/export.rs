//! `--export`: tuned values in the forms of other programs.

use super::prelude::*;
use leitai_config::{Tune, Variant};
use leitai_report::tune::{ExportForm, check_export, export};

/// The forms by their names.
const FORMATS: [(&str, ExportForm); 7] = [
    ("toml", ExportForm::Toml),
    ("json", ExportForm::Json),
    ("csv", ExportForm::Csv),
    ("c", ExportForm::C),
    ("uci", ExportForm::Uci),
    ("openbench", ExportForm::OpenBench),
    ("fishtest", ExportForm::Fishtest),
];

/// The option for tuned values.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Output")]
pub(super) struct ExportArgument {
    /// Export the tuned values: toml, json, csv, c, uci, openbench or fishtest. The formats are `toml`, a
    /// variant for a config; `json`; `csv`, a line per number; `c`, arrays of tables and variables;
    /// `uci`, `setoption` lines; `openbench` and `fishtest`, parameters of their SPSA. May be given
    /// several times.
    #[arg(long, value_name = "FORM[=FILE]", value_parser = parse, conflicts_with = "list")]
    export: Vec<Target>,
}

/// A form and its file; `-` is standard output.
#[derive(Clone, Debug)]
struct Target {
    form: ExportForm,
    file: PathBuf,
}

fn parse(text: &str) -> Result<Target, String> {
    let (name, file) = text.split_once('=').unwrap_or((text, "-"));
    let found = FORMATS.iter().find(|(known, _)| *known == name);
    let names = FORMATS.map(|(name, _)| name).join(", ");
    let &(_, form) = found.ok_or_else(|| format!("unknown format `{name}`: use one of {names}"))?;
    let file = PathBuf::from(file);
    Ok(Target { form, file })
}

/// A prepared export.
struct Export {
    form: ExportForm,
    file: OutputFile,
}

/// All prepared exports of a command.
pub(super) struct Exports(Vec<Export>);

impl ExportArgument {
    /// Returns whether the option is given.
    pub(super) fn is_given(&self) -> bool {
        !self.export.is_empty()
    }

    /// Refuses a file that cannot be written and a form without a place for the names of the tune,
    /// before hours of games.
    pub(super) fn prepare(
        &self,
        files: &mut CommandFiles,
        tune: &Tune,
    ) -> Result<Exports, Failure> {
        let mut exports = Vec::new();
        for &Target { form, ref file } in &self.export {
            check_export(form, tune)?;
            let file = json_output::prepare("export", Some(file), files)?;
            exports.extend(file.map(|file| Export { form, file }));
        }
        Ok(Exports(exports))
    }
}

impl Exports {
    /// Returns whether values are printed.
    pub(super) fn are_printed(&self) -> bool {
        self.0.iter().any(|export| export.file.is_stdout())
    }

    /// Writes the values of a tune, whose variant was `before` and is `after`. A variant for a
    /// config has `base` as its base.
    pub(super) fn write(
        self,
        tune: &Tune,
        base: &Variant,
        [before, after]: [&Variant; 2],
    ) -> Result<(), Failure> {
        for Export { form, file } in self.0 {
            let before = match form {
                ExportForm::Toml => base,
                _ => before,
            };
            write_output(file, &export(form, tune, before, after)?)?;
        }
        Ok(())
    }
}
