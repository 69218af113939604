//! Selection of a run's games, for its page or as PGN.

use std::str::FromStr;

use thiserror::Error;

use leitai_base::count::quoted;
use leitai_interchange::pgn::Game;
use leitai_runs::tournament::Plan;

/// The games by number and result. Pages of large runs stay small; the page mentions omitted games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameSelection {
    /// All games.
    All,
    /// Games lost by the first variant of the config (in a gate: by a candidate), at most
    /// [`GameSelection::DEFAULT`].
    Lost,
    /// At most this number, as whole pairs spread evenly over the run.
    Most(u64),
}

impl GameSelection {
    /// Default number of games on a page.
    pub const DEFAULT: u64 = 1000;

    /// Returns whether the games of a pair are shown, out of `pairs`.
    fn has_pair(self, pair: u64, pairs: u64) -> bool {
        let Self::Most(games) = self else { return true };
        let kept = (games / 2).max(1);
        // The pairs at which the number of kept ones increases.
        pairs <= kept || pair * kept / pairs != (pair + 1) * kept / pairs
    }

    /// Returns whether a game is shown. `side` is the side of the selected player, if it plays;
    /// `shown` is the number of games shown so far.
    fn has_game(self, game: &Game, side: Option<usize>, shown: u64) -> bool {
        match (self, side) {
            (Self::Lost, Some(side)) => {
                let lost = if side == 0 { 0 } else { 2 };
                shown < Self::DEFAULT && game.points == Some(lost)
            }
            (Self::Lost, None) => false,
            (Self::All | Self::Most(_), _) => true,
        }
    }
}

/// Players of whom no games can be selected.
#[derive(Debug, Error)]
pub enum PlayersError {
    /// The run has no such variant.
    #[error("no variant of the run is called `{0}`\nhelp: its variants are {1}")]
    Unknown(String, String),
    /// The players do not meet.
    #[error(
        "the run has no games{0}\nhelp: `--player` chooses another player than the first variant \
         or the candidates of a gate"
    )]
    NoGames(String),
}

/// The index of a player among the names of the variants.
///
/// # Errors
/// No variant has this name.
pub fn find_player(names: &[String], name: &str) -> Result<usize, PlayersError> {
    let found = names.iter().position(|it| it == name);
    found.ok_or_else(|| PlayersError::Unknown(name.to_owned(), quoted(names)))
}

/// Selects games of a run one by one, in schedule order.
#[derive(Clone, Debug)]
pub struct GameFilter {
    selection: GameSelection,
    names: Vec<String>,
    /// The variants whose lost games can be selected.
    players: Vec<usize>,
    against: Option<usize>,
    /// True if only games of `players` are selected.
    is_narrow: bool,
    /// Number of pairs to select from.
    pairs: u64,
    /// Games that were selected from.
    pub(crate) seen: u64,
    /// Games that were selected.
    pub(crate) selected: u64,
}

impl GameFilter {
    /// Selects among the games of a player (by default the first variant or the candidates of a
    /// gate) against another; with neither, among all games.
    ///
    /// # Errors
    /// The run has no such games.
    pub fn new(
        plan: &Plan,
        selection: GameSelection,
        [player, against]: [Option<&str>; 2],
    ) -> Result<Self, PlayersError> {
        let config = &plan.config;
        let names: Vec<String> = config.variants.iter().map(|it| it.name.clone()).collect();
        let find = |name: &str| find_player(&names, name);
        let usual = || config.gate.as_ref().map(|gate| gate.candidates.clone());
        let filter = Self {
            players: match player {
                Some(name) => vec![find(name)?],
                None => usual().unwrap_or_else(|| vec![0]),
            },
            against: against.map(find).transpose()?,
            is_narrow: player.is_some() || against.is_some(),
            selection,
            names,
            pairs: 0,
            seen: 0,
            selected: 0,
        };
        let mut pairings = plan.schedule.pairings().iter();
        let has_games = pairings.any(|players| filter.has_players(players.map(Some)));
        if has_games {
            Ok(filter)
        } else {
            Err(PlayersError::NoGames(filter.of_players()))
        }
    }

