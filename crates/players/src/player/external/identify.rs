//! Identification of engines before a run begins, so that unplayable ones are reported at once, and
//! a run only resumes with the engines that it began with.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::env;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, ScopedJoinHandle};

use sha2::{Digest, Sha256};
use thiserror::Error;

use super::autodetect::{detect_preset, detect_ranks};
use super::dialogue::Dialogue;
use super::engine::{Engine, StartError};
use super::probe::{Fault, Probe, Refusal};
use leitai_base::foreign::{shown, shown_path};
use leitai_base::threads::{lock, spawn_scoped};
use leitai_config::{Config, Identity, Limits, Program};
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

/// Number of engines that are met at once: as many as one game needs.
const AT_ONCE: usize = 2;

/// Engines that are ready for their first game, for the players of their variants.
#[derive(Clone, Default)]
pub struct MetEngines(Arc<Mutex<Vec<(Program, Engine)>>>);

impl fmt::Debug for MetEngines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MetEngines")
    }
}

impl MetEngines {
    /// Takes an engine of this program, if there is one.
    pub(super) fn take(&self, program: &Program) -> Option<Engine> {
        let mut engines = lock(&self.0);
        let place = engines.iter().position(|(met, _)| met == program)?;
        Some(engines.swap_remove(place).1)
    }
}

/// Starts and greets every engine of the config once, stores its identity, and completes its
/// profile from its behaviour. Returns each such addition, and the engines themselves if they are
/// as many as one game needs: the others have ended.
///
/// # Errors
/// An engine does not exist, does not greet in time, or lacks an option.
pub fn identify(
    config: &mut Config,
    cancel: &AtomicBool,
) -> Result<(Vec<Finding>, MetEngines), ProgramError> {
    let limits = config.limits_by_variant();
    let card = config.game.card;
    let with_limits = config.variants.iter_mut().zip(limits);
    let programs = with_limits.filter_map(|(variant, limits)| {
        Some((&*variant.name, &mut **variant.program.as_mut()?, limits))
    });
    let mut programs: Vec<_> = programs.collect();
    let are_kept = programs.len() <= AT_ONCE;
    let digests = FileDigests::default();
    let (mut findings, met) = (Vec::new(), MetEngines::default());
    for some in programs.chunks_mut(AT_ONCE) {
        let meet = |(_, program, limits): &mut (&str, &mut Program, Limits)| {
            complete_profile(program, card, limits, &digests, cancel)
        };
        let prepared: Vec<_> = thread::scope(|scope| {
            let (first, others) = some.split_at_mut(1);
            let others = others.iter_mut();
            let others = others.map(|it| spawn_scoped(scope, || meet(it)));
            let others: Vec<_> = others.collect();
            let first: Vec<_> = first.iter_mut().map(meet).collect();
            let others = others.into_iter().map(ScopedJoinHandle::join);
            let others = others.map(|it| it.unwrap_or_else(|it| resume_unwind(it)));
            first.into_iter().chain(others).collect()
        });
        for ((variant, program, _), prepared) in some.iter_mut().zip(prepared) {
            let prepared = prepared.map_err(|refusal| ProgramError {
                cancelled: cancel.load(Ordering::Relaxed),
                variant: (*variant).to_owned(),
                command: program.command.join(" "),
                refusal,
            })?;
            let finding = |change| Finding {
                variant: (*variant).to_owned(),
                change,
            };
            findings.extend(prepared.changes.into_iter().map(finding));
            program.found = Some(prepared.identity);
            let engine = prepared.engine.filter(|_| are_kept);
            lock(&met.0).extend(engine.map(|engine| (program.clone(), engine)));
        }
    }
    Ok((findings, met))
}

/// An engine that a run accepts.
pub(crate) struct MetEngine {
    /// Its identity.
    identity: Identity,
    /// The additions to its profile.
    changes: Vec<Change>,
    /// The engine, if it is ready for its first game.
    pub(crate) engine: Option<Engine>,
}

