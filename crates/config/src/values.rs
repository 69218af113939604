//! The values of a config as typed, each with its place in the file, and their checks.

mod check;
mod form;
mod raw;

pub(crate) use check::{
    choice, flag_or, in_range, no_time, ranged, ranged_or, real, setting, setting_or, time, variant,
};
pub(crate) use form::{
    Bounds, Even, Form, MAX_PLIES, Name, Of, Percent, Real, Spanned, Text, TextForm, Time,
    VisibleText, Whole,
};
pub(crate) use raw::{RawTable, RawValue};
