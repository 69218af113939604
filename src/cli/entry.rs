//! The interface of a game to the command line.

use std::error::Error;
use std::fmt;

use clap::{ArgMatches, Command};

use super::prelude::*;
use leitai_config::SolverStudy;
use leitai_game::card::{Card, Game, GameCard, NamedPlayer, Rules};
use leitai_interchange::{OwnFormat, TextFormat};
use leitai_session::{BookReader, ShippedBook};

/// A game on the command line: its card, and the extras of this game.
pub struct Entry {
    /// The game.
    pub(crate) card: &'static dyn GameCard,
    /// Commands of this game only.
    pub(crate) commands: Vec<OwnCommand>,
    /// The game's referee for `leitai judge`; by default moves are read and judged one by one.
    pub(crate) judge: Option<OwnJudge>,
    /// Text forms of its games, in addition to PGN.
    pub(crate) forms: Vec<OwnFormat>,
    /// Reads opening files in a form of the game's own.
    pub(crate) book: Option<BookReader>,
    /// Books that are part of the program; the first is the one for beginners.
    pub(crate) shipped: Vec<ShippedBook>,
    /// Studies of its solvers, if it has any.
    pub(crate) solver_study: Option<OwnStudy>,
    /// Players other than Leitai's searches; configs refer to them by name.
    pub(crate) players: Vec<&'static dyn NamedPlayer>,
}

impl Entry {
    /// An entry without extras.
    pub fn new<G: Game>() -> Self {
        Card::<G>::get().into()
    }

    /// Adds a command of the game.
    #[must_use]
    pub fn with_command(mut self, command: OwnCommand) -> Self {
        self.commands.push(command);
        self
    }

    /// Adds file formats of its games.
    #[must_use]
    pub(crate) fn with_forms(mut self, forms: &[OwnFormat]) -> Self {
        self.forms.extend(forms);
        self
    }

    /// Adds text formats of its games; list their forms in [`Facts::forms`](crate::card::Facts::forms).
    #[must_use]
    pub fn with_formats(self, formats: &[TextFormat]) -> Self {
        let own = |format: &TextFormat| OwnFormat::of_text(*format, self.card);
        let forms: Vec<OwnFormat> = formats.iter().map(own).collect();
        self.with_forms(&forms)
    }

    /// Adds a book, called `leitai:NAME` in configs; `holds` is a short description.
    #[must_use]
    pub fn with_shipped(
        mut self,
        name: &'static str,
        holds: &'static str,
        bytes: &'static [u8],
    ) -> Self {
        self.shipped.push(ShippedBook { name, holds, bytes });
        self
    }

    /// Adds a player.
    #[must_use]
    pub fn with_player(mut self, player: &'static dyn NamedPlayer) -> Self {
        self.players.push(player);
        self
    }
}

impl From<&'static dyn GameCard> for Entry {
    /// An entry without extras.
    fn from(card: &'static dyn GameCard) -> Self {
        Self {
            card,
            commands: Vec::new(),
            judge: None,
            forms: Vec::new(),
            book: None,
            shipped: Vec::new(),
            solver_study: None,
            players: Vec::new(),
        }
    }
}

/// A command of one game.
pub struct OwnCommand {
    /// The parent command, such as `solve`.
    under: Option<&'static str>,
    command: Box<dyn Fn() -> Command + Send + Sync>,
    name: &'static str,
    run: Box<dyn Fn(&ArgMatches) -> Outcome + Send + Sync>,
}

impl OwnCommand {
    /// A command whose arguments are an `A`; the doc comments of `A` are its help.
    pub fn new<A, E>(name: &'static str, run: fn(&A) -> Result<Exit, E>) -> Self
    where
        A: Args + 'static,
        E: Into<Box<dyn Error + Send + Sync>> + 'static,
    {
        let run = move |arguments: &A| run(arguments).map_err(|it| Failure::from_boxed(it.into()));
        Self::with(name, run)
    }

    /// A command with our own errors.
    pub(super) fn with<A: Args + 'static>(
        name: &'static str,
        run: impl Fn(&A) -> Outcome + Send + Sync + 'static,
    ) -> Self {
        Self {
            under: None,
            command: Box::new(move || A::augment_args(Command::new(name))),
            name,
            run: Box::new(move |matches| run(&A::from_arg_matches(matches)?)),
        }
    }

    /// Moves the command below another one: below `solve`, which exists if a game adds a part of
    /// it, or below a command that all games share.
    #[must_use]
    pub fn under(mut self, parent: &'static str) -> Self {
        self.under = Some(parent);
        self
    }

    /// Adds this command to the command line.
    pub(super) fn add_to(&self, all: Command) -> Command {
        let Some(parent) = self.under else {
            return all.subcommand((self.command)());
        };
        if all.find_subcommand(parent).is_some() {
            return all.mut_subcommand(parent, |it| it.subcommand((self.command)()));
        }
        let container = Command::new(parent)
            .about("Solve positions exactly")
            .subcommand_required(true)
            .arg_required_else_help(true);
        all.subcommand(container.subcommand((self.command)()))
    }

    /// Runs the command if the command line names it.
    pub(super) fn run(&self, matches: &ArgMatches) -> Option<Outcome> {
        let matches = match self.under {
            None => matches,
            Some(parent) => matches.subcommand_matches(parent)?,
        };
        Some((self.run)(matches.subcommand_matches(self.name)?))
    }
}

impl fmt::Debug for OwnCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.under.unwrap_or_default(), self.name)
    }
}

/// A game's own referee for `leitai judge`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnJudge {
    /// The fields of its JSON, for the help.
    pub help: &'static str,
    /// Reads and judges the moves.
    pub run: fn(JudgeInput) -> Outcome,
}

/// The input of a game's own referee.
#[derive(Debug)]
pub(crate) struct JudgeInput {
    /// The position before the first move; by default the usual start.
    pub fen: Option<String>,
    /// The moves as the user wrote them.
    pub moves: String,
    /// The rules of the game.
    pub rules: Rules,
    /// The JSON output, if requested.
    pub json: Json,
}

/// Studies of a game's solvers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnStudy {
    /// Its purpose, for the help.
    pub help: &'static str,
    /// Runs the study.
    pub(crate) run: fn(&super::study::Arguments, &Loaded, &SolverStudy) -> Outcome,
    /// The number of problems in the study.
    pub(crate) problems: fn(&SolverStudy) -> Result<usize, Failure>,
}
