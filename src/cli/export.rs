//! `--export`: tuned values in the forms of other programs.

use super::prelude::*;
use crate::config::{Tune, Variant};
use crate::report::tune::{ExportForm, export};

/// The forms by their names.
const FORMS: [(&str, ExportForm); 7] = [
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
pub(super) struct ExportArgument {
    /// Print the tuned values in a format of other programs, or write them to a file: `toml`, a
    /// variant for a config; `json`; `csv`, a line per number; `c`, arrays of tables and variables;
    /// `uci`, `setoption` lines; `openbench` and `fishtest`, parameters of their SPSA.
    #[arg(long, value_name = "FORM[=FILE]", value_parser = parse, conflicts_with = "list")]
    export: Option<Target>,
}

/// A form and its file; `-` is standard output.
#[derive(Clone, Debug)]
struct Target {
    form: ExportForm,
    file: PathBuf,
}

fn parse(text: &str) -> Result<Target, String> {
    let (name, file) = text.split_once('=').unwrap_or((text, "-"));
    let found = FORMS.iter().find(|(known, _)| *known == name);
    let names = FORMS.map(|(name, _)| name).join(", ");
    let &(_, form) = found.ok_or_else(|| format!("unknown format `{name}`: use one of {names}"))?;
    let file = PathBuf::from(file);
    Ok(Target { form, file })
}

/// A prepared export.
pub(super) struct Export {
    form: ExportForm,
    file: OutputFile,
}

impl ExportArgument {
    /// Returns whether the option is given.
    pub(super) fn is_given(&self) -> bool {
        self.export.is_some()
    }

    /// Refuses a file that cannot be written, before hours of games.
    pub(super) fn prepare(&self, files: &mut CommandFiles) -> Result<Option<Export>, Failure> {
        let Some(Target { form, file }) = &self.export else {
            return Ok(None);
        };
        let file = json_output::prepare("export", Some(file), files)?;
        let form = *form;
        Ok(file.map(|file| Export { form, file }))
    }
}

impl Export {
    /// Returns whether the values are printed.
    pub(super) fn is_printed(&self) -> bool {
        self.file.is_stdout()
    }

    /// Writes the values of a tune, whose variant was `before` and is `after`.
    pub(super) fn write(
        self,
        tune: &Tune,
        before: &Variant,
        after: &Variant,
    ) -> Result<(), Failure> {
        write_output(self.file, &export(self.form, tune, before, after)?)
    }
}
