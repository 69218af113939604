//! Checks that a program understands positions; if not, finds a profile that fixes it.

use std::time::{Duration, Instant};

use super::check::Check;
use super::diagnosis::{Clues, Suspect, clues, is_legal, lines, suspects};
use super::{Patient, words};
use crate::player::{Budget, Failure, Offer, Probe, Reply, SearchReply, silent_pass};
use leitai_base::count::count;
use leitai_config::{Limits, Profile, Program, Protocol, TimeControl};
use leitai_game::card::Place;

/// Time limit for all alternative profiles.
const TRYING: Duration = Duration::from_secs(20);
/// Time limit for a move, and for a greeting, with an alternative profile.
const TRIED: Duration = Duration::from_secs(2);

/// A program's answer in one position.
enum Answer {
    /// A legal move.
    Legal,
    /// A text that is not a legal move.
    Wrong(String, Clues),
    /// A move, but only after `stop`.
    Endless(String),
    /// No text; the event that happened instead.
    None(String),
    /// Lines that resemble an answer.
    Unread(String),
}

/// The budget of a short search, with the kind of limit of the config.
pub(super) fn moment(limits: &Limits, profile: &Profile) -> Budget {
    let shallow = Budget::of_depth(limits.depth.unwrap_or(3).min(3));
    if let Some(nodes) = limits.nodes {
        return Budget::of_nodes(nodes.min(1_000));
    }
    let short = Duration::from_millis(50);
    match limits.time {
        Some(TimeControl::PerMove(time)) if !profile.tells_seconds() => {
            Budget::of_time(time.min(short))
        }
        Some(TimeControl::Clock(_)) if !profile.tells_seconds() => Budget::of_time(short),
        // GTP cannot express a depth: the program's own limits.
        None if profile.protocol == Protocol::Gtp => Budget::default(),
        Some(_) if profile.protocol == Protocol::Gtp => Budget::of_time(Duration::from_secs(1)),
        _ => shallow,
    }
}

/// Asks in all positions. If an answer is wrong, finds a profile that the program understands, and
/// sets it in `patient`; `false` if there is none, so that further checks are pointless.
pub(super) fn check(patient: &mut Patient, probe: Probe) -> (Vec<Check>, bool) {
    let offers = probe.engine.introduction.offers.clone();
    let (answers, stray) = tour(patient, probe, patient.patience(), false);
    let (check, is_understood) = judge(patient, &offers, &answers);
    let mut checks = vec![check];
    checks.extend(once(answers.len(), stray));
    (checks, is_understood)
}

/// The problem of unrequested moves, if any.
fn once(asked: usize, stray: u32) -> Option<Check> {
    let text = format!(
        "asked for {} it made {stray} more unasked: a second answer to one question (in UCI a \
         second `bestmove`), or one that comes too late",
        count(asked as u64, "move", "moves"),
    );
    let help = "the program has to answer once; leitai forgets the rest, others may play it";
    let check = || Check::failure("answers", text).help(help.to_owned());
    (stray > 0).then(|| check().figure("stray", stray))
}

