//! CSA, the format of the Computer Shogi Association, version 2.2.

use std::fmt::Write as _;

use leitai_game::{Position as _, Side};
use leitai_interchange::pgn::PgnGame;
use leitai_interchange::{NumberedLines, StatedGame};

use super::{ENDINGS, Ending, header_value, points_of, replayed, set_result, tag_value, to_move};
use crate::board::Shogi;
use crate::moves::{Parts, unpack};
use crate::notation::{CSA_NAMES, csa_kind, square_of_digits};
use crate::piece::{Kind, Piece};
use crate::square::Square;

/// Headers with their tags.
const HEADERS: [(&str, &str); 6] = [
    ("N+", "Black"),
    ("N-", "White"),
    ("$EVENT:", "Event"),
    ("$SITE:", "Site"),
    ("$START_TIME:", "Date"),
    ("$OPENING:", "Opening"),
];

/// Further words that end a game, with the half points of the side to move.
const ENDS: [(&str, Option<u8>, &str); 4] = [
    ("%MATTA", None, ""),
    ("%FUZUMI", None, ""),
    ("%ERROR", None, ""),
    ("%UCHIKIRI", None, ""),
];

/// Reads the next game.
pub(crate) fn read(lines: &mut NumberedLines<'_>) -> Option<StatedGame> {
    let mut game = StatedGame::default();
    let mut board = Board::default();
    let mut turn = Side::First;
    let mut has_ended = false;
    while let Some((number, line)) = lines.peek() {
        let (number, line) = (*number, line.trim_end().to_owned());
        // Without a `/` between them, the next game begins with a version, a header or a board.
        let has_moves = has_ended || !game.moves.is_empty();
        if has_moves && line.starts_with(['V', 'N', '$', 'P']) {
            break;
        }
        lines.next();
        if line.starts_with('\'') || line.is_empty() {
            continue;
        }
        if line == "/" {
            if game.line > 0 {
                break;
            }
            continue;
        }
        if game.line == 0 {
            game.line = number;
        }
        let header = HEADERS.iter().find(|(header, _)| line.starts_with(header));
        if let Some((header, tag)) = header {
            let value = tag_value(tag, line[header.len()..].trim());
            if !value.is_empty() {
                game.tags.push(((*tag).to_owned(), value));
            }
            continue;
        }
        // Statements of one line are separated by commas.
        for word in line.split(',').map(str::trim_end) {
            match word.trim() {
                _ if word.starts_with('P') => {
                    let read = board.line(word);
                    let problem = read.is_none().then(|| not_a_board(number, word));
                    game.problem = game.problem.or(problem);
                }
                "+" => turn = Side::First,
                "-" => turn = Side::Second,
                _ if has_ended => {}
                word if word.starts_with('%') => {
                    end(&mut game, word, turn);
                    has_ended = true;
                }
                word if word.starts_with(['+', '-']) => {
                    game.moves.push((number, word.to_owned()));
                }
                _ => {}
            }
        }
    }
    if game.line == 0 {
        return None;
    }
    game.start = board.position(turn);
    Some(game)
}

/// The problem of a line that is no line of a board, and its remedy.
fn not_a_board(number: u64, line: &str) -> (u64, String, String) {
    let problem = format!("`{line}` is no line of a board");
    let help = "write ranks as `P1-KY-KE...`, or `PI` for the usual start".to_owned();
    (number, problem, help)
}

fn end(game: &mut StatedGame, word: &str, turn: Side) {
    let to_move = to_move(game, turn);
    // `%+ILLEGAL_ACTION`: Black has lost by it.
    let loser = match word {
        "%+ILLEGAL_ACTION" => Some(Side::First),
        "%-ILLEGAL_ACTION" => Some(Side::Second),
        _ => None,
    };
    if let Some(loser) = loser {
        set_result(game, Some([0, 2][loser.index()]), "rules infraction");
        return;
    }
    let ours = ENDINGS.iter().map(|it| (it.csa, it.points, it.reason));
    match ours.chain(ENDS).find(|(known, ..)| *known == word) {
        None => game.unknown_result = Some(word.to_owned()),
        Some((_, points, reason)) => set_result(game, points_of(points, to_move), reason),
    }
}

/// A board as stated.
#[derive(Default)]
struct Board {
    pieces: Vec<(Square, Piece)>,
    hands: [[u8; 7]; 2],
    is_stated: bool,
    is_usual: bool,
}

