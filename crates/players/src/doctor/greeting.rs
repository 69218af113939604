//! Checks that a program exists, starts and greets.

use super::check::Check;
use super::{ExaminedProgram, display};
use crate::player::{Fault, Introduction, Probe, Refusal, detect_protocol, locate};
use leitai_base::foreign::{raw_path, shown_path};
use leitai_protocols::Protocol;

/// Finds the program's file, and stores its full path; `None` if it does not exist.
pub(super) fn find(examined: &mut ExaminedProgram) -> Option<()> {
    let located = locate(&examined.program);
    let found = located.is_ok().then_some(());
    examined.checks.push(match located {
        Ok((path, sha256)) => {
            let text = format!("{}, SHA-256 {}", shown_path(&path), &sha256[..12]);
            let check = Check::ok("found", text).figure("path", raw_path(&path));
            examined.program.executable = path;
            check.figure("sha256", sha256)
        }
        Err(Refusal { reason, help, .. }) => Check::failure("found", reason).help(help),
    });
    found
}

/// Starts the program for the first time.
pub(super) fn start(examined: &mut ExaminedProgram) -> Option<Probe> {
    let started = examined.start();
    let check = match &started {
        Ok(probe) => greeted(&probe.engine.introduction),
        Err(refusal) => refused(examined, refusal.clone()),
    };
    examined.checks.push(check);
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
    let unfinished = introduction.unfinished.map(|note| format!("; it {note}"));
    let text = format!(
        "greets after {} {called}, ready {} later{}",
        display::time(greeting),
        display::time(ready),
        unfinished.unwrap_or_default()
    );
    Check::ok("start", text)
        .figure("name", name.as_str())
        .figure("author", author.as_str())
        .figure("greeting_ms", display::milliseconds(greeting))
        .figure("ready_ms", display::milliseconds(ready))
}

/// The reason why there was no greeting, and the protocol that the program speaks instead, if any.
fn refused(examined: &ExaminedProgram, refusal: Refusal) -> Check {
    let reason = refusal.reason;
    let spoken = match refusal.fault {
        Fault::Ended | Fault::Silent | Fault::Binary => other_protocol(examined),
        Fault::Absent | Fault::Unready | Fault::Cancelled => None,
    };
    let Some(protocol) = spoken else {
        return Check::failure("start", reason).help(refusal.help);
    };
    let name = protocol.name;
    let text = format!("{reason}; it does reply to `{name}`");
    Check::failure("start", text).help(format!(
        "write `protocol = \"{name}\"` in the variant and remove its `preset`, if any"
    ))
}

/// Another protocol in which the program greets.
fn other_protocol(examined: &ExaminedProgram) -> Option<&'static Protocol> {
    let (program, card) = (&examined.program, examined.game.card);
    let current = program.profile.protocol;
    let others = card.facts().protocols.iter().copied();
    let others: Vec<&Protocol> = others.filter(|protocol| *protocol != current).collect();
    let spoken = detect_protocol(program, card, &others, &|_, _| {}, examined.context.cancel);
    spoken.ok().map(|spoken| spoken.protocol)
}
