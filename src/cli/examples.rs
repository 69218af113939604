//! Examples in help texts, of the games that there are.

use std::fmt::Write as _;

use super::games::games;
use super::program;

/// Examples of a command: those of each game, and for a game that gives none the usual
/// one, in which `GAME` stands for its name.
pub(super) fn examples(command: &str, usual: &str) -> String {
    let mut text = "Examples:".to_owned();
    for card in games().iter() {
        let own = card
            .facts()
            .examples
            .iter()
            .filter(|(of, _)| *of == command);
        let mut own: Vec<String> = own.map(|(_, words)| (*words).to_owned()).collect();
        if own.is_empty() && !usual.is_empty() {
            own.push(usual.replace("GAME", card.name()));
        }
        for words in own {
            // Writing to a string cannot fail.
            let _ = write!(text, "\n  {} {command} {words}", program::name());
        }
    }
    text
}
