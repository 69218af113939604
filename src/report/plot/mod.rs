//! Plots: shapes, axes, frames, and styles of series.

mod axis;
mod frame;
mod panel;
mod style;
mod svg;

pub(crate) use axis::Axis;
pub(crate) use frame::{Frame, GREY, Group, INNER, NAME, height, short};
pub(crate) use panel::{Panel, Size};
pub(crate) use style::Style;
pub(crate) use svg::{Anchor, Svg};
