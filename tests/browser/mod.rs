//! Tests of pages in a real browser: Chromium over its debugging pipe.
//!
//! Without a Chromium these tests are skipped with a note; `LEITAI_BROWSER=required` makes that a
//! failure.

mod chromium;
mod pages;
mod play;
mod report;
pub(crate) mod serve;
