//! Examples in help texts, for all games.

use std::fmt::Write as _;

use super::games::games;
use super::program;

/// The most examples of the `usual` kind in one text.
const MOST: usize = 4;

/// The examples of a command: those of each game, or the `usual` one with `GAME` replaced by the
/// name of a game that has none, for some of the games.
pub(super) fn examples(command: &str, usual: &str) -> String {
    let mut text = "Examples:".to_owned();
    for card in games().iter() {
        let own = card
            .facts()
            .examples
            .iter()
            .filter(|(of, _)| *of == command);
        let mut own: Vec<String> = own.map(|(_, words)| (*words).to_owned()).collect();
        if own.is_empty() && !usual.is_empty() && text.lines().count() <= MOST {
            own.push(usual.replace("GAME", card.name()));
        }
        for words in own {
            // Writing to a string cannot fail.
            let _ = write!(text, "\n  {} {command} {words}", program::name());
        }
    }
    text
}
