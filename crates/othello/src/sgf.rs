//! Games of Othello in SGF, versions 1 to 4: `(;GM[2]PB[a]PW[b];B[f5];W[d6])`.
//!
//! Squares are a letter and a digit, or two letters, the column first. The main line is read;
//! variations and comments are counted.

use crate::forms::is_othello;
use crate::records::play_after_pass;
use crate::{Othello, PASS, card};
use leitai_game::card::Rules;
use leitai_game::{Position, Side};
use leitai_interchange::pgn::{Game, ResultDoubt, Tags, result_text};
use leitai_interchange::{
    Bytes, Damage, GameLocation, GameReader, Lines, TextError, decoded_as, left_out, shown,
};

/// Largest number of bytes of a file.
const LARGEST: u64 = 64 << 20;

/// Properties with their tags, black's name first: the side whose tag comes first wins with `1-0`.
const TAGS: [(&str, &str); 14] = [
    ("PB", "Black"),
    ("PW", "White"),
    ("EV", "Event"),
    ("PC", "Site"),
    ("DT", "Date"),
    ("RO", "Round"),
    ("GN", "GameName"),
    ("BR", "BlackRank"),
    ("WR", "WhiteRank"),
    ("BT", "BlackTeam"),
    ("WT", "WhiteTeam"),
    ("TM", "TimeControl"),
    ("AN", "Annotator"),
    ("SO", "Source"),
];

/// Reads the games of a file.
#[derive(Debug)]
pub struct SgfReader<'r> {
    bytes: Bytes<'r>,
    trees: Trees,
    games: u64,
    variations: u64,
    notes: Vec<String>,
    comments: u64,
}

/// A property of the main line.
#[derive(Debug)]
struct Property {
    name: String,
    value: String,
    line: u64,
}

/// The main line of a game.
#[derive(Debug, Default)]
struct Tree {
    line: u64,
    /// The properties that are read.
    properties: Vec<Property>,
    /// Bytes of the properties.
    bytes: usize,
    variations: u64,
    comments: u64,
    damage: Option<&'static str>,
}

/// The games of a text, one after the other.
#[derive(Debug, Default)]
struct Trees {
    text: String,
    at: usize,
    line: u64,
}

/// Largest number of bytes of the properties of a game that are read.
const LONGEST: usize = 1 << 20;

/// Largest number of letters of a name that are read.
const LONGEST_NAME: usize = 32;

/// Properties that are read and are no tags.
const OTHERS: [&str; 9] = ["GM", "SZ", "RE", "PL", "AB", "AW", "AE", "B", "W"];

/// Returns whether a property is read: neither a comment nor unknown.
fn is_read(name: &str) -> bool {
    let mut tags = TAGS.iter().map(|(known, _)| known);
    OTHERS.contains(&name) || tags.any(|known| *known == name)
}

impl Trees {
    /// Skips the rest of a game whose end is unknown.
    fn skip_to_game(&mut self) {
        let rest = &self.text[self.at..];
        let mut places = rest.match_indices('(').map(|(at, _)| at);
        let skipped = places.find(|at| begins_game(&rest[*at..]));
        let skipped = &rest[..skipped.unwrap_or(rest.len())];
        self.line += skipped.matches('\n').count() as u64;
        self.at += skipped.len();
    }

