//! The files and folders that a config names.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::problem::{BACKSLASHES, Problem, Problems};
use super::values::Text;
use leitai_base::count::quoted;
use leitai_base::foreign::shown_path;

/// Finds a file named by the config, or a folder if the path ends with a separator; otherwise
/// returns the paths tried.
pub(super) type Find<'f> = &'f dyn Fn(&Path) -> Result<PathBuf, Vec<PathBuf>>;

/// The path of a file named by the config, if it names one that exists.
pub(super) fn found_file<'r>(
    file: impl Into<Option<&'r Text>>,
    find: Find,
    problems: &mut Problems,
) -> Option<PathBuf> {
    let file = file.into()?;
    let found = find(Path::new(file.get_ref()));
    let missing = |tried: Vec<PathBuf>| {
        not_there(file.span(), "file", file.get_ref(), &tried).report(problems);
    };
    found.map_err(missing).ok()
}

/// The error for a missing file or folder.
pub(super) fn not_there(span: Range<usize>, kind: &str, path: &str, tried: &[PathBuf]) -> Problem {
    let tried = tried.iter().map(|path| shown_path(path));
    let help = "correct the path, which is relative to the folder of the config: tried";
    let problem = Problem::error(span, format!("no such {kind}: `{path}`"))
        .help(format!("{help} {}", quoted(tried)));
    if path.contains(char::is_control) {
        return problem.help(BACKSLASHES);
    }
    problem
}
