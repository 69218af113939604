//! Games as data for the viewer: boards by what changes at each ply, so that a page of
//! thousands of games stays small and the browser needs no rules.

use serde::Serialize;

use super::choice::GamesShown;
use crate::card::GameCard;
use crate::game::view::{Cells, Figure, MarkKind, Place, View};
use crate::interchange::pgn::{Game, Searched};
use crate::report::board::{Outline, outline};
use crate::report::convert::result_text;

/// What the viewer of a page shows.
#[derive(Debug, Serialize)]
pub struct Viewer {
    game: Kind,
    /// The boards that its games are played on: of one size, but for some games.
    boards: Vec<Board>,
    players: Vec<String>,
    games: Vec<Shown>,
    #[serde(skip)]
    card: &'static dyn GameCard,
    #[serde(skip)]
    which: GamesShown,
    /// The players whose lost games may be asked for, by number.
    #[serde(skip)]
    looked_at: Vec<usize>,
    /// Recorded games, shown or not.
    #[serde(skip)]
    pub(super) recorded: u64,
    /// What each player spent on its moves, in all recorded games.
    #[serde(skip)]
    spent: Vec<Spent>,
}

/// The kind of game, and what may stand on its boards.
#[derive(Debug, Serialize)]
struct Kind {
    name: &'static str,
    sides: [&'static str; 2],
    figures: Vec<Piece>,
    notations: Vec<&'static str>,
}

/// An empty board.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Board {
    cells: Cells,
    columns: Vec<String>,
    rows: Vec<String>,
    lines: Vec<[[usize; 2]; 2]>,
    dots: Vec<[usize; 2]>,
}

#[derive(Debug, Serialize)]
struct Piece {
    side: Option<&'static str>,
    #[serde(flatten)]
    figure: Figure,
    #[serde(flatten)]
    outline: Option<Outline>,
}

/// Sums over the moves of a player.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spent {
    pub(super) moves: u64,
    pub(super) nodes: u64,
    pub(super) depth: u64,
    /// Moves of which the depth is known.
    pub(super) deep: u64,
    pub(super) seconds: f64,
    /// Moves of which the time is known.
    pub(super) timed: u64,
}

/// A game. A cell of the board is its row from the top times the columns, plus its column.
#[derive(Debug, Serialize)]
struct Shown {
    number: u64,
    pair: u64,
    /// Its place among the boards.
    board: usize,
    /// The first mover and the other, by their numbers among the players.
    players: [Option<usize>; 2],
    result: &'static str,
    cause: String,
    ending: String,
    opening: String,
    fen: String,
    /// Cells and figures by turns.
    start: Vec<i16>,
    /// The moves in each notation.
    moves: Vec<Vec<String>>,
    /// What each move changes, as cells and figures by turns; -1 is no figure.
    changes: Vec<Vec<i16>>,
    /// Cells and kinds of marks by turns, at the start and after each move; `None` where a
    /// piece has gone from the one cell that was emptied to the one that was filled.
    marks: Vec<Option<Vec<i16>>>,
    /// The side to move at the start and after each move, 0 or 1.
    to_move: String,
    /// Score, depth, nodes, milliseconds and plies to mate of each move, as far as they are
    /// known.
    searched: Vec<Vec<Option<i64>>>,
}

impl Viewer {
    /// A viewer without games; `looked_at` are the players whose lost games may be asked
    /// for. `None` for a game that has no board to show.
    pub fn new(
        card: &'static dyn GameCard,
        players: Vec<String>,
        which: GamesShown,
        looked_at: Vec<usize>,
    ) -> Option<Self> {
        let view = card.line(&*card.initial()).view()?;
        let notations = card.facts().pgn.notations.iter();
        let mut notations: Vec<_> = notations.map(|style| style.name).collect();
        if notations.is_empty() {
            notations.push("coordinates");
        }
        Some(Self {
            game: Kind {
                name: view.game,
                sides: view.sides,
                figures: Vec::new(),
                notations,
            },
            boards: Vec::new(),
            spent: vec![Spent::default(); players.len()],
            players,
            games: Vec::new(),
            card,
            which,
            looked_at,
            recorded: 0,
        })
    }

