//! The numbers of the knowledge of Go blocks.

use std::fmt;

use crate::games::go::reading::CaptureParams;
use crate::settings::{Kind, Setting, Settings};

/// A setting of the knowledge of Go blocks that is a number, by its place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CaptureNumber {
    place: usize,
    setting: Setting,
}

impl CaptureNumber {
    /// All numbers, in the order of the list.
    pub(in crate::config) fn all() -> Vec<CaptureNumber> {
        let every = CaptureNumber::settings().into_iter();
        let is_number = |number: &CaptureNumber| matches!(number.setting.kind, Kind::Number { .. });
        every.filter(is_number).collect()
    }

    /// All settings, flags and choices too.
    fn settings() -> Vec<CaptureNumber> {
        let usual = CaptureParams::default();
        let list = usual.list().iter().enumerate();
        list.map(|(place, &setting)| CaptureNumber { place, setting })
            .collect()
    }

    /// The number of that name, such as `first_liberties`.
    pub(super) fn parse(name: &str) -> Option<CaptureNumber> {
        let mut all = Self::all().into_iter();
        all.find(|number| number.setting.name == name)
    }

    /// The setting of that name that is a flag or a choice.
    pub(in crate::config) fn is_other(name: &str) -> bool {
        let mut all = Self::settings().into_iter();
        all.any(|number| number.setting.name == name) && Self::parse(name).is_none()
    }

    /// The key in a config.
    pub(in crate::config) const fn name(&self) -> &'static str {
        self.setting.name
    }

    /// Name, meaning and range.
    pub(super) const fn setting(&self) -> &Setting {
        &self.setting
    }

    pub(super) fn get(&self, params: &CaptureParams) -> i64 {
        params.get(self.place)
    }

    pub(super) fn set(&self, params: &mut CaptureParams, value: i64) {
        params.set(self.place, value);
    }
}

impl fmt::Display for CaptureNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.setting.name)
    }
}
