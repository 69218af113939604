//! Identification of engines before a run begins, so that unplayable ones are reported at once, and
//! a run only resumes with the engines that it began with.

use std::collections::BTreeMap;
use std::env;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use sha2::{Digest, Sha256};
use thiserror::Error;

use super::autodetect::{detect_preset, detect_ranks};
use super::dialogue::Dialogue;
use super::engine::{Engine, StartError};
use super::probe::{Fault, Probe, Refusal};
use leitai_base::foreign::{shown, shown_path};
use leitai_config::{Config, Identity, Limits, PONDER, Program};
use leitai_game::card::GameCard;
use leitai_platform::files::executable;

/// An engine of the config that cannot play.
#[derive(Debug, Error)]
#[error("the variant `{variant}` cannot play by `{command}`: {}\nhelp: {}", .refusal.reason, .refusal.help)]
pub struct ProgramError {
    /// True if the check was only cancelled.
    pub cancelled: bool,
    /// The variant.
    pub variant: String,
    /// Its command from the config.
    command: String,
    /// The problem and the remedy.
    pub refusal: Refusal,
}

/// A difference between the profile of an engine in the config and that of the running engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Name of the variant.
    pub variant: String,
    /// The difference.
    pub change: Change,
}

/// The change of an engine's profile after its greeting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The engine plays without an option of the config.
    Skipped(SkippedOption),
    /// A sentence without its subject, the engine.
    Completed(String),
}

/// An option of the config that an engine lacks, or whose value it does not accept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedOption {
    /// Name of the option.
    pub name: String,
    /// The value in the config.
    pub value: String,
    /// The reason that the engine would not accept the value; `None` if the engine has no such
    /// option.
    pub refused: Option<String>,
    /// True if the option takes a number, and the value is none.
    pub malformed: bool,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variant = &self.variant;
        match &self.change {
            Change::Completed(change) => write!(f, "`{variant}` {change}"),
            Change::Skipped(SkippedOption { name, refused, .. }) => match refused {
                None => write!(
                    f,
                    "`{variant}` has no option `{}`: it plays without",
                    shown(name)
                ),
                Some(refused) => {
                    write!(f, "`{variant}` plays without an option: {}", shown(refused))
                }
            },
        }
    }
}

/// Starts and greets every engine of the config once, stores its identity, and completes its
/// profile from its behaviour. Returns each such addition.
///
/// # Errors
/// An engine does not exist, does not greet in time, or lacks an option.
pub fn identify(config: &mut Config, cancel: &AtomicBool) -> Result<Vec<Finding>, ProgramError> {
    let limits = config.limits_by_variant();
    let card = config.game.card;
    let mut findings = Vec::new();
    for (variant, limits) in config.variants.iter_mut().zip(limits) {
        let Some(program) = &mut variant.program else {
            continue;
        };
        let prepared = complete_profile(program, card, &limits, cancel);
        let (identity, changes) = prepared.map_err(|refusal| ProgramError {
            cancelled: cancel.load(Ordering::Relaxed),
            variant: variant.name.clone(),
            command: program.command.join(" "),
            refusal,
        })?;
        let finding = |change| Finding {
            variant: variant.name.clone(),
            change,
        };
        findings.extend(changes.into_iter().map(finding));
        program.found = Some(identity);
    }
    Ok(findings)
}

/// Prepares the engine as a run with these limits does: finds and greets it. Returns its identity
/// and the additions to its profile.
///
/// # Errors
/// A run refuses the engine.
pub(crate) fn complete_profile(
    program: &mut Program,
    card: &'static dyn GameCard,
    limits: &Limits,
    cancel: &AtomicBool,
) -> Result<(Identity, Vec<Change>), Refusal> {
    let (path, sha256) = locate(program)?;
    program.executable = path;
    let mut changes = Vec::new();
    let mut engine = started(program, card, &mut changes, cancel)?;
    if let Some(preset) = detect_preset(program, &engine.introduction.name) {
        changes = vec![Change::Completed(preset)];
        engine = started(program, card, &mut changes, cancel)?;
    }
    if let (Some(command), true) = (engine.codec.lacks_for_times(), limits.time.is_some()) {
        let reason = format!("it does not support `{command}`, the command for its times");
        let help = "set its level by its arguments, and write `limits = \"own\"` in the variant";
        return Err(Refusal::new(Fault::Unready, reason, help));
    }
    if engine.codec.sends_seconds() && !limits.has_whole_seconds() {
        let reason = "it takes times in whole seconds: it offers no option `usemillisec`";
        let help = "give times of whole seconds under `[limits]`, or limit by nodes or depth";
        return Err(Refusal::new(Fault::Unready, reason, help));
    }
    let identity = Identity {
        name: engine.introduction.name.clone(),
        author: engine.introduction.author.clone(),
        sha256,
        files: files(program),
    };
    let mut probe = Probe::new(engine, program);
    let ranks = detect_ranks(program, &mut probe, card, cancel);
    if cancel.load(Ordering::Relaxed) {
        return Err(StartError::Cancelled.into());
    }
    changes.extend(ranks.map(Change::Completed));
    Ok((identity, changes))
}

