//! A game in PGN at its end, in the format of fastchess: comments `{+0.31/12 0.102s, n=4711}`, and
//! the reason of the end after that of the last move.

use std::fmt::Write as _;

use super::columns::wrapped;
use super::games::{FAILURE_TAG, failure_tag, time_control, today};
use leitai_game::card::AnyPosition;
use leitai_game::eval::{Score, mate_plies};
use leitai_game::{Cause, Side};
use leitai_players::play::{GameRecord, PairRecord, Ply};
use leitai_runs::tournament::Plan;

/// Width of movetext in columns.
const WIDTH: usize = 80;

/// Settings for all games.
#[derive(Clone, Debug)]
pub struct LivePgn {
    /// The tag `Event`.
    pub event: String,
    /// The tag `Site`.
    pub site: String,
    /// The tag `Variant`, which implies the tag `FEN` in every game.
    pub variant: Option<&'static str>,
    /// Name of the notation.
    pub notation: &'static str,
    /// True if comments have nodes.
    pub nodes: bool,
    /// True if comments have nodes per second.
    pub nps: bool,
    /// True for nothing except the moves and the tags that the standard requires.
    pub min: bool,
}

impl LivePgn {
    /// The text of game 0 or 1 of a pair with its recorded end and the given `reason`; `own` is an
    /// additional tag. Ends with two line breaks.
    pub fn text(
        &self,
        plan: &Plan,
        (pair, number, game): (&PairRecord, usize, &GameRecord),
        reason: &str,
        own: (&str, &str),
    ) -> Option<String> {
        let start = plan.start(&plan.schedule.pair(pair.index))?;
        let players = [game.first, game.second];
        let variants = &plan.config.variants;
        let names = players.map(|player| variants.get(player).map_or("?", |it| it.name.as_str()));
        let mut text = String::new();
        let date = today();
        let round = (pair.index + 1).to_string();
        let result = game.verdict.result_text();
        let mut tags = vec![
            ("Event", self.event.as_str()),
            ("Site", &self.site),
            ("Date", date.as_deref().unwrap_or("????.??.??")),
            ("Round", &round),
            ("White", names[0]),
            ("Black", names[1]),
            ("Result", result),
        ];
        let fen = start.to_fen();
        if self.variant.is_some() || *start != *start.card().initial() {
            tags.extend([("SetUp", "1"), ("FEN", &fen)]);
        }
        tags.extend(self.variant.map(|variant| ("Variant", variant)));
        let plies = game.plies.len().to_string();
        let limits = plan.config.limits_by_variant();
        let control = |player: usize| {
            limits
                .get(player)
                .map_or_else(|| "?".to_owned(), time_control)
        };
        let controls = players.map(control);
        let failure = failure_tag(pair, number, true);
        if !self.min {
            tags.push(("PlyCount", &plies));
            tags.push(("Termination", termination(game.verdict.cause)));
            if controls[0] == controls[1] {
                tags.push(("TimeControl", &controls[0]));
            } else {
                tags.push(("WhiteTimeControl", &controls[0]));
                tags.push(("BlackTimeControl", &controls[1]));
            }
            tags.extend(failure.as_deref().map(|failure| (FAILURE_TAG, failure)));
        }
        tags.push(own);
        for (name, value) in tags {
            let _ = writeln!(text, "[{name} \"{}\"]", escaped(value));
        }
        text.push('\n');
        let mut words = self.moves(&*start, game, reason);
        words.push(result.to_owned());
        text += &wrapped(words.iter().map(String::as_str), WIDTH);
        text += "\n\n";
        Some(text)
    }

