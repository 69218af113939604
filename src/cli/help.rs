//! Help: a page per command that fits a few screens, all options by `help COMMAND --all`, and suggestions for unknown
//! commands.

use std::ffi::OsString;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, ArgAction, Command};

use super::games::games;
use super::prelude::*;
use super::{commands, fastchess, parse};
use leitai_base::suggest::nearest_names;
use leitai_report::{Room, aligned};

/// The page of a command above its examples; its description is the text before. clap does not wrap the examples below:
/// they are to be copied.
const ABOVE: &str = "{before-help}{usage-heading} {usage}\n\n{all-args}\n\n";
/// Width of the list of commands.
const WIDTH: usize = 100;
/// The heading of options that every command has.
pub(super) const EVERYWHERE: &str = "Every command";

/// Commands by purpose; those of a game that are not here follow.
const GROUPS: [(&str, &[&str]); 6] = [
    (
        "Play",
        &["run", "gate", "tune", "study", "fastchess", "play"],
    ),
    (
        "Results",
        &["report", "serve", "rate", "history", "calc", "convert"],
    ),
    (
        "Setup",
        &["init", "doctor", "check", "openings", "import", "schema"],
    ),
    ("Records", &["verify", "merge"]),
    ("Machines", &["worker", "fleet"]),
    (
        "Games",
        &[
            "analyze",
            "engine",
            "judge",
            "show",
            "perft",
            "bench",
            "solve",
            "check-proof",
        ],
    ),
];

/// Other words for commands.
const SYNONYMS: &[(&str, &str)] = &[
    ("tournament", "run"),
    ("match", "run"),
    ("start", "run"),
    ("resume", "run"),
    ("cutechess-cli", "cutechess"),
    ("sprt", "gate"),
    ("test", "gate"),
    ("compare", "gate"),
    ("spsa", "tune"),
    ("texel", "tune"),
    ("optimize", "tune"),
    ("ordo", "rate"),
    ("bayeselo", "rate"),
    ("ratings", "rate"),
    ("elo", "calc"),
    ("los", "calc"),
    ("pgn", "convert"),
    ("export", "report"),
    ("results", "report"),
    ("list", "report"),
    ("status", "report"),
    ("view", "serve"),
    ("browse", "serve"),
    ("web", "serve"),
    ("new", "init"),
    ("config", "init"),
    ("validate", "check"),
    ("lint", "check"),
    ("book", "openings"),
    ("uci", "engine"),
    ("replay", "verify"),
];

/// Print the help of a command.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  leitai help gate
  leitai help gate --all
  leitai help calc elo")]
pub(super) struct Arguments {
    /// The command, and the command below it; without one, the list of commands.
    command: Vec<OsString>,
    /// Describe all options, each in full.
    #[arg(long)]
    all: bool,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let words = [OsString::from(program::name())].into_iter();
    let words = words.chain(arguments.command.iter().cloned());
    let words = words.chain([OsString::from("--help")]);
    let unknown = arguments.command.first().and_then(|word| word.to_str());
    let unknown = unknown.filter(|word| commands().find_subcommand(word).is_none());
    if let Some(word) = unknown {
        bail!("{}", unknown_word(word));
    }
    for dialect in fastchess::Dialect::ALL {
        if arguments.command == [dialect.command()] {
            return fastchess::help(dialect);
        }
    }
    let parsed = if arguments.all {
        commands().try_get_matches_from(words)
    } else {
        parse(words)
    };
    parsed.map_err(Failure::from).map(|_| Exit::Success)
}

/// The commands with short pages: `--help` lists options by purpose, with the first sentence of each description and
/// without rare options.
pub(super) fn concise(command: Command) -> Command {
    let page = page(&command);
    with_pages(command, "").help_template(page)
}

