//! KIF, the format of Kakinoki Shogi and of most Japanese programs and sites.

use std::fmt::Write as _;

use leitai_game::{Cause, Position as _, Side};
use leitai_interchange::pgn::PgnGame;
use leitai_interchange::{NumberedLines, StatedGame};

use super::{ending, header_value, points_to_move, replayed, tag_value};
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
const HANDICAPS: [(&str, &str); 12] = [
    ("平手", ""),
    ("香落ち", "1a"),
    ("右香落ち", "9a"),
    ("角落ち", "2b"),
    ("飛車落ち", "8b"),
    ("飛香落ち", "8b 1a"),
    ("二枚落ち", "8b 2b"),
    ("三枚落ち", "8b 2b 1a"),
    ("四枚落ち", "8b 2b 1a 9a"),
    ("六枚落ち", "8b 2b 1a 9a 2a 8a"),
    ("八枚落ち", "8b 2b 1a 9a 2a 8a 3a 7a"),
    ("十枚落ち", "8b 2b 1a 9a 2a 8a 3a 7a 4a 6a"),
];

/// Words in the place of a move that end a game.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// The side to move has lost.
    Lost,
    /// The side to move has won.
    Won,
    Drawn,
    /// The game has no result.
    Open,
}

const ENDS: [(&str, End); 14] = [
    ("投了", End::Lost),
    ("詰み", End::Lost),
    ("切れ負け", End::Lost),
    ("時間切れ", End::Lost),
    ("反則負け", End::Lost),
    ("不戦敗", End::Lost),
    ("反則勝ち", End::Won),
    ("入玉勝ち", End::Won),
    ("千日手", End::Drawn),
    ("持将棋", End::Drawn),
    ("引き分け", End::Drawn),
    ("中断", End::Open),
    ("封じ手", End::Open),
    ("不詰", End::Open),
];

/// The beginning of a comment that begins a game.
const BANNER: &str = "# ----";

/// A board in the drawing of KIF.
#[derive(Default)]
struct Drawing {
    pieces: Vec<(Square, Piece)>,
    hands: [[u8; 7]; 2],
    rank: usize,
}

/// Reads the next game.
pub(crate) fn read(lines: &mut NumberedLines<'_>) -> Option<StatedGame> {
    let mut game = StatedGame::default();
    let mut drawing = Drawing::default();
    let mut removed = "";
    let mut is_whites_turn = None;
    let mut last = String::new();
    let mut has_ended = false;
    for (number, line) in lines {
        let line = line.trim();
        // A file has one game, or such a line before each.
        if line.starts_with(BANNER) && game.line > 0 {
            break;
        }
        if line.is_empty() || line.starts_with(['#', '*', '&']) {
            continue;
        }
        if game.line == 0 {
            game.line = number;
        }
        has_ended |= line.starts_with("まで");
        if let Some(row) = line.strip_prefix('|') {
            drawing.row(row);
            continue;
        }
        match line {
            "先手番" | "下手番" => is_whites_turn = Some(false),
            "後手番" | "上手番" => is_whites_turn = Some(true),
            _ => {}
        }
        if let Some((name, value)) = line.split_once('：') {
            // The first variation ends the game.
            if name == "変化" {
                has_ended = true;
            }
            let begins_game = name == "手合割" || HEADERS.iter().any(|(known, _)| *known == name);
            if has_ended && begins_game {
                let problem = "another game begins in the file".to_owned();
                let help = format!("write each in a file of its own, or `{BANNER}` before it");
                game.problem.get_or_insert((number, problem, help));
            }
            removed = header(
                &mut game,
                &mut drawing,
                (name, value.trim()),
                removed,
                number,
            );
            continue;
        }
        let word = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
        if word.len() == line.len() || has_ended || !word.starts_with([' ', '\u{3000}']) {
            continue;
        }
        let word = word.trim_start().replace(['\u{3000}'], "");
        let word = word.split([' ', '\t']).next().unwrap_or_default();
        let word = word.trim_end_matches('+');
        if let Some((_, end)) = ENDS.iter().find(|(text, _)| word.starts_with(text)) {
            has_ended = true;
            let handicap = !removed.is_empty() || is_whites_turn == Some(true);
            let to_move = (game.moves.len() + usize::from(handicap)) % 2;
            game.half_points = match end {
                End::Lost => Some([0, 2][to_move]),
                End::Won => Some([2, 0][to_move]),
                End::Drawn => Some(1),
                End::Open => None,
            };
            continue;
        }
        let word = match word.strip_prefix('同') {
            Some(rest) => last.clone() + rest,
            None => word.to_owned(),
        };
        last = word.chars().take(2).collect();
        game.moves.push((number, word));
    }
    if game.line == 0 {
        return None;
    }
    game.start = drawing.position(removed, is_whites_turn);
    Some(game)
}