    /// Starts at the first of the `played` pairs of a run.
    pub(crate) fn start(&mut self, plan: &Plan, played: u64) {
        let pairs = (0..played).map(|index| plan.schedule.pair(index).variants);
        let pairs = pairs.filter(|players| self.has_players(players.map(Some)));
        self.pairs = pairs.count() as u64;
    }

    /// Returns whether the next game is selected.
    pub(crate) fn takes(&mut self, game: &Game, sides: [&str; 2]) -> bool {
        let players = sides.map(|side| {
            let name = game.tags.get(side)?;
            self.names.iter().position(|it| it == name)
        });
        if !self.has_players(players) {
            return false;
        }
        // Two consecutive games are a pair, even after omitted ones.
        let pair = self.seen / 2;
        self.seen += 1;
        let (selection, side) = (self.selection, self.side(players));
        let is_selected =
            selection.has_pair(pair, self.pairs) && selection.has_game(game, side, self.selected);
        self.selected += u64::from(is_selected);
        is_selected
    }

    fn has_players(&self, players: [Option<usize>; 2]) -> bool {
        !self.is_narrow || self.side(players).is_some()
    }

    /// The side of a selected player against the selected opponent.
    fn side(&self, players: [Option<usize>; 2]) -> Option<usize> {
        (0..2).find(|&side| {
            players[side].is_some_and(|player| self.players.contains(&player))
                && (self.against.is_none() || players[1 - side] == self.against)
        })
    }

    fn player_names(&self) -> String {
        quoted(self.players.iter().filter_map(|&it| self.names.get(it)))
    }

    /// The players of the games, as ` of ... against ...`; empty if all games are selected from.
    pub(crate) fn of_players(&self) -> String {
        let against = self.against.and_then(|it| self.names.get(it));
        let against = against.map_or_else(String::new, |name| format!(" against `{name}`"));
        let of = || format!(" of {}{against}", self.player_names());
        self.is_narrow.then(of).unwrap_or_default()
    }

    /// The rule for the games on a page with omissions.
    pub(crate) fn rule(&self) -> String {
        match self.selection {
            GameSelection::All => "all games".to_owned(),
            GameSelection::Lost => format!(
                "the games that {} lost, at most {}",
                self.player_names(),
                GameSelection::DEFAULT
            ),
            GameSelection::Most(games) => {
                format!("{games} games at most, as pairs spread evenly over the run")
            }
        }
    }
}

impl Default for GameSelection {
    fn default() -> Self {
        Self::Most(Self::DEFAULT)
    }
}

impl FromStr for GameSelection {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "all" => Ok(Self::All),
            "lost" => Ok(Self::Lost),
            number => match number.parse() {
                Ok(games) => Ok(Self::Most(games)),
                Err(_) => Err("`all`, `lost` or a number of games".to_owned()),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn pairs_are_spread_evenly(games in 0u64..400, pairs in 1u64..2000) {
            let shown: Vec<u64> = (0..pairs)
                .filter(|&pair| GameSelection::Most(games).has_pair(pair, pairs))
                .collect();
            let kept = (games / 2).max(1).min(pairs);
            prop_assert_eq!(shown.len() as u64, kept);
            let gaps = shown.windows(2).map(|two| two[1] - two[0]);
            let (least, most) = (pairs / kept, pairs.div_ceil(kept));
            prop_assert!(gaps.into_iter().all(|gap| gap >= least && gap <= most));
        }
    }

    #[test]
    fn words_of_the_command_line_are_read() {
        assert_eq!("all".parse(), Ok(GameSelection::All));
        assert_eq!("lost".parse(), Ok(GameSelection::Lost));
        assert_eq!("12".parse(), Ok(GameSelection::Most(12)));
        assert!("some".parse::<GameSelection>().is_err());
    }
}
