//! Games of two quick players: they read ladders, and otherwise play near the last moves.

use rand_chacha::rand_core::Rng;

use super::self_play::is_own_eye;
use leitai_go::reading::{CaptureParams, Kos, LadderOutcome, ladder};
use leitai_go::{Board, Colour, Point, PointSet};
use leitai_players::schedule::below;

/// The minimum number of plays in percent of the points of the board.
const MIN_PLAYS: u64 = 15;
const MAX_PLAYS: u64 = 60;

/// The weight of a play that takes or saves a block in a ladder, for each of its stones.
const LADDER: u64 = 60;
/// The maximum number of stones that count.
const MAX_STONES: u32 = 5;

/// The position after a random number of plays, without history or ko.
pub(super) fn game(size: u8, random: &mut impl Rng) -> Board {
    let points = u64::from(size) * u64::from(size);
    let percent = MIN_PLAYS + below(random, MAX_PLAYS - MIN_PLAYS + 1);
    let mut players = Players {
        board: Board::empty(size),
        params: CaptureParams::default(),
        last: [None; 2],
    };
    let mut colour = Colour::Black;
    for _ in 0..points * percent / 100 {
        let plays = players.plays(colour);
        let total = plays.iter().map(|&(_, weight)| weight).sum();
        let mut drawn = below(random, total);
        let chosen = plays.iter().find_map(|&(point, weight)| {
            let is_chosen = drawn < weight;
            drawn = drawn.saturating_sub(weight);
            is_chosen.then_some(point)
        });
        match chosen {
            Some(point) => drop(players.board.play(point, colour)),
            None => players.board.pass(),
        }
        players.last = [chosen, players.last[0]];
        colour = colour.other();
    }
    // Rebuilds the board, so that its blocks do not depend on the order of plays.
    Board::from_rows(&players.board.to_rows()).unwrap_or_else(|_| Board::empty(size))
}

/// The state of both players.
struct Players {
    board: Board,
    params: CaptureParams,
    /// The last play and the one before it.
    last: [Option<Point>; 2],
}

impl Players {
    /// The plays of a side with their weights.
    fn plays(&mut self, colour: Colour) -> Vec<(Point, u64)> {
        let mut plays = Vec::new();
        for point in *self.board.empties() {
            let weight = self.shape(point, colour);
            if weight > 0 {
                plays.push((point, weight));
            }
        }
        for (point, weight) in self.ladders(colour) {
            if let Some(play) = plays.iter_mut().find(|(known, _)| *known == point) {
                play.1 += weight;
            }
        }
        plays
    }

    /// The weight of a play by its surroundings; 0 if it is illegal, fills an own eye, can be taken
    /// at once, or is alone on one of the two outer lines.
    fn shape(&mut self, point: Point, colour: Colour) -> u64 {
        let board = &mut self.board;
        if !board.is_legal(point, colour) || is_own_eye(board, point, colour) {
            return 0;
        }
        let taken = board.play(point, colour);
        let is_taken_back = taken == 0 && board.liberty_count(point) == 1;
        board.undo();
        if is_taken_back {
            return 0;
        }
        let board = &self.board;
        let size = board.size();
        let ends = [point.col(), point.row()].map(|line| line.min(size - 1 - line));
        let line = ends[0].min(ends[1]);
        let around = |places: [Point; 4]| places.into_iter().filter(|&it| board.on_board(it));
        let stands = |it: Point, owner: Colour| board.at(it) == Some(owner);
        let beside = |owner: Colour, most: u32| {
            around(point.neighbours())
                .any(|it| stands(it, owner) && board.liberty_count(it) <= most)
        };
        let diagonal = |owner| around(point.diagonals()).any(|it| stands(it, owner));
        let enemy = colour.other();
        let far = |last: Option<Point>| {
            last.map_or(u8::MAX, |last| {
                let (col, row) = (
                    point.col().abs_diff(last.col()),
                    point.row().abs_diff(last.row()),
                );
                col.max(row)
            })
        };
        let is_alone = around(point.neighbours())
            .chain(around(point.diagonals()))
            .all(|it| board.at(it).is_none());
        let mut weight = match (is_alone, line) {
            (true, 0 | 1) => return 0,
            (true, 2 | 3) => 3,
            _ => 1,
        };
        weight += match (far(self.last[0]), far(self.last[1])) {
            (0..=1, _) => 16,
            (2, _) | (_, 0..=1) => 8,
            _ => 0,
        };
        for (holds, more) in [
            (beside(enemy, 2), 8),
            (beside(enemy, 4), 6),
            (beside(colour, 3), 6),
            (diagonal(colour) && diagonal(enemy), 4),
        ] {
            weight += if holds { more } else { 0 };
        }
        weight
    }

