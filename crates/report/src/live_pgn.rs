//! A game in PGN at its end, in the format of fastchess: comments `{+0.31/12 0.102s, n=4711}`, and
//! the reason of the end after that of the last move.

use std::time::{Duration, UNIX_EPOCH};

use super::columns::wrapped;
use super::games::{FAILURE_TAG, failure_tag, time_control, today, utc};
use super::opening_names::{OpeningName, OpeningNames};
use leitai_game::card::AnyPosition;
use leitai_game::eval::{Score, mate_plies};
use leitai_game::{Cause, Move, Side};
use leitai_players::play::{GameRecord, MoveReport, PairRecord, UNREPORTED};
use leitai_runs::tournament::Plan;

/// Width of movetext in columns.
const WIDTH: usize = 80;

/// Settings for all games.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "parts of comments")]
pub struct LivePgn {
    /// The tag `Event`.
    pub event: String,
    /// The tag `Site`.
    pub site: String,
    /// The tag `Variant`, which implies the tag `FEN` in every game.
    pub variant: Option<&'static str>,
    /// Name of the notation.
    pub notation: &'static str,
    /// True if games begin with the moves of their opening, where these are known.
    pub book: bool,
    /// True if comments have nodes.
    pub nodes: bool,
    /// True if comments have nodes per second.
    pub nps: bool,
    /// True if comments have the selective depth.
    pub seldepth: bool,
    /// True if comments have the fill of the hash table in parts of a thousand.
    pub hashfull: bool,
    /// True if comments have the number of positions found in endgame tables.
    pub tbhits: bool,
    /// True if comments have the clock after the move.
    pub timeleft: bool,
    /// True if comments have the measured time minus the time that the player reported.
    pub latency: bool,
    /// True if comments have the principal variation.
    pub pv: bool,
    /// True for nothing except the moves and the tags that the standard requires.
    pub min: bool,
}

/// A game at its end.
#[derive(Clone, Copy, Debug)]
pub struct EndedGame<'a> {
    /// Its pair.
    pub pair: &'a PairRecord,
    /// Its number in the pair, 0 or 1.
    pub number: usize,
    /// The game.
    pub game: &'a GameRecord,
    /// The position before the first move of its players.
    pub start: &'a dyn AnyPosition,
    /// The reason for its end.
    pub reason: &'a str,
    /// The illegal move that lost it.
    pub illegal: Option<&'a str>,
    /// An additional tag.
    pub own: (&'a str, &'a str),
}

impl LivePgn {
    /// Returns whether a comment has data of a player's `info` line that the record keeps only on
    /// request.
    pub fn needs_info(&self) -> bool {
        !self.min && (self.nps || self.seldepth || self.hashfull || self.tbhits || self.pv)
    }

