//! Books of games: the first moves of each game form an opening.

use std::path::Path;

use anyhow::bail;

use super::Reader;
use crate::Failure;
use leitai_base::foreign::shown;
use leitai_game::card::GameChoice;
use leitai_players::interchange::pgn::{Game, PgnReader, RawGame};
use leitai_players::interchange::{Damage, Lines};
use leitai_players::schedule::{BadLine, Book, Keyed, Opening, Reading, check_start, in_order};

/// Number of games read before they are replayed on all processors.
const GAMES: usize = 1 << 13;

/// Returns whether a file contains games, by its name or its first line that is not a comment.
pub(super) fn is_pgn(file: &Path, bytes: &[u8]) -> bool {
    let ends = |extension: &std::ffi::OsStr| extension.eq_ignore_ascii_case("pgn");
    if file.extension().is_some_and(ends) {
        return true;
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let lines = bytes.split(|byte| matches!(byte, b'\n' | b'\r'));
    let mut lines = lines.map(<[u8]>::trim_ascii_start);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"%"));
    // A tag: `[Event "x"]`.
    first.is_some_and(|line| {
        let name = line.strip_prefix(b"[").unwrap_or_default();
        let letters = name.iter().take_while(|it| it.is_ascii_alphanumeric());
        let letters = letters.count();
        letters > 0 && name[letters..].trim_ascii_start().starts_with(b"\"")
    })
}

/// Reads the openings of a book of games, with at most the given number of plies each.
///
/// # Errors
/// A game belongs to another kind of game, or its moves are illegal, or there is no game.
pub(super) fn read(
    game: &GameChoice,
    bytes: &[u8],
    name: &str,
    plies: Option<usize>,
    reader: Reader<'_>,
) -> Result<Book, Failure> {
    let mut games = PgnReader::new(Lines::new(bytes, name), &reader.games.cards);
    let mut reading = Reading::default();
    let mut block: Vec<RawGame> = Vec::new();
    loop {
        let raw = games.next_game()?;
        let is_end = raw.is_none();
        if let Some(raw) = raw {
            refuse_other_game(game, &raw, name)?;
            block.push(raw);
        }
        if is_end || block.len() == GAMES {
            reading.take(in_order(&block, |raw| opening(game, raw, name, plies)));
            block.clear();
        }
        if is_end {
            break;
        }
    }
    for note in games.notes() {
        reader.listener.warn(note);
    }
    Ok(reading.book(name, "game")?)
}

/// Refuses a PGN game whose tags name another kind of game.
fn refuse_other_game(game: &GameChoice, raw: &RawGame, name: &str) -> Result<(), Failure> {
    let card = game.card;
    let other = match (raw.tags.game(), raw.tags.unknown_game()) {
        (Some(other), _) if other != card => other.name().to_owned(),
        (None, Some(other)) => shown(other).to_string(),
        _ => return Ok(()),
    };
    bail!(
        "`{name}`, line {}: the game is one of {other}, and the book must be of {card:?}\n\
         help: name a book of {card:?}, or correct the tags of the game",
        raw.line
    )
}

/// Reads the opening of a game, and its symmetric key.
fn opening(game: &GameChoice, raw: &RawGame, name: &str, plies: Option<usize>) -> Keyed {
    let bad = |line: u64, reason: String, text: String| BadLine {
        line: line as usize,
        text: text.into(),
        reason: format!("game {}: {reason}", raw.number).into(),
    };
    let read = Game::read_to(raw, name, game, plies.unwrap_or(usize::MAX));
    let played = read.map_err(|damage| {
        let Damage { line, ply, .. } = damage;
        let ply = ply.map_or_else(String::new, |ply| format!("ply {ply}: "));
        let problem = format!("{ply}{}", damage.problem.raw());
        bad(line, problem, damage.help.raw().to_owned())
    })?;
    let line = &played.play;
    let position = line.position();
    let read_back = || {
        game.card
            .read(&position.to_fen())
            .map_err(|error| error.reason)
    };
    let checked = check_start(position).and_then(|()| read_back().map(drop));
    checked.map_err(|reason| {
        let help = "`plies` under `[openings]` limits the number of first moves of a game";
        bad(raw.line, reason, help.to_owned())
    })?;
    let is_usual = line.start().equals(&*game.card.initial());
    let moves = is_usual.then(|| line.moves());
    let mut opening = Opening::new(position, "", raw.line as usize, moves);
    opening.fen_start = (!is_usual).then(|| Box::new((line.start().to_fen(), line.moves())));
    Ok((opening, position.symmetric_key()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn files_of_games_are_known_by_name_or_by_their_first_tag() {
        let is = |name: &str, text: &str| is_pgn(Path::new(name), text.as_bytes());
        assert!(is("a.pgn", "1. h2e2 h9g7"));
        assert!(is("b.PGN", ""));
        assert!(is("a.txt", "\u{feff}\n% x\n [Event \"x\"]\n"));
        assert!(!is("a.epd", "rnbakabnr/9 w - -; id \"x\";"));
        assert!(!is("a.txt", "[1, 2]"));
        assert!(!is("a.txt", "{\"problems\": []}"));
        assert!(!is("a", ""));
    }

    proptest! {
        #[test]
        fn no_game_panics(text in "[-a-h1-8KQRBNOx=+#.(){};$%\\[\\]\"\n ]{0,80}") {
            let games = crate::KnownGames::new(leitai_games::all());
            let reader = Reader { games: &games, listener: &crate::NullListener };
            let card = leitai_chess::card();
            let game = GameChoice::usual(card);
            let _ = read(&game, text.as_bytes(), "a.pgn", Some(6), reader);
        }

        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let _ = is_pgn(Path::new("a"), &bytes);
        }
    }
}
