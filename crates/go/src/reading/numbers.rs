//! The numbers, flags and choices of block capture as a table.

use std::sync::LazyLock;

use super::CaptureParams;
use leitai_base::settings::Settings;
use leitai_game::numbers::{
    Declaration, EvalParams, Group, Key, NumberTable, Preset, Spelling, Stage,
};

/// The table of all settings. They are factors, limits and counts: none adds to the value of a
/// position.
pub static TABLE: LazyLock<NumberTable> = LazyLock::new(|| {
    NumberTable::new(Declaration {
        game: "go",
        title: "Go block capture",
        subject: "the block-capture settings",
        has_order_values: false,
        stages: vec![Stage::first("the whole game")],
        constant: Vec::new(),
        groups: vec![Group::alone(Key::settings(&CaptureParams::default()))],
        spelling: Spelling::Whole,
        presets: &PRESETS,
    })
});

/// The presets of the knowledge of blocks, by name.
const PRESETS: [Preset; 3] = [
    Preset::new("leitai", include_str!("presets/leitai.toml")),
    Preset::new(
        "zhang-chen-2007",
        include_str!("presets/zhang-chen-2007.toml"),
    ),
    Preset::new(
        "chen-zhang-2006",
        include_str!("presets/chen-zhang-2006.toml"),
    ),
];

impl CaptureParams {
    /// The settings with these values; `None` for values of another game.
    pub fn of(params: &EvalParams) -> Option<Self> {
        let mut read = Self::default();
        for (place, &value) in params.values_of(&TABLE)?.iter().enumerate() {
            read.set(place, value);
        }
        Some(read)
    }
}
