//! KIF, the format of Kakinoki Shogi and of most Japanese programs and sites.

use std::fmt::Write as _;

use leitai_game::{Position as _, Side};
use leitai_interchange::pgn::PgnGame;
use leitai_interchange::{NumberedLines, StatedGame};

use super::{ENDINGS, Ending, header_value, points_of, replayed, set_result, tag_value, to_move};
use crate::board::Shogi;
use crate::notation::{self, FILES, NAMES, RANKS};
use crate::piece::{Kind, Piece};
use crate::square::Square;

/// The headers with their tags; `上手` and `下手` are White and Black of a handicap game.
const HEADERS: [(&str, &str); 12] = [
    ("先手", "Black"),
    ("下手", "Black"),
    ("後手", "White"),
    ("上手", "White"),
    ("棋戦", "Event"),
    ("場所", "Site"),
    ("開始日時", "Date"),
    ("対局日", "Date"),
    ("終了日時", "EndDate"),
    ("戦型", "Opening"),
    ("持ち時間", "TimeControl"),
    ("表題", "Title"),
];

/// The pieces that White lacks in a game with a handicap: their squares on rank 1 and 2.
const HANDICAPS: [(&str, &str); 16] = [
    ("平手", ""),
    ("香落ち", "1a"),
    ("右香落ち", "9a"),
    ("角落ち", "2b"),
    ("飛車落ち", "8b"),
    ("飛香落ち", "8b 1a"),
    ("二枚落ち", "8b 2b"),
    ("三枚落ち", "8b 2b 1a"),
    ("四枚落ち", "8b 2b 1a 9a"),
    ("五枚落ち", "8b 2b 1a 9a 8a"),
    ("左五枚落ち", "8b 2b 1a 9a 2a"),
    ("六枚落ち", "8b 2b 1a 9a 2a 8a"),
    ("左七枚落ち", "8b 2b 1a 9a 2a 8a 3a"),
    ("右七枚落ち", "8b 2b 1a 9a 2a 8a 7a"),
    ("八枚落ち", "8b 2b 1a 9a 2a 8a 3a 7a"),
    ("十枚落ち", "8b 2b 1a 9a 2a 8a 3a 7a 4a 6a"),
];

/// Further words in the place of a move that end a game, with the half points of the side to move.
const ENDS: [(&str, Option<u8>, &str); 7] = [
    ("詰", Some(0), "checkmate"),
    ("時間切れ", Some(0), "time forfeit"),
    ("Time-up", Some(0), "time forfeit"),
    ("不戦敗", Some(0), "abandoned"),
    ("不戦勝", Some(2), "abandoned"),
    ("封じ手", None, "unterminated"),
    ("不詰", None, ""),
];

/// The beginning of a comment that begins a game.
const BANNER: &str = "# ----";

/// A board in the drawing of KIF.
#[derive(Default)]
struct Drawing {
    pieces: Vec<(Square, Piece)>,
    hands: [[u8; 7]; 2],
    ranks: usize,
}

