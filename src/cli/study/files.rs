//! The output files of a study: tables and plots.

use std::mem;

use super::Arguments;
use crate::cli::prelude::*;
use crate::cli::watching::Watching;
use leitai_report::study::{Plot, Report, study_page};
use leitai_session::output::prepare_folder;

/// The requested files, prepared before the long work.
pub(crate) struct Files {
    outputs: CommandFiles,
    watching: Watching,
    json: Json,
    markdown: Option<OutputFile>,
    /// True if a file is standard output: nothing else is printed there.
    taken: bool,
    cells: Option<OutputFile>,
    summary: Option<OutputFile>,
    trajectories: Option<OutputFile>,
    page: Option<OutputFile>,
    /// The title of the page.
    title: String,
    plots: Option<PathBuf>,
}

/// The contents of the files.
pub(crate) struct Contents<'a> {
    pub(crate) cells: &'a dyn Fn() -> String,
    pub(crate) summary: &'a dyn Fn() -> String,
    pub(crate) trajectories: &'a dyn Fn() -> String,
    pub(crate) plots: &'a dyn Fn() -> Vec<Plot>,
    pub(crate) report: &'a Report,
}

impl Files {
    /// Refuses outputs that cannot be written, before hours are spent on the study.
    pub(crate) fn prepare(arguments: &Arguments, loaded: &Loaded) -> Result<Self, Failure> {
        let mut outputs = CommandFiles::of(&arguments.config, loaded);
        outputs.records(&arguments.record());
        let mut prepare = |file: &Option<PathBuf>| {
            let file = file.as_deref();
            file.map(|file| outputs.prepare(file)).transpose()
        };
        let summary = prepare(&arguments.summary_csv)?;
        let trajectories = prepare(&arguments.trajectories)?;
        let mut printed = |option: &str, file: &Option<PathBuf>| {
            json_output::prepare(option, file.as_deref(), &mut outputs)
        };
        let cells = printed("csv", &arguments.csv)?;
        let page = printed("html", &arguments.html)?;
        let markdown = printed("markdown", &arguments.shown.markdown)?;
        let plots = arguments.svg.clone().map(in_folder);
        if let Some(folder) = &plots {
            prepare_folder(folder)?;
        }
        let watching = arguments.watching.prepare(&mut outputs)?;
        let json = Json::prepare(arguments.shown.json.as_ref(), &mut outputs)?;
        let files = [cells.as_ref(), page.as_ref(), markdown.as_ref()];
        let files = files.into_iter().any(is_printed);
        let taken = watching.is_stdout || json.is_printed() || files;
        Ok(Self {
            outputs,
            watching,
            json,
            markdown,
            taken,
            cells,
            summary,
            trajectories,
            page,
            title: shown_path(&arguments.config).to_string(),
            plots,
        })
    }

    /// The listener of the study.
    pub(crate) fn listener(&self) -> Arc<dyn Listener> {
        Arc::clone(&self.watching.listener)
    }

    /// Prints the figures: text if standard output is free, Markdown and JSON on request.
    pub(crate) fn print(
        &mut self,
        figures: &impl Serialize,
        report: &Report,
    ) -> Result<(), Failure> {
        let text = if self.taken {
            Ok(())
        } else {
            print(&report.text(room()))
        };
        let markdown = self.markdown.take();
        let markdown = markdown.map_or(Ok(()), |file| write_output(file, &report.markdown()));
        all([text, markdown, mem::take(&mut self.json).write(figures)])
    }

    /// Writes the requested files; an error in one does not prevent the others.
    pub(crate) fn write(mut self, contents: &Contents<'_>) -> Result<(), Failure> {
        let mut written = Vec::new();
        for (file, text) in [
            (self.cells, contents.cells),
            (self.summary, contents.summary),
            (self.trajectories, contents.trajectories),
        ] {
            written.extend(file.map(|file| write_output(file, &text())));
        }
        written.extend(self.page.map(|file| {
            let page = study_page(&self.title, contents.report, &(contents.plots)());
            write_output(file, &page)
        }));
        if let Some(folder) = &self.plots {
            for plot in (contents.plots)() {
                let file = self.outputs.prepare(&folder.join(&plot.name));
                written.push(file.and_then(|file| write_output(file, &plot.svg)));
            }
        }
        all(written)
    }
}

/// The folder of `--svg`; the current one for `-`.
fn in_folder(folder: PathBuf) -> PathBuf {
    if folder == Path::new("-") {
        PathBuf::from(".")
    } else {
        folder
    }
}
