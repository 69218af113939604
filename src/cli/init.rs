//! `leitai init`: a config to begin with.

use std::path::PathBuf;

use clap::Args;

use super::examples::examples;
use super::failure::Outcome;
use super::games::{self, Card, entry_of, games};
use super::terminal::{give, note};
use super::{Exit, program, schema};
use crate::config::path_word;
use crate::output::Door;

/// Write a config to begin with: two players of a game, and the question which is stronger.
///
/// It plays as it is, and says in comments what can be changed. Beside it the schema is written, by
/// which editors complete and check it.
#[derive(Debug, Args)]
#[command(after_help = examples("init", "GAME"))]
pub(super) struct Arguments {
    /// Which game.
    #[arg(value_parser = games::parser())]
    game: Option<Card>,
    /// The config.
    #[arg(long, short, value_name = "FILE", default_value = "leitai.toml")]
    out: PathBuf,
    /// Write over a file that is there.
    #[arg(long)]
    force: bool,
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
    let Some(card) = arguments.game.or_else(first) else {
        anyhow::bail!("this program has no game");
    };
    give(file, &config(card, &path_word(&arguments.out)))?;
    if let Some(beside) = beside {
        give(beside, &(schema::text()? + "\n"))?;
    }
    let (program, config) = (program::name(), path_word(&arguments.out));
    note(&format!(
        "{config} is written: two players of {}. Next:\n  {program} run {config}",
        card.name()
    ));
    Ok(Exit::Success)
}

/// A config of two players that search by the two presets.
fn config(card: Card, name: &str) -> String {
    let (program, game) = (program::name(), card.name());
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
    format!(
        "#:schema ./{}\n\
         \n\
         # Which of two players is stronger?\n\
         #\n\
         #     {program} run {name}\n\
         #\n\
         # plays 50 pairs: each opening twice, with colours swapped. It carries on where it was\n\
         # stopped, and is the same on any number of threads. Change what you like.\n\
         \n\
         game = \"{game}\"\n\
         seed = 1                  # another seed, other openings\n\
         \n\
         [limits]\n\
         nodes = 1_000             # per move; or depth = 6, movetime = \"100ms\", \
         clock = \"10s+0.1s\"\n\
         \n\
         {openings}\
         \n\
         [tournament]\n\
         pairs = 50                # two games each\n\
         \n\
         [[variant]]\n\
         name = \"plain\"\n\
         search = {{ preset = \"plain\" }}\n\
         \n\
         [[variant]]\n\
         name = \"full\"\n\
         search = {{ preset = \"full\" }}\n\
         \n\
         # A program of yours: every line of a variant may stand here too, such as its limits.\n\
         # [[variant]]\n\
         # name = \"mine\"\n\
         # command = [\"./my-engine\"]\n\
         # protocol = \"uci\"\n\
         \n\
         # The same question until a test knows, for `{program} gate {name}`: exit code 0 if\n\
         # `candidate` is stronger. It stands in place of [tournament].\n\
         # [gate]\n\
         # base = \"plain\"\n\
         # candidate = \"full\"\n\
         # elo0 = 0\n\
         # elo1 = 10\n",
        schema::FILE
    )
}
