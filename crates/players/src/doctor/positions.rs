//! Checks that a program understands positions; if not, finds a profile that fixes it.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use super::check::Check;
use super::diagnosis::{AlternativeProfile, Clues, alternative_profiles, clues, lines};
use super::limits::{describe, kind, seconds_help};
use super::{ExaminedProgram, display};
use crate::player::{Budget, Failure, Probe, SearchReply, parse_engine_move, unsent_pass};
use leitai_base::count::count;
use leitai_config::{Limits, Profile, TimeControl};
use leitai_game::card::TestPosition;
use leitai_protocols::Limit;

/// Time limit for all alternative profiles.
const TRYING: Duration = Duration::from_secs(20);
/// Time limit for a move, and for a greeting, with an alternative profile.
const TRIED: Duration = Duration::from_secs(2);

/// A program's answer in one position.
enum Finding {
    /// A legal move.
    Legal,
    /// A text that is not a legal move.
    Illegal(String, Clues),
    /// A move, but only after `stop`.
    Endless(String),
    /// No text; the event that happened instead.
    Missing(String),
    /// Lines that resemble an answer.
    Unread(String),
}

/// The budget of a short search, with the kind of limit of the config.
pub(super) fn short_budget(limits: &Limits, profile: &Profile) -> Budget {
    if let Some(nodes) = limits.nodes {
        return Budget::of_nodes(nodes.min(1_000));
    }
    let (protocol, short) = (profile.protocol, Duration::from_millis(50));
    match limits.time {
        Some(TimeControl::PerMove(time)) if !profile.sends_seconds() => {
            Budget::of_time(time.min(short))
        }
        Some(TimeControl::Clock(_)) if !profile.sends_seconds() => Budget::of_time(short),
        // GTP cannot express a depth: the program's own limits. Some CECP programs do not know it.
        None if !protocol.has(Limit::Depth) && protocol.limits_itself => Budget::default(),
        Some(_) if protocol.whole_seconds && protocol.has(Limit::MoveTime) => {
            Budget::of_time(Duration::from_secs(1))
        }
        _ if !protocol.has(Limit::Depth) => Budget::of_time(short),
        _ => Budget::of_depth(limits.depth.unwrap_or(3).min(3)),
    }
}

/// Asks in all positions. If an answer is wrong, finds a profile that the program understands, and
/// sets it in `examined`; `false` if there is none, so that further checks are pointless.
pub(super) fn check(examined: &mut ExaminedProgram, probe: Probe) -> bool {
    let (answers, stray) = ask_in_all(examined, probe, examined.patience(), false);
    let (check, is_understood) = judge(examined, &answers);
    examined.checks.push(check);
    if stray > 0 {
        let text = format!(
            "it was asked for {} and made {stray} more: a second answer to one question (in UCI a \
             second `bestmove`), or one that comes too late",
            count(answers.len() as u64, "move", "moves"),
        );
        let help = "the program has to answer once; Leitai ignores the rest, others may play it";
        let check = Check::failure("answers", text).help(help.to_owned());
        examined.checks.push(check.figure("stray", stray));
    }
    is_understood
}

