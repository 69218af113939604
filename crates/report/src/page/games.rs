//! The games of a page, for its viewer.

use maud::html;
use serde::Serialize;

use super::boards::Boards;
use super::elements::{section, sentence};
use super::game_data::GameData;
use super::game_selection::GameSelection;
use super::number::grouped;
use leitai_game::card::GameCard;
use leitai_players::interchange::pgn::Game;

/// Data for the viewer of a page.
#[derive(Debug, Serialize)]
pub struct Viewer {
    #[serde(flatten)]
    boards: Boards,
    players: Vec<String>,
    games: Vec<GameData>,
    #[serde(skip)]
    selection: GameSelection,
    /// Numbers of the players side lost games the user may select.
    #[serde(skip)]
    selectable: Vec<usize>,
    /// The number of recorded games, shown or not.
    #[serde(skip)]
    recorded: u64,
}

impl Viewer {
    /// A viewer without games; `selectable` are the players side lost games the user may select.
    /// `None` for a game that has no board view.
    pub fn new(
        card: &'static dyn GameCard,
        players: Vec<String>,
        selection: GameSelection,
        selectable: Vec<usize>,
    ) -> Option<Self> {
        Some(Self {
            boards: Boards::new(card)?,
            players,
            games: Vec::new(),
            selection,
            selectable,
            recorded: 0,
        })
    }

    /// Adds a game of the given pair; `pairs` is the number of pairs of the run.
    pub fn take(&mut self, game: &Game, pair: u64, pairs: u64) {
        self.recorded += 1;
        let style = &self.boards.card.facts().pgn;
        let players = style.players.map(|side| {
            let name = game.tags.get(side)?;
            self.players.iter().position(|player| player == name)
        });
        let side = players
            .iter()
            .position(|it| it.is_some_and(|player| self.selectable.contains(&player)));
        if self.selection.has_pair(pair, pairs)
            && self.selection.has_game(game, side, self.games.len() as u64)
        {
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
        if self.recorded == 0 {
            return String::new();
        }
        let (shown, all) = (self.games.len() as u64, self.recorded);
        let names = self.selectable.iter();
        let names = names.filter_map(|&it| self.players.get(it));
        let rule = self.selection.rule(&leitai_base::count::quoted(names));
        let body = html! {
            p.hint {
                @if shown == all { "All " (grouped(all)) " games." }
                @else {
                    (grouped(shown)) " of " (grouped(all)) " games: " (sentence(&rule)) ". "
                    code { "--games all|lost|N" } " chooses others."
                }
            }
            div #viewer {}
            noscript { p { "Games are shown by a script of this page." } }
        };
        section("Games", &body).into_string()
    }
}
