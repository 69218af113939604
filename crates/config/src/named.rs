//! What a config calls by name: presets, files in the form in which a user writes them.

use super::problem::{Problem, Problems};
use super::raw::Text;
use leitai_game::numbers::Preset;

/// The preset that is meant, read; none and a problem if there is no such.
pub(super) fn named<T>(
    name: &Text,
    presets: &[Preset],
    read: impl Fn(&str) -> Result<T, Problem>,
    problems: &mut Problems,
) -> Option<T> {
    let Some(preset) = Preset::find(presets, name.get_ref()) else {
        return Problem::error(name.span(), format!("unknown preset `{}`", name.get_ref()))
            .alternatives(name.get_ref(), presets.iter().map(|preset| preset.name))
            .refuse(problems);
    };
    read(preset.text)
        .map_err(|problem| {
            let message = format!("the preset is broken: {}", problem.message);
            Problem::error(name.span(), message).report(problems);
        })
        .ok()
}
