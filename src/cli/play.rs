//! `leitai play`: lets a person play against a variant.

use std::io::{BufRead as _, stdin};
use std::sync::mpsc::channel;

use super::board::{print_board, read_start};
use super::configs::default_store;
use super::listening::ListenArguments;
use super::prelude::*;
use leitai_config::Config;
use leitai_game::Side;
use leitai_players::player::{Budget, adopt_orphans, identify};
use leitai_session::books::book_of;
use leitai_session::human::{Advice, AdviceRequest, Adviser, HumanGame, Line, budget_of, save};
use leitai_web::{GameSetting, PlayRoom};

/// Play against a variant of a config: in a browser, or with --terminal in text.
///
/// Any game and any variant, other programs too. Games can be saved to a record, outside all
/// statistics: `leitai report FILE --human games.pgn` writes them.
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
    /// Record for games; by default the config's name with `.sqlite`, in the current folder.
    #[arg(long, value_name = "FILE", alias = "record")]
    store: Option<PathBuf>,
    #[command(flatten)]
    listening: ListenArguments,
    /// Print the address as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Play in text, on standard input and output.
    #[arg(long, conflicts_with_all = ["port", "host", "json"])]
    terminal: bool,
    /// With --terminal: the variant; by default the first one.
    #[arg(long, requires = "terminal")]
    variant: Option<String>,
    /// With --terminal: your side, by its name or as `first`, `second` or `both`.
    #[arg(long, requires = "terminal", default_value = "first")]
    side: String,
    /// With --terminal: the position; by default the usual start.
    #[arg(long, requires = "terminal", allow_hyphen_values = true)]
    fen: Option<String>,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let mut loaded = load_config(&arguments.config, &arguments.overrides)?;
    let mut files = CommandFiles::of(&arguments.config, &loaded);
    let config = &mut loaded.config;
    if config.variants.is_empty() {
        bail!(
            "{} has no variants to play against",
            shown_path(&arguments.config)
        );
    }
    let cancel = signals::install_handler();
    adopt_orphans();
    identify(config, cancel)?;
    let config = &loaded.config;
    let record = arguments.store.clone();
    let record = record.unwrap_or_else(|| default_store(&arguments.config));
    if arguments.terminal {
        // Waits for input and searches do not check for signals, and leave nothing behind.
        return signals::without_handler(|| in_text(arguments, config, &record));
    }
    let card = config.game.card;
    if card.line(&*card.initial()).view().is_none() {
        bail!(
            "{} has no board to show\nhelp: `--terminal` plays in text",
            config.game.name()
        );
    }
    let book = book_of(&loaded, reader())?;
    files.records(&record);
    let (port, access) = arguments.listening.open(arguments.json.as_ref(), files)?;
    let room = PlayRoom::new(GameSetting {
        config: loaded.config,
        name: shown_path(&arguments.config).to_string(),
        book,
        record,
    });
    let room = room.context("the system refuses a thread")?;
    port.serve(room.router(), access, cancel)
        .context("cannot answer")?;
    Ok(Exit::Interrupted)
}

const HELP: &str = "\
a move in any notation of the game, or
  hint     what the variant would play
  move     let it move for you
  undo     take your last move back (or back)
  board    the board
  new      begin again
  resign   give the game up
  moves    all legal moves
  fen      the position as text
  keep     keep the game in the record
  quit     end";

/// Plays in the terminal.
fn in_text(arguments: &Arguments, config: &Config, record: &Path) -> Outcome {
    let card = config.game.card;
    let named = |name: &str| config.variants.iter().position(|it| it.name == name);
    let variant = match &arguments.variant {
        None => 0,
        Some(name) => named(name).ok_or_else(|| anyhow!("there is no variant `{name}`"))?,
    };
    let human = side(&arguments.side, card)?;
    let start = read_start(card, arguments.fen.as_deref())?;
    let name = config.variants[variant].name.as_str();
    let names = Side::BOTH.map(|side| match human {
        Some(human) if human != side => name,
        _ => "person",
    });
    let opponent = human.map(Side::other);
    let mut table = Table {
        game: HumanGame::new(start.position(), "", config.game.rules, names, opponent),
        adviser: Adviser::begin(config.clone()).context("the system refuses a thread")?,
        variant,
        name,
        budget: budget_of(&config.limits_by_variant()[variant]),
        record,
    };
    let mut words = stdin().lock().lines();
    let sides = card.side_names();
    print(&match human {
        Some(human) => format!(
            "you are {}, and `{name}` is {}; `help` lists the commands",
            sides[human.index()],
            sides[human.other().index()]
        ),
        None => format!("you move for both sides; `{name}` gives hints; `help` lists the commands"),
    })?;
    table.show()?;
    loop {
        if table.game.is_opponents_turn() {
            table.answer()?;
            continue;
        }
        let Some(word) = words.next() else {
            return Ok(Exit::Success);
        };
        let word = word.context("standard input cannot be read")?;
        if let "quit" | "exit" = word.trim() {
            return Ok(Exit::Success);
        }
        table.read_line(word.trim())?;
    }
}

