//! Games as a CSV table: a header, and one line per game.

use crate::csv::{line, or_empty, own, words};
use leitai_interchange::pgn::{Game, result_text};

/// The column names, without a line end.
pub const CSV_HEADER: &str = "file,game,line,variant,event,round,date,first,second,result,plies,\
                              verdict,cause,verdict_ply,agrees,fen,final_fen,score";

/// The line of a game with its end. Unknown values are empty.
pub fn csv_row(file: &str, game: &Game) -> String {
    let tag = |name: &str| words(game.tags.known(name).unwrap_or_default());
    let ([first, second], _) = game.tags.sides();
    line(&[
        words(file),
        own(game.number),
        or_empty(Some(game.line).filter(|line| *line > 0)),
        own(game.play.start().card().name()),
        tag("Event"),
        tag("Round"),
        tag("Date"),
        tag(first),
        tag(second),
        own(result_text(game.points)),
        own(game.play.len()),
        or_empty(game.verdict.map(|(_, verdict)| verdict.result_text())),
        or_empty(game.verdict.map(|(_, verdict)| verdict.cause)),
        or_empty(game.verdict.map(|(ply, _)| ply)),
        or_empty(game.agrees()),
        own(game.play.start().to_fen()),
        own(game.play.position().to_fen()),
        or_empty(game.margin()),
    ])
}