    /// The text of a game. Ends with two line breaks.
    pub fn text(&self, plan: &Plan, ended: &EndedGame<'_>) -> String {
        let EndedGame {
            pair, number, game, ..
        } = *ended;
        let opening = plan.schedule.pair(pair.index).opening;
        let of_book = self.book.then(|| plan.book.opening(opening).ok()).flatten();
        let fen = ended.start.to_fen();
        let of_book = of_book.filter(|it| it.fen() == fen);
        let of_book = of_book.as_ref().and_then(|it| it.book_game());
        let (start, book, fen) = match &of_book {
            Some((start, book)) => (&**start, *book, start.to_fen()),
            None => (ended.start, &[][..], fen),
        };
        let (words, named) = self.moves(start, book, ended);
        let players = [game.first, game.second];
        let variants = &plan.config.variants;
        let names = players.map(|player| variants.get(player).map_or("?", |it| it.name.as_str()));
        let mut text = String::new();
        let date = today();
        let round = (pair.index + 1).to_string();
        let result = game.verdict.result_text();
        let sides = plan.config.game.card.facts().pgn.players;
        let mut tags = vec![
            ("Event", self.event.as_str()),
            ("Site", &self.site),
            ("Date", date.as_deref().unwrap_or("????.??.??")),
            ("Round", &round),
            (sides[0], names[0]),
            (sides[1], names[1]),
            ("Result", result),
        ];
        if !self.min {
            for (player, [name, author]) in players.into_iter().zip(ENGINE_TAGS) {
                let program = variants.get(player).and_then(|it| it.program.as_ref());
                if let Some(found) = program.and_then(|program| program.found.as_ref()) {
                    let both = [(name, found.name.as_str()), (author, &found.author)];
                    tags.extend(both.into_iter().filter(|(_, value)| !value.is_empty()));
                }
            }
        }
        let fen = if self.variant.is_some() {
            with_rook_files(&fen)
        } else {
            fen
        };
        if self.variant.is_some() || *start != *start.card().initial() {
            tags.extend([("SetUp", "1"), ("FEN", &fen)]);
        }
        tags.extend(self.variant.map(|variant| ("Variant", variant)));
        let plies = (book.len() + game.plies.len()).to_string();
        let limits = plan.config.limits_by_variant();
        let control = |player: usize| {
            limits
                .get(player)
                .map_or_else(|| "?".to_owned(), time_control)
        };
        let controls = players.map(control);
        let failure = failure_tag(pair, number, true);
        let times = Times::of(game);
        if !self.min {
            if let Some(times) = &times {
                tags.extend([
                    ("GameDuration", times.duration.as_str()),
                    ("GameStartTime", &times.start),
                    ("GameEndTime", &times.end),
                ]);
            }
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
        if let Some([code, name]) = named.filter(|_| !self.min && self.variant.is_none()) {
            tags.extend([("ECO", code), ("Opening", name)]);
        }
        tags.push(ended.own);
        for (name, value) in tags {
            text.extend(["[", name, " \"", &escaped(value), "\"]\n"]);
        }
        text.push('\n');
        text += &wrapped(words.iter().chain([result]), WIDTH);
        text += "\n\n";
        text
    }

    /// The moves, each with its number and comment: first those of the book. Also returns the name
    /// of the last position that has one.
    fn moves(
        &self,
        start: &dyn AnyPosition,
        book: &[Move],
        ended: &EndedGame<'_>,
    ) -> (Words, Option<OpeningName>) {
        let game = ended.game;
        let style = &start.card().facts().pgn;
        let notation = style.notation(self.notation);
        let names = OpeningNames::of(start.card());
        let mut number = u64::from(start.first_number());
        let mut position = start.boxed();
        let mut named = names.at(position.key());
        let mut words = Words::default();
        let text = &mut words.text;
        let played = game.plies.iter().map(|ply| ply.mv);
        for (place, mv) in book.iter().copied().chain(played).enumerate() {
            let side = position.side_to_move();
            if side == Side::First || place == 0 {
                add_number(text, number);
                text.push_str(if side == Side::First { ". " } else { "... " });
            }
            text.push_str(&position.written(mv, notation));
            number += u64::from(side == Side::Second);
            position.play(mv);
            named = names.at(position.key()).or(named);
            match place.checked_sub(book.len()) {
                _ if self.min => {}
                None => text.push_str(" {book}"),
                Some(place) => {
                    text.push_str(" {");
                    self.add_comment(text, game, place);
                    if place + 1 == game.plies.len() {
                        text.push_str(", ");
                        ended.add_reason(text);
                    }
                    text.push('}');
                }
            }
            words.ends.push(text.len());
        }
        if game.plies.is_empty() && !self.min {
            text.push('{');
            ended.add_reason(text);
            text.push('}');
            words.ends.push(text.len());
        }
        (words, named)
    }

    /// Adds the comment on the move of that number, from 0.
    fn add_comment(&self, text: &mut String, game: &GameRecord, place: usize) {
        let (ply, times) = (&game.plies[place], &game.times);
        if let Some(score) = ply.score {
            add_score(text, score.into());
        }
        text.push('/');
        add_number(text, ply.depth.into());
        let micros = times.micros.get(place).copied();
        if let Some(micros) = micros {
            text.push(' ');
            add_seconds(text, micros.into());
        }
        let usual = MoveReport::default();
        let report = times.reports.get(place).unwrap_or(&usual);
        if self.timeleft {
            let left = report.left.unwrap_or_default();
            text.push_str(", tl=");
            add_seconds(text, left.saturating_mul(1_000));
        }
        if self.latency {
            let reported = times.reported.get(place).filter(|&&it| it != UNREPORTED);
            let reported = reported.copied().unwrap_or_default();
            text.push_str(", latency=");
            add_seconds(
                text,
                i64::from(micros.unwrap_or_default()) - i64::from(reported),
            );
        }
        if self.nodes {
            text.push_str(", n=");
            add_number(text, ply.nodes.into());
        }
        for (is_shown, name, key) in [
            (self.seldepth, "sd", "seldepth"),
            (self.nps, "nps", "nps"),
            (self.hashfull, "hashfull", "hashfull"),
            (self.tbhits, "tbhits", "tbhits"),
        ] {
            if is_shown {
                let value = number_after(&report.info, key).unwrap_or("0");
                text.extend([", ", name, "=", value]);
            }
        }
        if self.pv {
            text.extend([", pv=\"", &variation(&report.info), "\""]);
        }
        for line in report.lines.iter().filter(|line| !line.is_empty()) {
            // A brace would end the comment.
            let line = line.replace(['{', '}'], " ");
            text.extend([", line=\"", &line, "\""]);
        }
    }
}

impl EndedGame<'_> {
    fn add_reason(&self, text: &mut String) {
        text.push_str(self.reason);
        if let Some(illegal) = self.illegal {
            text.extend([": ", illegal]);
        }
    }
}