    /// The moves, each with its number and comment.
    fn moves(&self, start: &dyn AnyPosition, game: &GameRecord, reason: &str) -> Vec<String> {
        let style = &start.card().facts().pgn;
        let notation = style.notation(self.notation);
        let mut number = full_moves(start);
        let mut position = start.boxed();
        let mut words = Vec::new();
        for (place, ply) in game.plies.iter().enumerate() {
            let mut word = String::new();
            match position.side_to_move() {
                Side::First => drop(write!(word, "{number}. ")),
                Side::Second if place == 0 => drop(write!(word, "{number}... ")),
                Side::Second => {}
            }
            word.push_str(&position.written(ply.mv, notation));
            number += u64::from(position.side_to_move() == Side::Second);
            position.play(ply.mv);
            if !self.min {
                let micros = game.times.micros.get(place).copied();
                let mut comment = self.comment(ply, micros);
                if place + 1 == game.plies.len() {
                    let _ = write!(comment, ", {reason}");
                }
                let _ = write!(word, " {{{comment}}}");
            }
            words.push(word);
        }
        words
    }

    fn comment(&self, ply: &Ply, micros: Option<u32>) -> String {
        let score = ply.score.map(|score| score_text(score.into()));
        let mut comment = format!("{}/{}", score.unwrap_or_default(), ply.depth);
        if let Some(micros) = micros {
            let _ = write!(comment, " {:.3}s", f64::from(micros) / 1e6);
        }
        if self.nodes {
            let _ = write!(comment, ", n={}", ply.nodes);
        }
        if let Some(micros) = micros.filter(|&micros| self.nps && micros > 0) {
            let nps = f64::from(ply.nodes) / (f64::from(micros) / 1e6);
            let _ = write!(comment, ", nps={nps:.0}");
        }
        comment
    }
}

/// A score in the format of fastchess.
fn score_text(score: Score) -> String {
    let sign = match score {
        1.. => "+",
        0 => "",
        _ => "-",
    };
    match mate_plies(score) {
        // A mate is reached with the winner's own last ply; engines report moves, which are
        // converted as two plies each.
        Some(plies) if score > 0 && plies > 0 && plies % 2 == 0 => {
            format!("{sign}M{}", plies - 1)
        }
        Some(plies) => format!("{sign}M{plies}"),
        None => format!("{sign}{:.2}", f64::from(score.abs()) / 100.0),
    }
}

/// Number of the next move from a FEN of six fields; else 1.
fn full_moves(position: &dyn AnyPosition) -> u64 {
    let fen = position.to_fen();
    let number = fen.split(' ').nth(5).and_then(|number| number.parse().ok());
    number.unwrap_or(1)
}

fn termination(cause: Cause) -> &'static str {
    match cause {
        Cause::ResignAdjudication
        | Cause::DrawAdjudication
        | Cause::LengthAdjudication
        | Cause::TablebaseAdjudication => "adjudication",
        Cause::Crash | Cause::Disconnect | Cause::Stall => "abandoned",
        Cause::TimeForfeit => "time forfeit",
        Cause::IllegalMove | Cause::MalformedOutput => "illegal move",
        Cause::NodeOverrun => "rules infraction",
        _ => "normal",
    }
}

/// The value of a tag in one line.
fn escaped(value: &str) -> String {
    let mut text = String::new();
    for letter in value.chars() {
        match letter {
            '"' | '\\' => text.extend(['\\', letter]),
            _ if letter.is_control() => text.push(' '),
            _ => text.push(letter),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use leitai_game::eval::MATE;

    #[test]
    fn scores_are_written_as_there() {
        for (score, text) in [
            (31, "+0.31"),
            (-7, "-0.07"),
            (0, "0.00"),
            (1234, "+12.34"),
            // `score mate 1`, `2` and `-1` of an engine, and the plies of a search of ours.
            (MATE - 2, "+M1"),
            (MATE - 4, "+M3"),
            (2 - MATE, "-M2"),
            (MATE - 5, "+M5"),
        ] {
            assert_eq!(score_text(score), text);
        }
    }

    #[test]
    fn values_of_tags_are_one_line() {
        assert_eq!(escaped("a\"b\\c\nd"), "a\\\"b\\\\c d");
    }
}
