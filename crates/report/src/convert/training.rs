//! Positions of games with search data, for the training of evaluations.

use std::sync::mpsc::{self, Receiver};

use rayon::prelude::*;
use serde::Serialize;

use crate::csv::{line, or_empty, own, words};
use leitai_base::hash::mix;
use leitai_base::threads::shared_pool;
use leitai_game::card::AnyPosition;
use leitai_game::{Move, Side};
use leitai_interchange::pgn::{Game, OWN_EVENT};

/// A position of a game, the move played in it, and the player's search data.
#[derive(Clone, Debug, Serialize)]
pub struct TrainingPosition<'a> {
    /// Number of the pair, from 0; for games from files, a running number.
    pub pair: u64,
    /// Index of the game in the pair: 0 or 1.
    pub game: u8,
    /// Plies since the opening.
    pub ply: u16,
    /// The name of the opening.
    pub opening: &'a str,
    /// The position.
    pub fen: String,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The score from the mover's point of view.
    pub score: Option<i32>,
    /// Plies to the end of a decided game, negative if the mover loses.
    pub mate: Option<i64>,
    /// Depth of the search; 0 if unknown.
    pub depth: u8,
    /// Nodes; 0 if unknown.
    pub nodes: u64,
    /// Half points of the mover: 0, 1 or 2; `None` for a game without a result.
    pub half_points: Option<u8>,
}

/// Filter for positions.
#[derive(Clone, Debug, Default)]
pub struct TrainingFilter {
    /// Range of plies since the opening.
    pub plies: Option<std::ops::RangeInclusive<usize>>,
    /// Range of the mover's score; excludes positions without one, and decided ones.
    pub scores: Option<std::ops::RangeInclusive<i32>>,
    /// True for positions that a static evaluation can judge: no check, no known mate, the played
    /// move is no capture, and no capture wins material.
    pub settled: bool,
    /// Seed for choosing one position per game.
    pub one_per_game: Option<u64>,
}

/// Results computed from games on all threads.
pub struct ParallelResults<T>(Receiver<Vec<T>>);

impl<T: Send + 'static> ParallelResults<T> {
    /// Starts the computation for each game.
    pub fn start<G: Send + 'static>(
        games: Vec<G>,
        make: impl Fn(&G) -> T + Send + Sync + 'static,
    ) -> Self {
        let (sender, receiver) = mpsc::sync_channel(1);
        shared_pool().spawn(move || {
            // The receiver may be gone.
            let _ = sender.send(games.into_par_iter().map(|game| make(&game)).collect());
        });
        Self(receiver)
    }

    /// Waits for the results, in the order of the games.
    pub fn wait(self) -> Vec<T> {
        self.0.recv().unwrap_or_default()
    }
}