    /// The next game.
    fn next(&mut self) -> Option<Tree> {
        let mut tree = Tree::default();
        // The number of open trees of the main line, whether it has ended, and the number of open
        // trees of a variation.
        let (mut open, mut is_over, mut skipped) = (0_u64, false, 0_u64);
        // The name of the present property, and whether a letter begins the next one.
        let (mut name, mut is_whole) = (String::new(), false);
        while let Some(letter) = self.text[self.at..].chars().next() {
            if open > 0 && begins_game(&self.text[self.at..]) {
                tree.damage
                    .get_or_insert("the next game begins before its `)`");
                return Some(tree);
            }
            self.at += letter.len_utf8();
            match letter {
                '\n' => self.line += 1,
                '(' if skipped > 0 => skipped += 1,
                '(' if is_over => {
                    tree.variations += 1;
                    skipped = 1;
                }
                '(' => {
                    if open == 0 {
                        tree.line = self.line + 1;
                    }
                    open += 1;
                }
                ')' if skipped > 0 => skipped -= 1,
                ')' if open > 0 => {
                    (open, is_over) = (open - 1, true);
                    if open == 0 {
                        return Some(tree);
                    }
                }
                '[' if open > 0 => {
                    is_whole = true;
                    let line = self.line + 1;
                    let Some(value) = self.value(!is_read(&name)) else {
                        tree.damage = Some("a value is never closed by `]`");
                        self.skip_to_game();
                        return Some(tree);
                    };
                    if skipped == 0 && is_over {
                        tree.damage.get_or_insert("moves follow behind a variation");
                    } else if skipped == 0 {
                        tree.add(&name, value, line);
                    }
                }
                // Old versions write `White` for `W`.
                letter if letter.is_ascii_uppercase() => {
                    if std::mem::take(&mut is_whole) {
                        name.clear();
                    }
                    if name.len() < LONGEST_NAME {
                        name.push(letter);
                    }
                }
                _ => {}
            }
            is_whole |= "();".contains(letter);
        }
        if open > 0 {
            tree.damage.get_or_insert("the file ends before its `)`");
            return Some(tree);
        }
        None
    }

    /// Takes the value up to its bracket; `None` if the text ends or another game or property begins
    /// before. In long texts a property begins behind a semicolon only.
    fn value(&mut self, is_text: bool) -> Option<&str> {
        let bytes = self.text.as_bytes();
        let start = self.at;
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b']' => {
                    self.at += 1;
                    return Some(&self.text[start..self.at - 1]);
                }
                b'(' if begins_game(&self.text[self.at..]) => return None,
                b'[' if ends_with_name(&self.text[start..self.at], is_text) => return None,
                b'\\' if bytes.get(self.at + 1).is_some_and(u8::is_ascii) => {
                    self.line += u64::from(bytes[self.at + 1] == b'\n');
                    self.at += 1;
                }
                _ => self.line += u64::from(byte == b'\n'),
            }
            self.at += 1;
        }
        None
    }
}

/// Returns whether the text before a bracket ends with the name of a property.
fn ends_with_name(text: &str, is_text: bool) -> bool {
    let before = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let name = &text[before.len()..];
    let is_start = before.trim_end().ends_with(';')
        || !is_text && (before.is_empty() || before.ends_with(char::is_whitespace));
    is_start && name.starts_with(|letter: char| letter.is_ascii_uppercase())
}

/// Returns whether a text begins with a tree that has properties of a whole game, which no
/// variation has.
fn begins_game(text: &str) -> bool {
    let Some(node) = text.strip_prefix('(') else {
        return false;
    };
    let Some(properties) = node.trim_start().strip_prefix(';') else {
        return false;
    };
    let letters = properties.trim_start().chars().take(LONGEST_NAME);
    let letters = letters.take_while(char::is_ascii_alphabetic);
    let name: String = letters.filter(char::is_ascii_uppercase).collect();
    ["GM", "FF", "CA", "AP", "SZ"].contains(&name.as_str())
}

/// A value without its escapes; line ends are blanks.
fn unescaped(value: &str) -> String {
    let mut text = String::new();
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => text.extend(letters.next().filter(|letter| *letter != '\n')),
            _ if letter.is_control() => text.push(' '),
            _ => text.push(letter),
        }
    }
    text
}

impl Tree {
    /// Adds a property that is read, and counts a comment.
    fn add(&mut self, name: &str, value: &str, line: u64) {
        if name == "C" && !value.trim().is_empty() {
            self.comments += 1;
        }
        if !is_read(name) {
            return;
        }
        self.bytes += name.len() + value.len() + 1;
        if self.bytes > LONGEST {
            self.damage.get_or_insert("it is longer than 1 MiB");
            return;
        }
        self.properties.push(Property {
            name: name.to_owned(),
            value: unescaped(value),
            line,
        });
    }

    /// The value of the first property with that name.
    fn get(&self, name: &str) -> &str {
        let mut properties = self.properties.iter();
        let named = properties.find(|property| property.name == name);
        named.map_or("", |property| property.value.trim())
    }

