//! `leitai init`: a config to begin with.

use std::path::{Path, PathBuf};

use clap::Args;

use super::examples::examples;
use super::failure::Outcome;
use super::games::{self, Card, entry_of, games};
use super::terminal::{give, note};
use super::{Exit, program, schema};
use crate::config::{path_word, quoted};
use crate::output::Door;

/// Write a config to begin with: two players of a game, and the question which is stronger.
///
/// It plays as it is, and says in comments what can be changed. Beside it the schema is written, by
/// which editors complete and check it.
#[derive(Debug, Args)]
#[command(after_help = after_help())]
pub(super) struct Arguments {
    /// Which game.
    #[arg(value_parser = games::parser())]
    game: Option<Card>,
    /// A program of yours, with its arguments: `"./my-engine --fast"`. It meets another one if
    /// there are two, else our own full search.
    #[arg(long, value_name = "COMMAND", num_args = 1)]
    engine: Vec<String>,
    /// Ask by a gate, which ends when its test knows: the first player is the candidate.
    #[arg(long)]
    gate: bool,
    /// The config.
    #[arg(long, short, value_name = "FILE", default_value = "leitai.toml")]
    out: PathBuf,
    /// Write over a file that is there.
    #[arg(long)]
    force: bool,
}

fn after_help() -> String {
    format!(
        "{}\n  {} init chess --engine ./new --engine ./old --gate",
        examples("init", "GAME"),
        program::name()
    )
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let mut door = Door::default();
    let file = door.prepare_new(&arguments.out, arguments.force)?;
    let beside = arguments.out.with_file_name(schema::FILE);
    let beside = if arguments.force || !beside.exists() {
        Some(door.prepare(&beside)?)
    } else {
        None
    };
    let first = || games().iter().next();
    if arguments.engine.len() > 2 {
        anyhow::bail!("two programs meet each other: add others to the config");
    }
    let Some(card) = arguments.game.or_else(first) else {
        anyhow::bail!("this program has no game");
    };
    give(file, &config(arguments, card, &path_word(&arguments.out)))?;
    if let Some(beside) = beside {
        give(beside, &(schema::text()? + "\n"))?;
    }
    let (program, config) = (program::name(), path_word(&arguments.out));
    let command = if arguments.gate { "gate" } else { "run" };
    note(&format!(
        "{config} is written: two players of {}. Next:\n  {program} {command} {config}",
        card.name()
    ));
    Ok(Exit::Success)
}

/// A config of two players.
fn config(arguments: &Arguments, card: Card, name: &str) -> String {
    let (program, game) = (program::name(), card.name());
    let players = players(arguments, card);
    let [(first, _), (second, _)] = &players;
    let book = entry_of(card).and_then(|entry| entry.shipped.first());
    let openings = book.map_or_else(
        || {
            "# [openings]\n# file = \"openings.epd\"   # a line for each; without, all games begin \
             from the usual start\n"
                .to_owned()
        },
        |book| {
            format!(
                "[openings]\n\
                 # The program brings this book ({}); or a file of yours: EPD, moves, PGN.\n\
                 file = \"leitai:{}\"\n\
                 exhausted = \"vary\"      # after the last: again, with two random plies\n",
                book.holds, book.name
            )
        },
    );
    let limits = if arguments.engine.is_empty() {
        "nodes = 1_000             # per move; or depth = 6, movetime = \"100ms\", \
         clock = \"10s+0.1s\""
    } else {
        "clock = \"5s+0.05s\"      # or movetime = \"100ms\", nodes = 20_000, depth = 6"
    };
    let tournament = "[tournament]\npairs = 50                # two games each\n".to_owned();
    let gate = format!(
        "[gate]\n\
         candidate = {}\n\
         base = {}\n\
         elo0 = 0                  # not good enough\n\
         elo1 = 10                 # good enough\n",
        quoted(first),
        quoted(second)
    );
    let commented = |text: &str| {
        let lines: Vec<String> = text.lines().map(|line| format!("# {line}\n")).collect();
        lines.concat()
    };
    let (command, what, question) = if arguments.gate {
        let what = "plays pairs, each opening twice with colours swapped, until a test knows: exit \
                    code 0 if\n# the candidate is stronger.";
        let other = format!(
            "# How much stronger, in so many games, for `{program} run {name}`; in place of [gate].\n{}",
            commented(&tournament)
        );
        ("gate", what, format!("{gate}\n{other}"))
    } else {
        let what = "plays 50 pairs: each opening twice, with colours swapped.";
        let other = format!(
            "# The same question until a test knows, for `{program} gate {name}`: exit code 0 if the\n\
             # candidate is stronger. It stands in place of [tournament].\n{}",
            commented(&gate)
        );
        ("run", what, format!("{tournament}\n{other}"))
    };
    let variants = players
        .each_ref()
        .map(|(_, lines)| format!("[[variant]]\n{lines}\n"));
    let variants = variants.concat();
    let another = if arguments.engine.is_empty() {
        "# A program of yours: every line of a variant may stand here too, such as its limits.\n\
         # [[variant]]\n\
         # name = \"mine\"\n\
         # command = [\"./my-engine\"]\n\
         # protocol = \"uci\"\n\
         \n"
    } else {
        ""
    };
    format!(
        "#:schema ./{}\n\
         \n\
         # Which of two players is stronger?\n\
         #\n\
         #     {program} {command} {name}\n\
         #\n\
         # {what}\n\
         # It carries on where it was stopped. Change what you like.\n\
         \n\
         game = \"{game}\"\n\
         seed = 1                  # another seed, other openings\n\
         \n\
         [limits]\n\
         {limits}\n\
         \n\
         {openings}\
         \n\
         {variants}\
         {another}\
         {question}",
        schema::FILE
    )
}

/// The names of the players, and the lines that say who they are: the programs that are named, and
/// beside a single one our own search; without any, our two presets.
fn players(arguments: &Arguments, card: Card) -> [(String, String); 2] {
    let preset = |name: &str| {
        let lines = format!("name = \"{name}\"\nsearch = {{ preset = \"{name}\" }}\n");
        (name.to_owned(), lines)
    };
    let protocol = card.facts().protocols.first().map_or("uci", |it| it.name());
    let mut names: Vec<String> = Vec::new();
    let mut engine = |command: &String| {
        let words: Vec<&str> = command.split_whitespace().collect();
        let stem = words
            .first()
            .and_then(|word| Path::new(word).file_stem()?.to_str());
        let stem = stem.unwrap_or("engine");
        let name = if names.iter().any(|name| name == stem) {
            format!("{stem}-{}", names.len() + 1)
        } else {
            stem.to_owned()
        };
        names.push(name.clone());
        let words: Vec<String> = words.into_iter().map(quoted).collect();
        let lines = format!(
            "name = {}\n\
             command = [{}]\n\
             protocol = \"{protocol}\"\n\
             # options = {{ Hash = 16, Threads = 1 }}\n",
            quoted(&name),
            words.join(", ")
        );
        (name, lines)
    };
    match arguments.engine.as_slice() {
        [] => [preset("full"), preset("plain")],
        [one] => [engine(one), preset("full")],
        [one, other, ..] => [engine(one), engine(other)],
    }
}
