//! Games in the tags of DhtmlXQ, which sites and forums (UBB) show as boards.
//!
//! ```text
//! [DhtmlXQ][DhtmlXQ_title]..[/DhtmlXQ_title][DhtmlXQ_binit]8979..[/DhtmlXQ_binit]
//! [DhtmlXQ_movelist]774770627967[/DhtmlXQ_movelist][/DhtmlXQ]
//! ```
//!
//! Two digits are a square: the file from Red's left and the rank from Black's home, from 0; `99` is
//! a piece that is not on the board.

use super::{PIECES, UnplayedGame};
use crate::Square;
use leitai_game::card::Rules;
use leitai_interchange::pgn::Game;
use leitai_interchange::{Damage, GameLocation, GameReader, Lines, TextError, left_out, shown};

/// Largest number of bytes of a game.
const LONGEST: usize = 1 << 20;

/// The fields with their tags; the first field of a tag counts.
const FIELDS: [(&str, &str); 17] = [
    ("event", "Event"),
    ("title", "Title"),
    ("date", "Date"),
    ("place", "Site"),
    ("round", "Round"),
    ("group", "Group"),
    ("table", "Board"),
    ("redname", "Red"),
    ("red", "Red"),
    ("redteam", "RedTeam"),
    ("blackname", "Black"),
    ("black", "Black"),
    ("blackteam", "BlackTeam"),
    ("timerule", "TimeControl"),
    ("open", "Opening"),
    ("author", "Annotator"),
    ("refer", "Source"),
];

/// Other fields with digits that are no moves.
const NO_MOVES: [&str; 6] = ["binit", "adddate", "editdate", "hits", "length", "id"];

/// Reads the games of a text one by one, in bounded memory.
#[derive(Debug)]
pub struct DhtmlReader<'r> {
    lines: Lines<'r>,
    /// The present line, its number, and the bytes of it that were read.
    text: String,
    line: u64,
    at: usize,
    games: u64,
    variations: u64,
    comments: u64,
}

/// The text of a game.
#[derive(Debug)]
struct Block {
    text: String,
    line: u64,
    damage: Option<&'static str>,
}

impl<'r> DhtmlReader<'r> {
    /// The games in `lines`.
    pub fn new(lines: Lines<'r>) -> Self {
        Self {
            lines,
            text: String::new(),
            line: 0,
            at: 0,
            games: 0,
            variations: 0,
            comments: 0,
        }
    }

    /// The next game as text; `None` at the end of the file.
    fn block(&mut self) -> Result<Option<Block>, TextError> {
        let mut open: Option<Block> = None;
        loop {
            if self.at == self.text.len() {
                let Some((number, line)) = self.lines.next_line()? else {
                    return Ok(open);
                };
                (self.text, self.line, self.at) = (line + "\n", number, 0);
            }
            let rest = &self.text[self.at..];
            let Some(block) = &mut open else {
                let Some(at) = place(rest, "[dhtmlxq") else {
                    self.at = self.text.len();
                    continue;
                };
                let is_frame = begins_with(&rest[at..], FRAME);
                self.at += at + if is_frame { FRAME.len() } else { 0 };
                open = Some(Block {
                    text: String::new(),
                    line: self.line,
                    damage: is_frame.then_some("the file ends before its `[/DhtmlXQ]`"),
                });
                continue;
            };
            match frame(rest) {
                Some((end, true)) => {
                    block.add(&rest[..end]);
                    block.damage.take_if(|damage| *damage != TOO_LONG);
                    self.at += end + END.len();
                    return Ok(open);
                }
                Some((next, false)) => {
                    block.add(&rest[..next]);
                    block
                        .damage
                        .get_or_insert("the next game begins before its `[/DhtmlXQ]`");
                    self.at += next;
                    return Ok(open);
                }
                None => {
                    block.add(rest);
                    self.at = self.text.len();
                }
            }
        }
    }

