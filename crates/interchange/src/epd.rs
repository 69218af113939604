//! One line of EPD: a position and its operations.

use std::fmt::{self, Write as _};
use std::iter;

use crate::moves::{in_any_dialect, play_word};
use crate::shown;
use leitai_game::MoveError;
use leitai_game::card::{AnyLine, AnyPosition, Facts, GameCard};

/// A parsed EPD line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpdLine {
    /// The position in the form that games read; empty for the usual start. `hmvc` and `fmvn` are
    /// its counters.
    pub position: String,
    /// The moves that follow the position, after the word `moves`.
    pub moves: String,
    /// All other operations, in order.
    pub operations: Vec<Operation>,
}

/// One operation: `id "x"`, `bm h2e2`. Written with a trailing semicolon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The opcode.
    pub name: String,
    /// The operands verbatim, including quotes.
    pub operand: String,
}

impl Operation {
    /// Creates an operation with one string operand. Quotation marks, which EPD cannot escape,
    /// become apostrophes, and control characters become blanks.
    pub fn text(name: &str, text: &str) -> Self {
        let plain = |letter: char| match letter {
            '"' => '\'',
            _ if letter.is_control() => ' ',
            _ => letter,
        };
        let text: String = text.chars().map(plain).collect();
        Self {
            name: name.to_owned(),
            operand: format!("\"{text}\""),
        }
    }

    /// Returns the operands, strings without their quotes.
    pub fn operands(&self) -> Vec<&str> {
        let mut operands = Vec::new();
        let mut rest = self.operand.trim();
        while !rest.is_empty() {
            let (operand, behind) = match rest.strip_prefix('"') {
                Some(text) => text.split_once('"').unwrap_or((text, "")),
                None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
            };
            operands.push(operand);
            rest = behind.trim_start();
        }
        operands
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, operand } = self;
        match operand.as_str() {
            "" => write!(f, "{name};"),
            operand => write!(f, "{name} {operand};"),
        }
    }
}

impl EpdLine {
    /// Returns the operand of `id`, the last one if there are several.
    pub fn id(&self) -> Option<&str> {
        let mut operations = self.operations.iter().rev();
        let id = operations.find(|operation| operation.name == "id")?;
        Some(unquoted(&id.operand)).filter(|id| !id.is_empty())
    }

    /// The position with the moves that follow it.
    ///
    /// # Errors
    /// The reason why it is no legal position, or no legal move follows, as a lowercase fragment.
    pub fn line(&self, card: &dyn GameCard) -> Result<Box<dyn AnyLine>, String> {
        let start = if self.position.is_empty() {
            card.initial()
        } else {
            card.read(&self.position).map_err(|error| error.reason)?
        };
        let line = in_any_dialect(card, |dialect| {
            let mut line = card.line(&*start);
            for word in self.moves.split_whitespace() {
                play_word(&mut *line, word, dialect)?;
            }
            Ok::<_, String>(line)
        })?;
        // A missing word `moves`, or another one, must not hide moves.
        let moves = self.operations.iter().find(|it| it.hides_moves(&*line));
        match moves {
            Some(it) => Err(format!(
                "`{}` is no operation: write `moves` before the moves",
                it.name
            )),
            None => Ok(line),
        }
    }
}

/// Operations whose operands are moves of the position.
pub(crate) const MOVES: [&str; 4] = ["bm", "am", "pm", "sm"];

/// Operations with an integer: score, depth, nodes, seconds, mate distance.
pub(crate) const NUMBERS: [&str; 5] = ["ce", "acd", "acn", "acs", "dm"];

/// Operations whose operands are moves one after the other, in text or not, or whose operand is a
/// name.
const OTHERS: [&str; 3] = ["pv", "c0", "id"];

/// Returns whether a word is the name of a frequent operation, which is no other word.
fn is_known(name: &str) -> bool {
    let counters = ["hmvc", "fmvn"];
    let known = MOVES.iter().chain(&NUMBERS).chain(&OTHERS).chain(&counters);
    known.copied().any(|known| known == name)
}