impl Board {
    /// Reads a line of a board; `None` if it is none.
    fn line(&mut self, line: &str) -> Option<()> {
        self.is_stated = true;
        let what = line.get(1..2)?;
        let rest = line.get(2..)?;
        match what {
            "I" => {
                let start = Shogi::initial();
                let pieces = Square::all().filter_map(|at| Some((at, start.piece_on(at)?)));
                self.pieces = pieces.collect();
                self.is_usual = rest.is_empty();
                for removed in parts(rest, 4)? {
                    let at = square_of_digits(removed.get(..2)?)?;
                    self.pieces.retain(|(square, _)| *square != at);
                }
            }
            "+" | "-" => {
                self.is_usual = false;
                let side = Side::BOTH[usize::from(what == "-")];
                for part in parts(rest, 4)? {
                    let (at, name) = part.split_at_checked(2)?;
                    if name == "AL" {
                        self.all(side);
                        continue;
                    }
                    let kind = csa_kind(name)?;
                    if at == "00" {
                        let held = self.hands[side.index()].get_mut(kind as usize)?;
                        *held = held.saturating_add(1);
                    } else {
                        self.put(square_of_digits(at)?, Piece { side, kind })?;
                    }
                }
            }
            _ => {
                self.is_usual = false;
                let rank = what.parse::<usize>().ok()?.checked_sub(1)?;
                if rank > 8 {
                    return None;
                }
                // Blanks at the end of a line may be lost.
                let squares = format!("{rest:<27}");
                for (column, part) in parts(&squares, 3)?.into_iter().enumerate().take(9) {
                    let side = match part.get(..1)? {
                        "+" => Side::First,
                        "-" => Side::Second,
                        _ => continue,
                    };
                    let kind = csa_kind(part.get(1..)?)?;
                    self.put(Square::new(8 - column, rank), Piece { side, kind })?;
                }
            }
        }
        Some(())
    }

    /// Places a piece; `None` if there is one on the square.
    fn put(&mut self, square: Square, piece: Piece) -> Option<()> {
        let is_free = self.pieces.iter().all(|(other, _)| *other != square);
        is_free.then(|| self.pieces.push((square, piece)))
    }

    /// Gives a side all pieces that are not placed.
    fn all(&mut self, side: Side) {
        for (kind, number) in Kind::IN_HAND.into_iter().zip(Kind::NUMBERS) {
            let placed = self
                .pieces
                .iter()
                .filter(|(_, it)| it.kind.base() == kind)
                .count();
            let other = self.hands[side.other().index()][kind as usize];
            let left = number.saturating_sub(placed as u8).saturating_sub(other);
            self.hands[side.index()][kind as usize] = left;
        }
    }

    /// The text of the start; `None` for the usual one.
    fn position(self, turn: Side) -> Option<String> {
        let is_usual = !self.is_stated || self.is_usual;
        if is_usual && turn == Side::First {
            return None;
        }
        Some(Shogi::of(self.pieces, self.hands, turn, 1).to_fen())
    }
}

/// Parts of an equal length; `None` if a rest is left that is not blank.
fn parts(text: &str, length: usize) -> Option<Vec<&str>> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((part, more)) = rest.split_at_checked(length) {
        parts.push(part);
        rest = more;
    }
    rest.trim().is_empty().then_some(parts)
}

/// Writes a game.
pub(crate) fn write(game: &PgnGame) -> Option<String> {
    let (start, moves) = replayed(game)?;
    let mut text = "V2.2\n".to_owned();
    for (header, tag) in HEADERS {
        if let Some(value) = header_value(game, tag) {
            let _ = writeln!(text, "{header}{value}");
        }
    }
    if start == Shogi::initial() {
        text.push_str("PI\n");
    } else {
        text.push_str(&stated(&start));
    }
    let _ = writeln!(text, "{}", sign(start.side_to_move()));
    let mut position = start;
    for mv in moves {
        let _ = writeln!(text, "{}", move_text(&position, mv)?);
        position.make(mv);
    }
    let to_move = position.side_to_move();
    let word = match Ending::of(game, to_move).csa {
        "%ILLEGAL_ACTION" => format!("%{}ILLEGAL_ACTION", sign(to_move.other())),
        word => word.to_owned(),
    };
    text.push_str(&word);
    Some(text)
}

const fn sign(side: Side) -> char {
    match side {
        Side::First => '+',
        Side::Second => '-',
    }
}

fn digits(square: Square) -> String {
    format!("{}{}", square.file() + 1, square.rank() + 1)
}

fn move_text(position: &Shogi, mv: leitai_game::Move) -> Option<String> {
    let sign = sign(position.side_to_move());
    let (from, to, kind) = match unpack(mv)? {
        Parts::Drop { kind, to } => ("00".to_owned(), to, kind),
        Parts::Step { from, to, promotes } => {
            let kind = position.piece_on(from)?.kind;
            let promoted = if promotes { kind.promoted() } else { None };
            (digits(from), to, promoted.unwrap_or(kind))
        }
    };
    Some(format!(
        "{sign}{from}{}{}",
        digits(to),
        CSA_NAMES[kind as usize]
    ))
}

/// The board in lines, with the hands.
fn stated(position: &Shogi) -> String {
    let mut text = String::new();
    for rank in 0..9 {
        let _ = write!(text, "P{}", rank + 1);
        for file in (0..9).rev() {
            match position.piece_on(Square::new(file, rank)) {
                None => text.push_str(" * "),
                Some(Piece { side, kind }) => {
                    let _ = write!(text, "{}{}", sign(side), CSA_NAMES[kind as usize]);
                }
            }
        }
        text.push('\n');
    }
    for side in Side::BOTH {
        let counts = Kind::IN_HAND.into_iter().zip(position.hand(side));
        let pieces = counts.flat_map(|(kind, count)| {
            std::iter::repeat_n(format!("00{}", CSA_NAMES[kind as usize]), count.into())
        });
        let pieces: String = pieces.collect();
        if !pieces.is_empty() {
            let _ = writeln!(text, "P{}{pieces}", sign(side));
        }
    }
    text
}
