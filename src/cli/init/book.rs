//! The openings of a first config.

use std::thread::available_parallelism;

use crate::cli::games::entry_of;
use crate::cli::openings::{players_of, usual_starts};
use crate::cli::prelude::*;
use leitai_base::count::count;
use leitai_config::{GameChoice, default_variant};
use leitai_game::eval::MAX_EVAL;
use leitai_players::openings::{Recipe, Viewpoint, epd, generate};
use leitai_players::player::Budget;

/// The number of openings to make.
const COUNT: usize = 100;

/// Nodes for the evaluation of an opening, at least.
const NODES: u64 = 500;

/// A smaller number of openings is reported.
const FEW: usize = 20;

/// The openings of a game.
pub(super) enum FirstBook {
    /// A book that the program brings.
    Shipped,
    /// A file in the folder of the config; `text` is its content if it must be written.
    File { name: String, text: Option<String> },
    /// Only the usual start.
    Start,
}

impl FirstBook {
    /// Finds the openings of a game for a config in `folder`; makes them if the program brings none.
    pub(super) fn of(card: Card, folder: &Path, cancel: &AtomicBool) -> Result<Self, Failure> {
        if shipped(card).is_some() {
            return Ok(Self::Shipped);
        }
        let name = format!("{}.epd", card.name());
        if folder.join(&name).exists() {
            return Ok(Self::File { name, text: None });
        }
        Ok(match level_openings(card, cancel)? {
            Some(text) => Self::File {
                name,
                text: Some(text),
            },
            None => Self::Start,
        })
    }

    /// The lines of the config.
    pub(super) fn lines(&self, card: Card) -> String {
        let vary = "exhausted = \"vary\"      # after the last: again, with varied last plies\n";
        match (self, shipped(card)) {
            (Self::File { name, .. }, _) => format!(
                "[openings]\n\
                 # Positions after some random plies and a search. `{} openings generate {}`\n\
                 # makes more; or name a file of yours: EPD, moves, PGN.\n\
                 file = \"{name}\"\n{vary}",
                program::name(),
                card.name()
            ),
            (Self::Shipped, Some([name, holds])) => format!(
                "[openings]\n\
                 # The program brings this book ({holds}); or a file of yours: EPD, moves, PGN.\n\
                 file = \"leitai:{name}\"\n{vary}"
            ),
            (Self::Start | Self::Shipped, _) => "[openings]\n\
                 # All games begin from the usual start; or a file of yours: EPD, moves, PGN.\n\
                 exhausted = \"repeat\"    # games that repeat are reported and not counted\n"
                .to_owned(),
        }
    }
}

/// The name and the content of the game's first shipped book.
fn shipped(card: Card) -> Option<[&'static str; 2]> {
    let book = *entry_of(card)?.shipped.first()?;
    Some([book.name, book.holds])
}

/// A book of level openings, one per line; `None` for a game with no openings.
fn level_openings(card: Card, cancel: &AtomicBool) -> Result<Option<String>, Failure> {
    let game = GameChoice::usual(card);
    let variant = default_variant(game)?;
    let Some(make) = players_of(&variant, &game) else {
        return Ok(None);
    };
    let mut openings = Vec::new();
    // The unit of an evaluation is unknown. Decided positions are no openings.
    for most in [50, 500, MAX_EVAL] {
        let recipe = Recipe {
            count: COUNT,
            starts: usual_starts(&game)?,
            plies: 4..=8,
            window: -most..=most,
            viewpoint: Viewpoint::Either,
            budget: Budget {
                nodes: Some(NODES.max(2 * card.initial().count_legal_moves() as u64)),
                ..Budget::default()
            },
            first_look: None,
            unrelated: true,
            seed: 1,
            most_candidates: 2_000,
        };
        let threads = available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let suite = generate(card, &recipe, threads, cancel, &make, |_, _| {});
        if suite.openings.len() > openings.len() {
            openings = suite.openings;
        }
        if openings.len() >= COUNT / 2 {
            break;
        }
    }
    if let 1..FEW = openings.len() {
        let found = count(openings.len() as u64, "opening was", "openings were");
        eprint(&format!(
            "warning: {found} found whose result is open, so that games soon repeat\n\
             help: write more positions into the file, or make them by `leitai openings generate \
             {}` with other `--plies`",
            card.name()
        ));
    }
    let lines = (1..).zip(&openings);
    let lines = lines.map(|(number, opening)| epd(opening, &format!("{number:03}")) + "\n");
    Ok((!openings.is_empty()).then(|| lines.collect()))
}