impl Operation {
    /// Returns whether the words of an unknown operation are moves by their form, legal or not.
    fn hides_moves(&self, line: &dyn AnyLine) -> bool {
        let position = line.position();
        let is_move = |word: &str| {
            let read = position.parse_move(word);
            !matches!(read, Err(MoveError::Syntax(_)))
        };
        if is_known(&self.name) || self.operand.contains('"') {
            return false;
        }
        let mut operands = self.operand.split_whitespace().peekable();
        let is_alone = operands.peek().is_none();
        // `c1` to `c9` are comments, and squares.
        is_move(&self.name) && (is_alone || !is_comment(&self.name))
            || !is_alone && operands.all(is_move)
    }

    /// Refuses a name or a string behind which another operation follows without a semicolon.
    fn check_end(&self) -> Result<(), String> {
        let mut is_behind_text = false;
        let mut within = false;
        for part in self.operand.split_inclusive('"') {
            let text = part.strip_suffix('"').unwrap_or(part);
            let words = (!within).then(|| text.split_whitespace());
            for word in words.into_iter().flatten() {
                let is_name = word.starts_with(|letter: char| letter.is_ascii_alphabetic());
                if is_behind_text && is_name || is_known(word) && !is_comment(&self.name) {
                    return Err(format!("a `;` is missing before `{}`", shown(word)));
                }
            }
            is_behind_text |= within;
            within ^= part.ends_with('"');
        }
        Ok(())
    }
}

/// Returns whether an operation is a comment, `c0` to `c9`.
fn is_comment(name: &str) -> bool {
    matches!(name.as_bytes(), [b'c', b'0'..=b'9'])
}

/// A line without the words of engine protocols before its position: `position fen`, `fen`,
/// `sfen`.
pub(crate) fn without_command(line: &str) -> &str {
    let line = line.strip_prefix("position ").unwrap_or(line).trim_start();
    let position = line
        .strip_prefix("fen ")
        .or_else(|| line.strip_prefix("sfen "));
    position.unwrap_or(line).trim_start()
}

/// Writes an EPD line without a line break: board, side, then two unused fields, `hmvc` and `fmvn`
/// if the game has counters, and finally the operations.
pub fn write_epd<'o>(
    position: &dyn AnyPosition,
    operations: impl IntoIterator<Item = &'o Operation>,
) -> String {
    let fen = position.to_fen();
    let mut fields = fen.split(' ');
    let mut text = fields.by_ref().take(4).collect::<Vec<_>>().join(" ");
    if let (Some(clock), Some(number)) = (fields.next(), fields.next()) {
        let _ = write!(text, " hmvc {clock}; fmvn {number};");
    } else {
        text.push(';');
    }
    for operation in operations {
        let _ = write!(text, " {operation}");
    }
    text
}

