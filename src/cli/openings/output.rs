//! Output of suites, and progress while they are made.

use crate::cli::prelude::*;

/// Output options of a suite.
#[derive(Debug, Args)]
pub(crate) struct Manner {
    /// Overwrite an existing file.
    #[arg(long)]
    force: bool,
    /// Show no progress.
    #[arg(long, short)]
    quiet: bool,
}

impl Manner {
    /// Prepares the output file of a suite, or standard output. Fails before the work if the file
    /// exists, is an input, or cannot be written.
    pub(crate) fn prepare(
        &self,
        file: Option<&Path>,
        config: Option<&PathBuf>,
    ) -> Result<OutputFile, Failure> {
        let mut files = CommandFiles::reading(config);
        match file {
            None => files.prepare_stdout("the suite"),
            Some(file) => files.prepare_new(file, self.force),
        }
    }

    /// A callback that shows the number of kept and of considered openings.
    pub(crate) fn progress(&self, wanted: usize, what: &str, of: &str) -> impl FnMut(usize, u64) {
        let bar = Bar::new(wanted as u64, what, self.quiet);
        let of = of.to_owned();
        move |kept, considered| {
            bar.update(kept as u64, &format!(" of {considered} {of}"));
            if kept >= wanted {
                bar.finish();
            }
        }
    }
}

/// Reports that a suite was stopped early, and how much of it is written.
pub(crate) fn stopped(
    written: Option<usize>,
    wanted: usize,
    what: &str,
    file: Option<&Path>,
) -> String {
    let Some(kept) = written else {
        return "stopped: nothing is written; a file that is there stays as it was".to_owned();
    };
    let place = file.map_or("standard output".into(), shown_path);
    let again = if file.is_some() {
        " with `--force`"
    } else {
        ""
    };
    format!(
        "stopped: {kept} of {wanted} {what} are written to {place}; the same command{again} \
         makes all of them, from the beginning"
    )
}