/// A game in the terminal.
struct Table<'a> {
    game: HumanGame,
    adviser: Adviser,
    variant: usize,
    /// The name of the variant.
    name: &'a str,
    budget: Budget,
    record: &'a Path,
}

impl Table<'_> {
    fn show(&self) -> Result<(), Failure> {
        print_board(self.game.line().view().as_ref(), false)?;
        match self.game.verdict() {
            Some(verdict) => {
                let facts = self.game.line().position().card().facts();
                print(&(facts.ending)(verdict))
            }
            None => Ok(()),
        }
    }

    /// Asks the variant for a move.
    fn ask(&self) -> Result<Line, Failure> {
        let (sender, answers) = channel();
        let ask = AdviceRequest {
            variant: self.variant,
            line: self.game.line().boxed(),
            budget: self.budget,
            lines: None,
            game: 1,
            cancel: Arc::new(AtomicBool::new(false)),
            reply: Box::new(move |advice: Advice| drop(sender.send(advice))),
        };
        let asked = self.adviser.ask(ask);
        asked.map_err(|_| anyhow!("the player stopped responding"))?;
        let mut advice = answers.recv()?;
        let line = advice.lines.pop();
        line.with_context(|| format!("`{}` gives no answer", self.name))
    }

    /// Lets the variant move.
    fn answer(&mut self) -> Result<(), Failure> {
        let line = self.ask()?;
        let text = self.game.line().position().written(line.moves[0], 0);
        if !self.game.play(line.moves[0], Some(line.searched())) {
            bail!("`{}` chooses {text}, which is not legal", self.name);
        }
        print(&match line.score {
            Some(score) => {
                format!(
                    "{text}  {:+.2}, depth {}",
                    f64::from(score) / 100.0,
                    line.depth
                )
            }
            None => text,
        })?;
        self.show()
    }

    /// Handles a line from the user.
    fn read_line(&mut self, word: &str) -> Result<(), Failure> {
        let written = |table: &Self, mv| table.game.line().position().written(mv, 0);
        match word {
            "" => Ok(()),
            "help" | "?" => print(HELP),
            "fen" => print(&self.game.line().position().to_fen()),
            "moves" => {
                let moves = self.game.line().position().moves();
                let moves: Vec<_> = moves.iter().map(|&mv| written(self, mv)).collect();
                print(&moves.join(" "))
            }
            "back" | "undo" | "keep"
                if self.game.line().is_empty() && self.game.verdict().is_none() =>
            {
                print("no move has been made")
            }
            "board" => self.show(),
            "new" => {
                self.game.take_back();
                while !self.game.line().is_empty() {
                    self.game.take_back();
                }
                self.show()
            }
            "back" | "undo" => {
                self.game.take_back();
                self.show()
            }
            "keep" => {
                save(self.record, &self.game)?;
                print(&format!("kept in {}", shown_path(self.record)))
            }
            _ if self.game.verdict().is_some() => print("the game is over"),
            "resign" => {
                self.game.resign();
                self.show()
            }
            "move" => self.answer(),
            "hint" => print(&written(self, self.ask()?.moves[0])),
            text => match self.game.line().position().parse_move(text) {
                Ok(mv) => {
                    self.game.play(mv, None);
                    self.show()
                }
                Err(error) => print(&format!("{error}; `help` lists the commands")),
            },
        }
    }
}

/// A side by its name; `None` means both.
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
