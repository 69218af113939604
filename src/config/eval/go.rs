//! One variant's own words on its knowledge of Go blocks, checked against the list of
//! settings that the knowledge itself has.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use crate::config::presets;
use crate::config::problem::Problem;
use crate::config::raw::Text;
use crate::config::search::{Raw, number, text};
use crate::games::go::reading::CaptureParams;
use crate::settings::Settings;

/// `eval` of a variant of Go block capture, and a preset of it: any keys.
#[derive(Debug, Deserialize)]
#[serde(expecting = "a table")]
pub(in crate::config) struct RawCaptureEval(BTreeMap<Text, Spanned<Raw>>);

/// The words of a variant of Go block capture: first the preset, then single settings.
#[derive(Clone, Debug, Default)]
pub(in crate::config) struct CaptureLayer {
    preset: Option<CaptureParams>,
    /// The place of a setting, and what it is set to.
    words: Vec<(usize, i64)>,
}

impl CaptureLayer {
    pub(in crate::config) fn check(raw: &RawCaptureEval, problems: &mut Vec<Problem>) -> Self {
        let usual = CaptureParams::default();
        let list = usual.list();
        let mut layer = Self::default();
        for (key, value) in &raw.0 {
            let name = key.get_ref().as_str();
            if name == "preset" {
                layer.preset = text(value, "eval.preset", problems)
                    .and_then(|name| presets::named(&name, presets::go, problems));
            } else if let Some(place) = list.iter().position(|setting| setting.name == name) {
                let path = format!("eval.{name}");
                let number = number(value, &path, list[place].kind, problems);
                layer.words.extend(number.map(|number| (place, number)));
            } else {
                let known = list.iter().map(|setting| setting.name);
                problems.push(
                    Problem::error(key.span(), format!("unknown key `{name}` in `eval`"))
                        .label("not a key of Go block capture")
                        .alternatives(name, std::iter::once("preset").chain(known)),
                );
            }
        }
        layer
    }

    pub(in crate::config) fn apply(&self, params: &mut CaptureParams) {
        if let Some(preset) = &self.preset {
            params.clone_from(preset);
        }
        for &(place, number) in &self.words {
            params.set(place, number);
        }
    }
}