/// Words in one text.
#[derive(Default)]
struct Words {
    text: String,
    /// The end of each word in bytes.
    ends: Vec<usize>,
}

impl Words {
    fn iter(&self) -> impl Iterator<Item = &str> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts
            .zip(&self.ends)
            .map(|(start, &end)| &self.text[start..end])
    }
}

/// The tags for the name and the author of White's engine, and of Black's.
const ENGINE_TAGS: [[&str; 2]; 2] = [
    ["EngineWhiteName", "EngineWhiteAuthor"],
    ["EngineBlackName", "EngineBlackAuthor"],
];

/// Start, end and duration of a game, as in fastchess: `2026-11-29T14:50:44 +0000` and `00:01:02`.
struct Times {
    start: String,
    end: String,
    duration: String,
}

impl Times {
    /// The times of a game; `None` if the record does not have them.
    fn of(game: &GameRecord) -> Option<Self> {
        let moves = &game.times.reports;
        let at = |report: &MoveReport| Some(UNIX_EPOCH + Duration::from_millis(report.at?));
        let (first, last) = (at(moves.first()?)?, at(moves.last()?)?);
        let micros = game.times.micros.first().copied().unwrap_or_default();
        let start = first.checked_sub(Duration::from_micros(micros.into()))?;
        let seconds = last.duration_since(start).unwrap_or_default().as_secs();
        let text = |time| Some(utc(time)?.replace('Z', " +0000"));
        Some(Self {
            start: text(start)?,
            end: text(last)?,
            duration: format!(
                "{:02}:{:02}:{:02}",
                seconds / 3_600,
                seconds / 60 % 60,
                seconds % 60
            ),
        })
    }
}

fn add_number(text: &mut String, number: u64) {
    text.push_str(itoa::Buffer::new().format(number));
}

/// Adds `number` / 10^`digits` with `digits` decimals.
fn add_decimal(text: &mut String, number: u64, digits: u32) {
    let unit = 10_u64.pow(digits);
    add_number(text, number / unit);
    let part = number % unit;
    text.push('.');
    for place in (1..digits).rev() {
        if part < 10_u64.pow(place) {
            text.push('0');
        }
    }
    add_number(text, part);
}

/// Adds microseconds as seconds.
fn add_seconds(text: &mut String, micros: i64) {
    if micros < 0 {
        text.push('-');
    }
    add_decimal(text, micros.unsigned_abs().saturating_add(500) / 1_000, 3);
    text.push('s');
}

/// The number after a keyword of an `info` line, before its principal variation and its free text.
fn number_after<'l>(line: &'l str, key: &str) -> Option<&'l str> {
    let mut words = line.split_whitespace();
    let words = words
        .by_ref()
        .take_while(|word| !["pv", "string"].contains(word));
    let mut words = words.skip_while(|word| *word != key).skip(1);
    words.next().filter(|word| word.parse::<u64>().is_ok())
}

/// The moves of the principal variation of an `info` line.
fn variation(line: &str) -> String {
    let words = line
        .split_whitespace()
        .skip_while(|word| *word != "pv")
        .skip(1);
    let is_move = |word: &&str| word.bytes().any(|byte| byte.is_ascii_digit());
    words.take_while(is_move).collect::<Vec<_>>().join(" ")
}

