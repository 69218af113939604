//! A gate's verdict as data, text, Markdown and `JUnit` XML.

mod figures;
mod junit;
mod markdown;
mod text;
mod words;

pub use figures::{Candidate, GateSummary, Outcome, Terms};
pub use junit::junit;
pub use markdown::{Reproduction, markdown};
pub(in crate::report) use text::lines;
pub use text::{Strength, StrengthKind, render_gate, strength, verdict_and_strength};
pub use words::{gauge, progress, question, standing, to_go};