/// A problem and its remedy.
type Problem = (String, &'static str);

/// Reads the next game.
pub(crate) fn read(lines: &mut NumberedLines<'_>) -> Option<StatedGame> {
    let mut game = StatedGame::default();
    let mut drawing = Drawing::default();
    let mut removed = "";
    let mut turn = None;
    let mut last = String::new();
    let mut ending = None;
    let mut has_ended = false;
    while let Some((number, line)) = lines.peek() {
        let (number, line) = (*number, line.trim().to_owned());
        let header = header_of(&line);
        // A file has one game, or a banner or the headers of the next one behind it.
        let is_banner = line.starts_with(BANNER) && game.line > 0;
        if is_banner || has_ended && matches!(header, Some(("手合割" | "先手" | "下手", _)))
        {
            break;
        }
        lines.next();
        if line.is_empty() || line.starts_with(['#', '*', '&']) {
            continue;
        }
        if game.line == 0 {
            game.line = number;
        }
        let read = if let Some(row) = line.strip_prefix('|') {
            drawing.row(row)
        } else if let Some(header) = header {
            // The first variation ends the game.
            has_ended |= header.0 == "変化";
            read_header(&mut game, &mut drawing, header, &mut removed)
        } else if let Some(statement) = line.strip_prefix("まで") {
            ending = ending.or_else(|| stated_result(statement));
            has_ended = true;
            Ok(())
        } else if has_ended {
            Ok(())
        } else {
            match &*line {
                "先手番" | "下手番" => turn = Some(Side::First),
                "後手番" | "上手番" => turn = Some(Side::Second),
                _ => {}
            }
            let read = move_of(&line, &last);
            if let Ok(Some(word)) = &read {
                if let Some(end) = end_of(word) {
                    ending = Some(Ended::At(end));
                    has_ended = true;
                } else if word.starts_with(FILES)
                    || word.starts_with(|it: char| it.is_ascii_digit())
                {
                    last = word.chars().take(2).collect();
                    game.moves.push((number, word.clone()));
                } else {
                    game.unknown_result = Some(word.clone());
                    has_ended = true;
                }
            }
            read.map(|_| ())
        };
        if let Err((problem, help)) = read {
            game.problem
                .get_or_insert((number, problem, help.to_owned()));
        }
    }
    if game.line == 0 {
        return None;
    }
    if !matches!(drawing.ranks, 0 | 9) {
        let problem = format!("the board has {} ranks", drawing.ranks);
        let help = "draw nine ranks: `| ・ ・ ・ ・ ・ ・ ・ ・ ・|一`".to_owned();
        game.problem.get_or_insert((game.line, problem, help));
    }
    let turn = turn.unwrap_or(Side::BOTH[usize::from(!removed.is_empty())]);
    let to_move = to_move(&game, turn);
    match ending {
        Some(Ended::At((points, termination))) => {
            set_result(&mut game, points_of(points, to_move), termination);
        }
        Some(Ended::Stated(points, termination)) => {
            set_result(&mut game, Some(points), termination);
        }
        None => {}
    }
    game.start = drawing.position(removed, turn);
    Some(game)
}

/// The end of a game.
enum Ended {
    /// By a word in the place of a move: half points of the side to move, and the reason.
    At((Option<u8>, &'static str)),
    /// By a statement: half points of Black.
    Stated(u8, &'static str),
}

/// A known header and its value; variations count as headers.
fn header_of(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(['：', ':'])?;
    let name = name.trim();
    let is_known = ["手合割", "変化"].contains(&name)
        || name.ends_with("の持駒")
        || HEADERS.iter().any(|(known, _)| *known == name)
        || line.contains('：');
    is_known.then_some((name, value.trim()))
}

/// The word of a move in a numbered line, with the target of the last move in place of `同`; `None`
/// for other lines.
fn move_of(line: &str, last: &str) -> Result<Option<String>, Problem> {
    if line.starts_with(['▲', '△', '▼', '▽', '☗', '☖']) {
        let problem = format!("`{line}` is a line of KI2, which is not read");
        return Err((problem, "export the game as KIF or CSA"));
    }
    let is_digit = |letter: char| letter.is_ascii_digit() || ('０'..='９').contains(&letter);
    let rest = line.trim_start_matches(is_digit);
    let is_numbered = rest.len() < line.len() && rest.starts_with(char::is_whitespace);
    let word = match rest.trim_start() {
        word if !is_numbered || word.is_empty() => return Ok(None),
        word => word,
    };
    let word = match word.strip_prefix('同') {
        Some(rest) => last.to_owned() + rest.trim_start(),
        None => word.to_owned(),
    };
    let word = word.split(char::is_whitespace).next().unwrap_or_default();
    // The files above a drawn board.
    if word.chars().count() == 1 && word.starts_with(FILES) {
        return Ok(None);
    }
    // The time may follow the origin at once.
    let brackets: Vec<usize> = word.match_indices('(').map(|(at, _)| at).collect();
    let end = brackets.get(1).copied().unwrap_or(word.len());
    Ok(Some(word[..end].trim_end_matches('+').to_owned()))
}

/// The half points of the side to move and the reason, if a word ends the game.
fn end_of(word: &str) -> Option<(Option<u8>, &'static str)> {
    let ours = ENDINGS.iter().map(|it| (it.kif, it.points, it.reason));
    let mut ends = ours.chain(ENDS);
    let (_, points, reason) = ends.find(|(text, ..)| word.starts_with(text))?;
    Some((points, reason))
}

/// The result in `60手で先手の勝ち`.
fn stated_result(statement: &str) -> Option<Ended> {
    let has = |word: &str| statement.contains(word);
    let points = match () {
        () if has("千日手") => return Some(Ended::Stated(1, "repetition")),
        () if has("持将棋") || has("引き分け") => 1,
        () if !has("勝ち") => return None,
        () if has("先手") || has("下手") => 2,
        () if has("後手") || has("上手") => 0,
        () => return None,
    };
    Some(Ended::Stated(points, ""))
}

/// Reads a header.
fn read_header(
    game: &mut StatedGame,
    drawing: &mut Drawing,
    (name, value): (&str, &str),
    removed: &mut &'static str,
) -> Result<(), Problem> {
    match name {
        "手合割" => {
            let known = HANDICAPS.iter().find(|(known, _)| *known == value);
            match known {
                Some((_, squares)) => *removed = squares,
                None if value == "その他" => {}
                None => {
                    let problem = format!("the handicap `{value}` is unknown");
                    return Err((
                        problem,
                        "draw the board in its place, with `手合割：その他`",
                    ));
                }
            }
        }
        "先手の持駒" | "下手の持駒" => return drawing.hand(Side::First, value),
        "後手の持駒" | "上手の持駒" => return drawing.hand(Side::Second, value),
        _ => {}
    }
    let tag = HEADERS.iter().find(|(known, _)| *known == name);
    if let Some((_, tag)) = tag
        && !value.is_empty()
    {
        let value = tag_value(tag, value);
        game.tags.push(((*tag).to_owned(), value));
    }
    Ok(())
}

impl Drawing {
    /// Reads a rank: `v香v桂 ・|一`.
    fn row(&mut self, text: &str) -> Result<(), Problem> {
        const HELP: &str = "draw nine squares of two letters: ` ・`, ` 歩` or `v歩`";
        let rank = self.ranks;
        self.ranks += 1;
        let cells: Vec<char> = text.chars().take_while(|letter| *letter != '|').collect();
        if cells.len() != 18 || rank > 8 {
            return Err((format!("`{text}` is no rank of a board"), HELP));
        }
        for (column, cell) in cells.chunks(2).enumerate() {
            let side = match cell[0] {
                'v' | 'V' | '▽' => Side::Second,
                ' ' | '^' | '▲' => Side::First,
                letter => return Err((format!("`{letter}` is the mark of no side"), HELP)),
            };
            if ['・', '.', ' ', '　'].contains(&cell[1]) {
                continue;
            }
            let kind = kind_of(cell[1]);
            let kind = kind.ok_or_else(|| (format!("`{}` is no piece", cell[1]), HELP))?;
            let square = Square::new(8 - column, rank);
            self.pieces.push((square, Piece { side, kind }));
        }
        Ok(())
    }

    /// Reads a hand: `飛　歩二`, also without blanks, and with digits.
    fn hand(&mut self, side: Side, text: &str) -> Result<(), Problem> {
        if text.starts_with("なし") {
            return Ok(());
        }
        let mut letters = text.chars().filter(|it| !it.is_whitespace()).peekable();
        while let Some(letter) = letters.next() {
            let kind = kind_of(letter).filter(|kind| (*kind as usize) < Kind::IN_HAND.len());
            let Some(kind) = kind else {
                return Err((
                    format!("`{letter}` is no piece in hand"),
                    "write `飛　歩二`",
                ));
            };
            let mut count = None;
            while let Some(value) = letters.peek().copied().and_then(number) {
                letters.next();
                let sum: u8 = count.unwrap_or(0);
                // Digits follow each other; in Japanese, ten and ones are added.
                count = Some(match value {
                    (digit, true) => sum.saturating_mul(10).saturating_add(digit),
                    (digit, false) => sum.saturating_add(digit),
                });
            }
            self.hands[side.index()][kind as usize] = count.unwrap_or(1);
        }
        Ok(())
    }

    /// The text of the start; `None` for the usual one.
    fn position(self, removed: &str, turn: Side) -> Option<String> {
        if self.ranks > 0 {
            return Some(Shogi::of(self.pieces, self.hands, turn, 1).to_fen());
        }
        if removed.is_empty() && turn == Side::First {
            return None;
        }
        let start = Shogi::initial();
        let removed: Vec<&str> = removed.split(' ').collect();
        let kept = |square: &Square| !removed.contains(&&*notation::square_text(*square));
        let squares = Square::all().filter(kept);
        let pieces = squares.filter_map(|at| Some((at, start.piece_on(at)?)));
        Some(Shogi::of(pieces, [[0; 7]; 2], turn, 1).to_fen())
    }
}

/// The kind with this name of one letter.
fn kind_of(letter: char) -> Option<Kind> {
    let mut utf8 = [0; 4];
    let name: &str = letter.encode_utf8(&mut utf8);
    let mut names = NAMES.iter();
    names.find_map(|(kind, names)| names.contains(&name).then_some(*kind))
}

/// The value of a numeral, and whether it is a digit.
fn number(letter: char) -> Option<(u8, bool)> {
    if letter == '十' {
        return Some((10, false));
    }
    let full = FILES.iter().position(|it| *it == letter).map(|at| at + 1);
    let full = full.or((letter == '０').then_some(0));
    let digit = full.or(letter.to_digit(10).map(|it| it as usize));
    let japanese = || RANKS.iter().position(|it| *it == letter);
    match digit {
        Some(digit) => Some((digit as u8, true)),
        None => Some((japanese()? as u8 + 1, false)),
    }
}

/// A number from 2 to 18 in Japanese.
fn japanese_number(number: u8) -> String {
    let ten = if number >= 10 { "十" } else { "" };
    let one = RANKS.get(usize::from(number % 10).wrapping_sub(1));
    format!("{ten}{}", one.map(char::to_string).unwrap_or_default())
}

/// Writes a game.
pub(crate) fn write(game: &PgnGame) -> Option<String> {
    let (start, moves) = replayed(game)?;
    let mut text = format!("{BANNER} KIF of Leitai ----\n");
    for (header, tag) in HEADERS {
        let is_first = HEADERS.iter().find(|(_, other)| *other == tag)?.0 == header;
        if let Some(value) = header_value(game, tag).filter(|_| is_first) {
            let _ = writeln!(text, "{header}：{value}");
        }
    }
    if start == Shogi::initial() {
        text.push_str("手合割：平手\n");
    } else {
        text.push_str(&drawn(&start));
    }
    text.push_str("手数----指手---------消費時間--\n");
    let mut position = start;
    for (number, mv) in (1..).zip(moves) {
        let _ = writeln!(text, "{number:>4} {}", notation::japanese(&position, mv));
        position.make(mv);
    }
    let number = game.moves.len() + 1;
    let word = Ending::of(game, position.side_to_move()).kif;
    let _ = write!(text, "{number:>4} {word}");
    Some(text)
}

/// The board in the drawing of KIF.
fn drawn(position: &Shogi) -> String {
    let mut text = String::new();
    let hand = |side: Side| {
        let counts = Kind::IN_HAND.into_iter().zip(position.hand(side));
        let words = counts.filter(|(_, count)| *count > 0).map(|(kind, count)| {
            let count = if count > 1 {
                japanese_number(count)
            } else {
                String::new()
            };
            format!("{}{count}", notation::name(kind))
        });
        let words: Vec<String> = words.collect();
        if words.is_empty() {
            "なし".to_owned()
        } else {
            words.join("　")
        }
    };
    let _ = writeln!(text, "手合割：その他\n後手の持駒：{}", hand(Side::Second));
    let files: Vec<String> = FILES.iter().rev().map(char::to_string).collect();
    let _ = writeln!(text, "  {}\n+---------------------------+", files.join(" "));
    for (rank, name_of_rank) in RANKS.into_iter().enumerate() {
        text.push('|');
        for file in (0..9).rev() {
            match position.piece_on(Square::new(file, rank)) {
                None => text.push_str(" ・"),
                Some(Piece { side, kind }) => {
                    let name = match kind {
                        Kind::ProLance => "杏",
                        Kind::ProKnight => "圭",
                        Kind::ProSilver => "全",
                        kind => notation::name(kind),
                    };
                    let _ = write!(text, "{}{name}", [' ', 'v'][side.index()]);
                }
            }
        }
        let _ = writeln!(text, "|{name_of_rank}");
    }
    let turn = ["先手番", "後手番"][position.side_to_move().index()];
    let _ = writeln!(
        text,
        "+---------------------------+\n先手の持駒：{}\n{turn}",
        hand(Side::First)
    );
    text
}
