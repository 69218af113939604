//! The parts of a config that affect the checks of its players.

use super::files::Find;
use super::{GameChoice, Games, Limits};

/// The parts of the config that affect its players.
#[derive(Clone, Copy)]
pub(super) struct CheckContext<'f> {
    pub(super) game: Option<GameChoice>,
    pub(super) games: &'f Games,
    pub(super) limits: Limits,
    pub(super) is_study: bool,
    pub(super) find: Find<'f>,
}