/// Reads an EPD line (four fields, then operations such as `hmvc 9; id "x";`), a FEN line (six
/// fields) or a board with a side, optionally with operations. `hmvc` and `fmvn` become the fifth
/// and sixth field. The game's minimum number of leading fields always belongs to the position,
/// even if a field looks like a name. Moves may follow the position after the word `moves`, and
/// `position` and `fen` may come before it, or `startpos` instead of it, as in engine protocols.
///
/// # Errors
/// The reason why the line is unreadable, as a lowercase fragment.
pub fn parse_epd(line: &str, facts: &Facts) -> Result<EpdLine, String> {
    let line = (facts.own_board)(without_command(line));
    let parts = split_operations(&line)?;
    let (first, operations) = parts.split_first().ok_or("nothing there")?;
    // The board and the side, then all fields that do not begin like a name.
    let words: Vec<&str> = first.split_whitespace().collect();
    let is_start = words.first() == Some(&"startpos");
    let least = if is_start { 1 } else { facts.fen_fields };
    let named = |word: &&str| word.starts_with(|c: char| c.is_ascii_alphabetic());
    let name = words.iter().skip(least).position(named);
    let fields = name.map_or(words.len(), |more| more + least);
    let mut position: Vec<String> = words[..fields].iter().map(ToString::to_string).collect();
    let rest = words.get(fields).map(|word| &first[offset(first, word)..]);

    let (mut counters, mut moves, mut others) = ([None; 2], None, Vec::new());
    for operation in rest.into_iter().chain(operations.iter().copied()) {
        let operation = operation.trim();
        let parts = operation.split_once(char::is_whitespace);
        let (name, operand) = parts.unwrap_or((operation, ""));
        match name {
            "" => {}
            "hmvc" if facts.fen_counters => once(&mut counters[0], name, counter(name, operand)?)?,
            "fmvn" if facts.fen_counters => once(&mut counters[1], name, counter(name, operand)?)?,
            "moves" => once(&mut moves, name, operand.trim().to_owned())?,
            _ => {
                let operation = Operation {
                    name: name.to_owned(),
                    operand: operand.trim().to_owned(),
                };
                operation.check_end()?;
                others.push(operation);
            }
        }
    }
    let counted = counters != [None; 2];
    if is_start && counted {
        return Err("`startpos` has its own counters: remove `hmvc` and `fmvn`".to_owned());
    }
    if is_start {
        position.clear();
    } else if counted || facts.fen_counters && position.len() == 4 {
        let missing = 4_usize.saturating_sub(position.len());
        position.extend(iter::repeat_n("-".to_owned(), missing));
        for (place, (name, counter)) in (4..).zip(["hmvc", "fmvn"].into_iter().zip(counters)) {
            match (position.get(place), counter) {
                (Some(field), Some(_)) => {
                    return Err(format!(
                        "`{}` and `{name}` are the same counter: remove one of them",
                        shown(field)
                    ));
                }
                (Some(_), None) => {}
                // Half moves are counted from 0, moves from 1.
                (None, _) => position.push(counter.unwrap_or(place as u32 - 4).to_string()),
            }
        }
    }
    let moves = moves.unwrap_or_default();
    Ok(EpdLine {
        position: position.join(" "),
        moves,
        operations: others,
    })
}

/// Splits the line at its semicolons, except within quotes.
fn split_operations(line: &str) -> Result<Vec<&str>, String> {
    let mut within = false;
    let parts = line
        .split(|c| {
            within ^= c == '"';
            c == ';' && !within
        })
        .collect();
    if within {
        return Err("a quotation mark is not closed".to_owned());
    }
    Ok(parts)
}

/// Returns the offset of `word`, a part of `text`, in it.
fn offset(text: &str, word: &str) -> usize {
    word.as_ptr() as usize - text.as_ptr() as usize
}

/// Stores the operand of an operation that may be there once.
fn once<T>(place: &mut Option<T>, name: &str, operand: T) -> Result<(), String> {
    match place.replace(operand) {
        Some(_) => Err(format!("duplicate operation `{name}`")),
        None => Ok(()),
    }
}

fn counter(name: &str, operand: &str) -> Result<u32, String> {
    let operand = operand.trim();
    let number = operand.parse();
    number.map_err(|_| format!("`{name}` is followed by `{operand}`, not by a number"))
}

