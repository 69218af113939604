//! Items that a config names: presets, and files in the user's notation.

use super::form::Text;
use super::problem::{Problem, Problems};
use leitai_game::numbers::Preset;

/// Reads the named preset; reports a problem and returns `None` if it does not exist.
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