/// Passes the selected positions of a game to `take` in order; `pair` and `number` identify the
/// game.
///
/// # Errors
/// The error of `take`.
pub fn training<E>(
    game: &Game,
    (pair, number): (u64, u8),
    wanted: &TrainingFilter,
    mut take: impl FnMut(&TrainingPosition<'_>, &dyn AnyPosition) -> Result<(), E>,
) -> Result<(), E> {
    let moves = game.play.moves();
    let chosen = wanted.one_per_game.map(|seed| {
        let mut matching = Vec::new();
        for_each_match(game, &moves, wanted, |ply, _, _| {
            matching.push(ply);
            Ok::<_, ()>(())
        })
        .unwrap_or_default();
        let drawn = mixed(mixed(seed ^ mixed(pair)) ^ u64::from(number));
        matching
            .get((drawn % matching.len().max(1) as u64) as usize)
            .copied()
    });
    let opening = game.tags.get("Opening").unwrap_or_default();
    for_each_match(game, &moves, wanted, |ply, position, mv| {
        if chosen.is_some_and(|chosen| chosen != Some(ply)) {
            return Ok(());
        }
        let searched = game.searched.get(ply);
        let of_first = |points: u8| match position.side_to_move() {
            Side::First => points,
            Side::Second => 2 - points,
        };
        let row = TrainingPosition {
            pair,
            game: number,
            ply: ply as u16,
            opening,
            fen: position.to_fen(),
            mv: position.card().move_text(mv),
            score: searched.and_then(|searched| searched.score),
            mate: searched.and_then(|searched| searched.mate),
            depth: searched.map_or(0, |searched| searched.depth),
            nodes: searched.map_or(0, |searched| searched.nodes),
            half_points: game.points.map(of_first),
        };
        take(&row, position)
    })
}

/// Passes on the positions that match the filter, ignoring `one_per_game`.
fn for_each_match<E>(
    game: &Game,
    moves: &[Move],
    wanted: &TrainingFilter,
    mut take: impl FnMut(usize, &dyn AnyPosition, Move) -> Result<(), E>,
) -> Result<(), E> {
    let mut position = game.play.start().boxed();
    for (ply, &mv) in moves.iter().enumerate() {
        let searched = game.searched.get(ply);
        let score = searched
            .filter(|searched| searched.mate.is_none())
            .and_then(|searched| searched.score);
        let (plies, scores) = (wanted.plies.as_ref(), wanted.scores.as_ref());
        let is_unsettled = || {
            let is_mate = searched.is_some_and(|searched| searched.mate.is_some());
            position.in_check() || is_mate || position.is_unsettled(Some(mv))
        };
        if plies.is_none_or(|plies| plies.contains(&ply))
            && scores.is_none_or(|scores| score.is_some_and(|it| scores.contains(&it)))
            && !(wanted.settled && is_unsettled())
        {
            take(ply, &*position, mv)?;
        }
        position.play(mv);
    }
    Ok(())
}

/// The pair of one of our runs, from 0, and the index of the game in it; `None` for other games.
pub fn pair_of_own_game(game: &Game) -> Option<(u64, u8)> {
    game.tags
        .get("Event")
        .filter(|event| event.starts_with(OWN_EVENT))?;
    let (pair, number) = game.tags.get("Round")?.split_once('.')?;
    let pair = pair.parse::<u64>().ok()?.checked_sub(1)?;
    let number = number.parse::<u8>().ok()?.checked_sub(1)?;
    (number < 2).then_some((pair, number))
}

/// A pseudorandom number for each number (`SplitMix64`).
const fn mixed(number: u64) -> u64 {
    mix(number.wrapping_add(0x9e37_79b9_7f4a_7c15))
}

/// The column names of a table of positions, without a line end.
pub const TRAINING_HEADER: &str = "pair,game,ply,opening,fen,move,score,mate,depth,nodes,\
                                   half_points";

/// The line of a position with its end. Unknown values are empty.
pub fn training_row(row: &TrainingPosition<'_>) -> String {
    line(&[
        own(row.pair),
        own(row.game),
        own(row.ply),
        words(row.opening),
        own(&row.fen),
        own(&row.mv),
        or_empty(row.score),
        or_empty(row.mate),
        own(row.depth),
        own(row.nodes),
        or_empty(row.half_points),
    ])
}

/// Bytes before the first position.
const HEAD: usize = 32;
/// Bytes of a position before its squares.
const FIXED: usize = 32;

/// The header of a binary file: signature, version, bytes per position, number of squares, and the
/// game (docs/positions.md).
pub fn binary_header(position: &dyn AnyPosition) -> Vec<u8> {
    let mut board = Vec::new();
    squares(&position.to_fen(), &mut board);
    let squares = board.len();
    let mut head = Vec::with_capacity(HEAD);
    head.extend_from_slice(b"LEITAIP1");
    for number in [size(squares), squares] {
        head.extend_from_slice(&(number as u32).to_le_bytes());
    }
    let name = position.card().name().as_bytes();
    head.extend_from_slice(&name[..name.len().min(HEAD - 16)]);
    head.resize(HEAD, 0);
    head
}

/// Bytes per position: a multiple of eight.
fn size(squares: usize) -> usize {
    (FIXED + squares).next_multiple_of(8)
}

/// Appends a position of a binary file; see [`binary_header`].
pub fn binary(row: &TrainingPosition<'_>, position: &dyn AnyPosition, out: &mut Vec<u8>) {
    let start = out.len();
    let is_second = position.side_to_move() == Side::Second;
    out.extend_from_slice(&(row.pair as u32).to_le_bytes());
    out.extend_from_slice(&row.ply.to_le_bytes());
    out.extend_from_slice(&[row.game, u8::from(is_second)]);
    out.extend_from_slice(&row.score.unwrap_or(i32::MIN).to_le_bytes());
    let nodes = u32::try_from(row.nodes).unwrap_or(u32::MAX);
    out.extend_from_slice(&nodes.to_le_bytes());
    out.extend_from_slice(&[row.depth, row.half_points.unwrap_or(u8::MAX), 0, 0]);
    let mut mv = [0; 12];
    let text = row.mv.as_bytes();
    mv[..text.len().min(12)].copy_from_slice(&text[..text.len().min(12)]);
    out.extend_from_slice(&mv);
    squares(&row.fen, out);
    let size = size(out.len() - start - FIXED);
    out.resize(start + size, 0);
}

/// The bit of a promoted piece.
const PROMOTED: u8 = 1 << 7;

/// Appends the letters of the squares of a position from its text, row by row; 0 for empty squares,
/// which the text counts with digits.
fn squares(fen: &str, out: &mut Vec<u8>) {
    let board = fen.bytes().take_while(|&letter| letter != b' ');
    let mut empty = 0;
    let mut promotion = 0;
    for letter in board.chain([b'/']) {
        // Promoted pieces have bit 7 in place of a sign of their own.
        if letter == b'+' {
            promotion = PROMOTED;
            continue;
        }
        if letter.is_ascii_digit() {
            empty = 10 * empty + usize::from(letter - b'0');
            continue;
        }
        out.resize(out.len() + empty, 0);
        empty = 0;
        match letter {
            b'/' => {}
            b'-' | b'.' => out.push(0),
            letter => out.push(letter | std::mem::take(&mut promotion)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_those_of_the_text() {
        let of = |fen: &str| {
            let mut board = Vec::new();
            squares(fen, &mut board);
            board
        };
        assert_eq!(of("r2k/10P/.X"), b"r\0\0k\0\0\0\0\0\0\0\0\0\0P\0X");
        assert_eq!(of("+P1/k+r"), [b'P' | PROMOTED, 0, b'k', b'r' | PROMOTED]);
        let start = of(&leitai_chess::card().initial().to_fen());
        assert_eq!((start.len(), start[0], start[63]), (64, b'r', b'R'));
        for card in leitai_games::all()
            .iter()
            .filter(|card| card.name() != "go")
        {
            let counts = [
                ("chess", 64),
                ("xiangqi", 90),
                ("othello", 64),
                ("shogi", 81),
            ];
            let count = counts.iter().find(|(name, _)| *name == card.name());
            let head = binary_header(&*card.initial());
            let squares = u32::from_le_bytes(head[12..16].try_into().unwrap());
            assert_eq!((head.len(), Some(squares)), (HEAD, count.map(|it| it.1)));
        }
    }
}