/// Adds a score in the format of fastchess.
fn add_score(text: &mut String, score: Score) {
    text.push_str(match score {
        1.. => "+",
        0 => "",
        _ => "-",
    });
    match mate_plies(score) {
        // A mate is reached with the winner's own last ply; engines report moves, which are
        // converted as two plies each.
        Some(plies) if score > 0 && plies > 0 && plies % 2 == 0 => {
            text.push('M');
            add_number(text, u64::from(plies) - 1);
        }
        Some(plies) => {
            text.push('M');
            add_number(text, plies.into());
        }
        None => add_decimal(text, score.unsigned_abs().into(), 2),
    }
}

/// A FEN of Chess960 whose castling rights are the files of the rooks (Shredder-FEN), instead of
/// `KQkq` for the outermost rook on that side of the king.
fn with_rook_files(fen: &str) -> String {
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    let [board, _, rights, ..] = fields.as_slice() else {
        return fen.to_owned();
    };
    let file = |right: char| -> Option<char> {
        let is_black = right.is_ascii_lowercase();
        let rank = board.split('/').nth(if is_black { 0 } else { 7 })?;
        let squares = rank.chars().flat_map(|letter| match letter.to_digit(10) {
            Some(empty) => vec![' '; empty as usize],
            None => vec![letter],
        });
        let squares: Vec<char> = squares.collect();
        let [king, rook] = if is_black { ['k', 'r'] } else { ['K', 'R'] };
        let king = squares.iter().position(|it| *it == king)?;
        let is_rook = |it: &char| *it == rook;
        let file = match right.to_ascii_lowercase() {
            'k' => squares
                .iter()
                .rposition(is_rook)
                .filter(|rook| *rook > king),
            'q' => squares.iter().position(is_rook).filter(|rook| *rook < king),
            _ => None,
        }?;
        let first = if is_black { b'a' } else { b'A' };
        Some(char::from(first + file as u8))
    };
    fields[2] = rights
        .chars()
        .map(|right| file(right).unwrap_or(right))
        .collect();
    fields.join(" ")
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
            let mut written = String::new();
            add_score(&mut written, score);
            assert_eq!(written, text);
        }
    }

    #[test]
    fn times_are_seconds_rounded_to_thousandths() {
        for (micros, text) in [
            (0, "0.000s"),
            (499, "0.000s"),
            (500, "0.001s"),
            (61_002_900, "61.003s"),
            (-12_345, "-0.012s"),
        ] {
            let mut written = String::new();
            add_seconds(&mut written, micros);
            assert_eq!(written, text);
        }
    }

    #[test]
    fn rights_of_chess960_name_the_files_of_rooks() {
        for (fen, shredder) in [
            (
                "nrbqkbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBQKBRN w KQkq - 0 1",
                "nrbqkbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBQKBRN w GBgb - 0 1",
            ),
            (
                "1r2k2r/8/8/8/8/8/8/R3K2R b Kk - 0 9",
                "1r2k2r/8/8/8/8/8/8/R3K2R b Hh - 0 9",
            ),
            (
                "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
                "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            ),
            // The inner rook has its file already.
            (
                "4k3/8/8/8/8/8/8/R1R1K3 w C - 0 1",
                "4k3/8/8/8/8/8/8/R1R1K3 w C - 0 1",
            ),
        ] {
            assert_eq!(with_rook_files(fen), shredder);
        }
    }

    #[test]
    fn data_of_info_lines_are_found() {
        let line = "info depth 9 seldepth 14 score cp 3 nodes 77 nps 9000 tbhits 0 pv e2e4 e7e5";
        assert_eq!(number_after(line, "seldepth"), Some("14"));
        assert_eq!(number_after(line, "hashfull"), None);
        assert_eq!(variation(line), "e2e4 e7e5");
        assert_eq!(number_after("info string nps 5", "nps"), None);
        assert_eq!(number_after("info nps", "nps"), None);
        assert_eq!(variation("info pv e2e4 string x"), "e2e4");
    }

    #[test]
    fn values_of_tags_are_one_line() {
        assert_eq!(escaped("a\"b\\c\nd"), "a\\\"b\\\\c d");
    }
}