/// A command below `path` and the commands below it, with short pages.
fn with_pages(command: Command, path: &str) -> Command {
    let about = command.get_long_about().or(command.get_about()).cloned();
    let after = command.get_after_help().map(ToString::to_string);
    let after = after.unwrap_or_default();
    let examples = after.split("\n\n").next().unwrap_or_default();
    let mut is_whole = examples == after;
    let command = command.mut_args(|argument| {
        let help = argument.get_help().map(ToString::to_string);
        let help = help.unwrap_or_default();
        let first = first_sentence(&help).to_owned();
        is_whole &= first == help && !argument.is_hide_short_help_set();
        argument.help(first)
    });
    let mut page = format!("{ABOVE}{examples}");
    if !is_whole {
        let _ = write!(
            page,
            "\n\n`{} help {path}--all` has more options and details.",
            program::name()
        );
    }
    let flag = |name, letter: char, action| {
        let flag = Arg::new(name).long(name).short(letter).action(action);
        flag.help(format!("Print {name}")).help_heading(EVERYWHERE)
    };
    let command = command.disable_help_subcommand(true);
    if command.is_disable_help_flag_set() {
        return command;
    }
    let command = command
        .disable_help_flag(true)
        .disable_version_flag(true)
        .arg(flag("help", 'h', ArgAction::HelpShort))
        .arg(flag("version", 'V', ArgAction::Version))
        .max_term_width(WIDTH);
    let command = match about {
        Some(about) => command
            .before_help(about)
            .help_template(page.trim_end().to_owned()),
        None => command,
    };
    command.mut_subcommands(|below| {
        let path = format!("{path}{} ", below.get_name());
        with_pages(below, &path)
    })
}

/// The first sentence of a description, without its period.
fn first_sentence(text: &str) -> &str {
    let end = text.match_indices(". ").map(|(at, _)| at);
    let mut end =
        end.filter(|&at| text[at + 2..].starts_with(|it: char| it.is_uppercase() || it == '`'));
    end.next().map_or(text, |at| &text[..at])
}

/// The page of the program.
pub(super) fn overview() -> StyledStr {
    concise(commands().bin_name(program::name())).render_help()
}

/// The template of the page of the program: commands by purpose, after the first three.
fn page(command: &Command) -> String {
    let name = program::name();
    let chess = games().named("chess").or_else(|| games().iter().next());
    let game = chess.map_or("GAME", |card| card.name());
    let mut page = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\nStart here: is the new engine stronger than the old one?\n  \
         {name} init {game} --engine ./new --engine ./old --gate\n  \
         {name} doctor leitai.toml\n  {name} gate leitai.toml\n"
    );
    let all: Vec<&Command> = command.get_subcommands().collect();
    let listed = |name: &str| all.iter().find(|it| it.get_name() == name).copied();
    let known = GROUPS.iter().map(|(title, names)| {
        (
            *title,
            names
                .iter()
                .filter_map(|name| listed(name))
                .collect::<Vec<_>>(),
        )
    });
    let others = all.iter().copied().filter(|it| {
        !GROUPS
            .iter()
            .any(|(_, names)| names.contains(&it.get_name()))
    });
    for (title, commands) in known.chain([("Other", others.collect())]) {
        let rows = commands.iter().map(|it| {
            let about = it.get_about().map(ToString::to_string).unwrap_or_default();
            vec![it.get_name().to_owned(), first_sentence(&about).to_owned()]
        });
        let rows: Vec<_> = rows.collect();
        if !rows.is_empty() {
            let rows = aligned("  ", &rows, 1, |_| true, Room::Fold(WIDTH));
            let _ = write!(page, "\n{title}:\n{rows}\n");
        }
    }
    page + "\n{options}{after-help}"
}

/// The message about an unknown command, with the one that it resembles.
pub(super) fn unknown_command(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    // Messages about a command below another one are clap's.
    let first = std::env::args_os().nth(1);
    first.filter(|first| first.to_str() == Some(word))?;
    Some(format!("error: {}", unknown_word(word)))
}

fn unknown_word(word: &str) -> String {
    let name = program::name();
    let message = format!("there is no command `{}`\nhelp: ", shown(word));
    let all = format!("`{name} --help` lists all commands");
    match nearest(word) {
        Some((meant, about)) => format!("{message}`{name} {meant}` would {about}; {all}"),
        None => message + &all,
    }
}

/// The command that a mistyped one resembles, and its description.
fn nearest(word: &str) -> Option<(String, String)> {
    let commands = commands();
    let names = commands.get_subcommands().map(Command::get_name);
    let names: Vec<&str> = names
        .chain(SYNONYMS.iter().map(|(word, _)| *word))
        .collect();
    let nearest = nearest_names(word, &names).into_iter().next()?;
    let meant = SYNONYMS.iter().find(|(word, _)| *word == nearest);
    let meant = meant.map_or(nearest, |(_, command)| command);
    let command = commands.find_subcommand(meant);
    let about = command
        .and_then(Command::get_about)
        .map(StyledStr::to_string);
    let about = about.unwrap_or_default();
    let mut letters = first_sentence(&about).chars();
    let first = letters.next().into_iter().flat_map(char::to_lowercase);
    Some((meant.to_owned(), first.chain(letters).collect()))
}
