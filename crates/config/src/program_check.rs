//! The keys of a `[[variant]]` for an external program, checked against the rest of the config.

use std::ops::Range;
use std::path::{Path, PathBuf, is_separator};
use std::time::Duration;

use super::context::CheckContext;
use super::files::Find;
use super::problem::{Problem, Problems};
use super::program::{Profile, Program};
use super::program_profile::{plain, profile};
use super::program_typed::Typed;
use super::values::{Spanned, time};
use super::{Games, Limits, TimeControl};
use leitai_base::count::alternatives;
use leitai_game::card::GameCard;
use leitai_protocols::{GTP, Limit, Protocol};

/// Default timeout of the greeting and of a move without a node limit.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);
/// The speed of a slow program, in nodes per second: a move under a node limit may take as long.
const SLOW: u64 = 1_000;
/// The longest default timeout of a move.
const LONGEST_TIMEOUT: Duration = Duration::from_hours(1);

/// The default timeout of a move under these limits.
fn stall_under(limits: &Limits) -> Duration {
    let search = Duration::from_secs(limits.nodes.unwrap_or(0) / SLOW);
    DEFAULT_TIMEOUT.saturating_add(search).min(LONGEST_TIMEOUT)
}

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
        return Problem::error(span, "a command without a program")
            .help("name the program first, then its arguments: `command = [\"fairy-stockfish\"]`")
            .refuse(problems);
    }
    let profile = profile(&typed, context, span.clone(), problems);
    let ponder = typed.ponder.as_ref().filter(|ponder| *ponder.get_ref());
    if let Some((profile, _)) = &profile {
        for (message, help) in unplayable(profile, limits, context) {
            Problem::error(span.clone(), message)
                .help(help)
                .report(problems);
        }
        if let Some(ponder) = ponder {
            check_ponder(ponder.span(), profile.protocol, limits.0, problems);
        }
    }
    let startup = time(&typed.startup, "startup", "\"10s\"", problems);
    let stall = time(&typed.stall, "stall", "\"10s\"", problems);
    let new_game = time(&typed.new_game, "new_game", "\"10s\"", problems);
    let ping = time(&typed.ping, "ping", "\"10s\"", problems);
    let (command, (profile, unspecified)) = words.zip(profile).filter(|_| !typed.broken)?;
    let executable = match &command[0] {
        // A bare name is searched in `PATH`.
        name if !name.contains(is_separator) => name.into(),
        name => found(name, context.find),
    };
    let working_folder = typed.folder.as_ref();
    let working_folder = working_folder.map(|folder| found(folder.get_ref(), context.find));
    Some(Program {
        command,
        executable,
        folder: typed.folder.map(Spanned::into_inner),
        working_folder,
        profile,
        ponder: ponder.is_some(),
        unspecified,
        startup: startup.unwrap_or(DEFAULT_TIMEOUT),
        stall: stall.unwrap_or_else(|| stall_under(limits.0)),
        ping,
        new_game,
        found: None,
    })
}

/// Refuses pondering if the protocol has none, or no time limits the program.
fn check_ponder(
    place: Range<usize>,
    protocol: &Protocol,
    limits: &Limits,
    problems: &mut Problems,
) {
    let (message, help) = if !protocol.uses("ponder") {
        let message = format!("the protocol `{protocol}` has no pondering");
        let help = "remove it; the protocols `uci`, `ucci`, `usi` and `cecp` have it";
        (message, help)
    } else if limits.time.is_none() {
        let help = "remove it, or give the players time: `clock = \"10s+0.1s\"`. Under nodes or depth \
                    alone,\nwhat a program finds on the opponent's time would differ from run to run";
        ("`ponder` without a clock".to_owned(), help)
    } else {
        return;
    };
    Problem::error(place, message).help(help).report(problems);
}

/// The path resolved from the config's folder. A missing file is an error only when it is needed,
/// because a config may be checked on another machine.
fn found(name: &str, find: Find) -> PathBuf {
    find(Path::new(name)).unwrap_or_else(|tried| {
        let first = tried.into_iter().next();
        first.unwrap_or_else(|| name.into())
    })
}

/// The reasons why the program cannot play the game under these limits, with the help; it sets its
/// limits itself if `limits_itself`.
fn unplayable(
    profile: &Profile,
    (limits, limits_itself): (&Limits, bool),
    context: &CheckContext,
) -> Vec<(String, String)> {
    let protocol = profile.protocol;
    if context.is_study
        && context
            .game
            .is_some_and(|game| game.card.facts().has_prover)
    {
        let message = "a study of solvers asks other programs by GTP";
        let help = "write `protocol = \"gtp\"`, if the program supports it";
        let is_gtp = protocol == GTP;
        return Vec::from_iter((!is_gtp).then(|| (message.to_owned(), help.to_owned())));
    }
    let mut reasons = Vec::new();
    if let Some(game) = context.game {
        reasons.extend(foreign_protocol(protocol, game.card, context.games));
    }
    let mut add = |message: &str, help: &str| reasons.push((message.to_owned(), help.to_owned()));
    if context.is_study {
        add(
            "a study examines the search of its players, and cannot examine a program",
            "remove the variant, or let it play a `[tournament]` without `[study]`",
        );
    }
    if let Some((problem, help)) = beyond_protocol(protocol, limits, limits_itself) {
        add(&format!("the protocol `{protocol}` {problem}"), &help);
    }
    if profile.sends_seconds() && !limits_itself {
        if limits.reference_nps.is_some() {
            add(
                "the program gets its times in whole seconds, which cannot be scaled",
                "remove `reference_nps`",
            );
        }
        match limits.time.filter(|_| !limits.has_whole_seconds()) {
            Some(TimeControl::PerMove(_)) => add(
                "the program gets its time per move in whole seconds",
                "give a `movetime` of whole seconds, such as `\"1s\"`",
            ),
            Some(TimeControl::Clock(_)) => add(
                "the program gets its clock in whole seconds",
                "give a `clock` of whole seconds, such as `\"60s+1s\"`",
            ),
            None => {}
        }
    }
    reasons
}

