//! Speed of the Go board in plays made and undone per second: `cargo bench --bench core -- go`.
//!
//! Both measures test each play for legality first, maintain blocks, liberties, key and ko, and
//! remove captured stones.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use leitai_games::go::{Board, Colour, Point, Problem};
use leitai_go_problems::formats::read_problems;

/// Random numbers for the games: `xorshift64` (Marsaglia, 2003).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

/// Returns whether all neighbours are stones of one colour, or the border.
fn is_eye(board: &Board, point: Point, colour: Colour) -> bool {
    point
        .neighbours()
        .into_iter()
        .all(|it| !board.on_board(it) || board.at(it) == Some(colour))
}

/// A game of random legal plays that fill none of the side's own eyes. It ends without such a play,
/// or after enough plays to fill the board one and a half times.
fn random_game(size: u8, numbers: &mut Numbers) -> Vec<(Point, Colour)> {
    let mut board = Board::empty(size);
    let mut colour = Colour::Black;
    let mut game = Vec::new();
    let most = usize::from(size) * usize::from(size) * 3 / 2;
    while game.len() < most {
        let plays: Vec<Point> = board
            .empties()
            .iter()
            .filter(|&it| board.is_legal(it, colour) && !is_eye(&board, it, colour))
            .collect();
        if plays.is_empty() {
            break;
        }
        let point = plays[numbers.below(plays.len())];
        board.play(point, colour);
        game.push((point, colour));
        colour = colour.other();
    }
    game
}

fn random_games(size: u8, count: usize) -> Vec<Vec<(Point, Colour)>> {
    let mut numbers = Numbers(0x0123_4567_89ab_cdef);
    (0..count)
        .map(|_| random_game(size, &mut numbers))
        .collect()
}

/// Random games, played from the first play to the last and undone to the empty board.
#[divan::bench(args = [9, 19])]
fn games(bencher: Bencher<'_, '_>, size: u8) {
    let games = random_games(size, 200);
    let plays: usize = games.iter().map(Vec::len).sum();
    let mut board = Board::empty(size);
    bencher.counter(ItemsCount::new(plays)).bench_local(|| {
        for game in &games {
            for &(point, colour) in game {
                if board.is_legal(point, colour) {
                    black_box(board.play(point, colour));
                }
            }
            for _ in game {
                board.undo();
            }
        }
    });
}

/// Every legal play in the positions of random games, each undone at once, as in a search.
#[divan::bench(args = [9, 19])]
fn nodes(bencher: Bencher<'_, '_>, size: u8) {
    let mut positions = Vec::new();
    let mut plays = 0;
    for game in random_games(size, 4) {
        let mut board = Board::empty(size);
        for (number, &(point, colour)) in game.iter().enumerate() {
            board.play(point, colour);
            if number % 40 == 20 {
                let side = colour.other();
                plays += board
                    .empties()
                    .iter()
                    .filter(|&it| board.is_legal(it, side))
                    .count();
                positions.push((board.clone(), side));
            }
        }
    }
    bencher.counter(ItemsCount::new(plays)).bench_local(|| {
        for (board, side) in &mut positions {
            for point in *board.empties() {
                if board.is_legal(point, *side) {
                    black_box(board.play(point, *side));
                    board.undo();
                }
            }
        }
    });
}

/// Makes every legal play of a side to a depth and returns their number.
fn walk(board: &mut Board, colour: Colour, depth: u32) -> usize {
    let mut plays = 0;
    for point in *board.empties() {
        if board.is_legal(point, colour) {
            board.play(point, colour);
            plays += 1;
            if depth > 1 {
                plays += walk(board, colour.other(), depth - 1);
            }
            board.undo();
        }
    }
    plays
}

/// Every legal play of both sides in Leitai's capture problems, and every legal reply.
#[divan::bench]
fn problems(bencher: Bencher<'_, '_>) {
    let set = include_bytes!("../../openings/go-capture/problems.json");
    let mut problems: Vec<Problem> = read_problems(set).into_iter().flatten().collect();
    let mut all = || -> usize {
        problems
            .iter_mut()
            .map(|problem| walk(&mut problem.board, problem.to_move, 2))
            .sum()
    };
    let plays = all();
    bencher.counter(ItemsCount::new(plays)).bench_local(all);
}