    fn game(&mut self, block: &Block, rules: Rules) -> Result<Game, Damage> {
        let mut record = UnplayedGame {
            location: GameLocation {
                name: self.lines.name(),
                line: block.line,
                game: self.games,
            },
            pieces: None,
            black_begins: false,
            moves: Vec::new(),
            tags: Vec::new(),
            result: String::new(),
        };
        let broken = |record: &UnplayedGame<'_>, problem: String| {
            let help = "copy the whole text of the game again";
            Err(record.location.damage(None, problem, help))
        };
        if let Some(problem) = block.damage {
            return broken(&record, problem.to_owned());
        }
        let fields = match fields(&block.text) {
            Ok(fields) => fields,
            Err(problem) => return broken(&record, problem),
        };
        let (mut variations, mut comments) = (0, 0);
        for (name, value) in &fields {
            if let Some((_, tag)) = FIELDS.iter().find(|(field, _)| field == name) {
                let is_new = record.tags.iter().all(|(known, _)| known != tag);
                if is_new && !value.is_empty() {
                    record.tags.push((tag, value.clone()));
                }
            } else if name.starts_with("move_") {
                variations += u64::from(!value.is_empty());
            } else if name.starts_with("comment") || name == "remark" {
                comments += u64::from(!value.is_empty());
            } else if name == "result" {
                record.result.clone_from(value);
            }
        }
        let field = |wanted: &str| {
            let mut fields = fields.iter().filter(|(name, _)| name == wanted);
            let first = fields.next().map_or("", |(_, value)| value);
            (first, fields.next().is_some())
        };
        let (moves, is_repeated) = field("movelist");
        if is_repeated {
            return broken(&record, "it has two lists of moves".to_owned());
        }
        let is_list = |(name, value): &&(String, String)| {
            let is_text = FIELDS.iter().any(|(field, _)| field == name);
            let is_digits = value.len() >= 4 && value.bytes().all(|it| it.is_ascii_digit());
            name.starts_with("move") || is_digits && !is_text && !NO_MOVES.contains(&&**name)
        };
        if fields.iter().all(|(name, _)| name != "movelist") {
            // A board may be shown without moves.
            let other = fields.iter().find(is_list).map(|(name, _)| name);
            if other.is_some() || field("binit").0.is_empty() {
                let other = other.map(|name| format!("; is it `DhtmlXQ_{}`?", shown(name)));
                let problem = "it has no `DhtmlXQ_movelist`".to_owned();
                return broken(&record, problem + &other.unwrap_or_default());
            }
        }
        let Some(moves) = squares(moves).filter(|squares| squares.len() % 2 == 0) else {
            let problem = format!("`{}` is no list of moves, four digits each", shown(moves));
            return broken(&record, problem);
        };
        for (from, to) in moves.chunks(2).map(|pair| (pair[0], pair[1])) {
            let Some(squares) = from.zip(to) else {
                let problem = "a move has a square beyond the board".to_owned();
                return broken(&record, problem);
            };
            record.moves.push(squares);
        }
        let (board, _) = field("binit");
        if !board.is_empty() {
            let Some(pieces) = squares(board).and_then(|squares| squares.try_into().ok()) else {
                let number = 4 * PIECES.len();
                let problem = format!("`{}` is no board, {number} digits", shown(board));
                return broken(&record, problem);
            };
            record.pieces = Some(pieces);
        }
        let game = record.read(rules);
        self.variations += variations;
        self.comments += comments;
        game
    }
}

const TOO_LONG: &str = "it is longer than 1 MiB";

/// The tags around a game, in small letters.
const FRAME: &str = "[dhtmlxq]";
const END: &str = "[/dhtmlxq]";

impl Block {
    fn add(&mut self, text: &str) {
        if self.text.len() + text.len() <= LONGEST {
            self.text.push_str(text);
        } else {
            self.damage = Some(TOO_LONG);
        }
    }
}

/// The place of a tag in small letters within a text in letters of any case.
fn place(text: &str, tag: &str) -> Option<usize> {
    let mut places = text.as_bytes().windows(tag.len());
    places.position(|place| place.eq_ignore_ascii_case(tag.as_bytes()))
}

