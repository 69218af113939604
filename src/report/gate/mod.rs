//! A gate's verdict as data, text, Markdown and `JUnit` XML.

mod junit;
mod markdown;
mod text;

pub use crate::figures::gate::*;
pub use junit::junit;
pub use markdown::{Reproduction, markdown};
pub(in crate::report) use text::lines;
pub use text::render_gate;