    /// Takes a game of the run, which is of that pair, of so many.
    pub fn take(&mut self, game: &Game, pair: u64, pairs: u64) {
        self.recorded += 1;
        let style = &self.card.facts().pgn;
        let players = style.players.map(|side| {
            let name = game.tags.get(side)?;
            self.players.iter().position(|player| player == name)
        });
        self.spend(game, players);
        let whose = players
            .iter()
            .position(|it| it.is_some_and(|player| self.looked_at.contains(&player)));
        if self.which.has_pair(pair, pairs)
            && self.which.has_game(game, whose, self.games.len() as u64)
        {
            let shown = self.shown(game, pair, players);
            self.games.extend(shown);
        }
    }

    fn spend(&mut self, game: &Game, players: [Option<usize>; 2]) {
        let mut mover = game.play.start().side_to_move();
        for searched in &game.searched {
            if let Some(spent) = players[mover.index()].and_then(|it| self.spent.get_mut(it)) {
                spent.moves += 1;
                spent.nodes += u64::from(searched.nodes);
                spent.deep += u64::from(searched.depth > 0);
                spent.depth += u64::from(searched.depth);
                spent.seconds += searched.seconds.unwrap_or_default();
                spent.timed += u64::from(searched.seconds.is_some());
            }
            mover = mover.other();
        }
    }

    fn shown(&mut self, game: &Game, pair: u64, players: [Option<usize>; 2]) -> Option<Shown> {
        let notations = self.game.notations.len();
        let start = game.play.start();
        let mut line = self.card.line(start);
        let view = line.view()?;
        let mut board = self.standing(&view);
        let round = game.tags.get("Round").and_then(|it| it.split('.').next());
        let round = round.and_then(|it| it.parse().ok());
        let standing = board.iter().copied().enumerate();
        let mut shown = Shown {
            board: self.board(&view),
            number: game.number,
            pair: round.unwrap_or(pair + 1),
            players,
            result: result_text(game.points),
            cause: game.tags.get("Termination").unwrap_or_default().to_owned(),
            ending: game
                .verdict
                .map_or_else(String::new, |(_, verdict)| self.card.ending(verdict)),
            opening: game.tags.get("Opening").unwrap_or_default().to_owned(),
            fen: start.to_fen(),
            start: flattened(standing.filter(|&(_, it)| it >= 0)),
            moves: vec![Vec::with_capacity(game.play.len()); notations],
            changes: Vec::with_capacity(game.play.len()),
            marks: vec![Some(Self::marked(&view))],
            to_move: self.side(&view).to_string(),
            searched: game.searched.iter().map(told).collect(),
        };
        for mv in game.play.moves() {
            let position = line.position();
            for (notation, moves) in shown.moves.iter_mut().enumerate() {
                moves.push(position.written(mv, notation));
            }
            line.play(mv);
            let view = line.view()?;
            let after = self.standing(&view);
            let both = board.iter().zip(&after).enumerate();
            let changed = both.filter(|(_, (was, is))| was != is);
            let changed = flattened(changed.map(|(cell, (_, &is))| (cell, is)));
            let marks = Self::marked(&view);
            shown
                .marks
                .push((!follows(&marks, &changed)).then_some(marks));
            shown.changes.push(changed);
            shown.to_move.push_str(self.side(&view));
            board = after;
        }
        Some(shown)
    }

    /// The board of a position, by its place.
    fn board(&mut self, view: &View) -> usize {
        let place = |place: Place| [place.column, place.row];
        let board = Board {
            cells: view.cells,
            columns: view.columns.clone(),
            rows: view.rows.clone(),
            lines: view.lines.iter().map(|line| line.map(place)).collect(),
            dots: view.dots.iter().copied().map(place).collect(),
        };
        let known = self.boards.iter().position(|it| *it == board);
        known.unwrap_or_else(|| {
            self.boards.push(board);
            self.boards.len() - 1
        })
    }

    /// The figure on each cell by its number, -1 where there is none.
    fn standing(&mut self, view: &View) -> Vec<i16> {
        let columns = view.columns.len();
        let mut board = vec![-1; columns * view.rows.len()];
        for piece in &view.pieces {
            let figures = &mut self.game.figures;
            let is_it = |it: &Piece| it.figure == piece.figure && it.side == piece.side;
            let number = figures.iter().position(is_it).unwrap_or_else(|| {
                figures.push(Piece {
                    side: piece.side,
                    figure: piece.figure,
                    outline: outline(piece.figure.glyph),
                });
                figures.len() - 1
            });
            board[cell(columns, piece.place)] = number as i16;
        }
        board
    }