/// The place of the next tag around a game, and whether it closes one.
fn frame(text: &str) -> Option<(usize, bool)> {
    let mut tags = text.match_indices('[').map(|(at, _)| (at, &text[at..]));
    tags.find_map(|(at, tag)| {
        let closes = begins_with(tag, END);
        (closes || begins_with(tag, FRAME)).then_some((at, closes))
    })
}

/// Returns whether a text in letters of any case begins with a tag in small letters.
fn begins_with(text: &str, tag: &str) -> bool {
    let start = text.as_bytes().get(..tag.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(tag.as_bytes()))
}

/// The fields of a game in their order: names in small letters, and values.
fn fields(text: &str) -> Result<Vec<(String, String)>, String> {
    const BEGIN: &str = "[dhtmlxq_";
    let mut fields = Vec::new();
    let mut rest = text;
    while let Some(at) = place(rest, BEGIN) {
        rest = &rest[at + BEGIN.len()..];
        let Some((name, behind)) = rest.split_once(']') else {
            return Err("a tag has no `]`".to_owned());
        };
        let name = name.to_ascii_lowercase();
        let close = format!("[/dhtmlxq_{name}]");
        let Some(end) = place(behind, &close) else {
            return Err(format!("`[DhtmlXQ_{}]` is never closed", shown(&name)));
        };
        fields.push((name, plain(&behind[..end])));
        rest = &behind[end + close.len()..];
    }
    Ok(fields)
}

/// A value without the tags and line ends of a web page.
fn plain(value: &str) -> String {
    let mut text = String::new();
    let mut is_tag = false;
    for letter in value.chars() {
        match letter {
            '<' => is_tag = true,
            '>' if is_tag => is_tag = false,
            _ if is_tag => {}
            _ if letter.is_control() => text.push(' '),
            _ => text.push(letter),
        }
    }
    text.trim().to_owned()
}

/// The squares of a text, two digits each; `None` for a square beyond the board.
fn squares(text: &str) -> Option<Vec<Option<Square>>> {
    let digits = text.chars().filter(|letter| !letter.is_whitespace());
    let digits: Option<Vec<u32>> = digits.map(|letter| letter.to_digit(10)).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    let square = |pair: &[u32]| Square::at(pair[0] as i32, 9 - pair[1] as i32);
    Some(digits.chunks(2).map(square).collect())
}