/// Reads a header; returns the squares without White's pieces.
fn header(
    game: &mut StatedGame,
    drawing: &mut Drawing,
    (name, value): (&str, &str),
    removed: &'static str,
    line: u64,
) -> &'static str {
    let name = name.trim();
    match name {
        "手合割" => {
            let known = HANDICAPS.iter().find(|(known, _)| *known == value);
            if known.is_none() && value != "その他" {
                let problem = format!("the handicap `{value}` is unknown");
                let help = "draw the board in its place, with `手合割：その他`".to_owned();
                game.problem.get_or_insert((line, problem, help));
            }
            return known.map_or(removed, |(_, removed)| removed);
        }
        "先手の持駒" | "下手の持駒" => drawing.hand(Side::First, value),
        "後手の持駒" | "上手の持駒" => drawing.hand(Side::Second, value),
        _ => {}
    }
    let tag = HEADERS.iter().find(|(known, _)| *known == name);
    if let Some((_, tag)) = tag
        && !value.is_empty()
    {
        let value = tag_value(tag, value);
        game.tags.push(((*tag).to_owned(), value));
    }
    removed
}

impl Drawing {
    /// Reads a rank: `v香v桂 ・|一`.
    fn row(&mut self, text: &str) {
        let rank = self.rank;
        self.rank += 1;
        let mut letters = text.chars();
        let mut column = 0;
        while let Some(letter) = letters.next() {
            if letter == '|' || column > 8 || rank > 8 {
                break;
            }
            let side = match letter {
                'v' | 'V' | '▽' => Side::Second,
                ' ' | '^' | '▲' => Side::First,
                _ => continue,
            };
            let kind = letters.next().map(String::from);
            let mut names = NAMES.iter();
            let kind = kind.and_then(|name| {
                let found = names.find(|(_, names)| names.contains(&&*name));
                found.map(|(kind, _)| *kind)
            });
            if let Some(kind) = kind {
                self.pieces
                    .push((Square::new(8 - column, rank), Piece { side, kind }));
            }
            column += 1;
        }
    }

    /// Reads a hand: `飛　歩二`.
    fn hand(&mut self, side: Side, text: &str) {
        for word in text.split(['　', ' ']) {
            let mut letters = word.chars();
            let name = letters.next().map(String::from).unwrap_or_default();
            let kind = NAMES.iter().find(|(_, names)| names.contains(&&*name));
            let Some((kind, _)) = kind else { continue };
            let count = number(letters.as_str()).unwrap_or(1);
            if let Some(own) = self.hands[side.index()].get_mut(*kind as usize) {
                *own = count;
            }
        }
    }

    /// The text of the start; `None` for the usual one.
    fn position(self, removed: &str, is_whites_turn: Option<bool>) -> Option<String> {
        let turn = |is_white: bool| Side::BOTH[usize::from(is_white)];
        if !self.pieces.is_empty() {
            let side = turn(is_whites_turn.unwrap_or(false));
            let position = Shogi::of(self.pieces, self.hands, side, 1);
            return Some(position.to_fen());
        }
        if removed.is_empty() {
            return None;
        }
        let start = Shogi::initial();
        let removed: Vec<&str> = removed.split(' ').collect();
        let kept = |square: &Square| !removed.contains(&&*notation::square_text(*square));
        let squares = Square::all().filter(kept);
        let pieces = squares.filter_map(|at| Some((at, start.piece_on(at)?)));
        let position = Shogi::of(pieces, [[0; 7]; 2], turn(true), 1);
        Some(position.to_fen())
    }
}

/// A number in Japanese up to 19.
fn number(text: &str) -> Option<u8> {
    let mut sum = 0;
    for letter in text.chars() {
        match letter {
            '十' => sum += 10,
            _ => sum += 1 + RANKS.iter().position(|it| *it == letter)? as u8,
        }
    }
    (sum > 0).then_some(sum)
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
    let won = points_to_move(game, position.side_to_move());
    let cause = ending(game);
    let word = match (won, cause) {
        (Some(0), Some(Cause::Checkmate)) => "詰み",
        (Some(0), _) => "投了",
        (Some(1), Some(Cause::Repetition)) => "千日手",
        (Some(1), _) => "持将棋",
        (Some(_), Some(Cause::PerpetualCheck)) => "反則勝ち",
        (Some(_), _) => "入玉勝ち",
        (None, _) => "中断",
    };
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