    /// The plays that start a working ladder, and those that save a block from one.
    fn ladders(&mut self, colour: Colour) -> Vec<(Point, u64)> {
        let mut plays = Vec::new();
        for owner in Colour::BOTH {
            let mut left: PointSet = *self.board.all(owner);
            while let Some(block) = left.first() {
                left -= self.board.stones(block);
                if self.board.liberty_count(block) > 2 {
                    continue;
                }
                let LadderOutcome::Captured(taking) = self.ladder(block, owner.other()) else {
                    continue;
                };
                let weight = LADDER * u64::from(self.board.stone_count(block).min(MAX_STONES));
                if owner == colour {
                    let saving = self.saving(block);
                    plays.extend(saving.map(|point| (point, weight)));
                } else if self.ladder(block, owner) == LadderOutcome::Fails {
                    plays.push((taking, weight));
                }
            }
        }
        plays
    }

    fn ladder(&mut self, block: Point, to_move: Colour) -> LadderOutcome {
        ladder(&mut self.board, block, to_move, Kos::Defender, &self.params)
    }

    /// The first liberty of the block, or of a neighbouring block in atari, that saves the block
    /// from a ladder.
    fn saving(&mut self, block: Point) -> Option<Point> {
        let owner = self.board.at(block)?;
        let mut tried = self.board.liberties(block);
        for stone in self.board.stones(block) {
            for beside in stone.neighbours() {
                let is_enemy = self.board.at(beside) == Some(owner.other());
                if is_enemy && self.board.liberty_count(beside) == 1 {
                    tried |= self.board.liberties(beside);
                }
            }
        }
        tried.iter().find(|&point| {
            if !self.board.is_legal(point, owner) {
                return false;
            }
            self.board.play(point, owner);
            let after = self.ladder(block, owner.other());
            self.board.undo();
            after == LadderOutcome::Fails
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of the points that self-play chooses with the highest probability.
    fn likeliest(rows: [&str; 7], colour: Colour) -> Vec<String> {
        let mut players = Players {
            board: Board::from_rows(&rows).unwrap(),
            params: CaptureParams::default(),
            last: [None; 2],
        };
        let plays = players.plays(colour);
        let most = plays.iter().map(|&(_, weight)| weight).max();
        let most = plays
            .into_iter()
            .filter(|&(_, weight)| Some(weight) == most);
        most.map(|(point, _)| point.name(7)).collect()
    }

    #[test]
    fn ladders_are_started_and_blocks_are_saved_from_them() {
        let ladder = [
            ".......", ".......", "...X...", "..XO...", "..XX...", ".......", ".......",
        ];
        assert_eq!(likeliest(ladder, Colour::Black), ["E4"]);
        assert_eq!(likeliest(ladder, Colour::White), ["E4"]);
    }

    #[test]
    fn no_player_fills_an_eye_or_plays_into_atari() {
        let rows = [
            ".X.O...", "XX.OO..", ".......", ".......", ".......", ".......", ".......",
        ];
        let mut players = Players {
            board: Board::from_rows(&rows).unwrap(),
            params: CaptureParams::default(),
            last: [None; 2],
        };
        let points = |plays: Vec<(Point, u64)>| -> Vec<String> {
            plays.into_iter().map(|(point, _)| point.name(7)).collect()
        };
        let black = points(players.plays(Colour::Black));
        assert!(!black.contains(&"A7".to_owned()), "{black:?}");
        assert!(black.contains(&"C6".to_owned()), "{black:?}");
        let white = points(players.plays(Colour::White));
        assert!(!white.contains(&"A7".to_owned()), "{white:?}");
    }

    #[test]
    fn a_game_has_stones_of_both_sides_and_no_ko() {
        let mut random =
            leitai_players::schedule::generator(7, leitai_players::schedule::Stream::Openings);
        let board = game(9, &mut random);
        board.check_integrity().unwrap();
        assert_eq!(board.ko(), None);
        for colour in Colour::BOTH {
            assert!(board.all(colour).len() >= 3);
        }
    }
}
