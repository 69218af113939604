//! Games as a table: a header, and a line for each.

use super::json::result_text;
use crate::game::Position;
use crate::interchange::pgn::Game;
use crate::report::csv::field;

/// The columns: names, without a line end.
pub const CSV_HEADER: &str = "file,game,line,variant,event,round,date,first,second,result,plies,\
                              verdict,cause,verdict_ply,agrees,fen,final_fen,score";

/// The line of a game, without its end. What is not known is empty; fields are
/// quoted as in RFC 4180.
pub fn csv_row<P: Position>(file: &str, game: &Game<P>) -> String {
    let tag = |name: &str| game.tags.known(name).unwrap_or_default().to_owned();
    let ([first, second], _) = game.tags.sides();
    let verdict = game.verdict.map(|(ply, verdict)| {
        let (result, cause) = (verdict.result_text(), verdict.cause.name());
        [result.to_owned(), cause.to_owned(), ply.to_string()]
    });
    let [verdict, cause, verdict_ply] = verdict.unwrap_or_default();
    let fields = [
        file.to_owned(),
        game.number.to_string(),
        if game.line > 0 {
            game.line.to_string()
        } else {
            String::new()
        },
        P::NAME.to_owned(),
        tag("Event"),
        tag("Round"),
        tag("Date"),
        tag(first),
        tag(second),
        result_text(game.points).to_owned(),
        game.play.len().to_string(),
        verdict,
        cause,
        verdict_ply,
        game.agrees()
            .map(|agrees| agrees.to_string())
            .unwrap_or_default(),
        game.play.start().to_fen(),
        game.play.position().to_fen(),
        game.margin()
            .map(|margin| margin.to_string())
            .unwrap_or_default(),
    ];
    let fields: Vec<String> = fields.iter().map(|text| field(text)).collect();
    fields.join(",")
}