/// Judges the answers, and returns whether the program understands the positions. If not, sets the
/// profile that fixes it in `patient`.
fn judge(
    patient: &mut Patient,
    offers: &[Offer],
    answers: &[(&'static Place, Answer)],
) -> (Check, bool) {
    if patient.around.is_cancelled() {
        return (Check::warning("positions", "called off"), false);
    }
    let right = answers.iter().filter(|(_, a)| matches!(a, Answer::Legal));
    let (right, asked) = (right.count(), answers.len());
    let counted = |check: Check| check.figure("legal", right).figure("asked", asked);
    let wrong = answers.iter().find(|(_, a)| !matches!(a, Answer::Legal));
    let Some((place, answer)) = wrong else {
        let text = format!("{right} of {asked} answers are legal moves");
        return (counted(Check::ok("positions", text)), true);
    };
    let profile = &patient.program.profile;
    let mut text = match answer {
        Answer::Wrong(text, clues) => {
            let clue = clues.words(profile);
            let text = words::shortened(text);
            format!(
                "{} it answers `{text}`, which is not legal{clue}",
                place.name
            )
        }
        // Other profiles have the same limits.
        Answer::Endless(what) => {
            let check = Check::failure("positions", format!("{} {what}", place.name));
            let budget = moment(&patient.limits, profile);
            let check = match super::limits::seconds_help(patient, offers) {
                Some(help) => check.help(help),
                None => check.breaks(super::limits::kind(&budget)),
            };
            return (counted(check), false);
        }
        Answer::None(what) | Answer::Unread(what) => format!("{} {what}", place.name),
        Answer::Legal => String::new(),
    };
    let found = answers.iter().filter_map(|(_, answer)| match answer {
        Answer::Wrong(_, clues) => Some(*clues),
        _ => None,
    });
    let found: Vec<Clues> = found.collect();
    let all = suspects(patient.game.card, profile, &found, offers);
    let has_others = !all.is_empty();
    if let Some(suspect) = fixed(patient, all) {
        text += "; with the line below every answer is legal, and so it is examined on";
        let help = format!("write {} in the variant", lines(&suspect.lines));
        patient.program.profile = suspect.profile;
        let check = Check::failure("positions", text).help(help);
        return (counted(check), true);
    }
    if matches!(answer, Answer::Unread(_)) {
        let help = "have the program write its answer on a line of its own, as its protocol \
                    spells it and without control characters";
        let check = Check::failure("positions", text).help(help.to_owned());
        return (counted(check), false);
    }
    if has_others {
        text += "; no other ";
        text += patient.questions().other_ways;
        text += " fixes it";
    }
    (counted(Check::failure("positions", text)), false)
}

/// The first profile with which every answer is legal.
fn fixed(patient: &Patient, all: Vec<Suspect>) -> Option<Suspect> {
    let limit = Instant::now() + patient.around.pick(TRYING, TRYING / 3);
    all.into_iter().find(|suspect| {
        let tried = Patient {
            program: Program {
                profile: suspect.profile.clone(),
                startup: patient.program.startup.min(TRIED),
                ..patient.program.clone()
            },
            ..*patient
        };
        if Instant::now() >= limit || patient.around.is_cancelled() {
            return false;
        }
        let Ok(probe) = tried.start() else {
            return false;
        };
        let (answers, _) = tour(&tried, probe, tried.patience().min(TRIED), true);
        answers.len() == patient.questions().places.len()
            && answers.iter().all(|(_, a)| matches!(a, Answer::Legal))
    })
}

/// Asks in one position after the other, in a fresh process after one without a move. Ends after
/// two of these, or with `strict` at the first wrong answer. Also counts unrequested moves.
fn tour(
    patient: &Patient,
    probe: Probe,
    patience: Duration,
    strict: bool,
) -> (Vec<(&'static Place, Answer)>, u32) {
    let mut probe = Some(probe);
    let mut answers = Vec::new();
    let (mut lost, mut stray) = (0, 0);
    for place in patient.questions().places {
        let running = probe.take().or_else(|| patient.start().ok());
        let Some(mut running) = running else {
            answers.push((place, Answer::None("it cannot be started again".to_owned())));
            break;
        };
        let before = running.engine.stray;
        let answer = ask(patient, &mut running, place, patience);
        // The second answer to the previous question appears here.
        stray += running.engine.stray - before;
        let is_legal = matches!(answer, Answer::Legal);
        if matches!(
            answer,
            Answer::None(_) | Answer::Endless(_) | Answer::Unread(_)
        ) {
            lost += 1;
        } else {
            probe = Some(running);
        }
        answers.push((place, answer));
        if (strict && !is_legal) || lost == 2 || patient.around.is_cancelled() {
            break;
        }
    }
    (answers, stray)
}

fn ask(patient: &Patient, probe: &mut Probe, place: &Place, patience: Duration) -> Answer {
    let line = place.line(patient.game.card);
    if let Err(refusal) = probe.new_game(line.start(), patient.around.cancel) {
        let errors = words::last_words(&probe.engine.process.errors());
        return Answer::None(format!(
            "it does not begin a game: {}{errors}",
            refusal.reason
        ));
    }
    let profile = &patient.program.profile;
    if silent_pass(profile, line.position()).is_some() {
        return Answer::Legal;
    }
    let budget = moment(&patient.limits, profile);
    let reply = probe.ask(&*line, &budget, patience, patient.around.cancel);
    match reply {
        // The program ignores its limits.
        Reply {
            answer: Ok(_),
            after_stop: Some(_),
            ..
        } => {
            let limit = super::limits::describe(&budget);
            Answer::Endless(format!(
                "it goes on beyond {limit}, until it is told to stop"
            ))
        }
        Reply {
            answer: Ok(SearchReply { text, .. }),
            ..
        } => match is_legal(profile, line.position(), &text) {
            Some(_) => Answer::Legal,
            None => Answer::Wrong(text.clone(), clues(profile, &*line, &text)),
        },
        Reply {
            answer: Err(failure),
            ..
        } => {
            let word = probe.engine.speech.answer_word();
            let mut unread = reply.symptoms.unread.iter();
            let is_attempt = unread.any(|line| line.to_ascii_lowercase().contains(word));
            let what = words::failed(failure, &reply);
            if is_attempt && failure == Failure::Stall {
                Answer::Unread(what)
            } else {
                Answer::None(what)
            }
        }
    }
}
