//! One line of EPD: a position and its operations.

use std::fmt::{self, Write as _};
use std::iter;

use crate::moves::{in_any_dialect, play_word};
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
        // A word such as `move` or `line` instead of `moves` must not hide them.
        let moves = self
            .operations
            .iter()
            .find(|it| it.hides_moves(line.position()));
        match moves {
            Some(it) => Err(format!(
                "`{it}` are moves of an unknown operation: write `moves`"
            )),
            None => Ok(line),
        }
    }
}

/// Operations whose operands are moves of the position.
pub(crate) const MOVES: [&str; 4] = ["bm", "am", "pm", "sm"];

/// Operations whose operands are moves one after the other, in text or not.
const LINES: [&str; 2] = ["pv", "c0"];

impl Operation {
    /// Returns whether the operands of an unknown operation are moves one after the other.
    fn hides_moves(&self, position: &dyn AnyPosition) -> bool {
        let name = &&*self.name;
        if MOVES.contains(name)
            || LINES.contains(name)
            || self.operand.is_empty()
            || self.operand.contains('"')
        {
            return false;
        }
        let mut line = position.card().line(position);
        let mut words = self.operand.split_whitespace();
        words.all(|word| play_word(&mut *line, word, None).is_ok_and(|moves| moves > 0))
    }
}

/// A line without the words of engine protocols before its position: `position fen`, `fen`.
pub(crate) fn without_command(line: &str) -> &str {
    let line = line.strip_prefix("position ").unwrap_or(line).trim_start();
    line.strip_prefix("fen ").unwrap_or(line).trim_start()
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

    let (mut half_moves, mut full_move, mut others) = (None, None, Vec::new());
    let mut moves = String::new();
    for operation in rest.into_iter().chain(operations.iter().copied()) {
        let operation = operation.trim();
        let parts = operation.split_once(char::is_whitespace);
        let (name, operand) = parts.unwrap_or((operation, ""));
        match name {
            "" => {}
            "hmvc" => half_moves = Some(counter(name, operand)?),
            "fmvn" => full_move = Some(counter(name, operand)?),
            "moves" if moves.is_empty() => operand.trim().clone_into(&mut moves),
            _ => others.push(Operation {
                name: name.to_owned(),
                operand: operand.trim().to_owned(),
            }),
        }
    }
    let counted = half_moves.is_some() || full_move.is_some();
    if is_start {
        position.clear();
    } else if !facts.fen_counters {
        // The position has no counters.
    } else if position.len() == 4 || (position.len() < 4 && counted) {
        position.extend(iter::repeat_n("-".to_owned(), 4 - position.len()));
        position.push(half_moves.unwrap_or(0).to_string());
        position.push(full_move.unwrap_or(1).to_string());
    }
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

    const TWO: Facts = Facts::of("A game", "with a board and a side");
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