    /// The moves with their sides and lines.
    fn moves(&self) -> Vec<(Side, &Property)> {
        let side = |property: &Property| match property.name.as_str() {
            "B" => Some(Side::First),
            "W" => Some(Side::Second),
            _ => None,
        };
        let moves = self.properties.iter();
        moves.filter_map(|it| Some((side(it)?, it))).collect()
    }

    /// The position before the moves.
    fn start(&self) -> Result<Othello, String> {
        let first = self.moves().first().map(|(side, _)| *side);
        let said = match self.get("PL").to_lowercase().as_str() {
            "" => None,
            "b" | "black" | "1" => Some(Side::First),
            "w" | "white" | "2" => Some(Side::Second),
            other => return Err(format!("`PL[{}]` is no side", shown(other))),
        };
        let is_stone = |it: &Property| ["AB", "AW", "AE"].contains(&it.name.as_str());
        let moves = self
            .properties
            .iter()
            .position(|it| ["B", "W"].contains(&it.name.as_str()));
        let last = self.properties.iter().rposition(is_stone);
        if moves.zip(last).is_some_and(|(first, last)| first < last) {
            return Err("discs are placed between moves".to_owned());
        }
        let mut discs = [0_u64; 2];
        for property in self.properties.iter().filter(|it| is_stone(it)) {
            let squares = squares(property.value.trim())
                .ok_or_else(|| format!("`{}` is no square", shown(&property.value)))?;
            discs = discs.map(|side| side & !squares);
            match property.name.as_str() {
                "AB" => discs[0] |= squares,
                "AW" => discs[1] |= squares,
                _ => {}
            }
        }
        let side = said.or(first).unwrap_or(Side::First);
        if last.is_none() && said.is_none() {
            return Ok(Othello::initial());
        }
        if last.is_none() {
            let start = Othello::initial();
            discs = Side::BOTH.map(|side| start.discs(side));
        }
        let [black, white] = discs;
        Othello::new(black, white, side).ok_or_else(|| "a square has two discs".to_owned())
    }
}

/// The squares of a value: one, or those between two corners.
fn squares(value: &str) -> Option<u64> {
    let (first, last) = value.split_once(':').unwrap_or((value, value));
    let (first, last) = (square(first)?, square(last)?);
    let mut squares = 0;
    for row in first.1.min(last.1)..=first.1.max(last.1) {
        for column in first.0.min(last.0)..=first.0.max(last.0) {
            squares |= 1 << (8 * row + column);
        }
    }
    Some(squares)
}

/// Column and row of a square.
fn square(text: &str) -> Option<(u8, u8)> {
    let &[column, row] = text.as_bytes() else {
        return None;
    };
    let column = column.to_ascii_lowercase().checked_sub(b'a')?;
    let row = match row.to_ascii_lowercase() {
        digit @ b'1'..=b'8' => digit - b'1',
        letter => letter.checked_sub(b'a')?,
    };
    (column < 8 && row < 8).then_some((column, row))
}

/// A move in the notation of transcripts.
fn word(value: &str) -> String {
    match square(value) {
        Some((column, row)) => format!("{}{}", char::from(b'a' + column), row + 1),
        None if value.is_empty() || value.eq_ignore_ascii_case("tt") => "pass".to_owned(),
        None => value.to_owned(),
    }
}

/// A result in SGF: black's half points, the margin for black, the reason; `None` if it is of no known
/// form.
fn result(value: &str) -> Option<(Option<u8>, Option<f64>, Option<&'static str>)> {
    let lower = value.to_lowercase();
    if ["", "?", "*", "void"].contains(&lower.as_str()) {
        return Some((None, None, None));
    }
    if ["0", "draw", "jigo", "="].contains(&lower.as_str()) {
        return Some((Some(1), Some(0.0), None));
    }
    let Some((winner, how)) = lower.split_once('+') else {
        // Discs: `34-30`.
        let (black, white) = lower.split_once(['-', ':'])?;
        let [black, white] = [black, white].map(|it| it.trim().parse::<u8>().ok());
        let (black, white) = black.zip(white)?;
        let points = 1 + black.cmp(&white) as i8;
        let margin = f64::from(black) - f64::from(white);
        return Some((u8::try_from(points).ok(), Some(margin), None));
    };
    let (points, sign) = match winner.trim() {
        "b" | "black" => (2, 1.0),
        "w" | "white" => (0, -1.0),
        _ => return None,
    };
    let how = how.trim();
    let cause = match how {
        "r" | "resign" => Some("resignation"),
        "t" | "time" => Some("time-forfeit"),
        "f" | "forfeit" => Some("forfeit"),
        _ => None,
    };
    let margin = how.parse::<f64>().ok().filter(|margin| margin.is_finite());
    if cause.is_none() && margin.is_none() && !how.is_empty() {
        return None;
    }
    // A win by nothing is a draw.
    match margin {
        Some(0.0) => Some((Some(1), Some(0.0), None)),
        margin => Some((Some(points), margin.map(|margin| sign * margin), cause)),
    }
}

