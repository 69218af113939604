//! A gate's verdict as data, text, Markdown and `JUnit` XML.

mod junit;
mod markdown;
mod text;

pub use junit::junit;
pub use leitai_runs::figures::gate::*;
pub use markdown::{Reproduction, markdown};
pub(crate) use text::lines;
pub use text::render_gate;
