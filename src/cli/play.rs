//! `leitai play`: a person plays against a variant.

use std::fmt::Write as _;
use std::io::{BufRead as _, stdin};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::channel;

use anyhow::{Context, anyhow, bail};
use clap::Args;

use super::Exit;
use super::board::say_board;
use super::configs::{Overrides, default_store, load_config};
use super::failure::{Failure, Outcome};
use super::games::Card;
use super::listening::ListenArguments;
use super::terminal::{reader, say};
use crate::config::Config;
use crate::foreign::shown_path;
use crate::game::Side;
use crate::interchange::pgn::Searched;
use crate::player::{adopt_orphans, identify};
use crate::session::books::book_of;
use crate::session::human::{Advice, Adviser, Ask, HumanGame, budget_of};
use crate::signals;
use crate::store::{Mode, Store};
use crate::web::{PlayRoom, Played};

/// Play against a variant of a config: in a browser, or with --terminal in text.
///
/// Any game and any variant, other programs too. Games can be kept in a record, where no
/// statistic counts them: `leitai report FILE --human games.pgn` writes them.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  leitai play configs/ordering.toml
  leitai play mine.toml --port 9000
  leitai play mine.toml --terminal --variant new --side second")]
pub(super) struct Arguments {
    /// The config with the variants.
    config: PathBuf,
    #[command(flatten)]
    overrides: Overrides,
    /// Where games are kept; by default the config's name with `.sqlite`, here.
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    #[command(flatten)]
    listening: ListenArguments,
    /// Print the address as JSON.
    #[arg(long)]
    json: bool,
    /// Play in text, on standard input and output.
    #[arg(long, conflicts_with_all = ["port", "host", "json"])]
    terminal: bool,
    /// With --terminal: the variant; the first one if not given.
    #[arg(long, requires = "terminal")]
    variant: Option<String>,
    /// With --terminal: your side, by its name or as `first`, `second` or `both`.
    #[arg(long, requires = "terminal", default_value = "first")]
    side: String,
    /// With --terminal: the position; the usual start if not given.
    #[arg(long, requires = "terminal", allow_hyphen_values = true)]
    fen: Option<String>,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let mut config = load_config(&arguments.config, &arguments.overrides)?.config;
    if config.variants.is_empty() {
        bail!(
            "{} has no variants to play against",
            shown_path(&arguments.config)
        );
    }
    let cancel = signals::heed();
    adopt_orphans();
    identify(&mut config, cancel)?;
    let record = arguments.store.clone();
    let record = record.unwrap_or_else(|| default_store(&arguments.config));
    if arguments.terminal {
        return in_text(arguments, &config, &record);
    }
    if config
        .game
        .card
        .line(&*config.game.card.initial())
        .view()
        .is_none()
    {
        bail!(
            "{} has no board to show\nhelp: `--terminal` plays in text",
            config.game.name()
        );
    }
    let book = book_of(&config, reader())?;
    let (port, access) = arguments.listening.open(arguments.json)?;
    let room = PlayRoom::new(Played {
        config,
        name: shown_path(&arguments.config).to_string(),
        book,
        record,
    });
    let room = room.context("no thread can be had")?;
    port.serve(room.router(), access, cancel)
        .context("cannot answer")?;
    Ok(Exit::Success)
}

const HELP: &str = "\
a move in any notation of the game, or
  hint     what the variant would play
  go       let it move for you
  back     take your last move back
  moves    all legal moves
  fen      the position as text
  keep     keep the game in the record
  quit     end";

