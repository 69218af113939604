//! The games of a page, for its viewer.

use maud::html;
use serde::Serialize;

use super::boards::Boards;
use super::elements::{section, sentence};
use super::game_data::GameData;
use super::number::grouped;
use crate::game_selection::GameFilter;
use leitai_game::card::GameCard;
use leitai_interchange::pgn::Game;

/// Data for the viewer of a page.
#[derive(Debug, Serialize)]
pub struct Viewer {
    #[serde(flatten)]
    boards: Boards,
    players: Vec<String>,
    games: Vec<GameData>,
    #[serde(skip)]
    filter: GameFilter,
}

impl Viewer {
    /// A viewer without games. `None` for a game that has no board view.
    pub fn new(
        card: &'static dyn GameCard,
        players: Vec<String>,
        filter: GameFilter,
    ) -> Option<Self> {
        Some(Self {
            boards: Boards::new(card)?,
            players,
            games: Vec::new(),
            filter,
        })
    }

    /// Adds a game of the given pair, if it is selected.
    pub fn take(&mut self, game: &Game, pair: u64) {
        let sides = self.boards.card.facts().pgn.players;
        if self.filter.takes(game, sides) {
            let players = sides.map(|side| {
                let name = game.tags.get(side)?;
                self.players.iter().position(|player| player == name)
            });
            let shown = self.boards.add(game, pair, players);
            self.games.extend(shown);
        }
    }

    /// Returns whether the viewer is empty.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The viewer's section of the page, with the rule for its games.
    pub fn section(&self) -> String {
        let filter = &self.filter;
        if filter.seen == 0 {
            return String::new();
        }
        let (shown, all) = (self.games.len() as u64, filter.seen);
        let of = filter.of_players();
        let body = html! {
            p.hint {
                @if shown == all { "All " (grouped(all)) " games" (sentence(&of)) "." }
                @else {
                    (grouped(shown)) " of " (grouped(all)) " games" (sentence(&of)) ": "
                    (sentence(&filter.rule())) ". "
                    code { "--games all|lost|N" } " chooses others."
                }
            }
            div #viewer {}
            noscript { p { "Games are shown by a script of this page." } }
        };
        section("Games", &body).into_string()
    }
}