/// Prepares the engine as a run with these limits does: finds and greets it. Its file is read
/// meanwhile.
///
/// # Errors
/// A run refuses the engine.
pub(crate) fn complete_profile(
    program: &mut Program,
    card: &'static dyn GameCard,
    limits: &Limits,
    digests: &FileDigests,
    cancel: &AtomicBool,
) -> Result<MetEngine, Refusal> {
    let path = find(program)?;
    program.executable.clone_from(&path);
    let mut changes = Vec::new();
    let sha256 = OnceCell::new();
    let digest = || sha256.get_or_init(|| digests.of_program(&path)).clone();
    let engine = started(program, card, &mut changes, &|| drop(digest()), cancel);
    let sha256 = digest()?;
    let mut engine = engine?;
    if let Some(preset) = detect_preset(program, &engine.introduction.name) {
        changes = vec![Change::Completed(preset)];
        engine = started(program, card, &mut changes, &|| {}, cancel)?;
    }
    let unfinished = engine.introduction.unfinished.map(str::to_owned);
    changes.extend(unfinished.map(Change::Completed));
    if let (Some(command), true) = (engine.codec.lacks_for_times(), limits.time.is_some()) {
        let reason = format!("it does not support `{command}`, the command for its times");
        let help = "set its level by its arguments, and write `limits = \"own\"` in the variant";
        return Err(Refusal::new(Fault::Unready, reason, help));
    }
    let in_seconds = engine.protocol.whole_seconds || engine.codec.sends_seconds();
    if in_seconds && !limits.has_whole_seconds() {
        let reason = "it takes times in whole seconds: it offers no option `usemillisec`";
        let help = "give times of whole seconds under `[limits]`, or limit by nodes or depth";
        return Err(Refusal::new(Fault::Unready, reason, help));
    }
    // One identity of a run for all spellings of an option; the record shows the sent one.
    program.profile.options.clone_from(&engine.options);
    let identity = Identity {
        name: engine.introduction.name.clone(),
        author: engine.introduction.author.clone(),
        sha256,
        files: files(program, digests),
    };
    // An engine that has searched is not one at its start.
    let engine = if program.unspecified.ranks {
        let mut probe = Probe::new(engine, program);
        let ranks = detect_ranks(program, &mut probe, card, cancel);
        changes.extend(ranks.map(Change::Completed));
        None
    } else {
        Some(engine)
    };
    if cancel.load(Ordering::Relaxed) {
        return Err(StartError::Cancelled.into());
    }
    Ok(MetEngine {
        identity,
        changes,
        engine,
    })
}

/// Starts the engine, without the options that it refuses, if the config allows that. Options that
/// the rules need are always required. Calls `meanwhile` before it waits for the engine.
fn started(
    program: &mut Program,
    card: &'static dyn GameCard,
    changes: &mut Vec<Change>,
    meanwhile: &dyn Fn(),
    cancel: &AtomicBool,
) -> Result<Engine, StartError> {
    loop {
        let spawned = Engine::spawn(program, Dialogue::default(), cancel);
        meanwhile();
        let started = spawned.and_then(|engine| engine.prepared(program, cancel));
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
        // A program that does not offer the option is not asked to ponder.
        program.ponder &= program.profile.protocol.ponder_option != Some(name.as_str());
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
fn files(program: &Program, digests: &FileDigests) -> BTreeMap<String, String> {
    let folder = program.working_folder.as_deref().unwrap_or(Path::new(""));
    let files = program.words().filter_map(|word| {
        let path = folder.join(word);
        let sha256 = path.is_file().then(|| digests.of(&path).ok())??;
        Some((word.clone(), sha256))
    });
    files.collect()
}

/// Digests of files; each file is read once.
#[derive(Debug, Default)]
pub(crate) struct FileDigests(Mutex<BTreeMap<PathBuf, String>>);

impl FileDigests {
    /// SHA-256 of a file, in hexadecimal.
    ///
    /// # Errors
    /// The file cannot be read.
    fn of(&self, path: &Path) -> io::Result<String> {
        let mut known = lock(&self.0);
        if let Some(known) = known.get(path) {
            return Ok(known.clone());
        }
        let digest = file_digest(path)?;
        known.insert(path.to_owned(), digest.clone());
        Ok(digest)
    }

    /// SHA-256 of a program's file, in hexadecimal.
    ///
    /// # Errors
    /// The file cannot be read.
    fn of_program(&self, path: &Path) -> Result<String, Refusal> {
        self.of(path).map_err(|error| {
            let help = "a program must be readable: its digest is part of the run's identity";
            let reason = format!("cannot read {}: {error}", shown_path(path));
            Refusal::new(Fault::Absent, reason, help)
        })
    }
}

/// The engine's full path, and SHA-256 of the file in hexadecimal.
///
/// # Errors
/// The file does not exist, or cannot be read.
pub fn locate(program: &Program) -> Result<(PathBuf, String), Refusal> {
    let path = find(program)?;
    let sha256 = FileDigests::default().of_program(&path)?;
    Ok((path, sha256))
}

/// The engine's full path.
fn find(program: &Program) -> Result<PathBuf, Refusal> {
    let asked = &program.executable;
    which(asked).ok_or_else(|| {
        let place = if is_bare(asked) {
            "it is not in PATH".to_owned()
        } else {
            format!("there is no program {}", shown_path(asked))
        };
        let help = "install it, or give its path in `command` (from the config's folder)";
        Refusal::new(Fault::Absent, place, help)
    })
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