/// Plays in text.
fn in_text(arguments: &Arguments, config: &Config, record: &std::path::Path) -> Outcome {
    let card = config.game.card;
    let named = |name: &str| config.variants.iter().position(|it| it.name == name);
    let variant = match &arguments.variant {
        None => 0,
        Some(name) => named(name).ok_or_else(|| anyhow!("there is no variant `{name}`"))?,
    };
    let human = side(&arguments.side, card)?;
    let start = match &arguments.fen {
        Some(fen) => card.read(fen)?,
        None => card.initial(),
    };
    let name = &config.variants[variant].name;
    let names = Side::BOTH.map(|side| match human {
        Some(human) if human != side => name.as_str(),
        _ => "person",
    });
    let mut game = HumanGame::new(
        &*start,
        "",
        config.game.rules,
        names,
        human.map(Side::other),
    );
    let adviser = Adviser::begin(config.clone()).context("no thread can be had")?;
    let budget = budget_of(&config.limits_by_variant()[variant]);
    let ask = |game: &HumanGame| -> Result<Advice, Failure> {
        let (sender, answers) = channel();
        let ask = Ask {
            variant,
            line: game.line().boxed(),
            budget,
            lines: None,
            game: 1,
            cancel: Arc::new(AtomicBool::new(false)),
            tell: Box::new(move |advice| drop(sender.send(advice))),
        };
        adviser
            .ask(ask)
            .map_err(|_| anyhow!("nobody answers any more"))?;
        Ok(answers.recv()?)
    };
    let answer = |game: &mut HumanGame| -> Result<(), Failure> {
        let advice = ask(game)?;
        let line = advice.lines.first();
        let line = line.with_context(|| format!("`{name}` gives no answer"))?;
        let text = game.line().position().written(line.moves[0], 0);
        let seconds = Some(line.time.as_secs_f64());
        let depth = u8::try_from(line.depth).unwrap_or(u8::MAX);
        let nodes = u32::try_from(line.nodes).unwrap_or(u32::MAX);
        if !game.play(
            line.moves[0],
            Some(Searched::new(line.score, depth, nodes, seconds)),
        ) {
            bail!("`{name}` chooses {text}, which is not legal");
        }
        let mut told = text;
        if let Some(score) = line.score {
            let _ = write!(
                told,
                "  {:+.2}, depth {}",
                f64::from(score) / 100.0,
                line.depth
            );
        }
        say(&told)
    };
    let mut words = stdin().lock().lines();
    let mut is_new = true;
    loop {
        if std::mem::take(&mut is_new) {
            say_board(game.line().view().as_ref(), false)?;
            if let Some(verdict) = game.verdict() {
                say(&card.ending(verdict))?;
            }
        }
        if game.is_opponents_turn() {
            answer(&mut game)?;
            is_new = true;
            continue;
        }
        let Some(word) = words.next() else {
            return Ok(Exit::Success);
        };
        let word = word.context("standard input cannot be read")?;
        match word.trim() {
            "" => {}
            "quit" | "exit" => return Ok(Exit::Success),
            "help" | "?" => say(HELP)?,
            "fen" => say(&game.line().position().to_fen())?,
            "moves" => {
                let position = game.line().position();
                let moves = position.moves();
                let moves: Vec<_> = moves.iter().map(|&mv| position.written(mv, 0)).collect();
                say(&moves.join(" "))?;
            }
            "back" => {
                game.take_back();
                is_new = true;
            }
            "keep" => {
                let store = Store::open(record, Mode::Write)?;
                store.keep_human_game(config.game.name(), &game.pgn(0))?;
                store.close()?;
                say(&format!("kept in {}", shown_path(record)))?;
            }
            "go" | "hint" if game.verdict().is_some() => say("the game is over")?,
            "go" => {
                answer(&mut game)?;
                is_new = true;
            }
            "hint" => {
                let advice = ask(&game)?;
                let best = advice.lines.first().and_then(|line| line.moves.first());
                match best {
                    Some(&mv) => say(&game.line().position().written(mv, 0))?,
                    None => say(&format!("`{name}` gives no answer"))?,
                }
            }
            text => match game.line().position().parse_move(text) {
                Ok(mv) => {
                    is_new = game.play(mv, None);
                    if !is_new {
                        say("the game is over")?;
                    }
                }
                Err(error) => say(&format!("{error}; `help` lists what can be said"))?,
            },
        }
    }
}

/// A side by its name; `None` is both.
fn side(text: &str, card: Card) -> Result<Option<Side>, Failure> {
    let names = card.side_names();
    match text {
        "first" => Ok(Some(Side::First)),
        "second" => Ok(Some(Side::Second)),
        "both" => Ok(None),
        name if name == names[0] => Ok(Some(Side::First)),
        name if name == names[1] => Ok(Some(Side::Second)),
        _ => bail!("the sides are {}, {} and both", names[0], names[1]),
    }
}