/// The reason why the game is not played by this protocol, if it is not, with the help.
fn foreign_protocol(
    protocol: &Protocol,
    card: &dyn GameCard,
    games: &Games,
) -> Option<(String, String)> {
    let facts = card.facts();
    if facts.protocols.contains(&protocol) {
        return None;
    }
    let (title, help) = (facts.title, facts.program_help);
    let theirs = games
        .iter()
        .filter(|card| card.facts().protocols.contains(&protocol));
    let theirs: Vec<_> = theirs.collect();
    let titles: Vec<_> = theirs.iter().map(|card| card.facts().title).collect();
    let names = theirs.iter().map(|card| format!("\"{}\"", card.name()));
    let (titles, names) = (titles.join(" and "), names.collect::<Vec<_>>().join(" or "));
    Some((
        format!("the protocol `{protocol}` is for {titles}, and the config is about {title}"),
        format!("{help}; or write `game = {names}`"),
    ))
}

/// The reason why a protocol cannot express the limits, if it cannot, as the end of a sentence, and
/// the help.
fn beyond_protocol(
    protocol: &Protocol,
    limits: &Limits,
    limits_itself: bool,
) -> Option<(&'static str, String)> {
    if limits_itself {
        let problem = "needs a limit: without one a program would think for ever";
        let help = "give the variant limits, such as `limits = { depth = 6 }`";
        return (!protocol.limits_itself).then(|| (problem, help.to_owned()));
    }
    let (nodes, depth) = (limits.nodes.is_some(), limits.depth.is_some());
    let count = usize::from(nodes) + usize::from(depth) + usize::from(limits.time.is_some());
    let clock = limits.clock();
    let stages: Vec<_> = clock.iter().flat_map(super::Clock::stages).collect();
    let mut periods = stages.iter().filter(|stage| stage.moves.is_some());
    let has_both = periods.any(|stage| !stage.increment.is_zero());
    let per_move = matches!(limits.time, Some(TimeControl::PerMove(_)));
    let has_periods = clock.is_some_and(|clock| clock.moves.is_some());
    let asked = [
        (Limit::Several, count > 1, "has one limit at a time"),
        (
            Limit::PeriodsWithIncrement,
            has_both,
            "has no clock with both moves per period and an increment",
        ),
        (Limit::Nodes, nodes, "has no node limit"),
        (Limit::Depth, depth, "has no depth limit"),
        (Limit::MoveTime, per_move, "has no time per move"),
        (
            Limit::Stages,
            stages.len() > 1,
            "has no clock with several stages",
        ),
        (
            Limit::Byoyomi,
            clock.is_some_and(|clock| !clock.byoyomi.is_zero()),
            "has no byoyomi",
        ),
        (
            Limit::Periods,
            has_periods,
            "has no clock with moves per period",
        ),
    ];
    let mut asked = asked.into_iter();
    let (limit, _, problem) = asked.find(|(limit, is_set, _)| *is_set && !protocol.has(*limit))?;
    let help = match limit {
        Limit::Several => "keep one of `nodes`, `depth` and the time under `[limits]`".to_owned(),
        Limit::PeriodsWithIncrement => {
            "give a `clock` with one of the two, such as `\"40/60s\"` or `\"60s+1s\"`".to_owned()
        }
        Limit::Stages => "give a `clock` with one, such as `\"40/60s\"` or `\"60s+1s\"`".to_owned(),
        Limit::Byoyomi => "give a `clock` with an increment, such as `\"60s+1s\"`".to_owned(),
        Limit::Periods => "give a `clock` for the whole game, such as `\"60s+1s\"`".to_owned(),
        _ => other_limits(protocol),
    };
    Some((problem, help))
}

/// Help that names the limits of a protocol.
fn other_limits(protocol: &Protocol) -> String {
    let known = alternatives(protocol.limit_keys());
    if protocol.limits_itself {
        format!(
            "set the program's level by its arguments (`command = [\"./engine\", \"--level\", \"2\"]`) \
             and write\n`limits = \"own\"` in the variant; or limit it by {known}"
        )
    } else {
        format!(
            "limit the program by {known}: under `[limits]`, or by `limits = {{ ... }}` in the variant"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_may_take_a_second_more_for_each_thousand_nodes() {
        for (nodes, seconds) in [
            (None, 10),
            (Some(1), 10),
            (Some(2_000), 12),
            (Some(5_000_000), 3_600),
            (Some(u64::MAX), 3_600),
        ] {
            let limits = Limits {
                nodes,
                ..Limits::default()
            };
            assert_eq!(
                stall_under(&limits),
                Duration::from_secs(seconds),
                "{nodes:?}"
            );
        }
    }
}
