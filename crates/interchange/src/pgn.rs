//! Games in PGN, one at a time.
//!
//! [`PgnReader`] finds raw games of any kind: tags, words, a result. [`Game`] is a replayed game:
//! all of its moves are legal.

mod comments;
mod game;
mod lexer;
mod raw;
mod reader;
mod result;
mod searched;
mod text;
mod write;

pub use comments::ParsedComment;
pub use game::{Game, ResultDoubt, Unread, UnreadScore};
pub use leitai_game::card::Tags;
pub use raw::RawGame;
pub use reader::{PgnReader, Tally};
pub use result::{half_points, result_text};
pub use searched::MoveComment;
pub use text::pgn_text;
pub use write::{PgnEnding, PgnGame, PgnPlayer, PgnTags};

use crate::moves::{in_any_dialect, play_word};
use leitai_game::card::AnyPosition;

/// The moves in a text without tags, as words of the game's own notation: numbers, comments,
/// variations and remarks are left out, and words of another dialect are rewritten if all of them
/// can be played from `start`.
pub fn movetext(start: &dyn AnyPosition, text: &str) -> Vec<String> {
    let mut game = RawGame::default();
    let mut lexer = lexer::Lexer::new(text, 1, lexer::TextEnd::Whole);
    let mut words: Vec<String> = Vec::new();
    while lexer.next(&mut game) {
        let all = game.words.iter().map(|(_, word)| *word);
        let is_pass = |word: &str| word.eq_ignore_ascii_case(start.card().facts().pass);
        let moves = all.filter(|word| !lexer::is_annotation(word) || is_pass(word));
        words.extend(moves.map(|word| game::with_ascii_signs(word).into_owned()));
    }
    let own = in_any_dialect(start.card(), |dialect| {
        let mut line = start.card().line(start);
        let rewritten = |word: &String| dialect.and_then(|dialect| dialect(word));
        let own = words
            .iter()
            .map(|word| rewritten(word).unwrap_or_else(|| word.clone()));
        let own: Vec<String> = own.collect();
        let mut played = own.iter().map(|word| play_word(&mut *line, word, None));
        let are_played = played.all(|moves| moves.is_ok_and(|moves| moves > 0));
        if are_played { Ok(own) } else { Err(()) }
    });
    own.unwrap_or(words)
}

/// Prefix of the `Event` of our own games.
pub const OWN_EVENT: &str = "leitai ";

/// The tag with the opening that represents the game's cluster.
pub const CLUSTER_TAG: &str = "Cluster";

/// The tag with the kind of a run whose length depends on its results; its value is [`GATE`].
pub const RUN_TAG: &str = "Run";
/// The value of [`RUN_TAG`] for games of a gate.
pub const GATE: &str = "gate";

/// The tag of a game that is not part of its run's results; its value is the limit that the game
/// exceeds.
pub const BEYOND_TAG: &str = "Beyond";

/// Data of a game that a rating needs in addition to its opening: the opening that represents its
/// cluster, whether it belongs to a gate, and, for a game that does not count, the limit that it
/// exceeds.
pub fn own_tags<'a>(
    cluster: Option<&'a str>,
    is_gate: bool,
    beyond: Option<&'static str>,
) -> impl Iterator<Item = (&'static str, &'a str)> + Clone {
    let cluster = cluster.map(|cluster| (CLUSTER_TAG, cluster));
    let of_gate = is_gate.then_some((RUN_TAG, GATE));
    let beyond = beyond.map(|beyond| (BEYOND_TAG, beyond));
    cluster.into_iter().chain(of_gate).chain(beyond)
}

/// The `Event` of the games of the run with the given ID.
pub fn event_of(run: &str) -> String {
    format!("{OWN_EVENT}{}", run.get(..12).unwrap_or(run))
}

/// The `Round` of game 0 or 1 of the pair with the given index.
pub fn round_of(pair: u64, game: usize) -> String {
    format!("{}.{}", pair + 1, game + 1)
}
