//! A file format of the game: each line is the command `position` of USI with all moves of a game.

use leitai::card::{Begins, GameFormat};
use leitai::pgn::{NumberedLines, PgnGame, StatedGame, TextFormat};

/// The names of the format, and its detection in files.
pub(crate) const FORMS: [GameFormat; 1] = [GameFormat {
    name: "usi",
    title: "USI",
    manner: "in USI",
    about: "Games of Dobutsu shogi as `position startpos moves ...`",
    begins: Begins::Line(|line| line.starts_with(START)),
    is_usual: true,
}];

/// The functions that read and write it.
pub(crate) const FORMATS: [TextFormat; 1] = [TextFormat {
    form: &FORMS[0],
    read,
    write: Some(write),
    between: "",
}];

const START: &str = "position startpos moves";

fn read(lines: &mut NumberedLines<'_>) -> Option<StatedGame> {
    let (line, text) = lines.find(|(_, text)| !text.trim().is_empty())?;
    let mut game = StatedGame::default();
    game.line = line;
    if let Some(moves) = text.trim().strip_prefix(START) {
        let moves = moves.split_whitespace();
        game.moves = moves.map(|word| (line, word.to_owned())).collect();
    } else {
        let problem = format!("the line does not begin with `{START}`");
        game.problem = Some((line, problem, "remove the line".to_owned()));
    }
    Some(game)
}

fn write(game: &PgnGame) -> Option<String> {
    let is_usual = game.start.is_none();
    is_usual.then(|| format!("{START} {}", game.moves.join(" ")))
}
