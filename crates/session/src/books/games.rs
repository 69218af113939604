//! Books of games: the first moves of each game form an opening.

use std::borrow::Cow;
use std::cell::Cell;
use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use anyhow::bail;

use crate::{Failure, Listener};
use leitai_base::count::count;
use leitai_base::foreign::shown;
use leitai_game::card::{AnyPosition, GameChoice, Games};
use leitai_interchange::pgn::{Game, PgnReader, RawGame};
use leitai_interchange::{Damage, GameReader, Lines};
use leitai_players::schedule::{BadLine, Opening, check_start};

/// Reads the openings of a book of games in PGN, with at most the given number of plies each. Passes
/// the results of `make` to `take`, in order; notes go to `listener`.
///
/// # Errors
/// A game belongs to another kind of game, or the file cannot be read.
pub(super) fn each_pgn<T: Send>(
    game: &GameChoice,
    lines: Lines<'_>,
    plies: Option<usize>,
    cards: &Games,
    listener: &dyn Listener,
    make: impl Fn(Cow<'_, Opening>, &dyn AnyPosition) -> T + Sync,
    mut take: impl FnMut(Result<T, BadLine>),
) -> Result<(), Failure> {
    let name = lines.name().to_owned();
    let mut games = PgnReader::new(lines, cards);
    let mut passed_over = 0;
    let most = plies.unwrap_or(usize::MAX);
    let read_game = |raw: &RawGame<'_>| {
        refuse_other_game(game, raw, &name)?;
        let read = Game::read_to(raw, &name, game, most);
        let words = read.as_ref().map_or(0, |game| game.unread.words);
        Ok((opening(read, &make), words))
    };
    let threads = available_parallelism().unwrap_or(NonZeroUsize::MIN);
    games.read(threads, read_game, |before, made: Result<_, Failure>| {
        let (read, words) = made?;
        passed_over += words;
        take(read.map_err(|bad| numbered(bad, before)));
        Ok::<_, Failure>(())
    })?;
    for note in games.notes() {
        listener.warn(note);
    }
    if passed_over > 0 {
        let words = count(passed_over, "word", "words");
        let are = if passed_over == 1 { "is" } else { "are" };
        listener.warn(format!(
            "{name}: {words} between moves that {are} no move: passed over"
        ));
    }
    Ok(())
}

/// Reads the openings of games in a form of their own, as [`each_pgn`] does. Sets `unit` to that of
/// their numbers.
///
/// # Errors
/// The file cannot be read.
pub(super) fn each_own<T>(
    game: &GameChoice,
    games: &mut dyn GameReader,
    plies: Option<usize>,
    unit: &Cell<&'static str>,
    make: impl Fn(Cow<'_, Opening>, &dyn AnyPosition) -> T,
    mut take: impl FnMut(Result<T, BadLine>),
) -> Result<(), Failure> {
    while let Some(read) = games.next_game(game.rules)? {
        let read = read.map(|mut game| {
            if game.line == 0 {
                // Files in binary formats have no lines.
                game.line = game.number;
                unit.set("game");
            }
            while plies.is_some_and(|most| game.play.len() > most) {
                game.play.undo();
            }
            game
        });
        take(opening(read, &make).map_err(|bad| numbered(bad, 0)));
    }
    Ok(())
}

/// Refuses a PGN game whose tags name another kind of game.
fn refuse_other_game(game: &GameChoice, raw: &RawGame<'_>, name: &str) -> Result<(), Failure> {
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

/// A game that is no opening.
struct BadGame {
    number: u64,
    line: u64,
    reason: String,
    help: String,
}

/// The bad line of a game, with the number of games before its block.
fn numbered(bad: BadGame, before: u64) -> BadLine {
    BadLine {
        line: bad.line as usize,
        text: bad.help.into(),
        reason: format!("game {}: {}", before + bad.number, bad.reason).into(),
    }
}

/// The result of `make` for the opening of a game.
fn opening<T>(
    read: Result<Game, Damage>,
    make: &impl Fn(Cow<'_, Opening>, &dyn AnyPosition) -> T,
) -> Result<T, BadGame> {
    let played = read.map_err(|damage| {
        let ply = damage.ply.map(|ply| format!("ply {ply}: "));
        BadGame {
            number: damage.game.unwrap_or_default(),
            line: damage.line,
            reason: format!("{}{}", ply.unwrap_or_default(), damage.problem.raw()),
            help: damage.help.raw().to_owned(),
        }
    })?;
    let line = &played.play;
    let (position, card) = (line.position(), line.start().card());
    let read_back = || card.read(&position.to_fen()).map_err(|error| error.reason);
    let checked = check_start(position).and_then(|()| read_back().map(drop));
    checked.map_err(|reason| BadGame {
        number: played.number,
        line: played.line,
        reason,
        help: "`plies` under `[openings]` limits the number of first moves of a game".to_owned(),
    })?;
    let is_usual = line.start().equals(&*card.initial());
    let moves = is_usual.then(|| line.moves());
    let mut opening = Opening::new(position, "", played.line as usize, moves);
    opening.fen_start = (!is_usual).then(|| Box::new((line.start().to_fen(), line.moves())));
    Ok(make(Cow::Owned(opening), position))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_game_panics(text in "[-a-h1-8KQRBNOx=+#.(){};$%\\[\\]\"\n ]{0,80}") {
            let game = GameChoice::usual(leitai_chess::card());
            let lines = Lines::new(text.as_bytes(), "a.pgn");
            let games = leitai_games::all();
            let _ = each_pgn(&game, lines, Some(6), &games, &crate::NullListener, |_, _| (), drop);
        }
    }
}
