//! The imports of most commands.

pub(super) use std::num::NonZeroUsize;
pub(super) use std::path::{Path, PathBuf};
pub(super) use std::sync::Arc;

pub(super) use anyhow::{Context, bail};
pub(super) use clap::{Args, ValueEnum};
pub(super) use serde::Serialize;

pub(super) use super::Exit;
pub(super) use super::answers::Json;
pub(super) use super::examples::examples;
pub(super) use super::failure::{Failure, Outcome};
pub(super) use super::games::{self, Card, games};
pub(super) use super::terminal::{eprint, print, write_output};
pub(super) use super::threads::Threads;
pub(super) use crate::count::count;
pub(super) use crate::foreign::{shown, shown_path};
pub(super) use crate::output::Door;
pub(super) use crate::signals;
