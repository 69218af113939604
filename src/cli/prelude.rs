//! The imports of most commands.

pub(super) use std::fmt::Write as _;
pub(super) use std::num::{NonZeroU64, NonZeroUsize};
pub(super) use std::path::{Path, PathBuf};
pub(super) use std::sync::Arc;
pub(super) use std::sync::atomic::{AtomicBool, Ordering};
pub(super) use std::time::{Duration, Instant};

pub(super) use anyhow::{Context, anyhow, bail};
pub(super) use clap::{Args, ValueEnum};
pub(super) use serde::Serialize;

pub(super) use super::choice::{Choice, choice, number};
pub(super) use super::configs::{Overrides, VariantChoice, choose, load_config, load_for_players};
pub(super) use super::display::Bar;
pub(super) use super::examples::examples;
pub(super) use super::failure::{Failure, Outcome, all};
pub(super) use super::games::{self, Card, games};
pub(super) use super::json_output::{Json, is_printed};
pub(super) use super::terminal::{Notices, eprint, print, reader, room, table, write_output};
pub(super) use super::threads::Threads;
pub(super) use super::{Exit, json_output, program};
pub(super) use crate::signals;
pub(super) use leitai_base::count::count;
pub(super) use leitai_base::foreign::{shown, shown_path};
pub(super) use leitai_config::Loaded;
pub(super) use leitai_runs::store::{RunEntry, Store};
pub(super) use leitai_runs::tournament::Plan;
pub(super) use leitai_session::Listener;
pub(super) use leitai_session::output::{CommandFiles, OutputFile};