fn unquoted(operand: &str) -> &str {
    let operand = operand.trim();
    let rest = operand.strip_prefix('"');
    rest.and_then(|rest| rest.strip_suffix('"'))
        .unwrap_or(operand)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TWO: Facts = Facts::new("A game", "with a board and a side");
    const FOUR: Facts = Facts {
        fen_fields: 4,
        ..TWO
    };
    const NO_COUNTERS: Facts = Facts {
        fen_counters: false,
        ..FOUR
    };

    fn read(line: &str) -> (String, Option<String>) {
        let line = parse_epd(line, &TWO).unwrap();
        let id = line.id().map(str::to_owned);
        (line.position, id)
    }

    #[test]
    fn epd_operations_become_fen_fields() {
        let line = r#"r8/9 b - - hmvc 9; fmvn 5; id "xq-op-0001"; ce -29; c0 "h2f2; a9a8";"#;
        assert_eq!(
            read(line),
            ("r8/9 b - - 9 5".into(), Some("xq-op-0001".into()))
        );
        assert_eq!(read("r8/9 b - -"), ("r8/9 b - - 0 1".into(), None));
        assert_eq!(read("r8/9 b - - id x y;").1, Some("x y".into()));
        assert_eq!(read("r8/9 b hmvc 3;").0, "r8/9 b - - 3 1");
    }

    #[test]
    fn fen_lines_stay_as_they_are() {
        assert_eq!(read("r8/9 b - - 9 5").0, "r8/9 b - - 9 5");
        assert_eq!(read("r8/9 b").0, "r8/9 b");
    }

    #[test]
    fn boards_with_a_side_may_carry_operations() {
        let line = r#"---XO--- X; id "ot-001"; c0 "f5d6";"#;
        assert_eq!(read(line), ("---XO--- X".into(), Some("ot-001".into())));
        assert_eq!(read("---XO--- X;").0, "---XO--- X");
    }

    #[test]
    fn unreadable_inputs() {
        assert!(
            parse_epd(r#"r8/9 b - - id "x"#, &TWO)
                .unwrap_err()
                .contains("not closed")
        );
        assert!(
            parse_epd("r8/9 b - - hmvc x;", &TWO)
                .unwrap_err()
                .contains("`hmvc`")
        );
        assert!(
            parse_epd("r8/9 b - - fmvn -1;", &TWO)
                .unwrap_err()
                .contains("`fmvn`")
        );
    }

    #[test]
    fn nothing_is_lost_silently() {
        for (rest, problem) in [
            ("- - hmvc 3; hmvc 5;", "duplicate operation `hmvc`"),
            (
                "- - fmvn 3; id \"x\"; fmvn 3;",
                "duplicate operation `fmvn`",
            ),
            ("- - moves a1a2; moves a1a2;", "duplicate operation `moves`"),
            ("- - 0 1 hmvc 30;", "`0` and `hmvc` are the same counter"),
            ("- - 0 1 fmvn 1;", "`1` and `fmvn` are the same counter"),
            ("- - 5 hmvc 9;", "`5` and `hmvc` are the same counter"),
            ("- - id \"WAC.001\" bm e4;", "a `;` is missing before `bm`"),
            ("- - id WAC.001 bm e4;", "a `;` is missing before `bm`"),
            ("- - bm e4 id \"x\";", "a `;` is missing before `id`"),
            ("- - ce 12 acd 4;", "a `;` is missing before `acd`"),
            ("- - c0 \"x\" noop;", "a `;` is missing before `noop`"),
        ] {
            let error = parse_epd(&format!("r8/9 b {rest}"), &TWO).unwrap_err();
            assert!(error.starts_with(problem), "{rest}: {error}");
        }
        let error = parse_epd("startpos hmvc 3;", &TWO).unwrap_err();
        assert!(error.contains("own counters"), "{error}");
        assert_eq!(read("r8/9 b - - 5; fmvn 9;").0, "r8/9 b - - 5 9");
        assert_eq!(
            read("r8/9 b - - c0 played at 5 pm, see id 7;").0,
            "r8/9 b - - 0 1"
        );
        // Without counters they are operations like others.
        let line = parse_epd("r8/9 b - - hmvc 3;", &NO_COUNTERS).unwrap();
        assert_eq!(line.operations[0].to_string(), "hmvc 3;");
    }

    #[test]
    fn moves_without_their_word_are_refused() {
        const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        let card = leitai_chess::card();
        for (line, word) in [
            (format!("{START} 0 1 e2e4 e7e5"), "e2e4"),
            (format!("{START} 0 1 e2e5 e7e5"), "e2e5"),
            (format!("{START} Nf3"), "Nf3"),
            (format!("{START} moves e2e4; e7e5"), "e7e5"),
            ("startpos moves e2e4; e7e5 g1f3".to_owned(), "e7e5"),
            (format!("{START} 0 1 e2e4z e7e5;"), "e2e4z"),
            (format!("{START} 0 1 line e2e4 e7e5;"), "line"),
            (format!("{START} c4;"), "c4"),
        ] {
            let error = parse_epd(&line, card.facts())
                .unwrap()
                .line(card)
                .unwrap_err();
            assert!(
                error.starts_with(&format!("`{word}` is no operation")),
                "{line}: {error}"
            );
        }
        for line in [
            format!("{START} c3 \"good\"; c4 a comment; id \"x\"; bm e4 Nf3; noop;"),
            format!("{START} acn 12; ce 5; c0 \"e4\"; source Informant;"),
        ] {
            assert!(
                parse_epd(&line, card.facts()).unwrap().line(card).is_ok(),
                "{line}"
            );
        }
    }

    #[test]
    fn operations_are_kept_as_they_stand() {
        let line = r#"r8/9 b - - bm h2e2 c2c3; id "a; b"; noop; c0 "x" "y z"; hmvc 3;"#;
        let line = parse_epd(line, &TWO).unwrap();
        let told: Vec<_> = line.operations.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "bm h2e2 c2c3;",
                "id \"a; b\";",
                "noop;",
                "c0 \"x\" \"y z\";"
            ]
        );
        assert_eq!(line.operations[0].operands(), ["h2e2", "c2c3"]);
        assert_eq!(line.operations[3].operands(), ["x", "y z"]);
        assert!(line.operations[2].operands().is_empty());
        let quoted = Operation::text("c1", "say \"hi\"\n");
        assert_eq!(quoted.to_string(), "c1 \"say 'hi' \";");
    }

    proptest! {
        #[test]
        fn no_line_panics(line in "[-a-zé/0-9 ;\"]{0,60}") {
            let _ = parse_epd(&line, &TWO);
        }
    }

    #[test]
    fn fields_that_look_like_names_belong_to_the_position() {
        let read = |text: &str| {
            let line = parse_epd(text, &FOUR).unwrap();
            let names = line.operations.iter().map(|it| it.name.clone());
            (line.position.clone(), names.collect::<Vec<_>>().join(" "))
        };
        let told = |position: &str, names: &str| (position.to_owned(), names.to_owned());
        for (text, position, names) in [
            ("8/8 w KQkq -", "8/8 w KQkq - 0 1", ""),
            ("8/8 w KQ d6 bm e4; id \"a\";", "8/8 w KQ d6 0 1", "bm id"),
            (
                "8/8 w KQ d6 hmvc 3; fmvn 9; c9 \"x; y\";",
                "8/8 w KQ d6 3 9",
                "c9",
            ),
            ("8/8 w HAha - 7 12", "8/8 w HAha - 7 12", ""),
            ("8/8 w HAha - 7 12; am Nf3;", "8/8 w HAha - 7 12", "am"),
            ("8/8 w - - 7 12 id \"a\"", "8/8 w - - 7 12", "id"),
            ("8/8 w", "8/8 w", ""),
        ] {
            assert_eq!(read(text), told(position, names), "{text}");
        }
    }

    #[test]
    fn the_target_of_go_is_no_operation() {
        let read = |text: &str| {
            let line = parse_epd(text, &NO_COUNTERS).unwrap();
            let names = line.operations.iter().map(|it| it.name.clone());
            (line.position.clone(), names.collect::<Vec<_>>())
        };
        let fen = "...../..X../.XO../..X../..... O C3 B3";
        let named = vec!["id".to_owned(), "c0".to_owned()];
        for end in [
            "; id \"a\"; c0 \"b\";",
            " id \"a\"; c0 \"b\"",
            ";id \"a\";;c0 \"b\"",
        ] {
            assert_eq!(
                read(&format!("{fen}{end}")),
                (fen.to_owned(), named.clone())
            );
        }
        assert_eq!(read(fen), (fen.to_owned(), Vec::new()));
    }
}
