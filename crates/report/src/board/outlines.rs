//! Outlines of pieces, for machines without fonts for their glyphs.

use serde::Serialize;

/// A glyph as paths in a box of 100 by 100, with y downwards, filled by the rule `nonzero`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Outline {
    /// The part in the colour of the piece.
    pub(crate) path: &'static str,
    /// Lines on it, in the colour of its edge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ink: Option<&'static str>,
}

const DATA: &str = include_str!("outlines/outlines.txt");

/// The outline of a glyph, if there is one.
pub(crate) fn outline(glyph: char) -> Option<Outline> {
    let mut lines = DATA.lines().filter_map(|line| line.split_once(' '));
    let (_, data) = lines.find(|(glyphs, _)| glyphs.contains(glyph))?;
    let (path, ink) = match data.split_once('|') {
        Some((path, ink)) => (path.trim(), Some(ink.trim())),
        None => (data, None),
    };
    Some(Outline { path, ink })
}
