//! What a game brings to the command line.

use std::fmt;

use clap::{ArgMatches, Args, Command};

use super::answers::Json;
use super::failure::{Failure, Outcome};
use crate::card::{Card, Game, GameCard, NamedPlayer, Rules};
use crate::config::{Loaded, SolverStudy};
use crate::interchange::OwnForm;
use crate::session::{ReadBook, ShippedBook};

/// A game as the command line knows it: its card, and what only this game has.
pub struct Entry {
    /// The game.
    pub card: &'static dyn GameCard,
    /// Commands of its own.
    pub commands: Vec<OwnCommand>,
    /// How `leitai judge` reads and judges moves, if not one by one as other games do.
    pub judge: Option<OwnJudge>,
    /// Forms in which its games are written, beside PGN.
    pub forms: &'static [OwnForm],
    /// Reads files of openings that have a form of their own; `None` where a file has
    /// none, but a line for each position.
    pub book: ReadBook,
    /// Books that the program brings; the first is the one to begin with.
    pub shipped: Vec<ShippedBook>,
    /// Studies of its solvers, if it has such.
    pub solver_study: Option<OwnStudy>,
    /// Players that are no search of Leitai's, which configs call by name.
    pub players: Vec<&'static dyn NamedPlayer>,
}

impl Entry {
    /// A game that brings nothing but itself.
    pub fn of<G: Game>() -> Self {
        Card::<G>::get().into()
    }

    /// With a book that is called `leitai:NAME` in configs, and holds that in a few words.
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

    /// With a player of the game.
    #[must_use]
    pub fn with_player(mut self, player: &'static dyn NamedPlayer) -> Self {
        self.players.push(player);
        self
    }
}

impl From<&'static dyn GameCard> for Entry {
    /// A game that brings nothing but itself.
    fn from(card: &'static dyn GameCard) -> Self {
        Self {
            card,
            commands: Vec::new(),
            judge: None,
            forms: &[],
            book: |_, _, _| None,
            shipped: Vec::new(),
            solver_study: None,
            players: Vec::new(),
        }
    }
}

/// A command of a game's own.
pub struct OwnCommand {
    /// The command that it is part of, such as `solve`.
    under: Option<&'static str>,
    command: Box<dyn Fn() -> Command + Send + Sync>,
    name: &'static str,
    run: Box<dyn Fn(&ArgMatches) -> Outcome + Send + Sync>,
}

impl OwnCommand {
    /// A command with arguments that are read as an `A`, whose comments are its help.
    pub fn new<A: Args + 'static>(name: &'static str, run: fn(&A) -> Outcome) -> Self {
        Self {
            under: None,
            command: Box::new(move || A::augment_args(Command::new(name))),
            name,
            run: Box::new(move |matches| run(&A::from_arg_matches(matches)?)),
        }
    }

    /// The same as part of another command: of `solve`, which there is if a game has a
    /// part of it, or of one that all games share.
    #[must_use]
    pub fn under(mut self, parent: &'static str) -> Self {
        self.under = Some(parent);
        self
    }

    /// The command line with this command in it.
    pub(super) fn add_to(&self, all: Command) -> Command {
        let Some(parent) = self.under else {
            return all.subcommand((self.command)());
        };
        if all.find_subcommand(parent).is_some() {
            return all.mut_subcommand(parent, |it| it.subcommand((self.command)()));
        }
        let container = Command::new(parent)
            .about("Find out what is certain about positions")
            .subcommand_required(true)
            .arg_required_else_help(true);
        all.subcommand(container.subcommand((self.command)()))
    }

    /// What comes of it, if it is what the command line asks for.
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

/// A referee of a game's own for `leitai judge`.
#[derive(Clone, Copy, Debug)]
pub struct OwnJudge {
    /// What its JSON has, for the help.
    pub help: &'static str,
    /// Reads and judges.
    pub run: fn(Judged) -> Outcome,
}

/// What is to be judged.
#[derive(Debug)]
pub struct Judged {
    /// The position before the first move; the usual start if none is given.
    pub fen: Option<String>,
    /// The moves, as they were given.
    pub moves: String,
    /// The rules, which are of the game.
    pub rules: Rules,
    /// Where the answer goes as JSON, if it is wanted.
    pub json: Json,
}

/// Studies of a game's solvers.
#[derive(Clone, Copy, Debug)]
pub struct OwnStudy {
    /// What they find out, for the help.
    pub help: &'static str,
    /// Studies.
    pub(crate) run: fn(&super::study::Arguments, &Loaded, &SolverStudy) -> Outcome,
    /// How many problems would be studied.
    pub(crate) problems: fn(&SolverStudy) -> Result<usize, Failure>,
}