impl GameReader for DhtmlReader<'_> {
    fn next_game(&mut self, rules: Rules) -> Result<Option<Result<Game, Damage>>, TextError> {
        let Some(block) = self.block()? else {
            return Ok(None);
        };
        self.games += 1;
        Ok(Some(self.game(&block, rules)))
    }

    fn name(&self) -> &str {
        self.lines.name()
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = self.lines.notes();
        notes.extend(left_out(self.name(), self.variations, self.comments));
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "8979695949392919097717866646260600102030405060708012720323436383";

    fn read(text: &str) -> (Vec<Result<Game, String>>, Vec<String>) {
        let mut reader = DhtmlReader::new(Lines::new(text.as_bytes(), "a.txt"));
        let mut games = Vec::new();
        while let Some(game) = reader.next_game(crate::card().rules()).unwrap() {
            games.push(game.map_err(|damage| damage.to_string()));
        }
        (games, reader.notes())
    }

    fn field(name: &str, value: &str) -> String {
        format!("[DhtmlXQ_{name}]{value}[/DhtmlXQ_{name}]")
    }

    fn framed(fields: &[(&str, &str)]) -> String {
        let fields: String = fields
            .iter()
            .map(|(name, value)| field(name, value))
            .collect();
        format!("[DhtmlXQ]\n{fields}\n[/DhtmlXQ]")
    }

    #[test]
    fn games_stand_in_posts_and_pages() {
        let game = framed(&[
            ("ver", "www_dpxq_com"),
            ("title", "许银川 胜 吕钦"),
            ("event", "全国赛"),
            ("redname", "许银川"),
            ("blackname", "吕钦"),
            ("result", "红胜"),
            ("binit", BOARD),
            ("movelist", "77477062\n7967"),
            ("move_0_2_1", "7062"),
            ("comment2", "好棋"),
            ("comment3", ""),
        ]);
        let page = format!("<!DOCTYPE html>\n<p>{}</p>", game.replace('\n', "<br />"));
        let bare = [field("MoveList", "77477062"), field("red", "A")].concat();
        for (text, plies, red) in [
            (game.clone(), 3, "许银川"),
            (game.to_uppercase(), 3, "许银川"),
            (page, 3, "许银川"),
            (format!("a post\n{bare}"), 2, "A"),
        ] {
            let (games, notes) = read(&text);
            let [Ok(game)] = &games[..] else {
                panic!("{games:?}");
            };
            assert_eq!(game.play.len(), plies, "{text}");
            assert_eq!(game.tags.get("Red"), Some(red));
            if plies == 3 {
                assert_eq!(game.points, Some(2));
                assert_eq!(notes, ["a.txt: left out: 1 variation and 1 comment"]);
            }
        }
        let (games, _) = read(&[&game, &game, "[/DhtmlXQ]", &game].map(|it| it).join(" "));
        assert_eq!(games.iter().filter(|game| game.is_ok()).count(), 3);
    }

    #[test]
    fn a_board_may_be_a_problem() {
        let lost = "9".repeat(54);
        let board = format!("9999999949{lost}");
        assert_eq!(board.len(), 64);
        let board = format!("{}30{}", &board[..40], &board[42..]);
        let text = framed(&[("binit", &board), ("movelist", "3031"), ("result", "和局")]);
        let (games, _) = read(&text);
        let game = games[0].as_ref().unwrap();
        assert_eq!(
            game.play.start().to_fen(),
            "3k5/9/9/9/9/9/9/9/9/4K4 b - - 0 1"
        );
        assert_eq!((game.play.len(), game.points), (1, Some(1)));
        let (games, _) = read(&framed(&[("binit", &board), ("title", "a problem")]));
        assert_eq!(games[0].as_ref().unwrap().play.len(), 0);
    }

    #[test]
    fn damaged_games_are_reported_and_the_others_read() {
        let good = framed(&[("movelist", "7747")]);
        for (fields, what) in [
            (framed(&[("movelist", "774")]), "no list of moves"),
            (framed(&[("movelist", "7747x")]), "no list of moves"),
            (framed(&[("movelist", "7746")]), "`h2e3` is not legal"),
            (framed(&[("movelist", "9977")]), "beyond the board"),
            (framed(&[("binit", "1234")]), "no board, 64 digits"),
            (
                framed(&[("movelist", "7747"), ("movelist", "")]),
                "two lists",
            ),
            (
                framed(&[("red", "A"), ("result", "红胜")]),
                "no `DhtmlXQ_movelist`",
            ),
            (framed(&[("move", "77477062")]), "is it `DhtmlXQ_move`?"),
            (
                framed(&[("binit", BOARD), ("Moves", "7747")]),
                "is it `DhtmlXQ_moves`?",
            ),
            (
                framed(&[("binit", BOARD), ("mvlist", "7747")]),
                "`DhtmlXQ_mvlist`?",
            ),
            (
                framed(&[("binit", BOARD), ("move_0_1_1", "7747")]),
                "_move_0_1_1`?",
            ),
            (
                "[DhtmlXQ][DhtmlXQ_title]x[/DhtmlXQ]".to_owned(),
                "never closed",
            ),
            (
                "[DhtmlXQ][DhtmlXQ_title".to_owned(),
                "before its `[/DhtmlXQ]`",
            ),
        ] {
            let (games, _) = read(&format!("{fields}\n{good}"));
            assert_eq!(games.len(), 2, "{fields}");
            let error = games[0].as_ref().map(|_| ()).unwrap_err();
            assert!(error.contains(what) && error.contains("line 1"), "{error}");
            assert!(games[1].is_ok());
        }
        let (games, _) = read("[DhtmlXQ][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]");
        assert!(games[0].as_ref().unwrap_err().contains("file ends before"));
    }
}