impl<'r> SgfReader<'r> {
    /// The games in `bytes`.
    pub fn new(bytes: Bytes<'r>) -> Self {
        Self {
            bytes,
            trees: Trees::default(),
            games: 0,
            variations: 0,
            comments: 0,
            notes: Vec::new(),
        }
    }

    /// The text of the file, in the encoding of its `CA` or as it looks.
    fn text(&mut self, file: &[u8]) -> Result<String, TextError> {
        let mark = file.windows(3).position(|place| place == b"CA[");
        let said = mark.and_then(|at| file[at + 3..].split(|byte| *byte == b']').next());
        let said = said.and_then(|said| std::str::from_utf8(said).ok());
        if let Some(text) = said.and_then(|said| decoded_as(file, said)) {
            return Ok(text);
        }
        let mut lines = Lines::new(file, self.bytes.name());
        let text = lines.read_all(LARGEST)?;
        self.notes = lines.notes();
        Ok(text)
    }

    fn game(&self, tree: &Tree, rules: Rules) -> Result<Game, Damage> {
        let location = |line: u64| GameLocation {
            name: self.bytes.name(),
            line,
            game: self.games,
        };
        let damage = |problem: String, help: &str| {
            Err(location(tree.line).damage(None, problem, help.to_owned()))
        };
        if let Some(problem) = tree.damage {
            let help = "correct the file: it is unclear which moves belong to the game";
            return damage(problem.to_owned(), help);
        }
        let kind = tree.get("GM");
        if !is_othello(kind) {
            let problem = format!("it is a game of `{}` (`GM`)", shown(kind));
            return damage(problem, "leitai reads SGF of Othello only (`GM[2]`)");
        }
        let size = tree.get("SZ");
        if !["", "8", "8:8"].contains(&size) {
            let problem = format!("`SZ[{}]` is not a board of 8 x 8 squares", shown(size));
            return damage(problem, "leitai reads games on 8 x 8 squares only");
        }
        let start = match tree.start() {
            Ok(start) => start,
            Err(problem) => {
                return damage(
                    problem,
                    "correct `AB`, `AW`, `AE` and `PL` before the first move",
                );
            }
        };
        let said = tree.get("RE");
        let found = result(said);
        let (points, margin, cause) = found.unwrap_or_default();
        let mut tags = Tags::of(card());
        tags.push("Game", Othello::NAME);
        for (property, tag) in TAGS {
            let value = tree.get(property);
            if !value.is_empty() {
                tags.push(
                    tag,
                    &if tag == "Date" {
                        value.replace('-', ".")
                    } else {
                        value.to_owned()
                    },
                );
            }
        }
        if let Some(margin) = margin {
            tags.push("Score", &format!("{margin:+}"));
        }
        if let Some(cause) = cause {
            tags.push("Termination", cause);
        }
        let mut game = Game::new(&start, tags, rules);
        (game.number, game.line) = (self.games, tree.line);
        let moves = tree.moves();
        for (index, (side, property)) in moves.iter().enumerate() {
            let word = word(property.value.trim());
            let is_pass = crate::read_move(&word) == Some(PASS);
            // Both sides may pass at the end.
            if is_pass && game.play.position().count_legal_moves() == 0 {
                continue;
            }
            let side = if is_pass {
                game.play.position().side_to_move()
            } else {
                *side
            };
            play_after_pass(&mut game, side, &word, moves.len() - index).map_err(
                |(ply, problem, help)| location(property.line).damage(Some(ply), problem, help),
            )?;
        }
        game.points = points;
        if said.is_empty() {
            game.adopt_verdict();
        }
        if found.is_none() {
            game.doubt = Some(ResultDoubt::Unknown);
        }
        let text = if found.is_none() {
            said
        } else {
            result_text(game.points)
        };
        game.tags.push("Result", text);
        Ok(game)
    }
}

