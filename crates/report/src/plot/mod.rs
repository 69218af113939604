//! Plots: shapes, axes, frames, and styles of series.

mod axis;
mod frame;
mod panel;
mod style;
mod svg;

pub use axis::Axis;
pub(crate) use frame::SOLID;
pub use frame::{Frame, Group, INNER, NAME, height, short};
pub(crate) use panel::{Panel, Size};
pub use style::Style;
pub(crate) use svg::{Anchor, Svg};
