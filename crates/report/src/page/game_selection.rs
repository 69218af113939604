//! Selection of the games on a run's page.

use std::str::FromStr;

use leitai_players::interchange::pgn::Game;

/// The games on a page. Pages of large runs stay small; the page mentions omitted games.
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
    pub(super) fn has_pair(self, pair: u64, pairs: u64) -> bool {
        let Self::Most(games) = self else { return true };
        let kept = (games / 2).max(1);
        // The pairs at which the number of kept ones increases.
        pairs <= kept || pair * kept / pairs != (pair + 1) * kept / pairs
    }

    /// Returns whether a game is shown. `side` is the side of the selected variant, if it plays;
    /// `shown` is the number of games shown so far.
    pub(super) fn has_game(self, game: &Game, side: Option<usize>, shown: u64) -> bool {
        match (self, side) {
            (Self::Lost, Some(side)) => {
                let lost = if side == 0 { 0 } else { 2 };
                shown < Self::DEFAULT && game.points == Some(lost)
            }
            (Self::Lost, None) => false,
            (Self::All | Self::Most(_), _) => true,
        }
    }

    /// The rule for the games on a page with omissions.
    pub(super) fn rule(self, of: &str) -> String {
        match self {
            Self::All => "all games".to_owned(),
            Self::Lost => format!("the games that {of} lost, at most {}", Self::DEFAULT),
            Self::Most(games) => {
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