impl GameReader for SgfReader<'_> {
    fn next_game(&mut self, rules: Rules) -> Result<Option<Result<Game, Damage>>, TextError> {
        if let Some(file) = self.bytes.all(LARGEST, "split it")? {
            self.trees.text = self.text(&file)?;
        }
        let Some(tree) = self.trees.next() else {
            return Ok(None);
        };
        self.games += 1;
        let game = self.game(&tree, rules);
        self.variations += tree.variations;
        self.comments += tree.comments;
        Ok(Some(game))
    }

    fn name(&self) -> &str {
        self.bytes.name()
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = self.notes.clone();
        notes.extend(left_out(self.bytes.name(), self.variations, self.comments));
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forms::is_sgf;
    use crate::read_transcript;

    fn read(text: &[u8]) -> (Vec<Result<Game, String>>, Vec<String>) {
        let mut reader = SgfReader::new(Bytes::new(text, "a.sgf"));
        let mut games = Vec::new();
        while let Some(game) = reader.next_game(card().rules()).unwrap() {
            games.push(game.map_err(|damage| damage.to_string()));
        }
        (games, reader.notes())
    }

    #[test]
    fn games_of_all_versions_are_read() {
        let line = read_transcript(&Othello::initial(), "f5d6c3").unwrap();
        for text in [
            "(;GM[2]FF[4]SZ[8]PB[A]PW[B]RE[B+10];B[f5];W[d6];B[c3])",
            "(;GM[Othello]PB[A]PW[B]RE[Black+10];B[fe];W[df];B[cc])",
            "(;GaMe[2]PlayerBlack[A]PlayerWhite[B]REsult[B+10]\n;Black[F5]\n;White[D6]\n;Black[C3])",
            "(;FF[3]GM[2]PB[A]PW[B]RE[37-27]AB[e4][d5]AW[d4:d4][e5]PL[B](;B[f5](;W[d6];B[c3])(;W[f6]))\
             (;B[d3](;W[c3])))",
        ] {
            let (games, notes) = read(text.as_bytes());
            let [Ok(game)] = &games[..] else {
                panic!("{text}: {games:?}");
            };
            assert_eq!(
                game.play.moves(),
                line.moves().collect::<Vec<_>>(),
                "{text}"
            );
            assert_eq!(game.tags.players(), Some(["A", "B"]));
            assert_eq!(
                (game.points, game.tags.get("Score")),
                (Some(2), Some("+10"))
            );
            let variations = text.matches('(').count() > 1;
            let note = ["a.sgf: left out: 2 variations"];
            assert_eq!(notes, if variations { &note[..] } else { &[] }, "{text}");
        }
    }

    #[test]
    fn positions_and_passes_are_read() {
        let setup = "(;GM[2]AB[a1][b1]AW[c1]PL[W]C[a \\] sign];W[tt];B[d1];W[];B[])";
        let (games, notes) = read(setup.as_bytes());
        let game = games[0].as_ref().unwrap();
        assert_eq!((game.play.len(), game.points), (2, Some(2)));
        assert_eq!(notes, ["a.sgf: left out: 1 comment"]);
        // The pass of white may be left out.
        let (games, _) = read(b"(;GM[2]AB[a1][b1]AW[c1]PL[W];B[d1])");
        assert_eq!(games[0].as_ref().unwrap().play.len(), 2);
    }

    #[test]
    fn results_have_several_forms() {
        for (text, expected) in [
            ("W+4", Some((Some(0), Some(-4.0), None))),
            ("B+R", Some((Some(2), None, Some("resignation")))),
            ("White+Time", Some((Some(0), None, Some("time-forfeit")))),
            ("0", Some((Some(1), Some(0.0), None))),
            ("B+0", Some((Some(1), Some(0.0), None))),
            ("32-32", Some((Some(1), Some(0.0), None))),
            ("?", Some((None, None, None))),
            ("B+nan", None),
            ("black", None),
        ] {
            assert_eq!(result(text), expected, "{text}");
        }
    }

    #[test]
    fn names_are_read_in_the_encoding_of_the_file() {
        // 오셀로.
        let name = [0xBF, 0xC0, 0xBC, 0xBF, 0xB7, 0xCE];
        let text = [b"(;GM[2]CA[EUC-KR]PB[", &name[..], b"]PW[x];B[f5])"].concat();
        let (games, notes) = read(&text);
        assert_eq!(games[0].as_ref().unwrap().tags.get("Black"), Some("오셀로"));
        assert!(notes.is_empty());
    }

    #[test]
    fn damaged_games_are_reported_and_the_others_read() {
        for (text, what) in [
            ("(;GM[1];B[dd])", "game of `1`"),
            ("(;GM[2]SZ[10];B[f5])", "`SZ[10]`"),
            ("(;GM[2];B[f5];W[a1])", "ply 2: white turns no disc there"),
            ("(;GM[2];B[f5];W[z9])", "neither a square nor a pass"),
            ("(;GM[2];B[f5];AB[a1])", "between moves"),
            ("(;GM[2]AB[a1]AW[i9])", "`i9` is no square"),
            ("(;GM[2]PL[x])", "`PL[x]` is no side"),
            ("(;GM[2](;B[f5]);W[d6])", "behind a variation"),
        ] {
            let (games, _) = read(format!("{text}(;GM[2];B[f5])").as_bytes());
            let error = games[0].as_ref().map(|_| ()).unwrap_err();
            assert!(error.contains(what) && error.contains("game 1"), "{error}");
            assert!(games[1].is_ok(), "{text}");
        }
        for (text, what) in [
            ("(;GM[2];B[f5]", "before its `)`"),
            ("(;GM[2];B[f5", "never closed"),
            ("(;GM[2]C[open;B[f5])", "never closed"),
            ("(;GM[2];B[f5];W[d6)", "never closed"),
            ("(;FF[4]GM[2]PB[a;B[f5](;W[d6])(;W[f6])", "never closed"),
            ("(;GM[2]PB[a PW[b];B[f5])", "never closed"),
            ("(;GM[2];B[f5](;W[d6])", "before its `)`"),
        ] {
            let (games, _) = read(text.as_bytes());
            assert!(games[0].as_ref().unwrap_err().contains(what), "{text}");
            // The games behind it are read.
            for next in [
                "(;GM[2];B[f5])",
                " ( ;\nFF[4]GM[2];B[f5])",
                "\n(;GaMe[2];Black[F5])",
            ] {
                let (games, _) = read(format!("{text}{next}{text}{next}").as_bytes());
                let read: Vec<_> = games.iter().map(Result::is_ok).collect();
                assert_eq!(read, [false, true, false, true], "{text}{next}: {games:?}");
            }
        }
        assert!(read(b"(;GM[2];B[f5\\").0[0].is_err());
        let quoted = "(;GM[2]C[see A[1\\] ;) \n( ; and (;B)]PB[Bob [8k\\]];B[f5])";
        assert!(read(quoted.as_bytes()).0[0].is_ok());
        let moves = ";B[f5]".repeat(1 << 18);
        let (games, _) = read(format!("(;GM[2]{moves})(;GM[2];B[f5])").as_bytes());
        let error = games[0].as_ref().unwrap_err();
        assert!(
            error.contains("longer than 1 MiB") && games[1].is_ok(),
            "{error}"
        );
    }

    #[test]
    fn ggf_and_other_games_are_not_sgf() {
        for text in [
            "(;GM[Othello]PB[a]TY[8]BO[8 -------- *]B[F5]W[D6];)",
            "(;GM[1]FF[4];B[dd])",
            "(;FF[4];B[dd])",
            "[GM[2]]",
            "",
        ] {
            assert!(!is_sgf(text.as_bytes()), "{text}");
        }
        for text in ["\u{feff} (\n;GM[2])", "(;FF[4]GM[othello];B[f5])"] {
            assert!(is_sgf(text.as_bytes()), "{text}");
        }
    }
}
