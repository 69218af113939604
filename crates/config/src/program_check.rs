//! The keys of a `[[variant]]` for an external program, checked against the rest of the config.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::duration::patience;
use super::form::Spanned;
use super::problem::{Problem, Problems};
use super::program::{Profile, Program};
use super::program_profile::{plain, profile};
use super::program_typed::Typed;
use super::tables::{Find, time};
use super::{GameChoice, Games, Limits, Protocol, program_limits};
use leitai_game::card::GameCard;

/// The parts of the config that affect its players.
#[derive(Clone, Copy)]
pub(super) struct CheckContext<'f> {
    pub(super) game: Option<GameChoice>,
    pub(super) games: &'f Games,
    pub(super) limits: Limits,
    pub(super) is_study: bool,
    pub(super) find: Find<'f>,
}

/// Default timeout of the greeting and of a move.
const USUAL_PATIENCE: Duration = Duration::from_secs(10);

/// Refuses a program's keys in a variant without a program.
pub(super) fn refuse_strays(typed: &Typed, problems: &mut Problems) {
    if let (Some((key, span)), false) = (typed.stray(), typed.broken) {
        let message = format!("`{key}` belongs to a program, and there is none");
        Problem::error(span, message)
            .help("add `command = [\"...\"]`, or remove the key")
            .report(problems);
    }
}

/// The program described by a variant's settings and its inherited ones, under these limits, or
/// under none if it limits itself; `None` if a setting is invalid.
pub(super) fn program(
    typed: Typed,
    limits: (&Limits, bool),
    context: &CheckContext,
    problems: &mut Problems,
) -> Option<Program> {
    let command = typed.command.as_ref()?;
    let span = command.span();
    let words = command.get_ref().iter().map(|word| plain(word, problems));
    let words: Option<Vec<String>> = words.collect();
    let first = command.get_ref().first();
    if first.is_none_or(|first| first.get_ref().trim().is_empty()) {
        return Problem::error(span.clone(), "a command without a program")
            .help("name the program first, then its arguments: `command = [\"fairy-stockfish\"]`")
            .refuse(problems);
    }
    let profile = profile(&typed, context, span.clone(), problems);
    if let Some((profile, _)) = &profile {
        check_ground(profile, limits, context, &span, problems);
    }
    let startup = time(typed.startup.as_ref(), "startup", patience, "10s", problems);
    let stall = time(typed.stall.as_ref(), "stall", patience, "10s", problems);
    let program = words
        .zip(profile)
        .map(|(command, (profile, unsaid))| Program {
            executable: executable(&command[0], context.find),
            command,
            working_folder: typed
                .folder
                .as_ref()
                .map(|folder| found(folder.get_ref(), context.find)),
            folder: typed.folder.map(Spanned::into_inner),
            profile,
            unsaid,
            startup: startup.unwrap_or(USUAL_PATIENCE),
            stall: stall.unwrap_or(USUAL_PATIENCE),
            found: None,
        });
    program.filter(|_| !typed.broken)
}

/// Refuses games and limits that the program cannot play.
fn check_ground(
    profile: &Profile,
    (limits, by_itself): (&Limits, bool),
    context: &CheckContext,
    span: &Range<usize>,
    problems: &mut Problems,
) {
    let mut refuse = |message: &str, help: &str| {
        Problem::error(span.clone(), message)
            .help(help)
            .report(problems);
    };
    if context.is_study && context.game.is_some_and(|game| game.card.has_prover()) {
        if profile.protocol != Protocol::Gtp {
            refuse(
                "a study of solvers asks other programs by GTP",
                "write `protocol = \"gtp\"`, if the program speaks it",
            );
        }
        return;
    }
    let carries = |card: &&dyn GameCard| card.facts().protocols.contains(&profile.protocol);
    if let Some(game) = context.game
        && !carries(&game.card)
    {
        let name = profile.protocol.name();
        let theirs: Vec<_> = context.games.iter().filter(carries).collect();
        let titles: Vec<_> = theirs.iter().map(|card| card.facts().title).collect();
        let names: Vec<_> = theirs
            .iter()
            .map(|card| format!("\"{}\"", card.name()))
            .collect();
        let (title, help) = (game.card.facts().title, game.card.facts().program_help);
        if theirs.is_empty() {
            refuse(&format!("no game here has the protocol `{name}`"), help);
        } else {
            let titles = titles.join(" and ");
            refuse(
                &format!("the protocol `{name}` is for {titles}, and the config is about {title}"),
                &format!("{help}; or write `game = {}`", names.join(" or ")),
            );
        }
    }
    if context.is_study {
        refuse(
            "a study looks into the search of its players, and cannot look into a program",
            "remove the variant, or let it play a `[tournament]` without `[study]`",
        );
    }
    program_limits::check(profile, limits, by_itself, &mut refuse);
}

/// The path of the program: resolved from the config's folder if the name has a separator,
/// unchanged for a search in `PATH`.
fn executable(name: &str, find: Find) -> PathBuf {
    if name.contains('/') {
        found(name, find)
    } else {
        PathBuf::from(name)
    }
}

/// The path resolved from the config's folder. A missing file is an error only when it is needed,
/// because a config may be checked on another machine.
fn found(name: &str, find: Find) -> PathBuf {
    let missing = |tried: Vec<PathBuf>| tried.into_iter().next();
    find(Path::new(name)).unwrap_or_else(|tried| missing(tried).unwrap_or_else(|| name.into()))
}
