//! The name of this program: a program for other games has its own name, in help and in the
//! commands that it suggests.

use std::borrow::Cow;
use std::sync::OnceLock;

use clap::Command;
use clap::builder::StyledStr;

use super::fastchess::called_as;
use super::games::games;
use super::prelude::*;
use leitai_base::foreign::raw_path;
use leitai_config::shell_word;

const OURS: &str = "leitai";

/// The name of the executable, without its folder; a Leitai build with a longer name is still
/// `leitai`, and so is one under the name of a program whose options it takes: that name has no
/// other commands.
pub(super) fn name() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        let called = std::env::args_os().next().unwrap_or_default();
        let stem = Path::new(&called).file_stem().unwrap_or_default();
        match stem.to_str() {
            Some(stem) if !stem.is_empty() && !stem.starts_with(OURS) && called_as().is_none() => {
                shown(stem).to_string()
            }
            _ => OURS.to_owned(),
        }
    })
}

/// The commit of this build, if it is known and nothing has changed since.
pub(super) fn commit() -> Option<&'static str> {
    let first = env!("LEITAI_BUILD").split([' ', ',']).next();
    first.filter(|word| word.len() >= 7 && word.bytes().all(|it| it.is_ascii_hexdigit()))
}

/// The build of this program: programs of the same build play the same. It is the commit, else the
/// digest of the program's file, also of a program with other games.
#[cfg(feature = "fleet")]
pub(super) fn build() -> Result<&'static str, Failure> {
    static BUILD: OnceLock<String> = OnceLock::new();
    if let Some(build) = BUILD.get() {
        return Ok(build);
    }
    let build = if let Some(commit) = commit().filter(|_| name() == OURS) {
        commit.to_owned()
    } else {
        let program = std::env::current_exe()?;
        let digest = leitai_players::player::file_digest(&program);
        let digest = digest.with_context(|| shown_path(&program).to_string())?;
        format!("file-{digest:.16}")
    };
    Ok(BUILD.get_or_init(|| build))
}

/// The command line of this process, quoted for a shell: the command that resumes its work. Leaves
/// out options that would repeat finished work.
pub(super) fn command_line() -> String {
    let words = std::env::args_os().skip(1);
    let words = words.filter(|word| word != "--fresh" && word != "--retry-failed");
    let words = words.map(|word| format!(" {}", shell_word(&raw_path(Path::new(&word)))));
    format!("{}{}", name(), words.collect::<String>())
}

/// A text whose suggested commands use the name of this program.
pub(super) fn in_own_words(text: &str) -> Cow<'_, str> {
    of_program(text, name())
}

fn of_program<'t>(text: &'t str, name: &str) -> Cow<'t, str> {
    if name == OURS {
        return Cow::Borrowed(text);
    }
    let mut text = text.to_owned();
    for before in ["`", "<code>"] {
        text = text.replace(&format!("{before}{OURS} "), &format!("{before}{name} "));
    }
    Cow::Owned(text)
}

/// The usage of a command, in the name of this program.
pub(super) fn own_usage(usage: &str) -> String {
    usage.replace(&format!("{OURS} "), &format!("{} ", name()))
}

/// The command with the program's name in its help.
pub(super) fn named(command: Command) -> Command {
    if name() == OURS {
        return command;
    }
    rename(command)
}

/// A text of help in the name of this program, about its own games and files.
fn of_help(text: &str) -> String {
    let name = name();
    let mut text = own_usage(text);
    for (before, after) in [("\"", "\""), ("completions/", "")] {
        let ours = format!("{before}{OURS}{after}");
        text = text.replace(&ours, &format!("{before}{name}{after}"));
    }
    let first = games().iter().next().map_or("GAME", |card| card.name());
    let shipped = leitai_games::all();
    let is_absent = |word: &&str| shipped.named(word).is_some() && games().named(word).is_none();
    let lines = text.split('\n').map(|line| {
        if !line.trim_start().starts_with(&format!("{name} ")) {
            return line.to_owned();
        }
        // An example: it names a game or a config that only Leitai's own program has.
        let words = line.split(' ').map(|word| match word {
            it if is_absent(&it) => first,
            it if it.starts_with("configs/") => "leitai.toml",
            other => other,
        });
        words.collect::<Vec<_>>().join(" ")
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn rename(mut command: Command) -> Command {
    let text = |text: Option<&StyledStr>| text.map(|it| of_help(&it.to_string()));
    let (about, long, after) = (
        text(command.get_about()),
        text(command.get_long_about()),
        text(command.get_after_help()),
    );
    command = command.about(about.unwrap_or_default());
    if let Some(long) = long {
        command = command.long_about(long);
    }
    if let Some(after) = after {
        command = command.after_help(after);
    }
    let command = command.mut_args(|argument| {
        let help = text(argument.get_help()).unwrap_or_default();
        let long = text(argument.get_long_help());
        let argument = argument.help(help);
        match long {
            Some(long) => argument.long_help(long),
            None => argument,
        }
    });
    command.mut_subcommands(rename)
}
