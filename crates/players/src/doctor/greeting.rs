//! Checks that a program exists, starts and greets.

use std::time::Duration;

use super::check::Check;
use super::{Patient, display};
use crate::player::{Fault, Introduction, Probe, Refusal, locate};
use leitai_base::foreign::{raw_path, shown_path};
use leitai_config::{Profile, Program, Protocol};

/// Time limit for a greeting in another protocol.
const TRIED: Duration = Duration::from_secs(2);

/// Finds the program's file, and stores its full path; `None` if it does not exist.
pub(super) fn find(patient: &mut Patient) -> Option<()> {
    let located = locate(&patient.program);
    let found = located.is_ok().then_some(());
    patient.checks.push(match located {
        Ok((path, sha256)) => {
            let text = format!("{}, SHA-256 {}", shown_path(&path), &sha256[..12]);
            let check = Check::ok("found", text).figure("path", raw_path(&path));
            patient.program.executable = path;
            check.figure("sha256", sha256)
        }
        Err(Refusal { reason, help, .. }) => Check::failure("found", reason).help(help),
    });
    found
}

/// Starts the program for the first time.
pub(super) fn start(patient: &mut Patient) -> Option<Probe> {
    let started = patient.start();
    let check = match &started {
        Ok(probe) => greeted(&probe.engine.introduction),
        Err(refusal) => refused(patient, refusal.clone()),
    };
    patient.checks.push(check);
    started.ok()
}

fn greeted(introduction: &Introduction) -> Check {
    let [name, author] = [&introduction.name, &introduction.author];
    let [greeting, ready] = [introduction.greeting, introduction.ready];
    let [short_name, short_author] = [name, author].map(|text| display::shortened(text));
    let called = match (name.as_str(), author.as_str()) {
        ("", _) => "without a name".to_owned(),
        (_, "") => format!("as {short_name}"),
        _ => format!("as {short_name} by {short_author}"),
    };
    let text = format!(
        "greets after {} {called}, ready {} later",
        display::time(greeting),
        display::time(ready)
    );
    Check::ok("start", text)
        .figure("name", name.as_str())
        .figure("author", author.as_str())
        .figure("greeting_ms", display::milliseconds(greeting))
        .figure("ready_ms", display::milliseconds(ready))
}

/// The reason why there was no greeting, and the protocol that the program speaks instead, if any.
fn refused(patient: &Patient, refusal: Refusal) -> Check {
    let reason = refusal.reason;
    let spoken = match refusal.fault {
        Fault::Ended | Fault::Silent | Fault::Binary => other_protocol(patient),
        Fault::Absent | Fault::Unready | Fault::Cancelled => None,
    };
    let Some(protocol) = spoken else {
        return Check::failure("start", reason).help(refusal.help);
    };
    let name = protocol.name();
    let text = format!("{reason}; but it answers to the protocol `{name}`");
    Check::failure("start", text).help(format!(
        "write `protocol = \"{name}\"` in the variant, in place of a `preset`"
    ))
}

/// Another protocol in which the program greets.
fn other_protocol(patient: &Patient) -> Option<Protocol> {
    let current = patient.program.profile.protocol;
    let carried = patient.game.card.facts().protocols;
    let mut others = Protocol::ALL.iter().copied();
    others.find(|protocol| {
        let tried = Program {
            profile: Profile {
                environment: patient.program.profile.environment.clone(),
                ..Profile::of(*protocol)
            },
            startup: patient.program.startup.min(TRIED),
            ..patient.program.clone()
        };
        *protocol != current
            && carried.contains(protocol)
            && !patient.context.is_cancelled()
            && Probe::start(&tried, patient.context.cancel).is_ok()
    })
}