/// Starts the engine, without the options that it refuses, if the config allows that. Options that
/// the rules need are always required.
fn started(
    program: &mut Program,
    card: &'static dyn GameCard,
    changes: &mut Vec<Change>,
    cancel: &AtomicBool,
) -> Result<Engine, StartError> {
    loop {
        let started = Engine::start(program, Dialogue::default(), cancel);
        let (name, refused, malformed) = match &started {
            Err(StartError::Option { name, .. }) => (name, None, false),
            Err(StartError::Value {
                name,
                refused,
                malformed,
            }) => (name, Some(refused), *malformed),
            _ => return started,
        };
        let mut of_rules = (card.facts().options_for)(&program.profile.ways()).iter();
        if !program.unspecified.options
            || of_rules.any(|(needed, _)| needed.eq_ignore_ascii_case(name))
        {
            return started;
        }
        let Some(value) = program.profile.options.remove(name) else {
            return started;
        };
        // A UCI program that does not offer the option is not asked to ponder.
        program.ponder &= name != PONDER;
        changes.push(Change::Skipped(SkippedOption {
            name: name.clone(),
            value,
            refused: refused.cloned(),
            malformed,
        }));
    }
}

/// The digests of files among the arguments of the command: scripts of an interpreter, networks of
/// an engine.
fn files(program: &Program) -> BTreeMap<String, String> {
    let folder = program.working_folder.as_deref().unwrap_or(Path::new(""));
    let files = program.words().filter_map(|word| {
        let path = folder.join(word);
        let sha256 = path.is_file().then(|| file_digest(&path).ok())??;
        Some((word.clone(), sha256))
    });
    files.collect()
}

/// The engine's full path, and SHA-256 of the file in hexadecimal.
///
/// # Errors
/// The file does not exist, or cannot be read.
pub fn locate(program: &Program) -> Result<(PathBuf, String), Refusal> {
    let asked = &program.executable;
    let path = which(asked).ok_or_else(|| {
        let place = if is_bare(asked) {
            "it is not in PATH".to_owned()
        } else {
            format!("there is no program {}", shown_path(asked))
        };
        let help = "install it, or give its path in `command` (from the config's folder)";
        Refusal::new(Fault::Absent, place, help)
    })?;
    let sha256 = file_digest(&path).map_err(|error| {
        let help = "a program must be readable: its digest is part of the run's identity";
        let reason = format!("cannot read {}: {error}", shown_path(&path));
        Refusal::new(Fault::Absent, reason, help)
    })?;
    Ok((path, sha256))
}

fn is_bare(path: &Path) -> bool {
    path.components().count() == 1 && !path.is_absolute() && !path.starts_with(".")
}

/// Debian's folders for games; the `PATH` of root and of services lacks them.
const GAMES: [&str; 2] = ["/usr/local/games", "/usr/games"];

/// The full path of an engine: as a shell would find it, or in the folders for games.
fn which(name: &Path) -> Option<PathBuf> {
    let absolute = |path: &Path| std::path::absolute(path).ok();
    if !is_bare(name) {
        let path = absolute(name)?;
        return executable(&path).or_else(|| path.is_file().then_some(path));
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&folders).chain(GAMES.iter().map(PathBuf::from));
    let mut paths = folders.filter_map(|folder| executable(&folder.join(name)));
    absolute(&paths.next()?)
}

/// SHA-256 of a file, in hexadecimal.
///
/// # Errors
/// The file cannot be read.
pub fn file_digest(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    while let length @ 1.. = file.read(&mut buffer)? {
        hasher.update(&buffer[..length]);
    }
    Ok(crate::schedule::hexadecimal(&hasher.finalize()))
}
