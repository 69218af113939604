//! The files that a study leaves: tables and plots.

use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;

use super::{Arguments, Shown};
use crate::cli::failure::Failure;
use crate::cli::failure::all;
use crate::cli::terminal::give;
use crate::cli::watching::Watching;
use crate::config::Loaded;
use crate::foreign::shown_path;
use crate::output::{Door, OutputFile, prepare_folder};
use crate::report::study::{Plot, Report, study_page};
use crate::session::Listener;

/// The files that are asked for, prepared before the long work.
pub(crate) struct Files {
    door: Door,
    watching: Watching,
    cells: Option<OutputFile>,
    summary: Option<OutputFile>,
    trajectories: Option<OutputFile>,
    page: Option<OutputFile>,
    /// Of the page.
    title: String,
    plots: Option<PathBuf>,
}

/// What stands in them.
pub(crate) struct Contents<'a> {
    pub(crate) cells: &'a dyn Fn() -> String,
    pub(crate) summary: &'a dyn Fn() -> String,
    pub(crate) trajectories: &'a dyn Fn() -> String,
    pub(crate) plots: &'a dyn Fn() -> Vec<Plot>,
    pub(crate) report: &'a Report,
}

impl Files {
    /// Refuses what could not be written, before hours are spent on it.
    pub(crate) fn prepare(arguments: &Arguments, loaded: &Loaded) -> Result<Self, Failure> {
        let mut door = Door::of(&arguments.config, loaded);
        door.records(&arguments.record());
        let mut prepare = |file: &Option<PathBuf>| {
            let file = file.as_deref();
            file.map(|file| door.prepare(file)).transpose()
        };
        let cells = prepare(&arguments.csv)?;
        let summary = prepare(&arguments.summary_csv)?;
        let trajectories = prepare(&arguments.trajectories)?;
        let page = prepare(&arguments.html)?;
        if let Some(folder) = &arguments.svg {
            prepare_folder(folder)?;
        }
        let watching = arguments.watching.prepare(&mut door)?;
        if arguments.shown.json {
            door.prepare_stdout("--json")?;
        }
        Ok(Self {
            door,
            watching,
            cells,
            summary,
            trajectories,
            page,
            title: shown_path(&arguments.config).to_string(),
            plots: arguments.svg.clone(),
        })
    }

    /// Who hears of the study.
    pub(crate) fn listener(&self) -> Arc<dyn Listener> {
        Arc::clone(&self.watching.listener)
    }

    /// Prints figures, unless standard output has something else.
    pub(crate) fn say(
        &self,
        shown: Shown,
        figures: &impl Serialize,
        report: &Report,
    ) -> Result<(), Failure> {
        if self.watching.is_stdout {
            return Ok(());
        }
        shown.say(figures, report)
    }

    /// Writes what is asked for; one that cannot be written does not keep the others
    /// from it.
    pub(crate) fn write(mut self, contents: &Contents<'_>) -> Result<(), Failure> {
        let mut written = Vec::new();
        for (file, text) in [
            (self.cells, contents.cells),
            (self.summary, contents.summary),
            (self.trajectories, contents.trajectories),
        ] {
            written.extend(file.map(|file| give(file, &text())));
        }
        written.extend(self.page.map(|file| {
            let page = study_page(&self.title, contents.report, &(contents.plots)());
            give(file, &page)
        }));
        if let Some(folder) = &self.plots {
            for plot in (contents.plots)() {
                let file = self.door.prepare(&folder.join(&plot.name));
                written.push(file.and_then(|file| give(file, &plot.svg)));
            }
        }
        all(written)
    }
}