    fn marked(view: &View) -> Vec<i16> {
        let columns = view.columns.len();
        let kind = |kind| match kind {
            MarkKind::From => 0,
            MarkKind::To => 1,
            MarkKind::Point => 2,
        };
        let marks = view.marks.iter();
        flattened(marks.map(|mark| (cell(columns, mark.place), kind(mark.kind))))
    }

    fn side(&self, view: &View) -> &'static str {
        if view.to_move == self.game.sides[0] {
            "0"
        } else {
            "1"
        }
    }

    /// How many games are shown.
    pub(super) fn count(&self) -> u64 {
        self.games.len() as u64
    }

    /// By which rule they were chosen, in words.
    pub(super) fn rule(&self) -> String {
        let names = self.looked_at.iter().filter_map(|&it| self.players.get(it));
        self.which.rule(&crate::count::quoted(names))
    }

    /// What each player spent, by name.
    pub(super) fn spent(&self) -> impl Iterator<Item = (&str, Spent)> {
        let names = self.players.iter().map(String::as_str);
        names.zip(self.spent.iter().copied())
    }

    /// The numbers of the games between two players.
    pub(super) fn between(&self, one: &str, other: &str) -> Vec<u64> {
        let place = |name| self.players.iter().position(|player| player == name);
        let pair = [place(one), place(other)];
        let games = self
            .games
            .iter()
            .filter(|game| game.players == pair || game.players == [pair[1], pair[0]]);
        games.map(|game| game.number).collect()
    }
}

fn cell(columns: usize, place: Place) -> usize {
    place.row * columns + place.column
}

fn flattened(pairs: impl Iterator<Item = (usize, i16)>) -> Vec<i16> {
    pairs.flat_map(|(cell, what)| [cell as i16, what]).collect()
}

/// Whether marks say no more than that a piece has gone from one cell to another.
fn follows(marks: &[i16], changed: &[i16]) -> bool {
    let one = |is_filled: bool| {
        let mut cells = changed.chunks(2).filter(|it| (it[1] >= 0) == is_filled);
        cells.next().filter(|_| cells.next().is_none())
    };
    match (one(false), one(true)) {
        (Some(from), Some(to)) => marks == [from[0], 0, to[0], 1],
        _ => false,
    }
}

fn told(searched: &Searched) -> Vec<Option<i64>> {
    let Searched {
        score,
        mate,
        depth,
        nodes,
        seconds,
    } = *searched;
    let mut told = vec![
        score.map(i64::from),
        Some(depth.into()).filter(|&depth| depth > 0),
        Some(nodes.into()).filter(|&nodes| nodes > 0),
        seconds.map(|seconds| (1000.0 * seconds).round() as i64),
        mate,
    ];
    let known = told.iter().rposition(Option::is_some);
    told.truncate(known.map_or(0, |last| last + 1));
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_that_say_no_more_than_a_move_are_left_out() {
        assert!(follows(&[12, 0, 28, 1], &[12, -1, 28, 3]));
        assert!(follows(&[28, 0, 12, 1], &[12, 3, 28, -1]));
        // Castling, a disc that is put, marks of something else.
        assert!(!follows(&[4, 0, 6, 1], &[4, -1, 5, 2, 6, 1, 7, -1]));
        assert!(!follows(&[19, 1], &[19, 1, 27, 1]));
        assert!(!follows(&[12, 2], &[12, -1, 28, 3]));
    }

    #[test]
    fn what_is_not_known_at_the_end_is_left_out() {
        let of = |searched| told(&searched);
        assert_eq!(
            of(Searched::new(Some(-5), 7, 100, None)),
            [Some(-5), Some(7), Some(100)]
        );
        assert_eq!(
            of(Searched::new(None, 0, 9, Some(0.5))),
            [None, None, Some(9), Some(500)]
        );
        assert!(of(Searched::new(None, 0, 0, None)).is_empty());
    }
}
