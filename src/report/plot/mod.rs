//! Plots: shapes, axes, frames, and how series are told apart.

mod axis;
mod frame;
mod panel;
mod style;
mod svg;

pub(super) use axis::Axis;
pub(super) use frame::{Frame, GREY, Group, INNER, height, short};
pub(super) use panel::{Panel, Size};
pub(super) use style::Style;
pub(super) use svg::{Anchor, Svg};