/// Judges the answers, and returns whether the program understands the positions. If not, sets the
/// profile that fixes it in `examined`.
fn judge(
    examined: &mut ExaminedProgram,
    answers: &[(&'static TestPosition, Finding)],
) -> (Check, bool) {
    if examined.context.is_cancelled() {
        return (Check::warning("positions", "cancelled"), false);
    }
    let is_legal = |(_, answer): &&(_, Finding)| matches!(answer, Finding::Legal);
    let (right, asked) = (answers.iter().filter(is_legal).count(), answers.len());
    let counted = |check: Check| check.figure("legal", right).figure("asked", asked);
    let Some((place, answer)) = answers.iter().find(|answer| !is_legal(answer)) else {
        let text = format!("{right} of {asked} answers are legal moves");
        return (counted(Check::ok("positions", text)), true);
    };
    let profile = &examined.program.profile;
    let problem = match answer {
        Finding::Illegal(text, clues) => {
            let text = display::shortened(text);
            format!(
                "it answers `{text}`, which is not legal{}",
                clues.words(profile)
            )
        }
        Finding::Endless(problem) | Finding::Missing(problem) | Finding::Unread(problem) => {
            problem.clone()
        }
        Finding::Legal => String::new(),
    };
    let mut text = format!("{} {problem}", place.name);
    // Other profiles have the same limits.
    if matches!(answer, Finding::Endless(_)) {
        let check = Check::failure("positions", text);
        let check = match seconds_help(examined) {
            Some(help) => check.help(help),
            None => check.breaks(kind(&short_budget(&examined.limits, profile))),
        };
        return (counted(check), false);
    }
    let clues = answers.iter().filter_map(|(_, answer)| match answer {
        Finding::Illegal(_, clues) => Some(*clues),
        _ => None,
    });
    let clues: Vec<Clues> = clues.collect();
    let suspects = alternative_profiles(examined.game.card, profile, &clues, &examined.offers);
    let has_others = !suspects.is_empty();
    if let Some(suspect) = working_profile(examined, suspects) {
        text +=
            "; with the line below every answer is legal, and the examination continues with it";
        let help = format!("write {} in the variant", lines(&suspect.lines));
        examined.program.profile = suspect.profile;
        let check = Check::failure("positions", text).help(help);
        return (counted(check), true);
    }
    let mut help = None;
    if matches!(answer, Finding::Unread(_)) {
        let line = "have the program write its answer on a line of its own, as its protocol \
                    spells it and without control characters";
        help = Some(line.to_owned());
    } else if has_others {
        let ways = examined.questions().other_ways;
        let _ = write!(text, "; no other {ways} fixes it");
    }
    (counted(Check::failure("positions", text).help(help)), false)
}

/// The first profile with which every answer is legal.
fn working_profile(
    examined: &ExaminedProgram,
    all: Vec<AlternativeProfile>,
) -> Option<AlternativeProfile> {
    let limit = Instant::now() + examined.context.pick(TRYING, TRYING / 3);
    all.into_iter().find(|suspect| {
        let mut tried = examined.clone();
        tried.program.profile = suspect.profile.clone();
        tried.program.startup = examined.program.startup.min(TRIED);
        let is_over = Instant::now() >= limit || examined.context.is_cancelled();
        let Some(probe) = (!is_over).then(|| tried.start().ok()).flatten() else {
            return false;
        };
        let (answers, _) = ask_in_all(&tried, probe, tried.patience().min(TRIED), true);
        answers.len() == examined.questions().places.len()
            && answers.iter().all(|(_, a)| matches!(a, Finding::Legal))
    })
}

/// Asks in one position after the other, in a fresh process after one without a move. Ends after
/// two of these, or with `strict` at the first wrong answer. Also counts unrequested moves.
fn ask_in_all(
    examined: &ExaminedProgram,
    probe: Probe,
    patience: Duration,
    strict: bool,
) -> (Vec<(&'static TestPosition, Finding)>, u32) {
    let mut probe = Some(probe);
    let mut answers = Vec::new();
    let (mut lost, mut stray) = (0, 0);
    for place in examined.questions().places {
        let Some(mut running) = probe.take().or_else(|| examined.start().ok()) else {
            let problem = "it cannot be started again".to_owned();
            answers.push((place, Finding::Missing(problem)));
            break;
        };
        let before = running.engine.stray;
        let answer = ask(examined, &mut running, place, patience);
        // The second answer to the previous question appears here.
        stray += running.engine.stray - before;
        let is_legal = matches!(answer, Finding::Legal);
        if is_legal || matches!(answer, Finding::Illegal(..)) {
            probe = Some(running);
        } else {
            lost += 1;
        }
        answers.push((place, answer));
        if (strict && !is_legal) || lost == 2 || examined.context.is_cancelled() {
            break;
        }
    }
    (answers, stray)
}

fn ask(
    examined: &ExaminedProgram,
    probe: &mut Probe,
    place: &TestPosition,
    patience: Duration,
) -> Finding {
    let line = place.line(examined.game.card);
    if let Err(refusal) = probe.new_game(line.start(), examined.context.cancel) {
        let errors = display::error_output(&probe.engine.process.errors());
        return Finding::Missing(format!(
            "it does not begin a game: {}{errors}",
            refusal.reason
        ));
    }
    let profile = &examined.program.profile;
    if unsent_pass(profile, line.position()).is_some() {
        return Finding::Legal;
    }
    let budget = short_budget(&examined.limits, profile);
    let reply = probe.ask(&*line, &budget, patience, examined.context.cancel);
    match &reply.answer {
        // The program ignores its limits.
        Ok(_) if reply.after_stop.is_some() => Finding::Endless(format!(
            "it searches beyond {} until `stop`",
            describe(&budget)
        )),
        Ok(SearchReply { text, .. })
            if parse_engine_move(profile, line.position(), text).is_ok() =>
        {
            Finding::Legal
        }
        Ok(SearchReply { text, .. }) => {
            Finding::Illegal(text.clone(), clues(profile, &*line, text))
        }
        Err(failure) => {
            let word = probe.engine.protocol.reply;
            let mut unread = reply.symptoms.unread.iter();
            let is_attempt = unread.any(|line| line.to_ascii_lowercase().contains(word));
            let problem = display::failure(*failure, &reply);
            let lacks_limit = |line: &String| {
                let command = line.rsplit(':').next().unwrap_or_default();
                let command = command.split_whitespace().next();
                matches!(command, Some("sd" | "st" | "level"))
            };
            if *failure == Failure::Stall && reply.symptoms.unread.iter().any(lacks_limit) {
                return Finding::Endless(format!("limited to {}, {problem}", describe(&budget)));
            }
            if is_attempt && *failure == Failure::Stall {
                Finding::Unread(problem)
            } else {
                Finding::Missing(problem)
            }
        }
    }
}
